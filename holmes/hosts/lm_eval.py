"""Hooks for lm-evaluation-harness: documents, requests with distinct seeds, scores. No logic of its own."""

from __future__ import annotations

import logging
import math
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from lm_eval.api.task import ConfigurableTask

from holmes.errors import EnvironmentFailure, InputError
from holmes.hosts.group_rows import ENDS, Rows, add_intervals
from holmes.interfaces import Task
from holmes.options import Options, options_json, options_of, read_options
from holmes.scoring import run
from holmes.services.readiness import keep, try_scoring
from holmes.services.samples import case_of, flatten
from holmes.tasks import build_prompt, cases_of, task_spec

logger = logging.getLogger(__name__)
_PROGRAMS = ("lm_eval", "lm-eval")
BASE_SEED = 1234  # what the harness itself sends when one generation is asked for


def load_docs(holmes_task: str, **given: Any) -> dict[str, Any]:
    """Return ``{"test": Dataset}`` for a task: the cases' columns with the prompt and the options beside them.

    holmes_task: leaf task name. given: lm-eval's metadata; only ``holmes_*`` keys are read.
    Raises InputError for an unknown option, and for a release that has not been imported.
    """
    from datasets import Dataset, Value

    from holmes.cases import features

    spec, options = task_spec(holmes_task), read_options(given)
    chosen = options_json(options)
    rows = [
        case.to_dict() | {"prompt": build_prompt(case, spec, options), "task_name": spec.name, "options": chosen}
        for case in cases_of(spec, options.split, options.seed)
    ]
    if not rows:
        raise InputError(f"{spec.name}: split {options.split!r}: found no cases, expected at least one")
    columns = features()
    columns.update({name: Value("string") for name in ("prompt", "task_name", "options")})
    return {"test": Dataset.from_list(rows, features=columns)}


def spec_of(doc: dict[str, Any]) -> tuple[Task, Options]:
    """Return the task and the options that a document carries."""
    return task_spec(doc["task_name"]), options_of(doc["options"])


def keep_all(resps: Sequence[Any], docs: Sequence[dict[str, Any]]) -> list[list[Any]]:
    """Keep all K outputs of every case (the harness's own default drops all but the first).

    For tasks that run programs, run them all at once here, so that scoring finds them in the runner's cache.
    """
    kept = [list(r) for r in resps]
    if docs:
        run.prepare([(case_of(d), *spec_of(d), flatten(r)) for d, r in zip(docs, kept, strict=True)])
    return kept


def process_results(doc: dict[str, Any], results: Any) -> dict[str, Any]:
    """Score the K outputs of one document: scalar means over K, and the K values for interval aggregations."""
    case, (spec, options) = case_of(doc), spec_of(doc)
    return run.case_metrics(case, spec, run.score_outputs(case, spec, options, flatten(results)), options)


# the task files name their aggregations in this module
interval_low = run.interval_low
interval_high = run.interval_high
macro_f1 = run.macro_f1
macro_f1_low = run.macro_f1_low
macro_f1_high = run.macro_f1_high


