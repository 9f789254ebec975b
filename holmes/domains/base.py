"""What a domain is unless it says otherwise: everything but the name follows from its rule bases."""

from __future__ import annotations

import functools
import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from holmes.cases import Case, Step
from holmes.derivations.asked import Goal, Posed
from holmes.derivations.derive import Derivations, derive, root_of
from holmes.derivations.operations import Annotation, annotate
from holmes.derivations.parts import Part, facts_of, names_of
from holmes.derivations.resolve import resolved
from holmes.derivations.trace import told
from holmes.domains.questions import HOW_MUCH, OUTCOME
from holmes.errors import InputError
from holmes.interfaces import OURS, AnswerKind, Config, Question
from holmes.interventions.base import Interventions
from holmes.logic.engine.evaluate import Evaluation, evaluate
from holmes.logic.explain.explain import explain
from holmes.logic.language.fingerprint import logic_fingerprint
from holmes.logic.language.model import RuleBase, Value
from holmes.logic.loader import load_rulebases
from holmes.logic.narrative.render import read_case
from holmes.options import Options
from holmes.prolog.output import ProgramContract, answer_line
from holmes.results import Gate, Solved


class RuleBaseDomain:
    """A domain whose cases are decided by rule bases in `rules/*.yaml` beside its module.

    A subclass gives `name`; every method is a default that a domain may replace (see `holmes.interfaces.Domain`).
    """

    name: str = ""
    question: str = "What is decided about {X}?"
    source: str = OURS
    cites: bool = False

    @functools.cached_property
    def configs(self) -> tuple[Config, ...]:
        """Return one config of the domain's name."""
        from holmes.domains.defaults import default_config

        return (default_config(self),)

    @property
    def folder(self) -> Path:
        """Return the folder of the module that defines the domain."""
        return Path(str(sys.modules[type(self).__module__].__file__)).resolve().parent

    def rulebases(self) -> Mapping[str, RuleBase]:
        """Return the rule bases beside the module, in the order of their files."""
        return _rulebases(self.folder / "rules", self.source == OURS and not _packaged(self.folder))

    def versions(self) -> Iterator[tuple[Path, str, str, str]]:
        """Yield (folder, name, text fingerprint, logic fingerprint) of each rule base."""
        for name, base in self.rulebases().items():
            yield Path(base.path).parent, name, base.fingerprint, logic_fingerprint(base)

    def rulebase(self, case: Case) -> RuleBase:
        """Return the rule base of a case; raises InputError where that very version is not at hand."""
        base = self.rulebases().get(case.bundle)
        if base is None:
            raise InputError(f"case {case.id!r}: field bundle: found {case.bundle!r}, expected a packaged rule base")
        if not base.known_as(case.rulebase):
            raise InputError(
                f"case {case.id!r}: field rulebase: found {case.rulebase}, expected {base.fingerprint}:"
                " the case was built by another version"
            )
        return base

    def task(self, case: Case) -> str:
        """Return the base name of the task of a case."""
        return f"holmes_{case.task}"

    def parts(self, case: Case) -> tuple[Part, ...]:
        """Return the one part of a case; raises InputError naming case, field, found, expected for damaged facts."""
        base = self.rulebase(case)
        return (Part(base, facts_of(case, base), names_of(case, base)),)

    def read_text(self, case: Case) -> tuple[Mapping[str, Value], ...]:
        """Return the facts of each part as the case text alone tells them; raises InputError for other texts."""
        return tuple(read_case(part.base, case.case, names=part.names) for part in self.parts(case))

    def verify_text(self, case: Case) -> Iterator[tuple[str, str]]:
        """Yield (what the record says, what the printed text says) wherever they differ."""
        try:
            read = self.read_text(case)
        except InputError as error:
            yield case.case, str(error)
            return
        for part, facts in zip(self.parts(case), read, strict=True):
            for name, value in part.facts.items():
                if facts.get(name) != value:
                    yield f"{name} {value}", str(facts.get(name))

    def asked(self, case: Case) -> Question:
        """Return what is asked: the amount, or the decision."""
        return HOW_MUCH if case.answer_type == "amount" else OUTCOME

    def goal(self, case: Case) -> str:
        """Return what is asked of a part."""
        return self.asked(case).goal(case)

    def part_answer(self, case: Case, result: Evaluation) -> str:
        """Return the answer of an evaluated part; raises InputError where an amount is asked for and there is none."""
        return self.asked(case).part_answer(case, result)

    def combine(self, case: Case, answers: Sequence[str]) -> str:
        """Return the answer of the whole from those of its parts."""
        return answers[0]

    def verbalize(self, part: Part, step: Step) -> Step:
        """Return a step in the words of the printed text: those of the rule base."""
        return step

    def has_derivations(self, case: Case) -> bool:
        """Tell whether a case has derivations: it has, by its rule base."""
        return True

    def derivations(self, case: Case) -> Derivations | None:
        """Return the minimal sufficient derivations of a case.

        Raises InputError where another version built it; CheckFailed where nothing derives its answer.
        """
        try:
            return derive(self.parts(case), self.goal(case), self.verbalize, where=f"case {case.id!r}")
        except KeyError as error:
            raise InputError(
                f"case {case.id!r}: field plan: found goal {error.args[0]}, expected one of its rule base"
            ) from error

    def operations(self, case: Case) -> Annotation:
        """Return the higher-order types of a case with their evidence."""
        found = self.derivations(case)
        if found is None:
            raise InputError(f"case {case.id!r}: field question: found no derivation, expected a case that is told")
        return annotate(found)

    def solve(self, case: Case) -> Solved:
        """Derive answer and trace again from the typed facts and compare them with the gold."""
        answers, steps = [], []
        for part in self.parts(case):
            answers.append(self.part_answer(case, evaluate(part.base, part.facts)))
            graph = explain(part.base, part.facts)
            steps += [self.verbalize(part, s) for s in told(part.base, graph, part.names, self._root(case, graph))]
        return resolved(case, self.combine(case, answers), steps)

    def _root(self, case: Case, graph: Any) -> int:
        return root_of(graph, self.goal(case))

    def programs(self, case: Case) -> Sequence[Case]:
        """Return the cases whose programs together give the answer: the case itself."""
        return (case,)

    def program_contract(self, task: str) -> ProgramContract | None:
        """Return the answer line ``Answer: …`` for tasks that bear the domain's name."""
        name = task.removeprefix("holmes_")
        return answer_line(r"Answer\s*:\s*(.*)") if name == self.name or name.startswith(f"{self.name}_") else None

    def prompt(self, case: Case, mode: str, options: Options) -> str:
        """Return the user message: rules, case, question, and how to answer."""
        from holmes.prompting.default import prompt

        contract = self.answer_kind(case).contract(case)
        return prompt(case, mode, options, contract, self.foreign_rules(case) if options.distractors else ())

    def foreign_rules(self, case: Case) -> tuple[str, ...]:
        """Return the rule texts of the domain's other rule bases that stand on their own: they name no other rule."""
        return tuple(
            concept.text
            for name, base in self.rulebases().items()
            if name != case.bundle
            for concept in base.concepts.values()
            if not re.search(r"\bRules? \d", concept.text)
        )

    def answer_kind(self, case: Case, mode: str = "answer") -> AnswerKind:
        """Return how a reply is read and judged: as the question says, or as a program whose output is the answer."""
        if mode == "prolog":
            from holmes.answers.program import Program
            from holmes.registry import program_contract

            return Program(program_contract(case.task))
        return self.asked(case).answer_kind(case)

    def claimed(self, case: Case) -> Goal:
        """Return the claim about one value that a case asks about: none; raises InputError."""
        wanted = ", ".join(self.rulebase(case).decision.type.values)
        raise InputError(f"case {case.id!r}: field answer: found {case.answer!r:.60}, expected one of {wanted}")

    def posed(self, case: Case) -> Posed | None:
        """Return the question about policies that a case asks: none, it asks about facts."""
        return None

    def interventions(self, case: Case) -> Interventions | None:
        """Return the changes that a case admits: one fact of its one part, told by one sentence."""
        from holmes.interventions.default import OnePart

        return OnePart(self, case)

    def content(self, case: Case) -> str:
        """Return what makes a case this case: its text and question."""
        return f"{case.case} {case.question} "

    def labels(self, task: str) -> tuple[str, ...]:
        """Return the labels of the answer line of a task, if it lists any."""
        contract = self.program_contract(task)
        return contract.labels if contract is not None else ()

    def told(self, case: Case, part: Part, facts: Mapping[str, Value], text: str) -> Case:
        """Return a case anew about other facts, told by its new text; what was left out and is now true is not."""
        from holmes.generation.case_builder import told_case

        plan = json.loads(case.plan) if case.plan else {}
        if "omitted" in plan:
            plan["omitted"] = [name for name in plan["omitted"] if facts[name] is False]
        return told_case(self, case, Part(part.base, facts, part.names), text, plan, case.tags)

    def restated(self, case: Case) -> frozenset[str]:
        """Return keys of sentences that only repeat the answer: none."""
        return frozenset()

    def tables(self, rows: Sequence[tuple[Case, Sequence[str | None]]]) -> Mapping[str, list[dict[str, Any]]]:
        """Return tables of a run: none."""
        return {}

    def family_gates(self, originals: Sequence[Case]) -> Iterator[Gate]:
        """Yield quality checks on counterfactual families: none."""
        return iter(())


def _packaged(folder: Path) -> bool:
    return folder.parent == Path(__file__).resolve().parent


@functools.lru_cache(maxsize=32)
def _rulebases(folder: Path, checked: bool) -> Mapping[str, RuleBase]:
    """Load the rule bases of a folder; those of a stranger are checked in full, ours by the tests."""
    files = [p for p in sorted(folder.glob("*.yaml")) if not p.name.endswith(".text.yaml")]
    if not files:
        raise InputError(f"{folder}: found no rule base, expected one *.yaml or more")
    loaded = [base for file in files for base in load_rulebases(file, semantics=checked, text=checked)]
    return {base.name: base for base in loaded}
