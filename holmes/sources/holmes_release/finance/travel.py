"""Release rules on travel: 7 domestic, 8 abroad; the limits of lodging by city, rank and season."""

from __future__ import annotations

from holmes.sources.holmes_release.finance.conditions import Conditions
from holmes.sources.holmes_release.finance.finding import Finding, Value, Word, graded

_RANKS = ("Lodging_Ministerial", "Lodging_Bureau", "Lodging_Other")
# yuan a night by rank (ministerial, bureau, other); then what holds in the months named
_Caps = tuple[int, int, int]
LODGING: dict[str, tuple[_Caps, _Caps | None, tuple[int, ...]]] = {
    "AH_ALL": ((800, 460, 350), None, ()),
    "BJ_ALL": ((1100, 650, 500), None, ()),
    "DL_ALL": ((800, 490, 350), (960, 590, 420), (7, 8, 9)),  # the season is in the data only
    "FJ_CORE": ((900, 480, 380), None, ()),
    "FJ_OTHER": ((900, 480, 350), None, ()),
    "GS_OTHER": ((700, 450, 310), None, ()),
    "GX_GL_BH": ((800, 470, 330), (1040, 610, 430), (1, 2, 7, 8, 9)),
    "GX_OTHER": ((800, 470, 330), None, ()),
    "HEB_MAIN": ((800, 450, 350), None, ()),
    "HEB_ZJK": ((800, 450, 350), (1200, 675, 525), (7, 8, 9, 11, 12, 1, 2, 3)),
    "HEN_LY": ((900, 480, 330), (1200, 720, 500), (4, 5)),
    "HN_HK_WC_CM": ((800, 500, 350), (1040, 650, 450), (11, 12, 1, 2)),
    "HN_SY": ((800, 500, 350), (1200, 720, 480), (10, 11, 12, 1, 2, 3, 4)),
    "JS_CORE": ((900, 490, 380), None, ()),
    "JS_OTHER": ((900, 490, 360), None, ()),
    "JX_ALL": ((800, 470, 350), None, ()),
    "NB_ALL": ((800, 450, 350), None, ()),
    "QD_ALL": ((800, 490, 380), (960, 590, 450), (7, 8, 9)),
    "QH_HB_HN": ((600, 350, 250), (900, 525, 375), (5, 6, 7, 8, 9)),
    "QH_HX": ((600, 300, 200), (900, 450, 300), (5, 6, 7, 8, 9)),
    "QH_XN": ((800, 500, 350), (1200, 750, 530), (6, 7, 8, 9)),
    "SC_CD": ((900, 470, 370), None, ()),
    "SH_ALL": ((1100, 600, 500), None, ()),
    "SN_YLQ": ((680, 320, 260), None, ()),
    "SZ_ALL": ((900, 550, 450), None, ()),
    "TJ_CORE": ((800, 480, 380), None, ()),
    "XZ_LS": ((800, 500, 350), (1200, 750, 530), (6, 7, 8, 9)),
    "XZ_OTHER": ((500, 400, 300), (800, 500, 350), (6, 7, 8, 9)),
    "YN_CORE": ((900, 480, 380), None, ()),
}
_TOP = ("R7P_Academician", "R7P_Major_National_Research_Project_Leader")
_MIDDLE = ("R7P_Bureau_or_Equivalent_Duty", "R7P_DeputySenior_or_Above_ProfTech")
# each tier has its own classes: a lower class than one's own is not allowed either
_TOP_CLASSES = ("Train_SoftSleeper", "Train_First", "Train_Business", "Ship_First", "Air_First", "Air_Business")
_MIDDLE_CLASSES = ("Train_SoftSleeper", "Train_First", "Ship_Second", "Air_Economy")
_LOW_CLASSES = ("Train_HardSeat", "Train_HardSleeper", "Train_Second", "Ship_Third", "Air_Economy")


def nightly_cap(c: Conditions) -> int:
    """Return the lodging limit a night; 0 for a city that the table does not know."""
    known = LODGING.get(c.word("city key"))
    if known is None:
        return 0
    usual, season, months = known
    caps = season if season is not None and c.num("travel month") in months else usual
    return caps[_RANKS.index(c.one_of("lodging rank of traveler", _RANKS))]


def _class_fits(c: Conditions) -> bool:
    """Whether the class of transport is the traveller's by rank."""
    person = c.word("person position")
    # salary level 5 and above is named with the middle tier in the text, and treated as the lowest in the data
    classes = _TOP_CLASSES if person in _TOP else _MIDDLE_CLASSES if person in _MIDDLE else _LOW_CLASSES
    return c.word("chosen class") in (*classes, "Other_Class")


