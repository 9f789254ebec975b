"""Rewards for reinforcement learning (DeonticBench B.5.2), in the shapes that verl and TRL call."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from holmes.answers.program import contract_of, score_program
from holmes.cases import Case
from holmes.errors import InputError
from holmes.prolog.clause_reader import predicates
from holmes.prolog.extract import extract_program
from holmes.prolog.runner import Runner, default_runner
from holmes.registry import domain_for, program_contract
from holmes.results import Outcome, Score
from holmes.scoring.core import score
from holmes.tasks import task_of

PARTIAL = 0.2  # the paper's delta
logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Reward:
    """One reward and its parts.

    value: 1, 0.2 × overlap, or 0; None where the host returned no output. right: 1 for a right answer. overlap:
    Jaccard of the predicates defined with those of the reference, in [0, 1]; 0 unless the program did not execute.
    outcome, reason: of the score.
    """

    value: float | None
    right: float
    overlap: float
    outcome: str
    reason: str


def rewards(
    pairs: Sequence[tuple[Case, str | None]], *, partial: bool = True, runner: Runner | None = None
) -> list[Reward]:
    """Reward many outputs at once, as many programs in parallel as the runner has workers.

    pairs: (case with gold and reference program, raw output). partial: whether a program that does not execute earns
    0.2 × the overlap of its predicates with the reference's; a broken program may then outscore a wrong one. runner:
    None for the process-wide one. Programs run in the runner's servers; this process is never forked.
    Returns one Reward a pair, in order.
    Levels: 1, the program prints the right answer; partial credit, it does not execute (load or run error and no
    answer line); 0, no Prolog block, a time-out or another limit, or a wrong answer. Source: DeonticBench B.5.2.
    """
    runner = runner or default_runner()
    if len(pairs) > 1 and runner.workers > 1:
        with ThreadPoolExecutor(min(runner.workers, len(pairs))) as pool:
            scores = list(pool.map(lambda pair: score_program(*pair, runner=runner), pairs))
    else:
        scores = [score_program(case, text, runner=runner) for case, text in pairs]
    overlaps = _overlaps(pairs, scores, runner) if partial else [0.0] * len(pairs)
    return [_reward(score, overlap) for score, overlap in zip(scores, overlaps, strict=True)]


def _reward(score: Score, overlap: float) -> Reward:
    value: float | None = PARTIAL * overlap
    if score.outcome is Outcome.RIGHT:
        value = 1.0
    elif score.outcome is Outcome.FAILED:
        value = None
    return Reward(value, float(score.outcome is Outcome.RIGHT), overlap, score.outcome.value, score.reason)


def _overlaps(pairs: Sequence[tuple[Case, str | None]], scores: Sequence[Score], runner: Runner) -> list[float]:
    """The overlap of every program that did not execute; 0.0 for the others."""
    broken = [place for place, score in enumerate(scores) if score.outcome is Outcome.ERROR and pairs[place][0].program]
    programs = [extract_program(pairs[p][1] or "", contract=contract_of(pairs[p][0])).program or "" for p in broken]
    references = list(dict.fromkeys(pairs[p][0].program for p in broken))
    sets = predicates([*programs, *references], runner)  # the runner's cache knows a reference from the last batch
    reference = dict(zip(references, sets[len(programs) :], strict=True))
    found = [0.0] * len(pairs)
    for place, defined in zip(broken, sets, strict=False):
        found[place] = jaccard(defined, reference[pairs[place][0].program])
    return found


def jaccard(a: frozenset[str] | None, b: frozenset[str] | None) -> float:
    """Return |a ∩ b| / |a ∪ b|; 0.0 where either is unknown or both are empty."""
    if a is None or b is None or not a | b:
        return 0.0
    return len(a & b) / len(a | b)


def case_from(task: str, answer: str, program: str = "", id: str = "") -> Case:
    """Return a case that holds only what a reward needs.

    task: a deontic task name, which says the answer line. answer: the gold. program: the reference.
    Raises InputError for a task without an answer line.
    """
    line, domain = program_contract(task), domain_for(task)
    kind = "amount" if line.amount else "label"
    return Case(
        id or task, domain.name, task, domain.source, "", "", "", answer, kind, choices=line.labels, program=program
    )


def compute_score(
    data_source: str,
    solution_str: str,
    ground_truth: Any,
    extra_info: Mapping[str, Any] | None = None,
    *,
    partial_credit: bool = True,
    **_: Any,
) -> dict[str, Any]:
    """Reward one output, as verl's ``custom_reward_function`` calls it, from any number of threads.

    data_source: the task name. solution_str: the output. ground_truth: the gold answer. extra_info: ``program`` is the
    reference, for the overlap; ``case`` an answered case as JSON, whose own gold then counts. partial_credit: the off
    switch (``reward_kwargs`` in verl's configuration).
    Returns a dict whose ``score`` is the reward, with the parts beside it, which verl logs.
    """
    info = extra_info or {}
    if told := info.get("case"):
        return _answered(case_of_json(told, "extra_info.case"), solution_str)
    case = case_from(data_source, str(ground_truth), str(info.get("program") or ""), str(info.get("id") or ""))
    reward = rewards([(case, solution_str)], partial=partial_credit)[0]
    return {
        "score": reward.value or 0.0,
        "right": reward.right,
        "overlap": reward.overlap,
        "executed": float(reward.outcome in ("right", "wrong", "abstained", "malformed")),
        "outcome": reward.outcome,
    }


def _answered(case: Case, text: str | None) -> dict[str, Any]:
    scored = score(case, text, task_of(case).mode)
    right = float(scored.outcome is Outcome.RIGHT)
    return {"score": scored.value, "right": right, "overlap": 0.0, "executed": 0.0, "outcome": scored.outcome.value}


def case_of_json(told: Any, where: str) -> Case:
    """Return the case that a data set carries as JSON; raises InputError naming where it does not."""
    try:
        return Case.from_dict(json.loads(told), where)
    except (TypeError, ValueError) as error:
        raise InputError(f"{where}: found {told!r:.60}, expected a case as JSON ({error})") from error


def case_reward(
    prompts: Sequence[Any] | None = None, completions: Sequence[Any] = (), **columns: Any
) -> list[float | None]:
    """Reward a batch by the score of each case, whatever its domain asks for, as TRL's GRPO trainer calls it.

    completions: as in `prolog_reward`. columns: the data set's; ``case`` holds each case as JSON. Returns one value in
    [0, 1] a completion, None where there is no output. Raises InputError for a missing column or one that is no case.
    """
    told = _column(columns, "case", len(completions))
    cases = [case_of_json(one, f"reward: column case, row {row}") for row, one in enumerate(told)]
    texts = [_text(completion) for completion in completions]
    return [
        None if text is None else score(case, text, task_of(case).mode).value
        for case, text in zip(cases, texts, strict=True)
    ]


def prolog_reward(
    prompts: Sequence[Any] | None = None,
    completions: Sequence[Any] = (),
    *,
    partial_credit: bool = True,
    **columns: Any,
) -> list[float | None]:
    """Reward a batch, as TRL's GRPO trainer calls it.

    completions: texts, or conversations whose last message is the output. columns: the data set's, one value a
    completion: ``task``, ``answer`` and, for partial credit, ``program``. TRL's own ``log_metric`` and ``log_extra``,
    where it passes them, get the parts. Returns one reward a completion, None where there is no output.
    Raises InputError where a column is missing or has another length.
    """
    needed = {name: _column(columns, name, len(completions)) for name in ("task", "answer")}
    programs = _column(columns, "program", len(completions)) if "program" in columns else [""] * len(completions)
    cases = [
        case_from(task, str(answer), program or "")
        for task, answer, program in zip(needed["task"], needed["answer"], programs, strict=True)
    ]
    texts = [_text(completion) for completion in completions]
    found = rewards(list(zip(cases, texts, strict=True)), partial=partial_credit)
    _log(found, columns)
    return [reward.value for reward in found]


def answer_reward(
    prompts: Sequence[Any] | None = None, completions: Sequence[Any] = (), **columns: Any
) -> list[float | None]:
    """Reward a batch by its answers alone (1 or 0): `prolog_reward` with partial credit off."""
    columns.pop("partial_credit", None)
    return prolog_reward(prompts, completions, partial_credit=False, **columns)


def _column(columns: Mapping[str, Any], name: str, length: int) -> Sequence[Any]:
    values = columns.get(name)
    listed = list(values) if isinstance(values, Iterable) and not isinstance(values, str) else []
    if len(listed) != length or values is None:
        found = "nothing" if values is None else f"{values!r:.60}"
        raise InputError(f"reward: column {name}: found {found}, expected {length} values, one a completion")
    return listed


def _text(completion: Any) -> str | None:
    """The output of a completion: a text, or the content of the last message of a conversation."""
    if isinstance(completion, Sequence) and not isinstance(completion, str):
        completion = completion[-1] if completion else None
    if isinstance(completion, Mapping):
        if not {"content", "role"} & set(completion):
            raise InputError(f"reward: completion: found {dict(completion)!r:.60}, expected a message with its content")
        completion = completion.get("content")
    if isinstance(completion, Sequence) and not isinstance(completion, str):  # content in parts
        kept = [part.get("text") or "" for part in completion if isinstance(part, Mapping)]
        if len(kept) != len(completion):
            raise InputError(f"reward: completion content: found {completion!r:.60}, expected a text or its parts")
        completion = "".join(kept)
    if completion is not None and not isinstance(completion, str):
        raise InputError(f"reward: completion: found {completion!r:.60}, expected a text or a conversation")
    return completion


def _log(found: Sequence[Reward], columns: Mapping[str, Any]) -> None:
    if not found:
        return
    parts = {
        "prolog/right": [r.right for r in found],
        "prolog/overlap": [r.overlap for r in found],
        "prolog/error": [float(r.outcome == "error") for r in found],
        "prolog/no_answer": [float(r.outcome in ("abstained", "malformed", "truncated", "failed")) for r in found],
        "prolog/stopped": [float(r.outcome.endswith("limit") or r.outcome in ("timeout", "violation")) for r in found],
    }
    means = {name: sum(values) / len(values) for name, values in parts.items()}
    if callable(log_metric := columns.get("log_metric")):
        for name, mean in means.items():
            log_metric(name, mean)
    if callable(log_extra := columns.get("log_extra")):
        log_extra("prolog/outcome", [r.outcome for r in found])
    logger.info("rewards of %d programs: %s", len(found), ", ".join(f"{n} {m:.3f}" for n, m in means.items()))
