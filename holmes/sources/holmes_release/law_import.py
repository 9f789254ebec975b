"""The law part of the authors' HOLMES release: bundles of cases to `Case`s, every field checked."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from holmes.cases import Alias, Case, Difficulty, Fact, Step
from holmes.errors import InputError
from holmes.importing.rows import Row, check_unique
from holmes.registry import operations_of
from holmes.sources.holmes_release.isabelle import read_theory
from holmes.util.files import read_json

CASES = "law_data/datasets.json"
TRACES = "law_data/law_nl_traces.json"
KINDS = {
    "fact_to_concept": "concept",
    "concept_to_concept": "concept",
    "mixed_to_concept": "concept",
    "article": "policy",
    "conflict_stronger": "conflict",
    "conflict_exception": "conflict",
}
_CITED = re.compile(r"\[Rule (\d+)\]")


def read_law(root: Path) -> list[Case]:
    """Read the law cases below `root` (the folder that holds ``law_data``).

    Returns them in released order, ids as released, the gold's symbolic fields as JSON in ``plan``.
    Raises InputError naming file, row or id, field, found, expected.
    """
    traces = _traces(root / TRACES)
    cases: list[Case] = []
    for bundle, row in records(root):
        cases.append(_case(bundle, row, traces))
    check_unique((case.id, f"{root / CASES}: bundle {case.bundle!r}") for case in cases)
    return cases


def records(root: Path) -> Iterator[tuple[Row, Row]]:
    """Yield (bundle, case) records, each with its place, in released order."""
    path = root / CASES
    for number, bundle in enumerate(Row.of(read_json(path), str(path)).rows("bundles")):
        named = Row(bundle.value, f"{path}: bundle {bundle.value.get('bundle_name', number)!r}")
        named.filled("bundle_name")
        for index, case in enumerate(named.rows("cases")):
            yield named, Row(case.value, f"{named.place}: case {case.value.get('case_id', index)!r}")
        if named.number("case_count") != len(named.items("cases")):
            raise named.bad("case_count", named.number("case_count"), f"{len(named.items('cases'))}, the cases listed")


def _traces(path: Path) -> dict[tuple[str, str], str]:
    if not path.is_file():
        return {}
    found = {}
    for index, row in enumerate(Row.of(read_json(path), str(path)).rows("traces")):
        named = Row(row.value, f"{path}: trace {index}")
        found[named.filled("bundle"), named.filled("case_id")] = named.text("natural_language_trace")
    return found


def _case(bundle: Row, row: Row, traces: Mapping[tuple[str, str], str]) -> Case:
    name, target = bundle.filled("bundle_name"), bundle.row("scoring_target").row("main")
    identity = row.filled("case_id")
    aliases = target.row("final_result_aliases")
    labels = tuple(aliases.value)
    questions = list(row.rows("questions"))
    if len(questions) != 1:
        raise row.bad("questions", len(questions), "one question")
    answer = questions[0].filled("answer")
    if answer not in labels:
        raise questions[0].bad("answer", answer, f"one of {', '.join(labels)}")
    gold, profile = row.row("gold_trace"), row.row("difficulty_profile")
    narrative = traces.get((name, identity), "")
    theory = read_theory(row.row("isabelle").filled("theory_code"), row.place)
    case = Case(
        id=identity,
        domain="law",
        task="law",
        source="holmes-release",
        bundle=name,
        rules=row.filled("rules_text"),
        case=row.filled("case_text"),
        question=questions[0].filled("question"),
        answer=answer,
        answer_type="label",
        choices=labels,
        aliases=tuple(Alias(label, aliases.strings(label)) for label in labels),
        trace=_steps(target, gold, answer, narrative),
        difficulty=Difficulty(
            steps=profile.number("reasoning_step_count"),
            concepts=profile.number("triggered_middle_predicate_count"),
            policies=profile.number("triggered_article_count"),
            conflicts=profile.number("conflict_count"),
            tier=profile.filled("difficulty_level"),
        ),
        facts=tuple(Fact(atom, "bool", "true" if value else "false") for atom, value in theory.assignment().items()),
        plan=_compact(
            {
                "gold_trace": gold.value,
                "difficulty_profile": profile.value,
                "generation_trace": row.row("generation_trace").value,
                "narrative": narrative,
            }
        ),
    )
    return replace(case, **operations_of(case).fields())


def catalog(target: Row) -> dict[int, tuple[str, Any]]:
    """Return rule number -> (released kind, target: a name, or [winner, loser]), checked."""
    rules: dict[int, tuple[str, Any]] = {}
    for row in target.rows("rule_catalog"):
        number, kind = row.number("rule_number"), row.filled("rule_kind")
        if kind not in KINDS:
            raise row.bad("rule_kind", kind, f"one of {', '.join(KINDS)}")
        what = row.strings("target") if KINDS[kind] == "conflict" else row.filled("target")
        if KINDS[kind] == "conflict" and len(what) != 2:
            raise row.bad("target", what, "[winner, loser]")
        if number in rules:
            raise row.bad("rule_number", number, "a number not used before")
        rules[number] = (kind, what)
    return rules


def _steps(target: Row, gold: Row, answer: str, narrative: str) -> tuple[Step, ...]:
    """Return the gold rule trace as steps, in its order; the wording of the narrative where it has one."""
    rules = catalog(target)
    numbers, conclusions = gold.numbers("gold_rule_trace"), gold.numbers("conclusion_rule_numbers")
    for number in numbers:
        if number not in rules:
            raise gold.bad("gold_rule_trace", number, f"a rule number from 1 to {len(rules)}")
    wording = _wording(narrative)
    # the conclusion repeats its articles at the end; a trace that does not is left to the audit
    split = (
        len(numbers) - len(conclusions) if numbers[len(numbers) - len(conclusions) :] == conclusions else len(numbers)
    )
    steps = []
    for index, number in enumerate(numbers):
        kind, what = rules[number]
        if index >= split and KINDS[kind] == "policy":
            steps.append(Step(f"{spoken(what)} is applicable.", str(number), "decision", answer))
        elif KINDS[kind] == "concept":
            text = wording.get(("Therefore", number), f"Therefore, {spoken(what)} is established.")
            steps.append(Step(text, str(number), "concept", "true"))
        elif KINDS[kind] == "policy":
            text = wording.get(("Consequently", number), f"Consequently, {spoken(what)} is triggered.")
            steps.append(Step(text, str(number), "policy", "true"))
        else:
            winner, loser = what
            steps.append(
                Step(f"{spoken(winner)} takes priority over {spoken(loser)}.", str(number), "conflict", "true")
            )
    return tuple(steps)


def _wording(narrative: str) -> dict[tuple[str, int], str]:
    found: dict[tuple[str, int], str] = {}
    for line in narrative.splitlines():
        if cited := _CITED.search(line):
            text = " ".join(_CITED.sub("", line).split()).replace(" .", ".")
            found.setdefault((line.split(",")[0].split()[0] if line.strip() else "", int(cited[1])), text)
    return found


def spoken(symbol: str) -> str:
    """Return a released symbol as words: ``Art_Vault_Removal`` -> ``Vault Removal``."""
    return symbol.removeprefix("Art_").replace("_", " ")


def _compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def find_root(folder: Path) -> Path:
    """Return the folder that holds ``law_data`` or ``finance_data``: `folder`, or one a level or two below it.

    Raises InputError where there is none.
    """
    for candidate in (folder, *sorted(p for p in (*folder.glob("*"), *folder.glob("*/*")) if p.is_dir())):
        if (candidate / "law_data").is_dir() or (candidate / "finance_data").is_dir():
            return candidate
    raise InputError(f"{folder}: found no law_data or finance_data, expected a checkout of the HOLMES release")
