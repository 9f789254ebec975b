"""Steps read from every form in which a trace is written."""

import json

import pytest

from holmes.reading.steps import cited_rules, read_steps, trace_items

FOUR = [
    ("The gate was left open", ("1",), "true"),
    ("No warden stood by", ("1",), "false"),
    ("Consequently, the watch rule is triggered", ("2",), "true"),
    ("The lantern rule does not apply", ("3", "5"), "false"),
]
LINES = [
    "The gate was left open. [Rule 1]",
    "No warden stood by. [Rule 1]",
    "Consequently, the watch rule is triggered [Rule 2].",
    "The lantern rule does not apply [Rule 3, 5].",
]


def read(source):
    return [(s.description, s.rules, s.result.value) for s in read_steps(source)]


FORMS = {
    "plain": "\n".join(LINES),
    "blank lines": "\n\n".join(LINES),
    "carriage returns": "\r\n".join(LINES),
    "heading and answer": "Reasoning:\n\n" + "\n".join(LINES) + "\n\n**Answer:** no measure",
    "prefix on the first line": "Reasoning: " + "\n".join(LINES),
    "prefix on every line": "\n".join(f"Reasoning: {line}" for line in LINES),
    "numbered": "\n".join(f"{n}. {line}" for n, line in enumerate(LINES, 1)),
    "parentheses": "\n".join(f"({n}) {line}" for n, line in enumerate(LINES, 1)),
    "bullets": "\n".join(f"- {line}" for line in LINES),
    "stars": "\n".join(f"* {line}" for line in LINES),
    "step words": "\n".join(f"Step {n}: {line}" for n, line in enumerate(LINES, 1)),
    "bold step words": "\n".join(f"- **Step {n}:** {line}" for n, line in enumerate(LINES, 1)),
    "quoted": "\n".join(f"> {line}" for line in LINES),
    "one paragraph": " ".join(LINES),
    "one paragraph with heading": "Reasoning: " + " ".join(LINES) + "\nAnswer: no measure",
    "one line of steps": " ".join(f"Step {n}: {line}" for n, line in enumerate(LINES, 1)),
    "one line of numbers": " ".join(f"{n}. {line}" for n, line in enumerate(LINES, 1)),
    "citations on their own lines": "\n".join(LINES).replace(". [Rule 1]", ".\n[Rule 1]"),
    "escaped brackets": "\n".join(LINES).replace("[", "\\[").replace("]", "\\]"),
    "round brackets": "\n".join(LINES).replace("[", "(").replace("]", ")"),
    "json strings": json.dumps(LINES),
    "json trace": json.dumps({"reasoning_trace": LINES, "answer": "no measure"}),
    "json in a fence": "Here it is:\n```json\n" + json.dumps({"reasoning_trace": LINES}) + "\n```\nDone.",
    "json trace as text": json.dumps({"reasoning": "\n".join(LINES), "answer": "no measure"}),
    "broken json": json.dumps({"reasoning_trace": LINES})[:-2] + ",]}",
}


@pytest.mark.parametrize("form", FORMS)
def test_forms(form):
    """The same four steps are read from every form: description, rules, result."""
    assert read(FORMS[form]) == FOUR


STEPS = [
    ("Check — Form is signed", "boolean", "true"),
    ("Check — Invoice is attached", "boolean", "false"),
    ("Compute — Lodging limit", "number", "5928"),
    ("Conclusion — Partial Approval", "label", "partial approval"),
]
RESULT_FORMS = {
    "one line": "Step 1: Check — Form is signed. Result: PASS.\nStep 2: Check — Invoice is attached. Result: FAIL.\n"
    "Step 3: Compute — Lodging limit. Result: 5928.\nStep 4: Conclusion — Partial Approval.",
    "result below": "Step 1: Check — Form is signed.\nResult: PASS.\nStep 2: Check — Invoice is attached.\n"
    "  Result: FAIL\nStep 3: Compute — Lodging limit\n- Result: 5,928\n\nStep 4: Conclusion — Partial Approval",
    "headings": "[Scenario 1: hut]\nEvaluating Rule 3 (Forms).\nCheck — Form is signed. Result: pass\n"
    "Check — Invoice is attached: FAIL\nCompute — Lodging limit. Result: 5,928.00\nConclusion: Partial_Approval",
    "objects": {
        "reasoning_trace": [
            {"step": 1, "description": "Check — Form is signed", "result": "PASS"},
            {"step": 2, "description": "Check — Invoice is attached", "result": False},
            {"step": 3, "description": "Compute — Lodging limit", "result": 5928},
            {"step": 4, "description": "Conclusion — Partial Approval", "result": "Partial_Approval"},
        ]
    },
}


@pytest.mark.parametrize("form", ["one line", "result below", "objects"])
def test_typed_results(form):
    """A stated result is typed, on the line, on the next line, or in a JSON field."""
    assert [(s.description, s.result.kind, s.result.value) for s in read_steps(RESULT_FORMS[form])] == STEPS


