"""The words by which traces speak of rules: suppositions, citations, the rule as subject or object, stage words."""

from __future__ import annotations

import re

# Whoever writes one of these commits to nothing in the case: a condition, a possibility, a question.
SUPPOSED = re.compile(
    r"\b(?:if|unless|whether|whoever|whenever|anyone|anybody|would|could|might|may|suppose|assum(?:e|ing)|in case|"
    r"provided that|except (?:where|when|if)|as soon as|in so far as|only where|only when|should there)\b|\?\s*$",
    re.I,
)
RULE = r"(?:rules?|sections?|clauses?)\s+\d+"
# What a rule says, in someone's own words: "Rule 12 requires …".
REPORTS = re.compile(
    rf"\b{RULE}(?: also| only)? (?:requires?|says?|states?|provides?|prescribes?|demands?|asks? (?:for|whether)|"
    r"needs?|concerns?|deals? with|covers?|defines?|leads? to|makes?|imposes?|lets?|allows?|"
    r"is (?:about|relevant|the rule)|"
    r"reads?|calls? for|looks? at|must be (?:checked|considered))\b"
    r"|^(?:check|let us|let's|consider|we (?:need|have) to|next|first we|now we)\b(?!.*\b(?:so|hence|therefore)\b)",
    re.I,
)
# "…, this is no trap under Rule 4": about Rule 4, not about the rule named before.
UNDER = re.compile(rf"\b(?:under|per|pursuant to|according to|within the meaning of) {RULE}", re.I)
ARROW = re.compile(r"\s*(?:→|⇒|⟶|[-=]>)\s*")
# "because no solvent was used there was no bad air": a comma parts the ground from what it is a ground for.
THERE = re.compile(r"\b(?:because|since|as) [^,;.]{3,120}?\w(?<!\bthat)(?= there (?:is|was|are|were)\b)", re.I)
# "Rule 20 defeats it", "… sets it aside": the object is the rule named before.
OBJECT = re.compile(
    rf"^(?P<winner>(?:but |yet |and |however, )?{RULE}) (?:then |also |in turn |now )?"
    r"(?:(?:defeat|override|overrule|displace|supersede|trump|beat|outrank|block|cancel|suspend|disapplie|remove|exclude|"
    r"bar|disapply|lift)s? (?:it|them|this rule|that rule|the former)|prevails over (?:it|them)|"
    r"(?:takes precedence|wins) over (?:it|them)|(?:sets?|puts?) (?:it|them) aside|takes? (?:it|them) away|"
    r"(?:knocks?|rules?) (?:it|them) out)\b",
    re.I,
)
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
DEFEATS = re.compile(
    r"it (?:\w+ly |then |also )?(?:do(?:es)? not |doesn['’]t )?(?:defeats?|overrules?|cancels?|sets?)\b", re.I
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
