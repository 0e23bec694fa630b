"""The lines of a script on more than two classes: all points, and the decision of all machines.

The script trains and draws the machine that the document looks at, as it does for two classes. Then
it trains the machines of both reductions, and draws the classes that they decide for.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from solvers import Method
from solvers.problem.machines import REDUCTION_TITLES, Machine, machines_of
from svmviz.colours.contrast import mix
from svmviz.colours.themes import Theme
from svmviz.document.document import Document
from svmviz.document.held_out import TRAINING
from svmviz.export.code import drawing
from svmviz.export.code.drawing import (
    has_scaled_axes,
    literal,
    plane_figure,
    solver_lines,
    table,
    weight_lines,
)
from svmviz.export.code.listing import CodeCell
from svmviz.frames.solved_machines import decision_at, solve_machines

# Fraction of the colour of a class in the region where it is decided for.
REGION = 0.3
# The title of machines that are no reduction.
OWN = "the code matrix of the scene"
DECIDE = '''def train(machines):
    """Return machines with their functions f, except those with a side without points.

    A machine has +1 for a class on its positive side, -1 for one on its negative side, and 0 for
    one that it leaves out.
    """
    trained = []
    for machine in machines:
        labels = machine[classes]
        seen = labels != 0
        if len(set(labels[seen])) == 2:
{fit}
            trained.append((machine, f))
    return trained


def decide(trained, places):
    """Return the class that machines decide for at places of the solver, shape (m,).

    Most votes decide, then the largest sum of f in favour of a class.
    """
    votes = sums = np.zeros((len(places), len(CLASSES)))
    for machine, f in trained:
        values = f(places)[:, None]
        votes = votes + (values >= 0.0) * (machine > 0) + (values < 0.0) * (machine < 0)
        sums = sums + values * machine
    has_most = votes == votes.max(axis=1, keepdims=True)
    return np.where(has_most, sums, -np.inf).argmax(axis=1)'''
COLOURS_IMPORT = "from matplotlib.colors import ListedColormap\n"


def penalty_code(document: Document) -> str:
    """Return code for C of a machine that sees the points ``seen``; empty if all have the same."""
    penalty = document.penalty
    if penalty.kind == "C" or not penalty.value:
        return ""
    return f"1.0 / ({penalty.value!r} * seen.sum())"


def points_and_figure(
    document: Document, decision: np.ndarray, method: Method, colours: Theme, bound: str
) -> tuple[str, str]:
    """Return the lines that define the points and those that draw, for any number of classes.

    The arguments are those of :func:`data_lines` and :func:`figure_lines`.
    """
    if document.has_decision:
        points = data_lines(document, decision, method)
        return points, figure_lines(document, colours, bound)
    return drawing.data_lines(document, decision), drawing.figure_lines(document, colours, bound)


def data_lines(document: Document, decision: np.ndarray, method: Method) -> str:
    """Return the lines that define the points of all classes, and those of the machine.

    ``decision``, shape (n,), are the machine's decision values. The classes that the script should
    decide for are those of machines that ``method`` solves.
    """
    many = document.many_classes
    in_training = many.parts == TRAINING
    data, values = many.data.at(in_training), np.zeros(len(many.data))
    values[many.rows(TRAINING)] = decision
    decided = [
        _decided(document, machines, method)[in_training].tolist()
        for machines in _code_matrices(document).values()
    ]
    columns = data.points.T.tolist(), data.classes.tolist(), values[in_training].tolist()
    rows = [list(row) for row in zip(*columns[0], *columns[1:], *decided, strict=True)]
    held = int((~in_training).sum())
    code = list(many.machine.code)
    lines = [
        f"CLASSES = {_listed(map(literal, document.class_names))}",
        "# Of each point: its coordinates, the index of its class, f(x) of this machine as svmviz",
        "# computed it (0 if the machine leaves the point out), and the class that svmviz decided",
        f"# for by {', by '.join(_code_matrices(document))}.",
        *([f"# The other {held} points of the scene are held out."] if held else []),
        table("DATA", rows),
        "all_x1, all_x2, classes = *DATA[:, :2].T, DATA[:, 2].astype(int)",
        "# The machine has +1 for classes on its positive side, -1 for those on its negative side,",
        "# and 0 for classes that it leaves out.",
        f"machine = np.array({code!r})",
        "is_seen = machine[classes] != 0",
        "x1, x2, y = all_x1[is_seen], all_x2[is_seen], machine[classes][is_seen].astype(float)",
        "expected = DATA[is_seen, 3]",
        *weight_lines(document, "classes"),
        *(["all_weights, weights = weights, weights[is_seen]"] if document.has_weights else []),
        *solver_lines(document),
        f"all_X = DATA[:, :2]{' / scale' if has_scaled_axes(document) else ''}",
    ]
    return "\n".join(lines)


def decision_cells(document: Document, fit: str) -> tuple[CodeCell, ...]:
    """Return the cell on the decision of all machines, if the document has one.

    It has the functions that train and decide, and lines that compare with svmviz's classes.
    ``fit`` is code that trains on ``all_X[seen]`` and ``labels[seen]``, and defines the function f.
    """
    if not document.has_decision:
        return ()
    indented = "\n".join(f"            {line}" for line in fit.splitlines())
    matrices = "\n".join(
        f"    {literal(title)}: {_listed((repr(list(one.code)) for one in machines), 1)},"
        for title, machines in _code_matrices(document).items()
    )
    code = f"""{DECIDE.format(fit=indented)}


