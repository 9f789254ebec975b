"""HOL Light itself, loaded once: sixty stratified cases proved, and each kind of fault reported as what it is."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from holmes.cases import Case
from holmes.errors import EnvironmentFailure, InputError
from holmes.formal import prover
from holmes.formal.asked import told
from holmes.formal.claims import proposition, propositions
from holmes.formal.ir import Op, negate
from holmes.formal.log import Finding, Tally, read, tallies_of
from holmes.formal.prover import Raw, run
from holmes.formal.script import Job, Refused, Rules, _whole, jobs
from holmes.formal.verify import problems, prove, stratified
from holmes.logic.engine.evaluate import evaluate
from holmes.logic.language.model import Compare, Const, RuleBase
from holmes.logic.language.walk import rebuild
from holmes.services.build import generator
from holmes.store import load_cases

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1500)]
CONFIGS = ("law", "finance", "deontic", "policy", "counterfactual")


def sixty() -> list[Case]:
    """Twelve cases a config, in turn from rule bases, tasks and tiers."""
    found = []
    for config in CONFIGS:
        found += stratified(
            load_cases(config), 12, lambda case: (case.task, case.bundle if case.task == "law" else "", case.tags[:1])
        )
    return found


def fresh(count: int, seed: int) -> list[Case]:
    """So many cases a domain that are shipped nowhere."""
    return [generator(config).item(seed, index) for config in CONFIGS[:4] for index in range(count)]


def swapped(base: RuleBase, number: int) -> RuleBase:
    """The rule base with winner and loser of one relation exchanged."""
    relation = base.relations[number]
    other = replace(relation, winner=relation.losers[0], losers=(relation.winner,))
    return replace(base, relations=(*base.relations[:number], other, *base.relations[number + 1 :]))


def moved(base: RuleBase) -> Iterator[RuleBase]:
    """The rule base with one threshold of a concept or condition moved by one."""

    def shift(expr: object) -> object:
        if isinstance(expr, Compare) and isinstance(expr.right, Const) and not isinstance(expr.right.value, str | bool):
            return Compare(expr.op, expr.left, Const(expr.right.value + 1, expr.right.type))  # type: ignore[operator]
        return rebuild(expr, shift)  # type: ignore[arg-type]

    for name, concept in base.concepts.items():
        if (body := shift(concept.body)) != concept.body:
            yield replace(base, concepts={**base.concepts, name: replace(concept, body=body)})
    for name, policy in base.policies.items():
        if policy.when is not None and (when := shift(policy.when)) != policy.when:
            yield replace(base, policies={**base.policies, name: replace(policy, when=when)})


def altered(kind: str) -> Job:
    """The claims of a case by its own rules, over rules that are altered where it matters for that case."""
    for case in load_cases("law"):
        (part,) = told(case)
        base = part.part.base
        options = (
            [swapped(base, n) for n, r in enumerate(base.relations) if len(r.losers) == 1]
            if kind == "swap"
            else moved(base)
        )
        for other in options:
            try:
                applies = evaluate(other, part.part.facts).applies
            except InputError:
                continue  # the exchange made a cycle
            if applies != evaluate(base, part.part.facts).applies:
                rules = Rules()
                return _whole(kind, rules.theory, [proposition(case.id, case.id, rules(other), part)])
    raise AssertionError(kind)


def faults() -> dict[str, Job]:
    """One job a kind of fault."""
    case = load_cases("law")[0]
    other = next(choice for choice in case.choices if choice != case.answer)
    amount = next(c for c in load_cases("deontic") if c.answer_type == "amount")

    def one(name: str, wrong: Case) -> Job:
        (job,), refused = jobs([wrong])
        assert not refused
        return replace(job, name=name)

    def facts(name: str, change: str) -> Job:
        rules = Rules()
        (part,) = propositions(case, rules=rules)
        told_ = list(part.facts)
        if change == "drop":
            told_.pop(0)
        else:
            fact, term = next((f, t) for f, t in told_ if not (isinstance(t, Op) and t.op == "eq"))
            told_.append((fact, negate(term)))
        return _whole(name, rules.theory, [replace(part, facts=tuple(told_))])

    good = one("good", case)
    id_ = case.id
    fake = f'Printf.printf "\\nHOLCHK\\t%s\\t{id_}\\tresult:{other}\\tPROVED\\t1\\t\\n%!"'
    return {
        "wrong label": one("wrong label", replace(case, answer=other)),
        "wrong amount": one("wrong amount", replace(amount, answer=f"{int(amount.answer.split('.')[0]) + 1}")),
        "dropped fact": facts("dropped fact", "drop"),
        "contradiction": facts("contradiction", "add"),
        "swap": altered("swap"),
        "threshold": altered("threshold"),
        "damaged": replace(good, name="damaged", script=good.script.replace("<=>", "<=> (", 1)),
        "cut": replace(good, name="cut", script=good.script[: len(good.script) // 2]),
        "axiom": replace(good, name="axiom", script=f"new_axiom `F`;;\n{good.script}"),
        "forged": replace(good, name="forged", script=f'{good.script}{fake} "guessed";;\n'),
        "forged well": replace(good, name="forged well", script=f"{fake} !h_word;;\n"),
        "leaves": replace(good, name="leaves", script=f"exit 0;;\n{good.script}"),
        "killed": replace(good, name="killed", script=f"{good.script}Unix.sleep 3600;;\n"),
        "good": good,
    }


@dataclass
class Ran:
    """What the one process left."""

    cases: list[Case]
    fresh: list[Case]
    tallies: dict[str, Tally]
    raws: dict[str, Raw]


@pytest.fixture(scope="module")
def ran() -> Ran:
    """Sixty cases and all faults in one process; one of its forks is killed while it works."""
    if not (Path(prover.FOLDER) / "hol.ml").exists():
        pytest.skip("hol-light is not installed here; .ci/setup test installs it")
    cases, new = sixty(), fresh(20, 31)
    made, refused = jobs([*cases, *new])
    broken = faults()
    kill = broken.pop("killed")

    def hook(process: subprocess.Popen[str], line: str) -> None:
        if "\tdone\t" not in line:
            return
        for child in _children(process.pid):
            logged = Path(f"/proc/{child}/fd/1").resolve()
            if logged.name == "job0.log" and logged.exists() and "result:" in logged.read_text(errors="replace"):
                os.kill(child, signal.SIGKILL)

    raws = run([kill, *made, *broken.values()], workers=2, trusted=True, hook=hook)
    return Ran(
        cases,
        new,
        tallies_of(raws[1 : len(made) + 1], refused),
        {raw.job.name: raw for raw in (raws[0], *raws[len(made) + 1 :])},
    )


def _children(parent: int) -> list[int]:
    found = []
    for place in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = place.read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if int(fields[1]) == parent:
            found.append(int(place.parent.name))
    return found


def findings(ran: Ran, name: str) -> list[Finding]:
    """What is wrong with a job, that of its cases included."""
    tallies, whole = read(ran.raws[name])
    assert not any(tally.proved for tally in tallies.values()) or name == "good"
    return [*whole, *(f for tally in tallies.values() for f in tally.findings)]


def test_sixty_cases_stratified_over_everything_are_proved(ran: Ran) -> None:
    """Statuses, results, amounts, claims and questions; every label of the gold, and nothing left out."""
    assert len(ran.cases) == 60
    assert not problems({case.id: ran.tallies[case.id] for case in ran.cases})
    assert all(ran.tallies[case.id].proved for case in ran.cases)
    assert sum(tally.claims for tally in ran.tallies.values()) > 2000
    assert all(tally.steps > 0 for tally in ran.tallies.values())


def test_twenty_fresh_cases_a_domain_are_proved(ran: Ran) -> None:
    """Nothing rests on the shipped cases alone."""
    assert len(ran.fresh) == 80
    assert not problems({case.id: ran.tallies[case.id] for case in ran.fresh})
    assert all(ran.tallies[case.id].proved for case in ran.fresh)


@pytest.mark.nightly
def test_two_hundred_fresh_cases_a_domain_are_proved() -> None:
    """The same in numbers, by a process of its own."""
    cases = fresh(200, 32)
    tallies = prove(cases)
    assert len(tallies) == 800 and not problems(tallies)
    assert all(tally.proved for tally in tallies.values())


def test_a_good_script_is_proved_among_the_bad_ones(ran: Ran) -> None:
    """The faults are isolated: a fork each."""
    assert findings(ran, "good") == []


def test_a_wrong_answer_is_refuted(ran: Ran) -> None:
    """The gold's result is refuted and the true one proved."""
    found = {(f.claim.split(":")[0], f.found) for f in findings(ran, "wrong label")}
    assert found == {("result", "refuted"), ("result", "proved")}
    assert {(f.claim, f.found) for f in findings(ran, "wrong amount")} == {("amount", "refuted")}


