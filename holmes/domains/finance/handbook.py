"""The policy: its clauses in order, printed as one handbook with rules numbered throughout, and read back from it."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from holmes.cases import Step
from holmes.derivations.parts import Part
from holmes.errors import InputError
from holmes.logic.english.render import rule_lines
from holmes.logic.language.fingerprint import edited, history, joined_fingerprint, logic_fingerprint
from holmes.logic.language.inclusion import shifted
from holmes.logic.language.model import RuleBase
from holmes.logic.loader import load_rulebase

FOLDER = Path(__file__).resolve().parent / "rules"
HANDBOOK = "handbook"  # the name of the whole in the history of versions
TITLE = "Reimbursement policy of the University of Lindle"
GENERAL = (
    "What a claim leaves unsaid did not happen, and a paper it does not name was not handed in.",
    "A missing paper makes its rule fail, unless the rule is waived. It never makes the matter unknown.",
    "Unknown is the verdict only where a rule of this policy says so.",
    "Each item of a claim, and each person of a joint claim, is decided alone, by the clause on the matter. "
    "In an item about the work or the stay of a person, that person is the claimant of its rules, whoever files.",
    "Of the rules marked mandatory or standard, only those count that the review or the checks of the clause name, and "
    "those that these waive. Definitions, tables, limits and rules on the verdict always hold.",
    "Where a rule is named that waives another, that other one is asked for, and it passes where it is waived.",
)
# rule base -> what a case says of its matter, where the reader has to find the clause; none repeats the clause's title
MATTERS: Mapping[str, tuple[str, str, str]] = {
    "files": ("a folder of papers", "whether anything is missing", "the papers that came in"),
    "invoices": ("one sheet of a seller", "whether a seller's sheet is in order", "a sheet received"),
    "office": ("things bought for daily work", "paper, toner, prints and the like", "a small purchase"),
    "sheets": ("things for daily work with what the seller sent", "a small order and its sheet", "goods and a sheet"),
    "travel": ("a journey inside the country", "some days in another town", "meetings in another town"),
    "overseas": ("a journey across the border", "some days in another country", "a flight to another country"),
    "conferences": ("a meeting with outside guests", "a gathering of scholars", "a meeting that the house ran"),
    "training": ("lessons given to staff", "some days of lessons", "teaching for colleagues"),
    "visits": ("a journey to relatives", "seeing one's kin", "the way to one's kin"),
    "labour": ("pay for a person's work", "money for one who did a job", "paying a helper"),
    "works": ("money for a builder", "rebuilding of rooms", "a bill of the builders"),
    "warranty": ("money kept from a firm", "money owed after a building was done", "a sum kept back"),
    "procurement": ("goods for the laboratory", "a machine, a program or supplies", "goods ordered from a seller"),
    "maintenance": ("something that broke", "putting a broken thing right", "the bill of a workshop"),
    "receptions": ("a table for visitors", "food given to visitors", "a festive table"),
    "visitors": ("a person asked to come", "one who came from elsewhere", "the stay of a person from elsewhere"),
    "loans": ("money wanted beforehand", "a sum wanted before the spending", "paying out beforehand"),
}
NAMES = tuple(MATTERS)
APPROVALS = tuple(name for name in NAMES if name not in ("files", "invoices", "sheets", "loans"))


@dataclass(frozen=True, slots=True)
class Exchange:
    """An edition of the policy in which two rules of a clause have exchanged what follows when they fail.

    clause: whose rules they are. one, other: the rules as written, one mandatory and one standard. Each takes over the
    grade of the other, for its waivers too, and its place in the families of the clause.
    """

    clause: str
    one: str
    other: str

    def of(self, base: RuleBase) -> RuleBase:
        """Return a rule base that holds both rules in this edition, under a fingerprint of its own."""
        swap = {self.one: self.other, self.other: self.one}
        waiver = {policy.base: name for name, policy in base.policies.items() if policy.base}
        seat = {waiver.get(a, a): waiver.get(b, b) for a, b in swap.items()}
        policies = {
            name: replace(policy, gate=base.policies[swap[policy.base or name]].gate)
            if (policy.base or name) in swap
            else policy
            for name, policy in base.policies.items()
        }
        families = {name: tuple(seat.get(member, member) for member in f) for name, f in base.families.items()}
        return edited(base, lambda text: f"{text}/{self.one}/{self.other}", policies=policies, families=families)


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause of the policy.

    number: its own. base: its rule base, with the rules of the clauses it uses. offset: what is added to the numbers of
    all these rules. first: the number of the first rule that stands in the clause itself.
    """

    number: int
    base: RuleBase
    offset: int
    first: int = 1


