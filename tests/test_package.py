"""The wheel and the sdist hold what an installed user needs, and nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


def source_files(folder: str) -> set[str]:
    """Files below a folder of the repository, without caches."""
    return {
        p.relative_to(ROOT).as_posix()
        for p in (ROOT / folder).rglob("*")
        if p.is_file() and "__pycache__" not in p.parts
    }


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """A wheel built from the sdist, both in one folder (built without network)."""
    out = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(out), str(ROOT)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return out


def test_wheel(built):
    """The wheel is the package, its data, its card, the task files and the metrics; file for file."""
    names = set(zipfile.ZipFile(next(built.glob("*.whl"))).namelist())
    expected = source_files("holmes")
    expected |= {name.replace("holmes_tasks/", "holmes/_tasks/", 1) for name in source_files("holmes_tasks")}
    expected |= {name.replace("metrics/", "holmes/_metrics/", 1) for name in source_files("metrics")}
    assert {n for n in names if ".dist-info/" not in n} == expected
    for needed in ("holmes/README.md", "holmes/data/law/test.parquet", "holmes/_tasks/_default_yaml"):
        assert needed in names
    assert any(n.endswith("entry_points.txt") for n in names)


def test_sdist(built):
    """The sdist holds everything that builds and tests the package."""
    with tarfile.open(next(built.glob("*.tar.gz"))) as archive:
        names = {n.split("/", 1)[1] for n in archive.getnames() if "/" in n}
    for folder in ("holmes", "holmes_tasks", "metrics", "dataset_scripts", "tests"):
        assert source_files(folder) <= names, folder
    assert {"README.md", "LICENSE", "CHANGELOG.md", "Makefile", "pyproject.toml", ".ci/run"} <= names


def test_the_card_tells_the_data():
    """holmes/README.md is what the embedded data give: no figure in it is out of date."""
    from holmes.report.card import card

    written = (ROOT / "holmes" / "README.md").read_text(encoding="utf-8")
    assert written == card(), "renew it with: python dataset_scripts/card.py"


@pytest.mark.parametrize("name", sorted(p.name for p in (ROOT / "dataset_scripts").glob("*.py")))
def test_the_scripts_need_no_installation(name, tmp_path):
    """Each dataset script runs from a clone, from any folder, with holmes not installed."""
    command = [sys.executable, str(ROOT / "dataset_scripts" / name), "--help"]
    env = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True)
    assert done.returncode == 0 and "usage" in done.stdout.lower(), done.stderr


def test_the_dataset_folder_stays_loadable():
    """A file holmes/holmes.py would make `datasets` refuse the folder."""
    assert not (ROOT / "holmes" / "holmes.py").exists()


def test_start_is_light():
    """The command line imports no heavy library before a command needs one."""
    code = (
        "import sys, contextlib, io\n"
        "from holmes.commands.main import run\n"
        "with contextlib.redirect_stdout(io.StringIO()): code = run(['eval', '--help'])\n"
        "heavy = {'torch', 'datasets', 'lm_eval', 'numpy', 'pyarrow', 'transformers', 'sklearn'} & set(sys.modules)\n"
        "print(code, sorted(heavy))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "0 []"


def test_the_citation_names_this_version():
    """CITATION.cff and the package say the same version and licence."""
    import yaml

    from holmes.version import __version__

    told = yaml.safe_load((Path(__file__).resolve().parents[1] / "CITATION.cff").read_text(encoding="utf-8"))
    assert told["version"] == __version__ and told["license"] == "MIT"
