"""The study of the Feature map panel, which computes its drawings in the frame thread."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import cast

import contourpy
import numpy as np

from solvers import RBF, Problem
from solvers.kernels.feature_geometry import Components, components, mercer_map
from solvers.kernels.feature_maps import FeatureMap, feature_map, gaussian_field
from solvers.kernels.kernel import sample_of
from solvers.run.run import Run
from svmviz.frames.frame import Frame, Lane
from svmviz.frames.studies import ProblemStudy
from svmviz.panels.kernels.feature_solids import (
    Chosen,
    Lift,
    chosen_coordinates,
    lift,
    polar,
    surface,
)
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
    series : Components or None
        The terms of Mercer's series, if the map has these coordinates.
    share : float
        Share of these terms in the sum of the positive eigenvalues of K.
    """

    map: FeatureMap
    phi: np.ndarray
    error: float
    series: Components | None = None
    share: float = 1.0


@dataclass(frozen=True, eq=False)
class Boundaries:
    """f = 0 of the kernel and of the first terms of its map, with the same beta and b.

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
    """The results that the panel shows for a frame.

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
    radii : (float, float) or None
        Least and largest distance of f = 0 from 0, in solver units, if polar coordinates are
        shown; None if there is none.
    """

    mapped: MappedPoints | None
    lift: Lift | None
    height: Solid | None
    boundaries: Boundaries | None = None
    radii: tuple[float, float] | None = None


class StudyFeatures:
    """The study for some settings of the panel; it remembers phi of the last problem.

    Parameters
    ----------
    terms : int
        T, after which the map of the RBF kernel is cut off, or the number of terms of Mercer's
        series.
    chosen : tuple of 3 int, or None
        The coordinates that are drawn, None for the first three.
    view : {"lifted", "polar", "height"}
        The kind of drawing in three dimensions.
    is_mercer : bool
        Whether a map that is not exact is Mercer's series.
    """

    def __init__(
        self, terms: int, chosen: Chosen | None, view: str = "lifted", is_mercer: bool = False
    ) -> None:
        self._terms, self._chosen, self._view = terms, chosen, view
        self._mapped = ProblemStudy(partial(map_points, terms=terms, is_mercer=is_mercer))

    def __call__(self, frame: Frame, runs: tuple[Run, ...]) -> FeatureStudy | None:
        lane = frame.lane
        # The panel is hidden only after this frame is made, if the document is a regression or has
        # no coordinates.
        is_regression = frame.document.task == "regression"
        if lane is None or is_regression or not frame.document.has_coordinates:
            return None
        mapped = self._mapped(frame, runs)
        chosen = None if mapped is None else chosen_coordinates(mapped.map, self._chosen)
        lifted, height, radii = None, None, None
        if self._view == "polar":
            lifted, radii = polar(lane)
        elif mapped is None or chosen is None or self._view == "height":
            height = surface(lane, frame.document.factors)
        else:
            lifted = lift(lane, mapped.map, chosen)
        if mapped is None or mapped.map.is_exact:
            return FeatureStudy(mapped, lifted, height, None, radii)
        bounds = find_boundaries(lane, self._terms, mapped.series)
        return FeatureStudy(mapped, lifted, height, bounds, radii)


def map_points(problem: Problem, terms: int, is_mercer: bool = False) -> MappedPoints | None:
    """Return phi of the points; None if the map of the kernel is not written out."""
    sample, d = problem.X[:MAX_POINTS], problem.X.shape[1]
    found = feature_map(problem.kernel, d, 0 if is_mercer else terms)
    series, share = None, 1.0
    if is_mercer and (found is None or not found.is_exact):
        whole = components(problem.kernel, sample_of(problem.X, MAX_POINTS)[0], centred=False)
        series, found = whole.leading(terms), None
        if len(series.values):
            found = mercer_map(series)
            share = float(series.values.sum() / whole.leading(len(whole.values)).values.sum())
    if found is None:
        return None
    phi = found(sample)
    error = 0.0
    if not found.is_exact:
        error = float(np.abs(phi @ phi.T - problem.kernel(sample, sample)).max())
    return MappedPoints(found, phi, error, series, share)


def find_boundaries(lane: Lane, terms: int, series: Components | None = None) -> Boundaries:
    """Return the boundary of the kernel, and that of its map cut off.

    The map is Mercer's ``series``, or that of the RBF kernel after products of ``terms``
    coordinates.
    """
    problem, expansion = lane.problem, lane.expansion
    low, high = plane_box(problem.X, MARGIN)
    xs, ys = (np.linspace(a, b, NODES) for a, b in zip(low, high, strict=True))
    X, beta = problem.X[expansion.support], expansion.beta[expansion.support]
    if series is not None:
        nodes = np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2)
        cut = (series.at(nodes) @ (series.at(X).T @ beta)).reshape(NODES, NODES)
    else:
        cut = gaussian_field(X, beta, cast(RBF, problem.kernel).gamma, terms, xs, ys)
    exact, cut_lines = (
        tuple(np.asarray(line) for line in contourpy.contour_generator(xs, ys, f).lines(0.0))
        for f in (expansion.on_grid(xs, ys), cut + expansion.bias)
    )
    return Boundaries(exact, cut_lines, low, high)
