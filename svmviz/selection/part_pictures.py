"""Parts that were left out, each with the boundary of the model that was trained without it.

A *part* is a subset of the points. The Folds panel paints one picture per part.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from solvers import BadInput, solve
from solvers.cancelling import check_cancelled
from solvers.problem.losses import misclassified
from solvers.problem.problem import Problem
from solvers.selection.fitting import WholeFit
from solvers.selection.memory import Memory
from solvers.selection.models import Model
from solvers.selection.search import Result
from svmviz.camera.camera import Camera, Margins
from svmviz.document.document import Document
from svmviz.frames.decision_field import make_field
from svmviz.frames.frame import Field
from svmviz.frames.viewport import Grid
from svmviz.selection.background_search import SearchJob
from svmviz.selection.fold_plan import MAX_LEFT_OUT, FoldPlan

# Number of nodes along the longer side of the grid on which f is evaluated.
NODES = 112
# Height of the camera of the pictures, px. Only the ratio of width to height matters, because each
# picture resizes the camera to its own size.
HEIGHT = 400.0
# Maximum and minimum ratio of width to height of a picture. Within these limits, a picture has the
# ratio of the region of the points, if both axes have the same units; if not, it has the maximum.
MAX_ASPECT, MIN_ASPECT = 1.6, 1.0


@dataclass(frozen=True, eq=False)
class LeftOutPart:
    """A part that was left out, or the fit on all points.

    The first result of leave-one-out is the fit on all points: no point is left out, and ``rows``
    contains all points.

    Attributes
    ----------
    result : Result
    boundary : list of arrays, shape (m, 2)
        The contour f = 0 of the model trained without the part, in data units; empty for the rival
        of a comparison.
    field : Field or None
        f on a grid over the picture; None for the single points of leave-one-out, whose pictures
        show only the boundary.
    is_retrained : bool
        Whether a model was trained without the part. It is not if every point of the part has
        alpha = 0, since leaving out such points does not change f. Then the boundary is that of the
        model trained on all points.
    """

    result: Result
    boundary: list[np.ndarray]
    field: Field | None
    is_retrained: bool = True

    @property
    def rows(self) -> np.ndarray:
        """Indices of the points left out, shape (m,); in the fit on all points, of all points."""
        return self.result.split.test

    @property
    def is_full_fit(self) -> bool:
        """Whether this is the fit on all points."""
        return self.result.is_of_all_points

    def errors(self, labels: np.ndarray) -> np.ndarray:
        """Return whether each point of ``rows`` is misclassified, shape (m,).

        ``labels`` are those of all points, shape (n,).
        """
        return misclassified(labels[self.rows], self.result.fit.decision)


def camera_of(document: Document, aspect: str) -> Camera:
    """Return the camera that all pictures of a document share; it has no margins.

    ``aspect`` is "equal", "free" or "auto"; see :meth:`Camera.fitted`.
    """
    camera = Camera().fitted(document.data.points, aspect)
    ratio = camera.span_x / camera.span_y if camera.equal else MAX_ASPECT
    return camera.resized(
        HEIGHT * min(max(ratio, MIN_ASPECT), MAX_ASPECT), HEIGHT, Margins(0, 0, 0, 0)
    )


def parts_job(document: Document, plan: FoldPlan, camera: Camera) -> SearchJob:
    """Return the job that yields a :class:`LeftOutPart` for each result of a plan."""

    def begin(memory: Memory) -> Iterator[LeftOutPart]:
        if plan.leaves_single_points and document.n > MAX_LEFT_OUT:
            raise BadInput(
                f"Leave-one-out of {document.n:,} points would train for too long: choose k folds, "
                f"or at most {MAX_LEFT_OUT:,} points."
            )
        problem = document.problem()
        pictures = _Pictures(document, problem, _grid(camera))
        for result in plan.results(problem, document.method, memory):
            check_cancelled()
            yield pictures.make_part(result)

    return SearchJob(begin, plan.fits(document.n))


def _grid(camera: Camera) -> Grid:
    ratio = camera.width / camera.height
    return Grid(*camera.view, NODES, max(16, round(NODES / ratio)))


class _Pictures:
    """Maker of a :class:`LeftOutPart` from each result.

    A result contains f only at the points of its part. To draw f on a grid, the model is trained
    once more.
    """

    def __init__(self, document: Document, problem: Problem, grid: Grid) -> None:
        self._document, self._problem, self._grid = document, problem, grid
        self._model = Model(document.method)
        # The fit on all points, which leave-one-out yields first; None in other procedures.
        self._full_fit: LeftOutPart | None = None

    def make_part(self, result: Result) -> LeftOutPart:
        full_fit = self._full_fit
        if result.model:
            # The rival of a comparison has no pictures.
            return LeftOutPart(result, [], None)
        if result.is_of_all_points:
            field = self._field(result)
            self._full_fit = LeftOutPart(result, field.contours[0.0], field)
            return self._full_fit
        if full_fit is None:
            field = self._field(result)
            return LeftOutPart(result, field.contours[0.0], field)
        fit = full_fit.result.fit
        if isinstance(fit, WholeFit) and fit.unchanged[result.split.test].all():
            return LeftOutPart(result, full_fit.boundary, None, is_retrained=False)
        return LeftOutPart(result, self._field(result).contours[0.0], None)

    def _field(self, result: Result) -> Field:
        problem = self._model.on(self._problem, result.split.train)
        with np.errstate(all="ignore"):
            run = solve(problem, self._model.method)
            return make_field(problem, run.expansion, self._document.factors, self._grid)
