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


def as_text(
    estimate: Estimate, models: Sequence[Mapping[str, Any]], risk: Risk, division: str = ""
) -> str:
    """Return the table of the models, if there are any, and the lines on the estimate.

    ``models`` has the parameters of each model. ``division`` says how the points are divided, such
    as "stratified"; it may be empty.
    """
    blocks = [_table(estimate, models)] if models else []
    blocks.append(_estimate_lines(estimate, models, risk, division))
    return "\n\n".join(blocks)


def _table(estimate: Estimate, models: Sequence[Mapping[str, Any]]) -> str:
    """Return one line per model, sorted by risk, for at most ``MAX_ROWS`` models."""
    columns = list(dict.fromkeys(name for model in models for name in model))
    # In the procedure "validation", models are compared by their risk on the validation part.
    measure = "validation" if estimate.procedure == "validation" else "risk"
    head = ["", *columns, measure, "spread", "training", "support"]
    if any(cell.test for cell in estimate.cells):
        head.append("p")
    # The sort is stable, so models of equal risk keep their order.
    order = sorted(range(len(models)), key=lambda k: estimate.cells[k].risk)
    rows = [
        _row(k == estimate.best, models[k], estimate.cells[k], columns) for k in order[:MAX_ROWS]
    ]
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
    values = [_value_text(parameters[name]) if name in parameters else "" for name in columns]
    p = "" if cell.test is None or cell.test.p is None else f"{cell.test.p:.3f}"
    numbers = [_value_text(cell.risk), _value_text(cell.spread), _value_text(cell.training_risk)]
    return ["*" if is_best else "", *values, *numbers, f"{cell.support:.1f}", p]


def _estimate_lines(
    estimate: Estimate, models: Sequence[Mapping[str, Any]], risk: Risk, division: str
) -> str:
    spread = "" if estimate.spread is None else f" ± {_value_text(estimate.spread)}"
    parts = counted(len(estimate.parts), "part")
    rows = {
        "procedure": ", ".join(filter(None, (estimate.procedure, parts, division))),
        "risk": f"{_value_text(estimate.risk)}{spread} ({risk.label}: {risk.help})",
    }
    if models:
        best = ", ".join(
            f"{key} {_value_text(value)}" for key, value in models[estimate.best].items()
        )
        rows["best"] = f"{best} (marked *)"
    bounds = estimate.cells[estimate.best].bounds
    if bounds is not None:
        rows["bounds"] = (
            f"support vectors / n {_value_text(bounds.support)}, ξα {_value_text(bounds.xi_alpha)}"
        )
    rows["note"] = estimate.note
    width = max(map(len, rows))
    return "\n".join(f"{name:<{width}}  {text}" for name, text in rows.items())


def _value_text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "on" if value else "off"
    return shorten(value) if isinstance(value, str) else f"{value:.4g}"
