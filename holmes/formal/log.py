"""Reading the log of a proof: every expected claim once, as expected, in a run that ended well on three axioms."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from holmes.formal.prover import Raw
from holmes.formal.script import Refused

AXIOMS = 3


@dataclass(frozen=True, slots=True)
class Finding:
    """A claim that is not as it must be.

    case: id, "" for a whole script. claim: its label. expected: proved | refuted. found: proved | refuted | undecided |
    error | nothing | forged | refused. detail: the atom that blocked, or what went wrong.
    """

    case: str
    claim: str
    expected: str
    found: str
    detail: str = ""


@dataclass(slots=True)
class Tally:
    """What was shown of one case: claims proved or refuted as expected, inferences, and what is wrong."""

    case: str
    claims: int = 0
    steps: int = 0
    findings: list[Finding] = field(default_factory=list)

    @property
    def proved(self) -> bool:
        """Whether something was looked at and all of it was as expected."""
        return self.claims > 0 and not self.findings


def read(raw: Raw) -> tuple[dict[str, Tally], list[Finding]]:
    """Return the tally of each case of a job, and what is wrong with the job as a whole.

    A job with any fault of its own proves nothing: its axioms, its end, and every record are part of the proof.
    """
    job = raw.job
    tallies = {case: Tally(case) for case in dict.fromkeys(job.owners.values()) if case}
    whole: list[Finding] = []
    seen: dict[tuple[str, str], str] = {}
    axioms = end = False
    count = 0
    for line in raw.text.splitlines():
        if "HOLCHK" not in line:
            continue
        fields = line.removeprefix("# ").split("\t")
        if fields[:2] == ["HOLCHK", "FATAL"]:
            whole.append(Finding("", job.name, "proved", "error", f"the script does not load: {_reason(raw.text)}"))
            continue
        if fields[0] != "HOLCHK" or len(fields) < 4 or fields[1] != raw.word:
            whole.append(
                Finding("", job.name, "proved", "forged", f"a record that the checker did not write: {line[:80]!r}")
            )
            continue
        if fields[2] == "END":
            end = not end and fields[3] == str(count)
            continue
        count += 1
        if len(fields) != 7:
            whole.append(Finding("", job.name, "proved", "forged", f"a record of another form: {line[:80]!r}"))
            continue
        _, _, name, claim, verdict, steps, detail = fields
        if (name, claim) == ("-", "axioms"):
            axioms = verdict == "PROVED" and detail == str(AXIOMS)
            if not axioms:
                whole.append(
                    Finding("", job.name, "proved", "error", f"found {detail} axioms, expected HOL Light's {AXIOMS}")
                )
            continue
        _record(raw, tallies, whole, seen, (name, claim), verdict.lower(), steps, detail)
    for (name, claim), wanted in job.expected.items():
        if (name, claim) not in seen:
            found = Finding(job.owners[name], claim, wanted, "nothing", _ending(raw))
            (tallies[found.case].findings if found.case else whole).append(found)
    if not end:
        whole.append(Finding("", job.name, "proved", "nothing", f"the log has no whole end: {_ending(raw)}"))
    elif not axioms:
        whole.append(Finding("", job.name, "proved", "nothing", "the axioms were not looked at"))
    if raw.code != 0 and end:
        whole.append(Finding("", job.name, "proved", "error", _ending(raw)))
    for tally in tallies.values():
        tally.findings += whole
    return tallies, whole


def _record(
    raw: Raw,
    tallies: dict[str, Tally],
    whole: list[Finding],
    seen: dict[tuple[str, str], str],
    key: tuple[str, str],
    verdict: str,
    steps: str,
    detail: str,
) -> None:
    name, claim = key
    wanted = raw.job.expected.get(key)
    case = raw.job.owners.get(name, "")
    if wanted is None or key in seen:
        what = "twice" if key in seen else "that was not asked"
        place = Finding(
            case,
            claim,
            wanted or "nothing",
            "error" if claim == "exception" else "forged",
            detail or f"a verdict {what}",
        )
        (tallies[case].findings if case in tallies else whole).append(place)
        return
    seen[key] = verdict
    tally = tallies.get(case)
    if verdict == wanted:
        if tally is not None:
            tally.claims += 1
            tally.steps += int(steps) if steps.isdigit() else 0
        return
    (tally.findings if tally is not None else whole).append(Finding(case, claim, wanted, verdict, detail))


def _reason(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip() and "HOLCHK" not in line]
    return " ".join(lines)[-200:] or "no reason given"


def _ending(raw: Raw) -> str:
    if raw.code == 0:
        return "the prover ended without it"
    if raw.code < 0:
        return "the prover was gone before the script ended"
    return (
        f"the prover was killed (signal {raw.code - 1000})"
        if raw.code >= 1000
        else f"the prover ended with code {raw.code}"
    )


def tallies_of(raws: Iterable[Raw], refused: Sequence[Refused] = ()) -> dict[str, Tally]:
    """Return the tally of every case over all jobs, those that could not be put formally included."""
    found: dict[str, Tally] = {}
    for raw in raws:
        for case, tally in read(raw)[0].items():
            known = found.setdefault(case, Tally(case))
            known.claims += tally.claims
            known.steps += tally.steps
            known.findings += tally.findings
    for item in refused:
        found.setdefault(item.case, Tally(item.case)).findings.append(
            Finding(item.case, "statement", "proved", "refused", item.reason)
        )
    return found
