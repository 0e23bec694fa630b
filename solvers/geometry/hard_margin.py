"""The check whether a hard margin exists. If C is infinite, methods check this between two steps.

Without a hard margin, alpha grows without bound. The alphas of each class, divided by their sum s,
are the weights of a point in the hull of the class; with a free bias, s is equal for both classes.
The distance of the two points is ``||sum beta_i phi(x_i)|| / s``. If the hulls have the distance d,
the dual is at most ``2 s - s^2 d^2 / 2``, which is at most ``2 / d^2``. So the dual is bounded if
and only if the hulls do not meet. SMO would need millions of steps to show that they meet; Wolfe's
method needs a few.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from solvers.geometry.separation import Separation, separation
from solvers.problem.problem import Problem
from solvers.run.method import NEVER, Reason, Stop

# An undecided check is repeated when the number of steps has grown by this factor.
CHECK_GROWTH = 4
# The last clause of each sentence that tells the user why there is no hard margin.
NO_HARD_MARGIN = "so there is no hard margin; choose a finite C."
# Why there is none with a bias; {where} is the space, if that is not the plane of the points.
HULLS_MEET = "the classes are not separable, since their convex hulls{where} meet"
# Reason and sentence of a run that has converged, and of those that end without a hard margin;
# {taken} is replaced by words such as "after 12 steps".
OPTIMAL_END = (
    Reason.CONVERGED,
    "Converged {taken}: all points meet the conditions of the optimum (KKT) to {tol:g}.",
)
UNBOUNDED_END = (
    Reason.STALLED,
    "Stopped {taken}: α grows without bound, so with this kernel no hard margin can be computed;"
    " choose a finite C.",
)
COINCIDENT_END = (
    Reason.NOT_SEPARABLE,
    "Stopped {taken}: two points with different labels coincide, " + NO_HARD_MARGIN,
)
INSEPARABLE_END = (
    Reason.NOT_SEPARABLE,
    "Stopped {taken}: {why_inseparable}, " + NO_HARD_MARGIN,
)


def has_coincident_classes(problem: Problem) -> bool:
    """Return whether two points with different labels coincide."""
    # Points with the same coordinates get the same code. Adding 0 turns -0 into 0, since both are
    # the same coordinate.
    _, codes = np.unique(problem.X + 0.0, axis=0, return_inverse=True)
    codes = codes.ravel()
    return bool(np.isin(codes[problem.y > 0], codes[problem.y < 0]).any())


def why_inseparable(problem: Problem) -> str:
    """Return a clause that says why there is no hard margin."""
    if problem.bias == "none":
        return "no boundary through the origin of this kernel's space separates the classes"
    where = "" if problem.linear else " in the space of this kernel"
    return HULLS_MEET.format(where=where)


def stop_from(
    stops: dict[int, tuple[Reason, str]], code: int, problem: Problem, taken: str, **words: Any
) -> Stop:
    """Return the reason and sentence that ``stops`` contains for a stop code.

    ``taken`` is the number of steps, such as "12 steps". ``words`` replace other fields of the
    sentence, such as ``{tol}``.
    """
    reason, sentence = stops[code]
    words |= {"taken": f"after {taken}", "why_inseparable": why_inseparable(problem)}
    return Stop(reason, sentence.format(**words))


def decide_separability(problem: Problem, decision: np.ndarray) -> Separation | None:
    """Return the verdict of Wolfe's method, or None if f already separates the classes.

    With an indefinite kernel, the verdict is always computed. ``decision`` contains f of the method
    at the points, shape (n,). With a free bias, ``decision`` may lack the bias, since only
    differences of its values are used.
    """
    positive = problem.y > 0
    min_positive, max_negative = decision[positive].min(), decision[~positive].max()
    if problem.bias == "free":
        separates = min_positive > max_negative
    else:
        separates = min_positive > 0.0 > max_negative
    if separates and problem.kernel.mercer:
        return None
    return separation(problem)


def next_check(verdict: Separation | None, steps: int) -> int:
    """Return the step of the next check; NEVER if the verdict is that a boundary separates.

    ``verdict`` is None if f already separated the classes, so that nothing was computed.
    """
    return NEVER if verdict is not None and verdict.separable else CHECK_GROWTH * steps
