"""The second path: numbered rule text and a lexicon -> a rule base, without a look at any declared condition."""

from __future__ import annotations

import re

from holmes.logic.english import frames, operators
from holmes.logic.english.arithmetic import amount
from holmes.logic.english.assembly import assemble
from holmes.logic.english.conditions import condition
from holmes.logic.english.decisions import decision
from holmes.logic.english.definitions import consequence, definition
from holmes.logic.english.lexicon import Lexicon
from holmes.logic.english.quantifiers import quantified
from holmes.logic.english.quantities import Quantities
from holmes.logic.english.rule_lines import Line, ReadError, Reading, lines
from holmes.logic.english.tables import read_table
from holmes.logic.english.tokenizer import TextError, Token, tokenise
from holmes.logic.language.model import MONEY, Amount, Expr, Policy, Ref, RuleBase

_AMOUNT = re.compile(
    r"(?:what is (?:paid|due|owed|reimbursed|to be paid)|(?:the|an?) (?:amount|sum|payment|reimbursement)"
    r"(?: paid| due| owed| reimbursed| to be paid| that is paid)?) (?:is|are|equals|amounts to|comes to|consists of)\b",
    re.IGNORECASE,
)
_PASSES = re.compile(
    r"^nothing (?:passes|is paid|counts|is granted) (?:unless|except if|except where)\b", re.IGNORECASE
)
_MUST = re.compile(
    r"\b(?:must|ha(?:s|ve) to|needs? to|(?:is|are) (?:required|needed)|may not|nothing passes)\b", re.IGNORECASE
)


def read_rules(lexicon: Lexicon, text: str) -> RuleBase:
    """Read a printed rule text.

    lexicon: names, types and wordings (`english.lexicon.lexicon`). text: as `rules_text` prints it, any order.
    Returns a rule base whose policies are named `rule_<number>`; facts, types and wordings come from the lexicon,
    everything else from the text. Raises ReadError naming rule, found and expected.
    """
    reading = Reading()
    for line in sorted(lines(text), key=lambda line: line.number):
        read_line(lexicon, line, reading)
    return assemble(lexicon, reading)


def read_line(lexicon: Lexicon, line: Line, reading: Reading) -> None:
    """Read one rule into `reading`; raises ReadError."""
    try:
        _read(lexicon, line, reading)
    except TextError as error:
        raise ReadError(line.number, error.found, error.expected) from error


def _read(lexicon: Lexicon, line: Line, reading: Reading) -> None:
    number = line.number
    for name in line.families:
        reading.families.setdefault(name, []).append(number)
    if line.rows:
        tokens = tokenise(line.text, lexicon)
        reading.tables[number] = read_table(tokens, line.rows, number, line.text, lexicon)
        return
    plain, glosses = _glosses(line.text, lexicon)
    if said := frames.relation(plain):
        reading.glosses += [(number, rule, label) for rule, label in glosses]
        for winner in said.winners:
            reading.relations.append((said.kind, winner, said.losers, number, False))
        return
    if found := decision(line.text, number, lexicon):
        if reading.decision is not None:
            raise TextError("a second rule of decision", f"one (Rule {reading.decision.rule})")
        reading.decision = found
        return
    if operator := _operator(lexicon, line, reading):
        reading.policies[number] = operator
        return
    if disarm := frames.disarms(line.text):
        losers, text = disarm
        when = condition(_tokens(lexicon, text, number, reading))
        reading.policies[number] = Policy(f"rule_{number}", number, line.text, when=when)
        reading.relations.append(("exception", number, losers, number, True))
        return
    if match := _AMOUNT.match(line.text):
        named: list[tuple[str, int]] = []
        value = amount(tokenise(line.text[match.end() :], lexicon), lexicon, named)
        reading.references += [(number, table, rule) for table, rule in named]
        reading.amount = Amount(number, MONEY, value, line.text)
        return
    inside, rest = frames.stated(line.text)
    rest = _PASSES.sub("", rest)
    if not line.gate and not inside and (value_of := _value(lexicon, rest, number, reading)):
        _define(reading, number, *value_of)
        return
    tokens = _tokens(lexicon, rest, number, reading)
    for kind, losers in inside:
        reading.relations.append((kind, number, losers, number, True))
    wordings = [t for t in tokens if t.kind == "label"]
    if wordings:
        when = consequence(tokens)
        policy = Policy(f"rule_{number}", number, line.text, when=when, consequence=wordings[0].value, gate=line.gate)
        reading.policies[number] = policy
    elif line.gate or (_MUST.search(line.text) and not any(t.kind == "means" for t in tokens)):
        reading.policies[number] = Policy(f"rule_{number}", number, line.text, when=condition(tokens), gate=line.gate)
    else:
        _define(reading, number, *definition(tokens, lexicon))


