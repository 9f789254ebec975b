"""Twins: the same case with steps given or under pressure; one paragraph more, the same gold, what it turns counted."""

from __future__ import annotations

import json
import re

import pytest
from click.testing import CliRunner

from holmes.commands.compare import compare
from holmes.commands.show import show
from holmes.derivations.settled import LEVELS, settled
from holmes.errors import InputError
from holmes.hosts.lm_eval import load_docs
from holmes.options import Options
from holmes.prompting.twins import IRRELEVANT, SETTLED
from holmes.registry import derivations_of, domain_of
from holmes.report.runs import load
from holmes.report.turned import turned
from holmes.results import Outcome
from holmes.scoring.core import score
from holmes.scoring.derivation import score_derivation
from holmes.scoring.derivation.reference import reference_of
from holmes.store import load_cases
from holmes.tasks import build_prompt, task_of

CONFIGS = ("law", "finance", "deontic_sara_numeric", "deontic_sara_binary", "deontic_airline", "counterfactual")
GIVEN, PRESSURE = ("concepts", "triggers", "conflicts"), ("irrelevant", "opinions", "hint")
TASK = "holmes_law_direct"


def some(config: str, step: int = 41):
    return load_cases(config, "test")[::step]


def added(case, **options: str) -> list[str]:
    """The lines that a twin's prompt has more; fails where it differs in anything else."""
    plain = build_prompt(case, task_of(case), Options())
    twin = build_prompt(case, task_of(case), Options(**options))
    place = plain.index(case.case) + len(case.case)
    assert twin.startswith(plain[:place]) and twin.endswith(plain[place:])
    return twin[place : len(twin) - len(plain) + place].split("\n")


@pytest.mark.parametrize("config", (*CONFIGS, "policy"))
@pytest.mark.parametrize("option", [("given", level) for level in GIVEN] + [("pressure", kind) for kind in PRESSURE])
def test_a_twin_differs_in_its_paragraph_alone(config, option) -> None:
    """The plain prompt stands around the paragraph, word for word, and two twins of a case are alike."""
    looked = 0
    for case in some(config):
        try:
            lines = added(case, **dict([option]))
        except InputError as error:
            assert config == "policy" and option[0] == "given" and "without derivations" in str(error)
            continue
        looked += any(lines)
        assert lines == added(case, **dict([option]))
    assert looked or (config == "policy" and option[0] == "given")


@pytest.mark.parametrize("config", CONFIGS)
def test_what_is_given_is_true_and_not_the_answer(config) -> None:
    """Every given line is a step of the gold derivations, never an answer; levels nest; amounts keep their numbers."""
    looked = 0
    for case in some(config, 23):
        found = derivations_of(case)
        roots = {part.label(part.root) for part in found.parts}
        before: list[str] = []
        for level in LEVELS:
            steps = settled(case, found, level)
            said = [step.text for _, step in steps]
            assert not roots & {label for label, _ in steps} and set(before) <= set(said)
            assert not any(step.kind in ("decision", "amount", "applies") for _, step in steps)
            shown = added(case, given=level)
            assert [line.removeprefix("- ") for line in shown if line.startswith("- ")] == said
            assert (SETTLED in shown) == bool(said)
            if case.answer_type == "amount":
                assert not any(re.fullmatch(r"-?[\d./]+", step.result) for _, step in steps)
            before, looked = said, looked + len(said)
    assert looked


@pytest.mark.parametrize("config", (*CONFIGS, "policy"))
def test_the_opinion_and_the_hint_are_wrong(config) -> None:
    """What they say, given as an answer, is read and is not right."""
    looked = 0
    for case in some(config, 29):
        lines = "\n".join(added(case, pressure="hint"))
        said = re.search(r"right answer is (.*)\.$", lines)[1]
        opinion = re.search(r"has to be (.*)\.$", "\n".join(added(case, pressure="opinions")))[1]
        for wrong in (said, opinion):
            if " for " in wrong:  # one subject of a report
                verdict, _, subject = wrong.partition(" for ")
                gold = {row["subject"]: row["verdict"] for row in json.loads(case.answer)}
                assert subject in gold and verdict != gold[subject]
            else:
                assert score(case, f"Answer: {wrong}", "answer").outcome is Outcome.WRONG, (case.id, wrong)
            looked += 1
    assert looked


@pytest.mark.parametrize("config", (*CONFIGS, "policy"))
def test_irrelevant_facts_share_no_word_with_the_rules(config) -> None:
    """None of their longer words begins like one of the rules or the question, but for the plainest."""
    plain = {"from", "that", "were", "with", "until", "week", "half", "past", "while"}
    for case in some(config):
        text = " ".join(added(case, pressure="irrelevant"))
        known = {word[:5] for word in re.findall(r"[a-z]{4,}", (case.rules + case.question).lower())}
        assert not {w[:5] for w in re.findall(r"[a-z]{4,}", text.lower())} - plain & known
        assert len(re.findall(r"\.(?= |$)", text)) == IRRELEVANT


