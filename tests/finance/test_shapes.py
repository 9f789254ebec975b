"""Shapes of reports on several subjects: golds are read in each, and all-wrong ones never get credit."""

from __future__ import annotations

import json
from collections import defaultdict

import pytest

from holmes.scoring.core import score
from tests.finance.conftest import shown


def grouped(rows):
    """Verdict -> its subjects."""
    found = defaultdict(list)
    for subject, verdict in rows:
        found[verdict].append(subject)
    return dict(found)


def letters(rows):
    """Item 1 as Item A; persons keep their names."""
    return [(f"Item {' ABCDEFGH'[int(s[5:])]}" if s.startswith("Item ") else s, v) for s, v in rows]


SHAPES = {
    "map": lambda r: json.dumps(grouped(r)),
    "map nested": lambda r: json.dumps({"verdicts": grouped(r)}),
    "map low": lambda r: json.dumps({k.lower().replace(" ", "_"): v for k, v in grouped(r).items()}),
    "map str": lambda r: json.dumps({k: ", ".join(v) for k, v in grouped(r).items()}),
    "map and": lambda r: json.dumps({k: " and ".join(v) for k, v in grouped(r).items()}),
    "map empty": lambda r: json.dumps({**grouped(r), "Withdrawn": []}),
    "vs": lambda r: json.dumps([{"verdict": k, "subjects": v} for k, v in grouped(r).items()]),
    "vs items": lambda r: json.dumps({"groups": [{"verdict": k, "items": v} for k, v in grouped(r).items()]}),
    "map dict rows": lambda r: json.dumps(
        {k: [{"subject": s, "failing_rules": []} for s in v] for k, v in grouped(r).items()}
    ),
    "head": lambda r: "\n".join(f"### {k}\n" + "\n".join(f"- {s}" for s in v) for k, v in grouped(r).items()),
    "head colon": lambda r: "\n\n".join(f"**{k}:**\n" + "\n".join(f"* {s}" for s in v) for k, v in grouped(r).items()),
    "head count": lambda r: "\n\n".join(
        f"**{k} ({len(v)})**\n" + "\n".join(f"1. {s}: see Rule 12" for s in v) for k, v in grouped(r).items()
    ),
    "inline": lambda r: "\n".join(f"{k}: {', '.join(v)}" for k, v in grouped(r).items()),
    "inline and": lambda r: "\n".join(f"- **{k}**: {' and '.join(v)}" for k, v in grouped(r).items()),
    "md grouped": lambda r: (
        "| Verdict | Who |\n|---|---|\n" + "\n".join(f"| {k} | {', '.join(v)} |" for k, v in grouped(r).items())
    ),
    "csv": lambda r: "subject,verdict\n" + "\n".join(f"{s},{v}" for s, v in r),
    "csv q": lambda r: (
        '```csv\n"subject","failing_rules","verdict"\n' + "\n".join(f'"{s}","12; 14","{v}"' for s, v in r) + "\n```"
    ),
    "tsv": lambda r: "subject\tverdict\n" + "\n".join(f"{s}\t{v}" for s, v in r),
    "semi": lambda r: "subject;verdict\n" + "\n".join(f"{s};{v}" for s, v in r),
    "html": lambda r: (
        "<table><tr><th>Subject</th><th>Verdict</th></tr>"
        + "".join(f"<tr><td>{s}</td><td>{v}</td></tr>" for s, v in r)
        + "</table>"
    ),
    "html nl": lambda r: (
        "<table>\n<tr>\n<th>Subject</th>\n<th>Verdict</th>\n</tr>\n"
        + "\n".join(f"<tr>\n<td>{s}</td>\n<td><b>{v}</b></td>\n</tr>" for s, v in r)
        + "\n</table>"
    ),
    "xml": lambda r: (
        "<items>" + "".join(f"<item><subject>{s}</subject><verdict>{v}</verdict></item>" for s, v in r) + "</items>"
    ),
    "xml nl": lambda r: (
        "<report>\n"
        + "\n".join(f"  <item>\n    <name>{s}</name>\n    <decision>{v}</decision>\n  </item>" for s, v in r)
        + "\n</report>"
    ),
    "xml attr": lambda r: (
        "<items>\n" + "\n".join(f'  <item subject="{s}" verdict="{v}"/>' for s, v in r) + "\n</items>"
    ),
    "numbered": lambda r: "\n".join(f"{n}. {v}" for n, (s, v) in enumerate(r, 1)),
    "numbered b": lambda r: "Verdicts:\n" + "\n".join(f"{n}) **{v}**" for n, (s, v) in enumerate(r, 1)),
    "numbered full": lambda r: "\n".join(f"{n}. {s}: {v}" for n, (s, v) in enumerate(r, 1)),
    "letters": lambda r: json.dumps({"items": [{"subject": s, "verdict": v} for s, v in letters(r)]}),
    "letters prose": lambda r: "\n".join(f"{s}: {v}" for s, v in letters(r)),
    "arrow": lambda r: "\n".join(f"{s} → {v}" for s, v in r),
    "because": lambda r: "\n".join(f"- {s}: {v}, because Rule 12 decides" for s, v in r),
    "emoji": lambda r: "\n".join(f"✅ {s} — {v}" for s, v in r),
    "sections": lambda r: "\n\n".join(
        f"## {s}\n\nRule 12 passes.\nRule 14 was looked at.\n\n**Verdict: {v}**" for s, v in r
    ),
    "sections lone": lambda r: "\n\n".join(f"**{s}**\n{v}" for s, v in r),
    "sections said": lambda r: "\n\n".join(f"{s}\nThe verdict is {v}." for s, v in r),
    "strike": lambda r: "\n".join(f"{s}: ~~Unknown~~ {v}" for s, v in r),
    "tool": lambda r: (
        "<tool_call>\n"
        + json.dumps({"name": "submit", "arguments": {"items": [{"subject": s, "verdict": v} for s, v in r]}})
        + "\n</tool_call>"
    ),
    "md 4col": lambda r: (
        "| No. | Subject | Failing rules | Verdict |\n|---|---|---|---|\n"
        + "\n".join(f"| {n} | {s} | 12, 14 | {v} |" for n, (s, v) in enumerate(r, 1))
    ),
    "gets": lambda r: "\n".join(f"{s} gets {v}." for s, v in r),
    "yaml map": lambda r: "\n".join(f"{k}:\n" + "\n".join(f"  - {s}" for s in v) for k, v in grouped(r).items()),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_golds_are_read_in_every_shape_and_wrong_verdicts_get_nothing(smoke, shape) -> None:
    """On every kind of case: gold 1.0; each verdict exchanged for a wrong one: no subject is right."""
    looked = 0
    for case in [case for case in smoke if case.answer_type == "report"][::3]:
        gold = [(row["subject"], row["verdict"]) for row in json.loads(case.answer)]
        text = SHAPES[shape]([(s, shown(v)) for s, v in gold])
        assert score(case, text).value == 1.0, (case.id, text)
        for shift in range(1, len(case.choices)):
            wrong = [(s, case.choices[(case.choices.index(v) + shift) % len(case.choices)]) for s, v in gold]
            text = SHAPES[shape]([(s, shown(v)) for s, v in wrong])
            assert score(case, text).parts["items"] == 0.0, (case.id, text)
            looked += 1
    assert looked
