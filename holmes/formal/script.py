"""Scripts for HOL Light: what one job proves, what its log must then say, and the lint that a script must pass."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from holmes.cases import Case
from holmes.errors import InputError
from holmes.formal.asked import posed
from holmes.formal.claims import Proposition, propositions
from holmes.formal.hol_light import declaration_text, proposition_text, theorems_text
from holmes.formal.ir import Grounded, Theory
from holmes.formal.questions import Theorems, Universal, theorems
from holmes.formal.rules import RuleTheory
from holmes.logic.language.model import RuleBase

PROVED, REFUTED = "proved", "refuted"
PHRASES = (
    "h_type", "h_def", "h_rec", "h_defeat", "h_case", "h_question", "h_universal", "h_existential", "h_claim",
)  # fmt: skip
_TOKEN = re.compile(
    r"\s+|(?P<comment>\(\*[^*\"`{|(]*(?:(?:\*(?!\))|\((?!\*))[^*\"`{|(]*)*\*\))|(?P<string>\"[^\"\\`\n]*\")|(?P<term>`[^`\"]+`)"
    r"|(?P<end>;;)|(?P<word>[A-Za-z_]\w*)|\d+|[][(),;]",
)
_TREE = ("Split", "Defined", "Order", "Given", "Goal")


@dataclass(frozen=True, slots=True)
class Job:
    """One script with what it must show.

    expected: (id, claim) -> proved | refuted. owners: id -> case id, "" for what belongs to the rule base.
    """

    name: str
    script: str
    expected: Mapping[tuple[str, str], str]
    owners: Mapping[str, str]


class Rules:
    """The rule theories of one job, each rule base translated once."""

    def __init__(self, theory: Theory | None = None) -> None:
        self.theory = theory or Theory()
        self._known: dict[int, tuple[RuleTheory, RuleBase]] = {}

    def __call__(self, base: object) -> RuleTheory:
        """Return the theory of a rule base; the object itself is the key, for edits keep names and fingerprints."""
        assert isinstance(base, RuleBase)
        found = self._known.get(id(base))
        if found is None:
            found = self._known[id(base)] = RuleTheory(base, self.theory), base
        return found[0]


def check(script: str, name: str = "script") -> None:
    """Refuse a script that holds anything but the checker's own phrases; raises InputError naming what was found."""
    at, first = 0, True

    def refuse(found: str, expected: str) -> InputError:
        line = script.count("\n", 0, at) + 1
        return InputError(f"{name}: line {line}: found {found[:24]!r}, expected {expected}")

    while at < len(script):
        match = _TOKEN.match(script, at)
        if match is None:
            raise refuse(script[at : at + 24], "a phrase of the checker")
        kind, text = match.lastgroup, match.group()
        if kind == "word" and (text not in PHRASES if first else text not in _TREE):
            raise refuse(text, f"one of {', '.join(PHRASES if first else _TREE)}")
        if kind == "term" and text[1] in ":;":
            raise refuse(text, "a term")
        if kind == "end":
            first = True
        elif kind != "comment" and text.strip():
            if first and kind != "word":
                raise refuse(text, "a phrase of the checker")
            first = False
        at = match.end()
    if not first:
        raise refuse("an unfinished last phrase", "two semicolons")


def declarations_text(theory: Theory) -> str:
    """Return the phrases that declare a whole theory."""
    return "\n".join(declaration_text(declaration) for declaration in theory.declarations.values())


def _whole(name: str, theory: Theory, items: Sequence[Proposition | Theorems]) -> Job:
    """Return the job that proves propositions and theorems over one theory."""
    expected: dict[tuple[str, str], str] = {}
    owners: dict[str, str] = {}
    for declared in theory.declarations.values():
        if isinstance(declared, Grounded):
            expected[declared.name, "defeat"] = PROVED
            owners[declared.name] = ""
    phrases = [declarations_text(theory)]
    for item in items:
        told = item.told if isinstance(item, Theorems) else item
        owners[item.id] = item.case if isinstance(item, Proposition) else item.id
        if told is not None:
            expected[item.id, "facts"] = PROVED
        else:
            assert isinstance(item, Theorems)
            for lemma in item.lemmas:
                expected[item.id, f"lemma:{lemma.label}"] = PROVED if isinstance(lemma, Universal) else REFUTED
        for claim in item.claims if told is None else told.claims:
            expected[item.id, claim.label] = PROVED if claim.holds else REFUTED
        phrases.append(proposition_text(item) if isinstance(item, Proposition) else theorems_text(item))
    return Job(name, "\n".join(phrases) + "\n", expected, owners)


@dataclass(frozen=True, slots=True)
class Refused:
    """A case that could not be put formally, and why."""

    case: str
    reason: str


def jobs(cases: Iterable[Case], notify: Callable[[str], None] = lambda text: None) -> tuple[list[Job], list[Refused]]:
    """Return the jobs that prove all claims of cases, one a rule base by name, and the cases that none can express.

    notify: told now and then how far it is. Parts of one case may be in several jobs.
    """
    found: dict[str, tuple[Rules, list[Proposition | Theorems]]] = {}
    refused: list[Refused] = []

    def rules(base: object) -> RuleTheory:
        assert isinstance(base, RuleBase)
        return found.setdefault(base.name, (Rules(), []))[0](base)

    for number, case in enumerate(cases):
        try:
            items: list[Proposition | Theorems]
            asked = posed(case)
            items = [theorems(case, asked, rules)] if asked is not None else list(propositions(case, rules=rules))
        except InputError as error:
            refused.append(Refused(case.id, str(error)))
            continue
        for item in items:
            found[item.rules.base.name][1].append(item)
        if number % 200 == 199:
            notify(f"{number + 1} cases put formally")
    made = [_whole(name, rules_.theory, items) for name, (rules_, items) in found.items() if items]
    return sorted(made, key=lambda job: -len(job.script)), refused


def claims_of(case: Case) -> dict[str, str]:
    """Return the claims about one case that its script has to settle: claim -> proved or refuted."""
    made, refused = jobs([case])
    if refused:
        raise InputError(refused[0].reason)
    return {claim: status for job in made for (id, claim), status in job.expected.items() if job.owners[id] == case.id}


def script_of(case: Case) -> str:
    """Return the whole HOL Light script of one case: its rule bases, then its claims."""
    made, refused = jobs([case])
    if refused:
        raise InputError(refused[0].reason)
    head = "(* To be run after checker.ml: holmes verify --with hol-light does that. *)\n"
    return head + "\n".join(job.script for job in made)
