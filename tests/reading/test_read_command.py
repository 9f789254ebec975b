"""`holmes read`: one JSON document of what the reader extracts, for every kind."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from holmes.commands.read import read

HARD = [
    ("amount", "", "Thus the total cost is $1,166.00.", 1166),
    ("answer", "deontic_airline", "Thus the total cost is $1,166.00.", 1166),
    ("answer", "", "Draft. Final answer: Guilty\nWait.\nFinal answer: Not guilty", "Not guilty"),
    ("answer", "", "- True answer: only step 2 remains.\n\nANSWER: Dismissed", "Dismissed"),
    ("answer", "deontic_uscis", "- True answer: only step 2 remains.\n\nANSWER: Dismissed", "Dismissed"),
    ("answer", "", "So the answer is Yes", "Yes"),
    (
        "answer",
        "sara_binary",
        "Format: 'Result: Entailment' or 'Result: Contradiction'.\nResult: Contradiction",
        "Contradiction",
    ),
    ("answer", "", "<think>First guess: Final answer: A. But Rule 3 ... [cut]", None),
    ("thinking", "", "analysisCould be Entailment.assistantfinalResult: Contradiction", "Result: Contradiction"),
    ("answer", "", "[THINK]Final answer: no[/THINK]Final answer: yes", "yes"),
    ("report", "", '{"verdict"："approved"，"amount"：650}', {"verdict": "approved", "amount": 650}),
    (
        "report",
        "",
        '```json\n{"verdict":"denied"}\n```\nRevised:\n```json\n{"verdict":"approved"}\n```',
        {"verdict": "approved"},
    ),
    ("amount", "", "Gesamt: 1.166,00 EUR", 1166),
    ("amount", "", "60%", None),
    ("amount", "", "￥650", 650),
    ("amount", "", "650元", 650),
    ("amount", "", "fees \\$150 then total \\$1,166", 1166),
    ("amount", "", "上限一千八百万元", 18000000),
    ("amount", "", "共计１１６６元", 1166),
    ("amount", "", "1166²", 1166),
    ("amount", "", "Tax result: 2333r2", 1166.5),
    ("amount", "", "1/3", "1/3"),
    ("label", "sara_binary", "Result: not entailed", "Contradiction"),
    ("label", "uscis", "unaccepted", "Dismissed"),
    ("label", "housing", "I do not know; the statutes say nothing on notice periods.", None),
    ("label", "housing", "", None),
    ("citations", "", "[Rule 12, Rule 7]", [12, 7]),
    ("citations", "", "【规则12】", [12]),
    ("program", "", "~~~prolog\ntax(5).\n~~~", "tax(5).\n"),
    ("program", "", "tax(5).\n:- halt.", None),
]


@pytest.mark.parametrize(("kind", "task", "text", "value"), HARD)
def test_every_kind(kind, task, text, value):
    """The document's `value` is what was read; `closed` tells of unfinished reasoning."""
    done = CliRunner().invoke(read, ["--kind", kind, "--task", task], input=text.encode())
    assert done.exit_code == 0, done.output
    document = json.loads(done.output)
    assert document["value"] == value
    assert document["closed"] == ("[cut]" not in text)


def test_options():
    """Labels, spellings, required keys, losses and strictness are given on the command line."""

    def value(text, *options):
        return json.loads(CliRunner().invoke(read, list(options), input=text).output)["value"]

    assert value("Answer: a fine", "--kind", "label", "--choices", "fine|none", "--alias", "fine=a fine") == "fine"
    assert value("Refund: (1,166)", "--kind", "amount", "--negatives") == -1166
    assert value('{"a": 1} {"b": 2}', "--kind", "report", "--required", "a") == {"a": 1}
    assert value('{"a": 1,}', "--kind", "report", "--strict") is None


def test_bytes_that_are_no_text():
    """Input that is not UTF-8 is read as far as it can be."""
    done = CliRunner().invoke(read, ["--kind", "answer"], input=b"\xff\xfe\nAnswer: yes")
    assert json.loads(done.output)["value"] == "yes"


def test_steps():
    """Steps come as a list with their citations."""
    done = CliRunner().invoke(
        read, ["--kind", "steps"], input="1. The gate was open [Rule 3]\n2. So it applies [Rule 4]"
    )
    assert len(json.loads(done.output)["value"]) == 2