def test_headings_are_no_steps():
    """Scenario and rule headings hold no step; the lines below them do."""
    steps = read_steps(RESULT_FORMS["headings"])
    assert [(s.result.kind, s.result.value) for s in steps] == [(k, v) for _, k, v in STEPS]


@pytest.mark.parametrize(
    ("line", "kind", "value", "unit"),
    [
        ("The lodging limit is 5,928 yuan [Rule 12].", "number", "5928", "cny"),
        ("Total = 300 + 12 = 312", "number", "312", ""),
        ("The form is signed → PASS", "boolean", "true", ""),
        ("✗ The invoice is attached", "boolean", "false", ""),
        ("Decision: Rejection", "label", "rejection", ""),
        ("By Rule 29, the answer is stable month.", "label", "stable month", ""),
        ("By the table of Section 7, the row joint gives 12000.", "number", "12000", ""),
        ("Tilda earned $57,200 in wages.", "number", "57200", "usd"),
        ("Tilda did not earn $57,200.", "boolean", "false", ""),
        ("Of 12 guests 7 came.", "boolean", "true", ""),
        ("On 2017-02-03 the gate was open.", "boolean", "true", ""),
        ("Rule 20 applies: no penalty.", "boolean", "true", ""),
        ("Section 24 is triggered.", "boolean", "true", ""),
        ("Check — Form", "none", "", ""),
        ("The waiver applies. The waiver article brings no measure.", "boolean", "true", ""),
        ("The receipt is missing. So the check fails.", "boolean", "false", ""),
    ],
)
def test_lines(line, kind, value, unit):
    """A line's result is what it states: a computed number, a mark, a decision, or the truth of its sentence."""
    (step,) = read_steps(f"{line}\n")
    assert (step.result.kind, step.result.value, step.result.unit) == (kind, value, unit)


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ("[Rule 3, 5]", ("3", "5")),
        ("[Rule 12, Rule 7]", ("12", "7")),
        ("[Rules 3-5]", ("3", "4", "5")),
        ("(Rules 3 and 5)", ("3", "5")),
        ("[Rule 3] and [Rule 5]", ("3", "5")),
        ("[rule 12]", ("12",)),
        ("【规则12】", ("12",)),
        ("[Rule１２]", ("12",)),
        ("[Rule 012]", ("12",)),
        ("[Rule #12]", ("12",)),
        ("Rule 5 takes priority over Rule 3 [Rule 8].", ("8",)),
        ("Under Rule 5, the fine falls.", ("5",)),
        ("no rule at all, 5 apples", ()),
    ],
)
def test_citations(text, rules):
    """Citations are read in brackets of every kind, singly, listed and ranged."""
    assert cited_rules(text) == rules


@pytest.mark.parametrize(
    "source",
    [
        None,
        "",
        " \n\t ",
        "---\n***\n```",
        [],
        {},
        {"reasoning_trace": None},
        {"reasoning_trace": []},
        {"reasoning_trace": [None, 3, True, {}, [], {"description": None}, {"result": "PASS"}]},
        [[[[]]]],
        5,
        b"bytes",
        "Answer: no measure",
        "Reasoning:",
        "{",
        "[",
        '{"reasoning_trace": [',
        "null",
    ],
)
def test_nothing(source):
    """What holds no step gives none, whatever its shape."""
    assert read_steps(source) == ()


@pytest.mark.parametrize(
    "source",
    [
        {"results": [{"name": "hut"}, {"reasoning_trace": ["A holds.", None, "B fails."]}]},
        {"a": {"reasoning_trace": [{"step": "1", "text": "A holds", "output": None}, {"step": "B fails"}]}},
        '[{"reasoning_trace": ["A holds."]}, {"reasoning_trace": ["B fails."]}]',
        "A holds.\x00\nB fails.\u2028",
        {"steps": {"reasoning_trace": ("A holds.", "B fails.")}},
    ],
)
def test_odd_structures(source):
    """Traces are found inside components, with nulls and odd fields around them."""
    assert [s.description for s in read_steps(source)][-2:] == ["A holds", "B fails"]


def test_deep_nesting():
    """Brackets and braces nested by the thousand are no JSON and no crash, and cost linear time."""
    assert read_steps("[" * 100_000) == ()
    assert read_steps('{"a":' * 5000 + "1" + "}" * 5000) is not None


def test_huge_number():
    """A number of ten thousand digits in JSON is no crash and no result."""
    steps = read_steps('{"reasoning_trace": [{"description": "Total", "result": ' + "9" * 10_000 + "}]}")
    assert all(s.result.number is None for s in steps)


def test_trace_items():
    """The raw step objects of a trace are kept as they stand."""
    assert trace_items('{"reasoning_trace": [{"step": 4, "description": "d", "result": 1}, "x"]}') == (
        {"step": 4, "description": "d", "result": 1},
    )
    assert trace_items("no json") == ()
