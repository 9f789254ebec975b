"""Release rules on documents: 3 materials, 4 invoices, 6 office, 11 family visits, 14–17 works and assets, 20 loans.

Each function follows the released data; where the data go beyond the rule text, a comment says so.
"""

from __future__ import annotations

from holmes.sources.holmes_release.finance.conditions import Conditions
from holmes.sources.holmes_release.finance.finding import FULL, PARTIAL, REJECT, Finding, Word, graded

_SPECIAL = (
    "has travel approval", "has overseas travel approval", "has conference approval", "has equipment purchase approval",
    "has research fund transfer approval",
)  # fmt: skip
_FAULTS = (
    "lacks supervision seal", "scope mismatch", "content incomplete", "missing date", "missing quantity",
    "missing unit price", "missing amount", "missing description", "missing payee seal",
    "amount figures words inconsistent", "altered", "forged", "fraudulent",
)  # fmt: skip
_OFFICE = (
    "office stationery", "computer accessories", "office furniture", "books", "newspapers", "magazines",
    "cleaning supplies", "drinking water",
)  # fmt: skip


def materials(c: Conditions) -> Finding:
    """Rule 3: completeness of the materials; appointment form and receipts are fatal, the rest only partial."""
    special = c.any(*_SPECIAL)
    department = c.yes("has department approval for special transactions")
    contract = c.all("has signed contract", "contract stamped with university seal")
    checks = (
        c.all(
            "appointment form printed", "fund ledger entry submitted", "appointment form signed by project leader",
            "appointment form signed by handler",
        ),
        c.any("project leader matches system", "project leader authorization letter filed"),
        c.all("original receipts signed by project leader", "original receipts signed by handler"),
        # a department approval without a special transaction also fails, which the text does not say
        c.any("has single pen approval for university funds", "has research project leader signature")
        and (special or not department),
        c.yes("electronic invoice selected in form") or not c.yes("electronic invoice verified in system"),
        contract or not c.any("payment amount ge 30000", "has contract for construction"),
        not c.yes("payment amount gt 50000")
        or c.all("has large sum payment application", "large sum form signed by leader", "large sum form stamped"),
        department or not special,
    )  # fmt: skip
    verdict = graded(checks[0] and checks[2], all(checks))
    return Finding((*checks, Word(verdict)), verdict)


def invoices(c: Conditions) -> Finding:
    """Rule 4: any fault on the negative list makes the invoice wrong; the first two checks pass when it does."""
    faulty = c.any(
        *(f"invoice {fault}" for fault in _FAULTS), "taxi receipts consecutive numbers",
        "taxi receipts large quantity same taxi", "reimbursement procedure incomplete",
    )  # fmt: skip
    verdict = "Invoice_Error" if faulty else "Invoice_Correct"
    return Finding((faulty, faulty, not faulty, Word(verdict)), verdict)


def office(c: Conditions) -> Finding:
    """Rule 6: office supplies, books and printing; every check is mandatory."""
    reviewed = c.yes("is asset management office review required")
    checks = (
        c.yes("is low value consumable") or not c.any(*(f"expense {kind}" for kind in _OFFICE)),
        not reviewed or c.yes("has external purchase inventory review form"),
        reviewed
        or not c.any("expense office stationery", "expense cleaning supplies")
        or c.any("has seller goods list", "has online shopping transaction record"),
        not c.yes("expense books") or c.yes("book expense has detailed list"),
        not c.yes("single book value ge 1000")
        or c.all("book registered with library", "has fixed asset addition slip"),
        True,
        not c.any("single invoice over 1000 for printing", "multiple invoices around same time over 1000")
        or c.yes("has detailed list for printing"),
        not c.yes("artificially split invoice amounts"),
        not c.yes("expense monograph publication subsidy") or c.yes("monograph publication has contract"),
        not c.yes("contract party is individual or department") or c.yes("contract approved by project fund admin"),
    )
    verdict = FULL if all(checks) else REJECT
    return Finding((*checks, all(checks), Word("category"), True, Word(verdict)), verdict)


def family_visits(c: Conditions) -> Finding:
    """Rule 11: the application is mandatory, everything else only partial."""
    once, four = c.yes("family visit round trip once per year"), c.yes("family visit once every four years")
    total, paid = c.num("travel expense total"), c.num("travel expense reimbursable")
    air = c.yes("travel by air")
    checks = (
        not c.yes("staff unmarried visiting parents") or once,
        not c.yes("staff married visiting spouse") or once,
        # 30 % of the monthly salary is the applicant's own share, whatever is claimed
        not c.yes("staff married visiting parents")
        or (four and 10 * paid <= 10 * total - 3 * c.num("monthly base salary")),
        c.yes("has inter city transportation costs")
        and not c.yes("has local transportation costs")
        # by air the train fare is the only bound, even above what was paid
        and paid <= (c.num("equivalent train fare") if air else total),
        c.all("has family visit application form", "form approved by department", "form stamped by hr"),
    )
    verdict = graded(checks[4], all(checks[:4]))
    return Finding((*checks, Word("category"), True, Word(verdict)), verdict)


