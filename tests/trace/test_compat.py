"""The authors' mode against their definitions' values on 80 perturbed traces, read in place beside the releases."""

import json
import math

import pytest

from holmes.scoring.trace import compat
from holmes.scoring.trace.encoders import load_encoder
from holmes.scoring.trace.vectors import Embedded
from tests import releases

NAMES = {
    "srmr": "srmr_f1", "srmr_precision": "srmr_p", "srmr_recall": "srmr_r", "sa_p": "sa_p", "sa_r": "sa_r",
    "sa_f1": "sa_f1", "rouge_l": "rouge_l",
}  # fmt: skip


@pytest.fixture(scope="module")
def golden():
    path = releases.release_dir().parent / "golden" / "traces_minilm.json"
    if not path.is_file():
        pytest.skip("golden/traces_minilm.json is not beside the releases")
    return json.loads(path.read_text(encoding="utf-8"))


@pytest.mark.release
@pytest.mark.slow
def test_every_golden_value(golden, monkeypatch):
    """Every value of every item is reproduced within 1e-5, step counts exactly, NaN where the authors have NaN."""
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    encoder = load_encoder("minilm")
    assert golden["model_sha256"].startswith(encoder.signature.split(":")[1])
    texts = [compat.Texts(c["domain"], c["prediction"], c["reference"]) for c in golden["cases"]]
    embedded = Embedded(encoder, [s for t in texts for s in compat.strings(t)])
    wrong = []
    for item, text in zip(golden["cases"], texts, strict=True):
        figures = compat.score(text, ("srmr", "sa", "rouge_l"), embedded)
        model, gold, hypothesis, reference = compat.sides(text)
        counts = (len(model), len(gold), len(hypothesis), len(reference))
        expected = item["scores"]
        if counts != tuple(expected[n] for n in ("n_model_steps", "n_gold_steps", "n_sa_hyp", "n_sa_ref")):
            wrong.append((item["case"], item["variant"], counts))
        for ours, theirs in NAMES.items():
            value, want = figures[ours], expected[theirs]
            if not (math.isnan(value) if want is None else abs(value - want) < 1e-5):
                wrong.append((item["case"], item["variant"], ours, value, want))
    assert len(texts) == 80 and wrong == []
