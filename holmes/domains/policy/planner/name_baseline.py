"""The baseline of subsets: an answer guessed from the facts that policies name, everything unfolded."""

from __future__ import annotations

from holmes.domains.policy.planner.draws import parts
from holmes.domains.policy.questions.terms import Question, covers, expression, universal
from holmes.logic.language.model import Compare, Expr, Not, PolicyTest, Ref, RuleBase
from holmes.logic.language.walk import children

Literal = tuple[str, bool]


def named(expr: Expr, base: RuleBase, sign: bool = True) -> frozenset[Literal]:
    """Return the facts that a condition names, with the sign under which it does, everything unfolded."""
    match expr:
        case Not(arg=arg):
            return named(arg, base, not sign)
        case Ref(kind="fact", name=name):
            return frozenset({(name, sign)})
        case Compare(left=Ref(kind="fact", name=name), op=op):
            return frozenset({(name, sign is (op in (">", ">=")))})
        case Ref() | PolicyTest() | Compare():
            inner = parts(expr, base)
            if isinstance(expr, PolicyTest) and expr.kind == "applies":
                return frozenset(
                    literal
                    for part in inner
                    for literal in named(
                        part, base, sign is (isinstance(part, PolicyTest) and part.kind == "triggered")
                    )
                )
            return frozenset(literal for part in inner for literal in named(part, base, sign))
        case _:
            return frozenset(literal for part in children(expr) for literal in named(part, base, sign))


def name_baseline(question: Question, base: RuleBase) -> str:
    """Guess the answer to a question from the facts that its policies name.

    The baseline of subsets: P is within Q if P names all that Q names; they are equal if they name the same; they
    exclude each other if one denies what the other names; P covers the case told if half of what it names is so there.
    For `governs` the guess is the place of the branch; for `which` it is empty.
    """
    if question.form == "which":
        return ""
    if question.form in ("accepts", "governs"):
        return _by_share(question, base)
    terms = [named(expression(term, question.sense, base), base) for term in question.terms]
    own = [named(covers(rule, question.sense, base), base) for rule in question.family]
    match question.form:
        case "subsumes":
            held = terms[1] <= terms[0]
        case "equivalent":
            held = terms[0] == terms[1]
        case "disagree":
            held = terms[question.picked[0]] == terms[question.picked[1]]
        case "exclusive":
            held = _opposed(terms[0], terms[1])
        case "comparable":
            held = terms[0] <= terms[1] or terms[1] <= terms[0]
        case "changes":
            rule = named(covers(question.terms[0].rules[0], question.sense, base), base)
            condition = question.terms[0].condition
            held = condition is not None and _opposed(rule, named(condition, base))
        case _:
            held = all(_opposed(one, terms[0]) if question.apart else terms[0] <= one for one in own)
    rest = universal(question.form)
    return rest if held else "no" if rest == "yes" else "yes"


def _opposed(one: frozenset[Literal], two: frozenset[Literal]) -> bool:
    return any((name, not sign) in two for name, sign in one)


def _by_share(question: Question, base: RuleBase) -> str:
    record = dict(question.record)

    def share(condition: Expr) -> float:
        literals = named(condition, base)
        return sum(bool(record[name]) is sign for name, sign in literals) / len(literals) if literals else 0.0

    if question.form == "accepts":
        return "yes" if share(expression(question.terms[0], question.sense, base)) >= 0.5 else "no"
    for place, (condition, _) in enumerate(question.branches):
        if condition is None or share(condition) >= 0.5:
            return str(place)
    return "2"
