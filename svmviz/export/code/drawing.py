"""The lines of a script that define the points, and the lines that draw them with matplotlib."""

from __future__ import annotations

import math
import re

import numpy as np

from svmviz.colours.themes import Theme
from svmviz.document.document import Document

# Maximum length of a call on one line, characters.
MAX_CALL_LENGTH = 70


def literal(text: str) -> str:
    """Return a text as a Python literal, with the quotes that code formatters prefer.

    Halves of surrogate pairs, at which matplotlib fails, become U+FFFD.
    """
    text = re.sub("[\ud800-\udfff]", "\ufffd", text)
    quote = "'" if text.count('"') > text.count("'") else '"'
    signs = (rf"\{sign}" if sign == quote else repr(sign)[1:-1] for sign in text)
    return f"{quote}{''.join(signs)}{quote}"


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
    if document.data.items is not None:
        return "\n".join([*lines, *_item_lines(document)])
    factors = document.factors.tolist()
    points = "x[:, None]" if document.is_regression else "np.column_stack([x1, x2])"
    if not has_scaled_axes(document):
        return "\n".join([*lines, f"X = {points}"])
    scale = repr(factors[0]) if document.is_regression else f"np.array({factors!r})"
    scaling = f"# The solver works with scaled axes.\nscale = {scale}\nX = points / scale"
    return "\n".join([*lines, f"points = {points}", scaling])


def _item_lines(document: Document) -> list[str]:
    """Return the lines that define the Gram matrix, the points of the solver, and the words."""
    items = document.data.items
    assert items is not None
    rows = "\n".join(f"        {row!r}," for row in items.gram(document.kernel).tolist())
    names = "\n".join(f"    {literal(name)}," for name in items.names)
    return [
        "# x1 and x2 are places in the picture, two components of kernel PCA. The kernel is given",
        "# by its matrix, and a point of the solver is its number with its row of the matrix.",
        f"GRAM = np.array(\n    [\n{rows}\n    ]\n)",
        "X = np.column_stack([np.arange(len(GRAM)), GRAM])",
        f"NAMES = [\n{names}\n]",
    ]


def has_scaled_axes(document: Document) -> bool:
    """Return whether the points ``X`` of the solver are not the points in data units."""
    return document.factors.tolist() != [1.0, 1.0]


def data_points(document: Document) -> str:
    """Return the name of the array of points in data units."""
    return "points" if has_scaled_axes(document) else "X"


def decision_lines(document: Document, value: str, when: str = "") -> str:
    """Return the definition of ``decision``, which takes points in data units.

    ``value`` is code for f at ``{points}`` in the units of the solver; ``when`` is a part of the
    docstring.
    """
    solver_points = "points / scale" if has_scaled_axes(document) else "points"
    return f'''def decision(points):
    """Return f at points in data units{when}, shape (m,)."""
    return {value.format(points=solver_points)}'''


def figure_lines(document: Document, colours: Theme) -> str:
    """Return lines that draw the function ``decision`` and the points, in the colours of a theme.

    Support vectors have rings.
    """
    if document.is_regression:
        return _curve_figure(document, colours)
    if not document.has_coordinates:
        return _ITEM_FIGURE + _points_of_classes(document, colours)
    return _plane_figure(document, colours)


_ITEM_FIGURE = """figure, axes = plt.subplots(figsize=(8, 6), layout="constrained")
# f has values at the points only, so there is no boundary to draw.
for place, name in zip(zip(x1, x2), NAMES):
    axes.annotate(name, place, (4, 4), textcoords="offset points", parse_math=False)
"""


def _plane_figure(document: Document, colours: Theme) -> str:
    return f"""figure, axes = plt.subplots(figsize=(8, 6), layout="constrained")
pad = 0.12 * max(np.ptp(x1), np.ptp(x2), 1e-9)
across = np.linspace(x1.min() - pad, x1.max() + pad, 300)
up = np.linspace(x2.min() - pad, x2.max() + pad, 300)
nodes = np.stack(np.meshgrid(across, up), axis=-1).reshape(-1, 2)
field = decision(nodes).reshape(len(up), len(across))
edge = max(2.0, np.abs(field).max() + 1.0)
shades = [
    "{colours.negative_band}",
    "{colours.negative_field}",
    "{colours.positive_field}",
    "{colours.positive_band}",
]
axes.contourf(across, up, field, levels=[-edge, -1.0, 0.0, 1.0, edge], colors=shades)
axes.contour(
    across,
    up,
    field,
    levels=[-1.0, 0.0, 1.0],
    colors=["{colours.margin}", "{colours.boundary}", "{colours.margin}"],
    linewidths=[1.0, 2.2, 1.0],
    linestyles="solid",
)
{_points_of_classes(document, colours)}"""


def _points_of_classes(document: Document, colours: Theme) -> str:
    """Return the lines that draw the points of each class, the rings and the names."""
    left, right = map(literal, document.data.axis_names)
    negative, positive = map(literal, document.data.class_names)
    return f"""for label, colour, marker in [
    (-1, "{colours.negative}", "s"),
    (1, "{colours.positive}", "o"),
]:
    mine = y == label
    place = x1[mine], x2[mine]
    axes.scatter(*place, c=colour, marker=marker, s=40, label=str(label), zorder=3)
ringed = beta != 0.0
rings = {{"facecolors": "none", "edgecolors": "{colours.boundary}", "s": 130}}
axes.scatter(x1[ringed], x2[ringed], **rings)
axes.set_xlabel({left}, parse_math=False)
axes.set_ylabel({right}, parse_math=False)
# Names are set afterwards, because matplotlib omits labels such as "_a" and reads $ as a formula.
names = [{negative}, {positive}]
for text, name in zip(axes.legend().get_texts(), names):
    text.set(text=name, parse_math=False)"""


def _curve_figure(document: Document, colours: Theme) -> str:
    left, right = map(literal, document.data.axis_names)
    return f"""figure, axes = plt.subplots(figsize=(8, 6), layout="constrained")
pad = 0.05 * max(np.ptp(x), 1e-9)
across = np.linspace(x.min() - pad, x.max() + pad, 600)
curve = decision(across[:, None])
axes.fill_between(
    across,
    curve - {document.epsilon!r},
    curve + {document.epsilon!r},
    color="{colours.positive_field}",
)
axes.plot(across, curve, color="{colours.boundary}", linewidth=2.2)
axes.scatter(x, y, c="{colours.positive}", s=40, zorder=3)
ringed = beta != 0.0
rings = {{"facecolors": "none", "edgecolors": "{colours.boundary}", "s": 130}}
axes.scatter(x[ringed], y[ringed], **rings)
axes.set_xlabel({left}, parse_math=False)
axes.set_ylabel({right}, parse_math=False)"""
