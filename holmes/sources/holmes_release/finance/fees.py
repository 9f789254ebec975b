"""Release rules on fees: 10 training, 13 thesis reviews, lectures and consultations."""

from __future__ import annotations

from holmes.sources.holmes_release.finance.conditions import Conditions
from holmes.sources.holmes_release.finance.finding import FULL, PARTIAL, REJECT, UNKNOWN, Finding, Value, Word

_TOP = (
    "Role_Academician",
    "Role_National_Mgmt_Post_Level2_OrAbove",
    "Role_National_ProfTech_Post_Level2",
    "Role_Major_National_Research_Project_Leader",
)
_BUREAU, _DIVISION = "Role_Bureau_Director_Level", "Role_Division_Chief_And_Below"
# yuan a person and day: accommodation, meals, venue and materials, other
_QUOTAS = {**dict.fromkeys(_TOP, (500, 150, 80, 30)), _BUREAU: (400, 150, 70, 30), _DIVISION: (340, 130, 50, 30)}
_HOUR = {**dict.fromkeys(_TOP, 1500), _BUREAU: 1000, _DIVISION: 500}
_ITEMS = ("accommodation", "meals", "venue materials transport", "other")


def training(c: Conditions, form: str) -> Finding:
    """Rule 10: quotas by role, item caps over 30 full days and 70 % of the days beyond, instructors apart.

    form: ``plain``, ``claim`` or ``amount`` (which shows the same steps as plain).
    """
    role = c.one_of("training participant role", _QUOTAS)
    quota = _QUOTAS[role]
    stated = [c.num(f"training {item} quota") for item in _ITEMS]
    total_quota = c.num("training total quota")
    # days beyond are read from their field: 30 full days are granted with them, whatever the duration says
    longer = c.yes("training exceeds 30 days")
    days, beyond = (30, c.num("training days beyond 30")) if longer else (c.num("training duration days"), 0)
    spent = [c.num(f"training {item} expense") for item in _ITEMS]
    total = c.num("training total expense")
    caps = [_share(q, days, beyond) for q in stated]
    lecture = c.num("instructor lecture fees")
    checks = (
        stated == list(quota) and total_quota == sum(quota),
        all(10 * s <= cap for s, cap in zip(spent, caps, strict=True)),
        c.all(
            "has training expense detailed list", "has trainee list with contact",
            "has training service provider receipts",
        ),
        True,
    )  # fmt: skip
    core = sum(min(10 * s, cap) for s, cap in zip(spent, caps, strict=True)) // 10
    instructor, fees_fit = _instructor(c, stated, lecture)
    checks = (*checks[:3], fees_fit)
    paid = min(total, core + instructor) if checks[2] else 0
    verdict = REJECT if not checks[2] else FULL if all(checks) else PARTIAL
    values: tuple[Value, ...] = (*checks, core, instructor, paid, Word(verdict, paid), Word(verdict, paid))
    return _close(values, role, verdict, paid, form)


def _share(quota: int, days: int, beyond: int) -> int:
    """Ten times the cap of an item, so that 70 % stays whole."""
    return quota * (10 * days + 7 * beyond)


def _instructor(c: Conditions, quota: list[int], lecture: int) -> tuple[int, bool]:
    """The instructor's reimbursable amount, and whether every part of it is within its limit."""
    lodging, meals = c.num("instructor accommodation expense"), c.num("instructor meals expense")
    travel = c.num("instructor transportation expense")
    fits = lecture >= 0 and lodging <= quota[0] and meals <= quota[1]
    return max(lecture, 0) + min(lodging, quota[0]) + min(meals, quota[1]) + travel, fits


def experts(c: Conditions, form: str) -> Finding:
    """Rule 13: reviews and defences, lectures, consultations; a lecture not after tax leaves the outcome open."""
    review, review_fits = _review(c)
    role = c.one_of("lecture speaker role", _HOUR)
    hour = _HOUR[role]
    known = not c.yes("expense lecture fees") or c.yes("lecture fee is after tax")
    most = 4 * c.num("lecture half days")
    fee, hours = c.num("lecture fee per class hour"), c.num("lecture class hours")
    lecture = min(fee, hour) * min(hours, most) if c.yes("expense lecture fees") and known else 0
    lecture_fits = not c.yes("expense lecture fees") or (known and fee <= hour and hours <= most)
    consultation, consultation_fits = _consultation(c)
    total = review + lecture + consultation if known else 0
    fits = review_fits and lecture_fits and consultation_fits
    verdict = UNKNOWN if not known else FULL if fits else PARTIAL
    values: tuple[Value, ...] = (
        review_fits, lecture_fits, consultation_fits, not known, review, hour, lecture, consultation, total,
        Word(verdict, total), Word(verdict, total),
    )  # fmt: skip
    return _close(values, role, verdict, total, form)


def _review(c: Conditions) -> tuple[int, bool]:
    """Thesis reviews: counts and fees are capped, each by the kind of thesis."""
    if not c.yes("expense graduate thesis review defense"):
        return 0, True
    doctor = c.yes("expense doctoral dissertation")
    reviewers, committee, top, secretary_fee = (8, 7, 500, 150) if doctor else (3, 5, 300, 100)
    count, fee = c.num("reviewer count"), c.num("reviewer fee per person")
    members, member_fee = c.num("defense committee count"), c.num("defense committee fee per person")
    secretaries, paid = c.num("defense secretary count"), c.num("defense secretary fee per person")
    fits = (
        count <= reviewers and fee <= top and members <= committee and member_fee <= top
        and secretaries <= 1 and paid <= secretary_fee
    )  # fmt: skip
    amount = (
        min(count, reviewers) * min(fee, top)
        + min(members, committee) * min(member_fee, top)
        + min(secretaries, 1) * min(paid, secretary_fee)
    )
    return amount, fits


def _consultation(c: Conditions) -> tuple[int, bool]:
    """Consultations: by the day in person, by the project in writing."""
    if not c.yes("expense expert consultation fees"):
        return 0, True
    senior = c.word("consultation participant role") != _DIVISION
    if c.yes("consultation type in person"):
        days, fee = c.num("consultation days"), c.num("consultation fee per day")
        early, late = (800, 400) if senior else (500, 300)
        cap = late if days >= 3 else early  # from three days on the release pays the late rate for every day
        return days * min(fee, cap), fee <= cap
    fee, cap = c.num("consultation fee per project"), 100 if senior else 80
    return min(fee, cap), fee <= cap


def _close(values: tuple[Value, ...], role: str, verdict: str, paid: int, form: str) -> Finding:
    decided = Word(verdict)
    end: tuple[Value, ...] = (decided,)
    if form == "claim":
        end = (decided, decided, decided, Word(role), decided)
    return Finding((*values, Word("category"), True, *end), verdict, paid)
