"""What a clause says of an amount: that it is so, or a bound, a range, a sum left undone, a denial, another thing."""

from __future__ import annotations

import itertools
import re
from fractions import Fraction

from holmes.reading.clauses import NEGATIVE, REVISED, TEMPLATE, UNREAL, refused, retracts
from holmes.reading.mentions import Status
from holmes.reading.money import Found, amount, scan

_MOST = 12  # amounts of one sentence that are looked at
Said = tuple[Fraction | None, Status, str]

TOPIC = (
    r"(?:tax|taxes|total|totals|amount|sum|costs?|fees?|charges?|price|bill|liability|refund|reimbursement|payment|payout|"
    r"balance|result|answer|figure|value|obligation|outcome|verdict|betrag|steuer|summe|gesamtbetrag|impôt|montant|impuesto|"
    r"importe|imposto|valor|imposta|importo|налог|сумма|共计|合计|总计|总额|上限|应付|税额|金额|费用)"
)
_MORE = (
    r"(?:\s(?:owed|due|payable|owing|liability|cost|amount|bill|fee|payment|to be paid|result|total|in all|"
    r"then|now|here))*"
)
_OF = r"(?:,?\s(?:of|for|on|by|in|that|which|to|from|under|after|with|she|he|they|on)\s[^;!?]{1,80}?)?"
_IS = (
    r"(?:is|are|was|equals?|totals?|totalling|totaling|comes? to|amounts? to|stands? at|will be|must be|"
    r"should be|would be|"
    r"works out (?:at|to)|ist|beträgt|est(?: de)?|es(?: de)?|é(?: de)?|è(?: di)?|составляет|равен|равна|是|为)"
)
_OWES = (
    r"(?:owes?|pays?|must pay|has to pay|have to pay|will pay|should pay|needs? to pay|will owe|would owe|"
    r"is owed|is due|"
    r"receives?|gets?|should receive|will receive|is reimbursed|is paid|owing|is charged|is liable for|"
    r"are charged|costs?|cost|"
    r"schuldet|zahlt|doit(?: payer)?|debe(?: pagar)?|deve(?: pagar)?|应付|应缴|支付)"
)
_ADVERB = (
    r"(?:therefore|thus|hence|then|exactly|precisely|only|just|simply|now|still|indeed|a total of|the sum of|"
    r"an amount of|"
    r"in total|in all|altogether|overall|clearly|actually|equal to|taxes of|tax of|a tax of|fees of|"
    r"taxes totalling|total|"
    r"rounded to|after rounding|insgesamt|genau|approx\.?|approximately|ca\.|circa|of)"
)
_SIGNS = r"[\s\"'(\[*~≈$:=→>]*"
_OPENS = re.compile(
    rf"(?:(?:so|thus|therefore|hence|ok|okay|and|finally|final(?:ly)?|the|it|this|that|she|he|they)\b[\s,:]*){{0,3}}(?:{_ADVERB}\s*){{0,3}}(?:(?-i:[A-Z]{{1,3}})\s)?{_SIGNS}\Z",
    re.IGNORECASE,
)
_TOPICAL = re.compile(
    rf"(?:\A|[\s,:;(])(?:{TOPIC}){_MORE}{_OF}\s*(?:\b{_IS}|[:=≈])\s*(?:{_ADVERB}\s*){{0,3}}{_SIGNS}\Z", re.IGNORECASE
)
_APPOSED = re.compile(rf"(?:\A|[\s,:;(]){TOPIC}{_MORE}\s*(?:of\s)?{_SIGNS}\Z", re.IGNORECASE)
_OWING = re.compile(
    rf"(?:\A|\s|\b){_OWES}\s*(?:(?:tax(?:es)?|fees|a tax|in tax)\s(?:of\s)?)?(?:{_ADVERB}\s*){{0,3}}{_SIGNS}\Z",
    re.IGNORECASE,
)
_SUBJECT_IS = re.compile(
    rf"\b(?:it|this|that|which|therefore|thus|so|hence)\s{_IS}\s*(?:{_ADVERB}\s*){{0,3}}{_SIGNS}\Z", re.I
)
_BOUND = re.compile(
    r"\b(?:less than|more than|at most|at least|no more than|not more than|no less than|up to|under|over|below|"
    r"above|exceeds?|"
    r"exceeding|about|around|roughly|nearly|almost|just (?:under|over)|within|maximum|minimum|max\.?|min\.?|"
    r"greater than|"
    r"fewer than|lower than|higher than|smaller than|larger than|ceiling|floor|or more|or less|or so|some|circa about|"
    r"weniger als|mehr als|höchstens|mindestens|unter|über|etwa|moins de|plus de|au moins|au plus|environ|"
    r"menos de|más de|"
    r"al menos|mais de|pelo menos|cerca de|meno di|più di|almeno|circa un|менее|более|около|不超过|至少|至多|大约|约|"
    r"以上|以下|以内)\b|[<>≤≥≲≳±]|不超过|至少|至多|大约|约|以上|以下",
    re.IGNORECASE,
)
_RANGE = re.compile(r"\b(?:between|from|somewhere)\b|\bzwischen\b|\bentre\b|\bтра\b", re.IGNORECASE)
_LIMIT_OK = re.compile(r"上限|limit|cap", re.IGNORECASE)
_TO = re.compile(r"\s*(?:-|–|—|to|bis|à|a|~)\s*[^\w\s]{0,2}\s?\d", re.IGNORECASE)
_OR = re.compile(r"\s*(?:,\s*)?(?:or|oder|ou|o|или|或|/)\s", re.IGNORECASE)
_ARITHMETIC = re.compile(
    r"\s*(?:[×xX*·÷^]|[+/](?!\w)|[-−](?=\s?[\d$€£¥(])|[+/](?=\s?[\d$])|\b(?:plus|minus|less|times|divided by|"
    r"multiplied by|"
    r"added to|and then|net of|before|short of|squared|percent)\b|%)",
    re.IGNORECASE,
)
_UNIT = re.compile(
    r"\s*(?:\Z|[.,;:!)\]\"'|—}$*]|-\s|,-|(?:marks?|dollars?|euros?|pounds?|yuan|usd|eur|gbp|rmb|in|for|to|as|on|under|by|per|a|an|"
    r"due|owed|payable|owing|total|altogether|only|exactly|after|rounded|because|since|which|that|since|according|based|"
    r"net|flat|of (?:tax|taxes|fees)|tax|taxes|annually|and nothing|is (?:the|her|his|their|what|due|owed|"
    r"payable|correct|right)|"
    r"from|with|i\.e|overall|here|today|this|the|steuern?|insgesamt|au total|en total|no total|in totale|"
    r"the final|final)\b|"
    r"整|です|입니다|になります|了|。)",
    re.IGNORECASE,
)
_ENDS = re.compile(
    r"(?:(?<=[^\d\s])|(?<=\d)(?!\d))(?:[.;!?](?=\s|\Z)|,\s(?!\d{3}\b)|\s?—\s?|\s-\s(?![\d$])|\s\|\s?)|"
    r"\s(?:because|since|i\.e\.|that is|as\s|which|after|so that|given|while|whereas|but)\b",
    re.IGNORECASE,
)
_ASIDE = re.compile(r"\((?P<inner>[^()]{0,300})\)")
_BAD_ASIDE = re.compile(
    r"\b(?:draft|not final|wrong|incorrect|estimate|estimated|tentative|if|or|maybe|guess|wait)\b", re.IGNORECASE
)
_PREAMBLE = re.compile(
    r"\s*(?:so|thus|therefore|hence|after|based on|given|under|according|with|in|for|by|per|overall|combining|applying|"
    r"considering|taking|adding|finally|as|since|because|ok|okay|to|from|having|all in all)\b",
    re.IGNORECASE,
)


