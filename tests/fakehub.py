"""A Hub on the loopback interface: enough for push_to_hub, snapshot_download, load_dataset and the dataset card.

Use `running()` as a context manager; it yields a `Hub`. A client needs `hub.env(home)` before huggingface_hub is
imported: start a new process with it. Repositories are dictionaries path -> bytes.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import json
import re
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, unquote, urlsplit


@dataclass
class Hub:
    """The state of the server; tests read and fill `repositories`, and see each request in `log`."""

    repositories: dict[str, dict[str, bytes]] = field(default_factory=dict)
    uploads: dict[str, bytes] = field(default_factory=dict)
    log: list[str] = field(default_factory=list)
    url: str = ""
    tags: dict[str, dict[str, str]] = field(default_factory=dict)  # repository -> tag -> commit
    refuse: dict[str, int] = field(default_factory=dict)  # route -> a status that its requests get
    fail_with: int = 0  # a status that every request gets, for tests of outages

    def env(self, home: object) -> dict[str, str]:
        """The environment of a client: this endpoint, a private home, a token, plain uploads, no progress bars."""
        return {
            "HF_ENDPOINT": self.url,
            "HF_HOME": str(home),
            "HF_TOKEN": "hf_none",
            "HF_HUB_DISABLE_XET": "1",
            "HF_HUB_OFFLINE": "0",  # whatever the caller's environment says
            "HF_DATASETS_OFFLINE": "0",
            "HF_HUB_DISABLE_PROGRESS_BARS": "1",
        }

    def revision(self, name: str) -> str:
        """The commit of a repository: a hash of its content."""
        digest = hashlib.sha1()
        for path, content in sorted(self.repositories[name].items()):
            digest.update(path.encode() + b"\0" + hashlib.sha1(content).digest())
        return digest.hexdigest()


class Handler(BaseHTTPRequestHandler):
    """Routes of the Hub's HTTP interface, one method each."""

    protocol_version = "HTTP/1.1"
    hub: Hub

    ROUTES = (
        ("GET", r"/api/whoami-v2", "whoami"),
        ("GET", r"/datasets/(.+?)/resolve/([^/]+)/(.+)", "resolve"),
        ("GET", r"/api/datasets/(.+?)/tree/([^/]+)(?:/(.*))?", "tree"),
        ("GET", r"/api/datasets/(.+?)/revision/([^/]+)", "info"),
        ("GET", r"/api/datasets/(.+?)/refs", "refs"),
        ("GET", r"/api/datasets/(.+)", "info"),
        ("PUT", r"/lfs/([0-9a-f]+)", "put"),
        ("POST", r"/api/repos/create", "create"),
        ("POST", r"/api/datasets/(.+?)/preupload/([^/]+)", "preupload"),
        ("POST", r"/api/datasets/(.+?)/commit/([^/]+)", "commit"),
        ("POST", r"/api/datasets/(.+?)/tag/([^/]+)", "tag"),
        ("POST", r"/api/datasets/(.+?)/paths-info/([^/]+)", "paths_info"),
        ("POST", r"/.+\.git/info/lfs/objects/batch", "batch"),
        ("POST", r"/api/validate-yaml", "validate"),
    )

    def log_message(self, format, *args):
        """Keep the test output clean."""

    def _route(self):
        path = unquote(urlsplit(self.path).path)
        self.hub.log.append(f"{self.command} {path}")
        self.body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if self.hub.fail_with:
            return self._send(self.hub.fail_with, {"error": "down"})
        method = "GET" if self.command == "HEAD" else self.command
        for verb, pattern, name in self.ROUTES:
            if verb == method and (match := re.fullmatch(pattern, path)):
                if name in ("resolve", "tree", "info", "refs", "paths_info", "commit"):
                    if match[1] not in self.hub.repositories:
                        return self._send(404, {"error": "no such repository"}, {"X-Error-Code": "RepoNotFound"})
                    self.files = self.hub.repositories[match[1]]
                if name in self.hub.refuse:
                    return self._send(self.hub.refuse[name], {"error": f"no {name} today"})
                return getattr(self, name)(*match.groups())
        return self._send(404, {"error": f"no route for {self.command} {path}"})

    do_GET = do_HEAD = do_PUT = do_POST = _route

    def _send(self, code, body=b"", headers=None, kind="application/json"):
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(code)
        for name, value in {"Content-Type": kind, "Content-Length": str(len(content)), **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def whoami(self):
        self._send(200, {"name": "tester", "type": "user", "orgs": [], "auth": {"accessToken": {"role": "write"}}})

    def info(self, name, revision="main"):
        known = [{"rfilename": path} for path in sorted(self.files)]
        flags = {"private": False, "gated": False, "disabled": False, "tags": [], "downloads": 0, "likes": 0}
        self._send(200, {"_id": "0", "id": name, "sha": self.hub.revision(name), "siblings": known, **flags})

    def refs(self, name):
        main = {"name": "main", "ref": "refs/heads/main", "targetCommit": self.hub.revision(name)}
        self._send(200, {"branches": [main], "converts": [], "tags": self._tags(name)})

    def _tags(self, name):
        known = self.hub.tags.get(name, {})
        return [{"name": tag, "ref": f"refs/tags/{tag}", "targetCommit": commit} for tag, commit in known.items()]

    def tag(self, name, revision):
        self.hub.tags.setdefault(name, {})[json.loads(self.body)["tag"]] = revision
        self._send(200)

    def resolve(self, name, revision, path):
        commit = {"X-Repo-Commit": self.hub.revision(name)}
        if path not in self.files:
            return self._send(404, {"error": "no such file"}, {"X-Error-Code": "EntryNotFound", **commit})
        content = self.files[path]
        headers = {"ETag": f'"{hashlib.sha1(content).hexdigest()}"', "Accept-Ranges": "bytes", **commit}
        code, wanted = 200, self.headers.get("Range")
        if wanted and self.command == "GET":
            first, _, last = wanted.removeprefix("bytes=").partition("-")
            start, stop = int(first or 0), int(last) + 1 if last else len(content)
            headers["Content-Range"] = f"bytes {start}-{min(stop, len(content)) - 1}/{len(content)}"
            content, code = content[start:stop], 206
        self._send(code, content, {**headers, "Content-Length": str(len(content))}, "application/octet-stream")

    def tree(self, name, revision, below):
        prefix = f"{below.rstrip('/')}/" if below else ""
        deep = parse_qs(urlsplit(self.path).query).get("recursive", [""])[0].lower() in ("true", "1")
        entries = {}
        for path, content in sorted(self.files.items()):
            if not path.startswith(prefix):
                continue
            parts = path[len(prefix) :].split("/")
            for depth in range(1, len(parts) if deep else min(2, len(parts))):
                folder = prefix + "/".join(parts[:depth])
                entries.setdefault(folder, {"type": "directory", "path": folder, "oid": _oid(folder), "size": 0})
            if deep or len(parts) == 1:
                entries[path] = _entry(path, content)
        if prefix and not entries:
            return self._send(404, {"error": "no such folder"}, {"X-Error-Code": "EntryNotFound"})
        self._send(200, list(entries.values()))

    def paths_info(self, name, revision):
        try:
            wanted = json.loads(self.body)["paths"]
        except ValueError:
            wanted = parse_qs(self.body.decode()).get("paths", [])
        found = []
        for path in wanted:
            if path in self.files:
                found.append(_entry(path, self.files[path]))
            elif any(known.startswith(path.rstrip("/") + "/") for known in self.files):
                found.append({"type": "directory", "path": path, "oid": _oid(path)})
        self._send(200, found)

    def create(self):
        wanted = json.loads(self.body)
        name = f"{wanted.get('organization') or 'tester'}/{wanted['name']}"
        self.hub.repositories.setdefault(name, {})
        self._send(200, {"url": f"{self.hub.url}/datasets/{name}", "id": name, "name": name})

    def preupload(self, name, revision):
        plans = []
        for wanted in json.loads(self.body)["files"]:
            large = wanted["path"].endswith(".parquet")
            plans.append({"shouldIgnore": False, "uploadMode": "lfs" if large else "regular", "path": wanted["path"]})
        self._send(200, {"files": plans})

    def put(self, oid):
        self.hub.uploads[oid] = self.body
        self._send(200)

    def batch(self):
        objects = [
            {"oid": o["oid"], "size": o["size"], "actions": {"upload": {"href": f"{self.hub.url}/lfs/{o['oid']}"}}}
            for o in json.loads(self.body)["objects"]
        ]
        self._send(200, {"transfer": "basic", "objects": objects})

    def commit(self, name, revision):
        parent = json.loads(self.body.splitlines()[0])["value"].get("parentCommit")
        if parent not in (None, self.hub.revision(name)):
            return self._send(412, {"error": "A commit has happened since. Please refresh and try again."})
        for line in self.body.splitlines():
            operation = json.loads(line)
            value = operation["value"]
            if operation["key"] == "file":
                self.files[value["path"]] = base64.b64decode(value["content"])
            elif operation["key"] == "lfsFile":
                self.files[value["path"]] = self.hub.uploads[value["oid"]]
            elif operation["key"] == "deletedFile":
                self.files.pop(value["path"], None)
        oid = self.hub.revision(name)
        url = f"{self.hub.url}/datasets/{name}/commit/{oid}"
        self._send(200, {"success": True, "commitOid": oid, "commitUrl": url, "hookOutput": ""})

    def validate(self):
        self._send(200, {"errors": [], "warnings": []})


def _oid(text: str) -> str:
    return hashlib.sha1(text.encode()).hexdigest()


def _entry(path: str, content: bytes) -> dict[str, object]:
    blob = hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()
    entry = {"type": "file", "path": path, "oid": blob, "size": len(content)}
    if path.endswith(".parquet"):
        entry["lfs"] = {"oid": hashlib.sha256(content).hexdigest(), "size": len(content), "pointerSize": 130}
    return entry


@contextlib.contextmanager
def running(repositories: dict[str, dict[str, bytes]] | None = None) -> Iterator[Hub]:
    """Run a Hub on a free port until the block ends; all its threads end with it."""
    hub = Hub(repositories=repositories or {})
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("BoundHandler", (Handler,), {"hub": hub}))
    server.daemon_threads = True
    hub.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield hub
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