MACHINES = {{
{matrices}
}}
TRAINED = {{title: train(np.array(machines)) for title, machines in MACHINES.items()}}
for number, (title, trained) in enumerate(TRAINED.items()):
    decided = decide(trained, all_X)
    wrong = (decided != classes).sum()
    otherwise = (decided != DATA[:, 4 + number]).sum()
    print(f"{{title}}: {{wrong}} of {{len(classes)}} points decided wrongly, ", end="")
    print(f"{{otherwise}} decided otherwise than by svmviz")"""
    return (CodeCell("All machines", code, is_definition=True),)


def figure_lines(document: Document, colours: Theme, bound: str) -> str:
    """Return lines that draw the machine, and beside it what all machines decide.

    ``colours`` are those of the sides of the machine; for the others see
    :func:`svmviz.export.code.drawing.figure_lines`.
    """
    many = document.many_classes
    count, k = 1 + len(_code_matrices(document)), len(document.class_names)
    fills = list(colours.classes[:k])
    regions = [mix(colours.plane, fill, REGION) for fill in fills]
    nodes = "coarse / scale" if has_scaled_axes(document) else "coarse"
    left, right = map(literal, document.data.axis_names)
    return f"""size = {{"figsize": ({7 * count}, 6), "layout": "constrained"}}
figure, (axes, *planes) = plt.subplots(1, {count}, **size)
{plane_figure(document, colours, bound, "all_x1", "all_x2")}
# Points that the machine leaves out are pale and hollow.
hollow = {{"fc": "none", "ec": "{colours.rest}", "s": 20.0, "alpha": 0.8}}
axes.scatter(all_x1[~is_seen], all_x2[~is_seen], **hollow)
axes.set_title({literal(many.machine.name(document.class_names))}, parse_math=False)
FILLS = {_listed(map(literal, fills))}
REGIONS = {_listed(map(literal, regions))}
coarse = np.stack(np.meshgrid(across[::2], up[::2]), axis=-1).reshape(-1, 2)
for plane, (title, trained) in zip(planes, TRAINED.items()):
    decided = decide(trained, {nodes}).reshape(len(up[::2]), len(across[::2]))
    look = {{"cmap": ListedColormap(REGIONS), "vmin": 0, "vmax": len(CLASSES) - 1}}
    plane.pcolormesh(across[::2], up[::2], decided, shading="nearest", **look)
    for number, fill in enumerate(FILLS):
        place = all_x1[classes == number], all_x2[classes == number]
        look = {{"c": fill, "ec": "{colours.ring}", "lw": 0.5, "marker": "os^DvP"[number]}}
        plane.scatter(*place, **look, s=20)
    plane.set_title(title)
    plane.set_xlabel({left}, parse_math=False)
    plane.set_ylabel({right}, parse_math=False)
    legend = plane.legend(list("123456"[: len(CLASSES)]))
    for text, name in zip(legend.get_texts(), CLASSES):
        text.set(text=name, parse_math=False)"""


def _listed(items: Iterable[str], depth: int = 0) -> str:
    """Return the code of a list with a line per item, in which ``depth`` blocks are open."""
    indent = "    " * depth
    lines = "".join(f"{indent}    {item},\n" for item in items)
    return f"[\n{lines}{indent}]"


def _code_matrices(document: Document) -> dict[str, tuple[Machine, ...]]:
    """Return the machines of both reductions, and those of the document if they are others."""
    many = document.many_classes
    matrices = {title: machines_of(name, many.k) for name, title in REDUCTION_TITLES.items()}
    return matrices if many.reduction else {**matrices, OWN: many.machines}


def _decided(document: Document, machines: tuple[Machine, ...], method: Method) -> np.ndarray:
    """Return the class that machines decide for at each point of the document, shape (n_all,)."""
    many = document.many_classes
    changed = replace(document, methods=(method,)).with_many(many.with_machines(machines))
    expansions = [machine.expansion for machine in solve_machines(changed)]
    return decision_at(machines, expansions, document.solver_points).classes
