"""The lines in which a reply to a policy question has to end: the answer and its witness."""

from __future__ import annotations

from holmes.cases import Case
from holmes.domains.policy.questions.terms import universal
from holmes.errors import InputError


def form_of(case: Case) -> str:
    """Return the form of a policy question (`questions.terms.FORMS`); raises InputError where it has none."""
    form = case.tags[0] if case.tags else ""
    if not form:
        raise InputError(f"case {case.id!r}: field tags: found none, expected the form of the question")
    return form


def contract(case: Case) -> str:
    """Return the lines in which the reply has to end."""
    form = form_of(case)
    if form == "which":
        return "Answer: <numbers of these rules, like 3, 5, or none>"
    if form == "governs":
        return f"Answer: <{' or '.join(case.choices)}>"
    if form == "accepts":
        return "Answer: <yes or no>"
    rest = universal(form)
    shown = "no" if rest == "yes" else "yes"
    lines = {
        "comparable": "Witness 1: <a case that P covers and Q does not>\n"
        "Witness 2: <a case that Q covers and P does not>",
    }.get(form, f"Witness: <{_WANTED.get(form, '')}>")
    many = "Witness 1: none and Witness 2: none" if form == "comparable" else "Witness: none"
    return (
        f"Answer: <yes or no>\n{lines}\n\n"
        f"Give a witness if the answer is {shown}: one case that can occur, written like “point” = yes, “number” = 20. "
        "Yes-or-no points that you leave out count as no, numbers that you leave out have their smallest value. "
        f"If the answer is {rest}, write {many}."
    )


_WANTED = {
    "subsumes": "a case that P covers and Q does not",
    "equivalent": "a case that one of P and Q covers and the other does not",
    "exclusive": "a case that both P and Q cover",
    "changes": "a case that the rule covers and P does not",
    "disagree": "a case that one of the two policies covers and the other does not",
    "every": "a case in which some rule of F breaks what is asked",
}
