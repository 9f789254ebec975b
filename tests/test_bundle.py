"""`--bundle FILE`: a rule base of one's own in build, show, verify, audit and eval, without a distribution."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from holmes import registry
from holmes.cases import read_cases
from holmes.commands.main import run

ROOT = Path(__file__).resolve().parents[1]
RULES = ROOT / "examples" / "allotments" / "allotments" / "rules" / "allotments.yaml"


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    """A rule base in a folder of its own, under a name that no distribution has."""
    path = tmp_path / "rules" / "plots.yaml"
    path.parent.mkdir()
    text = RULES.read_text(encoding="utf-8")
    assert "rulebase: allotments" in text
    path.write_text(text.replace("rulebase: allotments", "rulebase: plots"), encoding="utf-8")
    return path


def test_a_file_is_built_verified_and_shown(rules: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each command takes the file; afterwards nothing of it is left in the process or beside the file."""
    before = [known.name for known in registry.configs()]
    out = tmp_path / "out"
    assert run(["build", "--bundle", str(rules), "--n", "2", "--seed", "3", "--out", str(out)]) == 0
    assert [case.domain for case in read_cases(out / "plots" / "part-00000.parquet")] == ["plots"] * 2
    capsys.readouterr()
    assert run(["verify", "--bundle", str(rules), "--with", "python,text", "--json"]) == 0
    assert [(v["config"], v["cases"], v["wrong"]) for v in json.loads(capsys.readouterr().out)] == [
        ("plots", 30, 0),
        ("plots", 30, 0),
    ]
    assert run(["show", "plots/plots/20261201-0", "--bundle", str(rules)]) == 0
    assert "source holmes" in capsys.readouterr().out
    assert "HOLMES_BUNDLE" not in os.environ and [known.name for known in registry.configs()] == before
    assert [path.name for path in rules.parent.iterdir()] == ["plots.yaml"]
    assert run(["show", "plots/plots/20261201-0"]) == 2


@pytest.mark.slow
def test_a_file_is_evaluated(rules: Path, tmp_path: Path) -> None:
    """eval runs its task without being told which; a process of its own reads the variable."""
    holmes = [sys.executable, "-m", "holmes.commands.main"]
    env = os.environ | {"PYTHONPATH": str(ROOT)}

    def call(*words: str, **more: str) -> subprocess.CompletedProcess[str]:
        given = [*holmes, *words]
        return subprocess.run(given, env=env | more, cwd=tmp_path, capture_output=True, text=True, timeout=300)

    wanted = ["--model", "dummy", "--limit", "2", "--output_path", "out", "--log_samples"]
    done = call("eval", "--bundle", str(rules), *wanted)
    assert done.returncode == 0 and "holmes_plots" in done.stdout, done.stderr[-1500:]
    samples = next((tmp_path / "out").rglob("samples_*.jsonl"))
    done = call("score", "--samples", str(samples), "--task", "holmes_plots", "--json", HOLMES_BUNDLE=str(rules))
    assert len(json.loads(done.stdout)["cases"]) == 2, done.stderr


@pytest.mark.nightly
def test_a_file_is_audited(rules: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The audit of a file lists the gates of its rule base alone."""
    assert run(["audit", "--bundle", str(rules), "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert len(told["gates"]) > 20
    assert 0 < len(told["failures"]) < 8 and all(g["scope"].startswith("plots") for g in told["gates"])


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["build", "--bundle", "nosuch.yaml"], "found no such file, expected a rule-base file"),
        (["verify", "--bundle", "."], "found a folder, expected a rule-base file"),
        (["build", "law", "--bundle", str(RULES)], "found 'law' beside it"),
        (["build", "--embedded", "--bundle", str(RULES)], "found --embedded beside it"),
        (["audit"], "found no target"),
        (["audit", "law", "--bundle", str(RULES)], "by the default generator: holmes audit --bundle"),
        (["audit", "finanse"], "did you mean 'finance'?"),
        (["build", "lwa"], "did you mean 'law'?"),
        (["verify", "lwa"], "did you mean 'law'?"),
        (["buld"], "did you mean 'build'?"),
    ],
)
def test_wrong_use_is_refused_at_once(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    """One line says what was found and what was expected, and the exit code is 2."""
    assert run(words) == 2
    assert said in capsys.readouterr().err


def test_a_name_in_use_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file may not call itself as a config does; a wrong rule is named by file and line."""
    own = tmp_path / "own.yaml"
    own.write_text(RULES.read_text(encoding="utf-8").replace("rulebase: allotments", "rulebase: finance"))
    assert run(["build", "--bundle", str(own), "--n", "1", "--out", str(tmp_path / "o")]) == 2
    assert "found 'finance', expected a name not yet in use" in capsys.readouterr().err
    own.write_text(RULES.read_text(encoding="utf-8").replace("of 12 weeks or more", "of 13 weeks or more"))
    assert run(["build", "--bundle", str(own), "--n", "1", "--out", str(tmp_path / "o")]) == 2
    assert "own.yaml" in (said := capsys.readouterr().err) and "rule 1" in said
    assert not (tmp_path / "o").exists()
