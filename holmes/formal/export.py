"""Whole sessions for Isabelle: a base theory, a theory a rule base, a theory a case, ROOT, and one false on purpose."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from holmes.cases import Case
from holmes.errors import InputError
from holmes.formal.asked import posed
from holmes.formal.claims import Proposition, propositions
from holmes.formal.ir import Theory
from holmes.formal.isabelle import UNFOLDED, declaration_text
from holmes.formal.isabelle_lint import check
from holmes.formal.operators import NAMES, OPERATORS
from holmes.formal.questions import theorems
from holmes.formal.rules import RuleTheory
from holmes.formal.theories import question_text, told_text
from holmes.formal.vocabulary import identifier
from holmes.logic.language.model import RuleBase

BASE = "Holmes_Base"
SESSION, FALSE_SESSION = "Holmes", "Holmes_False"


@dataclass(frozen=True, slots=True)
class Exported:
    """The theories of one session by name, in an order in which each comes after what it imports."""

    theories: tuple[tuple[str, str], ...]
    false: tuple[str, str]


def base_theory() -> str:
    """Return the theory of the operators over policies."""
    told = "\n".join(declaration_text(declaration) for declaration in OPERATORS)
    simps = f"lemmas h_simps = {' '.join(f'{name}_def' for name in UNFOLDED)}\n"
    return f"theory {BASE}\n  imports Main\nbegin\n\n{told}\n{simps}\nend\n"


class Export:
    """Theories of rule bases and cases, each written once."""

    def __init__(self) -> None:
        self.theories: dict[str, str] = {BASE: base_theory()}
        self._rules: dict[int, tuple[RuleTheory, RuleBase, str]] = {}
        self._false: tuple[str, str] | None = None

    def rules(self, base: object) -> RuleTheory:
        """Return the theory of a rule base; each has its own, for versions of one rule base share their names."""
        assert isinstance(base, RuleBase)
        if id(base) not in self._rules:
            made = RuleTheory(base, Theory())
            body = "\n".join(declaration_text(d) for n, d in made.theory.declarations.items() if n not in NAMES)
            mark = hashlib.sha256(body.encode()).hexdigest()[:6]
            name = f"Rules_{made.words.tag}_{mark}"
            self.theories[name] = f"theory {name}\n  imports {BASE}\nbegin\n\n{body}\nend\n"
            self._rules[id(base)] = made, base, name
        return self._rules[id(base)][0]

    def add(self, case: Case) -> str:
        """Add the theory of a case; returns its name. Raises InputError for a case that cannot be put formally."""
        name = f"Case_{identifier(case.id)}"
        asked = posed(case)
        if asked is not None:
            found = theorems(case, asked, self.rules)
            body, used = question_text(found), [asked.base]
            first = found.told
        else:
            parts = propositions(case, rules=self.rules)
            body = "\n".join(told_text(part, f"case{number}") for number, part in enumerate(parts, 1))
            used, first = [part.rules.base for part in parts], parts[0]
        imports = sorted({self._rules[id(base)][2] for base in used})
        self.theories[name] = f"theory {name}\n  imports {' '.join(imports)}\nbegin\n\n{body}\nend\n"
        if self._false is None and first is not None:
            self._false = _false(first, imports)
        return name

    def exported(self) -> Exported:
        """Return all theories, each checked by the lint; raises InputError where it refuses one."""
        if self._false is None:
            raise InputError("theories: found no case about facts, expected one or more")
        for name, text in self.theories.items():
            check(text, name)
        check(self._false[1], self._false[0])
        return Exported(tuple(self.theories.items()), self._false)


def _false(part: Proposition, imports: list[str]) -> tuple[str, str]:
    """Return a theory whose one claim is wrong: the case's result denied."""
    name = "Holmes_False_Claim"
    last = next(claim for claim in reversed(part.claims) if claim.gold)
    wrong = replace(part, claims=(replace(last, holds=not last.holds),))
    told = told_text(wrong, "case_false")
    qualified = " ".join(f"{SESSION}.{theory}" for theory in imports)
    head = "(* FALSE ON PURPOSE: the last theorem of the locale is wrong, and Isabelle must refuse this theory. *)\n"
    return name, f"{head}theory {name}\n  imports {qualified}\nbegin\n\n{told}\nend\n"


def export(cases: Iterable[Case]) -> Exported:
    """Return the theories of cases of ours."""
    made = Export()
    for case in cases:
        made.add(case)
    return made.exported()


def write(exported: Exported, out: Path) -> int:
    """Write a session folder: ROOT, the theories, and the false theory in a session of its own below ``false``.

    Returns the number of theories. Raises InputError where the folder holds something else.
    """
    if out.exists() and any(
        path.name != "false" and path.suffix != ".thy" and path.name != "ROOT" for path in out.iterdir()
    ):
        raise InputError(f"{out}: found other files, expected a new folder or one of theories")
    (out / "false").mkdir(parents=True, exist_ok=True)
    for name, text in exported.theories:
        (out / f"{name}.thy").write_text(text, encoding="utf-8")
    listed = "\n".join(f"    {name}" for name, _ in exported.theories)
    (out / "ROOT").write_text(f"session {SESSION} = HOL +\n  theories\n{listed}\n", encoding="utf-8")
    name, text = exported.false
    (out / "false" / f"{name}.thy").write_text(text, encoding="utf-8")
    (out / "false" / "ROOT").write_text(
        f"session {FALSE_SESSION} = {SESSION} +\n  theories\n    {name}\n", encoding="utf-8"
    )
    return len(exported.theories)


def theory_of(case: Case) -> str:
    """Return the theories of one case, one after another as files are: base, rules, case."""
    made = Export()
    made.add(case)
    for name, text in made.theories.items():
        check(text, name)
    return "\n".join(f"(* {name}.thy *)\n{text}" for name, text in made.theories.items())
