"""One fact of a tax case told otherwise: its own sentence changes, comes or goes, every other one stays."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from dataclasses import dataclass

from holmes.domains.deontic.text import GROUPS, number, shown
from holmes.errors import InputError
from holmes.logic.language.model import Record, RuleBase, Value
from holmes.logic.narrative.values import write_names

Facts = Mapping[str, Value]


@dataclass(frozen=True, slots=True)
class Wording:
    """The sentences that tell one fact before and after a change; none where the value is told by silence.

    near: what a sentence holds, or is, that an added one may follow.
    """

    before: tuple[str, ...]
    after: tuple[str, ...]
    near: tuple[str, ...]


def edit_text(base: RuleBase, text: str, taxpayer: str, old: Facts, new: Facts, rng: random.Random) -> str:
    """Return a case text that tells `new` where it told `old`.

    text: of `narrate`. old, new: records that differ in one fact, or in one field of one record of a list. rng: of the
    phrasing of a sentence that is added, and of its place where no sentence on the same matter stands.
    A sentence keeps its place and the number of its phrasing.
    Raises InputError where the records differ otherwise, or neither value has a sentence.
    """
    wording = _wording(base, taxpayer, old, new)
    told = re.split(r"(?<=\.)\s+", text.strip())
    place = next((i for i, sentence in enumerate(told) if sentence in wording.before), -1)
    if place >= 0 and wording.after:
        number_ = wording.before.index(told[place])
        told[place] = wording.after[number_ * len(wording.after) // len(wording.before)]
    elif place >= 0:
        del told[place]
    elif wording.after:
        anchors = [i for i, sentence in enumerate(told) if any(_holds(sentence, key) for key in wording.near)]
        at = max(anchors) if anchors else int(rng.random() * len(told))
        told.insert(at + 1, wording.after[int(rng.random() * len(wording.after))])
    else:
        raise InputError("case text: found a change between two values told by silence, expected one that is told")
    return " ".join(told)


def _holds(sentence: str, key: str) -> bool:
    return sentence == key or re.search(rf"\b{re.escape(key)}\b", sentence) is not None


def _wording(base: RuleBase, taxpayer: str, old: Facts, new: Facts) -> Wording:
    names = [name for name in base.facts if old[name] != new[name]]
    if len(names) != 1:
        raise InputError(f"case text: found changes of {', '.join(names) or 'no fact'}, expected one fact")
    (fact,) = names
    if base.facts[fact].type.kind != "list":
        group = next((group for group in GROUPS if fact in group), ())
        near = tuple(sentence for name in group for sentence in _scalar(base, name, old[name], taxpayer))
        return Wording(_scalar(base, fact, old[fact], taxpayer), _scalar(base, fact, new[fact], taxpayer), near)
    return _field(base, fact, taxpayer, _records(old[fact]), _records(new[fact]))


def _records(value: Value) -> tuple[Record, ...]:
    assert isinstance(value, tuple)
    return value


def _scalar(base: RuleBase, fact: str, value: Value, taxpayer: str) -> tuple[str, ...]:
    decl = base.facts[fact]
    if not value and decl.type.kind != "bool":
        return ()
    texts = decl.denies if value is False else decl.says
    return tuple(text.replace("{X}", taxpayer).replace("{v}", shown(decl, value)) for text in texts)


def _field(base: RuleBase, fact: str, taxpayer: str, old: tuple[Record, ...], new: tuple[Record, ...]) -> Wording:
    pairs = [(a, b, part) for a, b in zip(old, new, strict=True) for part in a if a[part] != b[part]]
    if len(pairs) != 1:
        raise InputError(f"case text: fact {fact}: found {len(pairs)} changed fields, expected one")
    before, after, part = pairs[0]
    texts = [text.replace("{X}", taxpayer) for text in dict(base.facts[fact].field_says)[part]]
    name = str(before["name"])
    if isinstance(before[part], bool):  # one sentence names all who have it
        lists = [
            write_names([str(record["name"]) for record in records if record[part]] or [""]) for records in (old, new)
        ]
        told = [tuple(text.replace("{names}", names) for text in texts) if names else () for names in lists]
        return Wording(told[0], told[1], (name,))
    told = [_telling(texts, name, part, record[part]) for record in (before, after)]
    return Wording(told[0], told[1], (name,))


def _telling(texts: list[str], name: str, part: str, value: Value) -> tuple[str, ...]:
    if part == "income" and not value:
        return ()
    words = value if isinstance(value, str) else number(value, part)
    return tuple(text.replace("{name}", name).replace("{v}", words) for text in texts)
