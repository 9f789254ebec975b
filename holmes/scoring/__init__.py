"""One scoring core for every host: `score(case, text)` gives a value, a reason and a signature."""

from holmes.scoring.core import Outcome, Score, mean_of, score

__all__ = ["Outcome", "Score", "mean_of", "score"]
