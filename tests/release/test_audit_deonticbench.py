"""The audit of DeonticBench: each kind of defect planted once in a made-up release, and the authors' release."""

from __future__ import annotations

from collections import Counter

import pytest

from holmes.audit.program_fit import misfits, tokens
from holmes.services.importing import bring
from holmes.sources.deonticbench.defects import audit
from tests.release import made

TOPICS = ["lamps and vases", "boats on rivers", "wheat from farms", "paper mills", "silver rings", "copper wire"]


def row(number: int, answer: int, program: str | None = None, text: str = "") -> dict:
    """A numeric case about one topic, with a program that names the topic and computes the answer."""
    topic = TOPICS[number % len(TOPICS)]
    story = text or f"In {1990 + number} the firm sold {topic} for {number}4{number}7 crowns, and owed a tenth of it."
    right = f"% {topic}\nsold({number}4{number}7, {1990 + number}).\n:- sold(S, _), X is S * 0 + {answer - 1} + 1, "
    return {
        "id": f"tax_{number}",
        "text": story,
        "question": f"What does the firm owe for {topic} in {1990 + number}?",
        "label": answer,
        "reference_prolog": program or right + 'format("Tax result: ~w~n", [X]).\n',
    }


@pytest.fixture
def defects(tmp_path, monkeypatch):
    """The defects of a release in which every kind is planted."""
    monkeypatch.setenv("HOLMES_CACHE", str(tmp_path / "cache"))
    root = made.deonticbench(tmp_path / "r")
    rows = [row(n, 100 + n) for n in range(1, 7)]
    rows[1]["label"] = 177  # the program prints 102
    rows[2]["reference_prolog"] = ':- format("Label: ~w~n", [103]).\n' + rows[2]["reference_prolog"]
    rows[3]["reference_prolog"] = rows[4]["reference_prolog"].replace("+ 104", "+ 103")  # about another case
    rows[4]["reference_prolog"] += "unused(X) :- true.\n"
    rows[5]["reference_prolog"] += "broken( :- x.\n"
    made.put(root / "data/sara_numeric/hard.json", [rows[0] | {"label": "101"}, *rows[1:]])
    twin = row(1, 101, text=rows[0]["text"].replace("crowns", "marks")) | {"id": "tax_9"}
    made.put(root / "data/sara_numeric/whole.json", [rows[0] | {"question": "Other?"}, *rows[1:5], twin])
    home = {"state": "Freeland", "question": "May the owner enter?", "statutes": "No owner may enter."}
    program = {"reference_prolog": ":- writeln('housing_answer(no)')."}
    made.put(root / "data/housing/hard.json", [{"id": "h_no", "label": "no"} | home | program,
                                               {"id": "h_2", "label": "yes"} | home | program])  # fmt: skip
    appeal = {"id": "u1", "text": "An appeal.", "question": "?", "statutes": "Law.", "label": "Accepted"}
    made.put(root / "data/uscis/hard.json", [appeal | {"reference_prolog": "decision('Accepted')."}])
    bring("deonticbench", str(root))
    found = audit()["defects"]
    return {(d["kind"], d["id"]): d for d in found}


def test_every_planted_defect_is_found_and_nothing_else(defects):
    """Each defect with its kind, its case and, where it can be told, the right value."""
    expected = {
        ("wrong_output", "tax_2"): "177",
        ("prints_gold", "tax_3"): "",
        ("other_case", "tax_4"): "tax_5",
        ("warning", "tax_5"): "",
        ("load_error", "tax_6"): "",
        ("label_type", "tax_1"): "101",
        ("hard_differs", "tax_1"): "",
        ("hard_not_in_whole", "tax_6"): "",
        ("near_duplicate", "tax_9"): "tax_1",
        ("id_tells_answer", "h_no"): "",
        ("near_duplicate", "h_2"): "h_no",
        ("conflicting_labels", "h_2"): "",
        ("wrong_output", "h_2"): "yes",
        ("no_entry_point", "u1"): ":- forall(decision(X), (write(X), nl)).",
    }
    assert {key: d["right_value"] for key, d in defects.items()} == expected
    assert all(d["evidence"] and d["source"].endswith("_release") for d in defects.values())


def test_sections_numbers_and_words_are_tokens():
    """A section and its whole path count, thousands separators do not split a number, symbols fall into words."""
    found = tokens("Section 152(c)(1) gives $12,980; gross_income(Alice)")
    assert {"§152", "§152/c", "§152/c/1", "12980", "gross", "income", "alice"} <= set(found)


def test_a_program_without_a_better_case_is_no_misfit():
    """Programs that share little with any case are left alone, and one case alone cannot be confused."""
    assert misfits(["x.", "y."], ["some text about wheat", "other text about boats"]) == []
    assert misfits(["x."], ["a text"]) == []


@pytest.mark.release
def test_the_authors_release(releases_dir, tmp_path, monkeypatch):
    """14 sara programs belong to another case; nine labels are missed; no uscis program has an entry point."""
    monkeypatch.setenv("HOLMES_CACHE", str(tmp_path))
    bring("deonticbench", str(releases_dir / "deonticbench"))
    found = audit()["defects"]
    counts = Counter((d["kind"], d["source"].removeprefix("deontic_").removesuffix("_release")) for d in found)
    assert counts["other_case", "sara_binary"] == 14
    assert sum(n for (kind, _), n in counts.items() if kind == "other_case") == 14
    assert counts["wrong_output", "sara_binary"] == 9
    assert counts["wrong_output", "sara_numeric"] == counts["wrong_output", "airline"] == 0
    assert counts["no_entry_point", "uscis-aao"] + counts["no_entry_point", "uscis"] == 28
    assert counts["prints_gold", "airline"] == 80
    assert counts["prints_gold", "housing"] == 78
    assert counts["id_tells_answer", "sara_binary"] == 30
    assert {d["right_value"] for d in found if d["kind"] == "label_type"} == {"81487", "206073", "247432"}
