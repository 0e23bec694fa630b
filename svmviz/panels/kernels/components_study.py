"""The components of the Components panel: kernel PCA, and one component over the plane."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from solvers import Problem
from solvers.kernels.feature_geometry import Components, components, refuting_points
from solvers.kernels.kernel import sample_of
from solvers.kernels.mercer import MAX_POINTS
from solvers.run.run import Run
from svmviz.frames.frame import Frame
from svmviz.panels.kernels.plane_box import plane_box

# Components that can be chosen, and nodes of the picture of one component along each axis.
MAX_COMPONENTS, NODES = 12, 73
# Space around the points in that picture, as a fraction of their range.
MARGIN = 0.15


@dataclass(frozen=True, eq=False)
class ComponentsStudy:
    """Kernel PCA of the points, and one component over the plane.

    Attributes
    ----------
    found : Components
    scores : array, shape (n, r)
        The components of all points; r is at most MAX_COMPONENTS.
    values : array, shape (s,)
        All eigenvalues that are not 0, by falling absolute value.
    refuting : tuple of int
        Indices of at most three points that prove that this is no kernel; empty otherwise.
    across : int
        The component of ``field``.
    field : array, shape (NODES, NODES)
        Its values; the first row is at the lowest y. 0 for points without coordinates.
    box : (float, float, float, float)
        Left, right, bottom and top of the field, in solver units.
    """

    found: Components
    scores: np.ndarray
    values: np.ndarray
    refuting: tuple[int, ...]
    across: int
    field: np.ndarray
    box: tuple[float, float, float, float]


class StudyComponents:
    """The study of the panel for two settings; it remembers the components of the last problem.

    Parameters
    ----------
    is_centred : bool
        Whether the mean of the points in the feature space is subtracted.
    across : int
        The component that is drawn over the plane.
    """

    def __init__(self, is_centred: bool, across: int) -> None:
        self._settings = is_centred, across
        self._last: tuple[Problem, ComponentsStudy | None] | None = None

    def __call__(self, frame: Frame, runs: tuple[Run, ...]) -> ComponentsStudy | None:
        if frame.lane is None:
            return None
        problem = frame.lane.problem
        if self._last is None or self._last[0] is not problem:
            self._last = problem, study_components(problem, *self._settings)
        return self._last[1]


def study_components(problem: Problem, is_centred: bool, across: int) -> ComponentsStudy | None:
    """Return the components; None if all eigenvalues are 0.

    With more than ``MAX_POINTS`` points, they are those of an evenly spread sample.
    """
    sample, indices = sample_of(problem.X, MAX_POINTS)
    found = components(problem.kernel, sample, centred=is_centred)
    if not len(found.values):
        return None
    across = min(across, len(found.values) - 1, MAX_COMPONENTS - 1)
    has_plane = problem.kernel.domain == "points"
    low, high = plane_box(problem.X if has_plane else np.zeros((1, 2)), MARGIN)
    # In a regression points have one coordinate, and the picture is the same at every height.
    left, right = float(low[0]), float(high[0])
    bottom, top = -1.0, 1.0
    if len(low) > 1:
        bottom, top = float(low[1]), float(high[1])
    xs, ys = np.linspace(left, right, NODES), np.linspace(bottom, top, NODES)
    nodes = np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2)[:, : problem.X.shape[1]]
    values = found.at(nodes)[:, across] if has_plane else np.zeros(len(nodes))
    refuting: tuple[int, ...] = ()
    if not problem.kernel.mercer:
        K = problem.kernel(sample, sample)
        refuting = tuple(int(indices[i]) for i in refuting_points(K))
    return ComponentsStudy(
        found,
        found.at(problem.X)[:, :MAX_COMPONENTS],
        found.values,
        refuting,
        across,
        values.reshape(NODES, NODES),
        (left, right, bottom, top),
    )
