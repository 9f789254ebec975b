"""Push the embedded dataset (card and Parquet files, one commit) to the Hub."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from holmes.errors import EnvironmentFailure, InputError, is_network_failure
from holmes.util.paths import PACKAGE


@dataclass(frozen=True, slots=True)
class Upload:
    """One file of a publication: its path in the repository, the local file, its size in bytes."""

    target: str
    source: Path
    size: int


def uploads(root: Path = PACKAGE) -> list[Upload]:
    """Return what a publication consists of: the card and every Parquet file.

    root: the dataset folder. Raises EnvironmentFailure when the card is missing or names other files than there are.
    """
    card = root / "README.md"
    if not card.is_file():
        raise EnvironmentFailure(f"{card}: found no card, expected one; run dataset_scripts/card.py")
    files = [card, *sorted((root / "data").rglob("*.parquet"))]
    text = card.read_text(encoding="utf-8")
    for path in files[1:]:
        if path.relative_to(root).as_posix() not in text:
            raise EnvironmentFailure(f"{path}: found a file that the card does not name; run dataset_scripts/card.py")
    return [Upload(p.relative_to(root).as_posix(), p, p.stat().st_size) for p in files]


def publish(repo: str, *, dry_run: bool = True, private: bool = False, root: Path = PACKAGE) -> list[Upload]:
    """Push the card and all configs to a dataset repository, in one commit, or only list them.

    repo: ``ORG/NAME``. dry_run: list, send nothing. private: when the repository has to be created.
    Returns the uploads. Raises InputError for a malformed name, EnvironmentFailure when the Hub refuses.
    """
    organisation, slash, name = repo.partition("/")
    if not (organisation and slash and name) or "/" in name:
        raise InputError(f"--repo: found {repo!r}, expected ORG/NAME")
    files = uploads(root)
    if dry_run:
        return files
    from huggingface_hub import CommitOperationAdd, HfApi
    from huggingface_hub.errors import HfHubHTTPError

    api = HfApi()
    try:
        api.create_repo(repo, repo_type="dataset", private=private, exist_ok=True)
        operations = [CommitOperationAdd(path_in_repo=u.target, path_or_fileobj=str(u.source)) for u in files]
        api.create_commit(repo, operations, commit_message="Publish the holmes dataset", repo_type="dataset")
    except HfHubHTTPError as error:
        raise EnvironmentFailure(f"{repo}: the Hub refused: {str(error).splitlines()[0]}") from error
    except Exception as error:
        if is_network_failure(error) or isinstance(error, OSError):
            raise EnvironmentFailure(f"{repo}: the Hub cannot be reached: {error}") from error
        raise
    return files