def value_of_clause(value: str, negatives: bool, *, opening: bool = False) -> Said:
    """Return the amount that the text after a cue states, what is said of it, and why.

    value: plain text, such as ``$1,166 (1,200 - 34)`` or ``the tax on $50,000 is $1,166``. negatives: see `amount`.
    opening: the text has no cue, so that it must open with the amount.
    """
    text = re.sub(r"\\(?:text|mathrm|mathbf)\b", " ", value).strip()
    if re.search(r"\?[\s\"'*)]{0,6}\Z", text):
        return None, Status.QUESTIONED, "a question"
    if text and (alone := _alone(text, negatives)) is not None:
        return alone, Status.AFFIRMED, "it is an amount"
    if not text or TEMPLATE.fullmatch(text.strip(" .\"'")):
        return None, Status.ECHOED, "a placeholder"
    if retracts(text):
        return None, Status.RETRACTED, "taken back"
    asides = [match["inner"] for match in _ASIDE.finditer(text)]
    body = _ASIDE.sub(lambda m: m.group() if negatives else " ", text)
    if any(_BAD_ASIDE.search(aside) for aside in asides):
        return None, Status.SEVERAL, f"an aside takes it back: {text:.60}"
    if not opening and (chain := _equation(body, negatives)) is not None:
        return chain
    return _clauses(" ".join(body.split()), negatives, opening=opening)


