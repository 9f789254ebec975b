"""What a trace metric needs of an encoder."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]
Progress = Callable[[int, int], None]


class Encoder(Protocol):
    """What a metric needs: a name with the hash of the weights, and L2-normalised vectors of texts."""

    @property
    def signature(self) -> str:
        """Return ``name:hash`` as it stands in every score's signature."""
        ...

    def encode(self, texts: Sequence[str], progress: Progress | None = None) -> Vectors:
        """Return one L2-normalised float32 row a text, shape (len(texts), dimensions)."""
        ...

    def tokens(self, texts: Sequence[str]) -> list[Vectors]:
        """Return for each text its L2-normalised token vectors, shape (tokens, dimensions), special tokens left out."""
        ...
