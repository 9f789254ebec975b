"""Replies kept as they come: a run that was killed goes on from them, and nothing generated waits for its score."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import os
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from holmes.errors import EnvironmentFailure, InputError
from holmes.util.paths import cache_dir


class Replies:
    """The replies of one model, one JSON line each, in a file that several processes may add to at once.

    A line holds the key of its request (a hash of prompt and generation arguments) and the text; a line that a killed
    process left half-written is passed over.
    """

    def __init__(self, path: Path) -> None:
        """Remember the file; it is made at the first reply."""
        self.path = path

    def read(self) -> dict[str, deque[str]]:
        """Return the texts by key, in the order in which they came."""
        found: dict[str, deque[str]] = defaultdict(deque)
        with contextlib.suppress(FileNotFoundError), self.path.open("rb") as lines:
            for line in lines:
                with contextlib.suppress(ValueError, TypeError):
                    key, text = json.loads(line)
                    found[key].append(text)
        return found

    def add(self, key: str, text: str) -> None:
        """Append a reply; raises EnvironmentFailure where it cannot be written."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("a+b") as handle:
                fcntl.flock(handle, fcntl.LOCK_EX)
                size = handle.seek(0, os.SEEK_END)
                broken = size and not _ends_line(handle, size)
                handle.write((b"\n" if broken else b"") + json.dumps([key, text]).encode() + b"\n")
        except OSError as error:
            raise EnvironmentFailure(f"{self.path}: cannot be written: {error.strerror or error}") from error

    def remove(self) -> None:
        """Delete the file: the run has ended and its results are written."""
        self.path.unlink(missing_ok=True)


def _ends_line(handle: Any, size: int) -> bool:
    handle.seek(size - 1)
    ends: bool = handle.read(1) == b"\n"
    handle.seek(0, os.SEEK_END)
    return ends


def replies_of(*identity: Any) -> Replies:
    """Return the replies of a model in the user's cache; identity: what tells models apart (name, arguments, seeds)."""
    digest = hashlib.sha256(json.dumps(identity, sort_keys=True, default=str).encode()).hexdigest()
    return Replies(cache_dir() / "replies" / f"{digest[:24]}.jsonl")


def key_of(context: Any, arguments: Any) -> str:
    """Return the key of a request; context: the prompt, or the harness's tuple around a conversation."""
    text = context if isinstance(context, str) else context[0]
    return hashlib.sha256(json.dumps([text, arguments], sort_keys=True, default=str).encode()).hexdigest()


class _Hook:
    """What the harness calls with each reply as it comes, in place of its own cache, which is called after."""

    def __init__(self, before: Any, replies: Replies) -> None:
        self.before, self.replies = before, replies
        self.seen: Counter[str] = Counter()

    def add_partial(self, attr: str, req: Any, res: Any) -> None:
        if attr == "generate_until" and isinstance(res, str):
            key = key_of(*req)
            self.seen[key] += 1
            self.replies.add(key, res)
        self.before.add_partial(attr, req, res)


def keep_replies(lm: Any, replies: Replies, truncate: bool) -> None:
    """Make a model of the harness keep its replies, and ask it only for those that are not kept yet.

    truncate: whether a prompt may lose its beginning; otherwise one that is too long is an InputError.
    """
    model = getattr(lm, "lm", lm) if type(lm).__name__ == "CachingLM" else lm
    generate: Callable[[list[Any]], list[str]] = lm.generate_until
    hook = _Hook(model.cache_hook, replies)
    model.cache_hook = hook

    def generate_until(requests: Sequence[Any], *args: Any, **kwargs: Any) -> list[str]:
        known = replies.read()
        kept = [_next(known, key_of(*request.args)) for request in requests]
        missing = [request for request, text in zip(requests, kept, strict=True) if text is None]
        if not truncate:
            _check_lengths(model, missing)
        made = generate(missing, *args, **kwargs) if missing else []
        for request, text in zip(missing, made, strict=True):  # a model without partial results
            key = key_of(*request.args)
            if hook.seen[key] > 0:
                hook.seen[key] -= 1
            else:
                replies.add(key, text)
        fresh = iter(made)
        return [next(fresh) if text is None else text for text in kept]

    lm.generate_until = generate_until


def _next(known: dict[str, deque[str]], key: str) -> str | None:
    return known[key].popleft() if known.get(key) else None


def _check_lengths(model: Any, requests: Sequence[Any]) -> None:
    """Refuse a prompt that a local model would read only the end of."""
    encode, longest = getattr(model, "tok_encode", None), getattr(model, "max_length", None)
    if encode is None or not isinstance(longest, int) or not getattr(model, "tokenizer", None):
        return
    for prompt, arguments in {str(r.args[0]): r.args[1] for r in requests if isinstance(r.args[0], str)}.items():
        room = longest - int(arguments.get("max_gen_toks", getattr(model, "max_gen_toks", 0)))
        if len(prompt) >= room and (found := len(encode(prompt))) > room:
            raise InputError(
                f"a prompt has {found} tokens, and {room} fit beside the reply (max_length {longest}): the model would "
                "not see its beginning; give the model more room, ask for fewer tokens, or allow it with --truncate"
            )
