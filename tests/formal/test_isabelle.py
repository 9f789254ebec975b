"""Isabelle theories: complete, within the list of commands and methods, one theorem a claim, one false on purpose."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from holmes.errors import EnvironmentFailure, InputError
from holmes.formal.asked import posed
from holmes.formal.build import compile_cases
from holmes.formal.claims import propositions
from holmes.formal.export import export, write
from holmes.formal.isabelle_lint import check
from holmes.formal.script import Rules, jobs
from holmes.store import load_cases

CASES = [case for config in ("law", "finance", "deontic", "policy") for case in load_cases(config)[:4]]


@pytest.fixture(scope="module")
def theories() -> dict[str, str]:
    """The theories of a few cases of every kind."""
    return dict(export(CASES).theories)


def test_a_session_is_whole(tmp_path: Path) -> None:
    """Each theory in ROOT is there, comes after what it imports, and is balanced."""
    made = export(CASES)
    assert write(made, tmp_path / "out") == len(made.theories)
    root = (tmp_path / "out" / "ROOT").read_text()
    listed = root.split("theories\n")[1].split()
    assert root.startswith("session Holmes = HOL +")
    seen = {"Main"}
    for name in listed:
        text = (tmp_path / "out" / f"{name}.thy").read_text()
        (imports,) = re.findall(r"^  imports (.*)$", text, re.MULTILINE)
        assert set(imports.split()) <= seen, name
        seen.add(name)
        assert text.startswith(f"theory {name}\n") and text.rstrip().endswith("end")
        plain = re.sub(r"\(\*.*?\*\)", "", text, flags=re.DOTALL)
        assert len(re.findall(r"\bproof\b", plain)) == len(re.findall(r"\bqed\b", plain))
        assert text.isascii() and text.count('"') % 2 == 0
    with pytest.raises(InputError, match="found other files"):
        (tmp_path / "out" / "notes.txt").write_text("mine")
        write(made, tmp_path / "out")


def test_every_constant_of_a_theory_is_declared_before_it_is_used(theories: dict[str, str]) -> None:
    """No name comes out of nowhere: declared in the theory itself or in one that it imports."""
    declared: dict[str, set[str]] = {}
    for name, text in theories.items():
        (imports,) = re.findall(r"^  imports (.*)$", text, re.MULTILINE)
        known = set[str]().union(*(declared.get(part, set()) for part in imports.split()))
        plain = re.sub(r"\(\*.*?\*\)", "", text, flags=re.DOTALL)
        for block in re.split(r"\n(?=definition|primrec|datatype|lemma|theorem|locale)", plain):
            own = re.findall(r"^(?:definition|primrec|locale|datatype) (\w+)", block)
            if block.startswith("datatype"):
                own += re.findall(r"(?:=\s+|\|\s)(\w+)", block)
            for string in re.findall(r'"([^"]*)"', block):
                used = set(re.findall(r"\b[a-z]\w*_\w+", re.sub(r"\\<\w+>", " ", string)))
                unknown = {word for word in used if not word.startswith("r_")} - known - set(own)
                assert not unknown, (name, unknown)
            known |= set(own)
        declared[name] = known


def test_theorems_match_the_claims_of_the_kernel_one_to_one(theories: dict[str, str]) -> None:
    """Each claim that HOL Light proves or refutes has a theorem of its name, and no other theorem is there."""
    made = Rules()
    for case in CASES:
        if posed(case) is not None:
            continue
        text = next(
            t for t in theories.values() if re.search(rf"^theory Case_{re.sub(r'[^A-Za-z0-9]+', '_', case.id)}\n", t)
        )
        parts = propositions(case, rules=made)
        wanted = [claim.label for part in parts for claim in part.claims]
        found = re.findall(r"^theorem claim_(\w+):", text, re.MULTILINE)
        assert found == [re.sub(r"[^A-Za-z0-9]+", "_", label).strip("_") for label in wanted]
    (expected,) = [len(job.expected) for job in jobs([CASES[0]])[0]]
    assert (
        expected == len(propositions(CASES[0], rules=Rules())[0].claims) + 2
    )  # with the facts and the theorem of defeat


def test_one_theory_is_false_and_says_so() -> None:
    """It denies the gold of a case, and stands in a session of its own."""
    name, text = export(CASES[:1]).false
    assert name == "Holmes_False_Claim" and text.startswith("(* FALSE ON PURPOSE")
    assert re.search(rf'theorem claim_result_\w+: "\(\\<not> .*{CASES[0].answer}\)\)"', text)


@pytest.mark.parametrize(
    "bad",
    [
        "ML \\<open>OS.Process.exit OS.Process.success\\<close>",
        'lemma x: "True" sorry',
        'lemma x: "True" oops',
        'axiomatization where x_y: "False"',
        'lemma x: "@{ML exit}" by simp',
        'lemma x: "True" by eval',
        'lemma x: "True" by (tactic all_tac)',
        'oracle cheat_x = "x"',
        "setup x_def",
        'lemma x: "True" by metis',
        "code_printing x_def",
        "(* \\<open> *)",
    ],
)
def test_the_lint_refuses_what_could_run_or_cheat(bad: str, theories: dict[str, str]) -> None:
    """Neither ML nor an axiom, an oracle, an unfinished proof or another prover gets through."""
    good = theories["Holmes_Base"]
    check(good)
    with pytest.raises(InputError, match="found"):
        check(good.replace("\nend\n", f"\n{bad}\n\nend\n"))


def test_numbers_of_the_kernel_and_of_isabelle_are_the_same() -> None:
    """Amounts are whole numbers in both; no number is printed as a fraction."""
    case = next(case for case in CASES if case.answer_type == "amount")
    text = dict(export([case]).theories)
    assert not re.search(r"\d\.\d", "".join(re.sub(r"\(\*.*?\*\)", "", t, flags=re.DOTALL) for t in text.values()))


def test_without_isabelle_it_is_said_that_nothing_was_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Skipping is not passing."""
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(EnvironmentFailure, match="skipped"):
        compile_cases(CASES[:1])


def test_what_isabelle_refuses_is_reported_by_case(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A failing build names the theory; the rest of the session is not built."""
    program = tmp_path / "isabelle"
    name = "Case_" + re.sub(r"[^A-Za-z0-9]+", "_", CASES[0].id)
    program.write_text(f'#!/bin/sh\necho \'*** At command "by" (line 9 of "x/{name}.thy"): failed\'\nexit 1\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    found = compile_cases(CASES[:2])
    assert found[CASES[0].id].startswith("refused") and "elsewhere" in found[CASES[1].id]
    program.write_text("#!/bin/sh\nexit 0\n")
    assert compile_cases(CASES[:2]) == {}


def test_the_commands_print_theories_and_scripts(tmp_path: Path) -> None:
    """`holmes show --formal` and `holmes build-theories`."""
    from holmes.commands.main import app

    runner = CliRunner()
    shown = runner.invoke(app, ["show", CASES[0].id, "--formal", "isabelle"])
    assert shown.exit_code == 0 and "theory Holmes_Base" in shown.output and "locale case1" in shown.output
    script = runner.invoke(app, ["show", CASES[0].id, "--formal", "hol-light"])
    assert script.exit_code == 0 and f'h_case "{CASES[0].id}"' in script.output
    built = runner.invoke(app, ["build-theories", "--id", CASES[0].id, "--out", str(tmp_path / "t")])
    assert built.exit_code == 0 and "3 theories" in built.output and (tmp_path / "t" / "ROOT").exists()
