"""The sentence on the step that is shown, in the window and in what is exported."""

from __future__ import annotations

import numpy as np

from solvers import Reason, Stop
from svmviz.base.words import count, number, tidied
from svmviz.document.document import Document
from svmviz.document.lanes import titles_of_lanes
from svmviz.frames import part_risks
from svmviz.frames.frame import Frame, Lane
from svmviz.plane.decision_study import machine_words


def sentence(
    lane: Lane, document: Document, is_counted: bool = True, machine: str = ""
) -> tuple[str, str]:
    """Return the step label and its sentence.

    At the end of a run the label is empty. The sentence says why the run ended, and how large the
    errors on the parts of the split are. The label of a beat says how many there are if
    ``is_counted``: before a prediction, that would give away what the step is going to do.
    """
    if lane.at_end and lane.stop is not None:
        errors = part_risks.error_sentence(document, lane, machine)
        return "", f"{_ending(lane, lane.stop)} {errors}"
    if lane.shown_beat is not None:
        part = lane.shown_beat
        of = f" of {len(part.event.beats)}" if is_counted else ""
        head = f"Step {count(part.step)} · part {part.number}{of}"
        return head, tidied(part.beat.sentence)
    if lane.event is not None:
        return f"Step {count(lane.step)}", tidied(lane.event.sentence)
    return "Start", f"{_start(lane)} Play, or take a step."


def caption(frame: Frame) -> str:
    """Return the caption of an exported frame: step and sentence; empty if there is no lane."""
    lane = frame.lane
    if lane is None:
        return ""
    if lane.at_end and lane.stop is not None:
        _, words = sentence(lane, frame.document, machine=machine_words(frame, with_name=True))
    elif lane.event is not None:
        words = f"Step {count(lane.step)}. {tidied(lane.event.sentence)}"
    else:
        words = _start(lane)
    return f"{titles_of_lanes(frame.document)[frame.focus]}: {words}" if frame.lanes[1:] else words


def _start(lane: Lane) -> str:
    """Return a sentence before the first step: on the state, and on the origin of x."""
    origin = lane.problem.origin
    if origin is None:
        return _start_state(lane)
    place = ", ".join(number(value) for value in origin.tolist())
    place = f"({place})" if len(origin) > 1 else place
    return (
        f"{_start_state(lane)} The points lie far from 0, so steps take x from {place}: with a"
        " free bias, w does not depend on it."
    )


def _start_state(lane: Lane) -> str:
    """Return a sentence on the state before the first step.

    This state is f = b with all beta 0, the solution of the last run, or a start of the method's
    own, with some beta other than 0.
    """
    is_regression = lane.problem.task == "regression"
    n_nonzero = int(np.count_nonzero(lane.expansion.beta))
    if not n_nonzero:
        b = number(lane.expansion.bias)
        constant = f"b = {b}" if b != "0" else "0"
        return f"All {'β' if is_regression else 'α'} are 0, so f(x) = {constant} everywhere."
    if lane.warm:
        return "From the solution of the last run."
    n = lane.problem.n
    points = f"all {count(n)}" if n_nonzero == n else f"{count(n_nonzero)} of {count(n)}"
    nonzero = "β ≠ 0" if is_regression else "α > 0"
    return f"{lane.method.label} starts with {nonzero} at {points} points."


def _ending(lane: Lane, stop: Stop) -> str:
    """Return a sentence on why the run ended.

    During a drag, a temporary run begins at the solution of the last run, not at zero, and takes
    fewer steps. Then the sentence says so, too.
    """
    reason = tidied(stop.sentence)
    if not lane.warm:
        return reason
    if lane.length == 0 and stop.reason is Reason.CONVERGED:
        return "Continued from the last run: no step was needed."
    return f"Continued from the last run. {reason}"
