"""Rules about rules as values: transformation, composition, selection (docs/rule-english.md, section 8)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from holmes.logic.english.frames import REF, numbers, plain
from holmes.logic.english.lexicon import Lexicon
from holmes.logic.english.tokenizer import TextError, tokenise

_ASK = (
    r"(?:asks for|requires|demands|consists of|needs|is made up of|combines|comprises|is passed by passing|calls for|"
    r"looks at|checks|is the whole of|brings together)"
)
_INSTEAD = (
    r"(?:replaces?|stands? in for|makes? up for|waives?|substitutes? for|dispenses? with|excuses? from|releases? from|"
    r"does away with|will do instead of|counts? instead of|serves? instead of)"
)
_WAIVED = (
    r"(?:(?:is|are) (?:waived|met also|also met|not needed|dispensed with|fulfilled also|also fulfilled|excused|"
    r"not required|satisfied also|also satisfied|relaxed)|need not be met)"
)
_TRANSFORMS = tuple(
    re.compile(pattern)
    for pattern in (
        rf"(?P<p>.+?) {_INSTEAD} (?:(?:the )?(?P<what>[^,]+?) (?:of|in|under|asked for by|required by) )?(?P<r>{REF})",
        rf"(?P<r>{REF}) {_WAIVED} (?:by|if|where|when|for|for whoever|in the case of|given) (?P<p>.+)",
        rf"(?P<r>{REF}),? (?:holds |applies |is required |must be met )?,?(?:unless|except where|save where) (?P<p>.+)",
        rf"(?:if|where|when|given) (?P<p>.+?),? (?P<r>{REF}) {_WAIVED}",
    )
)
_SELECT = re.compile(r"\bdecides?\b|\bdepends?\b|\bdetermines?\b|\baccording to\b|\bdepending on\b")
_SMALL = frozenset(
    "the and or of any all one both either each every at least only rule rules , together".split()  # noqa: SIM905
)


@dataclass(frozen=True, slots=True)
class Composition:
    """A composed policy: parts are rule numbers or names of policies; mode all | any."""

    name: str
    parts: tuple[int | str, ...]
    mode: str


@dataclass(frozen=True, slots=True)
class Selection:
    """A selection: the enum that decides, and for each value a rule number or the name of a policy."""

    selector: str
    branches: tuple[tuple[str, int | str], ...] = field(default=())


def labels_of(lexicon: Lexicon) -> dict[str, str]:
    """Return wording -> name of the composed and selecting policies."""
    return {" ".join(phrase): m.name for phrase, m in lexicon.phrases.items() if m.kind == "policy"}


def transformation(text: str) -> tuple[int, str, str] | None:
    """Read `A waiver replaces the invoice of Rule 3`: rule number, text of the exemption, what is replaced."""
    sentence = plain(text)
    for pattern in _TRANSFORMS:
        match = pattern.fullmatch(sentence)
        if match and not re.search(REF, match["p"]):
            found = numbers(match["r"])
            if len(found) != 1:
                raise TextError(f"a transformation of {len(found)} rules", "one rule")
            return found[0], match["p"], match.groupdict().get("what") or ""
    return None


def composition(text: str, lexicon: Lexicon) -> Composition | None:
    """Read `The core review asks for Rules 7, 4 and 5`; None where the sentence is of another kind."""
    known = labels_of(lexicon)
    if not known:
        return None
    heads = "|".join(map(re.escape, sorted(known, key=len, reverse=True)))
    match = re.fullmatch(rf"(?:the |an? )?(?P<head>{heads}) {_ASK} (?P<rest>.+)", plain(text))
    if not match:
        return None
    rest = match["rest"]
    mode = "any" if re.search(r"\b(?:any|one|either) of\b|\bor\b|\beither\b", rest) else "all"
    parts: list[int | str] = []
    for piece in re.finditer(rf"(?P<label>{heads})|(?P<ref>{REF})", rest):
        parts += [known[piece["label"]]] if piece["label"] else numbers(piece["ref"])
    left = re.sub(rf"{heads}|{REF}", " ", rest).replace(",", " , ").split()
    if bad := [word for word in left if word not in _SMALL]:
        raise TextError(f"the word {bad[0]!r} in a composition", "rules and named reviews")
    if len(parts) < 2:
        raise TextError(f"a composition of {len(parts)}", "two rules or more")
    return Composition(known[match["head"]], tuple(parts), mode)


def selection(text: str, lexicon: Lexicon) -> Selection | None:
    """Read `The fund decides which review applies` or `Depending on the fund: core, Rule 8; grant, Rule 9`."""
    sentence = plain(text)
    if not _SELECT.search(sentence):
        return None
    enums = sorted((" ".join(p), m.name) for p, m in lexicon.phrases.items() if m.kind == "enum")
    named = {name for phrase, name in enums if re.search(rf"(?<!\w){re.escape(phrase)}(?!\w)", sentence)}
    if len(named) != 1:
        return None
    selector = named.pop()
    values = lexicon.types[selector].values
    if match := re.search(r"which (\w+) (?:applies|is used|is made|counts|holds)", sentence):
        known = labels_of(lexicon)
        wanted = [(value, f"{value.replace('_', ' ').lower()} {match[1]}") for value in values]
        if missing := [label for _, label in wanted if label not in known]:
            raise TextError(f"no {missing[0]!r}", f"a named {match[1]} for every value of {selector}")
        return Selection(selector, tuple((value, known[label]) for value, label in wanted))
    tokens = [t for t in tokenise(re.sub(_SELECT, "", sentence), lexicon) if t.kind in ("value", "ref", "policy")]
    if not tokens or len(tokens) != 2 * len(values):
        return None
    pairs = [tokens[i : i + 2] for i in range(0, len(tokens), 2)]
    branches: list[tuple[str, int | str]] = []
    for pair in pairs:
        value, target = sorted(pair, key=lambda t: t.kind != "value")
        if value.kind != "value" or target.kind == "value":
            raise TextError(f"{value.text!r} and {target.text!r}", "a value and a rule, in pairs")
        branches.append((value.value, target.rules[0] if target.kind == "ref" else target.value))
    return Selection(selector, tuple(sorted(branches, key=lambda b: values.index(b[0]))))
