"""Clauses around a value: refusals, hypotheses, revisions, templates; shared by labels and amounts."""

from __future__ import annotations

import re

TEMPLATE = re.compile(
    r"(?:<[^<>]*>|\[[^\[\]]*\]|\{[^{}]*\}|\((?:your|one of|insert|the)\b[^()]*\)|\.{2,}|…|_{2,}|letter|label|n|x|\?+|"
    r"(?:your|my) (?:final )?(?:answer|verdict|decision|amount|number)\b.{0,60}|number|amount|integer|"
    r"(?:the )?(?:answer|label|option)(?: here)?|one of\b.{0,200})",
    re.IGNORECASE | re.DOTALL,
)
"""A placeholder of an instruction."""

_DECIDE = (
    r"(?:decide|determine|determined|decided|say|said|tell|told|answer|answered|conclude|concluded|compute|computed|"
    r"calculate|calculated|give|given|provide|provided|reach|reached|establish|established|judge|judged|resolve|resolved|"
    r"help|assist|know|known|state|stated|offer|offered|rule|verify|verified|work (?:it|this|that) out|be sure|"
    r"be certain|"
    r"make|made|issue|issued|draw|drawn|choose|pick|select|find|found|infer|inferred|derive|derived|ascertain|ascertained|"
    r"comply|evaluate|evaluated|assess|assessed|confirm|confirmed|complete|proceed)"
)
REFUSAL = re.compile(
    rf"\b(?:can ?not|can't|could not|couldn't|unable to|not able to|not in a position to|impossible to|not possible to|"
    rf"hard to|difficult to|too early to|refuse to|decline to|won't|will not|would not|unwilling to|not going to|"
    rf"don't want to|do not want to|have no way to|no way to|not permitted to|not allowed to)\s+(?:be\s+|"
    rf"safely\s+|yet\s+|"
    rf"reliably\s+|really\s+|possibly\s+|currently\s+|fully\s+|properly\s+|definitively\s+|even\s+|simply\s+){{0,2}}{_DECIDE}\b"
    r"|\b(?:do not|don't|did not|didn't)\s+(?:\w+\s+)?(?:know|have enough|have sufficient)\b"
    r"|\b(?:no|nothing|not enough|insufficient|inadequate|too little|lack of|lacking|missing|"
    r"without)\s+(?:sufficient\s+|enough\s+|"
    r"the\s+|more\s+)?(?:information|data|details?|facts|evidence|basis)\b"
    r"|\b(?:undetermined|indeterminate|undecidable|undecided|inconclusive|not determinable|indeterminable|unanswerable|"
    r"unclear|not clear|uncertain|unsure|not sure|not certain|unknowable)\b"
    rf"|\bno\s+[\w ]{{1,40}}?\b(?:can|could|may|will)\s+(?:\w+\s+)?be\s+(?:\w+\s+)?{_DECIDE}\b"
    rf"|\b(?:can|could|may|will)\s+(?:only\s+)?{_DECIDE}\s+no\b"
    r"|\bI\s+(?:abstain|pass|decline|refuse|give up|have no (?:idea|answer|opinion))\b"
    r"|\b(?:as an ai|consult a|seek (?:professional|legal) advice|none of the (?:above|labels|options|choices))\b"
    r"|无法|不能(?:确定|回答|判断)|不知道|わかりません|判断できない|알 수 없|모르|неизвестно|не могу|невозможно|"
    r"\bunbekannt\b|\bkann (?:ich )?nicht\b|\bje ne (?:sais|peux)\b|\bno (?:puedo|se puede|sé)\b|\bnão (?:posso|"
    r"sei|é possível)\b|"
    r"\bnon (?:posso|so|è possibile)\b",
    re.IGNORECASE,
)
"""Somebody declines or is unable to answer."""

UNREAL = re.compile(
    r"\b(?:perhaps|maybe|possibly|probably|presumably|conceivably|arguably|supposedly|allegedly|hypothetically|"
    r"might|could|may(?!\s+\d)|would(?!\s+be\b)|if|unless|whether|suppose|supposing|assuming|provided|had|likely|"
    r"seems?|appears?|guess|guessing|tentative(?:ly)?|provisional(?:ly)?|draft|initial(?:ly)?|at first|for now|"
    r"in theory|"
    r"vielleicht|möglicherweise|wohl|peut-être|quizás?|tal vez|talvez|forse|возможно|может быть|也许|可能|或许|"
    r"たぶん|かもしれ|아마)\b"
    r"|也许|可能|或许|たぶん|かもしれ|아마",
    re.IGNORECASE,
)
"""What is said is not so, or not said to be so."""

