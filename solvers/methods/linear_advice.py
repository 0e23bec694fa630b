"""The sentence for a run with the linear kernel that did not converge in its steps.

With many features, steps of pairs or single points are many and short. On 5,000 points with 400
features and C = 1 an interior point took 27 steps and 2 s, coordinate ascent 12 million visits and
8.5 s, LIBSVM 10 million steps and 38 s. Working sets had not converged after 2 million steps.
"""

from __future__ import annotations

from solvers.kernels.gram_factor import MAX_COORDINATES
from solvers.problem.origin import distance_from_0
from solvers.problem.problem import Problem

# Maximum distance of the points from 0, in multiples of half their extent, at which the interior
# point solves problems without a free bias. On 40 points with C = 1 it converged at 4,000, in 16
# steps, and stalled at 40,000.
MAX_DISTANCE = 4000.0


def linear_advice(problem: Problem) -> str:
    """Return which method to use instead, if the kernel is linear; otherwise nothing."""
    if not problem.linear or problem.X.shape[1] > MAX_COORDINATES:
        return ""
    if problem.origin is None and distance_from_0(problem.X) > MAX_DISTANCE:
        return (
            "The points lie far from 0, and rounding hides how they differ. With a free bias, their"
            " distance from 0 would not matter."
        )
    return (
        "With the linear kernel, the interior point (interior-point) solves the same problem in a"
        " few dozen steps."
    )
