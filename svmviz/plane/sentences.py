"""The sentence on the step that is shown, in the window and in what is exported."""

from __future__ import annotations

import numpy as np

from solvers import Reason, Stop
from solvers.run.method import counted
from svmviz.base.words import count, listed, number, tidied
from svmviz.document.document import Document
from svmviz.document.lanes import titles_of_lanes
from svmviz.frames import part_risks
from svmviz.frames.frame import Frame, Lane
from svmviz.frames.standing import standing_of
from svmviz.plane.decision_study import machine_words


def sentence(
    lane: Lane, document: Document, is_counted: bool = True, machine: str = ""
) -> tuple[str, str]:
    """Return the step label and its sentence.

    At the end of a run the label is empty. The sentence says what was reached, or why the run ended
    without an optimum, and how large the errors on the parts of the split are. The label of a beat
    says how many there are if ``is_counted``: before a prediction, that would give away what the
    step is going to do.
    """
    if lane.at_end and lane.stop is not None:
        errors = part_risks.error_sentence(document, lane, machine)
        return "", _ending(document, lane, lane.stop, errors)
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


def race_sentence(frame: Frame) -> tuple[str, str] | None:
    """Return how far a race is, and a sentence on who is ahead and by what.

    At first that is the lowest primal P, later the order in which lanes have reached the optimum.
    None if none is ahead, without a race on one problem, and while a step is explained.
    """
    standing, clock = standing_of(frame), frame.clock
    lane, arrived = frame.lane, {rank for rank in standing.ranks if rank}
    if lane is None or lane.shown_beat is not None or (standing.leader is None and not arrived):
        return None
    names = titles_of_lanes(frame.document)
    head = clock.in_words(max(standing.readings))
    # Reduced hulls solve another problem, whose primal cannot be compared.
    primals = [
        (each.certificate.primal, names[k])
        for k, each in enumerate(frame.lanes)
        if not (standing.ranks[k] or each.certified_problem.capped)
    ]
    primals.sort()
    if not arrived:
        (lowest, first), *others = primals
        rest = listed([f"{number(primal)} for {name}" for primal, name in others])
        return (
            head,
            f"{first} is ahead: its primal P is the lowest, {number(lowest)}; it is {rest}.",
        )
    groups = []
    for rank in sorted(arrived):
        members = [k for k, own in enumerate(standing.ranks) if own == rank]
        reading = clock.with_unit(standing.readings[members[0]])
        groups.append((listed([names[k] for k in members]), reading))
    (first, reading), *later = groups
    text = f"{first} converged first, after {reading}"
    if later:
        text += f", ahead of {listed([f'{name} ({reading})' for name, reading in later])}"
    if not primals:
        return head, f"{text}."
    rest = listed([f"{name} (P = {number(primal)})" for primal, name in primals])
    winner = frame.lanes[standing.ranks.index(1)].certificate
    verb = "has" if len(primals) == 1 else "have"
    return head, f"{text}. {rest} {verb} not; {first} has P = {number(winner.primal)}."


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
        zeros = "All β are 0" if is_regression else "All α are 0"
        # Methods that move w itself, not α.
        zeros = zeros if lane.method.dual_feasible else "w = 0"
        mistakes = "" if lane.method.maximizes_margin else ", and no mistake was made yet"
        return f"{zeros}, so f(x) = {constant} everywhere{mistakes}."
    if lane.warm:
        return "From the solution of the last run."
    n = lane.problem.n
    points = f"all {count(n)}" if n_nonzero == n else f"{count(n_nonzero)} of {count(n)}"
    nonzero = "β ≠ 0" if is_regression else "α > 0"
    return f"{lane.method.label} starts with {nonzero} at {points} points."


def street_width(document: Document, lane: Lane) -> float | None:
    """Return 2 / ||w||: for the linear kernel in units of the data, else in the feature space.

    None in a regression, if w = 0, and if the axes are scaled by different factors.
    """
    w = lane.expansion.w
    norm = lane.certificate.norm if w is None else float(np.linalg.norm(w))
    if document.is_regression or not norm or np.ptp(document.factors):
        return None
    return 2.0 / norm * (1.0 if w is None else document.factors[0])


def _ending(document: Document, lane: Lane, stop: Stop, errors: str) -> str:
    """Return what the run has reached or why it ended, and the sentence ``errors``.

    During a drag, a temporary run begins at the solution of the last run, not at zero, and takes
    fewer steps. Then the sentence says so, too.
    """
    end, is_converged = tidied(stop.sentence), stop.reason is Reason.CONVERGED
    # If no optimum is proved, the sentence of the method says why.
    if is_converged and lane.gap_proves is not False:
        reached = end.rstrip(".") if lane.method.aim else _reached(document, lane, end)
        if lane.warm and lane.length == 0:
            reached = "Converged: no step was needed"
        end = f"{reached}; {errors[:1].lower()}{errors[1:]}"
    else:
        end = f"{end} {errors}"
    return f"Continued from the last run. {end}" if lane.warm else end


def _reached(document: Document, lane: Lane, reason: str) -> str:
    """Return after how many steps an optimum was reached, and width and support vectors there."""
    support = counted(len(lane.expansion.support), "support vector")
    width = street_width(document, lane) if lane.problem.linear else None
    street = "" if width is None else f"the street is 2/‖w‖ = {number(width)} wide, with "
    # Before the colon, the method says in how many steps, sweeps or rounds.
    return f"{reason.partition(': ')[0]}: {street}{support}"
