"""The verdict on a solution that a student types: w and b, or the alphas.

It says the same as on the program's own solutions: whether the solution is feasible, the primal P,
the dual D and their gap, and which points violate a condition and by how much.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from solvers import Certificate, Expansion, Problem, certify
from solvers.errors import BadInput
from solvers.problem.certificate import BOUND, ZERO
from solvers.run.beats import subscript
from solvers.run.formulas import without_rounding
from svmviz.base.words import number, percent
from svmviz.frames.frame import Frame, Lane
from svmviz.lessons.goals import LINE, CertificateTask, evaluated
from svmviz.lessons.task_values import TaskValues

# The largest number of points of a scene for which numbers are typed.
MAX_POINTS = 8
# Typed numbers are rounded, so a condition may be violated by this fraction.
ROUNDING = 0.005
# Maximum number of points that are named in a sentence.
MAX_NAMED = 4
# A number that is this small beside the largest one is 0 but for the tolerance of the run.
NOISE = 1e-6
NO_POINT = "None violates its condition."


@dataclass(frozen=True)
class AnswerVerdict:
    """The verdict on a typed solution.

    Attributes
    ----------
    is_right : bool
    holds : tuple of bool
        Whether each part of the task holds; empty if the task has no parts.
    sentences : tuple of str
    """

    is_right: bool
    holds: tuple[bool, ...]
    sentences: tuple[str, ...]


def labels_of(task: CertificateTask, frame: Frame) -> tuple[str, ...]:
    """Return the symbols of the numbers that are typed.

    Raises
    ------
    BadInput
        If the task does not fit the scene.
    """
    lane = frame.lane
    if lane is None:
        raise BadInput(frame.trouble or "The scene is not solved yet.")
    if lane.certified_problem.task != "classification" or lane.certified_problem.capped:
        raise BadInput("A certificate needs two classes, and no reduced hulls.")
    if lane.certified_problem.n > MAX_POINTS:
        raise BadInput(
            f"A certificate has at most {MAX_POINTS} points; here are {lane.certified_problem.n}."
        )
    if task.kind == LINE:
        if lane.expansion.w is None or lane.certified_problem.bias != "free":
            raise BadInput("To type w and b, the kernel is linear and the bias free.")
        return ("w1", "w2", "b")
    return tuple(f"α{subscript(i + 1)}" for i in range(lane.certified_problem.n))


def verdict(
    task: CertificateTask, typed: tuple[float, ...], frame: Frame, dual: float
) -> AnswerVerdict:
    """Return the verdict on a solution.

    Parameters
    ----------
    task : CertificateTask
    typed : tuple of float
        The numbers of :func:`labels_of`.
    frame : Frame
        A frame of the scene.
    dual : float
        The dual of the optimum, with which the primal of w and b is compared.

    Raises
    ------
    BadInput
        If the task does not fit the scene.
    """
    labels_of(task, frame)
    lane = frame.lane
    assert lane is not None
    make = _of_line if task.kind == LINE else _of_alpha
    expansion, certificate, troubles = make(lane, np.array(typed), dual)
    is_feasible, gap = not troubles, certificate.gap
    sentences = [" ".join(("Not feasible:", *troubles)) if troubles else "Feasible."]
    if is_feasible:
        sentences += _measures(lane.certified_problem, certificate, task.kind)
    holds: tuple[bool, ...] = ()
    is_right = is_feasible and gap <= task.gap * certificate.primal + 1e-9
    if task.parts:
        shown = replace(lane, expansion=expansion, certificate=certificate)
        lanes = tuple(shown if other is lane else other for other in frame.lanes)
        holds, trouble = evaluated(task.parts, TaskValues(replace(frame, lanes=lanes), None))
        sentences += trouble[:1]
        is_right = is_feasible and all(holds)
    return AnswerVerdict(is_right, holds, tuple(sentences))


def right_numbers(task: CertificateTask, frame: Frame) -> tuple[float, ...]:
    """Return the numbers of the optimum, given a frame at the end of the run."""
    lane = frame.lane
    assert lane is not None
    if task.kind == LINE:
        assert lane.expansion.w is not None
        return (*lane.expansion.w.tolist(), lane.expansion.bias)
    return tuple(lane.certificate.alpha.tolist())


def numbers_in_words(labels: Sequence[str], numbers: Sequence[float]) -> str:
    """Return numbers with their symbols; what is only the tolerance of the run is 0."""
    noise = NOISE * max(map(abs, numbers), default=0.0)
    shown = (value if abs(value) > noise else 0.0 for value in numbers)
    return ", ".join(
        f"{label} = {number(value)}" for label, value in zip(labels, shown, strict=True)
    )


def _of_line(
    lane: Lane, typed: np.ndarray, dual: float
) -> tuple[Expansion, Certificate, tuple[str, ...]]:
    problem, w, bias = lane.certified_problem, typed[:2], float(typed[2])
    beta = np.linalg.lstsq(problem.X.T, w, rcond=None)[0]
    if np.abs(beta @ problem.X - w).max() > 1e-9 * max(1.0, float(np.abs(w).max())):
        raise BadInput("The points of this scene lie on one line, so that w cannot be typed.")
    expansion = Expansion(problem.kernel, problem.X, beta, bias)
    values = problem.X @ w + bias
    slack = np.maximum(0.0, 1.0 - problem.y * values)
    primal = 0.5 * float(w @ w)
    troubles: tuple[str, ...] = ()
    if problem.hard:
        points = _worst(slack)
        if points:
            by = ", ".join(f"point {i + 1} by {number(float(slack[i]), 3)}" for i in points)
            troubles = (f"y f ≥ 1 is violated: {by}.",)
    else:
        primal += problem.C * problem.weighted_sum(slack)
    certificate = certify(problem, expansion)
    return expansion, replace(certificate, primal=primal, dual=min(dual, primal)), troubles


def _of_alpha(
    lane: Lane, alpha: np.ndarray, _dual: float
) -> tuple[Expansion, Certificate, tuple[str, ...]]:
    problem = lane.certified_problem
    troubles = []
    for i in np.flatnonzero(alpha < 0.0).tolist()[:MAX_NAMED]:
        troubles.append(f"α{subscript(i + 1)} = {number(float(alpha[i]))} is below 0.")
    C = "C" if problem.weights is None else "its C"
    for i in np.flatnonzero(alpha > problem.caps * (1.0 + ROUNDING)).tolist()[:MAX_NAMED]:
        cap = number(float(problem.caps[i]))
        troubles.append(f"α{subscript(i + 1)} = {number(float(alpha[i]))} is above {C} = {cap}.")
    total = float(alpha @ problem.y)
    if problem.bias == "free" and abs(total) > ROUNDING * float(np.abs(alpha).sum()):
        troubles.append(f"Σ α y = {number(total)}, and not 0.")
    beta = problem.y * np.clip(alpha, 0.0, problem.caps)
    bias = _best_bias(problem, problem.expansion(beta, 0.0))
    expansion = problem.expansion(beta, bias)
    return expansion, certify(problem, expansion), tuple(troubles)


def _best_bias(problem: Problem, expansion: Expansion) -> float:
    """Return the b with the smallest P for the w of an expansion, whose own bias is ignored."""
    if problem.bias != "free":
        return float(expansion.beta.sum()) if problem.bias == "augmented" else 0.0
    sums = expansion.sum_at(problem.X)
    # The sum of slack is linear between these values of b, so it is smallest at one of them. For
    # the hard margin, the smallest y f is largest in the middle between the classes.
    breaks = problem.y - sums
    if problem.hard:
        return -0.5 * float(sums[problem.y < 0].max() + sums[problem.y > 0].min())
    slack = np.maximum(0.0, 1.0 - problem.y * (sums + breaks[:, None]))
    slack = slack @ (np.ones(problem.n) if problem.weights is None else problem.weights)
    best = breaks[slack <= slack.min() * (1.0 + 1e-12) + 1e-12]
    return 0.5 * float(best.min() + best.max())


def _measures(problem: Problem, certificate: Certificate, kind: str) -> Iterator[str]:
    primal, dual = number(certificate.primal), number(certificate.dual)
    if math.isinf(certificate.primal):
        yield f"D = {dual}. With these α the line does not separate the classes yet."
    else:
        terms = certificate.primal, certificate.dual
        gap = max(without_rounding(certificate.gap, terms), 0.0)
        share = gap / certificate.primal if certificate.primal > 0.0 else 0.0
        of = "the best D" if kind == LINE else "D"
        yield (f"P = {primal}, {of} = {dual}: the gap is {number(gap, 2)}, {percent(share)} of P.")
    if kind == LINE:
        yield from _slack_in_words(problem, certificate)
    else:
        yield from _violations(problem, certificate)


def _slack_in_words(problem: Problem, certificate: Certificate) -> Iterator[str]:
    slack = np.maximum(0.0, 1.0 - problem.y * certificate.decision)
    points = _worst(slack)
    if points and not problem.hard:
        yield (
            "Slack: "
            + ", ".join(f"point {i + 1} {number(float(slack[i]), 3)}" for i in points)
            + "."
        )


def _violations(problem: Problem, certificate: Certificate) -> Iterator[str]:
    if math.isinf(certificate.primal):
        return
    violation, margins = certificate.violation, problem.y * certificate.decision
    points = _worst(violation)
    for i in points:
        kind = certificate.kinds[i]
        rule = "≥ 1" if kind == ZERO else "≤ 1" if kind == BOUND else "= 1"
        yield (
            f"Point {i + 1} violates y f {rule}: its y f is {number(float(margins[i]), 3)}, by "
            f"{number(float(violation[i]), 3)}."
        )
    if not points:
        yield NO_POINT


def _worst(values: np.ndarray) -> list[int]:
    """Return the indices of the largest values that are above rounding, the largest first."""
    order = np.argsort(-values, kind="stable").tolist()
    return [i for i in order if values[i] > ROUNDING][:MAX_NAMED]
