"""Sentences about rules: relations, and what a rule says about other rules (docs/rule-english.md, 6 and 7)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from holmes.logic.english.tokenizer import LAST, TextError

_KIND = (
    "exception|rule|measure|consequence|provision|defence|exemption|sanction|penalty|duty|privilege|protection|relief|"
    "excuse|shelter|benefit|result|clause|article"
)
_OF = rf"(?:the (?:{_KIND})s? (?:of|in|under|from|set out in|stated in|given by|laid down in) )?"
REF = r"(?:either of |both |each of |any of |all of )?rules? \d+(?:(?:,? and |, | to )(?:rules? )?\d+)*"
_A, _B = rf"{_OF}(?P<a>{REF})", rf"{_OF}(?P<b>{REF})"
_ADVERB = r"(?: always| however| thus| therefore| in turn| also)?"


@dataclass(frozen=True, slots=True)
class Said:
    """A relation as a text states it, by rule numbers."""

    kind: str  # stronger | exception
    winners: tuple[int, ...]
    losers: tuple[int, ...]


def numbers(text: str) -> tuple[int, ...]:
    """Return the rule numbers of `rules 3, 4 and 6 to 8`, in order."""
    result: list[int] = []
    for low, high in re.findall(r"(\d+)(?: to (?:rules? )?(\d+))?", text):
        if len(low) > 4 or len(high) > 4:
            raise TextError(f"Rule {high or low}", f"rule numbers up to {LAST}")
        result += range(int(low), int(high or low) + 1)
    return tuple(result)


def _verbs(text: str) -> str:
    return "(?:" + "|".join(text.split("|")) + ")"


_OVER = _verbs(
    "takes? (?:priority|precedence) over|prevails? over|prevails? against|overrides?|outranks?|goes before|go before|"
    "comes? before|ha(?:s|ve) (?:priority|precedence) over|supersedes?|displaces?|ranks? (?:above|before|ahead of)|"
    "(?:is|are) stronger than|wins? (?:over|against)|beats?|(?:is|are) preferred to|trumps?|"
    "(?:is|are) to be preferred to|takes? the place of|(?:is|are) applied (?:before|ahead of|instead of|in place of)|"
    "(?:is|are) to be applied (?:before|instead of|in place of|rather than)|"
    "applies (?:instead of|in place of|ahead of)|"
    "apply (?:instead of|in place of|ahead of)|replaces?|carries more weight than|weighs? more than|precedes?|"
    "(?:is|are) superior to|counts? (?:before|for more than)|stands? (?:above|before)|takes? effect before"
)
_UNDER = _verbs(
    "yields? to|gives? way to|give way to|ranks? (?:below|behind|after)|(?:is|are) displaced by|"
    "(?:is|are) superseded by|"
    "(?:is|are) overridden by|(?:is|are) outranked by|(?:is|are) weaker than|"
    "steps? (?:back|aside) (?:before|for|behind)|"
    "stands? back (?:before|behind)|(?:is|are) subordinate to|(?:is|are) replaced by|comes? (?:after|behind)|"
    "loses? (?:to|against)|(?:is|are) beaten by|(?:is|are) trumped by|retreats? before|makes? room for|"
    "(?:is|are) secondary to|must give way to|must yield to|has to yield to"
)
_EXCEPTS = _verbs(
    "(?:is|are) an exception to|(?:is|are) exceptions to|makes? an exception (?:to|from)|excludes?|"
    "sets? aside|suspends?|"
    "exempts? from|removes? the effects? of|cancels?|lifts?|bars?|shuts? out|disapplies|disapply|"
    "(?:is|are) a defence (?:to|against)|provides? a defence (?:to|against)|provides? an exception (?:to|from)|"
    "takes? away the effects? of|creates? an exception (?:to|from)|blocks?|switches off|switch off|rules? out|"
    "limits?|restricts?|(?:is|are) a shield against|shields? from|shields? against|frees? from|"
    "protects? (?:from|against)|"
    "prevents? the application of|stops?|defeats?|(?:is|are) stated as an exception to|stands? in the way of|"
    "clears? (?:of|from)|deprives? of (?:its|their) effect|"
    "forms? an exception to|constitutes? an exception to|counts? as an exception to"
)
_EXCEPTED = _verbs(
    "(?:is|are) subject to|(?:is|are) excluded by|(?:is|are) set aside by|(?:is|are) suspended by|(?:is|are) lifted by|"
    "(?:is|are) barred by|(?:is|are) cancelled by|(?:is|are) limited by|knows? an exception in|(?:is|are) blocked by|"
    "finds? (?:its|their) limits? in|finds? an exception in|ha(?:s|ve) an exception in|admits? of an exception in|"
    "(?:is|are) restricted by|(?:is|are) shut out by|(?:is|are) defeated by|ha(?:s|ve) (?:its|their) exception in|"
    "(?:is|are) ruled out by|(?:is|are) disapplied by|suffers? an exception in|gives? no effect against"
)
_IF = r"(?:where|if|when|whenever|once|as soon as|in so far as|insofar as|as far as|as long as|so long as|while)"
_UNDER_RULE = (
    r"(?:falls under|comes under|is covered by|covered by|benefits from|meets|is helped by|can rely on|may rely on|"
    r"is protected by|satisfies|fulfils)"
)
_FREE = (
    r"(?:is exempt from|is free from|is not subject to|is not caught by|is not bound by|escapes|is freed from|"
    r"is released from|is not touched by|is out of reach of|is spared|is not affected by)"
)
_GONE = (
    r"(?:(?:does|do|shall|will|can|may) not (?:apply|hold|operate|bite|count|take effect|have effect)|falls? away|"
    r"ha(?:s|ve) no effect|(?:is|are) of no effect|(?:is|are) without effect|drops? out|ceases? to apply|"
    r"(?:is|are) set aside|(?:is|are) lost|(?:is|are) suspended|lapses?|remains? without effect|"
    r"no longer appl(?:y|ies)|"
    r"(?:is|are) of no (?:use|help|avail)|(?:is|are) not available|(?:is|are) unavailable|(?:is|are) shut|fails?|"
    r"(?:is|are) disregarded|(?:is|are) excluded|(?:is|are) out of reach|(?:is|are) not open)"
)
_APPLIES = r"(?:applies|apply|is triggered|are triggered|is met|operates?|takes effect|is satisfied|does|do|holds?)"

_RELATIONS: tuple[tuple[str, str], ...] = (
    ("stronger", rf"{_A}{_ADVERB} {_OVER} {_B}"),
    ("stronger", rf"{_B}{_ADVERB} {_UNDER} {_A}"),
    (
        "stronger",
        rf"{_B} (?:(?:is|are) (?:displaced|superseded|overridden|outranked|replaced)|yields?|gives? way|"
        rf"steps? (?:back|aside)|loses? out) {_IF} {_A} {_APPLIES}( too| as well)?",
    ),
    ("exception", rf"{_A}{_ADVERB} {_EXCEPTS} {_B}"),
    ("exception", rf"{_B}{_ADVERB} {_EXCEPTED} {_A}"),
    ("exception", rf"{_B} {_GONE},? {_IF} {_A} {_APPLIES}"),
    ("exception", rf"{_IF} {_A} {_APPLIES},? {_B} (?:{_GONE}|does not|do not)"),
    ("exception", rf"under {_A},? {_B} {_GONE}"),
    ("exception", rf"neither (?P<b>rule \d+(?: nor rule \d+)+) (?:applies|holds) {_IF} {_A} {_APPLIES}"),
    (
        "exception",
        rf"{_B} (?:do|does) not (?:apply|hold) (?:to|for) (?:whoever|anyone who|a person who) {_UNDER_RULE} {_A}",
    ),
    ("exception", rf"(?:whoever|anyone who|a person who|a person) {_UNDER_RULE} {_A} {_FREE} {_B}"),
    ("exception", rf"{_B} (?:must|is to|are to|has to|have to) be read subject to {_A}"),
    ("exception", rf"{_B} (?:applies|apply) only {_IF} {_A} (?:does|do) not(?: apply)?"),
    ("exception", rf"{_B} (?:applies|apply|holds?),? unless {_A} (?:applies|apply|does|do|holds?)"),
    ("exception", rf"{_B} (?:applies|apply) subject to {_A}"),
    ("exception", rf"by way of exception,? {_A} (?:applies|apply) (?:instead of|in place of) {_B}"),
)
_MEET = re.compile(
    rf"(?:{_IF}|between|of|as between) (?:both )?(?P<pair>{REF}|rule \d+ and rule \d+)"
    r"(?: (?:meet|collide|conflict|clash|both apply|apply|compete|are both triggered|are triggered|point different ways"
    r"|both hold|hold|disagree|point in different directions|are both met|are met|would both apply"
    r"|contradict each other|lead to different results))?"
    r",? (?:(?:only|it is) )?(?P<a>rule \d+)(?: alone| only)?(?: that)? "
    r"(?:prevails|wins|counts|applies|is applied|is followed|decides|goes first|takes priority|takes precedence|"
    r"is the stronger|has priority|is decisive|governs|is the one that counts|is to be applied|holds|takes effect|"
    r"stands|carries the day|goes before)"
)

_WHO = (
    r"(?:to |for |by |against |of |in favour of )?"
    r"(?:(?:a|any|every|the) (?:person|one|party|man|woman|member) who|whoever|anyone who|anybody who|somebody who|"
    r"those who|one who|him who|persons who|people who|someone who)"
)
_HELP = (
    r"(?:(?:does|do|can|may|will|shall) not (?:help|apply|protect|cover|benefit|hold|extend|avail|save|excuse|shelter|"
    r"assist|serve|reach|favour|free|spare|work|be invoked|be relied upon|be relied on|be claimed|be used)|"
    r"cannot (?:help|apply|protect|cover|benefit|save|excuse|shelter|be invoked|be relied upon|be relied on|be claimed|"
    r"be used|be pleaded)|(?:is|are) (?:no|not a) (?:defence|excuse|help|shield|shelter|use|protection)|"
    r"(?:is|are) of no (?:use|help|avail|benefit)|(?:is|are) not open|(?:is|are) closed|(?:is|are) denied|"
    r"(?:is|are) not available|gives? no (?:shelter|protection|cover|help|right|relief)|offers? no (?:shelter|"
    r"protection|cover|help|relief)|(?:is|are) withheld|(?:is|are) lost|falls? away|(?:is|are) refused)"
)
_RELY = (
    r"(?:rely on|rely upon|invoke|claim|plead|benefit from|appeal to|use|profit from|fall back on|hide behind|"
    r"take shelter under|make use of|call on|call upon|shelter behind)"
)
_LOSES = (
    r"(?:(?:cannot|can not|may not|must not|is not allowed to|is unable to) " + _RELY + r"|(?:loses|forfeits) "
    r"(?:the benefit of|the protection of|the shelter of)?|has no claim to|has no right to|is not (?:helped|protected|"
    r"covered|saved|excused|sheltered) by|is not entitled to|gains nothing from|gets no help from|is denied)"
)
_INTRO = (
    r"(?:where|if|when|whenever|once|as soon as|in case|in the event that|in a case where|provided that|while|"
    r"as long as|so long as|unless)"
)
_DISARMS = tuple(
    re.compile(pattern)
    for pattern in (
        rf"{_OF}(?P<r>{REF}) {_HELP},? (?P<p>{_WHO} .+)",
        rf"{_OF}(?P<r>{REF}) (?:{_HELP}|{_GONE}),? (?P<p>{_INTRO} .+)",
        rf"{_OF}(?P<r>{REF}) {_HELP} (?:to |for |by |against )?(?P<p>(?:an?|any|every) (?!rule).+)",
        rf"{_OF}(?P<r>{REF}) (?:applies|apply|holds?|helps?|operates?)(?: to everybody| to everyone)?,? "
        r"(?:unless|except where|except when|except if|save where|save when) (?P<p>.+)",
        rf"{_OF}(?P<r>{REF}) (?:applies|apply|holds?|helps?|operates?) only (?:if|where|when|as long as) (?P<only>.+)",
        rf"(?P<p>(?:an?|any|every) .+?),? {_LOSES} ?{_OF}(?P<r>{REF})",
        rf"(?:nobody|no one|no person) (?:may|can|shall) {_RELY} {_OF}(?P<r>{REF}),? (?P<p>(?:who|if|where|when) .+)",
        rf"(?:nobody|no one|no person) (?P<p>who .+?),? (?:may|can|shall) {_RELY} {_OF}(?P<r>{REF})",
        rf"(?P<p>{_WHO} .+?),? {_LOSES} ?{_OF}(?P<r>{REF})",
        rf"(?P<p>{_INTRO} .+?),? {_OF}(?P<r>{REF}) (?:{_GONE}|{_HELP})(?: (?:to|for) (?:him|her|them|that person))?",
    )
)
_BEFORE = (
    (
        "exception",
        r"(?:by way of exception to|as an exception to|in exception to|in departure from|by way of departure from|"
        r"notwithstanding|despite|in spite of|regardless of|contrary to|in derogation from|departing from|"
        r"without regard to|whatever is said in|by exception from)",
    ),
    (
        "stronger",
        r"(?:in priority to|in preference to|ahead of|in place of|instead of|rather than under|with priority over|"
        r"with precedence over|taking priority over|prevailing over|before)",
    ),
)
_INSIDE = tuple(
    (kind, re.compile(rf"(?P<before>^|, |; ){words} {_OF}(?P<r>{REF})(?P<after>, |: |\.?$|(?= )| )"))
    for kind, words in _BEFORE
)


def plain(text: str) -> str:
    """Return a sentence in lower case, one space between words, without its full stop."""
    return " ".join(text.lower().replace("’", "'").split()).rstrip(" .")


def relation(text: str) -> Said | None:
    """Read a sentence that only relates rules; None where it is none."""
    sentence = plain(text)
    for kind, pattern in _COMPILED:
        if match := pattern.fullmatch(sentence):
            return Said(kind, numbers(match["a"]), numbers(match["b"]))
    if match := _MEET.fullmatch(sentence):
        winner = numbers(match["a"])
        pair = numbers(match["pair"])
        losers = tuple(n for n in pair if n not in winner)
        if len(pair) != len(losers) + 1:
            raise TextError(f"Rule {winner[0]} prevails among Rules {pair}", "one of the rules named")
        return Said("stronger", winner, losers)
    return None


_COMPILED = tuple((kind, re.compile(pattern)) for kind, pattern in _RELATIONS)


def disarms(text: str) -> tuple[tuple[int, ...], str] | None:
    """Read `Rule 6 does not help a person who P`: the rules and the text of P; None where it is another sentence."""
    first, stop, rest = text.strip().partition(". ")
    sentence = plain(first if stop else text)
    for pattern in _DISARMS:
        if match := pattern.fullmatch(sentence):
            parts = match.groupdict()
            condition = f"not ({parts['only']})" if parts.get("only") else parts["p"]
            return numbers(match["r"]), f"{condition}. {rest}" if stop else condition
    return None


def stated(text: str) -> tuple[list[tuple[str, tuple[int, ...]]], str]:
    """Cut `By way of exception to Rules 3 and 4, …` from a rule; returns (kind, losers) for each, and the rest."""
    found: list[tuple[str, tuple[int, ...]]] = []
    rest = " ".join(text.replace("’", "'").split())
    for kind, pattern in _INSIDE:
        rest = re.sub(rf"({REF}),? notwithstanding", r"notwithstanding \1", rest, flags=re.IGNORECASE)
        while match := re.search(pattern.pattern, rest, re.IGNORECASE):
            found.append((kind, numbers(match["r"].lower())))
            rest = rest[: match.start()] + (match["before"] or "") + rest[match.end() :]
            rest = rest.strip().removesuffix(",").removesuffix(";")
    return found, rest
