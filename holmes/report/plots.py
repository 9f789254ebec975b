"""Plots as inline SVG, drawn by matplotlib at report time; colours are the page's own variables."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from typing import Any

from holmes.errors import EnvironmentFailure

SERIES = ("#0a0001", "#0a0002", "#0a0003", "#0a0004", "#0a0005", "#0a0006", "#0a0007", "#0a0008")
INK, FAINT = "#0a00f0", "#0a00f1"
CLASSES = {
    "sound": "#0a0101", "unsound": "#0a0102", "unread": "#0a0103", "unmeasured": "#0a0104",
    "wrong": "#0a0105", "unanswered": "#0a0106", "failed": "#0a0107",
}  # fmt: skip
"""Stand-ins for the page's colours: they are replaced by its variables, which differ in light and dark."""
_COLOURS = {
    **{colour: f"var(--s{place})" for place, colour in enumerate(SERIES, 1)},
    **{colour: f"var(--{name})" for name, colour in CLASSES.items()},
    INK: "var(--ink)",
    FAINT: "var(--line)",
}
_MARKS = "osD^vPX*"


def forest(
    rows: Sequence[tuple[str, str, dict[str, Any]]], *, zero: bool = False, floors: Sequence[float | None] = ()
) -> str:
    """Return points with intervals, one line a row.

    rows: (label, series, cell of a table document); undefined cells are left out. zero: differences in points about 0.
    floors: for each row a share to mark beside it, None for none.
    """
    plot = _pyplot()
    shown = [(label, series, cell, floor) for (label, series, cell), floor in
             zip(rows, floors or [None] * len(rows), strict=True) if cell.get("value") is not None]  # fmt: skip
    if not shown:
        return ""
    names = list(dict.fromkeys(series for _, series, _, _ in shown))
    figure, axes = plot.subplots(figsize=(7.4, 0.55 + 0.3 * len(shown)))
    for place, (_, series, cell, floor) in enumerate(reversed(shown)):
        number = names.index(series)
        low, high = (100 * cell[k] if cell.get(k) is not None else 100 * cell["value"] for k in ("low", "high"))
        colour = SERIES[number % len(SERIES)]
        axes.plot([low, high], [place, place], color=colour, linewidth=2.2, solid_capstyle="round")
        axes.plot(100 * cell["value"], place, _MARKS[number % len(_MARKS)], color=colour, markersize=6.5)
        if floor is not None:
            axes.plot([100 * floor] * 2, [place - 0.32, place + 0.32], color=INK, linewidth=1.4, linestyle=(0, (2, 1)))
    axes.set_yticks(range(len(shown)), [label for label, _, _, _ in reversed(shown)])
    axes.set_ylim(-0.7, len(shown) - 0.3)
    if zero:
        axes.axvline(0, color=INK, linewidth=1)
        axes.set_xlabel("points")
    else:
        axes.set_xlim(-2, 102)
        axes.set_xlabel("percent")
    return _svg(figure, axes, plot)


def stacked(rows: Sequence[tuple[str, dict[str, float]]], names: dict[str, str]) -> str:
    """Return stacked bars of shares. rows: (label, class -> share). names: class -> its words, for the legend."""
    plot = _pyplot()
    if not rows:
        return ""
    figure, axes = plot.subplots(figsize=(7.4, 1.15 + 0.36 * len(rows)))
    used = [name for name in names if any(shares.get(name) for _, shares in rows)]
    for place, (_, shares) in enumerate(reversed(rows)):
        start = 0.0
        for name in used:
            width = 100 * shares.get(name, 0.0)
            axes.barh(place, width, left=start, color=CLASSES[name], height=0.7, linewidth=0,
                      label=names[name] if place == 0 else None)  # fmt: skip
            start += width
    axes.set_yticks(range(len(rows)), [label for label, _ in reversed(rows)])
    axes.set_xlim(0, 100)
    axes.set_xlabel("percent of generations")
    columns = 2 if len(used) > 3 else len(used)
    axes.legend(loc="lower left", bbox_to_anchor=(0, 1.0), ncols=max(columns, 1), frameon=False, fontsize=9,
                labelcolor=INK, handlelength=1.1)  # fmt: skip
    return _svg(figure, axes, plot)


def _pyplot() -> Any:
    try:
        import matplotlib
    except ImportError as error:
        raise EnvironmentFailure("matplotlib: found none, expected one; pip install 'holmes-eval[report]'") from error
    matplotlib.use("svg")
    import matplotlib.pyplot as plot

    matplotlib.rcParams.update({
        "svg.fonttype": "none", "svg.hashsalt": "holmes", "font.size": 10, "font.family": "DejaVu Sans",
        "text.color": INK, "axes.labelcolor": INK, "xtick.color": INK, "ytick.color": INK, "axes.edgecolor": FAINT,
    })  # fmt: skip
    return plot


def _svg(figure: Any, axes: Any, plot: Any) -> str:
    axes.grid(axis="x", color=FAINT, linewidth=0.6)
    axes.set_axisbelow(True)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.tick_params(length=0)
    out = io.StringIO()
    figure.savefig(out, format="svg", transparent=True, bbox_inches="tight", pad_inches=0.05, metadata={"Date": None})
    plot.close(figure)
    text = out.getvalue()
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.S)
    text = re.sub(
        r' id="(?:figure|axes|patch|xtick|ytick|text|line2d|legend|matplotlib\.axis|PathCollection)_\d+"', "", text
    )
    text = re.sub(r'<svg ([^>]*?)width="[^"]*" height="[^"]*"|<svg ', lambda m: f"<svg {m[1] or ''}", text, count=1)
    text = re.sub(r"height=\"[\d.]+pt\"|width=\"[\d.]+pt\"", "", text, count=2)
    text = text.replace("'DejaVu Sans'", "inherit").replace("DejaVu Sans", "inherit")
    return re.sub(r"#0a0[0-9a-f]{3}", lambda m: _COLOURS.get(m[0], m[0]), text)
