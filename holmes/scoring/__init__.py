"""One scoring core for every host: `score(case, text)` gives a value, a reason and a signature."""

from holmes.results import Outcome, Score
from holmes.scoring.core import score

__all__ = ["Outcome", "Score", "score"]
