"""What the rooms know of each other: a domain, a source, a config, a task, a generator are values of these types.

Services are handed such values by the registry and import none of the places where they are made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Protocol

from holmes.cases import Case, Step

if TYPE_CHECKING:
    from pathlib import Path

    from holmes.derivations.asked import Goal, Posed
    from holmes.derivations.derive import Derivations
    from holmes.derivations.operations import Annotation
    from holmes.derivations.parts import Part
    from holmes.interventions.base import Interventions
    from holmes.logic.engine.evaluate import Evaluation
    from holmes.logic.language.model import RuleBase, Value
    from holmes.options import Options
    from holmes.prolog.output import ProgramContract
    from holmes.reading.thinking import Reply
    from holmes.results import Gate, Judged, Score, Solved

OURS = "holmes"
"""The source of what this package, or a plug-in of it, has built."""
SPLITS = ("test", "hard", "smoke", "dev", "train")
"""The splits of a config in the order in which they are shown; hard and smoke lie within test."""

Document = dict[str, Any]
Audit = Callable[..., Document]


@dataclass(frozen=True, slots=True)
class Task:
    """One leaf task.

    name: as hosts call it. config: the data, as `holmes.store` names it. prompt: which prompt is shown. mode: how an
    output is scored (`holmes.scoring.MODES`). metrics: what is measured besides accuracy: citations, derivations,
    families, macro_f1, report, witness. only: the cases of the config that belong to the task, by their own field
    `task`; all where it is empty. mixed: each case is prompted and scored by the task of its own domain.
    """

    name: str
    config: str
    prompt: str
    mode: str
    metrics: frozenset[str] = frozenset()
    only: str = ""
    mixed: bool = False


def tasks(
    base: str,
    config: str,
    prompts: Mapping[str, str],
    *,
    mode: str = "answer",
    metrics: Iterable[str] = (),
    only: str = "",
    mixed: bool = False,
    release: bool = False,
) -> tuple[Task, ...]:
    """Return the leaf tasks ``<base>[_direct|_fewshot][_release]`` of a config.

    prompts: variant ("" for the task of that very name) -> its prompt. metrics: of the variant ""; a direct answer has
    no reasoning to measure, so citations and derivations are left out there.
    """
    named = []
    for variant, prompt in prompts.items():
        name = base + (f"_{variant}" if variant else "") + ("_release" if release else "")
        direct = variant == "direct"
        measured = frozenset(metrics) - (frozenset({"citations", "derivations"}) if direct else frozenset())
        named.append(Task(name, config, prompt, "answer" if direct else mode, measured, only, mixed))
    return tuple(named)


class Generator(Protocol):
    """What makes the cases of a config: item = f(rule bases, seed, index)."""

    @property
    def fingerprint(self) -> str:
        """Return what the items depend on besides seed and index: the fingerprints of the rule bases."""
        ...

    def item(self, seed: int, index: int) -> Case:
        """Return item `index` of `seed`; a function of the rule bases, seed and index alone."""
        ...

    def tier(self, seed: int, index: int) -> str:
        """Return the tier of an item without building it."""
        ...

    def embedded(self) -> Mapping[str, Callable[[], Iterator[Case]]]:
        """Return the splits that are shipped: split name -> its cases, in order."""
        ...


@dataclass(frozen=True, slots=True)
class Config:
    """A data set of one name.

    name: as `load_dataset("holmes", name)` takes it. tasks: the leaf tasks over it. generator: makes fresh and shipped
    cases; None for a config that is part of another one, drawn, or imported. draw: makes the cases of a split from
    those of other configs; such a config has no files. members: the configs that it is made of. splits: in order.
    audit: checks its quality. card: its section of the dataset card, from its shipped splits; None for none. shown:
    whether the default view of the data set holds its test cases, as a split of this name.
    proved: whether its test cases have certificates of the kernel.
    """

    name: str
    tasks: tuple[Task, ...] = ()
    generator: Callable[[], Generator] | None = None
    draw: Callable[[str, int], Sequence[Case]] | None = None
    members: tuple[str, ...] = ()
    splits: tuple[str, ...] = SPLITS
    audit: Audit | None = None
    card: Callable[[Mapping[str, Sequence[Case]]], str] | None = None
    shown: bool = False
    proved: bool = True


@dataclass(frozen=True, slots=True)
class Strictness:
    """How an answer is compared.

    tolerance: how far an amount may be off, in units of it. negatives: figures in parentheses are losses. whole: golds
    that are amounts are cut to whole numbers (the authors' comparison).
    """

    tolerance: Fraction = Fraction(0)
    negatives: bool = False
    whole: bool = False


class AnswerKind(Protocol):
    """How a reply is read and judged; the base is `holmes.answers.kind.Kind`."""

    name: str
    """What it is called in messages."""
    layout: str
    """How the authors lay out replies of this kind where they score traces: lines or report."""
    tolerance: Fraction
    """How far an answer may be off, in units of it, unless a run says otherwise."""

    def contract(self, case: Case, *, trace: str = "none") -> str:
        """Return the lines of a prompt that ask for a reply of this form; trace: how its steps are asked for."""
        ...

    def empty(self, case: Case) -> Mapping[str, float]:
        """Return the parts of the score of a reply that never came."""
        ...

    def judge(self, case: Case, reply: Reply, *, cut: bool, strictness: Strictness) -> Judged:
        """Return what a reply without its reasoning is worth; cut: the generation ended too early."""
        ...

    def canonical(self, case: Case, answer: str) -> str:
        """Return one text for answers that are equal."""
        ...

    def published(self, case: Case, text: str | None) -> Judged | None:
        """Return what the authors' own reading makes of a raw reply; None where they have none for this kind."""
        ...

    def gold_reply(self, case: Case) -> str:
        """Return the reply that earns every point."""
        ...

    def metrics(self, scores: Sequence[Score]) -> Mapping[str, float]:
        """Return the figures of this kind for one case, from the scores of its outputs; undefined ones are left out."""
        ...


class Question(Protocol):
    """What is asked of a case, how it is put, and what answers it; see `holmes.domains.questions`."""

    name: str
    """outcome, amount, claim, policy question, …"""

    def goal(self, case: Case) -> str:
        """Return what is asked of a part, as `holmes.derivations.derive` takes it."""
        ...

    def put(self, case: Case, template: str, name: str) -> str:
        """Return the question in words, about somebody of a name."""
        ...

    def part_answer(self, case: Case, result: Evaluation) -> str:
        """Return the answer of one evaluated part."""
        ...

    def answer_kind(self, case: Case) -> AnswerKind:
        """Return how a reply is read and judged."""
        ...


class Domain(Protocol):
    """A field with rules of its own; every member but the name has a default in `holmes.domains.base`."""

    name: str
    source: str
    cites: bool
    """Whether replies are also scored by the rules that they cite."""

    @property
    def configs(self) -> tuple[Config, ...]:
        """Return its data sets."""
        ...

    def rulebases(self) -> Mapping[str, RuleBase]:
        """Return its rule bases by name, in a fixed order."""
        ...

    def versions(self) -> Iterator[tuple[Path, str, str, str]]:
        """Yield (folder, name, text fingerprint, logic fingerprint) of all that cases may have been built from."""
        ...

    def task(self, case: Case) -> str:
        """Return the base name of the task to which a case belongs."""
        ...

    def parts(self, case: Case) -> tuple[Part, ...]:
        """Return rule base, typed facts and names of each component."""
        ...

    def read_text(self, case: Case) -> tuple[Mapping[str, Value], ...]:
        """Return the facts of each part as the case text alone tells them."""
        ...

    def verify_text(self, case: Case) -> Iterator[tuple[str, str]]:
        """Yield (what the record says, what the printed text says) wherever they differ."""
        ...

    def asked(self, case: Case) -> Question:
        """Return what is asked of a case."""
        ...

    def goal(self, case: Case) -> str:
        """Return the goal of the question."""
        ...

    def part_answer(self, case: Case, result: Evaluation) -> str:
        """Return the answer that the question has in one evaluated part."""
        ...

    def verbalize(self, part: Part, step: Step) -> Step:
        """Return a step in the words and rule numbers of the printed text."""
        ...

    def has_derivations(self, case: Case) -> bool:
        """Tell whether a case has derivations, without working them out."""
        ...

    def derivations(self, case: Case) -> Derivations | None:
        """Return the minimal sufficient derivations; None where no single case is told."""
        ...

    def operations(self, case: Case) -> Annotation:
        """Return the higher-order types of a case with their evidence."""
        ...

    def solve(self, case: Case) -> Solved:
        """Derive answer and trace again and compare them with the gold."""
        ...

    def programs(self, case: Case) -> Sequence[Case]:
        """Return the cases whose programs together give the answer; none where no program can."""
        ...

    def program_contract(self, task: str) -> ProgramContract | None:
        """Return what a program of a task prints; None where the task is none of this domain."""
        ...

    def prompt(self, case: Case, mode: str, options: Options) -> str:
        """Return the user message: a pure function."""
        ...

    def answer_kind(self, case: Case, mode: str = "answer") -> AnswerKind:
        """Return how a reply to a case is read and judged; mode: ``answer`` from its text, ``prolog`` as a program."""
        ...

    def claimed(self, case: Case) -> Goal:
        """Return the claim about one value that a case asks about; raises InputError where it asks about none."""
        ...

    def posed(self, case: Case) -> Posed | None:
        """Return the question about policies that a case asks; None where it asks about facts."""
        ...

    def interventions(self, case: Case) -> Interventions | None:
        """Return the changes that a case admits; None where it admits none."""
        ...

    def content(self, case: Case) -> str:
        """Return what makes a case this case, for finding near-duplicates."""
        ...

    def labels(self, task: str) -> tuple[str, ...]:
        """Return the labels that a reply to a task of this domain is read for where no case is at hand."""
        ...

    def restated(self, case: Case) -> frozenset[str]:
        """Return keys of sentences that only repeat the answer of a case."""
        ...

    def tables(self, rows: Sequence[tuple[Case, Sequence[str | None]]]) -> Mapping[str, list[dict[str, Any]]]:
        """Return tables of a run over its cases, by name."""
        ...

    def family_gates(self, originals: Sequence[Case]) -> Iterator[Gate]:
        """Yield quality checks on the originals of counterfactual families."""
        ...


class Source(Protocol):
    """Where cases come from: ours, or a release of other authors."""

    name: str
    """Value of `Case.source`."""
    audited: str
    """Its name for `holmes audit`."""
    modes: tuple[str, ...]
    """Modes of `solve`."""

    @property
    def configs(self) -> tuple[Config, ...]:
        """Return the configs that its import provides."""
        ...

    def bring(self, origin: str, out: Path | None, **given: Any) -> tuple[Any, Any]:
        """Import it: read and check everything, then swap it in."""
        ...

    def solve(self, config: str, mode: str) -> Iterator[Solved]:
        """Derive the golds of a config again."""
        ...

    def defects(self) -> Document:
        """Return the document of `holmes audit` with what is wrong in it."""
        ...

    def beside(self, config: str, document: Document) -> Document:
        """Return an audit's document with this source's figures beside ours, where it has some."""
        ...
