"""Recover the rule bases of the released law bundles from catalog, rule texts and proof scripts.

Nothing is read from the case texts: the premises that a ``derive_…`` lemma uses are one way to establish a concept,
and the sets observed over a bundle's cases are its definition; rule texts give consequences and the relations.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from holmes.errors import InputError
from holmes.importing.rows import Row
from holmes.logic.language.model import (
    BOOL,
    And,
    Concept,
    Decision,
    Expr,
    FactDecl,
    Not,
    Or,
    Policy,
    Ref,
    Relation,
    RuleBase,
    Type,
)
from holmes.sources.holmes_release.isabelle import Theory, read_theory
from holmes.sources.holmes_release.law_import import KINDS, catalog, records, spoken

NO_LIABILITY = "No_Criminal_Liability"
Literal = tuple[str, bool]
_CONSEQUENCE = re.compile(r"prescribed consequence is (?:an? )?(.*?)\.?$")
_STRONGER = re.compile(r"^Where the (.+?) article and the (.+?) article both apply, the (.+?) article prevails", re.I)
_EXCEPTION = re.compile(r"^The (.+?) article operates as an exception to the (.+?) article", re.I)


@dataclass(frozen=True, slots=True)
class Released:
    """One released law case beside its bundle: the raw record and what its theory says."""

    row: Row
    bundle: Row
    theory: Theory

    @property
    def id(self) -> str:
        """The released id."""
        return str(self.row.value["case_id"])

    @property
    def gold(self) -> Mapping[str, object]:
        """The released gold trace."""
        return self.row.row("gold_trace").value


@dataclass(frozen=True, slots=True)
class Bundle:
    """A recovered bundle: rule base, cases, rule number -> (kind, target), and remarks on choices and oddities."""

    rulebase: RuleBase
    cases: tuple[Released, ...]
    rules: Mapping[int, tuple[str, object]]
    order: Mapping[str, tuple[str, ...]]  # concept or article -> its concept premises in order of the proofs
    notes: tuple[str, ...]

    @property
    def name(self) -> str:
        """The released name."""
        return self.rulebase.name


def recover(root: Path) -> list[Bundle]:
    """Recover every bundle below `root` (the folder that holds ``law_data``).

    Returns the bundles in released order. Raises InputError where a rule cannot be recovered.
    """
    grouped: dict[str, list[Released]] = {}
    for bundle, row in records(root):
        theory = read_theory(row.row("isabelle").filled("theory_code"), row.place)
        grouped.setdefault(bundle.filled("bundle_name"), []).append(Released(row, bundle, theory))
    return [_bundle(name, cases) for name, cases in grouped.items()]


def _bundle(name: str, cases: list[Released]) -> Bundle:
    target = cases[0].bundle.row("scoring_target").row("main")
    rules = catalog(target)
    texts = _lines(cases[0].row.filled("rules_text"))
    atoms = _atom_order([case.theory for case in cases])
    ways = _ways([case.theory for case in cases])
    notes: list[str] = []
    concepts: dict[str, Concept] = {}
    policies: dict[str, Policy] = {}
    for number, (kind, what) in rules.items():
        text = texts.get(number, "")
        if KINDS[kind] == "conflict":
            continue
        if not ways.get(str(what)):
            raise InputError(f"{cases[0].bundle.place}: rule {number}: found no proof of {what}, expected at least one")
        body = _definition(str(what), ways[str(what)], text, atoms, notes)
        if KINDS[kind] == "concept":
            concepts[str(what)] = Concept(str(what), number, (spoken(str(what)),), BOOL, body, text)
        else:
            result = _consequence(text, target, cases[0].bundle.place, number)
            policies[str(what)] = Policy(str(what), number, text, when=body, consequence=result)
    labels = tuple(target.row("final_result_aliases").value)
    print_ = hashlib.sha256(repr((name, sorted(rules.items()), sorted(ways.items()))).encode()).hexdigest()
    rulebase = RuleBase(
        name=name,
        path=str(cases[0].bundle.place),
        defeat="one_pass",
        closed_world=True,
        entities={"actor": "person"},
        facts={atom: FactDecl(atom, BOOL, (spoken(atom),)) for atom in atoms},
        integrity=(),
        concepts=concepts,
        tables={},
        policies=policies,
        families={},
        relations=tuple(_relations(rules, texts, policies, notes)),
        decision=Decision(
            type=Type("enum", labels),
            rule=0,  # the release gives the decision no number
            text="An article without liability that applies decides; else the first that applies.",
            pick="first_of",
            order=(NO_LIABILITY,),
            then="first",
            otherwise=NO_LIABILITY,
        ),
        amount=None,
        fingerprint=print_,
    )
    order = {
        what: tuple(dict.fromkeys(atom for way in found for atom, _ in way if atom in concepts))
        for what, found in ways.items()
    }
    return Bundle(rulebase, tuple(cases), rules, order, tuple(notes))


def _lines(rules_text: str) -> dict[int, str]:
    return {int(m[1]): m[2].strip() for m in re.finditer(r"^(\d+)\.\s+(.*)$", rules_text, re.M)}


def _ways(theories: Sequence[Theory]) -> dict[str, list[tuple[Literal, ...]]]:
    """Concept or article -> the premise sets that some case's proof uses, in order of first use, minimal ones only."""
    found: dict[str, dict[frozenset[Literal], tuple[Literal, ...]]] = {}
    for theory in theories:
        for lemma in theory.lemmas:
            match = re.fullmatch(r"(?:article_triggered )?(\w+) \w+", lemma.statement)
            if not match or not lemma.name.startswith(("derive_", "trigger_")):
                continue
            literals = [theory.literal(premise) for premise in lemma.premises]
            used = tuple(literal for literal in literals if literal is not None)
            if used:
                found.setdefault(match[1], {}).setdefault(frozenset(used), used)
    return {
        name: [used for key, used in ways.items() if not any(other < key for other in ways)]
        for name, ways in found.items()
    }


