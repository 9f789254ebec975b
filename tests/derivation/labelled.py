"""The labelled traces, and the agreement of the scorer with their labels."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from holmes.cases import Case
from holmes.derivations.derive import derive, verbatim
from holmes.derivations.parts import Part, facts_of
from holmes.logic.loader import load_rulebase
from holmes.registry import domain_of
from holmes.scoring.derivation import claims_in, score_against
from holmes.scoring.derivation.judge import Judge
from holmes.scoring.derivation.measure import DerivationScore
from holmes.scoring.derivation.reference import Reference, reference, reference_of
from holmes.scoring.derivation.targets import Target
from holmes.services.find import cases_given
from holmes.util.files import read_jsonl

VERDICTS = {"+": "supported", "!": "leap", "-": "wrong"}
_STAGES = {"t": "triggered", "a": "applies"}


@dataclass(frozen=True)
class Labelled:
    """A trace and the labels of its claims: label of the step -> supported, leap or wrong."""

    case: Case
    reference: Reference
    manner: str
    text: str
    lines: tuple[tuple[str, tuple[str, ...]], ...]
    claims: dict[str, str]


def read_traces(path: Path) -> list[Labelled]:
    """Read the file of labelled traces."""
    blocks = path.read_text().split("\n## ")[1:]
    heads = [block.split("\n", 1)[0].partition(" | ") for block in blocks]
    kept = frozen()
    names = [name for name, _, _ in heads]
    given = iter(cases_given([name for name in names if name not in kept]))
    cases = [kept[name] if name in kept else (case := next(given), reference_of(case)) for name in names]
    made = zip(cases, heads, blocks, strict=True)
    return [_trace(case, made_of, manner, block) for (case, made_of), (_, _, manner), block in made]


def frozen() -> dict[str, tuple[Case, Reference]]:
    """Return the finance and tax cases of the sample as they were labelled, finance with the clauses of that day."""
    folder = Path(__file__).resolve().parent / "finance"
    taxed = (Case.from_dict(row) for _, row in read_jsonl(folder.parent / "deontic.jsonl"))
    found = {case.id: (case, reference_of(case)) for case in taxed}
    for _, row in read_jsonl(folder / "cases.jsonl"):
        case = Case.from_dict(row["case"])
        parts = []
        for number, (name, subject, person, offset) in enumerate(row["parts"], 1):
            base = load_rulebase(folder / f"{name}.yaml")
            facts = facts_of(case, base, f"{number}." if len(row["parts"]) > 1 else "")
            parts.append(Part(base, facts, {"X": person}, subject, offset))
        found[case.id] = case, reference(derive(parts, domain_of(case).goal(case), verbatim), case)
    return found


def _trace(case: Case, made_of: Reference, manner: str, block: str) -> Labelled:
    lines: list[tuple[str, tuple[str, ...]]] = []
    claims: dict[str, str] = {}
    for row in block.split("\n")[1:]:
        if not row.strip():
            continue
        marks, _, text = row.partition(" | ")
        own = []
        for mark in marks.split():
            if mark != ".":
                label = _target(made_of, mark[1:]).label
                own.append(label)
                verdict = VERDICTS[mark[0]]
                claims[label] = verdict if claims.get(label, verdict) == verdict else "wrong"
        lines.append((text, tuple(own)))
    return Labelled(case, made_of, manner, "\n".join(text for text, _ in lines), tuple(lines), claims)


def _target(made_of: Reference, name: str) -> Target:
    """Return the target that a mark names: 12, 12t, 12a or 16>13."""
    parts = made_of.parts
    if ">" in name:
        winner, loser = map(int, name.split(">"))
        found = [t for part in parts if (t := part.conflict(winner, loser))]
    else:
        number, stage = re.fullmatch(r"(\d+)([ta]?)", name).groups()
        kinds = (_STAGES[stage],) if stage else ("concept", "table", "gate", "transform", "compose", "selection")
        found = [t for part in parts for t in part.of(int(number), *kinds)]
    assert len(found) == 1, (name, found)
    return found[0]


def verdicts(score: DerivationScore) -> dict[str, str]:
    """Return label -> supported, leap or wrong, as the scorer sees a trace."""
    return {j.label: "wrong" if not j.right else "supported" if j.supported else "leap" for j in score.claims}


def agreement(traces: list[Labelled]) -> tuple[dict[str, object], list[str]]:
    """Return figures of agreement, and a line for each disagreement."""
    pairs: Counter[tuple[str, str]] = Counter()
    lines: list[str] = []
    firsts = Counter[str]()
    gaps: list[float] = []
    for trace in traces:
        score = score_against(trace.reference, trace.text)
        own = verdicts(score)
        for label in dict.fromkeys((*trace.claims, *own)):
            pair = trace.claims.get(label, "none"), own.get(label, "none")
            pairs[pair] += 1
            if pair[0] != pair[1]:
                said = [text for text, labels in trace.lines if label in labels]
                read = [claim.text for claim in claims_in(trace.reference, trace.text) if claim.target.label == label]
                lines.append(
                    f"{trace.case.id} ({trace.manner}): {label}: labelled {pair[0]}, scored {pair[1]}: {said or read}"
                )
        for name, verdict in (("error", "wrong"), ("leap", "leap")):
            wanted = next((label for label, v in trace.claims.items() if v == verdict), None)
            found = next((label for label, v in own.items() if v == verdict), None)
            firsts[name] += wanted == found
        right = sum(v != "wrong" for v in trace.claims.values()) / len(trace.claims)
        gaps.append(abs(right - score.soundness))
    labelled = sum(n for (a, _), n in pairs.items() if a != "none")
    aligned = sum(n for (_, b), n in pairs.items() if b != "none")
    both = sum(n for (a, b), n in pairs.items() if "none" not in (a, b))
    same = sum(n for (a, b), n in pairs.items() if a == b)
    truth = sum(n for (a, b), n in pairs.items() if "none" not in (a, b) and (a == "wrong") == (b == "wrong"))
    figures: dict[str, object] = {
        "traces": len(traces),
        "labelled claims": labelled,
        "aligned by the scorer": aligned,
        "found (labelled claims that are aligned)": f"{both / labelled:.3f}",
        "exact (aligned claims that are labelled)": f"{both / aligned:.3f}",
        "right or wrong, of those in both": f"{truth / both:.3f}",
        "right, leap or wrong, of those in both": f"{same / both:.3f}",
        "kappa over supported, leap, wrong, none": f"{_kappa(pairs):.3f}",
        "same first error": f"{firsts['error']}/{len(traces)}",
        "same first leap": f"{firsts['leap']}/{len(traces)}",
        "mean difference of soundness": f"{sum(gaps) / len(gaps):.3f}",
    }
    return figures, lines


def _kappa(pairs: Counter[tuple[str, str]]) -> float:
    total = sum(pairs.values())
    observed = sum(n for (a, b), n in pairs.items() if a == b) / total
    kinds = {kind for pair in pairs for kind in pair}
    chance = sum(
        sum(n for (a, _), n in pairs.items() if a == k) * sum(n for (_, b), n in pairs.items() if b == k) for k in kinds
    ) / (total * total)
    return (observed - chance) / (1 - chance)


def judge_agreement(traces: list[Labelled], judge: Judge) -> dict[str, object]:
    """Hold a judge's F1 against the deterministic one, trace by trace.

    Left out are the finance cases, which are kept with the clauses of another day: the judge takes a case as packaged.
    """
    from scipy.stats import spearmanr

    taken = [trace for trace in traces if trace.case.domain != "finance"]
    judged = [judge.score(trace.case, trace.text) for trace in taken]
    pairs = [
        (score_against(trace.reference, trace.text).f1, found.f1)
        for trace, found in zip(taken, judged, strict=True)
        if found.valid
    ]
    figures: dict[str, object] = {"traces judged": len(taken), "usable answers": len(pairs)}
    if pairs:
        figures["mean difference of f1"] = f"{sum(abs(a - b) for a, b in pairs) / len(pairs):.3f}"
        told = all(len(set(side)) > 1 for side in zip(*pairs, strict=True))  # a constant has no ranks
        rank = f"{spearmanr(*zip(*pairs, strict=True)).statistic:.3f}" if told else "undefined"
        figures["rank correlation of f1"] = rank
    return figures
