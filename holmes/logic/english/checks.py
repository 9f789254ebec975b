"""Are the texts of a rule base fit to be read? Wordings, rule sentences against formulas, case sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from holmes.logic.english.lexicon import labels, lexicon, spellings
from holmes.logic.english.roundtrip import differences
from holmes.logic.language.model import FactDecl, RuleBase
from holmes.logic.language.problems import Problem
from holmes.logic.narrative.render import compiled

NEEDED = 3


def check_text(rulebase: RuleBase, *, warning: bool = False) -> list[Problem]:
    """Return every fault of the texts of a rule base, by line (issue 3, item 1; docs/rule-english.md).

    rulebase: loaded. warning: mark the faults as warnings (rule bases recovered from the authors' releases).
    Faults: a phrase missing, shared or without content; a rule text that cannot be read or says something else than
    its formula; case sentences that are too few, alike, incomplete, or that give an inference away.
    """
    found = [*_wordings(rulebase), *_rules(rulebase), *_cases(rulebase), *_shared(rulebase)]
    if warning:
        found = [replace(problem, warning=True) for problem in found]
    return sorted(found, key=lambda p: (p.line, p.rule, p.field))


def _problem(rulebase: RuleBase, line: int, rule: str, field: str, found: str, expected: str) -> Problem:
    return Problem(rulebase.path, line, rule, field, found, expected, "text")


# ---------------------------------------------------------------- wordings
def _wordings(rulebase: RuleBase) -> Iterator[Problem]:
    words = lexicon(rulebase)
    for fact in rulebase.facts.values():
        if not fact.phrases:
            yield _problem(
                rulebase, fact.line, fact.name, "phrase", "no phrase", "the words by which rules refer to it"
            )
    for concept in rulebase.concepts.values():
        if not concept.phrases:
            yield _problem(rulebase, concept.line, str(concept.rule), "phrase", "no phrase", "the words that name it")
    line = {f.name: (f.line, f.name) for f in rulebase.facts.values()}
    line |= {c.name: (c.line, str(c.rule)) for c in rulebase.concepts.values()}
    decision = (rulebase.decision.line, str(rulebase.decision.rule))
    for text, first, second in words.clashes:
        place, rule = line.get(second, decision)
        yield _problem(rulebase, place, rule, "phrase", f"{text!r}, which means {first} too", "a phrase of its own")
    for name, text in words.empty:
        place, rule = line.get(name, decision)
        yield _problem(rulebase, place, rule, "phrase", f"{text!r}, function words only", "a word with content")
    for label in labels(rulebase.decision):
        if not any(label == name and texts for name, texts in rulebase.decision.labels) and rulebase.decision.labels:
            yield _problem(rulebase, *decision, "labels", f"no wording of {label}", "one or more")


# ---------------------------------------------------------------- rules
def _rules(rulebase: RuleBase) -> Iterator[Problem]:
    line = {c.rule: c.line for c in rulebase.concepts.values()}
    line |= {t.rule: t.line for t in rulebase.tables.values()}
    line |= {r.rule: r.line for r in rulebase.relations if not r.stated_in}
    line |= {p.rule: p.line for p in rulebase.policies.values()}
    line[rulebase.decision.rule] = rulebase.decision.line
    if rulebase.amount is not None:
        line[rulebase.amount.rule] = rulebase.amount.line
    for difference in differences(rulebase):
        place = line.get(difference.rule, 0)
        yield _problem(rulebase, place, str(difference.rule), "text", difference.found, difference.expected)


# ---------------------------------------------------------------- case sentences
def _cases(rulebase: RuleBase) -> Iterator[Problem]:
    seen: list[tuple[str, str, str, str]] = []  # (plain sentence, fact, field, sentence)
    for fact in rulebase.facts.values():
        for field, texts in _sentences(fact).items():
            if len(texts) < NEEDED:
                yield _problem(rulebase, fact.line, fact.name, field, f"{len(texts)} phrasings", f"{NEEDED} or more")
            for text in texts:
                yield from _placeholders(rulebase, fact, field, text)
                yield from _shape(rulebase, fact, field, text)
                yield from _leaks(rulebase, fact, field, text)
                yield from _alike(rulebase, fact, field, text, seen)
                seen.append((_plain(text), fact.name, field, text))


def _sentences(fact: FactDecl) -> Mapping[str, tuple[str, ...]]:
    if fact.type.kind == "list":
        return {f"says.{name}": texts for name, texts in fact.field_says}
    if fact.type.kind == "bool":
        return {"says": fact.says, "denies": fact.denies}
    return {"says": fact.says}


def _placeholders(rulebase: RuleBase, fact: FactDecl, field: str, text: str) -> Iterator[Problem]:
    there = re.findall(r"\{([^}]*)\}", text)
    needed: list[str] = []
    if fact.type.kind == "list":
        kind = dict(fact.type.fields)[field.removeprefix("says.")].kind
        needed = ["names"] if kind == "bool" else ["name", "v"]
    elif fact.type.kind != "bool":
        needed = ["v"]
    for name in needed:
        if there.count(name) != 1:
            found = f"{{{name}}} {'missing' if name not in there else 'twice'} in {text!r}"
            yield _problem(rulebase, fact.line, fact.name, field, found, f"{{{name}}} once")
    for name in there:
        if name not in needed and name not in rulebase.entities:
            known = ", ".join(f"{{{n}}}" for n in (*needed, *rulebase.entities))
            yield _problem(rulebase, fact.line, fact.name, field, f"the placeholder {{{name}}}", f"one of {known}")
    if re.search(r"[\w.]\{|\}\w", text):
        yield _problem(
            rulebase, fact.line, fact.name, field, f"a placeholder that touches a word in {text!r}", "a space"
        )
    if text.count("{") != len(there) or text.count("}") != len(there):
        yield _problem(rulebase, fact.line, fact.name, field, f"a stray brace in {text!r}", "placeholders in braces")


def _shape(rulebase: RuleBase, fact: FactDecl, field: str, text: str) -> Iterator[Problem]:
    if not text.endswith(".") or re.search(r"[.!?]\s", text):
        yield _problem(rulebase, fact.line, fact.name, field, repr(text), "one sentence that ends with a full stop")
    if "; " in text or ", and " in text:
        yield _problem(
            rulebase,
            fact.line,
            fact.name,
            field,
            repr(text),
            "a sentence without `; ` and `, and `, which join sentences",
        )
    for name in sorted({n for names in rulebase.names.values() for n in names}):
        if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text):
            yield _problem(rulebase, fact.line, fact.name, field, f"the name {name} in {text!r}", "a placeholder")


def _leaks(rulebase: RuleBase, fact: FactDecl, field: str, text: str) -> Iterator[Problem]:
    plain = _plain(text)
    for what, wording in _forbidden(rulebase):
        if re.search(rf"(?<![\w{{]){re.escape(wording)}(?![\w}}])", plain):
            found = f"{wording!r} of {what} in {text!r}"
            yield _problem(rulebase, fact.line, fact.name, field, found, "facts only, in words of their own")


def _forbidden(rulebase: RuleBase) -> Iterator[tuple[str, str]]:
    """Yield what a case must not say: concepts, consequences, and names of the file that are no words."""
    for concept in rulebase.concepts.values():
        for phrase in (*concept.phrases, *concept.negated):
            yield f"the concept {concept.name}", _plain(phrase)
    for label in labels(rulebase.decision):
        for wording in spellings(rulebase.decision, label):
            yield f"the consequence {label}", _plain(wording)
    for name in (*rulebase.facts, *rulebase.concepts, *rulebase.policies, *rulebase.tables):
        if "_" in name:
            yield "a symbol", name.lower()


def _alike(
    rulebase: RuleBase, fact: FactDecl, field: str, text: str, seen: list[tuple[str, str, str, str]]
) -> Iterator[Problem]:
    plain = _plain(text)
    for other, name, where, sentence in seen:
        same = plain == other
        if same or _inside(plain, other) or _inside(other, plain):
            found = f"{text!r}, {'the same as' if same else 'a part of or more than'} {sentence!r} of {name} ({where})"
            yield _problem(rulebase, fact.line, fact.name, field, found, "a sentence that no other holds")


def _shared(rulebase: RuleBase) -> Iterator[Problem]:
    """Find sentences that two facts share for some value, such as `{v} crowns` and `5 crowns`."""
    for first, second, sentence in compiled(rulebase).ambiguous():
        line = rulebase.facts[second].line
        found = f"{sentence!r}, which may state {first} too"
        yield _problem(rulebase, line, second, "says", found, "a sentence of this fact alone")


def _inside(part: str, whole: str) -> bool:
    place = whole.find(part)
    if place < 0:
        return False
    return bool(re.search(rf"(?<!\w){re.escape(part)}(?!\w)", whole))


def _plain(text: str) -> str:
    return " ".join(text.lower().split()).rstrip(".")
