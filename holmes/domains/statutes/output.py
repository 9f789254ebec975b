"""What the programs of deontic tasks print, and how a program may leave its main out."""

from __future__ import annotations

from holmes.prolog.output import ProgramContract, answer_line

_USCIS = (
    (("run", False), ":- initialization(run).\n"),
    (("decision", True), ":- initialization((decision(Answer) -> writeln(Answer) ; true)).\n"),
)
_HOUSING = (
    (
        ("housing_answer", True),
        ":- initialization((housing_answer(Answer) -> format('housing_answer(~w).~n', [Answer]) ; true)).\n",
    ),
)
LINES: dict[str, ProgramContract] = {
    "sara_numeric": answer_line(r"Tax result\s*:\s*(.*)", amount=True),
    "airline": answer_line(r"Total cost\s*:\s*(.*)", amount=True),
    "sara_binary": answer_line(r"Result\s*:\s*(.*)", ("Entailment", "Contradiction")),
    "uscis": answer_line(r"['\"]?(Accepted|Dismissed)['\"]?\s*\.?", ("Accepted", "Dismissed"), mains=_USCIS),
    "housing": answer_line(r"housing_answer\(\s*(.*?)\s*\)\s*\.?", ("yes", "no"), mains=_HOUSING),
}
"""Task name without `deontic_` and ending -> its answer line."""


def contract_for(task: str) -> ProgramContract | None:
    """Return what a program of a statute task prints, ours or a release's; None for another task."""
    name = task.removeprefix("deontic_")
    return next((line for known, line in LINES.items() if name == known or name.startswith(f"{known}_")), None)