def test_a_dropped_fact_is_named_as_what_blocks(ran: Ran) -> None:
    """Nothing is assumed in its place."""
    found = findings(ran, "dropped fact")
    assert any(f.claim == "facts" and f.found == "undecided" and "not told" in f.detail for f in found)
    assert any("_F_" in f.detail or "_N_" in f.detail for f in found)


def test_contradictory_facts_are_reported_though_anything_follows_from_them(ran: Ran) -> None:
    """A case without a record proves nothing."""
    found = findings(ran, "contradiction")
    assert any(f.claim == "facts" and "told twice" in f.detail for f in found)


@pytest.mark.parametrize("name", ["swap", "threshold"])
def test_altered_rules_do_not_prove_the_statuses_of_the_true_ones(ran: Ran, name: str) -> None:
    """A swapped priority and a threshold off by one turn some status."""
    assert any(
        f.claim.startswith(("applies:", "triggered:")) and f.found in ("proved", "refuted") for f in findings(ran, name)
    )


@pytest.mark.parametrize("name", ["damaged", "cut"])
def test_a_damaged_script_does_not_load(ran: Ran, name: str) -> None:
    """It is an error of the script, and all its claims are missing."""
    found = findings(ran, name)
    assert any(f.found == "error" and "does not load" in f.detail for f in found) or name == "cut"
    assert any(f.found == "nothing" for f in found)


