"""One spelling for the signs by which steps are written: rule references, arrows, ticks, negation, LaTeX, markdown."""

from __future__ import annotations

import re

from holmes.reading.numbers import CHINESE, chinese

_SIGNS = {
    **dict.fromkeys("⇒⟹⟶➜➔➡⇢↦⊢⊨∴➝⮕►▶", "→"), **dict.fromkeys("⇐⟸⟵", "←"),
    **dict.fromkeys("⊳▷⋗≫≻", "≻"), **dict.fromkeys("✔✅☑√⊤", "✓"), **dict.fromkeys("✘❌×✖☒⊥✕❎", "✗"),
    **dict.fromkeys("￢∼", "¬"), **dict.fromkeys("“”„«»\"", '"'), **dict.fromkeys("‘’ʼ′", "'"),
    **dict.fromkeys("，、", ","), "。": ".", "；": ";", "：": ":", "（": "(", "）": ")", "【": "[", "】": "]",
    "！": "!",
    "？": "?", "−": "-", "–": "—", "―": "—", "‒": "—", "‑": "-", "‐": "-", "…": " ", "\u00a0": " ", "\u2009": " ",
    "\u202f": " ", "≠": " = not ", "⩾": "≥", "⩽": "≤", "∅": " none ", "\u200b": "", "\ufeff": "", "\ufe0f": "", "∎": "",
    "—": "—",
}  # fmt: skip
_SIGNS |= {chr(0x2080 + n): str(n) for n in range(10)} | {chr(0xFF10 + n): str(n) for n in range(10)}
_SPECIAL = re.compile("[" + "".join(map(re.escape, _SIGNS)) + "]")

