"""The house: layers hold and a planted import breaks them, services name no domain, modules stay short."""

from __future__ import annotations

import ast
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from holmes.registry import configs, domains, sources, tasks

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "holmes"
AT_HOME = ("domains/", "sources/", "configs/", "counterfactual/members.py", "counterfactual/config.py", "registry.py")
# words that are names of domains or configs, and kinds of node or column where they stand here
KINDS = {
    "policy": ("logic/", "derivations/", "scoring/", "interventions/", "answers/", "formal/", "report/"),
    "types": ("logic/language/", "logic/loader.py", "services/statistics.py", "commands/stats.py", "report/"),
    "counterfactual": ("report/",),
}


def modules() -> list[Path]:
    """Every module of the package."""
    return sorted(PACKAGE.rglob("*.py"))


def test_no_module_is_long() -> None:
    """No module has more than 350 lines."""
    found = {p.relative_to(PACKAGE).as_posix(): len(p.read_text().splitlines()) for p in modules()}
    assert len(found) > 300
    assert {name: size for name, size in found.items() if size > 350} == {}


def test_services_name_no_domain_config_or_task() -> None:
    """No name of a registered domain, config or task stands as a string outside the rooms that own them."""
    names = {own.name for own in (*domains(), *configs(), *tasks())} | {origin.name for origin in sources()}
    names |= {own.name for origin in sources() for own in origin.configs}
    assert len(names) > 60
    found = []
    for path in modules():
        inside = path.relative_to(PACKAGE).as_posix()
        if inside.startswith(AT_HOME):
            continue
        tree = ast.parse(path.read_text())
        for node in ast.walk(tree):
            value = node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""
            if value in names and not inside.startswith(KINDS.get(value, ("-",))):
                found.append(f"{inside}:{node.lineno} {value}")
    assert found == []


def test_services_import_no_domain() -> None:
    """No module below the domains imports one, at its top or inside a function."""
    above = (
        "domains/",
        "sources/",
        "commands/",
        "report/",
        "hosts/",
        "training/",
        "formal/",
        "registry.py",
        "__init__.py",
    )
    found = []
    for path in modules():
        inside = path.relative_to(PACKAGE).as_posix()
        if inside.startswith(above):
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            name = node.module if isinstance(node, ast.ImportFrom) else None
            if name and name.startswith(("holmes.domains", "holmes.sources")):
                found.append(f"{inside}:{node.lineno}")
    assert found == []


def lint(folder: Path) -> subprocess.CompletedProcess[str]:
    """Run the contracts on a copy."""
    command = [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"]
    return subprocess.run(
        command, cwd=folder, capture_output=True, text=True, env={"PYTHONPATH": str(folder), "PATH": ""}
    )


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package without its data."""
    folder = tmp_path_factory.mktemp("house")
    shutil.copytree(PACKAGE, folder / "holmes", ignore=shutil.ignore_patterns("data", "__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", folder)
    return folder


def test_the_contracts_hold(copy: Path) -> None:
    """Rooms in layers, no circles, independent domains and sources, no host in the core."""
    done = lint(copy)
    assert done.returncode == 0, done.stdout[-3000:]
    assert "0 broken" in done.stdout


@pytest.mark.parametrize(
    ("module", "line", "contract"),
    [
        ("scoring/run.py", "from holmes.domains.law import prompts", "rooms"),
        ("formal/asked.py", "from holmes.domains.law import prompts", "services know no domain"),
        ("logic/engine/evaluate.py", "from holmes.logic.english import reader", "logic"),
        ("domains/policy/prompts.py", "from holmes.domains.law import prompts", "domains know nothing"),
        ("results.py", "import lm_eval", "no host in the core"),
        ("logic/families/zdd.py", "from holmes.logic.families import minimal", "no circles"),
    ],
)
def test_a_planted_import_breaks_them(copy: Path, module: str, line: str, contract: str) -> None:
    """An import upward, sideways, in a circle, or of a host is found."""
    file = copy / "holmes" / module
    text = file.read_text()
    file.write_text(f"{text}\n\ndef _planted():\n    {line}\n")
    try:
        done = lint(copy)
    finally:
        file.write_text(text)
    assert done.returncode != 0 and f"{contract}" in done.stdout and "BROKEN" in done.stdout


def test_importing_holmes_is_free() -> None:
    """`import holmes` brings neither evaluate nor a host nor any data library; every public name can be had."""
    code = (
        "import sys, holmes; loaded = {'evaluate', 'lm_eval', 'datasets', 'numpy', 'torch'} & set(sys.modules); "
        "assert not loaded, loaded; [getattr(holmes, n) for n in holmes.__all__]; "
        "assert not {'evaluate', 'lm_eval', 'torch'} & set(sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
