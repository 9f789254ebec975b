"""A stranger's domain: a distribution of its own, installed beside the wheel, every command of its README run."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "allotments"
README = (EXAMPLE / "README.md").read_text(encoding="utf-8")
WHEELHOUSE = ROOT / ".venv" / "wheelhouse"

pytestmark = pytest.mark.slow


def blocks(language: str) -> list[str]:
    """The fenced blocks of the README in a language."""
    return re.findall(rf"^```{language}\n(.*?)^```", README, re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A new environment that holds the wheel, the example and what they need, all from the wheelhouse."""
    folder = tmp_path_factory.mktemp("stranger")
    for source in (ROOT, EXAMPLE):
        build = [
            sys.executable,
            "-m",
            "build",
            "-q",
            "--wheel",
            "--no-isolation",
            "-o",
            str(folder / "own"),
            str(source),
        ]
        subprocess.run(build, check=True, capture_output=True)
    venv.create(folder / "env", with_pip=True)
    links = ["--no-index", "--find-links", str(folder / "own"), "--find-links", str(WHEELHOUSE)]
    install = [
        str(folder / "env" / "bin" / "pip"),
        "install",
        "-q",
        *links,
        "holmes-eval[lm-eval]",
        "holmes-allotments",
    ]
    done = subprocess.run(install, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    return folder


def run(fresh: Path, command: str) -> subprocess.CompletedProcess[str]:
    """Run one command line in the new environment, in a folder of its own, with a cache of its own."""
    path = f"{fresh / 'env' / 'bin'}:{os.environ['PATH']}"
    kept = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "HOLMES_CACHE")}
    env = kept | {"PATH": path, "HOLMES_CACHE": str(fresh / "cache"), "HF_HUB_OFFLINE": "1"}
    return subprocess.run(command, shell=True, cwd=fresh, env=env, capture_output=True, text=True, timeout=500)


def test_the_example_is_small() -> None:
    """One rule-base file, at most sixty lines of Python, an entry point."""
    code = list(EXAMPLE.rglob("*.py"))
    assert sum(len(p.read_text().splitlines()) for p in code) <= 60
    assert len(list(EXAMPLE.rglob("*.yaml"))) == 1
    assert '[project.entry-points."holmes.domains"]' in (EXAMPLE / "pyproject.toml").read_text()


def test_every_command_of_its_readme_works(fresh: Path) -> None:
    """Build, verify, show, eval, link and the bare lm_eval; the audit fails only where the README says so."""
    commands, audit = blocks("sh")
    for command in commands.splitlines():
        done = run(fresh, command)
        assert done.returncode == 0, (command, done.stdout[-800:], done.stderr[-800:])
        if "verify" in command:
            assert done.stdout.count("30/30 agree") == 3, done.stdout
        if "lm_eval" in command or " eval " in command:
            assert "deriv_soundness" in done.stdout and "holmes_allotments" in done.stdout
    told = json.loads(run(fresh, f"{audit.strip()} --json").stdout)
    assert {gate.split(" [")[0] for gate in told["failures"]} == {"9 case only", "5 length of the text and answer, p"}
    samples = next((fresh / "results").rglob("samples_*.jsonl"))
    done = run(fresh, f"holmes score --samples {samples} --task holmes_allotments --json")
    assert len(json.loads(done.stdout)["cases"]) == 3, done.stderr


def test_its_python_works(fresh: Path) -> None:
    """A gold reply scores 1, a case has a family, fresh cases are made."""
    (code,) = blocks("python")
    (fresh / "readme.py").write_text(code)
    done = run(fresh, "python readme.py")
    value, family, question = done.stdout.splitlines()
    assert value == "1.0" and question.startswith("What does the committee decide")
    one, other, same = json.loads(family.replace("'", '"'))
    assert one == same != other
    card = run(
        fresh, 'python -c "import holmes; c = holmes.domain_of(holmes.load_cases(\'allotments\')[0]).configs[0];'
        " print(c.card({'test': holmes.load_cases('allotments')}))\"",
    )  # fmt: skip
    assert "## Allotments" in card.stdout, card.stderr


def test_a_broken_plugin_is_an_error_where_it_is_asked_for_only(fresh: Path) -> None:
    """A wrong sentence of a rule is refused by name, and the other domains go on working."""
    site = next((fresh / "env" / "lib").glob("python*")) / "site-packages"
    rules = site / "allotments" / "rules" / "allotments.yaml"
    whole = rules.read_text()
    rules.write_text(whole.replace("of 12 weeks or more", "of 13 weeks or more"))
    try:
        asked, other = run(fresh, "holmes build allotments --n 1 --seed 9 --out b2"), run(fresh, "holmes show --help")
        shown = run(fresh, "holmes build deontic --n 1 --seed 9 --out b3")
        unknown, own = run(fresh, "holmes show law/law/20261201-0"), run(fresh, "holmes show allotments/x/1")
        task = run(fresh, "holmes eval --model dummy --tasks holmes_allotments")
    finally:
        rules.write_text(whole)
    assert asked.returncode == 2 and "allotments.yaml" in asked.stderr and "rule 1" in asked.stderr, asked.stderr
    assert other.returncode == shown.returncode == 0, shown.stderr
    assert unknown.returncode == 2 and "case id: found 'law/law/20261201-0'" in unknown.stderr, unknown.stderr
    assert own.returncode == 2 and "rule 1" in own.stderr
    assert task.returncode == 2 and "rule 1" in task.stderr, task.stderr[-400:]


def test_two_distributions_of_one_name_are_refused(fresh: Path) -> None:
    """Both are named; nothing else is touched."""
    site = next((fresh / "env" / "lib").glob("python*")) / "site-packages"
    second = site / "second_garden-1.0.dist-info"
    second.mkdir()
    (second / "METADATA").write_text("Metadata-Version: 2.1\nName: second-garden\nVersion: 1.0\n")
    (second / "entry_points.txt").write_text("[holmes.domains]\nallotments = json:loads\n")
    try:
        asked = run(fresh, "holmes build allotments --n 1 --out b4")
        other = run(fresh, "holmes build deontic --n 1 --seed 9 --out b5")
        linked = run(fresh, "holmes link")
        run(fresh, "holmes unlink")
    finally:
        for file in second.iterdir():
            file.unlink()
        second.rmdir()
    assert asked.returncode == 2 and "holmes-allotments" in asked.stderr and "second-garden" in asked.stderr
    assert other.returncode == 0
    assert linked.returncode == 0 and "left out: allotments" in linked.stderr, linked.stderr
