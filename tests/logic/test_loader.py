"""Loading: the fixtures load clean; texts may stand beside; every reject is refused for its one reason."""

from __future__ import annotations

import copy
import random
from pathlib import Path
from typing import Any

import pytest
import yaml

from holmes.errors import InputError
from holmes.logic.engine.evaluate import evaluate
from holmes.logic.language.problems import RuleBaseError
from holmes.logic.loader import load_rulebase, load_rulebases
from holmes.logic.sat.semantics import check_semantics, run_checks
from tests.logic.bases import FIXTURES, NAMES, base, random_facts


@pytest.mark.parametrize("name", NAMES)
def test_the_sketch_loads_clean(name: str) -> None:
    """The repaired fragments of the sketch pass every check of names, types, shape and defeat."""
    rulebase = load_rulebase(FIXTURES / f"{name}.yaml")
    assert rulebase.name == name
    assert len(rulebase.fingerprint) == 16


def test_several_documents_in_one_file(tmp_path: Path) -> None:
    """A file of several documents gives one rule base each, in order, with the fingerprints of the single files."""
    file = tmp_path / "all.yaml"
    file.write_text("\n---\n".join((FIXTURES / f"{name}.yaml").read_text("utf-8") for name in NAMES), "utf-8")
    bases = load_rulebases(file)
    assert tuple(b.name for b in bases) == NAMES
    assert [b.fingerprint for b in bases] == [load_rulebase(FIXTURES / f"{n}.yaml").fingerprint for n in NAMES]
    with pytest.raises(InputError, match="found 3 rule bases"):
        load_rulebase(file)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "found an empty file"),
        (b"- a\n- b\n", "found a list, expected a mapping"),
        (b"rulebase: x\nrulebase: y\n", "found a second 'rulebase'"),
        (b"a: [1\n", "expected well-formed YAML"),
        (b"\xff\xfe\x00", "not UTF-8"),
        (b"rulebase: x\ndefeat: grounded\nfacts: [a]\n", "facts: found a list, expected a mapping"),
        (b"a: &a [*a, *a]\n", "expected"),
        (b"[" * 3000, "expected"),
        (b"rulebase: !!python/object/apply:os.system ['true']\n", "expected"),
    ],
)
def test_files_that_are_no_rule_base(tmp_path: Path, content: bytes, message: str) -> None:
    """Broken files are refused in the loader's own words."""
    file = tmp_path / "broken.yaml"
    file.write_bytes(content)
    with pytest.raises(InputError, match=message.replace("[", r"\[")):
        load_rulebase(file)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    """A file that is not there and a folder are refused by name."""
    with pytest.raises(InputError, match="no such file"):
        load_rulebase(tmp_path / "none.yaml")
    with pytest.raises(InputError, match="found a folder"):
        load_rulebase(tmp_path)


REJECTS = Path(__file__).parent / "rejects"


