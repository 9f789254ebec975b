"""holmes: rule reasoning for language models, with proved golds and explained scores.

What stands in `__all__` is public; it is loaded on first use, so that `import holmes` costs nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from holmes.version import __version__

if TYPE_CHECKING:
    from holmes.cases import Case, read_cases
    from holmes.domains.base import RuleBaseDomain
    from holmes.errors import CheckFailed, EnvironmentFailure, InputError
    from holmes.interfaces import AnswerKind, Config, Domain, Source, Task
    from holmes.registry import derivations_of, domain_of
    from holmes.results import Outcome, Score
    from holmes.scoring.core import score
    from holmes.services.create import Dataset, create_dataset
    from holmes.hosts.metrics import load_metric
    from holmes.store import load_cases
    from holmes.tasks import build_prompt, task_names

_HOMES = {
    "AnswerKind": "interfaces",
    "Case": "cases",
    "CheckFailed": "errors",
    "Config": "interfaces",
    "Dataset": "services.create",
    "Domain": "interfaces",
    "EnvironmentFailure": "errors",
    "InputError": "errors",
    "Outcome": "results",
    "RuleBaseDomain": "domains.base",
    "Score": "results",
    "Source": "interfaces",
    "Task": "interfaces",
    "build_prompt": "tasks",
    "create_dataset": "services.create",
    "derivations_of": "registry",
    "domain_of": "registry",
    "load_cases": "store",
    "load_metric": "hosts.metrics",
    "read_cases": "cases",
    "score": "scoring.core",
    "task_names": "tasks",
}

__all__ = [
    "AnswerKind",
    "Case",
    "CheckFailed",
    "Config",
    "Dataset",
    "Domain",
    "EnvironmentFailure",
    "InputError",
    "Outcome",
    "RuleBaseDomain",
    "Score",
    "Source",
    "Task",
    "__version__",
    "build_prompt",
    "create_dataset",
    "derivations_of",
    "domain_of",
    "load_cases",
    "load_metric",
    "read_cases",
    "score",
    "task_names",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'holmes' has no attribute {name!r}")
    return getattr(importlib.import_module(f"holmes.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
