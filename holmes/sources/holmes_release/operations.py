"""The higher-order types of the released cases: law by its gold traces, finance by rules and condition records.

The criteria are those of HOLogicBench A.3. Where they name no trigger for a finance rule, ours is in the tables below
with its reason; `holmes stats law_release finance_release` prints how many cases each makes.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from holmes.cases import Case
from holmes.errors import InputError
from holmes.sources.holmes_release.finance.conditions import Conditions
from holmes.sources.holmes_release.finance.gold import rule_of

if TYPE_CHECKING:
    from holmes.derivations.operations import Evidence

# rules that combine named sub-policies; 4 does so only before another rule, 15 to 17 are one predicate a claim type
COMPOSED = frozenset({"3", "6", "7", "8", "9", "10", "11", "13", "14", "18", "19", "20"})
# rule -> the fields that choose its branch or standard; rules 3, 4 and 17 have none
SELECTS: Mapping[str, tuple[str, ...]] = {
    "6": ("expense office stationery", "expense books", "expense printing materials"),
    "7": ("person position", "city key", "region type"),
    "8": ("overseas traveler role", "is research project fund"),
    "9": ("conf scope", "fund type"),
    "10": ("training participant role",),
    "11": ("staff unmarried visiting parents", "staff married visiting spouse", "staff married visiting parents"),
    "13": ("expense graduate thesis review defense", "expense lecture fees", "expense expert consultation fees"),
    "14": ("is first payment", "is final settlement payment"),
    "15": ("rule15 case.claim type",),
    "16": ("claim type",),
    "18": ("is local shanghai unit visit", "visitor level provincial ministerial"),
    "19": ("visit scope", "guest level"),
    "20": ("is same city settlement", "is nonlocal settlement"),
}


@dataclass(frozen=True, slots=True)
class Trigger:
    """An operation of a finance rule; it is active where every field is true, and a number `least` or more."""

    rule: str
    operator: str
    fields: tuple[str, ...]
    number: str = ""
    least: int = 0

    def active(self, c: Conditions) -> bool:
        """Say whether a record triggers it."""
        return c.all(*self.fields) and (not self.number or c.num(self.number) >= self.least)


RELATIONS = (Trigger("7", "contract transport over ordinary transport", ("has contract specific transport rule",)),)
# a base policy modified in the case; that an exception is reviewed counts, whether or not it is granted
TRANSFORMATIONS = (
    Trigger("10", "allowance reduced beyond 30 days", ("training exceeds 30 days",)),
    Trigger(
        "13",
        "fee reduced from the third day",
        ("expense expert consultation fees", "consultation type in person"),
        "consultation days",
        3,
    ),
    Trigger("7", "class above the standard, explained", ("transport above standard",)),
    Trigger("7", "journey without ticket", ("transport ticket unobtainable in remote research",)),
    Trigger("7", "lodging without invoice", ("lodging invoice unobtainable",)),
    Trigger("8", "purchase without receipts", ("foreign website purchase without formal receipts",)),
    Trigger("9", "more than one batch", ("split reimbursement needed by channel",)),
    Trigger("20", "loan beside an open one", ("has unwritten off loan",)),
)


def annotate(case: Case) -> Iterator[Evidence]:
    """Yield the evidence for the types of a released case, read from its plan.

    Raises InputError naming case, field, found, expected for a plan or a record of unknown structure.
    """
    plan = _plan(case)
    if case.domain == "law":
        yield from _law(case, plan)
    elif case.domain == "finance":
        yield from _finance(case, plan)
    else:
        raise InputError(f"case {case.id!r}: field domain: found {case.domain!r}, expected law or finance")


def _plan(case: Case) -> dict[str, Any]:
    needed = "gold_trace" if case.domain == "law" else "components"
    try:
        plan = json.loads(case.plan)
        plan[needed]
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(
            f"case {case.id!r}: field plan: found {case.plan!r:.60}, expected one with {needed}"
        ) from error
    return dict(plan)


# ---------------------------------------------------------------- law
def _pairs(gold: Mapping[str, Any], kind: str) -> list[tuple[str, str]]:
    return [(str(winner), str(loser)) for winner, loser in gold[f"{kind}_conflicts"]]


def _law(case: Case, plan: Mapping[str, Any]) -> Iterator[Evidence]:
    from holmes.derivations.operations import Evidence

    gold = plan["gold_trace"]
    numbers = _conflict_rules(case)
    for kind in ("stronger", "exception"):
        for winner, loser in _pairs(gold, kind):
            rules = tuple(numbers[pair] for pair in [(winner, loser)] if pair in numbers)
            operator, triggered = f"{kind}: {winner} over {loser}", (f"triggered({winner})", f"triggered({loser})")
            yield Evidence("PR", rules, operator, triggered)
            if kind == "exception":
                yield Evidence("PT", rules, operator, (*triggered, f"defeated({loser})"))
    yield Evidence("PQ", (), "decision: some article that applies, none that overrides it, over all articles")


def _conflict_rules(case: Case) -> dict[tuple[str, str], int]:
    """(winner, loser) -> number of the rule that says so, as the gold trace cites it."""
    from holmes.sources.holmes_release.law_import import spoken

    gold = json.loads(case.plan)["gold_trace"]
    pairs = [*_pairs(gold, "stronger"), *_pairs(gold, "exception")]
    said = {step.text: int(step.rule) for step in case.trace if step.kind == "conflict"}
    texts = {pair: f"{spoken(pair[0])} takes priority over {spoken(pair[1])}." for pair in pairs}
    return {pair: said[text] for pair, text in texts.items() if text in said}


def problems(case: Case) -> list[str]:
    """Return where the gold trace of a released law case does not bear its own relations out (A.3.3).

    Both ends of a relation are triggered, its loser is defeated, a rule is cited for it, and the articles that apply
    are those triggered and not defeated.
    """
    if case.domain != "law":
        return []
    gold = _plan(case)["gold_trace"]
    triggered, defeated = set(gold["triggered_articles"]), set(gold["defeated_articles"])
    numbers = _conflict_rules(case)
    found = []
    for pair in (*_pairs(gold, "stronger"), *_pairs(gold, "exception")):
        shown = " over ".join(pair)
        found += [f"{shown}: {name} is not triggered" for name in pair if name not in triggered]
        if pair[1] not in defeated:
            found.append(f"{shown}: {pair[1]} is not defeated")
        if pair not in numbers:
            found.append(f"{shown}: no conflict rule is cited")
    if set(gold["applicable_articles"]) != triggered - defeated:
        found.append("the articles that apply are not those triggered and not defeated")
    return found


# ---------------------------------------------------------------- finance
def _finance(case: Case, plan: Mapping[str, Any]) -> Iterator[Evidence]:
    """Evidence of each component; components of a batch are united, an invoice check before a rule is a link."""
    from holmes.derivations.operations import Evidence

    read = []
    for part in plan["components"]:
        conditions = Conditions.read(part["conditions"], f"case {case.id!r}: component {part['name']!r}")
        read.append((part["name"], rule_of(conditions), conditions))
    if len(read) > 1 and plan["kind"] != "report":
        rules = tuple(int(rule) for _, rule, _ in read)
        yield Evidence("PC", rules, "compose all: linked rules", tuple(name for name, _, _ in read))
    for name, rule, conditions in read:
        component = name if len(read) > 1 else ""
        if rule in COMPOSED:
            yield Evidence("PC", (int(rule),), "compose all: sub-policies of the rule", (), component)
        if rule in SELECTS:
            chosen = [(field, conditions.word(field)) for field in SELECTS[rule]]
            shown = tuple(f"{field} = {value}" for field, value in chosen if value != "false")
            yield Evidence("PS", (int(rule),), "select: branch", shown, component)
        for kind, triggers in (("PR", RELATIONS), ("PT", TRANSFORMATIONS)):
            for trigger in triggers:
                if trigger.rule != rule:
                    continue
                fields = (*trigger.fields, trigger.number) if trigger.number else trigger.fields
                shown = tuple(f"{field} = {conditions.word(field)}" for field in fields)
                if trigger.active(conditions):
                    yield Evidence(kind, (int(rule),), trigger.operator, shown, component)
