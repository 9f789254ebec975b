"""The chat client: what is retried, what is refused, what is read."""

from __future__ import annotations

import socket

import pytest

from holmes.errors import EnvironmentFailure, InputError
from holmes.util.chat import Chat, ChatReply
from tests.chatserver import chat_host

HELLO = [{"role": "user", "content": "hello"}]


def client(url, pauses=None, **options):
    return Chat(url, "tiny", sleep=(pauses if pauses is not None else []).append, **options)


def test_a_reply_is_read_and_the_request_is_whole():
    """Model, messages, options and key arrive; the text comes back."""
    with chat_host(lambda body: "hi") as (url, requests):
        reply = client(url, key="k", options={"temperature": 0.5}).reply(HELLO, seed=3)
    assert reply == ChatReply("hi", False)
    assert {"model": "tiny", "messages": HELLO, "temperature": 0.5, "seed": 3}.items() <= requests[0].items()
    assert (requests[0]["authorization"], requests[0]["path"]) == ("Bearer k", "/v1/chat/completions")


@pytest.mark.parametrize("status", [500, 429, 503, 408])
def test_three_failures_are_retried(status):
    """After three passing failures the fourth try succeeds; pauses double."""
    states = [(status, {"error": "busy"})] * 3 + ["fine"]
    pauses = []
    with chat_host(lambda body: states.pop(0)) as (url, requests):
        assert client(url, pauses).reply(HELLO).text == "fine"
    assert len(requests) == 4
    assert pauses == [1, 2, 4]


def test_the_host_may_ask_for_a_longer_pause():
    """Retry-After is obeyed up to a minute."""
    states = [(429, {}, {"Retry-After": "7"}), (429, {}, {"Retry-After": "9999"}), "fine"]
    pauses = []
    with chat_host(lambda body: states.pop(0)) as (url, _):
        client(url, pauses).reply(HELLO)
    assert pauses == [7, 60]


def test_failing_for_good_raises():
    """A host that keeps failing ends in an EnvironmentFailure that names it and the last problem."""
    with chat_host(lambda body: (500, {"error": "out of order"})) as (url, requests):
        with pytest.raises(EnvironmentFailure, match=r"failed 3 times, last with HTTP 500.*out of order") as error:
            client(url, attempts=3).reply(HELLO)
        assert str(error.value).startswith(url) and len(requests) == 3


@pytest.mark.parametrize("status", [400, 401, 404])
def test_a_refusal_is_final(status):
    """A request that the host refuses is not repeated."""
    with chat_host(lambda body: (status, {"error": "no"})) as (url, requests):
        with pytest.raises(EnvironmentFailure, match=f"HTTP {status}"):
            client(url).reply(HELLO)
        assert len(requests) == 1


@pytest.mark.parametrize(
    "content", [b"<html>", b"", {"choices": []}, {"choices": [{"message": {"content": 3}}]}, {"error": 1}]
)
def test_unreadable_answers_are_retried(content):
    """An answer that is no completion is tried again, and named when it stays."""
    states = [(200, content), "fine"]
    with chat_host(lambda body: states.pop(0)) as (url, _):
        assert client(url).reply(HELLO).text == "fine"
    with chat_host(lambda body: (200, content)) as (url, _), pytest.raises(EnvironmentFailure, match="failed 2 times"):
        client(url, attempts=2).reply(HELLO)


def test_no_host_is_an_environment_failure():
    """A refused connection ends like any other lasting failure."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with pytest.raises(EnvironmentFailure, match="failed 2 times"):
        client(f"http://127.0.0.1:{port}/v1", attempts=2).reply(HELLO)


def test_what_cannot_be_stored_is_replaced():
    """A lone surrogate, which JSON can carry and a UTF-8 file cannot, becomes a question mark."""
    with chat_host(lambda body: "a\ud800b") as (url, _):
        assert client(url).reply(HELLO).text == "a?b"


def test_a_loopback_host_is_asked_directly(monkeypatch):
    """A proxy of the environment is not asked for hosts on this machine."""
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    monkeypatch.delenv("no_proxy", raising=False)
    with chat_host(lambda body: "hi") as (url, _):
        assert client(url, attempts=1).reply(HELLO).text == "hi"


def test_cut_and_empty_replies_are_told():
    """The length limit shows in `truncated`; no content is None."""
    cut = {"choices": [{"message": {"content": "a"}, "finish_reason": "length"}]}
    with chat_host(lambda body: (200, cut)) as (url, _):
        assert client(url).reply(HELLO) == ChatReply("a", True)
    with chat_host(lambda body: None) as (url, _):
        assert client(url).reply(HELLO).text is None


@pytest.mark.parametrize(
    ("url", "options"), [("file:///etc/passwd", {}), ("host:80", {}), ("http://h", {"attempts": 0})]
)
def test_wrong_use_is_named(url, options):
    """Only web addresses, and at least one try."""
    with pytest.raises(InputError, match="found"):
        Chat(url, "m", **options)
