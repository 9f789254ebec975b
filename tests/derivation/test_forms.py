"""The same steps in other forms: wording, marks, numbering, JSON, order; and input meant to do harm."""

from __future__ import annotations

import json
import random
import re
import time

import pytest

from holmes.scoring.derivation import read_claims, score_derivation
from holmes.scoring.derivation.reference import reference_of
from tests.derivation.made import CONFIGS, sample, written


def forms(lines):
    """The trace in forms that say the same, by name."""
    yield "numbered", "\n".join(f"{n}. {line}" for n, line in enumerate(lines, 1))
    yield "bullets", "\n".join(f"- {line}" for line in lines)
    yield "steps", "\n\n".join(f"**Step {n}:** {line}" for n, line in enumerate(lines, 1))
    yield "heading and answer", "## Reasoning\n" + "\n".join(lines) + "\n\nAnswer: whatever"
    yield "bold", "\n".join(re.sub(r"((?:Rule|Section) \d+)", r"**\1**", line) for line in lines)
    yield "after thinking", "<think>Rule 1 fails. Rule 2 is not triggered.</think>\n" + "\n".join(lines)
    yield "windows", "\r\n".join(lines)
    yield "paragraph", " ".join(lines)
    yield "said twice", "\n".join([*lines, *lines])
    yield "with so", "\n".join(line if i % 3 else f"So, {line}" for i, line in enumerate(lines))
    yield "json", "```json\n" + json.dumps({"reasoning_trace": [{"description": line} for line in lines]}) + "\n```"
    yield "fenced", "```text\n" + "\n".join(lines) + "\n```"


@pytest.mark.parametrize("config", CONFIGS)
def test_form_does_not_count(config):
    """Numbers, bullets, emphasis, thinking, one paragraph, JSON, repetition: the scores stay 1."""
    for case in sample(config)[::3]:
        lines = list(written(case).lines)
        for name, text in forms(lines):
            score = score_derivation(case, text)
            assert set(score.numbers().values()) == {1.0}, (case.id, name, score.numbers(), score.first_error)


WORDINGS = (
    (r"^By (Rule \d+), the condition “(.+)” holds\.$", (r"There is \2 [\1].", r"So \2 is established [\1].")),
    (
        r"^By (Rule \d+), the condition “(.+)” does not hold\.$",
        (r"\2 is not established [\1].", r"There is no \2 [\1].", r"\1: \2 does not hold."),
    ),
    (r"^(Rule \d+) is triggered\.$", (r"The conditions of \1 are met.", r"**\1**: triggered")),
    (r"^(Rule \d+) is not triggered\.$", (r"The conditions of \1 are not met.", r"- \1: not triggered")),
    (r"^(Rule \d+) applies: .+\.$", (r"Therefore \1 applies.", r"\1 prevails.", r"\1 stands.")),
    (r"^(Rule \d+) does not apply\.$", (r"\1 cannot apply.", r"Hence \1 doesn't apply.")),
    (
        r"^By (Rule \d+), (Rule \d+) defeats (Rule \d+)\.$",
        (r"\3 is overridden by \2 [\1].", r"\2 prevails over \3 [\1]."),
    ),
    (r"^(Rule \d+) defeats (Rule \d+)\.$", (r"\2 is set aside by \1.", r"\2 is set aside [\1].", r"\1 overrides \2.")),
    (r"^(Rule \d+) passes\.$", (r"\1: PASS", r"\1 is passed.", r"\1 → PASS", r"Check \1. Result: PASS")),
    (r"^(Rule \d+) fails\.$", (r"\1: FAIL", r"\1 is not passed.", r"\1 → FAIL", r"Check \1. Result: FAIL")),
    (
        r"^By (Rule \d+), the (.+) is (\d[\d.]*)\.$",
        (r"The \2 comes to \3 [\1].", r"\2 = \3 (\1)", r"Under \1 the \2 is \3."),
    ),
    (r"^By (Rule \d+), the (.+) is ([a-z ]+)\.$", (r"The \2 is \3 [\1].", r"So the \2 counts as \3 [\1].")),
)


@pytest.mark.parametrize("config", ["law", "finance"])
def test_wording_does_not_count(config):
    """Every step in other words, with its citation in brackets or in the sentence: the scores stay 1."""
    rng = random.Random(config)
    used = set()
    for case in sample(config):
        if "_parallel" in case.task or "_compositional" in case.task:
            continue
        lines = []
        for line in written(case).lines:
            for pattern, others in WORDINGS:
                if re.fullmatch(pattern, line):
                    other = rng.choice(others)
                    used.add(other)
                    line = re.sub(pattern, other, line)
                    break
            lines.append(line[:1].upper() + line[1:])
        score = score_derivation(case, "\n".join(lines))
        assert set(score.numbers().values()) == {1.0}, (case.id, score.numbers(), score.first_error, score.first_leap)
    assert len(used) > (14 if config == "law" else 10)


@pytest.mark.parametrize("config", CONFIGS)
def test_another_order_changes_support_alone(config):
    """Backwards, the same claims are made, but the conclusions come before their premises."""
    for case in sample(config)[::3]:
        trace = written(case)
        score = score_derivation(case, "\n".join(reversed(trace.lines)))
        found = score.numbers()
        supported = found.pop("supported")
        assert set(found.values()) == {1.0}
        assert supported < 1 or len(trace.inferences) < 2


