"""Association of two columns beyond chance."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt


def p_value(values: npt.NDArray[np.int64], answers: npt.NDArray[np.int64]) -> float:
    """Return the chi-square p value of two columns of small integers; rare values are pooled; 1 if one is constant."""
    from scipy.stats import chi2_contingency

    kinds = int(answers.max()) + 1
    counts = np.bincount(values)
    rare = counts[values] < 5 * kinds
    grouped = np.where(rare, -1, values)
    table = np.array([np.bincount(answers[grouped == v], minlength=kinds) for v in np.unique(grouped)])
    table = table[:, table.sum(axis=0) > 0]
    table = table[table.sum(axis=1) >= kinds]
    if min(table.shape) < 2:
        return 1.0
    return float(chi2_contingency(table).pvalue)