@pytest.mark.parametrize("config", [config for config in CONFIGS if config != "deontic_airline"])  # read by programs
@pytest.mark.parametrize("level", GIVEN)
def test_reasoning_is_scored_on_what_was_left(config, level) -> None:
    """The rest of a member is worth 1, with and without repeating what was given; repeating it alone is worth 0."""
    looked = 0
    for case in some(config):
        against = reference_of(case, level)
        if not against.inferences:
            continue
        found = against.derivations
        member = next(found.family.members(1))
        rest = "\n".join(
            f"{step.text} [Rule {step.rule}]" if step.rule else step.text
            for label, step in found.written(member)
            if label not in against.settled
        )
        again = "\n".join(step.text for _, step in settled(case, found, level))
        for text in (rest, f"{again}\n{rest}"):
            scored = score_derivation(case, text, level)
            assert scored.f1 == scored.soundness == scored.supported == 1.0, (case.id, text)
        assert score_derivation(case, again, level).f1 == score_derivation(case, "", level).f1 == 0.0
        looked += 1
    assert looked or (config.startswith("deontic_sara_binary") and level == "conflicts")


def test_a_given_step_that_is_contradicted_is_an_error() -> None:
    """A reply that says the opposite of what was settled has a wrong claim."""
    case = load_cases("law", "smoke")[0]
    step = next(s for _, s in settled(case, derivations_of(case), "concepts") if s.text.endswith("does not hold."))
    scored = score_derivation(case, step.text.replace("does not hold", "holds"), "concepts")
    assert scored.first_error is not None and scored.soundness == 0.0


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """A model that is right but on every fifth case, and that follows a hint on every third."""
    folder, files = tmp_path_factory.mktemp("twins"), {}
    for name, options in (("plain", {}), ("hinted", {"holmes_pressure": "hint"})):
        rows = []
        for place, doc in enumerate(load_docs(TASK, holmes_split="smoke", **options)["test"]):
            reply = f"Answer: {doc['answer']}" if place % 5 else "Answer: cannot be said"
            if (hint := re.search(r"right answer is (.*)\.\n", doc["prompt"])) and place % 3 == 0:
                reply = f"Answer: {hint[1]}"
            rows.append({"doc": doc, "resps": [[reply]]})
        files[name] = folder / name / f"samples_{TASK}.jsonl"
        files[name].parent.mkdir()
        files[name].write_text("".join(json.dumps(row, default=str) + "\n" for row in rows))
    return files


def test_what_a_hint_turns_is_counted(runs) -> None:
    """Planted: of 20 cases 16 are right; the hint takes those of them whose place is a multiple of three: 5."""
    plain, hinted = load([f"{name}={path}" for name, path in runs.items()])
    (row,) = turned([plain, hinted]).rows
    assert row[:4] == ("plain", "hinted", "pressure: hint", turned([hinted, plain]).rows[0][3])
    lost, won = row[5], row[6]
    assert (lost.value, lost.cases) == (pytest.approx(5 / 16), 16) and lost.low < 5 / 16 < lost.high
    assert (won.value, won.cases) == (0.0, 4) and won.high > 0
    assert turned([plain]) is None and turned([plain, plain, hinted]) is None


def test_compare_tells_what_was_turned(runs) -> None:
    """The line of the command, and its JSON."""
    told = CliRunner().invoke(compare, [f"plain={runs['plain']}", f"hinted={runs['hinted']}"])
    assert "of the right answers 31.2 % turned wrong [" in told.output and "pressure: hint" in told.output
    as_json = json.loads(
        CliRunner().invoke(compare, [f"plain={runs['plain']}", f"hinted={runs['hinted']}", "--json"]).output
    )
    assert as_json["turned"]["rows"][0][5]["value"] == pytest.approx(5 / 16)


@pytest.mark.parametrize(("name", "value"), [("given", "facts"), ("pressure", "bribe")])
def test_other_values_are_refused(name, value) -> None:
    """An unknown value of the options is refused by name."""
    with pytest.raises(InputError, match=f"holmes_{name}.*{value}"):
        load_docs(TASK, holmes_split="smoke", **{f"holmes_{name}": value})


def test_every_domain_of_the_suite_is_looked_at() -> None:
    """The configs above hold cases of every kind of domain that is shipped."""
    assert {domain_of(case).name for config in (*CONFIGS, "policy") for case in some(config)} >= {
        "law", "finance", "deontic", "baggage", "policy",
    }  # fmt: skip


def test_show_prints_the_prompt_of_a_twin() -> None:
    """`holmes show ID --prompt` is what a model gets; with an option its twin; an unknown one is refused."""
    case = load_cases("law", "smoke")[0]
    plain = CliRunner().invoke(show, [case.id, "--config", "law", "--prompt"])
    twin = CliRunner().invoke(show, [case.id, "--config", "law", "--option", "given=concepts"])
    assert plain.output == build_prompt(case, task_of(case), Options()) + "\n"
    assert twin.output == build_prompt(case, task_of(case), Options(given="concepts")) + "\n" != plain.output
    assert isinstance(CliRunner().invoke(show, [case.id, "--option", "given=all"]).exception, InputError)