_LATEX = {
    "Rightarrow": "→", "rightarrow": "→", "implies": "→", "Longrightarrow": "→", "longrightarrow": "→", "to": "→",
    "therefore": "→", "vdash": "→", "models": "→", "Leftarrow": "←", "impliedby": "←", "leftarrow": "←", "neg": "¬",
    "lnot": "¬", "wedge": "∧", "land": "∧", "vee": "∨", "lor": "∨", "succ": "≻", "gg": "≻", "checkmark": "✓",
    "top": "✓", "bot": "✗", "ge": "≥", "geq": "≥", "le": "≤", "leq": "≤", "ne": "≠", "neq": "≠", "notin": "∉",
    "in": "∈", "cup": "∪", "cap": "∩", "times": "·", "cdot": "·", "emptyset": "none", "varnothing": "none",
    "xmark": "✗", "true": "true", "false": "false",
}  # fmt: skip
_COMMAND = re.compile(r"\\([A-Za-z]{1,20})")
_WRAP = re.compile(
    r"\\(?:text(?:bf|it|rm|tt|sf|sc|normal)?|math(?:bf|it|rm|tt|sf|cal)|mbox|emph|underline|bm|operatorname)"
    r"\s?\{([^{}]{0,400})\}"
)
_STRUCK = re.compile(r"~~[^~\n]{1,400}~~|<(s|del|strike)>[^<]{1,400}</\1>", re.I)
_TAG = re.compile(r"</?(?:b|i|u|em|strong|p|span|code|mark|ins|sub|sup|li|ul|ol)(?:\s[^<>]{0,80})?\s?/?>", re.I)
_STARS = re.compile(r"\*\*|__|`|(?<![\d\s])\*(?!\d)|(?<!\d)\*(?=\S)(?!\d)")
_TIMES = re.compile(r"(?<=[\w)%])\s?×\s?(?=[\w(])")
_IS = re.compile(r"\b(it|there|that|here|what|he|she)'s\b", re.I)
_PERCENT = re.compile(r"(?<=\d)\s%")
_ARROWS = re.compile(r"[-=]{1,2}>|\|=|:-(?=\s)")
_DASH = re.compile(r"(?<=\s)-{1,3}(?=\s)")
_NOT = re.compile(r"\b(?:can(?:not|'t)|won't|([a-z]{2,6})n't)\b", re.I)
_MARK = r"(?:[ \t]?(?:no|nos|nr|number|numbers)\b\.?|[ \t]?[#№])?"
_WORD = r"(?:rules?|articles?|arts?\.|规则|规定|条款|第)"
_LONG = rf"(?:(?<![a-z]){_WORD}{_MARK}[ \t:.]{{0,2}}[ \t]?)"
_SHORT = r"(?:(?<![a-z0-9])r\.?[ \t_#]?\{?)"
_NUMERAL = rf"(?:0*\d{{1,4}}(?![\da-z%°]|[.,]\d)|[{CHINESE}]{{1,4}}(?=[条号]))"
_UNIT = r"\}?(?:[ \t]?[条号])?"
_ONE = rf"(?:{_LONG}|{_SHORT})[ \t]?{_NUMERAL}{_UNIT}"
_JOIN = (
    r"[ \t]?(?:,[ \t]?(?:and|or|nor|&)[ \t]|,|/|&|\+|∧|∨|;(?=\s?r\d)|"
    r"\band\b|\bor\b|\bnor\b|\bas well as\b|和|与|及|或)[ \t]?(?:also[ \t]|in[ \t])?"
)
_RANGE = r"[ \t]?(?:-|—|\.\.|\bto\b|\bthrough\b|\bthru\b|至|到)[ \t]?"
_LIST = re.compile(
    rf"(?=[ra规条第]){_ONE}"
    rf"(?:(?:{_JOIN}|{_RANGE})(?:{_ONE}|(?:(?<=\d)|(?<=[ \t])|(?<=,)|(?<=-)|(?<=—)){_NUMERAL}{_UNIT}))*",
    re.I,
)
_COUNTS = re.compile(r"[\d条号]")  # what no reference is without
_PLAIN = re.compile(r"(?:rules?[ \t]|r)(\d{1,4})", re.I)
_NEXT = re.compile(
    rf"(?P<range>{_RANGE})?(?P<join>(?:{_JOIN})?)(?P<mark>(?:{_LONG}|{_SHORT})[ \t]?)?(?P<number>{_NUMERAL})", re.I
)
_PREPOSITION = re.compile(
    r"\b(?:by|under|per|pursuant to|according to|following|applying|with|in|from|of|for)\s*$", re.I
)
_SECTION = re.compile(r"(?:\b(?:sections?|secs?\.|paragraphs?)|§+)(?=\s{0,2}\d)", re.I)
_LIGHT = (
    r"(?:\s|see|by|per|cf\.?|under|via|from|also|and|with|using|applying|follows|based on|because of|combined|exc\.?|"
    r"exception|applied|cited|[,;/&+→:.])"
)
_CITE = re.compile(rf"[\[(]{_LIGHT}{{0,6}}(?:@[\d,]{{1,99}}{_LIGHT}{{0,4}}){{1,12}}[\])]", re.I)
_BRACED = re.compile(r"\((?:\s{0,3}@[\d,]{1,99}\s{0,3},?){1,30}\)(?=\s{0,3}=)")
_VERB = re.compile(r"[ \t]*(?:≻|[a-z]{2,20}s\b(?!\s?:))", re.I)
_VECTOR = re.compile(r"@(\d+(?:,\d+)+)\s{0,3}=\s{0,3}[({\[⟨]?\s?([01✓✗TF](?:\s?,\s?[01✓✗TF]){1,30})\s?[)}\]⟩]?")
_FAILING = re.compile(
    r"\b((?:fail(?:s|ing|ed|ures?)?|pass(?:es|ing|ed)?)(?: rules?)?\s{0,3}[:=]\s{0,3}[{\[(]?\s?)"
    r"((?:\d{1,4}\s?,\s?){1,40}\d{1,4})\b",
    re.I,
)
_RESULT = re.compile(r"(?<!\w)(?:result|outcome|output|status|verdict|结果)\s{0,3}(?:is\s{0,3})?[:=]\s{0,3}", re.I)
_WIDEST = 60


