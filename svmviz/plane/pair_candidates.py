"""The points whose alpha y may rise or fall next, and the errors by which SMO compares them."""

from __future__ import annotations

import numpy as np

from solvers.problem.movable import errors, may_fall, may_rise
from svmviz.base.words import number
from svmviz.frames.frame import Lane

# Maximum number of points named in one line.
MAX_NAMED = 8
# Errors that differ by less than this, relative to 1 + |E|, are tied.
TIE_TOLERANCE = 1e-9


def shows_errors(lane: Lane) -> bool:
    """Return whether the method of a lane compares errors of points."""
    return lane.method.compares_errors and lane.problem.task == "classification"


def error_rows(lane: Lane, index: int) -> list[tuple[str, str]]:
    """Return E of a point and the directions open to its alpha y, for its card."""
    beta = lane.expansion.beta
    E = float(errors(lane.problem, lane.certificate.decision)[index])
    rises, falls = (bool(find(lane.problem, beta)[index]) for find in (may_rise, may_fall))
    ways = "rise or fall" if rises and falls else "rise" if rises else "fall"
    return [("E = f − y", number(0.0 if abs(E) < 1e-12 else E)), ("αy may", ways)]


def candidates_line(lane: Lane) -> str:
    """Return the points whose alpha y may rise, and may fall, with the extreme errors of both."""
    beta, E = lane.expansion.beta, errors(lane.problem, lane.certificate.decision)
    parts = []
    for find, what, pick, word in (
        (may_rise, "rise", np.min, "smallest"),
        (may_fall, "fall", np.max, "largest"),
    ):
        points = np.flatnonzero(find(lane.problem, beta))
        if len(points) == 0:
            parts.append(f"αy of no point may {what}.")
            continue
        extreme = float(pick(E[points]))
        tied = points[np.abs(E[points] - extreme) <= TIE_TOLERANCE * (1.0 + abs(extreme))]
        value = number(0.0 if abs(extreme) < 1e-12 else extreme)
        parts.append(
            f"αy may {what}: {_listed(points)}; {word} E = f − y: {value} ({_listed(tied)})."
        )
    return " ".join(parts)


def _listed(points: np.ndarray) -> str:
    """Return the numbers of points, from 1; only the first ones if there are many."""
    names = [f"{point + 1}" for point in points[:MAX_NAMED].tolist()]
    more = len(points) - MAX_NAMED
    return ", ".join(names) + (f" and {more:,} more" if more > 0 else "")
