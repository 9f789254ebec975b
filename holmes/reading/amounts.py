"""The amount of money that a reply commits itself to, exact."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from fractions import Fraction

from holmes.reading.clauses import refused, retracts
from holmes.reading.marks import BOX, OBJECT, TAG, prepared
from holmes.reading.mentions import Answer, Cue, Mention, Status, decide, withdrawn
from holmes.reading.money import Found, amount, amounts
from holmes.reading.places import Place, places
from holmes.reading.statements import stated, value_of_clause

__all__ = ["Found", "amount", "amount_mentions", "amounts", "committed_amount", "last_amount"]

AMOUNT_KEYS = ("answer", "final_answer", "amount", "final_amount", "result", "value", "total", "verdict", "output")
"""Keys of an object under which an amount stands, the one asked for first."""
AMOUNT_KEY = re.compile(
    r"(?:[a-z]{1,20}_){0,4}(?:amount|total|payable|payment|payout|reimbursement|reimbursable|cost|costs|tax|tax_owed|"
    r"tax_due|tax_result|owed|due|liability|fee|fees|sum)(?:_(?:payable|due|owed|amount|total|result|in_[a-z]{1,10}|[a-z]{3}))?"
)
"""Further keys: ``total_payable``, ``tax_owed``, ``amount_due``."""
_CUES = (
    r"(?:[a-z]{1,20}\s{1,2}){0,4}(?:results?|costs?|amount|totals?|tax|taxes|fees?|due|owed|payable|liability|reimbursement|"
    r"refund|balance|loss|sum|payment|payout|price|bill|gesamt(?:betrag|kosten)?|summe|betrag|total général|"
    r"montant(?: total)?|"
    r"importe(?: total)?|valor(?: total)?|importo(?: totale)?|totale|сумма|итого)(?:\s(?:owed|due|payable|"
    r"to be paid|tax|cost|amount))?"
    r"|(?:[\u4e00-\u9fff]{0,6}(?:总额|税额|金额|费用)|共计|合计|总计|总额|总金额|金额|应付|应报销|报销金额|费用|税额|合計|金額|税額|총액|금액|합계)"
)
_LAST, _MOST = 4, 40  # lines at the end that may state the amount, and sentences of each


def last_amount(reply: str, *, negatives: bool = False) -> Fraction | None:
    """Return the amount a reply commits itself to, or None; see `committed_amount`."""
    answer = committed_amount(reply, negatives=negatives)
    return None if answer is None else answer.value


def committed_amount(
    reply: str,
    *,
    negatives: bool = False,
    cut: bool = False,
    keys: Collection[str] = AMOUNT_KEYS,
) -> Answer | None:
    """Read the last committed amount of a reply.

    reply: the text without its reasoning. negatives: see `amount`. cut: the generation did not end by itself, so that
    only answer lines count, and a number that ends the text may lack digits. keys: of objects under which it stands.
    The last answer line (``Answer:``, a box, a tag, an object, …) counts; without one, a last line that is an
    amount; then
    a line of a total (``Total cost:``); then the last sentence, among the last lines, that states an amount. A value
    must
    account for its clause: a bound, a range, a sum left undone, a denial or words that are not understood are none.
    Returns an Answer whose `value` is the amount; malformed for two amounts at once, or for an answer line that holds
    none; None for no amount.
    """
    return decide(amount_mentions(reply, negatives=negatives, cut=cut, keys=keys))


def amount_mentions(
    reply: str,
    *,
    negatives: bool = False,
    cut: bool = False,
    keys: Collection[str] = AMOUNT_KEYS,
) -> list[Mention]:
    """Return what a reply mentions of its amount, in order; see `committed_amount`."""
    text = prepared(reply.rstrip("0123456789.,") if cut else reply)
    found = [Mention(None, words, Status.STRUCK, Cue.BARE, why="struck out") for words in text.struck]
    kept = places(text, _CUES, keys, AMOUNT_KEY)
    found += [_judge(place, negatives) for place in kept if not cut or place.cue not in (Cue.SENTENCE, Cue.TOPIC)]
    if not cut:
        found += _inferred(text.lines, {place.line for place in kept}, negatives)
    return withdrawn(found, text.lines, retracts)


def _judge(place: Place, negatives: bool) -> Mention:
    value, status, why = value_of_clause(place.value, negatives)
    if place.status is not None and status is Status.AFFIRMED:
        status, why = place.status, f"the words around it: {place.status}"
    firm = place.firm or (
        place.cue is Cue.TOPIC and status in (Status.RANGED, Status.SEVERAL, Status.COMPUTED, Status.BOUNDED)
    )
    return Mention(value, place.value, status, place.cue, place.line, firm, why)


def _inferred(lines: tuple[str, ...], cued: set[int], negatives: bool) -> Iterator[Mention]:
    """What the end of a reply states without a cue: sentences about the amount, and a last line that is an amount."""
    if not lines:
        return
    first = max(0, len(lines) - _LAST)
    if not any(refused(line) for line in lines[first:]):
        for number in range(first, len(lines)):
            line = lines[number]
            if number in cued or any(mark in line for mark in (BOX, TAG, OBJECT)):
                continue
            for sentence in re.split(r"(?<=[.!?])\s+", line)[-_MOST:]:
                if (found := stated(sentence, negatives)) is not None:
                    yield Mention(found[0], sentence, found[1], Cue.BARE, number, why=found[2])
    last = lines[-1]
    if OBJECT in last or len(lines) - 1 in cued:
        return
    value, status, why = value_of_clause(last.strip(BOX + TAG), negatives, opening=True)
    if status is Status.AFFIRMED and value is not None:
        alone = amount(last, negatives=negatives) is not None
        yield Mention(
            value, last, status, Cue.ALONE if alone else Cue.BARE, len(lines) - 1, why=f"the last line: {why}"
        )
