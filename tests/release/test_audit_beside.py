"""`holmes audit law` beside the authors' release: their figures where it is imported, a dash where not."""

from __future__ import annotations

import dataclasses

import pytest

from holmes.audit.gate import report
from holmes.commands.audit import _print
from holmes.domains.law.gates.ablations import ablated
from holmes.domains.law.gates.sample import of_cases
from holmes.domains.law.gates.wording import misread
from holmes.domains.law.generate import Generator
from holmes.domains.law.rulebases import bundle
from holmes.logic.language.model import Not
from holmes.results import at_least, at_most
from holmes.services.importing import bring
from holmes.sources.holmes_release.law_gates import beside, figures, key_of

GATES = (
    at_most("2 majority", "x", 0.3, 0.35),
    at_most("2 tree", "x", 0.6, 0.75),
    at_least("3 exemption defeated (duress)", "x", 0.4, 0.25),
    at_most("3 one_pass", "x", 0.8, 0.85),
)


def table(capsys) -> list[str]:
    """The lines that the audit prints for GATES."""
    _print(beside(report(GATES)))
    return capsys.readouterr().out.splitlines()


def test_without_an_import_the_column_holds_dashes_and_a_line_says_how_to_import(tmp_path, monkeypatch, capsys):
    """Nothing is computed, no gate gets the key, and our own verdict stands."""
    monkeypatch.setenv("HOLMES_CACHE", str(tmp_path))
    lines = table(capsys)
    assert lines[0].split() == ["scope", "gate", "ours", "authors", "limit"]
    assert [line.split()[-3] for line in lines[1:5]] == ["—"] * 4
    assert lines[5].endswith("holmes import holmes-release --from DIR")
    document = beside(report(GATES))
    assert document["failures"] == []
    assert all("authors" not in gate for gate in document["gates"])


def test_a_damaged_import_is_told_and_leaves_our_gates_alone(tmp_path, monkeypatch, capsys):
    """A release folder without its files is one line of the table, not an error of the audit."""
    monkeypatch.setenv("HOLMES_CACHE", str(tmp_path))
    (tmp_path / "releases" / "holmes-release").mkdir(parents=True)
    assert table(capsys)[5].startswith("authors: not computed: law_release: found no import")


def test_what_stands_in_brackets_is_no_part_of_a_gates_name():
    """Gates that name the worst rule are found under their plain name."""
    assert key_of("3 rules never decisive [4, 7]") == "3 rules never decisive"
    assert key_of("3 answer given a policy final (theft)") == "3 answer given a policy final"


@pytest.mark.release
def test_the_authors_law_release_beside_ours(releases_dir, tmp_path, monkeypatch, capsys):
    """Majority near 65 %, a depth-2 tree near 83 % on its own cases and less on others; the table prints the column."""
    monkeypatch.setenv("HOLMES_CACHE", str(tmp_path))
    bring("holmes-release", str(releases_dir / "holmes"))
    found, fitted = figures()
    assert found["2 majority"] == pytest.approx(0.65, abs=0.03)
    assert fitted["2 tree"] == pytest.approx(0.83, abs=0.03)
    assert found["2 majority"] < found["2 tree"] < fitted["2 tree"]
    assert found["3 no_exceptions"] > found["3 no_priorities"] > found["3 first_triggered"]
    assert all(0 <= value <= 1 for name, value in found.items() if name[0] in "239")
    assert found["4 clones"] > 0
    lines = table(capsys)
    assert [line.split()[-3] for line in lines[1:5]] == [
        f"{found['2 majority']:g}", f"{found['2 tree']:g}", f"{found['3 exemption defeated']:g}", "—",
    ]  # fmt: skip
    assert f"tree {fitted['2 tree']:g}" in lines[6]


def test_every_ablation_of_ours_but_one_pass_has_its_counterpart():
    """The names under which the authors' figures are kept are those of our gates."""
    from holmes.sources.holmes_release.law_gates import ABLATED

    generator = Generator(bundle("tenancy"))
    sample = of_cases(generator, [generator.item(3, i, light=True) for i in range(3)])
    assert {gate.gate for gate in ablated([sample], "x")} - {f"3 {name}" for name in ABLATED} == {"3 one_pass"}


def test_a_rule_text_that_says_something_else_is_counted():
    """A case with another text, and every case of a rule base whose formula its sentence does not state."""
    generator = Generator(bundle("tenancy"))
    base = generator.rulebase
    cases = [generator.item(3, i, light=True) for i in range(4)]
    assert misread(base, cases) == 0
    assert misread(base, [dataclasses.replace(cases[0], rules=cases[0].rules + "\nRule 99: No."), *cases[1:]]) == 1
    name, concept = next((n, c) for n, c in base.concepts.items() if c.type.kind == "bool")
    turned = dataclasses.replace(concept, body=Not(concept.body))
    assert misread(dataclasses.replace(base, concepts={**base.concepts, name: turned}), cases) == 4
