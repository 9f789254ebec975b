"""Defects of the released law cases: golds, traces, theories, narratives and texts held against the closure."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from holmes.audit.near_duplicates import shingles, similarity
from holmes.results import Defect
from holmes.sources.holmes_release.law_contested import contested, false_lines, gaps
from holmes.sources.holmes_release.law_gold import FIELDS, Derived, derive
from holmes.sources.holmes_release.law_import import CASES, TRACES, find_root, spoken
from holmes.sources.holmes_release.law_lexicon import Lexicon, learn, symbols
from holmes.sources.holmes_release.law_rulebases import Bundle, Released, recover
from holmes.store import original
from holmes.util.files import read_json

SOURCE = "law_release"
ALIKE = 0.95
_ANSWER_FIELDS = ("final_result", "final_no_liability", "applicable_articles")
_STATEMENT = re.compile(r"(?P<not>\\<not>\s*)?(?P<predicate>\w+)\s+(?P<first>\w+)(?:\s+(?P<second>\w+))?")


def law_defects(folder: Path | None = None) -> Iterator[Defect]:
    """Yield the defects of the law cases of a checkout, by default of the imported one.

    Kinds: wrong_gold (an answer that the facts do not entail), incomplete_trace (the plan left out what the facts
    trigger), inconsistent_gold (fields that contradict each other or the planner's own semantics), false_lemma,
    wrong_narrative, truncated_narrative, false_line, uncited_conflict, concept_missing, wrong_case_type, mixed_verdict,
    undecided_tie, printed_rule_differs (`law_contested`), duplicate, copied_text, wrong_text, omitted_fact,
    symbol_leak.
    """
    root = find_root(original("holmes-release") if folder is None else folder)
    if not (root / CASES).is_file():
        return
    narratives = _narratives(root / TRACES)
    for bundle in recover(root):
        facts = {case.id: case.theory.assignment() for case in bundle.cases}
        texts = {case.id: str(case.row.value["case_text"]) for case in bundle.cases}
        lexicon = learn(texts, facts)
        for case in bundle.cases:
            planned, closed = derive(bundle, case, "release"), derive(bundle, case, "closure")
            yield from _golds(case, planned, closed)
            yield from gaps(case, closed)
            yield from contested(bundle, case, planned, closed)
            yield from _lemmas(bundle, case, closed)
            text = narratives.get((bundle.name, case.id), "")
            told = list(_narrative(bundle, case, planned.fields, text))
            yield from told
            if all(defect.kind != "wrong_narrative" for defect in told):  # lines of another case's story are no news
                yield from false_lines(bundle, case, closed, text)
            yield from _text(case, lexicon, facts[case.id], texts[case.id])
        yield from _duplicates(bundle, facts, texts)


def _narratives(path: Path) -> dict[tuple[str, str], str]:
    if not path.is_file():
        return {}
    rows = read_json(path)["traces"]
    return {(str(r["bundle"]), str(r["case_id"])): str(r["natural_language_trace"]) for r in rows}


def _golds(case: Released, planned: Derived, closed: Derived) -> Iterator[Defect]:
    answer = str(case.row.value["questions"][0]["answer"])
    if answer != case.gold.get("final_result"):
        evidence = f"the question's answer is {answer}, the gold trace ends in {case.gold.get('final_result')}"
        yield Defect("inconsistent_gold", SOURCE, case.id, "questions.answer", evidence, closed.fields["final_result"])
    missing = [name for name in closed.fields["triggered_articles"] if name not in planned.fields["triggered_articles"]]
    for name in FIELDS:
        gold, plan, right = case.gold.get(name), planned.fields[name], closed.fields[name]
        if name in _ANSWER_FIELDS and gold != right:
            because = f"; the facts also trigger {', '.join(missing)}" if missing else ""
            yield Defect("wrong_gold", SOURCE, case.id, name, f"gold {_text_of(gold)}{because}", _text_of(right))
        elif gold != plan and name not in _ANSWER_FIELDS:
            evidence = f"gold {_text_of(gold)}, the planner's own semantics give {_text_of(plan)}"
            yield Defect("inconsistent_gold", SOURCE, case.id, name, evidence, _text_of(right))
    if missing:
        evidence = f"triggered by the facts, absent from the trace: {', '.join(missing)}"
        yield Defect(
            "incomplete_trace", SOURCE, case.id, "gold_rule_trace", evidence, _text_of(closed.fields["gold_rule_trace"])
        )


def _text_of(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _lemmas(bundle: Bundle, case: Released, closed: Derived) -> Iterator[Defect]:
    for lemma in case.theory.lemmas:
        match = _STATEMENT.fullmatch(lemma.statement.strip())
        if match is None:
            continue
        truth = _truth(bundle, closed, match["predicate"], match["first"], match["second"] or "")
        claimed = match["not"] is None
        if truth is not None and truth != claimed:
            evidence = f'asserts "{lemma.statement}", which the axioms refute'
            right = f"{'' if truth else 'not '}{lemma.statement.removeprefix(match['not'] or '')}"
            yield Defect("false_lemma", SOURCE, case.id, f"isabelle.theory_code: {lemma.name}", evidence, right)


def _truth(bundle: Bundle, closed: Derived, predicate: str, first: str, second: str) -> bool | None:
    """The value of a statement of the theories in the closure, None where it is not about the case."""
    base, fields = bundle.rulebase, closed.fields
    if predicate == "article_triggered":
        return first in fields["triggered_articles"] if first in base.policies else None
    if predicate == "defeated":
        # defeated(a) does not ask whether a itself is triggered
        attackers = [r.winner for r in base.relations if second in r.losers]
        return any(name in fields["triggered_articles"] for name in attackers) if second in base.policies else None
    if predicate == "applicable":
        return second in fields["applicable_articles"] if second in base.policies else None
    if predicate == "final_no_liability":
        return bool(fields["final_no_liability"])
    if predicate == "final_legal_result_holds":
        results = {base.policies[name].consequence for name in fields["applicable_articles"]}
        return not fields["final_no_liability"] and second in results
    if predicate in base.concepts:
        return closed.evaluation.concepts[predicate] is True
    return None


def _narrative(bundle: Bundle, case: Released, gold: Mapping[str, Any], text: str) -> Iterator[Defect]:
    """The natural-language trace against what the planner's semantics give (a wrong gold is told apart)."""
    if not text:
        return
    names = {spoken(name): name for name in bundle.rulebase.policies}
    numbers = {str(what): number for number, (_, what) in bundle.rules.items() if isinstance(what, str)}

    def told(pattern: str) -> set[str]:
        return {names.get(m, m) for m in re.findall(pattern, text, re.M)}

    pairs = {
        (names.get(w, w), names.get(x, x))
        for w, x in re.findall(r"^However, (.+?) takes priority over (.+?)\.", text, re.M)
    }
    conflicts = {(str(w), str(x)) for w, x in (*_pairs(gold, "stronger"), *_pairs(gold, "exception"))}
    shown: dict[str, tuple[set[Any], set[Any]]] = {
        "triggered_articles": (told(r"^Consequently, (.+?) is triggered"), set(_names(gold, "triggered_articles"))),
        "applicable_articles": (told(r"^(.+?) is applicable\b"), set(_names(gold, "applicable_articles"))),
        "conflicts": (pairs, conflicts),
        "triggered_middle_concepts": (
            {int(n) for n in re.findall(r"^Therefore, .*\[Rule (\d+)\]", text, re.M)},
            {numbers[name] for name in _names(gold, "triggered_middle_concepts") if name in numbers},
        ),
    }
    answer = re.search(r"^Answer:\s*(.+?)\s*$", text, re.M)
    if answer is None:
        yield Defect("truncated_narrative", SOURCE, case.id, "natural_language_trace", "it has no answer line")
    elif answer[1].lower().replace("_", " ") != str(gold["final_result"]).lower().replace("_", " "):
        evidence = f"it answers {answer[1]}, right is {gold['final_result']}"
        yield Defect("wrong_narrative", SOURCE, case.id, "natural_language_trace", evidence, str(gold["final_result"]))
    for name, (found, expected) in shown.items():
        if found != expected:
            less = found < expected
            kind = "truncated_narrative" if less and answer is None else "wrong_narrative"
            evidence = f"{name}: it tells {_sorted(found)}, right are {_sorted(expected)}"
            yield Defect(kind, SOURCE, case.id, "natural_language_trace", evidence)


def _sorted(values: set[Any]) -> str:
    return ", ".join(sorted(str(value) for value in values)) or "none"


def _names(gold: Mapping[str, Any], field: str) -> list[str]:
    return [str(name) for name in gold.get(field, ())]


def _pairs(gold: Mapping[str, Any], kind: str) -> list[list[str]]:
    return list(gold.get(f"{kind}_conflicts", ()))


def _text(case: Released, lexicon: Lexicon, facts: Mapping[str, bool], text: str) -> Iterator[Defect]:
    leaks = symbols(text)
    if leaks:
        yield Defect("symbol_leak", SOURCE, case.id, "case_text", f"symbols in the text: {', '.join(leaks)}")
    sayable = set(lexicon.states.values())
    said = lexicon.said(case.id)
    for atom, value in facts.items():
        if value not in said.get(atom, {value}):
            evidence = f"the text states {'no ' if value else ''}{atom}, the axioms say {str(value).lower()}"
            yield Defect("wrong_text", SOURCE, case.id, "case_text", evidence, f"{atom} = {str(value).lower()}")
        elif value and (atom, True) in sayable and atom not in said:
            yield Defect(
                "omitted_fact", SOURCE, case.id, "case_text", f"{atom} is true and nowhere stated", f"{atom} = true"
            )


def _duplicates(bundle: Bundle, facts: Mapping[str, Mapping[str, bool]], texts: Mapping[str, str]) -> Iterator[Defect]:
    first: dict[tuple[bool, ...], str] = {}
    for case in bundle.cases:
        twin = first.setdefault(tuple(facts[case.id][atom] for atom in bundle.rulebase.facts), case.id)
        if twin != case.id:
            yield Defect("duplicate", SOURCE, case.id, "positive_atomic_facts", f"the same conditions as {twin}", twin)
    runs = {case: shingles(text) for case, text in texts.items()}
    ids = list(texts)
    for position, one in enumerate(ids):
        for other in ids[:position]:
            if facts[one] != facts[other] and similarity(runs[one], runs[other]) >= ALIKE:
                yield Defect(
                    "copied_text", SOURCE, one, "case_text", f"the text of {other}, whose conditions differ", other
                )