def stated(sentence: str, negatives: bool) -> Said | None:
    """Return the amount that a sentence without a cue states, or None where it states none."""
    text = _ASIDE.sub(" ", sentence)
    if "?" in text[-3:] or refused(text) or retracts(text) or UNREAL.match(text.lstrip(" *>-")):
        return None
    if (chain := _equation(text, negatives)) is not None:
        return chain if chain[1] is Status.AFFIRMED else None
    found = list(scan(text, negatives))
    for one in reversed(found[-_MOST:]):
        before, after = _around(text, one)
        if not (_TOPICAL.search(before) or _OWING.search(before) or _APPOSED.search(before)):
            continue
        if re.search(r"\b(?:answer|verdict)\b", before, re.IGNORECASE):
            continue  # a sentence on the answer has a cue, or reports another's
        status, why = _status(before, after, text, one)
        if status is Status.AFFIRMED:
            return one.value, status, why
        if status in (Status.SEVERAL, Status.RANGED):
            return None
    return None


def _alone(text: str, negatives: bool) -> Fraction | None:
    """An amount and nothing else, but for a mark of rounding and words that count for nothing."""
    body = re.sub(rf"\A\s*(?:{_ADVERB}\s+)*[~≈]?\s?", "", text, flags=re.IGNORECASE)
    body = re.sub(
        r"[\s.]{0,4}(?:in total|in all|total|altogether|only|exactly)\W{0,6}\Z", "", body, flags=re.IGNORECASE
    )
    for one in (text, body):
        if (value := amount(re.sub(r",-\s*\Z", "", one), negatives=negatives)) is not None:
            return value
    symbols = re.sub(r"[^\w\s$€£¥₹%±≲≳.,()+\-/'~≈=<>≤≥×*÷^|{}\\;:–—]", "", text)
    return amount(symbols, negatives=negatives) if symbols != text else None


def _equation(text: str, negatives: bool) -> Said | None:
    """The side of an equation that is an amount: its result, or what stands before a sum that gives it."""
    head = re.split(r"[.;!?]\s|,\s(?!\d{3}\b)|\bbecause\b|\bsince\b", text.strip())[0]
    sides = [side.strip() for side in re.split(r"[=≈]", head)]
    if len(sides) < 2 or not any(re.search(r"\d", side) for side in sides[1:]):
        return None
    if _NOT.search(sides[0]) or REVISED.search(text[len(head) :]):
        return None, Status.UNCLEAR, f"not understood: {text:.60}"
    last, first = _alone(sides[-1], negatives), _alone(sides[0], negatives)
    if last is None:
        tail = list(scan(sides[-1], negatives))
        if len(tail) == 1 and not sides[-1][: tail[0].start].strip(" $~") and _UNIT.match(sides[-1], tail[0].end):
            last = tail[0].value
    if last is not None and first is not None and last != first:
        return None, Status.SEVERAL, f"two amounts that differ: {text:.60}"
    if last is not None:
        return last, Status.AFFIRMED, "the result of a calculation"
    if first is not None and _reckoned(sides[-1]) == first:
        return first, Status.AFFIRMED, "an amount and its calculation"
    return None, Status.COMPUTED, f"a calculation without its result: {text:.60}"


_NOT = re.compile(r"\b(?:not|never|n't|cannot|no)\b|n't\b", re.IGNORECASE)


def _reckoned(text: str) -> Fraction | None:
    """The value of a sum of amounts: `11,711 - 400`; None for anything else."""
    pieces = re.split(r"\s([+\-−])\s", text)
    total = amount(pieces[0])
    for sign, piece in zip(pieces[1::2], pieces[2::2], strict=True):
        value = amount(piece)
        if total is None or value is None:
            return None
        total += value if sign == "+" else -value
    return total


