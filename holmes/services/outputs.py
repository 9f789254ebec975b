"""Logged outputs by case id: lm_eval's samples files, or one ``{"id", "outputs"}`` object a line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from holmes.errors import InputError
from holmes.services.samples import NO_REPLY
from holmes.util.files import read_jsonl


def read_outputs(path: str | Path) -> Iterator[tuple[str, tuple[str | None, ...]]]:
    """Yield (case id, its outputs) for each line of a file.

    path: a ``samples_*.jsonl`` of lm_eval, or lines ``{"id": …, "outputs": […]}``; None stands for no output.
    Raises InputError naming file, line, field, found, expected.
    """
    seen: set[str] = set()
    for number, row in read_jsonl(path):
        where = f"{path}: line {number}"
        if not isinstance(row, dict):
            raise InputError(f"{where}: found {type(row).__name__}, expected an object")
        doc = row.get("doc")
        id = doc.get("id") if isinstance(doc, dict) else row.get("id")
        if not isinstance(id, str) or not id:
            raise InputError(
                f"{where}: field {'doc.id' if doc is not None else 'id'}: found {id!r}, expected a case id"
            )
        outputs = row.get("resps") if doc is not None else row.get("outputs")
        if not isinstance(outputs, list):
            raise InputError(f"{where}: field resps or outputs: found {outputs!r:.40}, expected a list of texts")
        if id not in seen:  # several filters log the same outputs again
            seen.add(id)
            yield id, tuple(_texts(outputs))


def _texts(outputs: Any) -> Iterator[str | None]:
    if isinstance(outputs, list | tuple):
        for part in outputs:
            yield from _texts(part)
    else:
        yield None if outputs is None or outputs == NO_REPLY else str(outputs)
