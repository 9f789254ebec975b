"""The packaged `evaluate` modules by name."""

from __future__ import annotations

from typing import Any

from holmes.errors import InputError
from holmes.util.paths import metrics_dir


def load_metric(name: str, **kwargs: Any) -> Any:
    """Load one of the packaged `evaluate` modules.

    name: folder name below `metrics/`, for example ``"srmr"``.
    kwargs: passed to ``evaluate.load`` unchanged.
    Returns an ``evaluate.EvaluationModule``. Raises InputError for an unknown name.
    """
    folder = metrics_dir() / name
    if not (folder / f"{name}.py").is_file():
        known = ", ".join(sorted(p.parent.name for p in metrics_dir().glob("*/*.py") if p.stem == p.parent.name))
        raise InputError(f"metric: found {name!r}, expected one of {known}")
    import evaluate

    return evaluate.load(str(folder), **kwargs)
