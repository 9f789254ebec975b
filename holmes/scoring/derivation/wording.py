"""The words by which traces speak of rules: citations, the rule as subject, stage words, and who refers to what."""

from __future__ import annotations

import re

ALIASES = frozenset({"atom", "number", "enum", "table"})  # kinds of meaning that can name a step
PASS = re.compile(r"\b(?:pass(?:es|ed)?|fail(?:s|ed)?)\b", re.I)
TRIGGERED = re.compile(r"\b(?:un)?triggered\b", re.I)
APPLIED = re.compile(r"\b(?:apply|applies)\b", re.I)
_RANGE = r"\s*[-–—]\s*(?=\d)"  # "Rules 3-5"; a dash before a word begins a remark
RULES = (
    rf"rules?\s+\d+(?:(?:\s*,\s*(?:and\s+|or\s+|nor\s+)?|\s+(?:and|to|through|or|nor|&)\s+|{_RANGE})(?:rules?\s+)?\d+)*"
)
CITED = rf"rules?\s+\d+(?:(?:\s*,\s*|\s*,?\s+(?:and|to|through|or|&)\s+(?:rules?\s+)?|{_RANGE})\d+)*"  # no ", Rule 4"
LEAD = re.compile(
    rf"(?:by|under|per|according to|pursuant to|in (?:line|accordance) with|following|applying|from|with|"
    rf"as to|for|in)\s+"
    rf"(?:the\s+)?(?:table\s+(?:of|in)\s+)?(?P<rules>{CITED})\s*[,:]?\s+",
    re.I,
)
SUBJECT = re.compile(
    r"(?:(?:both|either|neither|none of|all of|each of|only|the|exemption|exception|measure|of|under|gate)\s+){0,3}"
    rf"(?P<rules>{RULES})(?!\s*\d)(?P<rest>.*)",
    re.I | re.S,
)
NOT = re.compile(r"\b(?:not|never|neither|nor|no longer|none|cannot)\b|n['’]t\b", re.I)
DEFEAT = re.compile(
    r"\b(?:defeat(?:s|ed)?|overridden|overrul(?:es|ed)|set aside|sets? (?:it )?aside|barred|displaced|superseded|"
    r"suspended|lifted|disapplied|excluded|outranked|trumped|blocked|neutrali[sz]ed|fall(?:s)? away|yields?|gives? way|"
    r"loses? out|no effect|without effect|drops? out|lapses?|switched off|cancel(?:s|led)|"
    r"overcome|beaten|knocked out)\b",
    re.I,
)
STAGES: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("waived", re.compile(r"\b(?:waive[sd]?|excused|dispensed with|exempted)\b", re.I)),
    ("passes", PASS),
    (
        "triggered",
        re.compile(
            r"\b(?:un)?trigger(?:s|ed)?\b|\bactivated\b|\bcomes? into play\b|"
            r"\bconditions?\b.*\b(?:met|satisfied|fulfilled|hold)\b|"
            r"\b(?:met|satisfied|fulfilled)\b|\bfires\b",
            re.I,
        ),
    ),
    (
        "follows",
        re.compile(r"\b(?:the one to follow|to be followed|is followed|chosen|selected|selects?|chooses?)\b", re.I),
    ),
    ("defeated", DEFEAT),
    (
        "applies",
        re.compile(
            r"\bappl(?:y|ies|ied|icable)\b|\bprevails?\b|\bgoverns?\b|\bstands?\b|\bsurvives?\b|\bremains?\b|"
            r"\bin force\b|\btakes? effect\b|\bdecisive\b|\bholds?\b",
            re.I,
        ),
    ),
)
KINDS = {
    "waived": ("transform",),
    "passes": ("gate", "transform", "compose"),
    "triggered": ("triggered",),
    "follows": ("selection",),
    "applies": ("applies",),
}
KEPT = re.compile(r"\b(?:violated|breached|broken|kept|complied|observed|respected|true|false|yes|no)\b", re.I)
GENERIC = re.compile(
    r"\b(?:condition|concept|definition|holds?|true|false|yes|no|met|satisfied|fulfilled|established|violated|breached|"
    r"complied|present|absent|missing|granted|denied|not)\b",
    re.I,
)


def stage(text: str) -> str:
    """Return the stage that a text speaks of: waived, passes, triggered, follows, defeated, applies, or ""."""
    return next((name for name, pattern in STAGES if pattern.search(text)), "")
