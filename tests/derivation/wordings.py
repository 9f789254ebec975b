"""A matrix of wordings: what is said of a step, in how many words, and six ways of citing its rule."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from holmes.scoring.derivation import claims_in
from holmes.scoring.derivation.reference import Reference
from holmes.scoring.derivation.targets import Target

HOLDS = (
    "there is {a}", "{name} is present", "{name} is established", "{name} holds", "{name} exists", "{name}: yes",
    "{name} is given", "this makes {a}", "that amounts to {a}", "this counts as {a}", "{name} = true", "{name} = 1",
    "✓ {name}", "{name} ✓", "{name} is made out", "hence {a}", "the facts show {a}", "so there was {a}",
    "{name}? Yes, {name} is there; {name} is confirmed", "we have {a}", "it is no surprise that there is {a}",
    "{name} is not in doubt, {name} is proven", "no ground for doubt: {name} holds",
)  # fmt: skip
FAILS = (
    "there is no {name}", "{name} is absent", "{name} is not established", "{name} does not hold", "no {name}",
    "{name}: no", "{name} is missing", "{name} is ruled out", "{name} is out of the question", "this is no {name}",
    "{name} = false", "{name} = 0", "✗ {name}", "{name} ✗", "¬{name}", "{name} is not made out", "hence no {name}",
    "there isn't any {name}", "this does not amount to {a}", "{name} cannot be found", "so NOT {a}",
    "the facts exclude {name}, so {name} is lacking", "nothing here amounts to {a}", "{name} falls away",
    "{name} isn't given", "neither is there {a}",
)  # fmt: skip
TRIGGERED = (
    "Rule {n} is triggered", "the conditions of Rule {n} are met", "Rule {n} fires", "R{n} is engaged", "Rule {n} ✓",
    "Rule {n}: triggered", "Rule {n} comes into play", "this triggers Rule {n}", "Rule {n} kicks in", "R{n} = 1",
)  # fmt: skip
DORMANT = (
    "Rule {n} is not triggered", "the conditions of Rule {n} are not met", "Rule {n} stays dormant", "Rule {n} ✗",
    "Rule {n} is not engaged", "R{n} does not fire", "Rule {n}: not triggered", "Rule {n} does not come into play",
    "nothing triggers Rule {n}", "R{n} = 0",
)  # fmt: skip
APPLIES = (
    "Rule {n} applies", "Rule {n} stands", "Rule {n} remains in force", "R{n} survives", "Rule {n} takes effect",
    "Rule {n} is left standing",
)  # fmt: skip
LOST = (
    "Rule {n} does not apply", "Rule {n} falls away", "Rule {n} is inapplicable", "R{n} drops out",
    "Rule {n} has no effect", "Rule {n} is out of play", "Rule {n} gives no shelter",
)  # fmt: skip
DEFEATS = (
    "Rule {n} defeats Rule {m}", "Rule {m} is set aside by Rule {n}", "R{n} ≻ R{m}", "Rule {n} overrides Rule {m}",
    "Rule {m} yields to Rule {n}", "Rule {n} takes precedence over Rule {m}", "Rule {m} is displaced by Rule {n}",
    "Rule {n} knocks out Rule {m}",
)  # fmt: skip
COUNT = sum(map(len, (HOLDS, FAILS, TRIGGERED, DORMANT, APPLIES, LOST, DEFEATS)))
CITED = (
    "{Said} [Rule {n}].", "{Said} (Rule {n}).", "Under Rule {n}, {said}.", "- {Said}. [Rule {n}]", "{Said} (R{n}).",
    "{Said}.",
)  # fmt: skip


@dataclass(frozen=True)
class Said:
    """One line of the matrix: its text, the step that it is about, the value that it gives."""

    text: str
    target: Target
    value: bool


def lines(made_of: Reference, rng) -> Iterator[Said]:
    """Yield every wording in every way of citing once, about steps of a case drawn at random."""
    part = made_of.parts[0]
    names = part.graph.part.base.concepts
    concepts = [t for t in part.by_key.values() if t.kind == "concept" and t.type.kind == "bool"]
    triggered = [t for t in part.by_key.values() if t.kind == "triggered"]
    applies = [t for t in part.by_key.values() if t.kind == "applies"]
    conflicts = [t for t in part.by_key.values() if t.kind == "conflict"]
    number = {name: rule for rule, name in part.policies.items()}
    for wordings, targets, value in (
        *((HOLDS, concepts, True), (FAILS, concepts, False), (TRIGGERED, triggered, True)),
        *((DORMANT, triggered, False), (APPLIES, applies, True), (LOST, applies, False), (DEFEATS, conflicts, True)),
    ):
        for wording in wordings:
            for cited in CITED:
                target = rng.choice(targets)
                name = names[target.key[1]].phrases[0] if target.kind == "concept" else ""
                article = "an" if name[:1] in "aeiou" else "a"
                loser = number.get(target.key[2], 0)
                rule = number.get(target.key[1], target.rule) if target.kind != "concept" else target.rule
                said = wording.format(name=name, a=f"{article} {name}", n=rule, m=loser)
                where = target.rule if target.kind == "conflict" else rule
                yield Said(cited.format(said=said, Said=said[:1].upper() + said[1:], n=where), target, value)


def figures(made_of: Reference, rng) -> tuple[dict[str, int], list[str]]:
    """Return how many lines were read exactly, inverted, as something else or not at all, with the lines not exact."""
    found = {"exact": 0, "inverted": 0, "other": 0, "unread": 0}
    shown = []
    for line in lines(made_of, rng):
        claims = claims_in(made_of, line.text)
        own = {claim.value for claim in claims if claim.target is line.target}
        kind = "exact" if own == {line.value} else "inverted" if own else "other" if claims else "unread"
        found[kind] += 1
        if kind != "exact":
            shown.append(f"{kind}: {line.text} ({line.target.label})")
    return found, shown
