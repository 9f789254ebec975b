"""A client for chat completions in OpenAI's form: retried where that can help, refused with a reason where not."""

from __future__ import annotations

import http.client
import json
import os
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from holmes.errors import EnvironmentFailure, InputError

_AGAIN = {408, 409, 425, 429, 500, 502, 503, 504, 529}  # states that pass
_LONGEST_PAUSE = 60.0
_LARGEST = 64 << 20  # bytes of an answer


@dataclass(frozen=True, slots=True)
class ChatReply:
    """One generation. text: None where the host returned no content. truncated: it was cut at the length limit."""

    text: str | None
    truncated: bool


@dataclass(frozen=True, slots=True)
class Chat:
    """A chat model behind an address.

    url: of the chat-completions endpoint, or the base (``…/v1``). model: its name there. key: sent as bearer token;
    by default ``HOLMES_API_KEY`` or ``OPENAI_API_KEY``. options: further fields of every request (temperature,
    max_tokens). attempts: tries a request, at least 1. pause: seconds before the second try, doubled after each.
    timeout: seconds a try. sleep: what waits.
    """

    url: str
    model: str
    key: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    attempts: int = 6
    pause: float = 1.0
    timeout: float = 600.0
    sleep: Callable[[float], None] = time.sleep

    def __post_init__(self) -> None:
        if not self.url.startswith(("http://", "https://")):
            raise InputError(f"chat url: found {self.url!r}, expected http:// or https:// and a host")
        if self.attempts < 1:
            raise InputError(f"chat attempts: found {self.attempts!r}, expected a whole number, at least 1")

    @property
    def endpoint(self) -> str:
        """The full address of chat completions."""
        base = self.url.rstrip("/")
        return base if base.endswith("/chat/completions") else f"{base}/chat/completions"

    def reply(self, messages: Sequence[Mapping[str, str]], **options: Any) -> ChatReply:
        """Ask for one generation.

        messages: role and content each. options: fields of this request (seed, …).
        Busy and broken states (408, 429, 5xx, no connection, a cut or unreadable answer) are tried again.
        Returns the ChatReply. Raises EnvironmentFailure when the last try failed too, or at once when the host refuses
        the request (400, 401, 404, …).
        """
        body = {"model": self.model, "messages": list(messages), **self.options, **options}
        problem, told = "", 0.0
        for attempt in range(self.attempts):
            if attempt:
                self.sleep(min(max(told, self.pause * 2 ** (attempt - 1)), _LONGEST_PAUSE))
            try:
                return _reply(self._post(body))
            except urllib.error.HTTPError as error:
                problem = f"HTTP {error.code}: {_text(error)}"
                if error.code not in _AGAIN:
                    raise EnvironmentFailure(f"{self.endpoint}: {problem}") from error
                told = _seconds(error.headers.get("Retry-After") if error.headers else None)
            except (OSError, http.client.HTTPException, ValueError) as error:
                problem = f"{type(error).__name__}: {error}"
        raise EnvironmentFailure(f"{self.endpoint}: failed {self.attempts} times, last with {problem}")

    def _post(self, body: Mapping[str, Any]) -> Any:
        key = self.key or os.environ.get("HOLMES_API_KEY") or os.environ.get("OPENAI_API_KEY") or ""
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {key}"} if key else {})
        request = urllib.request.Request(self.endpoint, json.dumps(body).encode(), headers, method="POST")
        host = urllib.parse.urlsplit(self.endpoint).hostname or ""
        near = host == "localhost" or host.startswith("127.") or host == "::1"  # never by way of a proxy
        opener = urllib.request.build_opener(*([urllib.request.ProxyHandler({})] if near else []))
        with opener.open(request, timeout=self.timeout) as answer:
            return json.loads(answer.read(_LARGEST))


def _seconds(told: str | None) -> float:
    """The pause that a host asks for; dates are not read."""
    return float(told) if told and told.isdecimal() else 0.0


def _reply(answer: Any) -> ChatReply:
    try:
        choice = answer["choices"][0]
        text = choice["message"].get("content")
    except (KeyError, IndexError, TypeError, AttributeError) as error:
        raise ValueError(f"the answer holds no choices[0].message: {str(answer)[:200]}") from error
    if not (text is None or isinstance(text, str)):
        raise ValueError(f"the answer's content is {type(text).__name__}, expected text")
    if text is not None:
        text = text.encode("utf-8", "replace").decode()  # lone surrogates can be sent but not stored
    return ChatReply(text, choice.get("finish_reason") == "length")


def _text(error: urllib.error.HTTPError) -> str:
    try:
        return " ".join(error.read(500).decode("utf-8", "replace").split())[:200]
    except (OSError, http.client.HTTPException):
        return str(error.reason)