@pytest.mark.parametrize("file", sorted(REJECTS.glob("*.yaml")), ids=lambda file: file.stem)
def test_each_fault_is_found(file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each reject is refused for the one fault that its first line names: kind, rule, field, what was found."""
    monkeypatch.setenv("HOLMES_CACHE", str(tmp_path))
    kind, rule, field, found = file.read_text("utf-8").splitlines()[0].removeprefix("# ").split(" | ")
    with pytest.raises(RuleBaseError) as caught:
        load_rulebase(file, semantics=True)
    first = [p for p in caught.value.problems if (p.kind, p.field) == (kind, field) and found in p.found]
    assert first, str(caught.value)
    problem = first[0]
    assert problem.rule == rule or not rule
    assert 1 < problem.line <= len(file.read_text("utf-8").splitlines())
    assert problem.file == str(file) and problem.expected
    assert len(caught.value.problems) <= 3, str(caught.value)  # a fault may entail another, not an avalanche


@pytest.mark.parametrize("name", (*NAMES, "mill_race", "toll_house"))
def test_clean_bases_pass_the_semantic_checks(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sketch as repaired and the bases from which the rejects were made have no fault of meaning."""
    monkeypatch.setenv("HOLMES_CACHE", str(tmp_path))
    assert run_checks(base(name)) == []
    assert check_semantics(base(name)) == []
    assert len(list((tmp_path / "semantics").iterdir())) == 1
    assert check_semantics(base(name)) == []


def test_texts_may_stand_beside(tmp_path: Path) -> None:
    """Sentences in `<name>.text.yaml` are merged by key; a text given twice with another wording is refused."""
    source = (FIXTURES / "lock_keepers.yaml").read_text("utf-8")
    file, beside = tmp_path / "lock.yaml", tmp_path / "lock.text.yaml"
    cut = [line for line in source.splitlines() if "No barge broke loose." not in line]
    file.write_text("\n".join(cut), "utf-8")
    assert load_rulebase(file).facts["boat_adrift"].denies == ()
    beside.write_text(
        "facts: {boat_adrift: {denies: [No boat was loose., All was calm., Nothing drifted.]}}\n", "utf-8"
    )
    assert load_rulebase(file).facts["boat_adrift"].denies[2] == "Nothing drifted."
    beside.write_text("facts: {boat_adrift: {phrase: another phrase}}\n", "utf-8")
    with pytest.raises(RuleBaseError, match=r"lock.text.yaml:1: facts.boat_adrift.phrase: found another value"):
        load_rulebase(file)
    beside.write_text("rulebase: locks\nfacts: {}\n", "utf-8")
    with pytest.raises(RuleBaseError, match="found texts for 'locks', expected `rulebase:` with one of lock_keepers"):
        load_rulebase(file)


JUNK: list[Any] = [None, "", 0, -1, True, [], {}, "not", "x in", [None], {"a": {}}, "9" * 60, "∀", "decision"]
JUNK += ["if", "1..2", [[1]], {None: 1}, "every g in checks: g", "crew.papers", "2017-02-30", "amount"]


def _mutated(source: str, rng: random.Random) -> str:
    """Return the YAML with one node deleted, replaced by another node or by junk, or renamed."""
    tree = yaml.load(source, Loader=yaml.BaseLoader)
    places: list[tuple[Any, Any]] = []

    def collect(node: Any) -> None:
        keys = list(node) if isinstance(node, dict) else range(len(node)) if isinstance(node, list) else ()
        for key in keys:
            places.append((node, key))
            collect(node[key])

    collect(tree)
    (parent, key), (other, other_key) = rng.choice(places), rng.choice(places)
    action = rng.choice(["delete", "copy", "junk", "rename"])
    if action == "delete":
        del parent[key]
    elif action == "copy":
        parent[key] = copy.deepcopy(other[other_key])
    elif action == "rename" and isinstance(parent, dict):
        parent[rng.choice(["foo", "rule", "a-b", "true", "3", ""])] = parent.pop(key)
    else:
        parent[key] = copy.deepcopy(rng.choice(JUNK))
    return str(yaml.safe_dump(tree, allow_unicode=True))


@pytest.mark.parametrize("seed", range(60))
def test_a_spoilt_rule_base_is_refused_or_works(seed: int, tmp_path: Path) -> None:
    """Whatever is deleted, swapped or scribbled over: an InputError, or a rule base that evaluates."""
    rng = random.Random(f"spoilt/{seed}")
    file = tmp_path / "spoilt.yaml"
    file.write_text(_mutated((FIXTURES / f"{rng.choice(NAMES)}.yaml").read_text("utf-8"), rng), "utf-8")
    try:
        rulebase = load_rulebase(file)
    except InputError as error:
        assert str(file) in str(error)
        return
    assert evaluate(rulebase, random_facts(rulebase, seed)).answer is not None


@pytest.mark.nightly
@pytest.mark.parametrize("seed", range(60, 600))
def test_many_spoilt_rule_bases(seed: int, tmp_path: Path) -> None:
    """The same with many more seeds."""
    test_a_spoilt_rule_base_is_refused_or_works(seed, tmp_path)
