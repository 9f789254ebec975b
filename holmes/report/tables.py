"""Tables of a report: group columns, then cells that are estimates, counts or words; the twins are made from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from holmes.stats import Estimate

Cell = Estimate | float | int | str | None


@dataclass(frozen=True, slots=True)
class Table:
    """One table.

    name: its key in the JSON twin. title: what it answers, as a heading. heads: of all columns. rows: as wide as heads;
    texts and cells mixed. keys: how many columns on the left name the group. note: how to read it. points: estimates
    are differences in points, not shares.
    """

    name: str
    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    keys: int = 1
    note: str = ""
    points: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Return the table as JSON values, every cell with the text that the page shows."""
        rows = [[cell_dict(cell, self.points) for cell in row] for row in self.rows]
        return {
            "name": self.name,
            "title": self.title,
            "heads": list(self.heads),
            "keys": self.keys,
            "note": self.note,
            "rows": rows,
        }


def percent(value: float, *, sign: bool = False) -> str:
    """Return a share as percent with one decimal; nothing is no sign: never "-0.0"."""
    shown = 100 * value if abs(value) >= 0.0005 else 0.0
    return f"{shown:{'+' if sign and shown else ''}.1f}"


def cell_dict(cell: Cell, points: bool = False) -> dict[str, Any]:
    """Return a cell as JSON values; ``text`` and ``range`` are what people read, None stays None."""
    if isinstance(cell, Estimate):
        found: dict[str, Any] = {k: v for k, v in asdict(cell).items() if v != ""}
        found["text"] = "undefined" if cell.value is None else percent(cell.value, sign=points)
        if cell.low is not None and cell.high is not None:
            between = " to " if points else " – "  # a dash before a minus cannot be read
            found["range"] = between.join(percent(end, sign=points) for end in (cell.low, cell.high))
        return found
    if isinstance(cell, bool) or cell is None:
        return {"value": cell, "text": "—" if cell is None else ("yes" if cell else "no")}
    if isinstance(cell, int):
        return {"value": cell, "text": f"{cell:,}"}
    if isinstance(cell, float):
        return {"value": cell, "text": p_text(cell)}
    return {"value": cell, "text": cell}


def p_text(value: float) -> str:
    """Return a plain number: small ones as a bound, whole ones without decimals."""
    if 0 < abs(value) < 0.001:
        return "< 0.001"
    if value == int(value) and abs(value) >= 10:
        return f"{int(value):,}"
    return f"{value:,.3f}" if abs(value) < 10 else f"{value:,.1f}"


def markdown(table: dict[str, Any]) -> str:
    """Return a table document as Markdown."""
    lines = [f"### {table['title']}", ""]
    lines.append("| " + " | ".join(table["heads"]) + " |")
    lines.append("|" + "---|" * len(table["heads"]))
    for row in table["rows"]:
        lines.append("| " + " | ".join(_plain(cell) for cell in row) + " |")
    if table["note"]:
        lines += ["", table["note"]]
    return "\n".join(lines)


def _plain(cell: dict[str, Any]) -> str:
    text = str(cell["text"]).replace("|", "\\|").replace("\n", " ")
    return f"{text} ({cell['range']})" if cell.get("range") else text


def widths(rows: Sequence[Sequence[str]]) -> list[int]:
    """Return the width of each column of texts."""
    return [max(len(row[place]) for row in rows) for place in range(len(rows[0]))] if rows else []