def _definition(
    name: str, ways: Sequence[tuple[Literal, ...]], text: str, atoms: Sequence[str], notes: list[str]
) -> Expr:
    """Return the condition that the observed ways make: a factored disjunction of conjunctions."""
    rank = {atom: index for index, atom in enumerate(atoms)}
    if len(ways) == 2 and all(len(way) == 2 for way in ways) and not set(ways[0]) & set(ways[1]):
        # two pairs fit (a and b) or (c and d), and also (a or c) and (b or d): the sentence decides
        if not re.search(r"\b(?:or|either)\b", text, re.I):
            four = sorted((literal for way in ways for literal in way), key=lambda item: rank.get(item[0], -1))
            sides = [Or(tuple(_literal(item, rank) for item in part)) for part in (four[:2], four[2:])]
            notes.append(
                f"{name}: read as ({four[0][0]} or {four[1][0]}) and ({four[2][0]} or {four[3][0]}):"
                " its sentence asks for two things, each of which is seen in two forms"
            )
            return And(tuple(sides))
        notes.append(f"{name}: read as one of two pairs: its sentence names alternatives")
    shared = [literal for literal in ways[0] if all(literal in way for way in ways)]
    rest = [[literal for literal in way if literal not in shared] for way in ways]
    parts: list[Expr] = [_literal(item, rank) for item in shared]
    if any(rest):
        options = sorted(rest, key=lambda way: [rank.get(atom, -1) for atom, _ in way])
        branches = [_all([_literal(item, rank) for item in way]) for way in options]
        parts.append(branches[0] if len(branches) == 1 else Or(tuple(branches)))
    return _all(parts)


def _all(parts: Sequence[Expr]) -> Expr:
    return parts[0] if len(parts) == 1 else And(tuple(parts))


def _literal(literal: Literal, facts: Mapping[str, int]) -> Expr:
    name, value = literal
    ref = Ref(name, "fact" if name in facts else "concept")
    return ref if value else Not(ref)


def _atom_order(theories: Sequence[Theory]) -> list[str]:
    """The bundle's own order of atoms: each theory lists the true ones first, the rest in that order."""
    after: dict[str, set[str]] = {atom: set() for atom in theories[0].assignment()}
    for theory in theories:
        for one, other in combinations([atom for _, atom, value in theory.axioms if not value], 2):
            after.setdefault(one, set()).add(other)
    return sorted(after, key=lambda atom: (-len(after[atom]), atom))


def _consequence(text: str, target: Row, place: str, number: int) -> str:
    aliases = target.row("final_result_aliases").value
    known = {_plain(alias): label for label, names in aliases.items() for alias in names}
    match = _CONSEQUENCE.search(text)
    if match is None or _plain(match[1]) not in known:
        raise InputError(f"{place}: rule {number}: found {text!r:.90}, expected a prescribed consequence that is known")
    return str(known[_plain(match[1])])


def _plain(text: str) -> str:
    return " ".join(word for word in re.findall(r"\w+", text.lower().replace("_", " ")) if word not in ("a", "an"))


def _relations(
    rules: Mapping[int, tuple[str, object]], texts: Mapping[int, str], policies: Mapping[str, Policy], notes: list[str]
) -> list[Relation]:
    names = {spoken(policy).lower(): policy for policy in policies}
    found = []
    for number, (kind, what) in rules.items():
        if KINDS[kind] != "conflict":
            continue
        text = texts.get(number, "")
        listed = tuple(what) if isinstance(what, tuple) else ()
        stronger, exception = _STRONGER.match(text), _EXCEPTION.match(text)
        told: tuple[str | None, str | None] = (None, None)
        if stronger:
            winner = stronger[3].lower()
            loser = (stronger[2] if winner == stronger[1].lower() else stronger[1]).lower()
            told = names.get(winner), names.get(loser)
        elif exception:
            told = names.get(exception[1].lower()), names.get(exception[2].lower())
        if told != listed:
            notes.append(f"rule {number}: the text says {told}, the catalog {listed}; the catalog is followed")
        if any(name not in policies for name in listed):
            raise InputError(f"rule {number}: found {listed}, expected two articles of the catalog")
        relation = "stronger" if kind == "conflict_stronger" else "exception"
        found.append(Relation(relation, listed[0], (listed[1],), number, text=text))
    return found
