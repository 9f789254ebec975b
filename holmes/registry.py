"""Which domains, sources and configs there are: the built-in table and the entry-point group `holmes.domains`.

This is the one place that names modules by text. A plug-in that cannot be loaded is an error where it is asked for,
and never for others; two distributions that bring one name are refused, both named.
"""

from __future__ import annotations

import functools
import importlib
import os
import sys
from collections.abc import Iterator, Mapping
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

from holmes.cases import Case
from holmes.errors import InputError
from holmes.interfaces import OURS, Config, Domain, Source, Task
from holmes.util.nearest import did_you_mean
from holmes.version import __version__

if TYPE_CHECKING:
    from holmes.derivations.derive import Derivations
    from holmes.derivations.operations import Annotation
    from holmes.derivations.parts import Part
    from holmes.prolog.output import ProgramContract

GROUP = "holmes.domains"
DISTRIBUTION = "holmes-eval"
_DOMAINS: dict[tuple[str, str], str] = {
    (OURS, "law"): "holmes.domains.law.domain:LAW",
    (OURS, "finance"): "holmes.domains.finance.domain:FINANCE",
    (OURS, "deontic"): "holmes.domains.deontic.domain:DEONTIC",
    (OURS, "policy"): "holmes.domains.policy.domain:POLICY",
    (OURS, "baggage"): "holmes.domains.baggage.domain:BAGGAGE",
    ("holmes-release", "law"): "holmes.sources.holmes_release.domain:LAW",
    ("holmes-release", "finance"): "holmes.sources.holmes_release.domain:FINANCE",
    ("deonticbench", "deontic"): "holmes.sources.deonticbench.domain:DEONTIC",
}
_SOURCES: dict[str, str] = {
    "holmes-release": "holmes.sources.holmes_release.source:SOURCE",
    "deonticbench": "holmes.sources.deonticbench.source:SOURCE",
}
_BUNDLE = "holmes.domains.from_file:domain_from"
BUNDLE = "HOLMES_BUNDLE"  # the variable that names a rule-base file of one's own, for this process and its children
_MIXED = ("holmes.counterfactual.config:CONFIG", "holmes.configs.by_type:CONFIG")  # drawn from several domains


def _load(place: str) -> Any:
    module, name = place.split(":")
    return getattr(importlib.import_module(module), name)


# ---------------------------------------------------------------- plug-ins
@functools.lru_cache(maxsize=1)
def _plugins() -> Mapping[str, tuple[metadata.EntryPoint, ...]]:
    """Return the entry points of the group by name; more than one of a name is a conflict."""
    found: dict[str, tuple[metadata.EntryPoint, ...]] = {}
    for point in metadata.entry_points(group=GROUP):
        known = found.get(point.name, ())
        if all((other.value, _brought_by(other)) != (point.value, _brought_by(point)) for other in known):
            found[point.name] = (*known, point)
    return found


def _brought_by(point: metadata.EntryPoint) -> str:
    return point.dist.name if point.dist is not None else "an unknown distribution"


@functools.lru_cache(maxsize=64)
def _plugin(name: str) -> Domain:
    points = _plugins()[name]
    where = " and ".join(_brought_by(point) for point in points)
    if len(points) > 1 or (OURS, name) in _DOMAINS:
        own = f"{DISTRIBUTION} and " if (OURS, name) in _DOMAINS else ""
        raise InputError(f"domain {name!r}: found it in {own}{where}, expected one distribution to bring it")
    try:
        found: Domain = points[0].load()
    except Exception as error:  # whatever a stranger's module raises: theirs is the fault, ours is to say where
        raise InputError(
            f"domain {name!r}: found {type(error).__name__} on loading {points[0].value} of {where} ({error}), "
            "expected a domain"
        ) from error
    if getattr(found, "name", None) != name:
        raise InputError(
            f"domain {name!r}: found {getattr(found, 'name', type(found).__name__)!r} at {points[0].value} of {where}, "
            "expected a domain of that name"
        )
    return found


def broken() -> dict[str, str]:
    """Return the plug-ins that cannot be used: name -> why, in one line."""
    return {name: why for name in _plugins() if (why := _fault(name))}


def _fault(name: str) -> str:
    try:
        _plugin(name)
    except InputError as error:
        return str(error)
    return ""


def brought_by(name: str) -> tuple[str, str]:
    """Return the distribution or the file that brings a domain of ours, and its version."""
    if (own := _bundle()) is not None and own.name == name:
        return os.environ[BUNDLE], "file"
    points = _plugins().get(name, ())
    if not points or (OURS, name) in _DOMAINS or points[0].dist is None:
        return DISTRIBUTION, __version__
    return points[0].dist.name, points[0].dist.version


def use_bundle(path: str) -> str:
    """Make the domain of a rule-base file known to this process and its children; returns its name.

    path: the file, checked in full at once. Raises InputError where it is not a rule base or its name is taken.
    """
    before = os.environ.pop(BUNDLE, None)
    taken = {*(known.name for known in configs()), *(name for _, name in _DOMAINS), *_plugins()}
    try:
        os.environ[BUNDLE] = str(Path(path).absolute())
        made = _bundle()
        assert made is not None
        if made.name in taken:
            raise InputError(f"--bundle: {path}: field rulebase: found {made.name!r}, expected a name not yet in use")
    except InputError:
        os.environ.pop(BUNDLE)
        if before is not None:
            os.environ[BUNDLE] = before
        raise
    return made.name


