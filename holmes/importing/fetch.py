"""Bring a release to a local folder: a folder as it is, an archive or file tree behind a URL, a dataset on the Hub."""

from __future__ import annotations

import contextlib
import shutil
import subprocess
import tarfile
import tempfile
import urllib.error
import urllib.parse
import urllib.request
import zipfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from holmes.errors import EnvironmentFailure, InputError

_ARCHIVES = (".zip", ".tar.gz", ".tgz", ".tar")


@dataclass(frozen=True, slots=True)
class Source:
    """A local folder with a release, and the version that its origin names (commit), empty where it names none."""

    folder: Path
    version: str = ""


@contextlib.contextmanager
def opened(
    origin: str, files: Sequence[str], hub: str, wanted: Callable[[Sequence[str]], Sequence[str]]
) -> Iterator[Source]:
    """Open where a release comes from.

    origin: a folder; a URL of an archive (.zip, .tar.gz), of a GitHub repository, or of a folder of files; ``hub``
    or ``hub:ORG/NAME``. files: paths fetched below the URL of a folder of files. hub: the dataset that plain ``hub``
    names, empty where the release is not on the Hub. wanted: which of a dataset's paths to download.
    Yields a Source; temporary folders vanish afterwards. Raises InputError for a wrong origin, EnvironmentFailure
    when the network fails.
    """
    if origin == "hub" or origin.startswith("hub:"):
        repository = origin.partition(":")[2] or hub
        if not repository:
            raise InputError(
                "--from: found hub, expected a folder or URL, or hub:ORG/NAME: this release has no Hub name"
            )
        yield _from_hub(repository, wanted)
    elif urllib.parse.urlsplit(origin).scheme in ("http", "https"):
        with tempfile.TemporaryDirectory(prefix="holmes-import-") as folder:
            yield Source(_from_url(origin, files, Path(folder)))
    else:
        folder_ = Path(origin).expanduser()
        if not folder_.is_dir():
            raise InputError(
                f"--from: found {origin!r}, {'a file' if folder_.exists() else 'no such folder'},"
                " expected a folder, a URL or hub"
            )
        yield Source(folder_, commit_of(folder_))


def commit_of(folder: Path) -> str:
    """Return the commit checked out in `folder` itself, empty where it is no checkout or git is not there."""
    if not (folder / ".git").exists() or shutil.which("git") is None:
        return ""
    done = subprocess.run(["git", "-C", str(folder), "rev-parse", "HEAD"], capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else ""


def _from_hub(repository: str, wanted: Callable[[Sequence[str]], Sequence[str]]) -> Source:
    import huggingface_hub
    from huggingface_hub.errors import HfHubHTTPError, RepositoryNotFoundError

    try:
        info = huggingface_hub.HfApi().dataset_info(repository)
        names = wanted([file.rfilename for file in info.siblings or []])
        if not names:
            raise InputError(f"hub:{repository}: found no file of the release, expected hard or whole of a domain")
        folder = huggingface_hub.snapshot_download(
            repository, repo_type="dataset", revision=info.sha, allow_patterns=list(names)
        )
    except RepositoryNotFoundError as error:
        raise InputError(f"hub:{repository}: found no such dataset, expected one at {_endpoint()}") from error
    except InputError:
        raise
    except (HfHubHTTPError, OSError, ValueError, RuntimeError) as error:
        raise EnvironmentFailure(f"hub:{repository}: {type(error).__name__} at {_endpoint()}: {error}") from error
    except Exception as error:  # the Hub's client raises its HTTP library's own classes when it cannot connect
        if not type(error).__module__.startswith(("httpx", "httpcore", "requests")):
            raise
        raise EnvironmentFailure(f"hub:{repository}: cannot reach {_endpoint()}: {error}") from error
    return Source(Path(folder), str(info.sha or ""))


def _endpoint() -> str:
    from huggingface_hub import constants

    return str(constants.ENDPOINT)


def _from_url(origin: str, files: Sequence[str], folder: Path) -> Path:
    parts = urllib.parse.urlsplit(origin)
    address = origin
    if parts.hostname == "github.com" and parts.path.strip("/").count("/") == 1:
        address = origin.rstrip("/").removesuffix(".git") + "/archive/HEAD.tar.gz"
    ending = next((e for e in _ARCHIVES if urllib.parse.urlsplit(address).path.endswith(e)), "")
    if ending:
        archive = folder / f"archive{ending}"
        _fetch(address, archive)
        _unpack(archive, folder / "files", address)
        return folder / "files"
    got = [name for name in files if _fetch(f"{address.rstrip('/')}/{name}", folder / "files" / name, optional=True)]
    if not got:
        raise InputError(
            f"--from: found none of {', '.join(files[:3])}, … at {origin}, expected a release or an archive"
        )
    return folder / "files"


def _fetch(address: str, target: Path, optional: bool = False) -> bool:
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        with urllib.request.urlopen(address, timeout=60) as answer, target.open("wb") as handle:
            shutil.copyfileobj(answer, handle)
    except urllib.error.HTTPError as error:
        target.unlink(missing_ok=True)
        if error.code in (403, 404) and optional:
            return False
        if error.code in (403, 404):
            raise InputError(f"--from: found HTTP {error.code} at {address}, expected an archive") from error
        raise EnvironmentFailure(f"{address}: HTTP {error.code}") from error
    except (urllib.error.URLError, TimeoutError) as error:
        raise EnvironmentFailure(f"{address}: cannot be reached: {getattr(error, 'reason', error)}") from error
    return True


def _unpack(archive: Path, folder: Path, address: str) -> None:
    try:
        if archive.suffix == ".zip":
            with zipfile.ZipFile(archive) as packed:
                packed.extractall(folder)  # refuses to leave the folder
        else:
            with tarfile.open(archive) as packed_:
                _untar(packed_, folder, address)
    except (zipfile.BadZipFile, tarfile.TarError, EOFError) as error:
        raise InputError(f"{address}: found {error}, expected a whole archive") from error


def _untar(packed: tarfile.TarFile, folder: Path, address: str) -> None:
    """Write the regular files of an archive below `folder` (the library's own filters came with a later 3.11)."""
    for member in packed:
        place = PurePosixPath(member.name)
        if place.is_absolute() or ".." in place.parts:
            raise InputError(f"{address}: found {member.name!r} in the archive, expected names inside it")
        if member.isfile():  # links and devices are no part of a release
            target = folder / place
            target.parent.mkdir(parents=True, exist_ok=True)
            content = packed.extractfile(member)
            assert content is not None
            with content, target.open("wb") as handle:
                shutil.copyfileobj(content, handle)
