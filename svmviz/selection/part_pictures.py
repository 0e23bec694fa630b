"""Parts that were left out, with the boundary of what was trained without them, for pictures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from solvers import BadInput, solve
from solvers.cancelling import check_cancelled
from solvers.problem.problem import Problem
from solvers.selection.fitting import WholeFit
from solvers.selection.memory import Memory
from solvers.selection.models import Model
from solvers.selection.search import TRAINING, Result
from svmviz.camera.camera import Camera, Margins
from svmviz.document.document import Document
from svmviz.frames.decision_field import make_field
from svmviz.frames.frame import Field
from svmviz.frames.viewport import Grid
from svmviz.selection.background_search import Job
from svmviz.selection.fold_plan import MAX_LEFT_OUT, FoldPlan

# Nodes of the grid along its longer side.
NODES = 112
# Height of a camera without a widget, px; only its ratio to the width counts.
HEIGHT = 400.0
# Smallest and largest ratio of width to height of a picture; between them it is that of the points.
FLATTEST, SQUAREST = 1.6, 1.0


@dataclass(frozen=True, eq=False)
class Part:
    """A part that was left out.

    Attributes
    ----------
    result : Result
    boundary : list of arrays, shape (m, 2)
        The contour f = 0 of what was trained without the part, in data units.
    field : Field or None
        f over the picture; None if the part is one point.
    changes : bool
        Whether the problem had to be solved without the part; otherwise the boundary is that of
        all points.
    """

    result: Result
    boundary: list[np.ndarray]
    field: Field | None
    changes: bool = True

    @property
    def rows(self) -> np.ndarray:
        """The points left out."""
        return self.result.split.test

    @property
    def is_whole(self) -> bool:
        """Whether it is no part: the fit on all points, from which leave-one-out begins."""
        return self.result.on == TRAINING

    def errors(self, labels: np.ndarray) -> np.ndarray:
        """Return which of its points are misclassified, from the labels of all points."""
        return labels[self.rows] * self.result.fit.decision <= 0.0


def camera_of(document: Document, aspect: str) -> Camera:
    """Return the camera of every picture of a document, without margins."""
    camera = Camera().fitted(document.data.points, aspect)
    ratio = camera.span_x / camera.span_y if camera.equal else FLATTEST
    return camera.resized(HEIGHT * min(max(ratio, SQUAREST), FLATTEST), HEIGHT, Margins(0, 0, 0, 0))


def parts_job(document: Document, plan: FoldPlan, camera: Camera) -> Job:
    """Return the job that yields a :class:`Part` for each result of a plan."""

    def begin(memory: Memory) -> Iterator[Part]:
        if plan.leaves_single_points and document.n > MAX_LEFT_OUT:
            raise BadInput(
                f"Leave-one-out of {document.n:,} points would train for too long: choose k folds, "
                f"or at most {MAX_LEFT_OUT:,} points."
            )
        problem = document.problem()
        painted = _Pictures(document, problem, _grid(camera))
        for result in plan.results(problem, document.method, memory):
            check_cancelled()
            yield painted.part(result)

    return Job(begin, plan.count(document.n))


def _grid(camera: Camera) -> Grid:
    ratio = camera.width / camera.height
    return Grid(*camera.view, NODES, max(16, round(NODES / ratio)))


class _Pictures:
    """Trains again what a result was measured on, since a result does not keep f."""

    def __init__(self, document: Document, problem: Problem, grid: Grid) -> None:
        self._document, self._problem, self._grid = document, problem, grid
        self._model = Model(document.method)
        self._whole: Part | None = None

    def part(self, result: Result) -> Part:
        """Return the part of a result."""
        whole = self._whole
        if result.on == TRAINING:
            field = self._field(result)
            self._whole = Part(result, field.contours[0.0], field)
            return self._whole
        if whole is None:
            field = self._field(result)
            return Part(result, field.contours[0.0], field)
        fit = whole.result.fit
        if isinstance(fit, WholeFit) and fit.unchanged[result.split.test].all():
            return Part(result, whole.boundary, None, changes=False)
        return Part(result, self._field(result).contours[0.0], None)

    def _field(self, result: Result) -> Field:
        problem = self._model.on(self._problem, result.split.train)
        with np.errstate(all="ignore"):
            run = solve(problem, self._model.method)
            return make_field(problem, run.expansion, self._document.factors, self._grid)