@functools.lru_cache(maxsize=1)
def clauses() -> Mapping[str, Clause]:
    """Return every clause by the name of its rule base, in the order of the policy; loaded once."""
    found: dict[str, Clause] = {}
    offset = 0
    for number, name in enumerate(NAMES, len(GENERAL) + 1):
        base = load_rulebase(FOLDER / f"{name}.yaml")
        start = found[base.uses[0]].offset if base.uses else offset  # the clauses used stand right before it
        found[name] = Clause(number, base, start, offset - start + 1)
        offset = start + (base.amount or base.decision).rule
    return found


def clause(name: str, edition: Exchange | None = None) -> Clause:
    """Return one clause, as written or in an edition of the policy; raises InputError for an unknown name or rule."""
    if name not in NAMES:
        raise InputError(f"clause: found {name!r}, expected one of {', '.join(NAMES)}")
    found = clauses()[name]
    if edition is None or edition.clause not in (name, *found.base.uses):
        return found
    return _edited(name, edition)


@functools.lru_cache(maxsize=512)
def _edited(name: str, edition: Exchange) -> Clause:
    found = clauses()[name]
    for rule in (edition.one, edition.other):
        if rule not in (policies := found.base.policies) or not policies[rule].gate or policies[rule].base:
            raise InputError(f"edition of the policy: found rule {rule!r}, expected a graded one of {edition.clause}")
    return replace(found, base=edition.of(found.base))


@functools.lru_cache(maxsize=1)
def fingerprint() -> str:
    """Return one fingerprint for all clauses."""
    return joined_fingerprint({name: c.base.fingerprint for name, c in clauses().items()})


@functools.lru_cache(maxsize=1)
def logic() -> str:
    """Return one fingerprint for the logic of all clauses."""
    return joined_fingerprint({name: logic_fingerprint(c.base) for name, c in clauses().items()})


def known_as(stored: str) -> bool:
    """Tell whether a fingerprint that a case stores is that of this handbook, or of an earlier one of its logic."""
    return stored in ("", fingerprint()) or history(FOLDER).get(HANDBOOK, {}).get(stored) == logic()


def said(step: Step, offset: int, subject: str = "") -> Step:
    """Return a step of a clause with the rule numbers of the handbook; a subject is put before it."""
    text = shifted(step.text, offset).replace("_", " ")
    rule = str(int(step.rule) + offset) if step.rule else ""
    return replace(step, text=f"{subject}: {text}" if subject else text, rule=rule)


def verbalize(part: Part, step: Step) -> Step:
    """Return a step of a part with the rule numbers of the handbook, its subject before it."""
    return said(step, part.offset, part.subject)


@functools.lru_cache(maxsize=64)
def handbook(edition: Exchange | None = None) -> str:
    """Return the whole policy as printed: general clauses, then a heading and the numbered rules of each clause.

    edition: the policy as written where None.
    """
    lines = [TITLE, *(f"Clause {number}. {text}" for number, text in enumerate(GENERAL, 1))]
    for found in (clause(name, edition) for name in NAMES):
        own = "\n".join(line for number, line in rule_lines(found.base) if number >= found.first)
        lines += [f"Clause {found.number}. {found.base.title}", shifted(own, found.offset)]
    return "\n".join(lines)


def clause_text(policy: str, name: str) -> str:
    """Return the rules of one clause out of a printed policy, numbered from 1 again: the text its reader knows.

    policy: as `handbook` prints it. The rules of the clauses used stand first, without their decisions.
    Raises InputError where the clause's heading is missing.
    """
    found = clause(name)
    used = [re.sub(rf"^Rule {clause(other).base.decision.rule}: .*\n?", "", clause_text(policy, other), flags=re.M)
            for other in found.base.uses]  # fmt: skip
    used = [shifted(text.rstrip("\n"), clause(other).offset - found.offset)
            for text, other in zip(used, found.base.uses, strict=True)]  # fmt: skip
    heading = f"Clause {found.number}. {found.base.title}\n"
    start = policy.find(heading)
    if start < 0:
        raise InputError(f"policy: found no heading {heading.strip()!r}, expected it once")
    rest = policy[start + len(heading) :]
    return "\n".join([*used, shifted(re.split(r"\nClause \d+\. ", rest)[0], -found.offset)])


SHOWN: Mapping[str, tuple[str, ...]] = {
    "Full": ("Full Approval", "Full", "Fully Approved", "Approved in Full"),
    "Partial": ("Partial Approval", "Partial", "Partially Approved", "Approved in Part"),
    "Rejection": ("Rejection", "Rejected", "Reject"),
    "Unknown": ("Unknown", "Undetermined"),
    "Complete": ("Complete", "Material Complete", "Materials Complete"),
    "Incomplete": ("Incomplete", "Material Incomplete", "Materials Incomplete"),
    "Correct": ("Correct", "Invoice Correct"),
    "Error": ("Error", "Invoice Error", "Incorrect"),
    "Can_Borrow": ("Can Borrow", "Eligible", "May Borrow"),
    "Cannot_Borrow": ("Cannot Borrow", "Can Not Borrow", "Not Eligible", "May Not Borrow"),
}
