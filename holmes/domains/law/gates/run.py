"""The audit of law cases: gates 2 to 7 and 9 on shipped, fresh or newly written bundles."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from holmes.audit.derivation_gates import families
from holmes.audit.gate import report
from holmes.audit.partial_input import contrast_pairs
from holmes.cases import Case, read_cases
from holmes.domains.law.gates.ablations import ablated, rules
from holmes.domains.law.gates.clones import clones
from holmes.domains.law.gates.independence import independence
from holmes.domains.law.gates.partial import partial
from holmes.domains.law.gates.sample import Sample, of_cases, of_plans
from holmes.domains.law.gates.shortcuts import shortcuts
from holmes.domains.law.gates.wording import wording
from holmes.domains.law.generate import Generator
from holmes.domains.law.rulebases import bundle, bundles, path_of
from holmes.domains.law.splits import PER_BUNDLE
from holmes.errors import InputError
from holmes.logic.language.model import RuleBase
from holmes.logic.loader import load_rulebase
from holmes.results import Gate, at_least
from holmes.util.paths import data_dir

FRESH = 2000  # plans to fit predictors on
RENDERED = 1400  # of them with text, for gates 5 and 9
FRESH_SEED = 977  # a seed of the audit's own


@dataclass(frozen=True, slots=True)
class Options:
    """What to audit. seed None: the shipped test split; bundle: one bundle, by name or by file, "" for all."""

    seed: int | None = None
    n: int = 300
    bundle: str = ""
    fresh: int = FRESH
    rendered: int = RENDERED


def shipped_or_fresh(*, seed: int | None, n: int, bundle: str) -> dict[str, Any]:
    """Return the document of `holmes audit`: the shipped cases, fresh ones (seed), or one bundle."""
    return report(audit(Options(seed=seed, n=n, bundle=bundle)))


def audit(options: Options) -> list[Gate]:
    """Audit law cases and return all gates; raises InputError for a bad bundle or file."""
    generators = [Generator(_base(name, bool(options.bundle))) for name in _chosen(options.bundle)]
    written = bool(options.bundle) and options.seed is None
    gates: list[Gate] = []
    pairs: list[tuple[Sample, Sample]] = []
    everything: list[Case] = []
    shipped_all: list[Sample] = []
    for place, generator in enumerate(generators):
        fresh, text = _fresh(generator, options)
        lots = _lots(generator, options, place, len(generators), written)
        found: list[list[Gate]] = []
        for cases in lots:
            shipped = of_cases(generator, cases)
            found.append([*shortcuts(shipped, fresh), *rules(shipped, fresh), *clones(shipped), *wording(shipped)])
            if written:
                found[-1] += ablated([shipped], generator.rulebase.name)
            shipped_all.append(shipped)
            everything += cases
            pairs.append((_part(text, 0, len(text) * 3 // 4), shipped if not written else _rest(text)))
        gates += _worst(found)
        gates += independence(text)
    scope = "all" if len(generators) > 1 else generators[0].rulebase.name
    gates += ablated(shipped_all, scope)
    gates += partial(pairs if not written else pairs[:1], scope)
    gates += contrast_pairs(everything, scope)
    gates += families(everything, scope)
    if len(generators) > 1:
        gates += spread(everything, scope)
    return gates


def spread(cases: Sequence[Case], scope: str) -> Iterator[Gate]:
    """Yield gates that depths 3 to 20 all occur, and every tier."""
    depths = {case.difficulty.steps for case in cases} & set(range(3, 21))
    if len(cases) >= 300:
        yield at_least("4 depths of 3..20 that occur", scope, len(depths), 18)
    yield at_least("4 tiers", scope, len({case.difficulty.tier for case in cases}), 4)


def _chosen(name: str) -> tuple[str, ...]:
    return (name,) if name else bundles()


def _base(name: str, checked: bool) -> RuleBase:
    """Load a bundle; a single one is checked in full: sentences against conditions, and what the rules mean."""
    if not checked:
        return bundle(name)
    path = Path(name) if name.endswith((".yaml", ".yml")) else path_of(name)
    return load_rulebase(path, semantics=True, text=True)


def _fresh(generator: Generator, options: Options) -> tuple[Sample, Sample]:
    plans = of_plans(generator, [generator.plan(FRESH_SEED, i) for i in range(options.fresh)])
    text = of_cases(generator, [generator.item(FRESH_SEED, i, light=True) for i in range(options.rendered)])
    return plans, text


def _lots(generator: Generator, options: Options, place: int, count: int, written: bool) -> list[list[Case]]:
    """Return the lots of cases to audit: the shipped ones, a fresh build, or five small builds of a new bundle."""
    name = generator.rulebase.name
    if written:
        return [[generator.item(seed, i) for i in range(PER_BUNDLE)] for seed in range(1, 6)]
    if options.seed is not None:
        return [[generator.item(options.seed, i) for i in range((options.n - place + count - 1) // count)]]
    cases = [case for case in read_cases(data_dir() / "law" / "test.parquet") if case.bundle == name]
    if not cases:
        raise InputError(
            f"law/test.parquet: found no case of bundle {name}, expected some; run holmes build law --embedded"
        )
    return [cases]


def _part(sample: Sample, start: int, stop: int) -> Sample:
    keep = slice(start, stop)
    codes = {name: column[keep] for name, column in sample.records.codes.items()}
    return replace(
        sample, records=replace(sample.records, codes=codes), final=sample.final[keep], cases=sample.cases[keep]
    )


def _rest(text: Sample) -> Sample:
    return _part(text, len(text) * 3 // 4, len(text))


def _worst(lots: Sequence[Sequence[Gate]]) -> list[Gate]:
    """Return for each gate its worst value over lots, failing ones first."""
    result: list[Gate] = []
    for same in zip(*lots, strict=True):
        low = same[0].limit.startswith(">=")
        result.append(min(same, key=lambda g: (g.ok, g.value if low else -g.value)))
    return result