def _clauses(text: str, negatives: bool, *, opening: bool) -> Said:
    """The amount of the first clause that has one; a clause before it must be a preamble."""
    contrast = re.match(
        r"\s*(?:not\s(?:[^,;]|,(?=\d)){1,40}?,?\s(?:but|rather)\s|instead of (?:[^,;]|,(?=\d)){1,40}?,\s)",
        text,
        re.IGNORECASE,
    )
    start = contrast.end() if contrast else 0
    found = [one for one in scan(text, negatives) if one.start >= start]
    if not found:
        return None, Status.REFUSED if refused(text) else Status.UNCLEAR, f"the answer line holds no amount: {text:.60}"
    ends = [start, *(match.end() for match in _ENDS.finditer(text, start)), len(text)]
    for left, right in itertools.pairwise(ends):
        inside = [one for one in found if left <= one.start < right]
        clause = text[left:right]
        if not inside:
            if clause.strip(" ,.;:-") and (
                refused(clause) or opening or not (_PREAMBLE.match(clause) or _fragment(clause))
            ):
                return None, Status.REFUSED if refused(clause) else Status.UNCLEAR, f"not understood: {text:.60}"
            continue
        if _PREAMBLE.match(clause) and right < len(text) and text[left:right].rstrip().endswith(",") and not opening:
            continue  # "After the credit of $400, the tax is $11,311"
        one = inside[-1]
        before, after = text[max(left, one.start - 200) : one.start], text[one.end :]
        if len(inside) > 1 and not (_TOPICAL.search(before) or _OWING.search(before) or _SUBJECT_IS.search(before)):
            one = inside[0]
            before, after = text[max(left, one.start - 200) : one.start], text[one.end :]
        if opening and before.strip(" \"'*~≈$("):
            return None, Status.UNCLEAR, "it does not open with an amount"
        status, why = _status(before, after, text, one, cued=True)
        return (one.value if status in (Status.AFFIRMED, Status.NEGATED) else None), status, why
    return None, Status.UNCLEAR, f"not understood: {text:.60}"


def _fragment(clause: str) -> bool:
    return re.fullmatch(r"\W*(?:yes|ok|okay|well|right|done|thanks|so|finally)\W*", clause, re.IGNORECASE) is not None


def _around(text: str, one: Found) -> tuple[str, str]:
    before = text[max(0, one.start - 200) : one.start]
    return re.split(r"[;!?]|\.\s", before)[-1], text[one.end :]


def _status(before: str, after: str, text: str, one: Found, *, cued: bool = False) -> tuple[Status, str]:
    """What the words before and after an amount say of it, within its clause."""
    after = after[:200]
    rest = _ENDS.split(after)[0]
    if _RANGE.search(before) or _TO.match(after):
        return Status.RANGED, f"a range: {text:.60}"
    if _OR.match(after):
        return Status.SEVERAL, f"alternatives: {text:.60}"
    topical = _TOPICAL.search(before) or _OWING.search(before) or _APPOSED.search(before) or _SUBJECT_IS.search(before)
    if _BOUND.search(before) or re.match(
        r"\s*(?:or (?:more|less|so)|and (?:up|above|below)|at (?:most|least)|以上|以下)", after
    ):
        return Status.BOUNDED, f"a bound: {text:.60}"
    if NEGATIVE.search(before):
        return Status.NEGATED, f"denied: {text:.60}"
    if UNREAL.search(before):
        return Status.HYPOTHETICAL, f"supposed: {text:.60}"
    if _ARITHMETIC.match(after) or re.search(r"[+×*/÷^√-]\s?\Z|\\\w+\s?\{?\s*\Z", before.rstrip("$ ")):
        return Status.COMPUTED, f"a calculation without its result: {text:.60}"
    if re.match(r"\s*,?\s*and\s+[^\w\s]?\d", after):
        return Status.SEVERAL, f"two amounts: {text:.60}"
    if not (topical or (cued and _OPENS.match(before))):
        return Status.UNCLEAR, f"not understood: {text:.60}"
    if not _UNIT.match(after) or re.match(r"\s*(?:is|was) (?:not|wrong|incorrect)", after):
        return Status.UNCLEAR, f"not understood: {text:.60}"
    later = after[len(rest) :]
    later = re.sub(r"\A[\s.;,—-]+(?:and\s(?!\W?\s?\d))?", "", later)
    if REVISED.search(later) or REVISED.match(after) or refused(rest) or _UNDONE.search(later):
        return Status.SEVERAL, f"taken back or continued: {text:.60}"
    return Status.AFFIRMED, "a clause states it"


_UNDONE = re.compile(r"\A[\s,]*(?:plus|minus|less|times|\+|×)\s", re.IGNORECASE)
