"""Is there a hard margin at all? Asked between two steps, since alpha would grow without end.

While alpha grows, its parts of the two classes, each divided by its sum, are two points of the
classes' hulls, ``||sum beta_i phi(x_i)|| / sum alpha_+`` apart, and the dual is at most
``2 / distance^2`` of the hulls: it has an end exactly if the hulls do not meet. The pairs of SMO
would need millions of steps to show that they do; Wolfe's method tells in a few.
"""

from __future__ import annotations

import numpy as np

from solvers.in_play import NEVER
from solvers.pairs import (
    ASK,
    DISTANCE,
    EPS,
    INDEFINITE,
    INSEPARABLE,
    STEPS,
    UNBOUNDED,
    VERDICT,
    State,
)
from solvers.problem import Problem

# Unless it was settled, it is asked again after this many times as many steps.
PATIENCE = 4


def has_contradiction(problem: Problem) -> bool:
    """Whether two points with different labels coincide."""
    _, which = np.unique(problem.X, axis=0, return_inverse=True)
    which = which.ravel()
    return bool(np.isin(which[problem.y > 0], which[problem.y < 0]).any())


def ask_for_separability(problem: Problem, state: State) -> None:
    """Write a verdict into the state, or when to ask again."""
    from solvers.separation import separation

    count, level = state.count, state.level
    found = separation(problem)
    if found.separable is False:
        count[VERDICT] = INSEPARABLE
        level[DISTANCE] = found.distance
    elif falls_without_end(problem, state):
        count[VERDICT], count[INDEFINITE] = UNBOUNDED, 1
    count[ASK] = NEVER if found.separable else PATIENCE * count[STEPS]


def falls_without_end(problem: Problem, state: State) -> bool:
    """Whether ``beta' K beta < 0``: an indefinite kernel, whose dual rises along beta for ever."""
    beta = state.beta
    own = float(beta @ (problem.form.target - state.F))
    size = float(np.abs(beta) @ np.sqrt(np.abs(problem.form.diagonal)))
    return own < -EPS * 100 * size * size
