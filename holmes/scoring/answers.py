"""The score of a reply whose answer is read from its text (design section 6)."""

from __future__ import annotations

from fractions import Fraction

from holmes.answers.label import Label
from holmes.cases import Case
from holmes.errors import InputError
from holmes.interfaces import Strictness
from holmes.logic.language.rule_order import RuleOrder, rule_order
from holmes.reading.thinking import final_reply
from holmes.registry import domain_of
from holmes.results import Judged, Outcome, Score
from holmes.scoring.citations import authors_rules, score_rules
from holmes.version import __version__

VERSION = 2  # 2: mentions with a status; a value must account for its clause
_COMPATS = (None, "holmes-2026", "deontic-2026")


def score_answer(
    case: Case,
    text: str | None,
    *,
    truncated: bool = False,
    compat: str | None = None,
    tolerance: int | Fraction | None = None,
    negatives: bool = False,
    **unknown: object,
) -> Score:
    """Score one output by the answer that its text commits itself to.

    case: the case with its gold; answer_type label, amount or report. text: the raw output, thinking included; None
    when the host returned nothing. truncated: the host cut the generation. compat: None, or "holmes-2026" (the
    authors' reading of law answers with their rule scores, and of finance reports) or "deontic-2026" (gold amounts as
    whole numbers). tolerance: how far an amount may be off, in units of it; None is 1 for deontic cases (paper B.3: the
    rounded amount may differ by one) and 0 for others. negatives: figures in parentheses are losses.
    Parts: accuracy, abstained, and for law the scores of the cited rules; for reports the share of right fields; for
    finance cases, ours and imported, the share of right subjects, and both scores read strictly
    (`holmes.answers.audit_report.judge`); for policy questions the validity of the witness and of both.
    Returns a Score. Raises InputError for an unknown option, or a gold that cannot be read.
    """
    if unknown:
        raise InputError(
            f"option {min(unknown)}: found an unknown option, expected truncated, compat, tolerance or negatives"
        )
    if compat not in _COMPATS:
        raise InputError(f"option compat: found {compat!r}, expected holmes-2026 or deontic-2026")
    domain = domain_of(case)
    kind = domain.answer_kind(case)
    limit = kind.tolerance if tolerance is None else Fraction(tolerance)
    signature = f"answer:{VERSION}|type:{case.answer_type}|tolerance:{limit}|compat:{compat or 'none'}"
    signature += f"|negatives:{'yes' if negatives else 'no'}|holmes:{__version__}"
    if compat == "holmes-2026" and (published := kind.published(case, text)) is not None:
        return _published(case, text, published, signature)
    reply = final_reply(text or "")
    cut = truncated or not reply.closed
    if text is None:
        judged = Judged(Outcome.FAILED, None, "the host returned no output", kind.empty(case))
    else:
        strictness = Strictness(limit, negatives, whole=compat == "deontic-2026")
        judged = kind.judge(case, reply, cut=cut, strictness=strictness)
    outcome, reason = judged.outcome, judged.reason
    if not outcome.answered and text is not None and cut:
        why = "the generation was cut" if truncated else "the reasoning was never closed"
        outcome, reason = Outcome.TRUNCATED, f"{why}; {reason}"
    parts = {"accuracy": float(outcome is Outcome.RIGHT), "abstained": float(not outcome.answered), **judged.parts}
    if domain.cites:
        rules = score_rules(case, reply.text, _order(case))
        parts |= rules.parts()
        reason += f"; first layer with a rule missing: {rules.broken}" if rules.broken else ""
    read_as = judged.read_as if outcome.answered else ""
    return Score(parts["accuracy"], outcome, judged.answer, reason, parts, signature, read_as)


def _order(case: Case) -> RuleOrder | None:
    """Return which rules need which; None where the rule base is not at hand (a release, another version)."""
    try:
        return rule_order(domain_of(case).parts(case)[0].base)
    except InputError:
        return None


def _published(case: Case, text: str | None, judged: Judged, signature: str) -> Score:
    """Return the authors' score; of labels with their scores of the cited rules."""
    right = judged.outcome is Outcome.RIGHT
    parts = {"accuracy": float(right), "abstained": float(not judged.outcome.answered), **judged.parts}
    if isinstance(domain_of(case).answer_kind(case), Label):
        parts |= authors_rules(case, text or "", right).parts()
    return Score(float(right), judged.outcome, judged.answer, judged.reason, parts, signature)