class HolmesTask(ConfigurableTask):  # type: ignore[misc]
    """A configurable task with options, K generations under distinct seeds, and named data."""

    def __init__(self, config: dict[str, Any]) -> None:
        try:
            self._build(config)
        except (InputError, EnvironmentFailure) as error:
            if Path(sys.argv[0]).name not in _PROGRAMS and "lm_eval/__main__.py" not in sys.argv[0]:
                raise
            print(f"holmes: {error}", file=sys.stderr)  # on lm_eval's own command line: one line, no traceback
            raise SystemExit(2 if isinstance(error, InputError) else 1) from None

    def _build(self, config: dict[str, Any]) -> None:
        config = {k: v for k, v in config.items() if k != "class"}
        given = config.get("metadata") or {}
        options = read_options(given)
        if options.k > 1:
            config["repeats"] = options.k
            config["generation_kwargs"] = {
                **(config.get("generation_kwargs") or {}),
                "do_sample": True,
                "temperature": 0.7,
            }
        spec = task_spec(config["dataset_kwargs"]["holmes_task"])
        # Only our own keys: the harness would copy every model argument, keys included, into the results.
        config["metadata"] = {k: v for k, v in given.items() if k == "version" or k.startswith("holmes_")}
        self._model_seed = given.get("seed", BASE_SEED)
        self._is_api = "base_url" in given
        super().__init__(config=config)
        self.interval_rows = Rows()
        for metric in ENDS.keys() & self._aggregation_list.keys():
            self._aggregation_list[metric] = self.interval_rows.kept(metric, self._aggregation_list[metric])
        add_intervals()
        for name in run.more_metrics(spec, options):
            self._aggregation_list[name] = run.aggregation(name)
            self._higher_is_better[name] = name not in run.FAULTS
        self._name_data(spec, options)
        docs = self.dataset["test"] if spec.mixed else self.dataset["test"].select(range(1))
        try_scoring(spec, options, [case_of(doc) for doc in docs])

    def download(self, dataset_kwargs: dict[str, Any] | None = None, **kwargs: Any) -> None:
        """Load our own documents (the harness's version warns about metadata on every load)."""
        self.dataset = load_docs(**(self.config.metadata or {}), **(self.config.dataset_kwargs or {}))

    def _name_data(self, spec: Task, options: Options) -> None:
        from holmes.store import provenance

        origin = provenance(spec.config, options.split, options.seed)
        logger.info("%s: data %s", spec.name, " ".join(f"{k}={v}" for k, v in origin.items() if k != "path"))
        self.config.metadata = {
            **self.config.metadata,
            **{f"data_{k}": v for k, v in origin.items() if k != "path"},
            "signature": run.signature(spec, read_options(self.config.metadata)),
        }

    def apply_filters(self) -> Any:
        """Keep what was generated, apply the filters, then score the traces of the whole run at once, if asked for."""
        self._keep()
        applied = super().apply_filters()
        options = read_options(self.config.metadata)
        self._traces: dict[str, dict[str, float]] = {}
        if options.trace_metrics and self._instances:
            texts: dict[str, list[str | None]] = {}
            docs: dict[str, Any] = {}
            for instance in self._instances:
                docs[instance.doc["id"]] = instance.doc
                texts.setdefault(instance.doc["id"], []).extend(flatten(instance.filtered_resps["all"]))
            cases = [case_of(doc) for doc in docs.values()]
            rows, summary = run.trace_figures(cases, list(texts.values()), options)
            self._traces = dict(zip(docs, rows, strict=True))
            for name in rows[0]:
                self._aggregation_list[name] = run.aggregation(name)
                self._higher_is_better[name] = name != "no_trace"
            self.config.metadata = self.config.metadata | {
                "trace_signature": dict(summary.signature),
                "trace_baselines": {name: dict(figures) for name, figures in summary.baselines.items()},
            }
        return applied

    def _keep(self) -> None:
        """Write the outputs down before anything is done with them; a failure is told, and scoring goes on."""
        rows: dict[str, tuple[dict[str, Any], list[Any]]] = {}
        for instance in self._instances or ():
            rows.setdefault(instance.doc["id"], (instance.doc, []))[1].extend(instance.resps)
        try:
            if rows:
                kept = keep(str(self.config.task), list(rows.values()))
                logger.info("%s: outputs kept in %s until they are scored", self.config.task, kept)
        except EnvironmentFailure as error:
            logger.warning("%s", error)

    def process_results(self, doc: dict[str, Any], results: Any) -> dict[str, Any]:
        """Score one document, its trace figures beside the others; an undefined one (NaN) leaves the mean."""
        traces = {name: v for name, v in self._traces.get(doc["id"], {}).items() if not math.isnan(v)}
        return {**super().process_results(doc, results), **traces}

    def construct_requests(self, doc: dict[str, Any], ctx: Any, **kwargs: Any) -> Any:
        """Make one request with K repeats, or K requests with K seeds for an API, which would repeat itself."""
        repeats = self.config.repeats
        api = self._is_api or _is_api(kwargs.get("chat_template"))
        if repeats == 1 or not api:
            return super().construct_requests(doc, ctx, **kwargs)
        name, doc_id, _ = kwargs.pop("metadata")
        made = []
        for j in range(repeats):
            one = super().construct_requests(doc, ctx, metadata=(name, doc_id, 1), **kwargs)
            prompt, generation = one.arguments
            generation = {k: v for k, v in generation.items() if k != "do_sample"} | {"seed": self._model_seed + j}
            one.arguments, one.idx = (prompt, generation), j
            made.append(one)
        return made


def _is_api(chat_template: Any) -> bool:
    from lm_eval.models.api_models import TemplateAPI

    return isinstance(getattr(chat_template, "__self__", None), TemplateAPI)