def domestic(c: Conditions, form: str) -> Finding:
    """Rule 7: six mandatory and four standard checks; the amount adds what each item may cost at most.

    form: ``plain``, ``claim``, or ``amount`` (whose trace shows no checks).
    """
    nights, days = c.num("lodging nights"), c.num("trip days calendar")
    cap = nightly_cap(c) * nights
    a_day = 120 if c.word("region type") == "Xinjiang_Qinghai_Tibet" else 100
    invitee, driving = c.yes("is external invitee"), c.yes("uses self drive or rental")
    contract = c.yes("has contract specific transport rule")
    transport = (
        c.yes("satisfies contract transport rule") if contract
        else _class_fits(c) or c.all(
            "transport above standard", "has transport special explanation",
            "has project leader signature for transport exception",
        )
    )  # fmt: skip
    ticket = c.yes("has intercity transport invoice") or c.all(
        "transport ticket unobtainable in remote research",
        "has approved special explanation for transport no ticket",
        "has other valid supporting docs for transport no ticket",
    )
    bed = c.yes("has lodging invoice") or c.all(
        "lodging invoice unobtainable", "has approved special explanation for lodging no invoice",
        "has handwritten receipt signed by payee",
    )  # fmt: skip
    ticket = ticket or not c.yes("has intercity transport expense")
    bed = bed or not c.yes("has lodging expense")
    lodging = c.num("lodging nightly amount") * nights
    meal, actual = c.num("meal subsidy claimed total"), c.num("city transport actual claimed total")
    lump, uses_lump = c.num("city transport lump sum claimed total"), c.yes("use city transport lump sum")
    rental, lowest = c.num("rental fuel toll total"), c.num("public transport lowest standard total")
    papers = c.all("has trip report form", "signed by unit head and sealed") and (
        not c.yes("is unit head self trip") or c.yes("unit head self trip has other leader sign")
    )
    subsidy = not c.yes("intercity and lodging both paid by external unit") and (
        not c.yes("only one of intercity or lodging paid by external unit")
        or c.all(
            "has signed special explanation for partial external support",
            "has valid notice or invitation for partial external support",
        )
    )
    drive = not driving or (c.yes("has signed special explanation for self drive") and rental <= lowest)
    meals = meal <= a_day * days
    if uses_lump:
        city = lump <= 80 * days
    else:
        city = not c.yes("has city transport expense") or c.all(
            "has city transport receipts", "city transport within budget"
        )
    twice = c.all("transport or meal already paid by external unit", "claimed transport or meal again in school") or (
        driving and c.yes("has city transport expense")  # the data count any city transport beside a car as double
    )
    guest = not invitee or (
        c.yes("external invitee transport lodging confirmed by project leader")
        and not c.any("external invitee claims meal subsidy", "external invitee claims city transport lump sum")
    )
    mandatory = papers and ticket and bed and subsidy and drive and not twice and guest
    standard = transport and lodging <= cap and meals and city
    verdict = graded(mandatory, standard)
    if form == "amount":
        intercity = c.num("claimed intercity total v2") if transport else 0
        paid = (
            intercity
            + min(c.num("claimed lodging total v2"), cap)
            + (0 if invitee else min(meal, a_day * days))
            + (min(lump, 80 * days) if uses_lump else actual)
            + (min(rental, lowest) if driving else 0)
        )
        approved = Word(verdict, paid)
        rank = Word(c.word("person position"))
        return Finding((paid, approved, approved, approved, rank, Word("none")), verdict, paid)
    values: tuple[Value, ...] = (
        papers, transport, lodging <= cap, ticket and bed, subsidy, drive, meals, city, not twice, guest,
        mandatory, standard, ticket, bed, cap, Word("category"), True,
    )  # fmt: skip
    decided = Word(verdict)
    end = (decided, decided, decided, Word(c.word("person position")), decided) if form == "claim" else (decided,)
    return Finding((*values, *end), verdict)


_ABROAD_TOP = (
    "Role_National_Mgmt_Post_Level2_OrAbove",
    "Role_National_ProfTech_Post_Level2",
    "Role_Academician",
    "Role_Major_National_Research_Project_Leader",
)


def abroad(c: Conditions, form: str) -> Finding:
    """Rule 8: five mandatory checks and the class of travel; the steps' wording does not say what they check.

    form: ``plain`` or ``claim``.
    """
    role = c.word("overseas traveler role")
    if c.yes("is research project fund") or role in _ABROAD_TOP:
        fits = True  # research funds are not checked, the top roles may travel as they like
    elif role == "Role_Bureau_Director_Level":
        fits = not c.any(
            "travel by first class air", "travel by high grade soft sleeper rail", "travel by business class hsr",
            "travel by first class ship",
        )  # fmt: skip
    else:
        fits = (
            c.yes("travel by economy class air")
            and c.any("travel by hard seat rail", "travel by second class hsr")
            and c.yes("travel by third class ship")
        )
    approval = c.all("has foreign affairs office approval", "has overseas expense statement")
    reviewed = c.all("reviewed by foreign affairs travel center", "signed by foreign affairs travel center")
    paid = (
        c.any("international airfare paid by business card", "international airfare paid by bank transfer")
        and c.any("accommodation paid by business card", "accommodation paid by bank transfer")
        and c.yes("reimbursement completed after return")
        and not c.yes("expenses prepaid for future travel")
    )
    together = (
        c.yes("all overseas expenses reimbursed together")
        and (not c.yes("books purchased overseas") or c.yes("books reimbursed with overseas expenses"))
        and (not c.yes("materials purchased overseas") or c.yes("materials reimbursed with overseas expenses"))
        and (
            not c.yes("foreign website purchase without formal receipts")
            or c.all(
                "printed purchase records provided", "authenticity statement attached", "exclusivity statement attached"
            )
        )
    )
    manual = (
        "foreign currency converted manually",
        "multiple currencies cannot be scheduled",
        "exchange rate proof attached",
    )
    currency = c.yes("foreign currency selected in appointment") and (
        c.yes("foreign currency converted by system") or c.all(*manual)
    )
    checks = (approval, reviewed, fits, paid, together, currency)
    mandatory = approval and reviewed and paid and together and currency
    verdict = graded(mandatory, fits)
    decided = Word(verdict)
    end: tuple[Value, ...] = (decided, decided, decided, Word(role), decided) if form == "claim" else (decided,)
    return Finding((*checks, Word("category"), True, *end), verdict)
