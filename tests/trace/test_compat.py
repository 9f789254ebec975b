"""The authors' mode against their definitions' values on 170 perturbed traces, read in place beside the releases."""

import json
import math

import pytest

from holmes.scoring.trace import compat, score_samples
from holmes.scoring.trace.encoders import load_encoder
from holmes.scoring.trace.vectors import Embedded
from holmes.sources.holmes_release.finance_import import read_finance
from holmes.sources.holmes_release.law_import import read_law
from tests import releases

NAMES = {
    "srmr": "srmr_f1", "srmr_precision": "srmr_p", "srmr_recall": "srmr_r", "sa_p": "sa_p", "sa_r": "sa_r",
    "sa_f1": "sa_f1", "rouge_l": "rouge_l",
}  # fmt: skip


@pytest.fixture(scope="module", params=["traces_minilm.json", "traces_minilm_2.json"])
def golden(request):
    path = releases.release_dir().parent / "golden" / request.param
    if not path.is_file():
        pytest.skip(f"golden/{request.param} is not beside the releases")
    return json.loads(path.read_text(encoding="utf-8"))


@pytest.mark.release
@pytest.mark.slow
def test_every_golden_value(golden, monkeypatch):
    """SRMR, ROUGE-L and step counts are exact, SA within 2e-7 (theirs is float32), NaN where the authors have NaN."""
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
            if not (math.isnan(value) if want is None else abs(value - want) <= (2e-7 if "sa_" in ours else 0)):
                wrong.append((item["case"], item["variant"], ours, value, want))
    assert len(texts) in (80, 90) and wrong == []


@pytest.mark.release
@pytest.mark.slow
def test_identity_is_one_for_every_gold(releases_dir):
    """The steps of each of the 1,379 released golds, given back, score 1."""
    cases = read_law(releases_dir / "holmes") + read_finance(releases_dir / "holmes")
    texts = []
    for case in cases:
        narrative = json.loads(case.plan).get("narrative")
        steps = compat.finance_gold("\n".join(s.text for s in case.trace))
        items = [{"description": s.description, "result": s.result.raw} for s in steps]
        texts.append(narrative or json.dumps({"reasoning_trace": items}))
    figures = score_samples(cases, texts, ("srmr",), compat=compat.NAME)
    assert len(figures) == 1379
    assert [c.id for c, f in zip(cases, figures, strict=True) if f["srmr"] != 1.0] == []
