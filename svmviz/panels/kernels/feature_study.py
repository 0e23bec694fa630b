"""The study of the Feature map panel: what is drawn, computed in the frame thread."""

from __future__ import annotations

from dataclasses import dataclass

import contourpy
import numpy as np

from solvers import RBF, Problem
from solvers.kernels.feature_maps import FeatureMap, feature_map, gaussian_field
from solvers.run.run import Run
from svmviz.frames.frame import Frame, Lane
from svmviz.panels.kernels.feature_solids import Chosen, Lift, chosen_coordinates, lift, surface
from svmviz.panels.kernels.plane_box import plane_box
from svmviz.panels.kernels.solid_view import Solid

# Nodes along each axis of the picture of the boundaries.
NODES = 97
# Points whose phi is computed at once, for the numbers of a point and the largest error in K.
MAX_POINTS = 400
# Room around the points in the picture of the boundaries, as a fraction of their range.
MARGIN = 0.15


@dataclass(frozen=True, eq=False)
class MappedPoints:
    """phi of a problem's points, which does not depend on the step.

    Attributes
    ----------
    map : FeatureMap
    phi : array, shape (min(n, MAX_POINTS), number of coordinates)
    error : float
        Largest error of ``<phi, phi>`` in K of these points; 0 if the map is exact.
    """

    map: FeatureMap
    phi: np.ndarray
    error: float


@dataclass(frozen=True, eq=False)
class Boundaries:
    """f = 0 of the RBF kernel and of its first terms, with the same beta and b.

    Attributes
    ----------
    exact, cut : tuple of arrays, shape (k, 2)
        The lines, in solver units.
    low, high : array, shape (2,)
        The part of the plane that was searched for them.
    """

    exact: tuple[np.ndarray, ...]
    cut: tuple[np.ndarray, ...]
    low: np.ndarray
    high: np.ndarray


@dataclass(frozen=True, eq=False)
class FeatureStudy:
    """What the panel shows of a frame.

    Attributes
    ----------
    mapped : MappedPoints or None
        None if phi of this kernel is not written out.
    lift : Lift or None
        None if ``height`` is shown.
    height : Solid or None
        f over the plane.
    boundaries : Boundaries or None
        None if the map is exact.
    """

    mapped: MappedPoints | None
    lift: Lift | None
    height: Solid | None
    boundaries: Boundaries | None = None


class StudyFeatures:
    """The study for some settings of the panel; it remembers phi of the last problem.

    Parameters
    ----------
    terms : int
        T, after which the map of the RBF kernel is cut off.
    chosen : tuple of 3 int, or None
        The coordinates that are drawn, None for the first three.
    shows_height : bool
        Whether f is drawn as a height, in place of the coordinates.
    """

    def __init__(self, terms: int, chosen: Chosen | None, shows_height: bool) -> None:
        self._terms, self._chosen, self._shows_height = terms, chosen, shows_height
        self._last: tuple[Problem, MappedPoints | None] | None = None

    def __call__(self, frame: Frame, runs: tuple[Run, ...]) -> FeatureStudy | None:
        lane = frame.lane
        # The panel is hidden only after this frame is made, if the document is a regression or has
        # no coordinates.
        is_regression = frame.document.task == "regression"
        if lane is None or is_regression or not frame.document.has_coordinates:
            return None
        if self._last is None or self._last[0] is not lane.problem:
            self._last = lane.problem, map_points(lane.problem, self._terms)
        mapped = self._last[1]
        chosen = None if mapped is None else chosen_coordinates(mapped.map, self._chosen)
        if mapped is None or chosen is None or self._shows_height:
            lifted, height = None, surface(lane, frame.document.factors)
        else:
            lifted, height = lift(lane, mapped.map, chosen), None
        if mapped is None or mapped.map.is_exact:
            return FeatureStudy(mapped, lifted, height)
        return FeatureStudy(mapped, lifted, height, find_boundaries(lane, self._terms))


def map_points(problem: Problem, terms: int) -> MappedPoints | None:
    """Return phi of the points; None if the map of the kernel is not written out."""
    found = feature_map(problem.kernel, problem.X.shape[1], terms)
    if found is None:
        return None
    sample = problem.X[:MAX_POINTS]
    phi = found(sample)
    error = 0.0
    if not found.is_exact:
        error = float(np.abs(phi @ phi.T - problem.kernel(sample, sample)).max())
    return MappedPoints(found, phi, error)


def find_boundaries(lane: Lane, terms: int) -> Boundaries:
    """Return the boundary of the RBF kernel, and that of its map cut off after ``terms``."""
    problem, expansion = lane.problem, lane.expansion
    assert isinstance(problem.kernel, RBF)
    low, high = plane_box(problem.X, MARGIN)
    xs, ys = (np.linspace(a, b, NODES) for a, b in zip(low, high, strict=True))
    support, beta, gamma = expansion.support, expansion.beta, problem.kernel.gamma
    cut = gaussian_field(problem.X[support], beta[support], gamma, terms, xs, ys)
    exact, cut_lines = (
        tuple(np.asarray(line) for line in contourpy.contour_generator(xs, ys, f).lines(0.0))
        for f in (expansion.on_grid(xs, ys), cut + expansion.bias)
    )
    return Boundaries(exact, cut_lines, low, high)
