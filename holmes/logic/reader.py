"""The second path: numbered rule text and a lexicon -> a rule base, without a look at any declared condition."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from holmes.errors import InputError
from holmes.logic import frames, operators
from holmes.logic.arithmetic import amount
from holmes.logic.clauses import condition, joined, parse
from holmes.logic.lexicon import Lexicon
from holmes.logic.model import (
    BOOL,
    MONEY,
    Amount,
    Concept,
    Decision,
    Expr,
    Lookup,
    Policy,
    Ref,
    Relation,
    RuleBase,
    Table,
)
from holmes.logic.quantities import Quantities
from holmes.logic.records import quantified
from holmes.logic.tables import read_table
from holmes.logic.tokens import TextError, Token, tokenise
from holmes.logic.walk import rebuild

_LINE = re.compile(
    r"\s*Rule (\d+)(?: \((?=[ma]|standard)(mandatory|standard)?((?:(?:, )?among the [\w ]+)*)\))?: *(.*)"
)
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


class ReadError(InputError):
    """A rule text that cannot be read; rule, found and expected are fields too."""

    def __init__(self, rule: int, found: str, expected: str) -> None:
        self.rule, self.found, self.expected = rule, found, expected
        super().__init__(f"rule {rule}: found {found}, expected {expected}")


@dataclass(frozen=True, slots=True)
class Line:
    """One numbered rule as printed: number, mark of its gate, text, table rows."""

    number: int
    gate: str
    text: str
    rows: tuple[str, ...] = ()
    families: tuple[str, ...] = ()


@dataclass(slots=True)
class Reading:
    """What the rule texts say, by rule number; `rulebase` makes a rule base of it."""

    concepts: dict[int, tuple[str, Expr]] = field(default_factory=dict)
    policies: dict[int, Policy] = field(default_factory=dict)
    relations: list[tuple[str, int, tuple[int, ...], int, bool]] = field(default_factory=list)
    tables: dict[int, Table] = field(default_factory=dict)
    decision: Decision | None = None
    amount: Amount | None = None
    references: list[tuple[int, str, int]] = field(default_factory=list)  # (rule, concept, rule referred to)
    families: dict[str, list[int]] = field(default_factory=dict)  # name -> rules marked as members
    glosses: list[tuple[int, int, str]] = field(default_factory=list)  # (rule, rule named, its consequence as named)
    heads: dict[str, int] = field(default_factory=dict)  # name of a composed or selecting policy -> its rule


def lines(text: str) -> list[Line]:
    """Cut a printed rule text into its numbered rules, in the order printed.

    text: lines `Rule 4: …`, table rows `| … |` under their rule. Raises InputError naming a line that is neither,
    or a number that comes twice.
    """
    found: list[Line] = []
    for place, row in enumerate(text.splitlines(), 1):
        if match := _LINE.fullmatch(row):
            kin = tuple(name.replace(" ", "_") for name in re.findall(r"among the ([\w ]+)", match[3] or ""))
            found.append(Line(int(match[1]), match[2] or "", match[4].strip(), families=kin))
        elif row.strip().startswith("|") and found:
            found[-1] = replace(found[-1], rows=(*found[-1].rows, row.strip()))
        elif row.strip():
            raise InputError(
                f"line {place}: found {row.strip()[:60]!r}, expected `Rule <number>: <text>` or a table row"
            )
    seen: set[int] = set()
    for line in found:
        if line.number in seen:
            raise InputError(f"rule {line.number}: found twice, expected each number once")
        seen.add(line.number)
    return found


def read_rules(lexicon: Lexicon, text: str) -> RuleBase:
    """Read a printed rule text.

    lexicon: names, types and wordings (`holmes.logic.lexicon.lexicon`). text: as `rules_text` prints it, any order.
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
    if found := frames.decision(line.text, number, lexicon):
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
        value = amount(tokenise(line.text[match.end() :], lexicon), lexicon)
        reading.amount = Amount(number, MONEY, value, line.text)
        return
    inside, rest = frames.stated(line.text)
    rest = _PASSES.sub("", rest)
    if not line.gate and not inside and (value_of := _value(lexicon, rest)):
        _define(reading, number, *value_of)
        return
    tokens = _tokens(lexicon, rest, number, reading)
    for kind, losers in inside:
        reading.relations.append((kind, number, losers, number, True))
    wordings = [t for t in tokens if t.kind == "label"]
    if wordings:
        when = _consequence(tokens)
        policy = Policy(f"rule_{number}", number, line.text, when=when, consequence=wordings[0].value, gate=line.gate)
        reading.policies[number] = policy
    elif line.gate or (_MUST.search(line.text) and not _defines(tokens)):
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


