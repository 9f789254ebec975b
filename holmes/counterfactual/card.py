"""The counterfactual section of the dataset card: what the families are made of, and one of them in full."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from holmes.cases import Case
from holmes.counterfactual.families import ROBUST, ROLES
from holmes.counterfactual.members import MEMBERS, SHOWN
from holmes.derivations.operations import TYPES
from holmes.scoring.counterfactual import type_of


def section(test: Sequence[Case], every: Sequence[Case]) -> str:
    """Return Markdown on the families.

    test: the rows of the split test, family by family. every: those of the split every; may be empty.
    """
    firsts = [row for row in test if row.pair.role == ROLES[0]]
    lines = [_HEAD, "| type | families | " + " | ".join(MEMBERS) + " |", "|---|---:|" + "---:|" * len(MEMBERS)]
    for kind in TYPES:
        own = Counter(row.domain for row in firsts if type_of(row) == kind)
        lines.append(f"| {kind} | {own.total()} | " + " | ".join(str(own[domain]) for domain in MEMBERS) + " |")
    if every:
        robust = sum(ROBUST in row.tags for row in every) // len(ROLES)
        lines.append(
            f"\nSplit `every`: {len(every) // len(ROLES)} families, one for each shipped test case that has one; "
            f"{robust} are robust."
        )
    shown = next((row for row in firsts if row.domain == SHOWN), None)
    if shown is not None:
        lines.append(_example([row for row in test if row.pair.family == shown.pair.family]))
    return "\n".join(lines)


def _example(rows: Sequence[Case]) -> str:
    changes = "\n".join(f"- {row.pair.role}: `{row.pair.changed}`, answer {row.answer}" for row in rows[1:])
    texts = "\n\n".join(f"**{row.pair.role}.** {row.case}" for row in rows)
    return f"""
<details><summary><b>A family</b>: {rows[0].pair.family}</summary>

- original: answer {rows[0].answer}
{changes}

{texts}

</details>
"""


_HEAD = """
## Counterfactual families

Three rows a family, in this order: `original`, `decisive` (one fact changed, the answer changes) and `control` (one
fact changed, the answer stays). `pair` holds family, role and change; rules and question are the same in all three, and
the texts differ only where the changed fact is told. A robust case (tag `robust`) has no single decisive change: two
facts change in its decisive row. The split `test` has as many families of each operation type (tag `type PR` …).
"""
