"""Defects of the DeonticBench release: every reference is executed and held against label, case and split."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from holmes.audit.gate import document
from holmes.audit.near_duplicates import near_duplicates, shingles, similarity
from holmes.audit.program_fit import misfits
from holmes.cases import Case
from holmes.errors import InputError
from holmes.prolog import Limits, Run, Runner
from holmes.registry import domain_of
from holmes.results import Defect
from holmes.sources.deonticbench.reader import DOMAINS, locate
from holmes.store import configs, import_command, load_cases, original, splits

LINES = {
    "deontic_sara_numeric": r"Tax result:\s*(?P<answer>\S+)",
    "deontic_airline": r"Total cost:\s*(?P<answer>\S+)",
    "deontic_sara_binary": r"Result:\s*(?P<answer>Entailment|Contradiction)",
    "deontic_housing": r"housing_answer\((?P<answer>yes|no)\)",
    "deontic_uscis": r"^\s*(?P<answer>Accepted|Dismissed)\s*$",
}
ENTRY = "\n:- forall(decision(Answer__), (write(Answer__), nl)).\n"  # what a program without entry point lacks
_COMMENT = re.compile(r"/\*.*?\*/|%[^\n]*", re.S)
_POLARITY = {"pos": "Entailment", "neg": "Contradiction"}


KINDS = {
    "conflicting_labels": "one text under two ids with different labels",
    "hard_differs": "a case of the hard split differs from its twin in the whole one",
    "hard_not_in_whole": "the hard split lists a case that the whole one lacks",
    "id_tells_answer": "the id ends in the answer",
    "label_type": "a label of another JSON type than the rest",
    "load_error": "the reference program does not load without errors",
    "near_duplicate": "nearly the text of another case, of the hard split or of the same one",
    "no_answer": "the reference program prints no answer line",
    "no_entry_point": "no goal of the reference program asks for its answer",
    "other_case": "the reference program is about another case",
    "prints_gold": "the reference program prints the label as a constant, or tests for it",
    "warning": "the reference program loads with warnings",
    "wrong_output": "the reference program prints another answer than the label",
}


def audit(workers: int = 1) -> dict[str, Any]:
    """Audit the imported DeonticBench release.

    workers: programs run at the same time. Returns the audit document; kinds of defects: wrong_output, no_answer,
    other_case, prints_gold, load_error, warning, no_entry_point, near_duplicate, conflicting_labels, id_tells_answer,
    label_type, hard_differs, hard_not_in_whole.
    Raises InputError where the release is not imported, EnvironmentFailure where no program can be run.
    """
    known = [f"{domain.task}_release" for domain in DOMAINS if f"{domain.task}_release" in configs()]
    if not known:
        raise InputError(f"deonticbench: found no import, expected one from: {import_command('deonticbench')}")
    found: list[Defect] = [*_labels()]
    with Runner(limits=Limits(timeout=20), workers=workers) as runner:
        for config in known:
            cases = {
                c.id: c for split in splits(config) if split in ("hard", "whole") for c in load_cases(config, split)
            }
            found += _programs(config, list(cases.values()), runner)
            found += _splits(config)
            found += _ids(config, list(cases.values()))
    return document(found, KINDS)


def answer_of(case: Case, stdout: str) -> str | None:
    """Return the answer that a program printed last on its domain's answer line, None where there is none."""
    found = re.findall(LINES[case.task], stdout, re.M)
    return str(found[-1]) if found else None


def agrees(case: Case, printed: str) -> bool:
    """True when the printed answer is the label: equal, or for amounts within one unit after rounding (paper B.3)."""
    if case.answer_type == "label":
        return printed == case.answer
    try:
        return abs(round(float(printed.replace("$", "").replace(",", ""))) - int(case.answer)) <= 1
    except (ValueError, OverflowError):
        return False


def _programs(config: str, cases: Sequence[Case], runner: Runner) -> Iterator[Defect]:
    written = [case for case in cases if case.program.strip()]
    runs = runner.run_many([case.program for case in written])
    silent = [c for c, r in zip(written, runs, strict=True) if answer_of(c, r.stdout) is None and not _enters(c)]
    asked = dict(zip([c.id for c in silent], runner.run_many([c.program + ENTRY for c in silent]), strict=True))
    for case, run in zip(written, runs, strict=True):
        if case.id in asked:
            yield Defect(
                "no_entry_point", config, case.id, "reference_prolog", "defines decision/1, and no goal calls it",
                ":- forall(decision(X), (write(X), nl)).",
            )  # fmt: skip
        yield from _outcome(config, case, asked.get(case.id, run))
        yield from _messages(config, case, run)
        yield from _leaks(config, case)
    texts = [
        f"{c.case} {c.question}" + (c.rules if c.task in ("deontic_housing", "deontic_uscis") else "") for c in written
    ]
    for misfit in misfits([case.program for case in written], texts):
        case, other = written[misfit.program], written[misfit.case]
        evidence = f"the program is about {other.id} (similarity {misfit.best:.2f}, with this case {misfit.own:.2f})"
        yield Defect("other_case", config, case.id, "reference_prolog", evidence, other.id)


