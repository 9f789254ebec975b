"""Gate 3 for finance: engines that lack an operator, rules that decide, rules and waivers that give nothing away."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from holmes.domains.finance.difficulty import failing
from holmes.domains.finance.handbook import clause
from holmes.domains.finance.text import Part
from holmes.logic.engine.compile import Program
from holmes.logic.engine.evaluate import Evaluation
from holmes.logic.language.model import BOOL, Concept, Const, RuleBase, Table
from holmes.logic.sat.decision_checks import without
from holmes.results import Gate, at_least, at_most

Parts = Sequence[tuple[Part, Evaluation]]
NOISE = 2.0  # standard errors that a fresh build may lie beyond a limit
FREQUENT = 10  # occurrences from which on a rule is judged by the verdicts that go with it
OFTEN, VAIN = 0.80, 0.25  # limits of these shares
MANY = Const(Fraction(10**6), BOOL)
NONE = Const(Fraction(0), BOOL)
# engine -> the most that it may score over all parts (design, section 8: 75 % without exceptions and for those who stop
# at the first rule that speaks, 85 % for others), and over the parts on which what it lacks acts
LIMITS: Mapping[str, float] = {
    "every rule mandatory": 0.75,
    "every rule standard": 0.75,
    "first failing rule": 0.75,
    "without exceptions": 0.75,
    "without selection": 0.85,
    "without negation": 0.85,
    "without limits": 0.85,
}


def engines(parts: Parts, *, shipped: bool = True) -> Iterator[Gate]:
    """Yield the gates of broken engines, on the parts whose verdict is one of three or more.

    shipped: False for a fresh build, whose limits have the noise of so many parts added.
    """
    graded = [(p, r) for p, r in parts if "Partial" in r.rulebase.decision.type.values]
    broken: Mapping[str, Callable[[Part, Evaluation], str]] = {
        "every rule mandatory": lambda p, r: "Rejection" if failing(r.rulebase, r) else "Full",
        "every rule standard": lambda p, r: "Partial" if failing(r.rulebase, r) else "Full",
        "first failing rule": lambda p, r: _first(r),
        "without exceptions": _engine(_without_exceptions),
        "without negation": _engine(lambda base: base, frozenset({"no_negation"})),
        "without limits": _engine(_without_limits),
    }
    for name, engine in broken.items():
        slack = 0.0 if shipped else NOISE * (0.1875 / max(len(graded), 1)) ** 0.5
        yield at_most(f"3 {name}", "finance", _accuracy(graded, engine), LIMITS[name] + slack)
    selecting = [(p, r) for p, r in graded if any(x.selector is not None for x in r.rulebase.policies.values())]
    if selecting:
        first = _engine(_without_selection)
        yield at_most(
            "3 without selection", "clauses that select", _accuracy(selecting, first), LIMITS["without selection"]
        )
        other = [(p, r) for p, r in selecting if not _first_branch(r)]
        yield at_most("3 without selection", "where it would select another", _accuracy(other, first), 0.60)
    acting = [(p, r) for p, r in graded if acting_waivers(r)]
    yield at_most("3 without exceptions", "where one acts", _accuracy(acting, broken["without exceptions"]), 0.43)


def _accuracy(parts: Parts, engine: Callable[[Part, Evaluation], str]) -> float:
    return sum(engine(part, result) == result.answer for part, result in parts) / max(len(parts), 1)


def _first(result: Evaluation) -> str:
    """Judge by the rule with the smallest number that fails, as a reader does who stops there."""
    policies = result.rulebase.policies
    fails = sorted(failing(result.rulebase, result), key=lambda name: policies[name].rule)
    if not fails:
        return "Full"
    return "Rejection" if policies[fails[0]].gate == "mandatory" else "Partial"


def _engine(
    change: Callable[[RuleBase], RuleBase], ablate: frozenset[str] = frozenset()
) -> Callable[[Part, Evaluation], str]:
    programs: dict[str, Program] = {}  # by the fingerprint of the clause as the case prints it

    def run(part: Part, result: Evaluation) -> str:
        base = part.stated.base
        if base.fingerprint not in programs:
            programs[base.fingerprint] = Program(change(base), "", ablate)
        program = programs[base.fingerprint]
        return str(program.run(part.facts)[program.slot["decision", "decision"]])

    return run


def _without_exceptions(base: RuleBase) -> RuleBase:
    for policy in base.policies.values():
        if policy.operator == "transform":
            base = without(base, policy)
    return replace(base, relations=tuple(r for r in base.relations if r.kind != "exception"))


def _without_selection(base: RuleBase) -> RuleBase:
    """Take the first review whatever the claim is."""
    policies = {
        name: replace(p, branches=tuple((value, p.branches[0][1]) for value, _ in p.branches))
        for name, p in base.policies.items()
    }
    return replace(base, policies=policies)


def _first_branch(result: Evaluation) -> bool:
    """Say whether the record selects the review that is named first."""
    chosen = Program(_without_selection(result.rulebase))
    there = Evaluation(chosen, chosen.run(result.facts))
    return [name for name, _ in there.gates] == [name for name, _ in result.gates]


def _without_limits(base: RuleBase) -> RuleBase:
    """Overlook every rule that compares two sums."""
    from holmes.logic.language.model import Compare

    for policy in base.policies.values():
        if policy.gate and isinstance(policy.when, Compare) and not isinstance(policy.when.right, Const):
            base = without(base, policy)
    return base


def acting_waivers(result: Evaluation) -> list[str]:
    """Return the rules that pass by their waiver alone, of those that the review asks for."""
    policies = result.rulebase.policies
    gates = [name for name, _ in result.gates] or [n for f in result.rulebase.families.values() for n in f]
    return [
        name
        for name in gates
        if policies[name].operator == "transform"
        and result.triggered[name]
        and not result.triggered[policies[name].base]
    ]


# ---------------------------------------------------------------- single rules
def decisive(name: str, own: Parts, fresh: Parts) -> Iterator[Gate]:
    """Yield the gate that every rule of a clause is decisive in one of some parts of it or of fresh records."""
    base = clause(name).base
    parts = [*((part, result) for part, result in own if not part.edition), *fresh]
    idle = [rule for rule, others in _deleted(base) if not any(_differs(base, other, parts) for other in others)]
    yield at_most(f"3 rules never decisive{f' {idle}' if idle else ''}", name, len(idle), 0)


@dataclass(frozen=True, slots=True)
class Tally:
    """What goes with the single rules of a clause in some of its parts, for all that occur ten times or more.

    given: rule and how it is found -> share of its most frequent verdict. vain: rule -> share of the parts in which it
    passes by its waiver alone and the verdict is still not the best one.
    """

    given: Mapping[str, float]
    vain: Mapping[str, float]

    @property
    def beyond(self) -> float:
        """By how much the shares lie beyond their limits, all together; 0 where gate 3 holds."""
        return sum(max(0.0, share - OFTEN) for share in self.given.values()) + sum(
            max(0.0, VAIN - share) for share in self.vain.values()
        )


def tally(name: str, parts: Parts) -> Tally:
    """Count the verdicts that go with each rule in some parts of one clause.

    A rule is looked at where it passes, where its condition fails and can be waived, and where it is triggered if it
    has a consequence (a mandatory rule that fails for good is a rejection: that is what the word says).
    """
    best = clause(name).base.decision.type.values[0]
    seen: dict[str, list[str]] = defaultdict(list)
    vain: dict[str, list[bool]] = defaultdict(list)
    for _, result in parts:
        for rule in _occurring(result):
            seen[rule].append(str(result.answer))
        for rule in acting_waivers(result):
            vain[rule].append(result.answer != best)
    return Tally(
        {rule: max(Counter(v).values()) / len(v) for rule, v in seen.items() if len(v) >= FREQUENT},
        {rule: sum(v) / len(v) for rule, v in vain.items() if len(v) >= FREQUENT},
    )


def rules(name: str, parts: Parts, source: str) -> Iterator[Gate]:
    """Yield the gates about the single rules of a clause (see `Tally`), each for the rule next to its limit.

    parts: of this clause. source: named in the gate.
    """
    found = tally(name, parts)
    if found.given:
        rule = max(found.given, key=lambda rule: (found.given[rule], rule))
        yield at_most(f"3 verdict given a rule{source} ({rule})", name, found.given[rule], OFTEN)
    if found.vain:
        rule = min(found.vain, key=lambda rule: (found.vain[rule], rule))
        yield at_least(f"3 waived in vain{source} ({rule})", name, found.vain[rule], VAIN)


def _occurring(result: Evaluation) -> Iterator[str]:
    """Yield what the 80 % rule looks at in one part."""
    base = result.rulebase
    gates = [name for name, _ in result.gates] or [n for f in base.families.values() for n in f]
    for name in gates:
        policy = base.policies[name]
        if result.triggered[name]:
            yield f"{name} passes"
        if policy.operator == "transform":
            yield f"{policy.base} {'holds' if result.triggered[policy.base] else 'fails before its waiver'}"
    yield from (f"{n} is triggered" for n, p in base.policies.items() if p.consequence and result.triggered[n])


def _deleted(base: RuleBase) -> Iterator[tuple[str, list[RuleBase]]]:
    """Yield (rule, the rule base without it in one or more ways): a concept is set to a constant, a table to a row."""
    for concept in base.concepts.values():
        if concept.type.kind == "enum":
            constants = [Const(value, concept.type) for value in concept.type.values]
        else:
            constants = [Const(True, BOOL), Const(False, BOOL)] if concept.type.kind == "bool" else [NONE, MANY]
        yield concept.name, [_with_concept(base, replace(concept, body=constant)) for constant in constants]
    for table in base.tables.values():
        flat = [replace(row, value=table.rows[0].value) for row in table.rows]
        yield table.name, [_with_table(base, replace(table, rows=tuple(flat)))]
    for policy in base.policies.values():
        if policy.operator in ("condition", "transform"):
            yield policy.name, [without(base, policy)]
        elif policy.operator == "select":
            yield policy.name, [_without_selection(base)]
    for relation in base.relations:
        yield f"{relation.kind} of {relation.winner}", [without(base, relation)]


def _with_concept(base: RuleBase, concept: Concept) -> RuleBase:
    return replace(base, concepts={**base.concepts, concept.name: concept})


def _with_table(base: RuleBase, table: Table) -> RuleBase:
    return replace(base, tables={**base.tables, table.name: table})


def _differs(base: RuleBase, other: RuleBase, parts: Parts) -> bool:
    program = Program(other)
    kinds = [("decision", "decision")] + ([("amount", "amount")] if base.amount is not None else [])
    for part, result in parts:
        state = program.run(part.facts)
        if any(state[program.slot[kind]] != result.state[result.program.slot[kind]] for kind in kinds):
            return True
    return False
