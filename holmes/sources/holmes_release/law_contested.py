"""Released law cases whose gold rests on no stated rule, or on another rule than the printed one; false trace lines."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from holmes.logic.engine.evaluate import evaluate
from holmes.results import Defect
from holmes.sources.holmes_release.law_gold import Derived
from holmes.sources.holmes_release.law_import import spoken
from holmes.sources.holmes_release.law_rulebases import NO_LIABILITY, Bundle, Released

SOURCE = "law_release"
CONTESTED = ("mixed_verdict", "undecided_tie", "printed_rule_differs")
_FIELD = "natural_language_trace"
_SINCE = re.compile(r"^Since (.+?) is not established, (.+?) is not triggered\b.*$", re.M)
_STANDING = re.compile(r"^(.+?) is not (defeated|applicable)\.\s*$", re.M)
_CONFLICT = re.compile(r"^However, .+ takes priority over .+$", re.M)


def contested(bundle: Bundle, case: Released, planned: Derived, closed: Derived) -> Iterator[Defect]:
    """Yield what makes a gold contestable.

    mixed_verdict: articles with and without liability apply together, and no rule says that none prevails.
    undecided_tie: the facts make articles with different results apply, and no rule ranks them. printed_rule_differs:
    the printed conflict rules speak of articles that both *apply*, the formal ones of articles that are *triggered*:
    an article that is itself set aside sets others aside in the gold only.
    """
    results = {name: policy.consequence for name, policy in bundle.rulebase.policies.items()}
    applied = [name for name in map(str, case.gold.get("applicable_articles", ())) if name in results]  # type: ignore[call-overload]
    free = [name for name in applied if results[name] == NO_LIABILITY]
    if free and len(free) < len(applied):
        evidence = f"gold {case.gold.get('final_result')}: {_listed(applied, results)} apply, no rule ranks them"
        yield Defect("mixed_verdict", SOURCE, case.id, "final_result", evidence)
    tied = [str(name) for name in closed.fields["applicable_articles"]]
    if len({results[name] for name in tied}) > 1 and all(results[name] != NO_LIABILITY for name in tied):
        evidence = f"gold {case.gold.get('final_result')}: {_listed(tied, results)} apply, no rule ranks them"
        yield Defect("undecided_tie", SOURCE, case.id, "final_result", evidence)
    base = replace(planned.evaluation.rulebase, defeat="grounded")
    printed = evaluate(base, case.theory.assignment())
    applies = [name for name in base.policies if printed.applies[name]]
    if applies != planned.fields["applicable_articles"]:
        less = [name for name in applies if name not in planned.fields["applicable_articles"]]
        evidence = (
            f"gold {', '.join(applied) or 'none'}; as printed ('both apply') also {', '.join(less)}, "
            "whose attackers are themselves set aside"
        )
        yield Defect("printed_rule_differs", SOURCE, case.id, "applicable_articles", evidence, ", ".join(applies))


def _listed(names: list[str], results: Mapping[str, str]) -> str:
    return ", ".join(f"{name} ({results[name]})" for name in names)


def gaps(case: Released, closed: Derived) -> Iterator[Defect]:
    """Yield concepts that the facts establish and the trace lacks, where it has every article; and a case type that
    the gold belies."""
    right = {str(name) for name in closed.fields["triggered_middle_concepts"]}
    missing = sorted(right - set(map(str, case.gold.get("triggered_middle_concepts", ()))))  # type: ignore[call-overload]
    articles = set(closed.fields["triggered_articles"]) - set(case.gold.get("triggered_articles", ()))  # type: ignore[call-overload]
    if missing and not articles:
        evidence = f"established by the facts, absent from the trace: {', '.join(missing)}"
        whole = ", ".join(sorted(right))
        yield Defect("concept_missing", SOURCE, case.id, "triggered_middle_concepts", evidence, whole)
    kind = str(case.row.row("difficulty_profile").value.get("case_type", ""))
    if ("exception" in kind) != bool(case.gold.get("exception_conflicts")):
        count = len(case.gold.get("exception_conflicts", ()))  # type: ignore[arg-type]
        evidence = f"the type is {kind}, the gold has {count} exception conflicts"
        yield Defect("wrong_case_type", SOURCE, case.id, "difficulty_profile.case_type", evidence)


def false_lines(bundle: Bundle, case: Released, closed: Derived, text: str) -> Iterator[Defect]:
    """Yield lines of a narrative that the facts refute, and its conflict lines without a rule."""
    base = bundle.rulebase
    articles = {spoken(name).casefold(): name for name in base.policies}
    concepts = {spoken(name).casefold(): name for name in base.concepts}
    triggered = set(closed.fields["triggered_articles"])
    for line in _SINCE.finditer(text):
        concept, article = concepts.get(line[1].casefold()), articles.get(line[2].casefold())
        if concept is not None and closed.evaluation.concepts[concept] is True:
            yield _false(case, line[0], f"{concept} is established")
        elif article in triggered:
            yield _false(case, line[0], f"{article} is triggered")
    for line in _STANDING.finditer(text):
        article = articles.get(line[1].casefold())
        if article is None:
            continue
        state = {"defeated": "defeated_articles", "applicable": "applicable_articles"}[line[2]]
        if article in closed.fields[state]:
            yield _false(case, line[0], f"{article} is {line[2]}")
    bare = [line[0] for line in _CONFLICT.finditer(text) if "[Rule" not in line[0]]
    if bare:
        yield Defect("uncited_conflict", SOURCE, case.id, _FIELD, f"{len(bare)} lines cite no rule: {bare[0]}")


def _false(case: Released, line: str, why: str) -> Defect:
    return Defect("false_line", SOURCE, case.id, _FIELD, f"it says: {line.strip()}", why)
