"""Release rules on events: 9 conferences, 18 official hospitality, 19 visitors."""

from __future__ import annotations

from holmes.sources.holmes_release.finance.conditions import Conditions
from holmes.sources.holmes_release.finance.finding import Finding, Word, graded

# yuan a person and day: lodging, meals, other
_RESEARCH = {
    "R9_Domestic_Business": (500, 150, 100),
    "R9_Domestic_Management": (340, 130, 80),
    "R9_International_In_China": (700, 200, 300),
}
_STATE = {"R9_Class1": (500, 150, 110), "R9_Class2": (400, 150, 100), "R9_Class34": (340, 130, 80)}
# venue, cold reception a person
_INTERNATIONAL = {"R9_Intl1": (300, 220), "R9_Intl2": (200, 220), "R9_Intl3": (150, 220)}


def conference(c: Conditions, form: str) -> Finding:
    """Rule 9: the trace shows the daily cap only; the verdict rests on documents, form and limits."""
    cap = _cap(c)
    verdict = graded(conference_mandatory(c), conference_standard(c))
    return Finding((cap, Word("category"), True, Word(verdict)), verdict)


def _international(c: Conditions) -> bool:
    return c.one_of("conf scope", _RESEARCH) == "R9_International_In_China"


def _research(c: Conditions) -> bool:
    """Whether research funds pay; a nested record names the field twice, and the first is the conference's."""
    return c.one_of("fund type", ("R9_Research", "R9_NonResearch")) == "R9_Research"


def _quota(c: Conditions) -> tuple[int, int, int]:
    """The daily quotas; none for an international conference on other than research funds."""
    if _research(c):
        return _RESEARCH[c.one_of("conf scope", _RESEARCH)]
    return (0, 0, 0) if _international(c) else _STATE[c.one_of("domestic class", _STATE)]


def _cap(c: Conditions) -> int:
    lodging, meals, other = _quota(c)
    return (lodging if c.yes("has lodging arranged") else 0) + (meals if c.yes("has meal arranged") else 0) + other


def conference_mandatory(c: Conditions) -> bool:
    """Documents, settlement in one batch, advance, approval, place, and a record that is coherent."""
    documents = c.all(
        "has notice and agenda", "has budget form", "has expense detail list", "has signin sheet with org",
        "has service invoices", "has original supporting docs", "has e settlement docs", "has contract or agreement",
    )  # fmt: skip
    batch = c.yes("reimbursed in single batch") or c.all(
        "split reimbursement needed by channel", "each channel reimbursed once", "previous channel details listed"
    )
    advance = not c.yes("has advance payment") or (
        20 <= c.num("advance ratio percent") <= 30
        and c.all("advance has notice and agenda", "advance has budget form", "advance has related contract")
        and (not _international(c) or c.yes("advance has intl approval if intl"))
    )
    foreign = not c.yes("has foreign guests in domestic conf") or c.yes("approved by foreign affairs office")
    place = not c.yes("held in prohibited scenic area") and not (
        c.yes("held outside shanghai") and c.num("in shanghai attendee ratio percent") > 50
    )
    meal = not c.yes("has work meal") or (
        c.yes("has work meal attendee list and detail") and c.num("work meal standard pp") <= 50
    )
    longest = 1 if c.word("conf scope") == "R9_Domestic_Management" else 2
    days = c.num("conference days")
    coherent = c.num("attendee count") > 0 and 0 < days <= longest and days == c.num("duration days")
    return documents and batch and advance and foreign and place and meal and coherent and min(_spent(c)) >= 0


def _spent(c: Conditions) -> list[int]:
    return [c.num(f"actual {item} ppd") for item in ("lodging", "meal", "other")]


def conference_standard(c: Conditions) -> bool:
    """Amounts within the quota, or item by item where there is none."""
    total = c.num("actual total ppd")
    if total != sum(_spent(c)) or not c.yes("excluded items within budget"):
        return False
    if _international(c) and not _research(c):
        return _items(c)
    return total <= _cap(c)


def _items(c: Conditions) -> bool:
    """The limits of each item of an international conference on other than research funds."""
    venue, cold = _INTERNATIONAL[c.one_of("intl class", _INTERNATIONAL)]
    staff, seats, bus = c.num("staff count"), c.num("bus seats"), c.num("bus cost per vehicle day")
    return (
        c.num("venue rent ppd") <= venue
        and c.num("equipment rent ppd") <= 100
        and c.num("cold meal pp once") <= cold
        and 10 * staff <= c.num("attendee count")
        and 2 * c.num("resident staff count") <= staff
        and c.num("staff board ppd") <= 450
        and c.num("volunteer subsidy ppd") <= 100
        and c.num("interpretation labor ppd") <= (5000 if c.yes("interpretation is un language") else 6000)
        and c.num("written translation per thousand") <= 200
        and c.num("sim interpret and office rent ppd") <= 100
        and bus <= (1500 if seats > 25 else 1000 if seats > 5 else 800)
        and c.num("other service ppd") <= 100
    )


