"""The text that ``svmviz select`` prints: a table of the models, and the estimate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from solvers.errors import shorten
from solvers.run.method import counted
from solvers.selection.estimate import Cell, Estimate
from solvers.selection.risks import Risk

# Maximum number of models in the table; the JSON has all of them.
MAX_ROWS = 40


def as_text(found: Estimate, names: Sequence[Mapping[str, Any]], risk: Risk) -> str:
    """Return the table, and lines for the estimate; ``names`` are the parameters of the models."""
    blocks = [_table(found, names)] if names else []
    blocks.append(_lines(found, names, risk))
    return "\n\n".join(blocks)


def _table(found: Estimate, names: Sequence[Mapping[str, Any]]) -> str:
    """Return one line per model, sorted by risk."""
    columns = list(dict.fromkeys(name for each in names for name in each))
    measure = "validation" if found.procedure == "validation" else "risk"
    head = ["", *columns, measure, "spread", "training", "support"]
    if any(cell.test for cell in found.cells):
        head.append("p")
    # Sorting is stable: of equal models, the first one stays first.
    order = sorted(range(len(names)), key=lambda k: found.cells[k].risk)
    rows = [_row(k == found.best, names[k], found.cells[k], columns) for k in order[:MAX_ROWS]]
    rows = [row[: len(head)] for row in rows]
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    lines = [
        "  ".join(text.rjust(width) for text, width in zip(row, widths)) for row in [head, *rows]
    ]
    if len(order) > MAX_ROWS:
        lines.append(f"  and {counted(len(order) - MAX_ROWS, 'more model')}: see --json")
    return "\n".join(lines)


def _row(
    is_best: bool, parameters: Mapping[str, Any], cell: Cell, columns: Sequence[str]
) -> list[str]:
    values = [_shown(parameters[name]) if name in parameters else "" for name in columns]
    p = "" if cell.test is None or cell.test.p is None else f"{cell.test.p:.3f}"
    numbers = [_shown(cell.risk), _shown(cell.spread), _shown(cell.training_risk)]
    return ["*" if is_best else "", *values, *numbers, f"{cell.support:.1f}", p]


def _lines(found: Estimate, names: Sequence[Mapping[str, Any]], risk: Risk) -> str:
    spread = "" if found.spread is None else f" ± {_shown(found.spread)}"
    parts = counted(len(found.parts), "part")
    rows = {
        "procedure": f"{found.procedure}, {parts}",
        "risk": f"{_shown(found.risk)}{spread} ({risk.label}: {risk.help})",
    }
    if names:
        best = ", ".join(f"{key} {_shown(value)}" for key, value in names[found.best].items())
        rows["best"] = f"{best} (marked *)"
    bounds = found.cells[found.best].bounds
    if bounds is not None:
        rows["bounds"] = (
            f"support vectors / n {_shown(bounds.support)}, ξα {_shown(bounds.xi_alpha)}"
        )
    rows["note"] = found.note
    width = max(map(len, rows))
    return "\n".join(f"{name:<{width}}  {text}" for name, text in rows.items())


def _shown(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "on" if value else "off"
    return shorten(value) if isinstance(value, str) else f"{value:.4g}"