def _enters(case: Case) -> bool:
    """True when some directive could print an answer."""
    return bool(
        re.search(r"^\s*:-\s*(?!dynamic|discontiguous|use_module|set_prolog_flag|module|table)", case.program, re.M)
    )


def _outcome(config: str, case: Case, run: Run) -> Iterator[Defect]:
    printed = answer_of(case, run.stdout)
    if printed is None:
        reason = "; ".join(run.load_errors) or run.note or run.stdout.strip()[-80:] or "printed nothing"
        yield Defect(
            "no_answer", config, case.id, "reference_prolog", f"no answer line ({run.outcome.value}): {reason}"
        )
    elif not agrees(case, printed):
        yield Defect(
            "wrong_output",
            config,
            case.id,
            "reference_prolog",
            f"prints {printed}, the label is {case.answer}",
            case.answer,
        )


def _messages(config: str, case: Case, run: Run) -> Iterator[Defect]:
    if run.load_errors:
        yield Defect("load_error", config, case.id, "reference_prolog", "; ".join(run.load_errors))
    if run.warnings:
        yield Defect("warning", config, case.id, "reference_prolog", "; ".join(run.warnings))


def _leaks(config: str, case: Case) -> Iterator[Defect]:
    """Directives that print the label as a constant, and comparisons of the result with it."""
    code = _COMMENT.sub(" ", case.program)
    label = re.escape(case.answer)
    for clause in re.findall(r"^\s*:-[^\n]*(?:Label|label)[^\n]*$", code, re.M):
        if re.search(rf"(?<![\w.]){label}(?![\w.])", clause):
            yield Defect("prints_gold", config, case.id, "reference_prolog", clause.strip()[:120])
            break
    if case.answer_type == "amount" and len(case.answer) > 2 and (
        test := re.search(rf"[^\n]*(?:=:=|==|=\\=)\s*{label}(?![\w.])[^\n]*", code)
    ):  # fmt: skip
        yield Defect("prints_gold", config, case.id, "reference_prolog", f"tests its result: {test[0].strip()[:100]}")


def _splits(config: str) -> Iterator[Defect]:
    there = [split for split in ("hard", "whole") if split in splits(config)]
    parts = {split: load_cases(config, split) for split in there}
    for split, cases in parts.items():
        yield from _repeats(config, split, cases)
    if len(parts) < 2:
        return
    whole = {case.id: case for case in parts["whole"]}
    hard = {case.id for case in parts["hard"]}
    for case in parts["hard"]:
        if case.id not in whole:
            yield Defect("hard_not_in_whole", config, case.id, "id", "the hard split lists it, the whole one does not")
            continue
        for name in ("rules", "case", "question", "answer", "program"):
            if getattr(case, name) != getattr(whole[case.id], name):
                yield Defect("hard_differs", config, case.id, name, "hard and whole differ in this field")
    rest = [case for case in parts["whole"] if case.id not in hard]
    for one, other in near_duplicates(parts["hard"], rest).items():
        alike = similarity(*(shingles(domain_of(whole[id]).content(whole[id])) for id in (one, other)))
        yield Defect(
            "near_duplicate", config, one, "text", f"shares {alike:.0%} of its word runs with hard case {other}", other
        )


def _repeats(config: str, split: str, cases: Sequence[Case]) -> Iterator[Defect]:
    """Cases of one split with the same content under two ids."""
    first: dict[str, Case] = {}
    for case in cases:
        same = first.setdefault(" ".join(re.findall(r"\w+", f"{case.rules} {case.case} {case.question}".lower())), case)
        if same.id != case.id:
            yield Defect("near_duplicate", config, case.id, "text", f"the same text as {same.id} in {split}", same.id)
            if same.answer != case.answer:
                yield Defect(
                    "conflicting_labels", config, case.id, "label", f"{case.answer}, but {same.answer} for {same.id}"
                )


def _ids(config: str, cases: Sequence[Case]) -> Iterator[Defect]:
    for case in cases:
        ending = case.id.rsplit("_", 1)[-1]
        if case.answer_type == "label" and _POLARITY.get(ending, ending) == case.answer:
            yield Defect("id_tells_answer", config, case.id, "id", f"the id ends in {ending!r}")


def _labels() -> Iterator[Defect]:
    """Labels whose JSON type differs from the rest of their domain."""
    from holmes.sources.deonticbench.reader import rows_of

    root = original("deonticbench")
    names = sorted(p.relative_to(root).as_posix() for p in root.rglob("*") if p.is_file())
    for (task, split), parts in locate(names).data.items():
        rows = [row for name in parts for row in rows_of(root / name)]
        kinds = [type(row.value.get("label")).__name__ for row in rows]
        usual = max(sorted(set(kinds)), key=kinds.count)
        for row, kind in zip(rows, kinds, strict=True):
            if kind != usual:
                label = row.value["label"]
                yield Defect(
                    "label_type", f"{task}_release", str(row.value["id"]), "label",
                    f"{label!r} in {split} is {kind}, the other labels are {usual}", str(label),
                )  # fmt: skip
