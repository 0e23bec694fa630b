"""The lines of a script that define the points, and the lines that draw them with matplotlib."""

from __future__ import annotations

import json
import math

import numpy as np

from svmviz.document.document import Document

# The colours of the light theme. They are repeated here because loading the theme loads Qt.
COLOURS = {
    "positive": "#0072b2",
    "positive_field": "#dcebf6",
    "positive_band": "#bcd9ed",
    "negative": "#d55e00",
    "negative_field": "#fce8db",
    "negative_band": "#f6cfb3",
    "boundary": "#171b22",
    "margin": "#3d4653",
}
# Maximum length of a call on one line, characters.
MAX_CALL_LENGTH = 70


def literal(text: str) -> str:
    """Return a text as a Python literal, with the quotes that code formatters prefer."""
    if '"' in text and "'" not in text and text.isprintable() and "\\" not in text:
        return f"'{text}'"
    # JSON escapes all characters that Python code must escape, even half of a surrogate pair.
    is_plain = text.isprintable() and '"' not in text and "\\" not in text
    return json.dumps(text, ensure_ascii=not is_plain)


def call(name: str, arguments: dict[str, str]) -> str:
    """Return a call with named arguments.

    If the call is long or has three or more arguments, each argument has its own line.
    """
    parts = [f"{key}={value}" for key, value in arguments.items()]
    line = f"{name}({', '.join(parts)})"
    if len(line) <= MAX_CALL_LENGTH and len(parts) < 3 and "\n" not in line:
        return line
    return "\n".join([f"{name}(", *(f"    {part}," for part in parts), ")"])


def number(value: float) -> str:
    """Return a number as Python code."""
    return "np.inf" if math.isinf(value) else repr(float(value))


def data_lines(document: Document, decision: np.ndarray) -> str:
    """Return the lines that define the points and the expected decision values.

    ``decision``, shape (n,), are the decision values that svmviz computed.
    """
    points = document.data.points.tolist()
    labels = document.data.labels.tolist()
    if document.is_regression:
        rows = [[*point, f] for point, f in zip(points, decision.tolist(), strict=True)]
        head = "# Of each point: x, its target y, and f(x) as svmviz computed it."
        names = "x, y, expected = DATA.T"
    else:
        rows = [
            [*point, int(label), f]
            for point, label, f in zip(points, labels, decision.tolist(), strict=True)
        ]
        head = "# Of each point: its coordinates, its label, and f(x) as svmviz computed it."
        names = "x1, x2, y, expected = DATA.T"
    row_lines = "\n".join(f"        {row!r}," for row in rows)
    if document.held_out is not None:
        head += f"\n# The other {document.held_out.n} points of the scene are held out."
    lines = [head, f"DATA = np.array(\n    [\n{row_lines}\n    ]\n)", names]
    factors = document.factors.tolist()
    if document.is_regression:
        scale = "" if factors[0] == 1.0 else f" / {factors[0]!r}"
        lines.append(f"X = x[:, None]{scale}")
    else:
        lines.append("X = np.column_stack([x1, x2])")
        if factors != [1.0, 1.0]:
            lines.append(f"# The solver works with scaled axes.\nscale = np.array({factors!r})")
            lines.append("X /= scale")
    return "\n".join(lines)


def figure_lines(document: Document) -> str:
    """Return lines that draw the function ``decision`` and the points.

    Support vectors have rings.
    """
    return _curve_figure(document) if document.is_regression else _plane_figure(document)


def _plane_figure(document: Document) -> str:
    left, right = map(literal, document.data.axis_names)
    negative, positive = map(literal, document.data.class_names)
    factors = document.factors.tolist()
    scaled = "" if factors == [1.0, 1.0] else "\nnodes /= scale"
    colours = COLOURS
    return f"""figure, axes = plt.subplots(figsize=(8, 6), layout="constrained")
pad = 0.12 * max(np.ptp(x1), np.ptp(x2), 1e-9)
across = np.linspace(x1.min() - pad, x1.max() + pad, 300)
up = np.linspace(x2.min() - pad, x2.max() + pad, 300)
nodes = np.stack(np.meshgrid(across, up), axis=-1).reshape(-1, 2){scaled}
field = decision(nodes).reshape(len(up), len(across))
edge = max(2.0, np.abs(field).max() + 1.0)
shades = [
    "{colours["negative_band"]}",
    "{colours["negative_field"]}",
    "{colours["positive_field"]}",
    "{colours["positive_band"]}",
]
axes.contourf(across, up, field, levels=[-edge, -1.0, 0.0, 1.0, edge], colors=shades)
axes.contour(
    across,
    up,
    field,
    levels=[-1.0, 0.0, 1.0],
    colors=["{colours["margin"]}", "{colours["boundary"]}", "{colours["margin"]}"],
    linewidths=[1.0, 2.2, 1.0],
    linestyles="solid",
)
for label, name, colour, marker in [
    (-1, {negative}, "{colours["negative"]}", "s"),
    (1, {positive}, "{colours["positive"]}", "o"),
]:
    mine = y == label
    place = x1[mine], x2[mine]
    axes.scatter(*place, c=colour, marker=marker, s=40, label=name, zorder=3)
ringed = beta != 0.0
rings = {{"facecolors": "none", "edgecolors": "{colours["boundary"]}", "s": 130}}
axes.scatter(x1[ringed], x2[ringed], **rings)
axes.set_xlabel({left})
axes.set_ylabel({right})
axes.legend()"""


def _curve_figure(document: Document) -> str:
    left, right = map(literal, document.data.axis_names)
    scale = document.factors.tolist()[0]
    scaled = "" if scale == 1.0 else f" / {scale!r}"
    colours = COLOURS
    return f"""figure, axes = plt.subplots(figsize=(8, 6), layout="constrained")
pad = 0.05 * max(np.ptp(x), 1e-9)
across = np.linspace(x.min() - pad, x.max() + pad, 600)
curve = decision(across[:, None]{scaled})
axes.fill_between(
    across,
    curve - {document.epsilon!r},
    curve + {document.epsilon!r},
    color="{colours["positive_field"]}",
)
axes.plot(across, curve, color="{colours["boundary"]}", linewidth=2.2)
axes.scatter(x, y, c="{colours["positive"]}", s=40, zorder=3)
ringed = beta != 0.0
rings = {{"facecolors": "none", "edgecolors": "{colours["boundary"]}", "s": 130}}
axes.scatter(x[ringed], y[ringed], **rings)
axes.set_xlabel({left})
axes.set_ylabel({right})"""
