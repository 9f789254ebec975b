"""Loading: the fixtures load clean; texts may stand beside; every reject is refused for its one reason."""

from __future__ import annotations

from pathlib import Path

import pytest

from holmes.errors import InputError
from holmes.logic.loader import load_rulebase, load_rulebases
from holmes.logic.problems import RuleBaseError
from holmes.logic.semantics import check_semantics, run_checks
from tests.logic.bases import FIXTURES, NAMES, base


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
