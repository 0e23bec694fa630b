"""The points whose alpha y may rise or fall next, and the errors by which SMO compares them."""

from __future__ import annotations

import numpy as np

from solvers.problem.kkt import errors, may_fall, may_rise
from svmviz.base.words import number
from svmviz.frames.frame import Lane

# Maximum number of points named in one line.
MAX_NAMED = 8
# Two errors E count as equal if their difference is at most this multiple of 1 + |E|.
TIE_TOLERANCE = 1e-9


def shows_errors(lane: Lane) -> bool:
    """Return whether the method of a lane compares errors of points."""
    return lane.method.compares_errors and lane.problem.task == "classification"


def error_rows(lane: Lane, index: int) -> list[tuple[str, str]]:
    """Return rows for the card of a point: its error E, and how its alpha y may change."""
    beta = lane.expansion.beta
    E = float(errors(lane.problem, lane.certificate.decision)[index])
    rises, falls = (
        bool(is_movable(lane.problem, beta)[index]) for is_movable in (may_rise, may_fall)
    )
    directions = "rise and fall" if rises and falls else "rise" if rises else "fall"
    return [("E = f − y", number(0.0 if abs(E) < 1e-12 else E)), ("αy can still", directions)]


def candidates_line(lane: Lane) -> str:
    """Return a line with the points whose alpha y may rise, and those whose alpha y may fall.

    The line also has the smallest error E of the points that may rise, and the largest E of those
    that may fall, each with the points that have this error. SMO compares these two errors.
    """
    beta, E = lane.expansion.beta, errors(lane.problem, lane.certificate.decision)
    sentences = []
    for is_movable, direction, extreme_of, adjective in (
        (may_rise, "rise", np.min, "smallest"),
        (may_fall, "fall", np.max, "largest"),
    ):
        points = np.flatnonzero(is_movable(lane.problem, beta))
        if len(points) == 0:
            sentences.append(f"αy of no point may {direction}.")
            continue
        extreme = float(extreme_of(E[points]))
        tied = points[np.abs(E[points] - extreme) <= TIE_TOLERANCE * (1.0 + abs(extreme))]
        value = number(0.0 if abs(extreme) < 1e-12 else extreme)
        sentences.append(
            f"αy may {direction}: {_list_points(points)};"
            f" {adjective} E = f − y: {value} ({_list_points(tied)})."
        )
    return " ".join(sentences)


def _list_points(points: np.ndarray) -> str:
    """Return the numbers of points, from 1, in words; at most the first MAX_NAMED of them."""
    names = [f"{point + 1}" for point in points[:MAX_NAMED].tolist()]
    more = len(points) - MAX_NAMED
    return ", ".join(names) + (f" and {more:,} more" if more > 0 else "")
