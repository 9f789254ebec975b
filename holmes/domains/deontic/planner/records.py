"""The planner: coherent records of a taxpayer, drawn close to the edges of the statute's conditions."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction

from holmes.logic.language.model import Value

Facts = dict[str, Value]
CHILD_NAMES = [
    "Anna",
    "Ben",
    "Cora",
    "Dirk",
    "Elsa",
    "Finn",
    "Gina",
    "Henk",
    "Ines",
    "Jan",
    "Kira",
    "Lars",
    "Mona",
    "Nico",
    "Orla",
    "Paul",
    "Ruth",
    "Sven",
    "Tara",
    "Udo",
    "Vito",
    "Willa",
    "Ygor",
    "Zita",
]
SITUATIONS = ("joint", "separate", "apart", "widowed", "alone")
FAULTS = ("months", "income", "age")  # what keeps a child from being a dependant
_SHARE = (24, 31, 15, 16, 14)


def draw(rng: random.Random, situation: str = "") -> tuple[str, Facts]:
    """Draw one coherent record of the income tax.

    rng: the item's own generator. situation: one of `SITUATIONS`, or "" for a random one.
    Returns the situation and the record; every declared fact has a value, money in whole hundreds or fifties.
    """
    situation = situation or rng.choices(SITUATIONS, _SHARE)[0]
    year = rng.randint(2012, 2024)
    facts: Facts = {"tax_year": Fraction(year)}
    names = rng.sample(CHILD_NAMES, 7)
    # a widowed or separated taxpayer without a dependant is far from every edge
    least = 1 if situation in ("widowed", "apart") else 0
    count = max(least, rng.choice((0, 1, 1, 2, 2, 3)))
    facts["children"] = children = tuple(_child(rng, name, year) for name in names[:count])
    helpers = rng.choice((0, 0, 0, 1, 1, 2))
    facts["helpers"] = tuple(_helper(rng, name) for name in sorted(names[3 : 3 + helpers]))
    oldest = max((year - int(str(child["born"])) for child in children), default=6)
    facts |= _person(rng, year, oldest + 18)
    facts |= _marriage(rng, situation, year)
    facts |= _money(rng, situation)
    return situation, facts


def _person(rng: random.Random, year: int, least: int) -> Facts:
    envoy = rng.random() < 0.4
    return {
        "birth_year": Fraction(_birth(rng, year, least)),
        "blind": rng.random() < 0.12,
        "envoy": envoy,
        "resident": rng.random() < (0.5 if envoy else 0.1),
    }


def _birth(rng: random.Random, year: int, least: int = 24) -> int:
    age = rng.choice((rng.randint(least, 60), rng.randint(least, 60), rng.randint(63, 66), rng.randint(67, 80)))
    return year - age


def _marriage(rng: random.Random, situation: str, year: int) -> Facts:
    married = situation in ("joint", "separate", "apart")
    own_return = situation in ("separate", "apart")
    missing = own_return and rng.random() < 0.5
    return {
        "married": married,
        "joint_return": situation == "joint",
        "lived_apart": situation == "apart",
        "spouse_birth_year": Fraction(_birth(rng, year) if situation == "joint" else 0),
        "spouse_blind": married and rng.random() < 0.1,
        "spouse_itemizes": own_return and rng.random() < 0.8,
        "spouse_missing": missing,
        "support": own_return and rng.random() < (0.5 if missing else 0.25),
        "death_year": Fraction(year - rng.choice((0, 1, 1, 1, 2, 2, 2, 3)) if situation == "widowed" else 0),
    }


def _hundreds(rng: random.Random, low: int, high: int) -> Fraction:
    return Fraction(100 * rng.randint(low, high))


def _money(rng: random.Random, situation: str) -> Facts:
    level = rng.choice(((90, 250), (250, 600), (250, 600), (550, 850), (700, 1200)))
    standard = {"joint": 120, "separate": 60, "apart": 75, "widowed": 100, "alone": 60}[situation]
    share = 0
    if situation in ("apart", "widowed"):
        share = rng.choice((50, rng.randint(20, 49), rng.randint(51, 90), rng.randint(51, 90)))
    elif rng.random() < 0.4:
        share = rng.choice((50, rng.randint(20, 49), rng.randint(51, 90)))
    return {
        "wages": _hundreds(rng, *level),
        "spouse_wages": _hundreds(rng, 20, 500) if (situation == "joint" and rng.random() < 0.7)
        or (situation in ("separate", "apart") and rng.random() < 0.3) else Fraction(0),
        "interest": _hundreds(rng, 1, 60) if rng.random() < 0.6 else Fraction(0),
        "itemized": _hundreds(rng, standard // 3, standard + 50) if rng.random() < 0.6 else Fraction(0),
        "home_share": Fraction(share),
    }  # fmt: skip


def _child(rng: random.Random, name: str, year: int) -> dict[str, Value]:
    age, months, income = rng.randint(1, 18), rng.randint(7, 12), rng.choice((0, 0, 0, rng.randint(4, 29)))
    student = age >= 17 and rng.random() < 0.5
    if rng.random() < 0.25:  # an older child still at school
        age, student = rng.randint(19, 23), True
    # a child that is no dependant for two reasons leaves the reader to choose one: the case has two derivations
    faults = rng.sample(FAULTS, rng.choices((0, 1, 2), (47, 6, 47))[0])
    if "age" in faults:
        age, student = rng.choice(
            ((rng.randint(19, 22), False), (rng.randint(19, 22), False), (rng.randint(24, 26), True))
        )
    if "months" in faults:
        months = rng.randint(2, 6)
    if "income" in faults:
        age = max(age, 16)
        income = rng.choice((30, rng.randint(31, 60)))
    if age < 14:
        income = 0
    return {
        "name": name,
        "born": Fraction(year - age),
        "months": Fraction(months),
        "student": student,
        "income": Fraction(100 * income),
    }


def _helper(rng: random.Random, name: str) -> dict[str, Value]:
    pay = rng.choice((rng.randint(4, 19), rng.randint(20, 139), rng.randint(140, 200)))
    return {
        "name": name,
        "relation": rng.choice(("sibling", "parent", "parent", "neighbour", "neighbour")),
        "pay": Fraction(50 * pay),
    }


# ---------------------------------------------------------------- one-fact changes
def _toggle(name: str) -> Callable[[random.Random, Facts], Facts | None]:
    return lambda rng, facts: facts | {name: not facts[name]}


def _no_spouse(rng: random.Random, facts: Facts) -> Facts | None:
    return facts | {"joint_return": False, "spouse_birth_year": Fraction(0)} if facts["joint_return"] else None


def _apart(rng: random.Random, facts: Facts) -> Facts | None:
    if facts["joint_return"] or not facts["married"]:
        return None
    return facts | {"lived_apart": not facts["lived_apart"]}


def _itemizing(rng: random.Random, facts: Facts) -> Facts | None:
    name = rng.choice(("spouse_itemizes", "spouse_missing", "support"))
    return facts | {name: not facts[name]} if facts["married"] and not facts["joint_return"] else None


def _children(rng: random.Random, facts: Facts) -> Facts | None:
    children = facts["children"]
    assert isinstance(children, tuple)
    if not children:
        return None
    at = rng.randrange(len(children))
    child = dict(children[at])
    if rng.random() < 0.5:
        child["months"] = Fraction(5 if child["months"] > 6 else 8)  # type: ignore[operator]
    else:
        child["income"] = Fraction(3200 if child["income"] < 3000 else 2900)  # type: ignore[operator]
    return facts | {"children": (*children[:at], child, *children[at + 1 :])}


def _helpers(rng: random.Random, facts: Facts) -> Facts | None:
    helpers = facts["helpers"]
    assert isinstance(helpers, tuple)
    if not helpers:
        return None
    at = rng.randrange(len(helpers))
    helper = dict(helpers[at])
    if rng.random() < 0.5:
        helper["relation"] = rng.choice([r for r in ("sibling", "parent", "neighbour") if r != helper["relation"]])
    else:
        helper["pay"] = Fraction(50 * rng.randint(10, 180))
    return facts | {"helpers": (*helpers[:at], helper, *helpers[at + 1 :])}


def _age(rng: random.Random, facts: Facts) -> Facts | None:
    who = rng.choice(("birth_year", "spouse_birth_year")) if facts["joint_return"] else "birth_year"
    year, born = facts["tax_year"], facts[who]
    assert isinstance(year, Fraction) and isinstance(born, Fraction)
    return facts | {who: year - (46 if year - born >= 65 else 70)}


def _death(rng: random.Random, facts: Facts) -> Facts | None:
    year, died = facts["tax_year"], facts["death_year"]
    assert isinstance(year, Fraction) and isinstance(died, Fraction)
    return facts | {"death_year": year - (4 if 1 <= year - died <= 2 else 1)} if died else None


def _home(rng: random.Random, facts: Facts) -> Facts | None:
    share = facts["home_share"]
    assert isinstance(share, Fraction)
    return facts | {"home_share": Fraction(40 if share > 50 else 60)} if share else None


def _amount(name: str, low: int, high: int) -> Callable[[random.Random, Facts], Facts | None]:
    return lambda rng, facts: facts | {name: _hundreds(rng, low, high)} if facts[name] else None


CHANGES = (
    _no_spouse, _apart, _itemizing, _children, _helpers, _age, _death, _home, _toggle("blind"), _toggle("envoy"),
    _toggle("resident"), _amount("wages", 90, 900), _amount("spouse_wages", 20, 500), _amount("interest", 1, 60),
    _amount("itemized", 20, 160),
)  # fmt: skip


def changed(rng: random.Random, facts: Facts) -> Facts:
    """Return a coherent record that differs from `facts` in one fact, the fact drawn at random."""
    while True:
        other = rng.choice(CHANGES)(rng, facts)
        if other is not None and other != facts:
            return other
