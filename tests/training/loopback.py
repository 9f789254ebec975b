"""A chat host on the loopback interface, for tests."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@contextmanager
def chat_host(answer: Callable[[dict], object]):
    """Serve chat completions; yields (base address, list of request bodies).

    answer: from a request body to the reply's text, or (status, body), or (status, body, headers).
    """
    requests: list[dict] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            body["authorization"] = self.headers.get("Authorization", "")
            body["path"] = self.path
            requests.append(body)
            told = answer(body)
            status, content, headers = (*told, {})[:3] if isinstance(told, tuple) else (200, told, {})
            if status == 200 and (isinstance(content, str) or content is None):
                content = {"choices": [{"message": {"role": "assistant", "content": content}, "finish_reason": "stop"}]}
            data = content if isinstance(content, bytes) else json.dumps(content).encode()
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1", requests
    finally:
        server.shutdown()
        server.server_close()