def _value(lexicon: Lexicon, text: str) -> tuple[str, Expr] | None:
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
    return tokens[place].value, amount(tokens[after:], lexicon)


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


def resolve(reading: Reading) -> None:
    """Fill in what other rules say: the keys of tables that are looked up, the rules of named reviews."""
    keys = {table.name: table.keys for table in reading.tables.values()}

    def filled(expr: Expr) -> Expr:
        if isinstance(expr, Lookup) and not expr.keys and expr.table in keys:
            return Lookup(expr.table, keys[expr.table])
        return rebuild(expr, filled)

    def named(part: str) -> str:
        return f"rule_{reading.heads[part]}" if part in reading.heads else part

    for number, (name, body) in reading.concepts.items():
        reading.concepts[number] = (name, filled(body))
    if reading.amount is not None:
        reading.amount = replace(reading.amount, value=filled(reading.amount.value))
    for number, policy in reading.policies.items():
        parts = tuple(map(named, policy.parts))
        branches = tuple((value, named(part)) for value, part in policy.branches)
        when = None if policy.when is None else filled(policy.when)
        reading.policies[number] = replace(policy, parts=parts, branches=branches, when=when)


def _tokens(lexicon: Lexicon, text: str, number: int, reading: Reading) -> list[Token]:
    quantities = Quantities(quantified(tokenise(text, lexicon), lexicon), lexicon)
    tokens = quantities.read()
    reading.references += [(number, concept, rule) for concept, rule in quantities.references]
    while tokens and tokens[-1].kind == "mark" and tokens[-1].value in ".;,":
        tokens.pop()
    return tokens


def _consequence(tokens: list[Token]) -> Expr:
    """Parse a rule with a consequence: its wording is the border between two conditions, both needed."""
    places = [i for i, t in enumerate(tokens) if t.kind == "label"]
    if len(places) > 1:
        names = " and ".join(repr(tokens[i].text) for i in places)
        raise TextError(f"two consequences, {names}", "one")
    place = places[0]
    before = [t for t in tokens[:place] if t.kind not in ("filler", "must", "quant")]
    if before and before[-1].kind == "not":
        raise TextError(f"{before[-1].text!r} before the consequence", "a consequence that is stated")
    row = [t for t in tokens if t.kind != "means"]
    return condition([Token("border") if t.kind == "label" else t for t in row])


def _defines(tokens: Sequence[Token]) -> bool:
    return any(t.kind == "means" for t in tokens)


