"""Loopback servers that speak the chat-completions API and answer as a test tells them to."""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Answer = Callable[[str, dict[str, Any]], "str | int | None"]


@dataclass
class ChatServer:
    """A running server: its URL, and every request it received (parsed bodies, in order of arrival)."""

    url: str
    requests: list[dict[str, Any]] = field(default_factory=list)

    @property
    def seeds(self) -> list[int]:
        """The seed of every request."""
        return [r["seed"] for r in self.requests]


@contextlib.contextmanager
def chat_host(answer: Callable[[dict[str, Any]], object]) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Serve chat completions; yields (base address, list of request bodies).

    answer: from a request body, with its path and authorization, to the reply's text, or (status, body), or
    (status, body, headers); one request at a time.
    """
    requests: list[dict[str, Any]] = []
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: Any) -> None:
            pass

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            body["authorization"], body["path"] = self.headers.get("Authorization", ""), self.path
            with lock:
                requests.append(body)
                told = answer(body)
            status, content, headers = (*told, {})[:3] if isinstance(told, tuple) else (200, told, {})
            if status == 200 and (isinstance(content, str) or content is None):
                message = {"role": "assistant", "content": content}
                choice = {"index": 0, "finish_reason": "stop", "message": message}
                content = {"id": "x", "object": "chat.completion", "model": "loopback", "choices": [choice]}
            data = content if isinstance(content, bytes) else json.dumps(content).encode()
            self.send_response(status)
            for name, value in {"Content-Type": "application/json", **headers}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1", requests
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@contextlib.contextmanager
def chat_server(answer: Answer) -> Iterator[ChatServer]:
    """Serve ``answer(prompt, request)``: a text, None for null content, or an int for that HTTP error status."""

    def told(request: dict[str, Any]) -> object:
        prompt = request["messages"][-1]["content"]
        if isinstance(prompt, list):
            prompt = "".join(part.get("text", "") for part in prompt)
        made = answer(prompt, request)
        return (made, {"error": {"message": "told to fail"}}) if isinstance(made, int) else made

    with chat_host(told) as (address, requests):
        yield ChatServer(f"{address}/chat/completions", requests)
