"""The lines of a script that define the points, and the lines that draw them with matplotlib."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np

from svmviz.camera.camera import Camera
from svmviz.colours.contrast import mix
from svmviz.colours.themes import Theme
from svmviz.document.document import Document
from svmviz.plane.paint.crowd import size_of
from svmviz.plane.paint.point_shapes import class_colours
from svmviz.plane.paint.roles import BOUND, CROSS, EDGE, FREE, HALF_SIDE, ROLES, ZERO

# Maximum length of a call on one line, characters.
MAX_CALL_LENGTH = 70
# Points of type per px of a figure, which has 800 x 600.
POINTS_PER_PX = 0.72


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
    if document.held_out is not None:
        head += f"\n# The other {document.held_out.n} points of the scene are held out."
    lines = [head, table("DATA", rows), names]
    return "\n".join([*lines, *weight_lines(document), *solver_lines(document)])


def weight_lines(document: Document, classes: str = "") -> list[str]:
    """Return the lines that define the weights of the points; none if all are 1.

    ``classes`` is code for the indices of the classes of the points, by default of those of ``y``.
    """
    classes = classes or (
        repr(document.classes.tolist()) if document.many else "(y > 0).astype(int)"
    )
    if not document.has_weights:
        return []
    per_class = document.weight_per_class.tolist()
    return [
        "# C times the weight of its class is the C of a point.",
        f"weights = np.array({per_class!r})[{classes}]",
    ]


def table(name: str, rows: list[list[Any]]) -> str:
    """Return the definition of an array, with a line per row."""
    row_lines = "\n".join(f"        {row!r}," for row in rows)
    return f"{name} = np.array(\n    [\n{row_lines}\n    ]\n)"


def solver_lines(document: Document) -> list[str]:
    """Return the lines that define ``X``, the points in the units of the solver."""
    if document.data.items is not None:
        return _item_lines(document)
    factors = document.factors.tolist()
    points = "x[:, None]" if document.is_regression else "np.column_stack([x1, x2])"
    if not has_scaled_axes(document):
        return [f"X = {points}"]
    scale = repr(factors[0]) if document.is_regression else f"np.array({factors!r})"
    scaling = f"# The solver works with scaled axes.\nscale = {scale}\nX = points / scale"
    return [f"points = {points}", scaling]


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


def figure_lines(document: Document, colours: Theme, bound: str) -> str:
    """Return lines that draw the function ``decision`` and the points, in the colours of a theme.

    ``bound`` is code for the bound of alpha. Points have the marks of the plane.
    """
    if document.is_regression:
        return _curve_figure(document, colours, bound)
    if not document.has_coordinates:
        return _ITEM_FIGURE + _points_of_classes(document, colours, bound)
    return f"{SUBPLOTS}\n{plane_figure(document, colours, bound)}"


SUBPLOTS = 'figure, axes = plt.subplots(figsize=(8, 6), layout="constrained")'
_ITEM_FIGURE = f"""{SUBPLOTS}
# f has values at the points only, so there is no boundary to draw.
for place, name in zip(zip(x1, x2), NAMES):
    axes.annotate(name, place, (4, 4), textcoords="offset points", parse_math=False)
"""


def plane_figure(
    document: Document, colours: Theme, bound: str, x1: str = "x1", x2: str = "x2"
) -> str:
    """Return the lines that draw field, boundary, margins and points into ``axes``.

    ``x1`` and ``x2`` are the names of the coordinates that the figure shows.
    """
    return f"""pad = 0.12 * max(np.ptp({x1}), np.ptp({x2}), 1e-9)
across = np.linspace({x1}.min() - pad, {x1}.max() + pad, 300)
up = np.linspace({x2}.min() - pad, {x2}.max() + pad, 300)
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
{_points_of_classes(document, colours, bound)}"""


def _points_of_classes(document: Document, colours: Theme, bound: str) -> str:
    """Return the lines that draw the points of each class, the crosses and the names."""
    left, right = map(literal, document.data.axis_names)
    names = ", ".join(map(literal, document.data.class_names))
    radius = ROLES[FREE].radius(_size(document))
    cross = (2.0**0.5 * CROSS.reach * radius * POINTS_PER_PX) ** 2
    width = CROSS.share(radius) * CROSS.width * POINTS_PER_PX
    cap = "Cᵢ" if document.has_weights else "C"
    return f"""wrong = y * decision({data_points(document)}) < 0.0
place = x1[wrong], x2[wrong]
cross = {{"c": "{colours.bad}", "marker": "x", "s": {cross:.3g}, "lw": {width:.2g}, "zorder": 3}}
crosses = axes.scatter(*place, **cross)
{_marks(document, colours, "x1", "x2", bound)}
axes.set_xlabel({left}, parse_math=False)
axes.set_ylabel({right}, parse_math=False)
handles = [drawn[0], drawn[1], drawn[3], (drawn[3], drawn[5]), crosses]
# Names are set afterwards, because matplotlib omits labels such as "_a" and reads $ as a formula.
names = [{names}, "support vector", "α at cap {cap}", "misclassified"]
for text, name in zip(axes.legend(handles, list("12345")).get_texts(), names):
    text.set(text=name, parse_math=False)"""


def _size(document: Document) -> float:
    """Return the size of marks in the figure, as a fraction of their full size."""
    camera = Camera(width=800.0, height=600.0).fitted(document.data.points, "free")
    return size_of(document.data, camera, 1.0)


def _marks(document: Document, colours: Theme, across: str, up: str, bound: str) -> str:
    """Return the table of marks, and the loop that draws its rows.

    A pale mark is that of a point that is no support vector; that of a support vector has a strong
    outline, and a core above it says that its alpha is C.
    """
    size, rows = _size(document), []
    labels = (1,) if document.is_regression else (-1, 1)
    for role, chosen in ((ZERO, "~support"), (FREE, "support"), (BOUND, "at_bound")):
        for label in labels:
            mark, marker = ROLES[role], "o" if label > 0 else "s"
            fill, edge = class_colours(colours, label)
            fill = mix(colours.plane, fill, mark.filling(size))
            edge = edge if mark.outline == EDGE else colours.ring
            radius, width = mark.radius(size) * POINTS_PER_PX, mark.line(size) * POINTS_PER_PX
            if role == BOUND:
                radius, width, fill = mark.core * radius, 0.0, colours.plane
            # matplotlib takes the area of the square around a mark.
            area = (2.0 * radius * (1.0 if label > 0 else HALF_SIDE)) ** 2
            own = f"{chosen} & (y == {label})" if len(labels) > 1 else chosen
            rows.append(f'    ({own}, "{marker}", {area:.3g}, "{fill}", "{edge}", {width:.2g}),')
    table = "\n".join(rows)
    return f"""# Support vectors have a strong outline, at their cap C a core; others are pale.
support, at_bound = beta != 0.0, np.abs(beta) >= {bound}
marks = [
{table}
]
drawn = []
for chosen, marker, area, fill, edge, width in marks:
    place = {across}[chosen], {up}[chosen]
    look = {{"c": fill, "ec": edge, "marker": marker, "s": area, "lw": width}}
    drawn.append(axes.scatter(*place, **look, zorder=3))"""


def _curve_figure(document: Document, colours: Theme, bound: str) -> str:
    left, right = map(literal, document.data.axis_names)
    return f"""{SUBPLOTS}
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
{_marks(document, colours, "x", "y", bound)}
axes.set_xlabel({left}, parse_math=False)
axes.set_ylabel({right}, parse_math=False)"""
