"""Case texts of the income tax: facts told in varied sentences with idle ones between, and read back from them."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping
from fractions import Fraction

from holmes.errors import InputError
from holmes.logic.language.model import FactDecl, Record, RuleBase, Value
from holmes.logic.narrative.values import write_names

CLOSED = "What a case leaves out is not so, or zero. No amount is below zero."
IDLE = (
    "{X} plays the cello.",
    "{X} sold a boat for ${v} without a gain.",
    "A cousin gave {X} ${v}.",
    "A holiday at the sea cost {X} ${v}.",
    "{X} keeps bees.",
    "{X} bought a used car for ${v}.",
    "{X} paid a dentist ${v}.",
    "{X} moved to another flat in spring.",
    "{X} won ${v} in a raffle.",
    "{X} takes the tram to work.",
    "A new roof will cost {X} ${v}.",
    "{X} lent a friend ${v}.",
    "{X} likes to read law reports.",
    "{X} shares an office with {v} others.",
)
_INTROS = (
    "{X} has {count}: {names}.",
    "The children of {X} are all named here: {names}.",
    "{X} is the parent of {names} and has no other children.",
)
_NONE = ("{X} has no children.", "There are no children.", "{X} never had children.")
_COUNTS = ("no child", "one child", "two children", "three children", "four children")


def money(value: Fraction) -> str:
    """Write a sum with commas, cents only if there are any: 54,300 or 12.50."""
    return f"{int(value):,}" if value.denominator == 1 else f"{float(value):,.2f}"


def shown(decl: FactDecl, value: Value) -> str:
    """Write the value of a fact as its sentences show it."""
    if decl.type.kind == "money" and isinstance(value, Fraction):
        return money(value)
    return str(value)


def _stated(rng: random.Random, facts: Mapping[str, Value], name: str) -> bool:
    """Say whether a false or zero fact is told all the same; absence means the same under the closed world."""
    if facts[name]:
        return True
    own_return = bool(facts["married"]) and not facts["joint_return"]
    if name == "married":
        return True
    if name in ("joint_return", "lived_apart", "spouse_itemizes"):
        return bool(facts["married"]) if name == "joint_return" else own_return
    if name in ("spouse_missing", "support"):
        return own_return and rng.random() < 0.4
    if name == "resident":
        return bool(facts["envoy"]) and rng.random() < 0.6
    return name in ("blind", "envoy") and rng.random() < 0.08


GROUPS = (
    ("birth_year", "blind"),
    ("married", "joint_return", "lived_apart", "spouse_missing", "support", "spouse_itemizes", "spouse_birth_year",
     "spouse_blind", "spouse_wages"),
    ("death_year",),
    ("wages", "interest", "itemized"),
    ("home_share",),
    ("envoy", "resident"),
)  # fmt: skip


def narrate(rng: random.Random, base: RuleBase, facts: Mapping[str, Value], name: str) -> str:
    """Tell one record as a case text.

    rng: the item's own generator. facts: a value for every declared fact. name: the taxpayer's name.
    Returns sentences joined by spaces: the year first, then groups in random order, idle sentences in between.
    """

    def say(template: str, **values: str) -> str:
        for key, value in {"X": name, **values}.items():
            template = template.replace(f"{{{key}}}", value)
        return template

    def tell(fact: str) -> str:
        decl, value = base.facts[fact], facts[fact]
        if decl.type.kind == "bool":
            return say(rng.choice(decl.says if value else decl.denies))
        return say(rng.choice(decl.says), v=shown(decl, value))

    blocks = [[tell(fact) for fact in group if _stated(rng, facts, fact)] for group in GROUPS]
    blocks.append(list(_children(rng, base, facts, say)))
    blocks += [list(_helper(rng, base, helper, say)) for helper in _records(facts, "helpers")]
    blocks += [[say(line, v=str(rng.randint(2, 90)) if "office" in line else money(Fraction(50 * rng.randint(4, 400))))]
               for line in rng.sample(IDLE, 2)]  # fmt: skip
    blocks = [block for block in blocks if block]
    rng.shuffle(blocks)
    return " ".join([tell("tax_year"), *(sentence for block in blocks for sentence in block)])


def _records(facts: Mapping[str, Value], name: str) -> tuple[Record, ...]:
    value = facts[name]
    assert isinstance(value, tuple)
    return value


def _children(rng: random.Random, base: RuleBase, facts: Mapping[str, Value], say: object) -> Iterator[str]:
    assert callable(say)
    children = _records(facts, "children")
    if not children:
        if rng.random() < 0.3:
            yield say(rng.choice(_NONE))
        return
    says = dict(base.facts["children"].field_says)
    names = [str(child["name"]) for child in children]
    yield say(rng.choice(_INTROS), names=write_names(names), count=_COUNTS[len(names)])
    details = [
        say(rng.choice(says[part]), name=str(child["name"]), v=number(child[part], part))
        for child in children
        for part in ("born", "months", "income")
        if part != "income" or child[part]
    ]
    students = [str(child["name"]) for child in children if child["student"]]
    if students:
        details.append(say(rng.choice(says["student"]), names=write_names(students)))
    rng.shuffle(details)
    yield from details


def number(value: Value, part: str) -> str:
    """Write a number of a record: sums with commas, years and months without."""
    assert isinstance(value, Fraction)
    return money(value) if part in ("income", "pay") else str(value)


def _helper(rng: random.Random, base: RuleBase, helper: Record, say: object) -> Iterator[str]:
    assert callable(say)
    says = dict(base.facts["helpers"].field_says)
    for part in ("relation", "pay"):
        value = str(helper[part]) if part == "relation" else number(helper[part], part)
        yield say(rng.choice(says[part]), name=str(helper["name"]), v=value)


# ---------------------------------------------------------------- reading back
def _pattern(template: str, taxpayer: str) -> re.Pattern[str]:
    other = rf"(?!{taxpayer}\b)[A-Z][a-z]+"
    parts = {"X": taxpayer, "v": r"(?P<v>[\w,.]+?)", "name": f"(?P<name>{other})",
             "names": rf"(?P<names>{other}(?:(?:, | and ){other})*)", "count": r"[a-z]+ child(?:ren)?"}  # fmt: skip
    text = re.escape(template.replace("{X}", taxpayer)).replace(r"\{", "{").replace(r"\}", "}")
    for key, part in parts.items():
        first, *rest = text.split(f"{{{key}}}")
        text = first + "".join((part if n == 0 else f"(?P={key})") + piece for n, piece in enumerate(rest))
    return re.compile(text + r"\Z")


_LEXICA: dict[tuple[str, str], list[tuple[re.Pattern[str], str, str, bool]]] = {}


def _lexicon(base: RuleBase, taxpayer: str) -> Iterator[tuple[re.Pattern[str], str, str, bool]]:
    for decl in base.facts.values():
        for template in decl.says:
            yield _pattern(template, taxpayer), decl.name, "", True
        for template in decl.denies:
            yield _pattern(template, taxpayer), decl.name, "", False
        for part, templates in decl.field_says:
            for template in templates:
                yield _pattern(template, taxpayer), decl.name, part, True
    for template in _INTROS:
        yield _pattern(template, taxpayer), "children", "name", True
    for template in (*IDLE, *_NONE):
        yield _pattern(template, taxpayer), "", "", True


def _value(kind: str, text: str) -> Value:
    return Fraction(text.replace(",", "")) if kind in ("int", "money") else text


def read_back(base: RuleBase, text: str, taxpayer: str) -> dict[str, Value]:
    """Recover the record from a case text by its sentences alone, under the closed world.

    taxpayer: the name that the question asks about. Returns a value for every declared fact.
    Raises InputError naming a sentence that no template matches, or that two facts match.
    """
    key = (base.fingerprint, taxpayer)
    lexicon = _LEXICA.get(key) or _LEXICA.setdefault(key, list(_lexicon(base, taxpayer)))
    lists: dict[str, dict[str, dict[str, Value]]] = {"children": {}, "helpers": {}}
    blank = {part: False if type_.kind == "bool" else Fraction(0) for part, type_ in base.facts["children"].type.fields}
    facts: dict[str, Value] = {
        name: False if decl.type.kind == "bool" else Fraction(0) for name, decl in base.facts.items()
    }
    for sentence in re.split(r"(?<=\.)\s+", text.strip()):
        hits = [(found, entry[1:]) for entry in lexicon if (found := entry[0].match(sentence))]
        if len({meaning for _, meaning in hits}) != 1:
            raise InputError(f"case text: sentence {sentence!r}: found {len(hits)} readings, expected one")
        found, (name, part, polarity) = hits[0]
        groups = found.groupdict()
        if not name:
            continue
        if name in lists:
            kinds = dict(base.facts[name].type.fields)
            new = dict(blank) if name == "children" else {}
            who = re.split(r", | and ", groups["names"]) if groups.get("names") else [groups["name"]]
            for one in who:
                record = lists[name].setdefault(one, new | {"name": one})
                if part != "name":
                    record[part] = True if kinds[part].kind == "bool" else _value(kinds[part].kind, groups["v"])
        else:
            kind = base.facts[name].type.kind
            facts[name] = polarity if kind == "bool" else _value(kind, groups["v"])
    children, helpers = tuple(lists["children"].values()), lists["helpers"]
    return facts | {"children": children, "helpers": tuple(helpers[one] for one in sorted(helpers))}