def _bundle() -> Domain | None:
    """Return the domain of the file that `BUNDLE` names; None where it names none."""
    if not os.environ.get(BUNDLE):
        return None
    path = Path(os.environ[BUNDLE])
    if not path.is_file():
        what = "a folder" if path.is_dir() else "no such file"
        raise InputError(f"--bundle: {path}: found {what}, expected a rule-base file (YAML)")
    stamp = path.stat()
    made: Domain = _load(_BUNDLE)(path, (stamp.st_size, stamp.st_mtime_ns))
    return made


# ---------------------------------------------------------------- domains
def domain(name: str, source: str = OURS) -> Domain:
    """Return a domain; raises InputError for an unknown one, naming those that are known."""
    if source == OURS and (own := _bundle()) is not None and own.name == name:
        return own
    return _domain(name, source)


@functools.lru_cache(maxsize=64)
def _domain(name: str, source: str) -> Domain:
    if (source, name) in _DOMAINS and not (source == OURS and name in _plugins()):
        built_in: Domain = _load(_DOMAINS[source, name])
        return built_in
    if source == OURS and name in _plugins():
        return _plugin(name)
    known = ", ".join(sorted(own for origin, own in _DOMAINS if origin == source) + sorted(_plugins()))
    raise InputError(
        f"domain: found {source} {name!r}, expected one of {known}; cases of a rule-base file need --bundle FILE"
    )


def domain_of(case: Case) -> Domain:
    """Return the domain of a case; raises InputError naming the case where it is unknown."""
    try:
        return domain(case.domain, case.source)
    except InputError as error:
        raise InputError(f"case {case.id!r}: field {error}") from error


def domains(source: str = OURS) -> Iterator[Domain]:
    """Yield the domains of a source that can be loaded, the built-in ones first."""
    for origin, name in _DOMAINS:
        if origin == source and not (source == OURS and name in _plugins()):
            yield domain(name, source)
    if source == OURS:
        for name in sorted(_plugins()):
            if not _fault(name):
                yield _plugin(name)
        if (own := _bundle()) is not None:
            yield own


def parts_of(case: Case) -> tuple[Part, ...]:
    """Return the parts of a case: rule base, typed facts and names of each; see `Domain.parts`."""
    return domain_of(case).parts(case)


def derivations_of(case: Case) -> Derivations:
    """Return the minimal sufficient derivations of a case; raises InputError where its question has none."""
    found = domain_of(case).derivations(case)
    if found is None:
        raise InputError(
            f"case {case.id!r}: field domain: found {case.source} {case.domain}, expected a case with derivations: "
            "its rule base is at hand, and one case is told"
        )
    return found


def operations_of(case: Case) -> Annotation:
    """Return the higher-order types of a case with their evidence; see `Domain.operations`."""
    return domain_of(case).operations(case)


# ---------------------------------------------------------------- sources
def source(name: str) -> Source:
    """Return a source of other authors by its name, or by its name for audits; raises InputError for an unknown one."""
    for known in sources():
        if name in (known.name, known.audited):
            return known
    raise InputError(f"release: found {name!r}, expected {' or '.join(_SOURCES)}")


def sources() -> tuple[Source, ...]:
    """Return the sources that an import can bring."""
    return tuple(_load(place) for place in _SOURCES.values())


def source_of(config: str) -> Source | None:
    """Return the source whose import provides a config; None for one of ours."""
    return next((found for found in sources() if any(config == own.name for own in found.configs)), None)


# ---------------------------------------------------------------- configs and tasks
def configs() -> Iterator[Config]:
    """Yield every config that is known, whether its cases are at hand or not: ours, mixed ones, releases."""
    for found in domains():
        yield from found.configs
    for place in _MIXED:
        yield _load(place)
    for origin in sources():
        yield from origin.configs


def config(name: str) -> Config:
    """Return a config by its name.

    Raises InputError for an unknown one; where a plug-in of that name is broken the error says so.
    """
    for found in configs():
        if found.name == name:
            return found
    find_plugin(name)
    known = [own.name for own in configs()]
    raise InputError(f"config: found {name!r}, expected one of {', '.join(known)}{did_you_mean(name, known)}")


def find_plugin(name: str) -> None:
    """Raise InputError where a name is that of a plug-in, or of something in it, that cannot be loaded."""
    for plugin in _plugins():
        if name in (plugin, f"holmes_{plugin}") or name.startswith((f"{plugin}_", f"holmes_{plugin}_")):
            _plugin(plugin)


def owner_of(name: str) -> str:
    """Return the name of the domain of ours that has a config; empty for mixed and imported ones."""
    return next((found.name for found in domains() if any(own.name == name for own in found.configs)), "")


def tasks() -> Iterator[Task]:
    """Yield every leaf task, config by config."""
    for found in configs():
        yield from found.tasks


def domain_for(task: str) -> Domain:
    """Return the domain to which a task belongs, by its name; raises InputError for a task that has no answer line."""
    find_plugin(task)
    for found in (*domains(), *(own for origin in _SOURCES for own in domains(origin))):
        if found.program_contract(task) is not None:
            return found
    raise InputError(f"task: found {task!r}, expected one with an answer line for programs")


def program_contract(task: str) -> ProgramContract:
    """Return what a program of a task prints; raises InputError for a task that has no answer line."""
    contract = domain_for(task).program_contract(task)
    assert contract is not None
    return contract


def forget() -> None:
    """Forget what was loaded, so that the next question sees plug-ins installed since (tests, long-lived hosts)."""
    importlib.invalidate_caches()
    for cached in (_plugins, _plugin, _domain):
        cached.cache_clear()
    for hook in [finder for finder in sys.meta_path if hasattr(finder, "invalidate_caches")]:
        hook.invalidate_caches()
