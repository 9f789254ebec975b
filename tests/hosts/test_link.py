"""`holmes link` and `holmes unlink`, for an lm_eval in site-packages and for an editable one."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SITE = Path(sysconfig.get_paths()["purelib"])
PYPROJECT = """
[build-system]
requires = ["setuptools"]
build-backend = "setuptools.build_meta"
[project]
name = "lm_eval"
version = "0.4.13"
[tool.setuptools.packages.find]
include = ["lm_eval*"]
"""


def small_lm_eval(folder: Path) -> Path:
    """Copy the installed lm_eval without its thousands of task files (its code is what is tested)."""
    source = Path(importlib.util.find_spec("lm_eval").origin).parent
    shutil.copytree(
        source, folder / "lm_eval", ignore=shutil.ignore_patterns("__pycache__", "*.yaml", "*.jsonl", "holmes")
    )
    return folder / "lm_eval"


@pytest.fixture(scope="module", params=["installed", "editable"])
def python(request, tmp_path_factory):
    """A virtual environment of its own whose lm_eval is an ordinary one, or an editable one from an unpacked sdist."""
    base = tmp_path_factory.mktemp(request.param)
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", base / "venv"], check=True)
    site = next((base / "venv" / "lib").glob("python3*/site-packages"))
    for entry in SITE.iterdir():
        if not entry.name.lower().startswith(("lm_eval", "holmes", "_editable_impl_holmes")):
            (site / entry.name).symlink_to(entry)
    executable = base / "venv" / "bin" / "python"
    if request.param == "installed":
        small_lm_eval(site)
        shutil.copytree(metadata := next(SITE.glob("lm_eval-*.dist-info")), site / metadata.name)
    else:
        sdist = base / "lm_eval-0.4.13"
        small_lm_eval(sdist)
        (sdist / "pyproject.toml").write_text(PYPROJECT)
        install = [sys.executable, "-m", "pip", "--python", executable, "install", "-q", "--no-deps"]
        subprocess.run([*install, "--no-build-isolation", "-e", sdist], check=True)
    (site / "holmes_checkout.pth").write_text(str(ROOT) + "\n")
    return executable


def run(python, *arguments, cwd):
    env = {k: v for k, v in os.environ.items() if k != "HOLMES_LINK_NOTICE"}
    return subprocess.run([python, "-m", *arguments], cwd=cwd, env=env, capture_output=True, text=True, timeout=300)


def files(folder: Path) -> set[str]:
    return {p.relative_to(folder).as_posix() for p in folder.rglob("*") if "__pycache__" not in p.parts}


def tasks_folder(python) -> Path:
    code = "import importlib.util as u; print(u.find_spec('lm_eval').origin)"
    return Path(subprocess.check_output([python, "-c", code], text=True).strip()).parent / "tasks"


def test_link_makes_the_bare_command_work_and_unlink_leaves_no_trace(python, tmp_path):
    """After link a bare lm_eval finds and runs our tasks from an unrelated folder; unlink removes exactly that."""
    tasks = tasks_folder(python)
    before = files(tasks)
    assert run(python, "lm_eval", "validate", "--tasks", "holmes_law", cwd=tmp_path).returncode != 0
    linked = run(python, "holmes", "link", cwd=tmp_path)
    assert linked.returncode == 0, linked.stderr
    wanted = {
        f"holmes/{p.relative_to(ROOT / 'holmes_tasks').as_posix()}" for p in (ROOT / "holmes_tasks").rglob("*.yaml")
    }
    assert wanted <= files(tasks)
    out = tmp_path / "out"
    command = ["--model", "dummy", "--tasks", "holmes_law,deontic_sara", "--limit", "1", "--output_path", str(out)]
    ran = run(python, "lm_eval", *command, cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr[-3000:]
    results = json.loads(next(out.rglob("results_*.json")).read_text())
    assert {"holmes_law", "deontic_sara", "deontic_sara_numeric", "deontic_sara_binary"} <= set(results["results"])
    unlinked = run(python, "holmes", "unlink", cwd=tmp_path)
    assert unlinked.returncode == 0, unlinked.stderr
    assert files(tasks) == before
    assert run(python, "lm_eval", "validate", "--tasks", "holmes_law", cwd=tmp_path).returncode != 0


def test_link_refuses_what_it_did_not_write(python, tmp_path):
    """A user's own file in the way is named and kept, by link and by unlink."""
    tasks = tasks_folder(python)
    own = tasks / "holmes" / "law" / "holmes_law.yaml"
    own.parent.mkdir(parents=True)
    own.write_text("task: mine\n")
    linked = run(python, "holmes", "link", cwd=tmp_path)
    assert linked.returncode == 2
    assert str(own) in linked.stderr and len(linked.stderr.strip().splitlines()) == 1
    assert run(python, "holmes", "unlink", cwd=tmp_path).returncode == 0
    assert own.read_text() == "task: mine\n"
    shutil.rmtree(tasks / "holmes")


def test_a_stale_link_is_noticed_and_renewed(python, tmp_path):
    """A link to another folder or of another version is reported by every command, until it is made again."""
    tasks = tasks_folder(python)
    assert run(python, "holmes", "link", cwd=tmp_path).returncode == 0
    record = tasks / "holmes" / ".holmes-link.json"
    record.write_text(record.read_text().replace(str(ROOT), "/elsewhere"))
    noticed = run(python, "holmes", "tasks-path", cwd=tmp_path)
    assert noticed.stdout.strip() == str(ROOT / "holmes_tasks")
    assert "holmes link" in noticed.stderr
    assert run(python, "holmes", "link", cwd=tmp_path).stderr == ""
    assert run(python, "holmes", "tasks-path", cwd=tmp_path).stderr == ""
    assert run(python, "holmes", "unlink", cwd=tmp_path).returncode == 0


def test_without_lm_eval_there_is_one_clear_line(tmp_path):
    """Where lm_eval is missing, link says so and how to get it (exit code 1)."""
    code = "import sys; sys.modules['lm_eval'] = None; from holmes.commands.main import main; main(['link'])"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 1
    assert "pip install" in done.stderr and len(done.stderr.strip().splitlines()) == 1
