"""The rules that one line of a trace cites, and the line without its citations."""

from __future__ import annotations

import re

from holmes.reading.citations import citations

CITED = r"(?:rules?|规则|articles?|art\.|clauses?|§)"
BRACKET = re.compile(r"(?:\[|\(|【|（)[*\s]*" + CITED + r"[^\[\]()【】（）\n]{1,120}?(?:\]|\)|】|）)", re.I)


def cited_rules(text: str) -> tuple[str, ...]:
    """Return the rule numbers that a line cites, in order, each once; see `holmes.reading.citations`."""
    return tuple(dict.fromkeys(map(str, citations(text))))


def without_citations(text: str) -> str:
    text = BRACKET.sub(" ", text)
    return " ".join(re.sub(r"\s+([.,;:。，])", r"\1", text).split())
