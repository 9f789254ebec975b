"""Find cases by their ids, in every config that can be loaded."""

from __future__ import annotations

import difflib
import json
import logging
from collections.abc import Iterator, Sequence

from holmes.cases import Case
from holmes.errors import InputError
from holmes.store import configs, load_cases, release_of, splits

_log = logging.getLogger(__name__)

ORDER = ("test", "whole", "dev", "train", "hard", "smoke")  # later splits repeat cases of earlier ones


def find(case_id: str, config: str = "") -> Case:
    """Return the case with this id.

    case_id: as `Case.id`. config: where to look; by default every config that can be loaded, embedded ones first.
    Raises InputError with the nearest ids where there is none.
    """
    known: dict[str, None] = {}
    for cases in _searched(case_id, (config,) if config else configs(), asked=bool(config)):
        for case in cases:
            if case.id == case_id:
                return case
            known[case.id] = None
    near = difflib.get_close_matches(case_id, list(known), n=3, cutoff=0.6)
    expected = (
        f"an id such as {', '.join(near)}" if near else f"an id of {config or ', '.join(configs()) or 'a config'}"
    )
    raise InputError(f"case id: found {case_id!r}, expected {expected}")


def cases_given(texts: Sequence[str]) -> list[Case]:
    """Return the cases that texts name by their ids, or hold as JSON; each split is read at most once.

    Raises InputError for a text that does neither, and as `find` does.
    """
    held = {text: _held(text) for text in dict.fromkeys(texts) if text.lstrip().startswith("{")}
    wanted = {text.strip() for text in texts if text not in held}
    known: dict[str, Case] = {}
    for cases in _searched(min(wanted), configs()) if wanted else ():
        known |= {case.id: case for case in cases if case.id in wanted}
        if not wanted - known.keys():
            break
    return [held[text] if text in held else known.get(text.strip()) or find(text.strip()) for text in texts]


def _held(text: str) -> Case:
    try:
        return Case.from_dict(json.loads(text))
    except ValueError as error:
        raise InputError(f"case: found {text!r:.60}, expected an id or a case as JSON") from error


def _searched(case_id: str, names: tuple[str, ...], asked: bool = False) -> Iterator[list[Case]]:
    """Yield cases split by split; a config that cannot be read is an error only where the id or the caller names it."""
    for name in _likely(case_id, names):
        try:
            for split in sorted(splits(name), key=lambda s: ORDER.index(s) if s in ORDER else len(ORDER)):
                yield load_cases(name, split)
        except InputError as error:
            if asked or case_id.split("/")[0] == name:
                raise
            _log.warning("left out of the search: %s: %s", name, error)


def _likely(case_id: str, names: tuple[str, ...]) -> Iterator[str]:
    """The configs in an order that looks first where the id's first part points to."""
    start = case_id.split("/")[0]
    yield from sorted(names, key=lambda name: (not name.startswith(start), release_of(name) is not None))
