"""Is there a hard margin at all? Asked between two steps, since alpha would grow without end.

While alpha grows, its parts of the two classes, each divided by its sum, are two points of the
classes' hulls, ``||sum beta_i phi(x_i)|| / sum alpha_+`` apart, and the dual is at most
``2 / distance^2`` of the hulls: it has an end exactly if the hulls do not meet. The pairs of SMO
would need millions of steps to show that they do; Wolfe's method tells in a few.
"""

from __future__ import annotations

import numpy as np

from solvers.geometry.separation import Separation, separation
from solvers.problem.problem import Problem
from solvers.run.method import NEVER, Reason

# Unless it was settled, it is asked again after this many times as many steps.
PATIENCE = 4
# How the sentence of a run ends that stops for this.
NO_HARD_MARGIN = "so there is no hard margin; choose a finite C."
# Reason and sentence of such ends.
ENDLESS_END = (
    Reason.STALLED,
    "Stopped {taken}: α grows without end, so with this kernel there is no hard margin that can be"
    " computed; choose a finite C.",
)
COINCIDENT_END = (
    Reason.NOT_SEPARABLE,
    "Stopped {taken}: two points with different labels coincide, " + NO_HARD_MARGIN,
)
INSEPARABLE_END = (
    Reason.NOT_SEPARABLE,
    "Stopped {taken}: {contradicted} (to {distance:.1g}), " + NO_HARD_MARGIN,
)


def has_contradiction(problem: Problem) -> bool:
    """Whether two points with different labels coincide."""
    # Adding 0 makes a zero of -0, which is the same point.
    _, which = np.unique(problem.X + 0.0, axis=0, return_inverse=True)
    which = which.ravel()
    return bool(np.isin(which[problem.y > 0], which[problem.y < 0]).any())


def contradicted(problem: Problem) -> str:
    """The clause that says why there is no hard margin."""
    if problem.bias == "none":
        return "no boundary through the origin of this kernel's space separates the classes"
    return (
        "the classes cannot be separated, since their convex hulls in the space of this kernel meet"
    )


def look_for_margin(problem: Problem, decision: np.ndarray) -> Separation | None:
    """What Wolfe's method says on the classes; None where it need not be asked.

    That is where a method's own f, shape (n,), has all points on their sides already (with a free
    bias: f up to a constant).
    """
    positive = problem.y > 0
    lowest, highest = decision[positive].min(), decision[~positive].max()
    sides = lowest > highest if problem.bias == "free" else lowest > 0.0 > highest
    if sides and problem.kernel.mercer:
        return None
    return separation(problem)


def next_ask(found: Separation | None, steps: int) -> int:
    """After how many steps to ask again: never where there is a margin for certain."""
    return NEVER if found is not None and found.separable else PATIENCE * steps
