"""The stated form of a step, ``[Rule 4] dangerous driving: no — Rules 1, 3``: one small grammar, read exactly.

A line: the rule in brackets; what it is about, where that helps (the defined term, or the rule that defeats another);
a colon; the result; and after a dash what it rests on. The result of a step is one of

====================  ==========================================================
a defined term        ``yes``, ``no``
a rule that decides   ``triggered``, ``not triggered``, ``applies``, ``does not apply``
priority, exception   ``defeats Rule 6``, ``does not defeat Rule 6`` (``[Rule 7] Rule 5: defeats Rule 6`` under Rule 7)
a rule that is checked ``passes``, ``fails``, ``waived``, ``not waived``
a choice of rules     ``selects Rule 6``
an amount, a row      a number, or the word that the table gives
====================  ==========================================================

Whatever else stands on the line, markdown apart, makes it a line of free text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

FORM = "[Rule 4] <what it is about>: <result> — <what it rests on>"

_LINE = re.compile(
    r"^(?:⟨(?P<cited>\d{1,4})⟩|@(?P<named>\d{1,4})(?=\s{0,3}:))\s{0,3}(?:@(?P<other>\d{1,4})|(?P<about>[^:=@⟨→]{0,90}?))"
    r"\s{0,3}[:=]\s{0,3}"
    r"(?P<result>yes|no|true|false|triggered|not triggered|applies|does not apply|passes|fails|waived|not waived"
    r"|(?:does not defeat|defeats)\s{1,3}@(?P<losers>[\d,]*\d)|selects\s{1,3}@(?P<chosen>\d{1,4})"
    r"|[$€£¥]?(?P<number>-?\d[\d,]{0,15}(?:\.\d{1,9})?%?)(?:\s(?!and\b|or\b)[a-z]{1,12})?"
    r"|(?P<word>[a-z]+(?:[ _-][a-z]+){0,3}))"
    r"\s{0,3}(?:[—;(].*)?[.]?\s{0,3}$",
    re.I,
)


@dataclass(frozen=True, slots=True)
class ContractStep:
    """A step in the stated form.

    rule: the rule it uses. other: the rule that it is about instead, 0 for none. about: the term it names. result: in
    lower case; "" beside losers, chosen, number or word. holds: whether the result asserts.
    """

    rule: int
    other: int
    about: str
    result: str
    holds: bool
    losers: tuple[int, ...] = ()
    chosen: int = 0
    number: str = ""
    word: str = ""


_DENIALS = frozenset({"no", "false", "not triggered", "does not apply", "fails", "not waived"})


def read_contract(line: str) -> ContractStep | None:
    """Read one line in canonical signs (`holmes.reading.symbols`); None where it is not in the stated form.

    line: without bullets and numbers. The grounds are not read.
    """
    found = _LINE.match(line.strip())
    if found is None:
        return None
    result = " ".join(found["result"].lower().split())
    losers = tuple(int(n) for n in (found["losers"] or "").split(",") if n)
    plain = not (losers or found["chosen"] or found["number"] or found["word"])
    return ContractStep(
        int(found["cited"] or found["named"]),
        int(found["other"] or 0),
        (found["about"] or "").strip(),
        result if plain else "",
        not (result in _DENIALS or result.startswith("does not defeat")),
        losers,
        int(found["chosen"] or 0),
        found["number"] or "",
        (found["word"] or "").lower(),
    )