def definition(tokens: list[Token], lexicon: Lexicon) -> tuple[str, Expr]:
    """Read the sentence of a concept: the concept it defines and its body (docs/rule-english.md, section 5)."""
    means = [i for i, t in enumerate(tokens) if t.kind == "means"]
    if means:
        left = [t for t in tokens[: means[0]] if t.kind == "atom"]
        if len(left) != 1 or not _head(left[0], lexicon):
            raise TextError(f"{tokens[means[0]].text!r} after no concept", "the phrase of one concept before it")
        rest = [t for i, t in enumerate(tokens) if i > means[0] and t.kind != "means"]
        return left[0].value, condition(rest)
    row = joined(tokens)
    borders = [i for i, t in enumerate(row) if t.kind == "border"]
    if not row:
        raise TextError("no phrase", "a definition or a rule with a consequence")
    if not borders:
        if _head(row[0], lexicon) and len(row) > 1 and row[1].kind in ("soft", "except"):
            rest = row[1:] if row[1].kind == "except" else row[2:]
            return row[0].value, parse(rest)
        if row[0].kind == "except" and _head(row[-1], lexicon):
            raise TextError("an exception with no concept after a comma", "`Unless P, there is a C`")
        raise TextError("neither a consequence nor a concept that is defined", "a frame of docs/rule-english.md")
    if len(borders) > 1:
        raise TextError("three phrases side by side", "connectives between them")
    place = borders[0]
    if place + 1 < len(row) and _head(row[place + 1], lexicon):
        after = row[place + 2 :]
        if after and after[0].kind == "soft":
            after = after[1:]
        elif after and after[0].kind not in ("except", "same"):
            raise TextError(f"{after[0].text!r} after the concept defined", "`if`, `unless`, or the end")
        return row[place + 1].value, parse([*row[:place], Token("border"), *after])
    if place == 1 and _head(row[0], lexicon):
        return row[0].value, parse(row[2:])
    raise TextError(
        "a sentence without a consequence that defines no concept", "the phrase of a concept at its end or start"
    )


def _head(token: Token, lexicon: Lexicon) -> bool:
    return token.kind == "atom" and token.positive and token.value in lexicon.concepts


def assemble(lexicon: Lexicon, reading: Reading) -> RuleBase:
    """Make a rule base of what was read; raises ReadError for references that lead nowhere."""
    resolve(reading)
    by_name = {name: (number, body) for number, (name, body) in reading.concepts.items()}
    for rule, concept, target in reading.references:
        if by_name.get(concept, (0,))[0] != target:
            raise ReadError(
                rule, f"a reference to Rule {target} beside {concept!r}", f"Rule {by_name.get(concept, ('?',))[0]}"
            )
    for kind, winner, losers, rule, _ in reading.relations:
        for number in (winner, *losers):
            if number not in reading.policies:
                raise ReadError(rule, f"Rule {number} in a relation ({kind})", "the number of a rule with a condition")
    for rule, named, label in reading.glosses:
        if reading.policies[named].consequence != label:
            raise ReadError(rule, f"{label} as the consequence of Rule {named}", reading.policies[named].consequence)
    source = lexicon.source
    concepts: Mapping[str, Concept] = {
        name: Concept(name, number, (), lexicon.types.get(name, BOOL), body, "")
        for name, (number, body) in by_name.items()
    }
    decision = reading.decision
    if decision is None:
        raise InputError("rule text: found no rule of decision, expected one")
    if decision.pick == "gates":
        inner = {part for p in reading.policies.values() for part in (*p.parts, *(t for _, t in p.branches))}
        tops = [p for p in reading.policies.values() if p.operator in ("compose", "select") and p.name not in inner]
        if len(tops) != 1:
            raise ReadError(decision.rule, f"{len(tops)} reviews that no other review asks for", "one")
        decision = replace(decision, gates=tops[0].name)
    return RuleBase(
        name=source.name if source else "",
        path=source.path if source else "",
        defeat=source.defeat if source else "grounded",
        closed_world=source.closed_world if source else True,
        entities=source.entities if source else {},
        facts=lexicon.facts,
        integrity=(),
        concepts=concepts,
        tables={table.name: table for table in reading.tables.values()},
        policies={policy.name: policy for policy in reading.policies.values()},
        families={name: tuple(f"rule_{n}" for n in numbers) for name, numbers in reading.families.items()},
        relations=tuple(
            Relation(kind, f"rule_{winner}", tuple(f"rule_{n}" for n in losers), rule, inside)
            for kind, winner, losers, rule, inside in reading.relations
        ),
        decision=decision,
        amount=reading.amount,
        fingerprint="",
        names=source.names if source else {},
    )
