"""Verification from the printed text: rules and question read back, then decided by SAT and by listing all records."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator, Mapping

import numpy as np

from holmes.cases import Case, Fact
from holmes.derivations.parts import facts_of
from holmes.domains.policy.answer import judge
from holmes.domains.policy.generate import COMBINED, stated
from holmes.domains.policy.gold import gold_reply
from holmes.domains.policy.planner.draws import support
from holmes.domains.policy.questions.reader import read_given, read_question
from holmes.domains.policy.questions.terms import Question, expression, member_violation, to_json, universal, violations
from holmes.domains.policy.reasoning.decide import coherent, holds, listed
from holmes.domains.policy.reasoning.decide import decide as decide_by_sat
from holmes.domains.policy.reasoning.solver import Solver
from holmes.errors import InputError
from holmes.logic.engine.record_space import Bools, Space, cells, truth
from holmes.logic.engine.vectorized import Decided, decide
from holmes.logic.english.lexicon import lexicon
from holmes.logic.english.reader import read_rules
from holmes.logic.language.model import Compare, Const, Expr, Implies, PolicyTest, Ref, RuleBase, Value
from holmes.logic.language.walk import rebuild
from holmes.logic.narrative.render import read_case
from holmes.reading.thinking import Reply

MOST = 1 << 21  # records that are listed; more are left to SAT


@dataclasses.dataclass(frozen=True, slots=True)
class Reread:
    """A question as its text has it: the rule base and the question read back, names and wordings apart."""

    base: RuleBase
    question: Question


def reread(case: Case) -> Reread:
    """Read rules, what can occur, the case told and the question from the text of a case.

    Only names, wordings, facts and their ranges come from the packaged rule base. Raises InputError for a text that
    cannot be read.
    """
    declared, packaged = stated(case)
    base = read_rules(lexicon(packaged), case.rules)
    told: tuple[Implies, ...] = ()
    record: Mapping[str, Value] = {}
    if declared.record:
        record = read_case(packaged, case.case, names=json.loads(case.plan)["names"])
    else:
        _, _, after = case.case.partition(f"{COMBINED}\n")
        told = read_given([line.removeprefix("- ") for line in after.splitlines()], packaged)
    question = read_question(case.question, declared.type, packaged, told)
    return Reread(
        base, dataclasses.replace(question, record=tuple((n, record[n]) for n in packaged.facts if n in record))
    )


class Listing:
    """All coherent records of the facts that bear on a question, one for each combination of cells."""

    def __init__(self, base: RuleBase, records: Space) -> None:
        self.base, self.records = base, records
        self.decided: Decided = decide(base, records)

    @classmethod
    def of(cls, read: Reread) -> Listing | None:
        """List the records of a question read back; None where they are more than `MOST`."""
        base, question = read.base, read.question
        names = set[str]()
        for condition in (*conditions_of(question, base), *question.given):
            names |= support(condition, base)
        known = cells(dataclasses.replace(base, integrity=question.given))
        kept = {name: found if name in names else found[:1] for name, found in known.items()}
        total = int(np.prod([len(found) for found in kept.values()], dtype=np.int64))
        if total > MOST:
            return None
        index = np.arange(total, dtype=np.int64)
        codes = {}
        for name, found in kept.items():
            codes[name], index = index % len(found), index // len(found)
        records = Space(tuple(kept), kept, codes)
        mask = np.ones(total, dtype=np.bool_)
        for condition in question.given:  # about facts alone
            mask &= truth(condition, records, {})
        return cls(base, records.keep(mask))

    def truth_of(self, condition: Expr) -> Bools:
        """Evaluate a condition on every record."""
        known: dict[str, Bools] = dict(self.decided.concepts)
        known |= {f"triggered:{name}": column for name, column in self.decided.triggered.items()}
        known |= {f"applies:{name}": column for name, column in self.decided.applies.items()}
        for label, name in enumerate(self.decided.labels):
            known[f"decision:{name}"] = self.decided.answer == label
        return truth(_named(condition), self.records, known)

    def answer(self, question: Question) -> str:
        """Answer a question by what the records show."""
        base = self.base
        if question.form in ("accepts", "governs"):
            return _at(question, base)
        if question.form == "which":
            claims = [(r, self.truth_of(member_violation(question, r, base))) for r in question.family]
            return listed(rule for rule, column in claims if column.any())
        rest = universal(question.form)
        some = all(self.truth_of(claim).any() for claim in violations(question, base))
        return ("no" if rest == "yes" else "yes") if some else rest

    def share(self, claim: Expr) -> float:
        """Return the share of the records that satisfy a condition."""
        return float(self.truth_of(claim).mean())


def _named(condition: Expr) -> Expr:
    """Put a named column in the place of each test of the outcome, which the columns of `truth` know by name."""
    if isinstance(condition, Compare) and isinstance(condition.left, Ref) and condition.left.kind == "decision":
        assert isinstance(condition.right, Const)
        return PolicyTest("decision", str(condition.right.value))
    return rebuild(condition, _named)


def conditions_of(question: Question, base: RuleBase) -> Iterator[Expr]:
    """Yield the expressions whose values decide a question."""
    yield from violations(question, base)
    yield from (member_violation(question, rule, base) for rule in question.family)
    yield from (condition for condition, _ in question.branches if condition is not None)
    yield from (expression(term, question.sense, base) for term in question.terms)


def _at(question: Question, base: RuleBase) -> str:
    """Answer a question about the case told, by plain evaluation."""
    record = dict(question.record)
    if question.form == "accepts":
        return "yes" if holds(expression(question.terms[0], question.sense, base), record, base) else "no"
    for condition, rule in question.branches:
        if condition is None or holds(condition, record, base):
            return f"Rule {rule}"
    raise InputError("policy question: found no branch, expected a last one without a condition")


def problems(case: Case) -> Iterator[str]:
    """Yield what is wrong with a policy question: its text, its answer by each path, its witnesses, its gold reply."""
    try:
        read = reread(case)
    except InputError as error:
        yield f"the text cannot be read: {error}"
        return
    yield from compared(case, read, Listing.of(read))


def compared(case: Case, read: Reread, listing: Listing | None) -> Iterator[str]:
    """Yield what `problems` does, for a case that has been read back and listed already."""
    declared, base = stated(case)
    given = () if declared.record else (*(c for c in base.integrity if isinstance(c, Implies)), *declared.given)
    if read.question != dataclasses.replace(declared, given=given):
        yield f"the text reads {to_json(read.question)}"
    if (found := decide_by_sat(read.question, Solver(read.base)).answer) != case.answer:
        yield f"by SAT from the text: {found}"
    if listing is not None and (found := listing.answer(read.question)) != case.answer:
        yield f"by listing the records: {found}"
    yield from _witness_problems(case, declared, base, read)
    gold = judge(case, Reply(gold_reply(case), "", True), False)
    if gold.outcome != "right" or gold.parts["both"] != 1:
        yield f"the gold reply is judged {gold.outcome}: {gold.reason}"


def _witness_problems(case: Case, declared: Question, base: RuleBase, read: Reread) -> Iterator[str]:
    """Check each stored witness by plain evaluation under the rules read back from the text."""
    claims = violations(read.question, read.base)
    asked = bool(claims) and case.answer != universal(declared.form)
    told = json.loads(case.plan)["witnesses"]
    if len(told) != (len(claims) if asked else 0):
        yield f"found {len(told)} witnesses"
        return
    for number, row in enumerate(told):
        facts = tuple(Fact(name, base.facts[name].type.kind, value) for name, value in row.items())
        record = facts_of(dataclasses.replace(case, facts=facts), base)
        if number == 0 and facts != case.facts:
            yield "the facts are not the first witness"
        if not coherent(record, read.question, read.base) or not holds(claims[number], record, read.base):
            yield f"witness {number + 1} does not hold by evaluation"