def hospitality(c: Conditions, form: str) -> Finding:
    """Rule 18: documents are mandatory, lodging, meals and vehicles partial."""
    guests, hosts = c.num("visitor count"), c.num("accompanying person count")
    arranged = c.yes("accommodation arranged for visitors")
    meal = c.yes("is working meal necessary")
    checks = (
        c.all(
            "is domestic official hospitality", "processed per event", "has financial invoices",
            "has official letter from sending unit", "official letter includes purpose",
            "official letter includes agenda", "official letter includes visitor list",
            "has hospitality list form", "has hospitality approval form",
        ),
        not c.yes("has accommodation expense claimed")
        and (
            not arranged
            or c.yes("accommodation arranged in standard room")
            or c.all("accommodation arranged in suite for provincial level", "visitor level provincial ministerial")
        )
        and not c.all("is local shanghai unit visit", "accommodation arranged for local visit"),
        not meal
        or (
            c.yes("meal type boxed lunch or buffet")
            and c.num("daily meal standard per person") <= 100
            and (not c.yes("has one formal meal") or c.num("formal meal standard per person") <= 150)
            and (hosts <= 3 if guests <= 10 else 3 * hosts <= guests)
            and c.num("accompanying staff simple meal standard") <= 50
        ),
        c.all("group transportation arranged", "vehicle selection reasonable", "accompanying vehicles controlled"),
    )  # fmt: skip
    verdict = graded(checks[0], all(checks))
    return Finding((*checks, Word("category"), True, Word(verdict)), verdict)


_DAILY = {
    "R19_Head_of_State": 600,
    "R19_VicePremier_or_ParliamentLevel": 550,
    "R19_Ministerial_or_ViceMinisterial": 500,
    "R19_Other": 300,
}
_BANQUETS = {"R19_Cold_Buffet": 150, "R19_Cocktail": 100, "R19_Tea": 60}


def visitors(c: Conditions, form: str) -> Finding:
    """Rule 19: the limits for foreign guests hold for both scopes; the travel leg is never checked."""
    domestic = c.word("visit scope") == "R19_Domestic_Visit"
    papers = c.all(
        "has truthful filing to foreign affairs office", "has fudan overseas expert fund report",
        "signed by responsible person", "signed by handler",
    )  # fmt: skip
    reception = not domestic or c.all(
        "has domestic reception list", "domestic list signed by responsible person", "domestic list has visitor org",
        "domestic list has visitor name", "domestic list has visit reason",
    )  # fmt: skip
    star = c.num("hotel star")
    lodging = not c.yes("claims lodging") or (
        star in (4, 5) if c.yes("delegation led by vice minister or above") else star <= 4
    )
    daily = not c.yes("claims daily meal") or c.num("daily meal ppd") <= _DAILY.get(c.word("guest level"), 300)
    formal = 400 if c.yes("banquet host is ministerial or vice") else 300
    banquet = not c.yes("claims banquet") or c.num("banquet pp once") <= _BANQUETS.get(c.word("banquet type"), formal)
    transport = not c.yes("claims local transport") or c.yes("local transport compliant with level standard")
    gift = not c.yes("claims gift") or _gift(c)
    guests, hosts = c.num("foreign guest count"), c.num("our accompany count")
    company = (
        c.yes("arranged by protocol requirement") if c.yes("is major diplomatic event for head state")
        else hosts <= guests if guests <= 5 else 2 * (hosts - 5) <= guests - 5
    )  # fmt: skip
    missed = not c.yes("claims staff mismeal subsidy") or c.num("staff mismeal subsidy pp once") <= 50
    linked = c.all("is conference related visit", "conference has lodging or meal expense")
    nested = linked and "conf scope" in c.values
    mandatory_leg = not nested or conference_mandatory(c)
    standard_leg = mandatory_leg and (not nested or conference_standard(c))  # the data let the one imply the other
    mandatory = papers and reception and mandatory_leg
    standard = lodging and daily and banquet and transport and gift and company and missed and standard_leg
    verdict = graded(mandatory, standard)
    values = (
        papers, True, reception, True, lodging, daily, banquet, transport, gift, company, missed, mandatory_leg,
        standard_leg, mandatory, standard, Word("category"), True, Word(verdict),
    )  # fmt: skip
    return Finding(values, verdict)


def _gift(c: Conditions) -> bool:
    limit = {"R19_Gift_Ministerial_or_ViceMinisterial": 400, "R19_Gift_Bureau": 200}.get(c.word("gift target level"))
    return c.yes("gift is small souvenir for other") if limit is None else c.num("gift pp once") <= limit