def advance_payments(c: Conditions) -> Finding:
    """Rule 14: works; the last two checks are triggers, passing them is what makes the approval partial."""
    first, final = c.yes("is first payment"), c.yes("is final settlement payment")
    checks = (
        c.all(
            "approval form original provided", "approval form stamped infra official seal",
            "approval form stamped renovation review seal",
        )
        and (
            not c.yes("project amount over 100k")
            or c.all("approval signed by infra director", "approval signed by vice president")
        ),
        c.all(
            "payment follows contract amount", "payment follows contract progress", "not overpayment",
            "not advance payment across progress",
        ),
        not first or c.yes("construction contract original provided"),
        not final
        or c.all(
            "cost review opinion original provided", "filing form original provided", "opinion stamped by cost company",
            "opinion stamped by infra process", "filing form signed by engineering department",
            "filing form signed and commented by audit office", "final payment based on approved settlement total",
        ),
        first and c.yes("first payment exceeds contract ratio or amount"),
        final and c.yes("final payment exceeds contract price"),
    )  # fmt: skip
    verdict = REJECT if not all(checks[:4]) else PARTIAL if any(checks[4:]) else FULL
    return Finding((*checks, Word("category"), True, Word(verdict)), verdict)


def warranties(c: Conditions) -> Finding:
    """Rule 15: both branches are evaluated, the claim's own branch decides."""
    refund = c.all(
        "has engineering or equipment invoice", "invoice issued in full amount including warranty",
        "warranty receipt issued by finance", "warranty period expired", "no quality dispute within warranty period",
        "warranty receipt provided for refund", "department head signed for refund",
    )  # fmt: skip
    review = c.all("has cost review opinion", "claimed amount matches school share in opinion") and (
        not c.yes("contractor share exists") or c.yes("contractor invoice copy provided")
    )
    claim = c.one_of("rule15 case.claim type", ("Claim_Warranty_Refund", "Claim_Cost_Review_Fee"))
    verdict = FULL if (refund if claim == "Claim_Warranty_Refund" else review) else REJECT
    return Finding((refund, review, Word(claim), True, Word(verdict)), verdict)


def assets(c: Conditions) -> Finding:
    """Rule 16: all branches are evaluated, the claim's own branch decides."""
    book = c.yes("is book")
    branches = {
        "Claim_Fixed_Asset": c.all("has physical form goods", "has fixed asset reimbursement slip second copy")
        and (c.yes("unit price over 1000") or c.all("is bulk same kind materials", "useful life over 1 year"))
        and c.yes("fixed asset registered at library" if book else "fixed asset registered at asset management office"),
        "Claim_Intangible_Asset": c.all(
            "is application software", "intangible value at least 2000", "not indispensable hardware component",
            "has intangible asset reimbursement slip second copy",
        ),
        "Claim_Purchased_Material": c.all(
            "not meet fixed asset standard", "not meet intangible asset standard",
            "has purchased inventory confirmation form",
        ),
    }  # fmt: skip
    claim = c.one_of("claim type", branches)
    verdict = FULL if branches[claim] else REJECT
    return Finding((*branches.values(), Word(claim), True, Word(verdict)), verdict)


def maintenance(c: Conditions) -> Finding:
    """Rule 17: the shown check leaves out that the fee is one for maintenance; the verdict does not."""
    check = c.all(
        "has application in asset management system", "has maintenance application form",
        "maintenance form signed by relevant personnel", "maintenance form stamped by unit", "has original invoices",
    )  # fmt: skip
    verdict = FULL if check and c.yes("is equipment maintenance fee") else REJECT
    return Finding((check, Word("category"), True, Word(verdict)), verdict)


def loans(c: Conditions) -> Finding:
    """Rule 20: every check is mandatory."""
    days = c.num("days until writeoff")
    checks = (
        c.all("is special business for temp loan", "cannot get invoice in advance"),
        c.yes("borrower signed reservation form")
        and c.any("borrower is fudan staff", "borrower is leased personnel R or L", "borrower is postdoc"),
        not c.any("borrower is retired", "borrower is student", "borrower is external personnel"),
        c.any("is same city settlement", "is nonlocal settlement")
        and days <= (30 if c.yes("is same city settlement") else 60),
        not c.yes("has unwritten off loan") or c.yes("has special reason for new loan"),
    )
    verdict = "Can_Borrow" if all(checks) else "Cannot_Borrow"
    decided = Word(verdict)
    return Finding((*checks, decided, decided, Word("category"), True, decided), verdict)
