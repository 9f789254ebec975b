"""Hooks for lm-evaluation-harness: documents, requests with distinct seeds, scores. No logic of its own."""

from __future__ import annotations

import json
import logging
import math
import sys
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from lm_eval.api.task import ConfigurableTask

from holmes.errors import EnvironmentFailure, InputError
from holmes.hosts.group_rows import ENDS, Rows, add_intervals
from holmes.hosts.needs import check_output, check_task
from holmes.hosts.run_lm_eval import values_of
from holmes.interfaces import Task
from holmes.options import Options, options_json, options_of, read_options
from holmes.scoring import run
from holmes.services.samples import case_of, flatten
from holmes.tasks import build_prompt, cases_of, task_spec
from holmes.util.files import whole
from holmes.util.paths import cache_dir

logger = logging.getLogger(__name__)
_PROGRAMS = ("lm_eval", "lm-eval")
_KEPT = 50  # files of outputs
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
        check_task(spec, options)
        if output := _output_path():
            check_output(output)
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
        """Write the outputs down; filter them; then, if trace metrics are asked for, score all traces at once."""
        self._keep_outputs()
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

    def _keep_outputs(self) -> None:
        """Write the outputs where `holmes score` reads them, before anything can go wrong with their scores."""
        rows: dict[str, dict[str, Any]] = {}
        for instance in self._instances or ():
            row = rows.setdefault(instance.doc["id"], {"doc": instance.doc, "resps": []})
            row["resps"].append(list(instance.resps))
        if not rows:
            return
        folder = kept_folder()
        path = folder / f"samples_{self.config.task}_{datetime.now():%Y-%m-%dT%H-%M-%S.%f}.jsonl"
        try:
            with whole(path) as handle:
                handle.writelines(json.dumps(row, ensure_ascii=False, default=str) + "\n" for row in rows.values())
            for old in sorted(folder.glob("samples_*.jsonl"), key=lambda p: p.stat().st_mtime)[:-_KEPT]:
                old.unlink(missing_ok=True)
        except OSError as error:
            raise EnvironmentFailure(f"{path}: cannot be written: {error.strerror or error}") from error
        logger.info("%s: outputs kept in %s", self.config.task, path)

    def process_results(self, doc: dict[str, Any], results: Any) -> dict[str, Any]:
        """Score one document, its trace figures beside the others; an undefined one (NaN) leaves the mean."""
        traces = {name: v for name, v in self._traces.get(doc["id"], {}).items() if not math.isnan(v)}
        return {**super().process_results(doc, results), **traces}

    def construct_requests(self, doc: dict[str, Any], ctx: Any, **kwargs: Any) -> Any:
        """Make one request with K repeats, or K requests with K seeds for an API, which would repeat itself."""
        repeats = self.config.repeats
        api = self._is_api or _is_api(kwargs.get("chat_template"))
        if not api:
            return super().construct_requests(doc, ctx, **kwargs)
        if repeats == 1:
            one = super().construct_requests(doc, ctx, **kwargs)
            one.arguments = (one.arguments[0], _without_stop(one.arguments[1]))
            return one
        name, doc_id, _ = kwargs.pop("metadata")
        made = []
        for j in range(repeats):
            one = super().construct_requests(doc, ctx, metadata=(name, doc_id, 1), **kwargs)
            prompt, generation = one.arguments
            generation = _without_stop(generation) | {"seed": self._model_seed + j}
            generation.pop("do_sample", None)
            one.arguments, one.idx = (prompt, generation), j
            made.append(one)
        return made


def _without_stop(generation: dict[str, Any]) -> dict[str, Any]:
    """Have no stop sequences sent as null: hosts refuse the empty list that the harness would make of none."""
    return generation if generation.get("until") else {**generation, "stop": None}


def _output_path() -> str:
    """Return where the command line of this process wants results, or an empty text."""
    if Path(sys.argv[0]).name not in _PROGRAMS and "lm_eval/__main__.py" not in sys.argv[0]:
        return ""
    return (values_of(sys.argv, "-o", "--output_path") or [""])[-1]


def kept_folder() -> Path:
    """Return the folder that holds the outputs of the last runs, whatever became of their scores."""
    return cache_dir() / "outputs"


def _is_api(chat_template: Any) -> bool:
    from lm_eval.models.api_models import TemplateAPI

    return isinstance(getattr(chat_template, "__self__", None), TemplateAPI)
