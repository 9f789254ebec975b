"""A loopback server that speaks the chat-completions API and answers as a test tells it to."""

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
def chat_server(answer: Answer) -> Iterator[ChatServer]:
    """Serve ``answer(prompt, request)``: a text, None for null content, or an int for that HTTP error status."""
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: Any) -> None:
            pass

        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            prompt = request["messages"][-1]["content"]
            if isinstance(prompt, list):
                prompt = "".join(part.get("text", "") for part in prompt)
            with lock:
                state.requests.append(request)
                made = answer(prompt, request)
            if isinstance(made, int):
                self._send(made, {"error": {"message": "told to fail"}})
                return
            message = {"role": "assistant", "content": made}
            choice = {"index": 0, "finish_reason": "stop", "message": message}
            self._send(200, {"id": "x", "object": "chat.completion", "model": "loopback", "choices": [choice]})

        def _send(self, status: int, body: dict[str, Any]) -> None:
            data = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    state = ChatServer(f"http://127.0.0.1:{server.server_port}/v1/chat/completions")
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield state
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
