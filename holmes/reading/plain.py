"""Typography taken off a text, content kept: full-width forms, dashes and quotes, markdown, LaTeX, HTML."""

from __future__ import annotations

import html
import re
import unicodedata
from functools import lru_cache

_ONE = {
    "。": ".", "、": ",", "【": "[", "】": "]", "〔": "[", "〕": "]", "〖": "[", "〗": "]",
    "「": '"', "」": '"', "『": '"', "』": '"', "《": '"', "》": '"', "“": '"', "”": '"', "„": '"', "«": '"', "»": '"',
    "‘": "'", "’": "'", "ʼ": "'", "′": "'", "٫": ".", "٬": ",",
    "−": "-", "‐": "-", "‑": "-", "‒": "-", "–": "-", "⁻": "-", "―": "—",
}  # fmt: skip
_POWER = re.compile(r"[×xX*·]\s?10(?P<sign>[⁺⁻]?)(?P<power>[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,4})")
_DIGIT_OF = {c: str(n) for n, c in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")} | {"⁺": "+", "⁻": "-"}
_STARS = re.compile(r"(?<![\d)*] )(?<![\d)*])\*+|(?<!\*)\*+(?!\*)(?!\s?[\d(])")
_PAIR = re.compile(r"(?<![\w*])(\*\*|\*)(?=[^\s*])([^*\n]{0,400}[^*\s])\1(?![\w*])")
_WRAPPER = re.compile(
    r"\\(?:text(?:bf|it|rm|tt|sf|sc|normal)?|math(?:bf|it|rm|tt|sf)|mbox|emph|underline|bm)\s?\{([^{}]*)\}"
)
_FRACTION = re.compile(r"\\[dt]?frac\{\s?(\d{1,40})\s?\}\{\s?(\d{1,40})\s?\}")
_LATEX_SPACE = re.compile(
    r"\\(?:[()\[\]]|quad|qquad|displaystyle|left|right|begin\{[a-z*]{0,20}\}|end\{[a-z*]{0,20}\})"
)
_HTML = re.compile(
    r"</?(?:b|i|u|em|strong|br|p|span|code|mark|center|font|div|sub|h[1-6])(?:\s[^<>]{0,80})?\s?/?>", re.I
)


def characters(text: str) -> str:
    """Return the text in plain characters: one form of each digit, dash, quote and bracket.

    Full-width and other Unicode digits become ASCII; superscript, subscript and circled figures are footnote marks and
    vanish (``1166²`` is 1166), except as a power of ten (``10¹⁶`` becomes ``e16``); zero-width characters vanish.
    """
    if text.isascii():
        return text
    text = _POWER.sub(lambda m: "e" + "".join(_DIGIT_OF[c] for c in m["sign"] + m["power"]), text)
    return "".join(map(_character, text))


@lru_cache(maxsize=4096)
def _character(char: str) -> str:
    if char.isascii():
        return char
    if char in _ONE:
        return _ONE[char]
    category = unicodedata.category(char)
    if category in ("Cf", "Cs"):
        return ""
    if category == "Zs":
        return " "
    if category == "Nd":
        return str(unicodedata.decimal(char))
    decomposition = unicodedata.decomposition(char)
    if decomposition.startswith("<fraction>"):
        return " " + unicodedata.normalize("NFKC", char).replace("⁄", "/")
    if category == "No" and decomposition.startswith(("<super>", "<sub>", "<circle>")):
        return ""
    return unicodedata.normalize("NFKC", char)


def plain(text: str) -> str:
    """Return the text without markdown emphasis, LaTeX wrappers and HTML formatting; line breaks are kept.

    ``**Guilty**`` gives ``Guilty``, ``\\$1{,}166`` gives ``$1,166``, ``12 * 50`` stays.
    """
    text = characters(text)
    if "&" in text:
        text = html.unescape(text).replace("\xa0", " ")
    text = text.replace("{,}", ",")
    if "\\" in text:
        text = text.replace("\\,", "").replace("\\!", "").replace("\\;", " ").replace("\\ ", " ")
        text = _FRACTION.sub(r"\1/\2", text)
        for _ in range(3):  # wrappers nest a little
            text = _WRAPPER.sub(r"\1", text)
        text = _LATEX_SPACE.sub(" ", text)
        text = text.replace("\\times", "×").replace("\\approx", "≈").replace("\\cdot", "·")
        text = re.sub(r"\\(?=[$%#&_*{}~`'\"<>|.,:;!?-])", "", text)
    if "<" in text:
        text = _HTML.sub(lambda m: "\n" if m.group()[:3].lower() == "<br" else "", text)
    if "*" in text:
        text = _STARS.sub("", _PAIR.sub(r"\2", text))
    return text.replace("`", "").replace("__", "")