def _glosses(text: str, lexicon: Lexicon) -> tuple[str, list[tuple[int, str]]]:
    """Cut `the fine of` before `Rule 3`; returns the text and (rule, consequence) for each."""
    known = {" ".join(phrase): m.name for phrase, m in lexicon.phrases.items() if m.kind == "label"}
    if not known:
        return text, []
    words = "|".join(map(re.escape, sorted(known, key=len, reverse=True)))
    pattern = re.compile(rf"\bthe ({words}) (?:of|in|under|from|set out in) (?=Rule (\d+))", re.IGNORECASE)
    found = [(int(match[2]), known[match[1].lower()]) for match in pattern.finditer(text)]
    return pattern.sub("", text), found


def _define(reading: Reading, number: int, name: str, body: Expr) -> None:
    for other, (there, _) in reading.concepts.items():
        if there == name:
            raise TextError(f"a second definition of {name!r}", f"one (Rule {other})")
    reading.concepts[number] = (name, body)


def _value(lexicon: Lexicon, text: str, number: int, reading: Reading) -> tuple[str, Expr] | None:
    """Read `The lodging limit is …`, where the concept has a value; None for another sentence."""
    if _MUST.search(text):
        return None
    tokens = tokenise(text, lexicon)
    quiet = ("", "count")
    place = next((i for i, t in enumerate(tokens) if t.kind != "filler" and t.value not in quiet), len(tokens))
    if place >= len(tokens) or tokens[place].kind != "num" or tokens[place].value not in lexicon.concepts:
        return None
    if any(t.kind == "label" for t in tokens):
        return None
    after = place + 1
    while after < len(tokens) and (tokens[after].kind in ("means", "mark") or tokens[after].value == "=="):
        after += 1
    named: list[tuple[str, int]] = []
    value = amount(tokens[after:], lexicon, named)
    reading.references += [(number, table, rule) for table, rule in named]
    return tokens[place].value, value


def _operator(lexicon: Lexicon, line: Line, reading: Reading) -> Policy | None:
    """Read a rule that makes a policy of other policies; None for another sentence."""
    name, number = f"rule_{line.number}", line.number
    if made := operators.transformation(line.text):
        base, text, what = made
        tokenise(what, lexicon)
        unless = condition(_tokens(lexicon, text, number, reading))
        return Policy(name, number, line.text, "transform", base=f"rule_{base}", unless=unless, gate=line.gate)
    if composed := operators.composition(line.text, lexicon):
        reading.heads[composed.name] = number
        parts = tuple(_target(part) for part in composed.parts)
        return Policy(name, number, line.text, "compose", parts=parts, mode=composed.mode)
    if selected := operators.selection(line.text, lexicon):
        branches = tuple((value, _target(part)) for value, part in selected.branches)
        selector = Ref(selected.selector, "concept" if selected.selector in lexicon.concepts else "fact")
        return Policy(name, number, line.text, "select", selector=selector, branches=branches)
    return None


def _target(part: int | str) -> str:
    return f"rule_{part}" if isinstance(part, int) else part


def _tokens(lexicon: Lexicon, text: str, number: int, reading: Reading) -> list[Token]:
    quantities = Quantities(quantified(tokenise(text, lexicon), lexicon), lexicon)
    tokens = quantities.read()
    reading.references += [(number, concept, rule) for concept, rule in quantities.references]
    while tokens and tokens[-1].kind == "mark" and tokens[-1].value in ".;,":
        tokens.pop()
    return tokens
