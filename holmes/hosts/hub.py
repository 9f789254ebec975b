"""Push the embedded dataset (card and Parquet files, one commit, one tag) to the Hub; say first what would change."""

from __future__ import annotations

import contextlib
import difflib
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from holmes.errors import EnvironmentFailure, InputError, is_network_failure
from holmes.util.paths import PACKAGE
from holmes.version import __version__

CARD = "README.md"


@dataclass(frozen=True, slots=True)
class Upload:
    """One file of a publication.

    target: its path in the repository. source: the local file; None for one that goes. size: in bytes.
    state: new | changed | same | gone, against the repository as it is; unknown where that cannot be seen.
    """

    target: str
    source: Path | None
    size: int
    state: str = "unknown"


@dataclass(frozen=True, slots=True)
class Publication:
    """What a publication comes to: its files, the card's difference as unified diff, its tag, whether it was sent."""

    files: tuple[Upload, ...]
    card: str
    tag: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class _Seen:
    """The repository as it is: commit, hash by path, card, tag -> commit."""

    commit: str
    hashes: dict[str, str]
    card: str
    tags: dict[str, str]


def uploads(root: Path = PACKAGE) -> list[Upload]:
    """Return what a publication consists of: the card and every Parquet file.

    root: the dataset folder. Raises EnvironmentFailure when the card is missing or names other files than there are.
    """
    card = root / CARD
    if not card.is_file():
        raise EnvironmentFailure(f"{card}: found no card, expected one; run dataset_scripts/card.py")
    files = [card, *sorted((root / "data").rglob("*.parquet"))]
    text = card.read_text(encoding="utf-8")
    for path in files[1:]:
        if path.relative_to(root).as_posix() not in text:
            raise EnvironmentFailure(f"{path}: found a file that the card does not name; run dataset_scripts/card.py")
    return [Upload(p.relative_to(root).as_posix(), p, p.stat().st_size) for p in files]


def publish(
    repo: str, *, dry_run: bool = True, private: bool = False, replace_card: bool = False, root: Path = PACKAGE
) -> Publication:
    """Push the card and all configs to a dataset repository in one commit with the version as its tag.

    repo: ``ORG/NAME``. dry_run: compare and send nothing. private: when the repository has to be created.
    replace_card: allow that a card which differs is replaced. An interrupted publication is finished by the next:
    what is there already is not sent again, and a missing tag is set. The commit is refused where somebody else has
    committed since the comparison.
    Raises InputError for a malformed name, a card that would be replaced, a version whose tag has other files;
    EnvironmentFailure when the Hub refuses or cannot be reached.
    """
    organisation, slash, name = repo.partition("/")
    if not (organisation and slash and name) or "/" in name:
        raise InputError(f"--repo: found {repo!r}, expected ORG/NAME")
    files, tag = uploads(root), f"v{__version__}"
    try:
        with _failures(repo):
            seen = _look(repo)
    except EnvironmentFailure as error:
        if not dry_run:
            raise
        return Publication(tuple(files), "", tag, f"not compared: {error}")
    files = _compared(files, seen)
    ours = (root / CARD).read_text(encoding="utf-8")
    old = seen.card if seen is not None else ""
    lines = difflib.unified_diff(old.splitlines(), ours.splitlines(), f"{repo}/{CARD}", CARD, lineterm="", n=1)
    found = Publication(tuple(files), "\n".join(lines) if old else "", tag)
    if dry_run:
        return found
    if found.card and not replace_card:
        raise InputError(f"{repo}: found a card that differs from ours, expected --replace-card (a dry run shows it)")
    changed = [u for u in files if u.state != "same"]
    if seen is not None and tag in seen.tags and changed:
        raise InputError(
            f"{repo}: found tag {tag} with other files ({changed[0].target} is {changed[0].state}), expected a version "
            "that is not yet published"
        )
    with _failures(repo):
        _send(repo, changed, seen, tag, private)
    return found


def _look(repo: str) -> _Seen | None:
    """Return the repository as it is; None where there is none."""
    from huggingface_hub import HfApi, hf_hub_download
    from huggingface_hub.errors import RepositoryNotFoundError
    from huggingface_hub.hf_api import RepoFile

    api = HfApi()
    try:
        commit = str(api.dataset_info(repo).sha)
    except RepositoryNotFoundError:
        return None
    tree = api.list_repo_tree(repo, recursive=True, repo_type="dataset", revision=commit)
    hashes = {f.path: f.lfs.sha256 if f.lfs else f.blob_id for f in tree if isinstance(f, RepoFile)}
    card = ""
    if CARD in hashes:
        path = hf_hub_download(repo, CARD, repo_type="dataset", revision=commit)
        card = Path(path).read_text(encoding="utf-8", errors="replace")
    tags = {ref.name: ref.target_commit for ref in api.list_repo_refs(repo, repo_type="dataset").tags}
    return _Seen(commit, hashes, card, tags)


def _compared(files: list[Upload], seen: _Seen | None) -> list[Upload]:
    """Return the files with their states, and after them those of the data that are to go."""
    known = seen.hashes if seen is not None else {}
    told = [replace(u, state=_state(u, known)) for u in files]
    ours = {u.target for u in files}
    gone = [path for path in sorted(known) if path.startswith("data/") and path not in ours]
    return told + [Upload(path, None, 0, "gone") for path in gone]


def _state(upload: Upload, known: dict[str, str]) -> str:
    if upload.target not in known:
        return "new"
    assert upload.source is not None
    content = upload.source.read_bytes()
    blob = hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()  # git's name of a file that is not in LFS
    return "same" if known[upload.target] in (hashlib.sha256(content).hexdigest(), blob) else "changed"


def _send(repo: str, changed: list[Upload], seen: _Seen | None, tag: str, private: bool) -> None:
    from huggingface_hub import CommitOperationAdd, CommitOperationDelete, HfApi

    api = HfApi()
    if seen is None:
        api.create_repo(repo, repo_type="dataset", private=private, exist_ok=True)
    commit = seen.commit if seen is not None else None
    if changed:
        operations: list[Any] = [
            CommitOperationAdd(path_in_repo=u.target, path_or_fileobj=str(u.source))
            if u.source is not None
            else CommitOperationDelete(path_in_repo=u.target)
            for u in changed
        ]
        message = f"Publish the holmes dataset, version {__version__}"
        done = api.create_commit(repo, operations, commit_message=message, repo_type="dataset", parent_commit=commit)
        commit = done.oid
    if seen is None or tag not in seen.tags:
        api.create_tag(repo, tag=tag, revision=commit, repo_type="dataset")


@contextlib.contextmanager
def _failures(repo: str) -> Iterator[None]:
    """Give what the Hub and the network say one line."""
    from huggingface_hub.errors import HfHubHTTPError

    try:
        yield
    except HfHubHTTPError as error:
        raise EnvironmentFailure(f"{repo}: the Hub refused: {str(error).splitlines()[0]}") from error
    except Exception as error:
        upload = isinstance(error, RuntimeError) and str(error).startswith("Error while uploading")
        if upload or is_network_failure(error) or isinstance(error, OSError):
            raise EnvironmentFailure(
                f"{repo}: the Hub cannot be reached: {str(error).partition(chr(10))[0]}"
            ) from error
        raise
