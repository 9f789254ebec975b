"""Publishing to the loopback Hub: differences shown, failures half-way leave nothing, the next call goes on."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from holmes.version import __version__
from tests import fakehub

ROOT = Path(__file__).resolve().parents[1]
TAG = f"v{__version__}"
CODE = """
import sys
from pathlib import Path
from holmes.errors import EnvironmentFailure, InputError
from holmes.hosts.hub import publish
try:
    done = publish("org/x", root=Path(sys.argv[1]), dry_run="dry" in sys.argv, replace_card="card" in sys.argv)
    print(" ".join(f"{u.target}={u.state}" for u in done.files))
    print(done.card)
except (EnvironmentFailure, InputError) as error:
    print(type(error).__name__, error)
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A dataset of one file and its card; publishing does not look into them."""
    folder = tmp_path / "root"
    (folder / "data" / "law").mkdir(parents=True)
    (folder / "README.md").write_text("# card\ndata/law/test.parquet\n")
    (folder / "data" / "law" / "test.parquet").write_bytes(b"PAR1 one")
    return folder


def call(hub: fakehub.Hub, root: Path, *words: str) -> str:
    """Publish in a process of its own."""
    env = os.environ | {"PYTHONPATH": str(ROOT)} | hub.env(root.parent / "home")
    given = [sys.executable, "-c", CODE, str(root), *words]
    done = subprocess.run(given, env=env, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout.strip()


def test_what_would_change_is_shown_and_a_card_is_not_replaced_in_silence(root: Path) -> None:
    """new, same, changed, gone; the card's difference in a dry run; a card that differs needs leave."""
    with fakehub.running() as hub:
        assert call(hub, root, "dry") == "README.md=new data/law/test.parquet=new"
        assert "org/x" not in hub.repositories
        call(hub, root)
        before = dict(hub.repositories["org/x"])
        assert hub.tags["org/x"] == {TAG: hub.revision("org/x")}
        assert call(hub, root) == "README.md=same data/law/test.parquet=same"
        hub.repositories["org/x"] |= {"README.md": b"# theirs\n", "data/old.parquet": b"PAR1 old"}
        shown = call(hub, root, "dry")
        assert "README.md=changed data/law/test.parquet=same data/old.parquet=gone" in shown
        assert "-# theirs" in shown and "+# card" in shown
        assert "InputError org/x: found a card that differs" in call(hub, root)
        assert f"found tag {TAG} with other files" in call(hub, root, "card")
        assert hub.repositories["org/x"]["README.md"] == b"# theirs\n"
        hub.tags.clear()
        call(hub, root, "card")
        assert hub.repositories["org/x"] == before and TAG in hub.tags["org/x"]


@pytest.mark.parametrize("route", ["create", "preupload", "batch", "put", "commit", "tag"])
def test_a_failure_half_way_leaves_nothing_and_is_made_good(root: Path, route: str) -> None:
    """Whatever is refused, no reader sees a part; the next call ends as an unbroken one does."""
    with fakehub.running() as hub:
        hub.refuse[route] = 403
        assert call(hub, root).startswith("EnvironmentFailure org/x: the Hub ")
        files = hub.repositories.get("org/x", {})
        assert len(files) == (2 if route == "tag" else 0) and not hub.tags
        hub.refuse.clear()
        call(hub, root)
        assert sorted(hub.repositories["org/x"]) == ["README.md", "data/law/test.parquet"]
        assert hub.tags["org/x"] == {TAG: hub.revision("org/x")}
