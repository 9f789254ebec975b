"""Importing the releases: what comes out, what is refused, and that nothing is ever half-written."""

from __future__ import annotations

import contextlib
import io
import json
import os
import shutil
import subprocess
import sys
import tarfile
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest

from holmes import store
from holmes.errors import InputError
from holmes.importing import fetch as source
from holmes.services.importing import bring
from holmes.sources.deonticbench.reader import locate, unfenced
from tests import fakehub, releases
from tests.release import made


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """An empty cache."""
    monkeypatch.setenv("HOLMES_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def holmes(*arguments, **env):
    """Run the command line in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "holmes", *map(str, arguments)],
        cwd=releases.ROOT, env=os.environ | env, capture_output=True, text=True,
    )  # fmt: skip


def test_a_law_release_becomes_cases(tmp_path, cache):
    """Answer, aliases, facts and the gold rule trace arrive with their kinds and the narrative's wording."""
    bring("holmes-release", str(made.holmes_release(tmp_path / "r")))
    first, second = store.load_cases("law_release")
    assert (first.id, first.answer, second.answer) == ("lock_1", "night_ban", "No_Criminal_Liability")
    assert [(f.name, f.value) for f in second.facts] == [("picks_lock", "false"), ("has_key", "false")]
    assert [(s.rule, s.kind) for s in first.trace] == [("1", "concept"), ("2", "policy"), ("2", "decision")]
    assert first.trace[0].text == "Therefore, entry took place."
    assert first.aliases[0].text == ("a night ban", "night_ban")


def test_a_finance_release_becomes_cases(tmp_path, cache):
    """Golds are found by position, without their prefix; each case is of the task that our cases of its kind have."""
    bring("holmes-release", str(made.finance_release(tmp_path / "r")))
    assert [(c.id, c.task, c.answer) for c in store.load_cases("finance_release")] == [
        ("finance/sample1/1", "finance_compositional_2", '["Full_Approval", "Rejection"]'),
        ("finance/sample2/1", "finance_parallel_3", '["Rejection", "Full_Approval", "Unknown"]'),
        ("finance/sample3/1", "finance_materials", "Material_Complete"),
        ("finance/sample3/2", "finance_invoices", "Invoice_Error"),
        ("finance/sample3/3", "finance_approval", "Partial_Approval"),
        ("finance/sample3/4", "finance_loans", "Can_Borrow"),
        ("finance/sample3/5", "finance_labour", "Unknown"),
        ("finance/sample3/6", "finance_labour", "Rejection"),
        ("finance/sample3/8", "finance_amount", "0"),
        ("finance/sample3/9", "finance_amount", "1200"),
    ]


def test_a_deonticbench_release_becomes_cases(tmp_path, cache):
    """Statutes are joined by section number, fences are removed, labels are text, near-duplicates stay out of train."""
    done, _ = bring("deonticbench", str(made.deonticbench(tmp_path / "r")))
    test = store.load_cases("deontic_sara_numeric_release")
    assert test[0].rules == "One.\n\nTwo.\n\nTen."
    assert [c.answer for c in test] == ["10", "10"]
    assert test[0].program == ":- format('Tax result: ~w~n', [10])."
    assert [c.id for c in store.load_cases("deontic_sara_numeric_release", "train")] == ["t3", "t4", "t5"]
    assert store.load_cases("deontic_sara_numeric_release", "whole")[5].tags == ("like-hard:t1",)
    assert store.load_cases("deontic_housing_release")[0].case == "State: Freeland"
    assert "airline/hard" in done.missing
    assert any("t9 ~ t1" in note for note in done.notes)


def test_hard_must_lie_in_whole(tmp_path, cache):
    """A hard case that whole lacks, or tells differently, is noted."""
    root = made.deonticbench(tmp_path / "r")
    made.change(root / "data/sara_numeric/hard.json", lambda rows: [rows[0] | {"label": 11}, rows[1] | {"id": "new"}])
    done, _ = bring("deonticbench", str(root))
    assert "sara_numeric: hard case 't1' differs from whole in answer" in done.notes
    assert "sara_numeric: hard case 'new' is not in whole" in done.notes


def test_not_imported_is_one_line_with_the_command(cache):
    """Loading a release that is not there says what to run."""
    with pytest.raises(InputError, match=r"law_release: found no import in .*holmes import holmes-release --from DIR"):
        store.load_cases("law_release")
    with pytest.raises(InputError, match="expected one of"):
        store.load_cases("no_such_config")


def test_an_import_can_be_repeated(tmp_path, cache):
    """The same source gives the same fingerprint; the old folder is removed; provenance names source and version."""
    root = made.holmes_release(tmp_path / "r")
    bring("holmes-release", str(root))
    before = store.provenance("law_release")
    bring("holmes-release", str(root))
    assert store.provenance("law_release")["fingerprint"] == before["fingerprint"]
    assert before["source"] == "holmes-release"
    assert str(before["version"]).startswith("sha256:")
    assert before["cases"] == 2
    kept = [p for p in (cache / "releases").iterdir() if p.is_dir() and not p.is_symlink()]
    assert len(kept) == 1


def test_out_is_another_root(tmp_path, cache):
    """--out DIR leaves the cache alone; DIR then serves as HOLMES_CACHE."""
    done = holmes("import", "holmes-release", "--from", made.holmes_release(tmp_path / "r"), "--out", tmp_path / "o")
    assert done.returncode == 0, done.stderr
    assert not cache.exists()
    assert (tmp_path / "o" / "releases" / "holmes-release" / "law_release" / "test.parquet").is_file()


ATOMIC, JOINT, GOLD = "finance_data/sample3.json", "finance_data/sample1.json", "finance_data/gold.json"
RULES = "finance_data/fudan_reimbursement_rules.json"
LAW, NUMERIC, HOUSING = "law_data/datasets.json", "data/sara_numeric/hard.json", "data/housing/hard.json"


def make(release, root):
    """Write the made-up release of a name, law and finance together; returns its folder."""
    return made.deonticbench(root) if release == "deonticbench" else made.finance_release(made.holmes_release(root))


def golds(group, edit):
    """An edit of the golds of a group."""
    return lambda value: value | {group: {"gold_values": edit(value[group]["gold_values"])}}


def lines(edit):
    """An edit of the first component of the third atomic case."""
    return lambda rows: edit(rows[2]["isabelle_case_conditions_nl"][0])


def shorten(row):
    """Take away the last component of a joint case."""
    for field in ("isabelle_case_names", "isabelle_case_conditions_nl"):
        row[field].pop()


def cut_line(part):
    """Leave the beginning of the first condition."""
    part["conditions_nl"][0] = part["conditions_nl"][0][:9]


def bundle(edit):
    """An edit of the first case of the first bundle."""
    return lambda value: edit(value["bundles"][0]["cases"][0])


BAD = [
    ("holmes-release", LAW, bundle(lambda c: c["questions"][0].update(answer="exile")), "lock_1", "answer", "'exile'"),
    ("holmes-release", LAW, bundle(lambda c: c.__delitem__("case_text")), "lock_1", "case_text", "nothing"),
    ("holmes-release", LAW, bundle(lambda c: c["gold_trace"].update(gold_rule_trace=[9])), "lock_1", "gold_rule", "9"),
    ("holmes-release", LAW, bundle(lambda c: c["isabelle"].update(theory_code="end")), "lock_1", "theory", "no axioms"),
    ("holmes-release", LAW, bundle(lambda c: c.update(case_id="lock_2")), "lock_2", "id", "again"),
    ("holmes-release", LAW, lambda v: v["bundles"][0].update(case_count=3), "locks", "case_count", "3"),
    ("holmes-release", ATOMIC, lambda v: v[2].__delitem__("case_ch"), "id 3", "case_ch", "nothing"),
    ("holmes-release", ATOMIC, lambda v: v[2].update(natural_language_trace=""), "id 3", "trace", "an empty string"),
    ("holmes-release", ATOMIC, lambda v: v[2].update(rules_used=["rule99"]), "id 3", "approval99", "no such group"),
    ("holmes-release", ATOMIC, lambda v: v[2].update(id=2), "id 2", "id", "found 2, expected one above 2"),
    ("holmes-release", ATOMIC, lambda v: v[::-1], "id 8", "id", "found 8, expected one above 9"),
    ("holmes-release", ATOMIC, lambda v: v.append("x"), "row 8", "", "'x'"),
    ("holmes-release", ATOMIC, lambda v: {"rows": v}, "sample3", "", "found dict"),
    (
        "holmes-release",
        ATOMIC,
        lambda v: v[2].update(isabelle_case_conditions_nl=[]),
        "id 3",
        "isabelle_case_names",
        "[",
    ),
    ("holmes-release", ATOMIC, lines(lambda p: p.update(case_name="other")), "id 3", "isabelle_case_names", "'other'"),
    ("holmes-release", ATOMIC, lines(lambda p: p.update(condition_count=4)), "id 3", "condition_count", "4"),
    (
        "holmes-release",
        ATOMIC,
        lines(lambda p: p["conditions_nl"].insert(0, p["conditions_nl"].pop()[:9])),
        "id 3",
        "conditions_nl",
        "expense p",
    ),
    ("holmes-release", JOINT, lambda v: v[0].update(span=6), "id 1", "span", "6"),
    ("holmes-release", JOINT, lambda v: v[0]["isabelle_case_conditions_nl"].reverse(), "id 1", "case_names", "part 0"),
    ("holmes-release", JOINT, lambda v: shorten(v[0]), "id 1", "", "1 components and 2 golds"),
    ("holmes-release", GOLD, golds("amount", lambda g: [*g, 1]), "'amount'", "", "found 3 golds"),
    ("holmes-release", GOLD, golds("amount", lambda g: g[:1]), "'amount'", "id 9", "found 1 golds"),
    ("holmes-release", GOLD, golds("amount", lambda g: [g[0], 1200.5]), "position 1", "", "1200.5"),
    ("holmes-release", GOLD, golds("approval13", lambda g: [g[0], "Yes" + g[1]]), "position 1", "", "YesGlobal"),
    ("holmes-release", GOLD, lambda v: v.__delitem__("invoice"), "'invoice'", "id 2", "no such group"),
    ("holmes-release", RULES, lambda v: {"sections": []}, "", "sections", "[]"),
    ("deonticbench", NUMERIC, lambda v: v[1].update(label="ten"), "t2", "label", "'ten'"),
    ("deonticbench", NUMERIC, lambda v: v[1].update(label=True), "t2", "label", "True"),
    ("deonticbench", NUMERIC, lambda v: v[1].update(label=None), "t2", "label", "None"),
    ("deonticbench", NUMERIC, lambda v: v[1].__delitem__("question"), "t2", "question", "nothing"),
    ("deonticbench", NUMERIC, lambda v: v[1].update(id="t1"), "t1", "id", "again"),
    ("deonticbench", NUMERIC, lambda v: v.append("x"), "row 2", "", "'x'"),
    ("deonticbench", HOUSING, lambda v: v[0].update(label="perhaps"), "h1", "label", "'perhaps'"),
    ("deonticbench", HOUSING, lambda v: v[0].__delitem__("state"), "h1", "state", "nothing"),
    ("deonticbench", HOUSING, lambda v: {"rows": v}, "housing", "", "expected a list"),
]


@pytest.mark.parametrize(("release", "file", "edit", "where", "field", "found"), BAD)
def test_bad_rows_are_refused_and_the_old_import_stays(tmp_path, cache, release, file, edit, where, field, found):
    """The message names file, id, field, what was found and expected; what was imported before is still there."""
    root = make(release, tmp_path / "r")
    bring(release, str(root))
    before = sorted(str(p) for p in (cache / "releases").rglob("*"))
    made.change(root / file, edit)
    with pytest.raises(InputError) as error:
        bring(release, str(root))
    message = str(error.value)
    assert "\n" not in message
    for part in (file, where, field, found, "expected"):
        assert part in message
    assert sorted(str(p) for p in (cache / "releases").rglob("*")) == before


@pytest.mark.parametrize("label", [1166, "1166", "$1,166", "1,166", 1166.0, "1166.0"])
def test_amounts_in_any_spelling_become_digits(tmp_path, cache, label):
    """Numbers and strings of one amount give one canonical answer."""
    root = made.deonticbench(tmp_path / "r")
    made.change(root / NUMERIC, lambda rows: rows[1].update(label=label))
    bring("deonticbench", str(root))
    assert store.load_cases("deontic_sara_numeric_release")[1].answer == "1166"


def test_a_killed_import_leaves_the_old_one(tmp_path, cache):
    """Killed at any moment, the earlier import is still whole, and the next import clears what was left behind."""
    root = made.deonticbench(tmp_path / "r")
    bring("deonticbench", str(root))
    before = store.provenance("deontic_sara_numeric_release")["fingerprint"]
    made.change(root / NUMERIC, lambda rows: rows[1].update(label=77))
    for delay in (0.5, 0.9, 1.3, 1.7):
        process = subprocess.Popen(
            [sys.executable, "-m", "holmes", "import", "deonticbench", "--from", root],
            cwd=releases.ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(delay)
        process.kill()
        process.wait()
        answers = [c.answer for c in store.load_cases("deontic_sara_numeric_release")]
        assert answers in (["10", "10"], ["10", "77"])
    bring("deonticbench", str(root))
    assert store.provenance("deontic_sara_numeric_release")["fingerprint"] != before
    assert len([p for p in (cache / "releases").iterdir() if p.is_dir() and not p.is_symlink()]) == 1
    assert not [p for p in (cache / "releases").iterdir() if p.name.endswith(".link")]


@pytest.mark.parametrize("release", ["holmes-release", "deonticbench"])
def test_truncated_json_is_refused(tmp_path, cache, release):
    """A file that ends early: exit code 2, one line, file and line named, nothing written."""
    root = (made.holmes_release if release == "holmes-release" else made.deonticbench)(tmp_path / "r")
    file = root / (LAW if release == "holmes-release" else NUMERIC)
    file.write_text(file.read_text()[:-40])
    done = holmes("import", release, "--from", root)
    assert (done.returncode, done.stdout) == (2, "")
    complaint = [line for line in done.stderr.splitlines() if line.startswith("holmes: ")]
    assert len(complaint) == 1
    assert str(file) in complaint[0]
    assert "Traceback" not in done.stderr
    assert not (cache / "releases").exists()


@pytest.mark.parametrize(
    ("release", "origin"), [("holmes-release", "."), ("deonticbench", "."), ("deonticbench", "nowhere")]
)
def test_a_folder_without_a_release_is_refused(tmp_path, cache, release, origin):
    """An empty or missing folder: exit code 2, one line."""
    done = holmes("import", release, "--from", tmp_path / origin)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "expected" in done.stderr


def test_a_domain_without_its_statutes_is_left_out_and_named(tmp_path, cache):
    """Statutes that are nowhere leave out their domain only; --statutes brings it back."""
    root = made.deonticbench(tmp_path / "r")
    shutil.move(root / "statutes", tmp_path / "laws")
    done = holmes("import", "deonticbench", "--from", root, "--json")
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    assert list(document["configs"]) == ["deontic_housing_release"]
    assert any("sara_numeric is left out" in line for line in document["missing"])
    again = holmes("import", "deonticbench", "--from", root, "--statutes", tmp_path / "laws", "--json")
    assert "deontic_sara_numeric_release" in json.loads(again.stdout)["configs"]


def test_layouts_of_checkout_folder_and_hub_are_recognised():
    """Folders a domain, flat names, parts of Parquet; other files are left alone."""
    found = locate(
        [
            "data/airline/hard.json",
            "sara_binary/whole-00001-of-00002.parquet",
            "sara_binary/whole-00000-of-00002.parquet",
            "uscis-aao_hard.jsonl",
            "data/housing/smoke.json",
            "README.md",
            "statutes/airline/fees",
            "hard.json",
        ]
    )
    assert found.data == {
        ("deontic_airline", "hard"): ("data/airline/hard.json",),
        ("deontic_sara_binary", "whole"): (
            "sara_binary/whole-00000-of-00002.parquet",
            "sara_binary/whole-00001-of-00002.parquet",
        ),
        ("deontic_uscis", "hard"): ("uscis-aao_hard.jsonl",),
    }
    assert found.statutes == {"airline": ("statutes/airline/fees",)}


@pytest.mark.parametrize(
    ("program", "inside"),
    [("```prolog\na.\nb.\n```", "a.\nb."), ("a.\n", "a.\n"), ("```\na.\n```\n", "a."), ("```prolog\na.", "a.")],
)
def test_fences_around_programs_are_removed(program, inside):
    """A fence around the whole program goes, with or without its end; a bare program stays as it is."""
    assert unfenced(program) == inside


def test_import_from_the_hub(tmp_path, cache):
    """`--from hub` reads the dataset through HF_ENDPOINT; its commit is the version; a missing dataset is one line."""
    root = made.deonticbench(tmp_path / "r")
    files = {p.relative_to(root).as_posix(): p.read_bytes() for p in root.rglob("*") if p.is_file()}
    with fakehub.running({"gydou/DeonticBench": files | {"README.md": b"# x"}}) as hub:
        env = hub.env(tmp_path / "hf")
        done = holmes("import", "deonticbench", "--from", "hub", "--json", **env)
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout)["version"] == hub.revision("gydou/DeonticBench")
        assert not any("README" in line for line in hub.log)
        missing = holmes("import", "deonticbench", "--from", "hub:no/such", **env)
        assert missing.returncode == 2
        assert "hub:no/such: found no such dataset" in missing.stderr
    unreachable = holmes("import", "deonticbench", "--from", "hub", **env)
    assert unreachable.returncode == 1
    assert unreachable.stderr.count("\n") == 1
    assert [c.id for c in store.load_cases("deontic_sara_numeric_release")] == ["t1", "t2"]


def test_parquet_parts_with_their_own_statutes_are_read(tmp_path, cache):
    """The Hub's form: one folder a config, parts in order, a column of statutes, labels as text."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    folder = tmp_path / "r" / "sara_numeric"
    folder.mkdir(parents=True)
    rows = [made.tax_case(n, str(n)) | {"statutes": "Pay a tenth."} for n in (1, 2, 3)]
    pq.write_table(pa.Table.from_pylist(rows[:2]), folder / "hard-00000-of-00002.parquet")
    pq.write_table(pa.Table.from_pylist(rows[2:]), folder / "hard-00001-of-00002.parquet")
    bring("deonticbench", str(tmp_path / "r"))
    cases = store.load_cases("deontic_sara_numeric_release")
    assert [(c.id, c.answer, c.rules) for c in cases] == [(f"t{n}", str(n), "Pay a tenth.") for n in (1, 2, 3)]
    cut = folder / "hard-00001-of-00002.parquet"
    cut.write_bytes(cut.read_bytes()[:-20])
    with pytest.raises(InputError, match=r"hard-00001-of-00002.parquet: found .*, expected a whole Parquet file"):
        bring("deonticbench", str(tmp_path / "r"))


def test_import_from_a_url(tmp_path, cache):
    """A folder of files and an archive behind HTTP give the cases that the folder gives."""
    root = made.holmes_release(tmp_path / "www" / "files")
    with tarfile.open(tmp_path / "www" / "release.tar.gz", "w:gz") as packed:
        packed.add(root, "holmes-main")
    handler = partial(SimpleHTTPRequestHandler, directory=str(tmp_path / "www"))
    handler.log_message = lambda *_: None
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        base = f"http://127.0.0.1:{server.server_address[1]}"
        bring("holmes-release", str(root))
        expected = store.provenance("law_release")["fingerprint"]
        for origin in (f"{base}/files", f"{base}/release.tar.gz"):
            bring("holmes-release", origin)
            assert store.provenance("law_release")["fingerprint"] == expected
        with pytest.raises(InputError, match="404"):
            bring("holmes-release", f"{base}/nothing.zip")
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.mark.parametrize("name", ["../outside.json", "/outside.json"])
def test_an_archive_that_would_leave_its_folder_is_refused(tmp_path, name):
    """A member with a name outside the archive is named, and nothing is written."""
    archive = tmp_path / "evil.tar.gz"
    with tarfile.open(archive, "w:gz") as packed:
        packed.addfile(tarfile.TarInfo(name))
    with pytest.raises(InputError, match=r"outside\.json' in the archive, expected names inside it"):
        source._unpack(archive, tmp_path / "files", "http://somewhere/evil.tar.gz")
    assert {p.name for p in tmp_path.iterdir()} == {"evil.tar.gz"}


def test_links_in_an_archive_are_passed_over(tmp_path):
    """A link is not followed, written, nor a reason to refuse the files beside it."""
    archive = tmp_path / "linked.tar"
    with tarfile.open(archive, "w") as packed:
        link = tarfile.TarInfo("r/data")
        link.type, link.linkname = tarfile.SYMTYPE, str(tmp_path / "target")
        packed.addfile(link)
        whole = tarfile.TarInfo("r/data.json")
        whole.size = 2
        packed.addfile(whole, io.BytesIO(b"{}"))
    source._unpack(archive, tmp_path / "files", "http://somewhere/linked.tar")
    assert [p.name for p in (tmp_path / "files" / "r").iterdir()] == ["data.json"]


def test_two_imports_at_once_leave_one_whole_import(tmp_path, cache):
    """Concurrent imports run one after the other; readers see whole cases throughout."""
    root = made.holmes_release(tmp_path / "r")
    bring("holmes-release", str(root))
    processes = [
        subprocess.Popen([sys.executable, "-m", "holmes", "import", "holmes-release", "--from", root],
                         cwd=releases.ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(2)
    ]  # fmt: skip
    while any(process.poll() is None for process in processes):
        assert len(store.load_cases("law_release")) == 2
    assert [process.returncode for process in processes] == [0, 0]
    assert len([p for p in (cache / "releases").iterdir() if p.is_dir() and not p.is_symlink()]) == 1


@pytest.mark.release
def test_the_authors_law_and_finance_release(releases_dir, cache):
    """300 law cases with ten bundles, 1,079 finance cases with 2,140 components, golds aligned."""
    from holmes.sources.holmes_release.finance_import import components

    bring("holmes-release", str(releases_dir / "holmes"))
    law = store.load_cases("law_release")
    assert len(law) == 300
    assert sum(len(c.facts) for c in law) == 5310
    types = [c.hol_types for c in law]
    assert [sum(name in t for t in types) for name in ("PR", "PT", "PC", "PS", "PQ")] == [263, 194, 0, 0, 300]
    assert len({c.bundle for c in law}) == 10
    finance = store.load_cases("finance_release")
    assert len(finance) == 1079
    assert sum(len(components(c)) for c in finance) == 2140
    assert [c.answer_type for c in finance].count("amount") == 120
    assert not any(c.answer.startswith("Global") for c in finance)


@pytest.mark.release
def test_the_authors_deonticbench_release(releases_dir, cache):
    """Five domains; hard lies in whole; string labels become amounts; no id stands in anything a model sees."""
    done, written = bring("deonticbench", str(releases_dir / "deonticbench"))
    assert {name: splits["hard"] for name, splits in written.configs.items()} == {
        "deontic_sara_numeric_release": 35,
        "deontic_sara_binary_release": 30,
        "deontic_airline_release": 80,
        "deontic_housing_release": 78,
        "deontic_uscis_release": 28,
    }
    assert not any("is not in whole" in note or "differs" in note for note in done.notes)
    whole = {c.id for c in store.load_cases("deontic_sara_numeric_release", "whole")}
    assert {c.id for c in store.load_cases("deontic_sara_numeric_release", "hard")} <= whole
    for config in written.configs:
        for case in store.load_cases(config):
            assert case.id not in case.rules + case.case + case.question
            assert not case.program.lstrip().startswith("```")