def test_subjects_may_stand_in_headings():
    """In a case of several parts, a heading names the subject of the lines below it."""
    case = next(c for c in sample("finance", 1) if c.task == "finance_parallel_3")
    trace = written(case)
    lines, current = [], ""
    for line in trace.lines:
        subject, _, rest = line.partition(": ")
        if subject != current:
            current = subject
            lines.append(f"\n### {subject}")
        lines.append(rest)
    score = score_derivation(case, "\n".join(lines))
    assert set(score.numbers().values()) == {1.0}, score.first_error
    bare = "\n".join(line.partition(": ")[2] for line in trace.lines if re.search(r": Rule \d+ (?:pass|fail)", line))
    assert bare and score_derivation(case, bare).claims == ()  # whose rule fails is never guessed


def test_failing_rules_of_a_report_are_claims():
    """A finance report lists rules that fail: each is a claim about its subject."""
    case = next(c for c in sample("finance", 1) if c.task == "finance_compositional_2")
    wrong = json.dumps({"items": [{"subject": "Item 1", "failing_rules": ["1"], "verdict": "full approval"}]})
    assert read_claims(case, wrong) == []  # Rule 1 belongs to another clause
    rows, right = [], 0
    for part in written(case).derivations.parts:
        failing = [
            label.rule + part.part.offset
            for _, label in part.graph.labelled()
            if label.kind == "gate" and label.value == "FAIL"
        ]
        right += len(failing)
        rows.append({"subject": part.part.subject, "failing_rules": failing, "verdict": "rejection"})
    score = score_derivation(case, f"```json\n{json.dumps({'items': rows})}\n```")
    assert right and len(score.claims) == right and score.soundness == 1


# ---------------------------------------------------------------- harm
@pytest.mark.parametrize("config", CONFIGS)
def test_rules_pasted_or_cited_claim_nothing(config):
    """The rule text, the case, and a list of all citations commit to nothing."""
    for case in sample(config)[::2]:
        numbers = range(1, 60)
        for text in (
            case.rules,
            case.case,
            f"{case.rules}\n\n{case.case}",
            "\n".join(f"[Rule {n}]" for n in numbers),
            " ".join(f"Rule {n}." for n in numbers),
            f"All of Rules 1 to 59 matter here. {case.question}",
        ):
            score = score_derivation(case, text)
            assert not score.claims, (case.id, score.claims[:3])


def numbers_of(case):
    """The rule numbers of the parts of a case."""
    return sorted({n for part in reference_of(case).parts for n in part.by_rule})


@pytest.mark.parametrize("config", CONFIGS)
def test_all_values_of_everything_score_zero(config):
    """Who says that every rule holds and does not hold has said nothing right."""
    for case in sample(config)[::2]:
        text = "\n".join(
            f"Rule {n} {word}."
            for n in numbers_of(case)
            for word in (
                "is triggered",
                "is not triggered",
                "applies",
                "does not apply",
                "passes",
                "fails",
                "holds",
                "does not hold",
            )
        )
        score = score_derivation(case, text)
        assert score.coverage == score.precision == 0, (case.id, score.numbers())


HOSTILE = {
    "empty": "",
    "blank": " \n\t\r\n",
    "nul": "\x00\x01\x02" * 2000,
    "surrogate": "\ud800 Rule 3 is triggered",
    "latin bytes": bytes(range(256)).decode("latin-1") * 40,
    "one line": "Rule 3 " * 40_000,
    "lines": "Rule 3 is triggered.\n" * 5_000,
    "commas": "Rule 3, " * 20_000 + "is triggered",
    "brackets": "[" * 50_000 + "Rule 3" + "]" * 50_000,
    "braces": '{"reasoning_trace": [' * 5_000,
    "because": "because " * 30_000,
    "not": "Rule 3 is " + "not " * 50_000 + "triggered",
    "digits": "By Rule 3, the limit is " + "9" * 100_000,
    "huge rule": "Rule " + "9" * 5_000 + " is triggered. Rules 1 to 999999999 apply.",
    "stop": "." * 100_000,
    "chinese": "规则3适用。" * 10_000,
}


@pytest.mark.parametrize("config", ["law", "finance"])
@pytest.mark.parametrize("name", HOSTILE)
def test_any_text_gives_numbers(config, name):
    """Never an exception, never a number outside [0, 1]."""
    case = sample(config)[0]
    score = score_derivation(case, HOSTILE[name])
    assert all(0 <= value <= 1 for value in score.numbers().values())


@pytest.mark.parametrize("name", ["prose", "one line", "clauses", "json"])
def test_time_grows_with_the_length_of_the_text(name):
    """Sixteen times the text takes less than forty times the time."""
    case = sample("law")[0]
    trace = written(case).text()
    made = {
        "prose": lambda n: "\n".join([trace] * n),
        "one line": lambda n: " ".join([trace.replace("\n", " ")] * n),
        "clauses": lambda n: "; ".join([trace.replace("\n", " and so ").replace(".", "")] * n),
        "json": lambda n: json.dumps({"reasoning_trace": [{"description": line} for line in trace.split("\n")] * n}),
    }[name]
    score_derivation(case, made(2))

    def seconds(n):
        text = made(n)
        start = time.process_time()
        score_derivation(case, text)
        return time.process_time() - start

    assert min(seconds(32) for _ in range(2)) < 40 * max(0.01, min(seconds(2) for _ in range(3)))


def test_scores_do_not_depend_on_what_was_scored_before():
    """Alone, in a batch, backwards: the same numbers."""
    pairs = [(case, written(case).text(without=3)) for config in CONFIGS for case in sample(config)[:3]]
    once = [score_derivation(case, text) for case, text in pairs]
    again = [score_derivation(case, text) for case, text in reversed(pairs)]
    assert once == again[::-1]
