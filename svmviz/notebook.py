"""Runs in a notebook: the page of a run, in a frame of its cell.

::

    import svmviz.notebook

    svmviz.notebook.show(X, y, kernel="rbf", gamma=2.0, C=10.0)

A run of :mod:`solvers` is shown as its page, too. Nothing here loads Qt, and no server is needed.
"""

from __future__ import annotations

from dataclasses import replace
from html import escape
from typing import Any

import numpy as np

from solvers import KERNELS, METHODS, BadInput, Kernel, Method, Regression, Run, solve
from solvers.data.datasets import MAX_CLASSES, PointSet, labels_of
from solvers.errors import shorten
from solvers.settings import settings_of
from svmviz.document.document import Document, Penalty
from svmviz.export.html.save import contents_within, page_of
from svmviz.export.runs.recording import Recording
from svmviz.io.scene import Scene
from svmviz.plane.sentences import caption

HEIGHT = 760


class RunPage:
    """A page that a notebook shows in a frame.

    Attributes
    ----------
    html : str
        The text of the page.
    height : int
        Height of the frame, px.
    """

    def __init__(self, html: str, height: int = HEIGHT) -> None:
        self.html = html
        self.height = height

    def __repr__(self) -> str:
        return f"<page of a run, {len(self.html):,} characters>"

    def _repr_html_(self) -> str:
        # The frame has no rights but its scripts: it sees nothing of the notebook.
        return (
            f'<iframe srcdoc="{escape(self.html)}" sandbox="allow-scripts" title="svmviz" '
            f'style="width: 100%; height: {self.height}px; border: 0"></iframe>'
        )


def show(
    X: Any,
    y: Any,
    *,
    kernel: Kernel | str = "linear",
    C: float = 1.0,
    solver: Method | str = "smo",
    title: str = "svmviz",
    height: int = HEIGHT,
    **settings: Any,
) -> RunPage:
    """Solve, and show the run.

    Parameters
    ----------
    X : array, shape (n, 2)
        Points. The columns of a table of pandas name the axes.
    y : array, shape (n,)
        Labels of any kind, of two to six classes. Of more than two, the page has one machine for
        each two, and begins with the first.
    kernel, solver : object, or name
        Names are those that ``svmviz list kernels`` and ``svmviz list solvers`` print; "poly" is
        "polynomial", as in scikit-learn.
    C : float
        Bound on each alpha; infinity for a hard margin.
    title : str
    height : int
        Height of the frame, px.
    settings
        Settings of a kernel given by its name, such as gamma and degree.

    Raises
    ------
    BadInput
        If the points cannot be solved, or a setting is wrong.
    """
    kernel = "polynomial" if kernel == "poly" else kernel
    chosen, method = _named(kernel, KERNELS, "kernel"), _named(solver, METHODS, "solver")
    own = settings_of(chosen) if isinstance(kernel, str) else {}
    if unknown := settings.keys() - own:
        of = f"The kernel {chosen.label}" if isinstance(kernel, str) else "A kernel that is given"
        raise BadInput(f"{of} takes no setting {', '.join(sorted(unknown))} here.")
    chosen = replace(chosen, **settings)
    document = Document(points_of(X, y), kernel=chosen, penalty=Penalty("C", C), methods=(method,))
    run = solve(document.problem(), method)
    return RunPage(_page(document, run, title), height)


def points_of(X: Any, y: Any) -> PointSet:
    """Return points of a table and labels of any kind as a set of points.

    Raises
    ------
    BadInput
        If there are not two columns of numbers, or not two to six classes.
    """
    columns = [shorten(str(name)) for name in getattr(X, "columns", ())]
    try:
        points = np.asarray(X, dtype=float)
    except (TypeError, ValueError):
        raise BadInput("X must hold numbers only.") from None
    if points.ndim != 2 or points.shape[1] != 2:
        shape = " x ".join(map(str, points.shape))
        raise BadInput(f"X must have two columns, the coordinates of the plane: got {shape}.")
    labels = np.asarray(y).ravel()
    if len(labels) != len(points):
        raise BadInput(f"X has {len(points):,} rows, but y has {len(labels):,} labels.")
    classes, indices = np.unique(labels.astype(str), return_inverse=True)
    if labels.dtype.kind in "biuf":
        # Numbers have their own order, not that of their digits.
        values, indices = np.unique(labels, return_inverse=True)
        classes = [f"{value:+g}" if set(values) == {-1, 1} else f"{value:g}" for value in values]
    if not 2 <= len(classes) <= MAX_CLASSES:
        raise BadInput(f"y must have two to six classes: got {len(classes):,}.")
    return PointSet(
        points,
        labels_of(indices, len(classes)),
        tuple(shorten(str(name)) for name in classes),
        (columns[0], columns[1]) if len(columns) == 2 else ("x1", "x2"),
    )


def page_of_run(run: Run) -> str | None:
    """Return the page of a run of :mod:`solvers` in a frame.

    None if a page cannot show it: a regression, points with weights, or points that do not have
    two coordinates.
    """
    problem = run.problem
    X = np.asarray(problem.X)
    in_plane = X.ndim == 2 and X.shape[1] == 2
    if isinstance(problem, Regression) or problem.weights is not None or not in_plane:
        return None
    document = Document(
        PointSet(X, problem.y.astype(np.int8)),
        kernel=problem.kernel,
        penalty=Penalty("C", problem.C),
        methods=(run.method,),
        bias=problem.bias,
    )
    return RunPage(_page(document, run, run.method.label))._repr_html_()


def _page(document: Document, run: Run, title: str) -> str:
    return page_of(title, contents_within(Recording(Scene(document), (run,), caption)))


def _named(given: Any, registry: Any, noun: str) -> Any:
    if not isinstance(given, str):
        return given
    if given not in registry:
        names = ", ".join(registry)
        raise BadInput(f"There is no {noun} {shorten(given)!r}: choose one of {names}.")
    return registry[given]()