def canonical(text: str, sections: bool = False) -> str:
    """Return a reply with one spelling for every sign that steps are written with; line breaks are kept.

    Rule references become ``@12`` or ``@12,13`` (``Rule 12``, ``R12``, ``$R_{12}$``, ``Rules 12-14``, 第12条), those
    alone in brackets ``⟨12⟩``; arrows ``→`` ``←``, precedence ``≻``, ticks ``✓`` ``✗``; struck-out text, markdown and
    LaTeX marks vanish; ``n't`` is ``not``. sections: "Section 4" and "§ 4" are what "Rule 4" is elsewhere.
    """
    text = _STRUCK.sub(" ", text.replace("@", " ")) if "~~" in text or "<" in text else text.replace("@", " ")
    if "\\" in text or "$" in text:
        text = _latex(text)
    if "×" in text:
        text = _TIMES.sub(" · ", text)
    if not text.isascii():
        text = _SPECIAL.sub(lambda m: _SIGNS[m[0]], text)
    text = _TAG.sub("", text) if "<" in text else text
    if "*" in text or "`" in text or "__" in text:
        text = _STARS.sub("", text)
    if "%" in text:
        text = _PERCENT.sub("%", text)
    if ">" in text or "=" in text or ":-" in text:
        text = _ARROWS.sub("→", text)
    if "-" in text:
        text = _DASH.sub("—", text)
    text = text.replace("!=", " = not ")
    if "'s" in text:
        text = _IS.sub(r"\1 is", text)
    if "n't" in text or "can" in text or "N'T" in text:
        text = _NOT.sub(lambda m: f"{m[1] or 'can'} not", text)
    if sections:
        text = _SECTION.sub(" Rule ", text)
    assigns = "=" in text
    if assigns or ":" in text:
        text = _RESULT.sub("→ ", text)
    if _COUNTS.search(text):
        text = _LIST.sub(_listed, text)
    if "," in text and (assigns or ":" in text):
        text = _FAILING.sub(lambda m: f"{m[1]}@{re.sub(r'[^0-9,]', '', m[2])} ", text)
    if assigns and "@" in text:
        text = _BRACED.sub(lambda m: "@" + ",".join(re.findall(r"\d+", m[0])) + " ", text)
        text = _VECTOR.sub(_vector, text)
    if "@" in text and ("(" in text or "[" in text):
        text = _CITE.sub(lambda m: "⟨" + ",".join(re.findall(r"\d+", m[0])) + "⟩", text)
    return text.replace("{", " ").replace("}", " ") if "{" in text else text


def _vector(match: re.Match[str]) -> str:
    """Write "(R1, R2) = (1, 0)" out."""
    rules, values = match[1].split(","), re.findall(r"[01✓✗TF]", match[2])
    if len(rules) != len(values):
        return match[0]
    return "; ".join(f"@{rule} = {value}" for rule, value in zip(rules, values, strict=True)) + " "


def _latex(text: str) -> str:
    text = text.replace("\\_", "_").replace("\\{", "{").replace("\\}", "}").replace("\\,", " ").replace("\\;", " ")
    for _ in range(3):
        shorter = _WRAP.sub(r" \1 ", text)
        if shorter == text:
            break
        text = shorter
    text = _COMMAND.sub(lambda m: f" {_LATEX.get(m[1], '')} ", text)
    text = re.sub(r"\\[()\[\]]", " ", text)
    return re.sub(r"\$(?!\s?\d[\d,.]*\b(?!\$))", " ", text)


def _listed(match: re.Match[str]) -> str:
    """Write a list of references as one; after "by" a comma before "Rule" begins a statement."""
    text = match[0]
    if plain := _PLAIN.fullmatch(text):
        return f"@{int(plain[1])} "
    groups: list[list[int]] = [[]]
    alone = re.match(r"(?:rule|article|art\.|r)[\s_#.:]{0,3}\{?(?:no\b\.?|number|#)?\s?0*\d", text, re.I) is not None
    led = _PREPOSITION.search(match.string, max(0, match.start() - 16), match.start()) is not None
    place = 0
    found: re.Match[str]
    for found in _NEXT.finditer(text):
        number = _numeral(found["number"])
        if number is None:
            continue
        current = groups[-1]
        if current and found["range"]:
            low, high = current[-1], number
            if 0 < high - low <= _WIDEST:
                current += range(low + 1, high + 1)
            else:
                current.append(number)
        elif current and led and found["mark"] and found["join"].strip() == ",":
            groups.append([number])
        elif current and not found["mark"] and alone and not _bracketed(match):
            return "@" + ",".join(map(str, current)) + text[found.start() :]  # "Rule 4, 30 km"
        else:
            current.append(number)
        place = found.end()
    joined = found["join"].strip().lower()
    apart = joined == "," or (joined in ("and", ", and", "&", ",and") and found["mark"])
    if len(groups[-1]) > 1 and apart and _VERB.match(match.string, match.end()):
        groups.append([groups[-1].pop()])  # "R20 ≻ R14, R21 ≻ R15", "defeats Rule 4, and Rule 5 applies"
    tail = re.sub(r"^\}?(?:\s?[条号])?", "", text[place:])
    return " and ".join("@" + ",".join(map(str, g)) for g in groups if g) + " " + tail


def _bracketed(match: re.Match[str]) -> bool:
    return match.string[match.start() - 1 : match.start()] in ("[", "(") and match.start() > 0


def _numeral(text: str) -> int | None:
    if text.isdecimal():
        return int(text)
    value = chinese(text)
    return None if value is None else int(value)
