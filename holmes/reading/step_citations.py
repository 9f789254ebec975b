"""The rules that one line of a trace cites, and the line without its citations."""

from __future__ import annotations

import re
import unicodedata

CITED = r"(?:rules?|规则|articles?|art\.|clauses?|§)"
BRACKET = re.compile(r"(?:\[|\(|【|（)[*\s]*" + CITED + r"[^\[\]()【】（）\n]{1,120}?(?:\]|\)|】|）)", re.I)
_BARE = re.compile(
    r"\b(?:rules?|规则)\s*(?:no\.?\s*|#\s*)?(\d{1,4})\b(?:\s*(?:,|and|&|or|to|-|–)\s*(\d{1,4})\b(?!\s*%))?", re.I
)
_RANGE = re.compile(r"(\d{1,4})\s*(?:-|–|—|to|至)\s*(?:rule\s*)?(\d{1,4})", re.I)


def cited_rules(text: str) -> tuple[str, ...]:
    """Return the rule numbers that a line cites, in order, each once.

    text: "[Rule 3, 5]", "(Rules 3-5)", "【规则12】", "[Rule #012]" …; without brackets, "Rule 3 and 5" counts too.
    """
    text = unicodedata.normalize("NFKC", text)
    found: list[str] = []
    for bracket in BRACKET.findall(text):
        found += _numbers(bracket)
    if not found:
        for first, second in _BARE.findall(text):
            found += [first, second] if second else [first]
    return tuple(dict.fromkeys(str(int(n)) for n in found))


def _numbers(bracket: str) -> list[str]:
    numbers: list[str] = []
    place = 0
    for match in _RANGE.finditer(bracket):
        low, high = int(match[1]), int(match[2])
        numbers += re.findall(r"\d{1,4}", bracket[place : match.start()])
        numbers += [str(n) for n in range(low, high + 1)] if low <= high <= low + 50 else [match[1], match[2]]
        place = match.end()
    return numbers + re.findall(r"\d{1,4}", bracket[place:])


def without_citations(text: str) -> str:
    text = BRACKET.sub(" ", text)
    return " ".join(re.sub(r"\s+([.,;:。，])", r"\1", text).split())
