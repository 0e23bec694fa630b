"""The standing of a race: which lane leads, and which lanes have arrived at the optimum."""

from __future__ import annotations

import math
from dataclasses import dataclass

from solvers import Reason
from svmviz.frames.clocks import EVALUATIONS, MICROSECONDS_PER_SECOND, SECONDS
from svmviz.frames.frame import Frame, Lane

# Primals whose relative difference is at most this are equal up to rounding error.
ROUNDING = 1e-9


@dataclass(frozen=True)
class Standing:
    """The standing of a race.

    Attributes
    ----------
    leader : int or None
        Index of the lane with the lowest primal, where lanes of reduced hulls do not count. None
        if fewer than two lanes count, if two have the lowest primal, before the first step, if some
        lane has arrived, without a race, and if the lanes solve different problems.
    ranks : tuple of int
        The rank of each lane in the order of arrival, from 1; 0 for a lane that has not arrived. A
        lane arrives when its method meets its tolerance; lanes of different problems do not race.
    readings : tuple of int
        Reading of the frame's clock at the step of each lane.
    """

    leader: int | None
    ranks: tuple[int, ...]
    readings: tuple[int, ...]


def standing_of(frame: Frame) -> Standing:
    """Return the standing of the lanes of a frame. Without a race no lane leads or arrives."""
    lanes = frame.lanes
    readings = tuple(_reading(frame, lane) for lane in lanes)
    if len(lanes) < 2 or not frame.document.has_one_problem:
        return Standing(None, (0,) * len(lanes), readings)
    arrivals = sorted(
        reading for reading, lane in zip(readings, lanes, strict=True) if _has_arrived(lane)
    )
    ranks = tuple(
        1 + arrivals.index(reading) if _has_arrived(lane) else 0
        for reading, lane in zip(readings, lanes, strict=True)
    )
    return Standing(None if arrivals else _leader(lanes), ranks, readings)


def _has_arrived(lane: Lane) -> bool:
    return lane.at_end and lane.stop is not None and lane.stop.reason is Reason.CONVERGED


def _leader(lanes: tuple[Lane, ...]) -> int | None:
    # Reduced hulls solve another problem, whose primal cannot be compared.
    primals = {
        index: lane.certificate.primal
        for index, lane in enumerate(lanes)
        if not lane.certified_problem.capped
    }
    # Before the first step nothing leads.
    if len(primals) < 2 or not any(lane.step for lane in lanes):
        return None
    best, second = sorted(primals.values())[:2]
    if not math.isfinite(best) or second - best <= ROUNDING * abs(best):
        return None
    return min(primals, key=primals.__getitem__)


def _reading(frame: Frame, lane: Lane) -> int:
    if frame.clock is EVALUATIONS:
        return lane.evaluations
    return int(MICROSECONDS_PER_SECOND * lane.seconds) if frame.clock is SECONDS else lane.step