NEGATIVE = re.compile(
    r"\b(?:not|never|neither|nor|without|cannot|rather than|instead of|as opposed to|other than|anything but|"
    r"nothing but a draft|"
    r"fails? to|failed to|almost|nearly|hardly|barely|far from|short of|except|excluding|excludes?|excluded|against|"
    r"rules? out|ruled out|no longer|by no means|in no way|avoids?|escapes?|denies|deny|rejects the|wrongly|"
    r"incorrectly|"
    r"[a-z]{2,8}n't|nicht|kein(?:e[nmrs]?)?|weder|ne|pas|aucune?|jamais|nunca|jamás|ni|não|nem|non|né|mai|niet|geen|"
    r"не|нет|ни|нельзя)\b|不予|不|未|非|并非|没有|ない|ません|않|아니",
    re.IGNORECASE,
)
"""What denies, wherever it stands before a value in its clause."""

REVISED = re.compile(
    r"\A\W*(?:or|and|but|either)\b|→|->|\b(?:wait|actually|correction|corrected|revis\w{1,4}|instead|however|rather|no,|hmm|"
    r"hold on|on second thought|let me re|scratch that)",
    re.IGNORECASE,
)
"""An explanation that takes back what it explains, or adds to it."""

RETRACTED = re.compile(
    r"\b(?:scratch that|strike that|i (?:hereby )?(?:retract|withdraw|take (?:that|it|this) back|no longer stand by)|"
    r"i take back|forget (?:that|the above|my answer|what i said)|(?:ignore|disregard) (?:that|this|it|"
    r"the above|my (?:previous |last )?"
    r"(?:answer|verdict|statement)|the (?:previous|last) (?:answer|line|verdict))|"
    r"(?:the above|my answer|the answer above|the last line) (?:is|was) (?:wrong|incorrect|a mistake|an error|"
    r"not right|"
    r"not correct|mistaken|a guess|a draft)|i was wrong|i made (?:a mistake|an error))\b"
    r"|(?:\A|[.!?;:—]\s|-\s)\W{0,6}(?:(?:wait|no|hmm|actually|but|oh|sorry|well)\b[\s,.!—-]{0,4}){0,3}(?:that|this|it)(?:'s|\s(?:is|was))\s"
    r"(?:wrong|incorrect|a mistake|an error|not right|not correct|mistaken|(?:only |just |but )?(?:my |"
    r"a )(?:guess|draft))\b"
    r"|(?:\A|[.!?;:—]\s|-\s)\W{0,6}(?:(?:wait|no|hmm|actually|but)\b[\s,.!—-]{0,4}){0,3}that (?:isn't|is not|"
    r"can't be|cannot be) (?:right|correct)\b",
    re.IGNORECASE,
)
"""A sentence that takes back what stands before it."""

AFFIRMING = (
    r"is|are|was|be|being|equals?|means?|gets?|receives?|faces?|owes?|incurs?|bears?|suffers?|deserves?|earns?|pays?|pay|"
    r"results? in|resulting in|leads? to|leading to|amounts? to|comes? (?:down )?to|remains?|imposes?|orders?|"
    r"awards?|yields?|"
    r"triggers?|attracts?|carries|carry|sentenced to|liable (?:for|to)|subject to|entitled to|answer|say|choose|"
    r"conclude|"
    r"leaving|leaves?|gives?|prescribes?|proclaims?|declares?|requires?|receive|get|face|owe|incur|bear|suffer|serve|serves|"
    r"ist|lautet|bleibt|est|reste|es|queda|é|fica|è|resta|это|является|是|为|は|は、|은|는"
)
"""Verbs after which a value is what is so."""


def refused(text: str) -> bool:
    """Tell whether a text declines to answer."""
    return REFUSAL.search(text) is not None


def retracts(text: str) -> bool:
    """Tell whether a text takes back what stands before it."""
    return RETRACTED.search(text) is not None