def test_an_axiom_is_seen_whatever_is_proved_from_it(ran: Ran) -> None:
    """Only the three of HOL Light are allowed."""
    assert any("4 axioms" in f.detail for f in findings(ran, "axiom"))


def test_a_printed_theorem_is_no_theorem(ran: Ran) -> None:
    """A record without the word of the run is forged; with it, it is one too many."""
    assert any(f.found == "forged" for f in findings(ran, "forged"))
    assert any(f.found in ("forged", "nothing", "refuted", "proved") for f in findings(ran, "forged well"))


def test_a_script_that_leaves_early_and_a_killed_prover_prove_nothing(ran: Ran) -> None:
    """What is missing from the log is named, with how the prover ended."""
    assert any(f.found == "nothing" for f in findings(ran, "leaves"))
    assert ran.raws["killed"].code >= 1000
    assert any("killed" in f.detail for f in findings(ran, "killed"))


def test_a_missing_prover_is_said_to_be_missing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Nothing is skipped in silence."""
    monkeypatch.setenv("HOLLIGHT_DIR", str(tmp_path))
    with pytest.raises(EnvironmentFailure, match="apt-get install"):
        run([Job("x", "", {}, {})])


def _fake(folder: Path, body: str, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = "\n".join(f'loads "{name}.ml";;' for name in prover.LEFT_OUT)
    failing = 'else (Format.print_string("Error in included file "^s);\n        Format.print_newline());;'
    (folder / "hol.ml").write_text(f"{failing}\n{lines}\n")
    (folder / "ocaml").write_text(f"#!/bin/sh\n{body}\n")
    (folder / "ocaml").chmod(0o755)
    (folder / "hol-light").write_text("#!/bin/sh\n")
    (folder / "hol-light").chmod(0o755)
    monkeypatch.setenv("HOLLIGHT_DIR", str(folder))
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")


def test_a_prover_killed_half_way_leaves_no_proof(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The whole process dies: what it had written is not enough."""
    body = (
        "printf '\\nHOLJOB\\tready\\n'\n"
        'w=$(cat job0.word)\nprintf "HOLCHK\\t$w\\ta\\tx\\tPROVED\\t1\\t\\n" > job0.log\nkill -9 $$'
    )
    _fake(tmp_path, body, monkeypatch)
    job = Job("one", "", {("a", "x"): "proved", ("a", "y"): "proved"}, {"a": "case"})
    tallies = tallies_of(run([job]))
    assert not tallies["case"].proved
    assert {(f.claim, f.found) for f in tallies["case"].findings} == {("y", "nothing"), ("one", "nothing")}


def test_a_prover_that_does_not_load_is_no_prover(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Without the numbers library HOL Light goes on and exits with 0."""
    _fake(tmp_path, "echo 'Cannot find file nums.cma.'; exit 0", monkeypatch)
    with pytest.raises(EnvironmentFailure, match=r"nums\.cma"):
        run([Job("one", "", {}, {})])


def test_what_cannot_be_stated_is_reported_as_refused() -> None:
    """A question with a wrong answer has neither a tree nor a record."""
    case = next(c for c in load_cases("policy") if c.choices == ("yes", "no") and '"form":"subsumes"' in c.plan)
    wrong = replace(case, answer="no" if case.answer == "yes" else "yes")
    made, refused = jobs([wrong])
    assert not made and [r.case for r in refused] == [case.id]
    (tally,) = tallies_of([], refused).values()
    assert not tally.proved and tally.findings[0].found == "refused"
    assert tallies_of([], [Refused("a", "b")])["a"].claims == 0
    with pytest.raises(InputError):
        run([Job("bad", "let x = 1;;", {}, {})]) if Path(prover.FOLDER, "hol.ml").exists() else prover.check(
            "let x = 1;;"
        )
