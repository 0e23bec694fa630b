"""The losses of the points at a step, or for the user's line, beside those of the optimum."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from solvers import Problem
from solvers.problem.losses import (
    LOSSES,
    Loss,
    Objective,
    arguments,
    losses_for,
    misclassified,
    objective_of,
    point_losses,
)
from solvers.problem.smooth_losses import least_squared, logistic_regression
from solvers.run.method import counted
from solvers.run.run import Run
from svmviz.base.words import number
from svmviz.frames.frame import Frame, Lane
from svmviz.frames.studies import Pending, SlowResult
from svmviz.panels.objective.reference import MAX_SEARCHED, SEARCHING_TEXT, Optimum, Reference
from svmviz.plane.line_study import LineStudy, LineStudyMaker

# Losses whose best sum is that of `least_squared`.
SQUARED = ("squared-hinge", "squared")


@dataclass(frozen=True, eq=False)
class LossStudy:
    """The results with which the losses are compared.

    Attributes
    ----------
    line : LineStudy or None
        The user's line.
    optimum : Optimum or None
        The best known solution of the problem.
    others : dict of str to Objective
        The smallest sum with another loss, by the name of the loss, as far as it is known.
    unfinished : bool
        Whether the search for the optimum still runs; see :mod:`svmviz.frames.studies`.
    """

    line: LineStudy | None
    optimum: Optimum | None
    others: dict[str, Objective]
    unfinished: bool


class LossStudyMaker:
    """The study of the Loss panel."""

    def __init__(self) -> None:
        self._lines, self._reference = LineStudyMaker(), Reference(max_points=MAX_SEARCHED)
        self._slow = SlowResult()

    def __call__(self, frame: Frame, runs: tuple[Run, ...]) -> LossStudy:
        optimum, others = self._reference(frame, runs), self._others(frame)
        is_searching = isinstance(others, Pending)
        others = {} if isinstance(others, Pending) or others is None else others
        if isinstance(optimum, Pending):
            return LossStudy(self._lines.study_of(frame.document), None, others, True)
        is_searching = is_searching or (optimum is not None and optimum.unfinished)
        return LossStudy(self._lines.study_of(frame.document), optimum, others, is_searching)

    def _others(self, frame: Frame) -> dict[str, Objective] | Pending | None:
        """Return the smallest sums with other losses; during a drag and of many points None."""
        if frame.lane is None or frame.temporary or frame.lane.problem.n > MAX_SEARCHED:
            return None
        problem = frame.lane.problem
        return self._slow.find(problem, lambda: smallest_sums(problem), SEARCHING_TEXT, 0.0)


def smallest_sums(problem: Problem) -> dict[str, Objective]:
    """Return the parts of the smallest regulariser plus losses, by the name of the loss."""
    squared = least_squared(problem)
    found: dict[str, Objective] = {} if squared is None else dict.fromkeys(SQUARED, squared)
    if problem.task == "classification" and (expansion := logistic_regression(problem)):
        f = expansion(problem.X)
        squares = float(expansion.beta @ (f - expansion.bias))
        if problem.bias == "augmented":
            squares += expansion.bias**2
        norm = math.sqrt(max(0.0, squares))
        found["logistic"] = objective_of(problem, f, norm, LOSSES["logistic"])
    return found


@dataclass(frozen=True, eq=False)
class LossValues:
    """The losses of all points, and their sum beside the regulariser.

    Attributes
    ----------
    problem : Problem
        The problem whose primal the sum is part of.
    loss : Loss
    epsilon : float
        Half the width of the tube; 0 in a classification.
    arguments : array, shape (n,)
        ``y f(x)``, in a regression ``y - f(x)``.
    losses : array, shape (n,)
    norm : float
        ``||w||``, or ``||(w, b)||`` if the bias is regularised.
    objective : Objective
    optimum : Objective or None
        The smallest known sum with this loss; None if none is known.
    is_line : bool
        Whether the values are those of the user's line.
    tolerance : float
        What an argument may be off a kink and still count as on it.
    """

    problem: Problem
    loss: Loss
    epsilon: float
    arguments: np.ndarray
    losses: np.ndarray
    norm: float
    objective: Objective
    optimum: Objective | None
    is_line: bool
    tolerance: float = 0.0

    @property
    def penalty_name(self) -> str:
        """The name of the part of the sum that is not the regulariser."""
        loss = "ξ" if self.is_primal else "loss"
        return f"C Σ {loss}" if self.problem.weights is None else f"C Σ s {loss}"

    @property
    def is_primal(self) -> bool:
        """Whether the loss is that of the problem, so that the parts add up to P."""
        return self.loss is next(iter(losses_for(self.problem.task).values()))


def values_of(lane: Lane, study: LossStudy | None, loss: Loss, wants_line: bool) -> LossValues:
    """Return the losses at the step shown, or those of the user's line if there is one."""
    # Reduced hulls, and methods with another aim, certify a problem that has no such primal.
    has_other_aim = lane.certified_problem.capped or bool(lane.method.aim)
    problem = lane.problem if has_other_aim else lane.certified_problem
    decision, norm = lane.certificate.decision, lane.certificate.norm
    line = study.line if study is not None and wants_line else None
    if line is not None and len(line.values) == lane.problem.n:
        problem, decision, norm = lane.problem, line.values, line.line.norm
        if problem.bias == "augmented":
            norm = math.hypot(norm, line.line.b)
    return LossValues(
        problem,
        loss,
        getattr(problem, "epsilon", 0.0),
        arguments(problem, decision),
        point_losses(problem, decision, loss),
        norm,
        objective_of(problem, decision, norm, loss),
        _best(problem, study, loss) if study is not None and problem is lane.problem else None,
        line is not None,
        lane.kkt_tolerance,
    )


def _best(problem: Problem, study: LossStudy, loss: Loss) -> Objective | None:
    """Return the smallest known sum of regulariser and losses, in its parts."""
    is_primal = loss is next(iter(losses_for(problem.task).values()))
    # A hard margin allows no loss, squared or not.
    is_hinge = is_primal or (problem.hard and loss.name == "squared-hinge")
    if is_hinge and study.optimum is not None:
        certificate = study.optimum.certificate
        return objective_of(problem, certificate.decision, certificate.norm, loss)
    return None if is_hinge else study.others.get(loss.name)


def point_words(values: LossValues, point: int) -> str:
    """Return a sentence on the loss of one point."""
    z, loss = float(values.arguments[point]), float(values.losses[point])
    if values.problem.task == "regression":
        return f"Point {point + 1}: y − f = {number(z)}, loss {number(loss)}."
    words = f"Point {point + 1}: y f = {number(z)}, loss {number(loss)}"
    if values.loss.name == "hinge" and values.problem.linear and loss > 0.0 and values.norm > 0.0:
        return f"{words}; it lies ξ / ‖w‖ = {number(loss / values.norm)} inside its margin line."
    return f"{words}."


def beside_words(values: LossValues) -> str:
    """Return a sentence on the curves that are drawn beside that of the loss."""
    if values.problem.task == "regression":
        return ""
    names = {"hinge": "dotted: 0-1", "zero-one": "dashed: hinge"}
    beside = names.get(values.loss.name, "dashed: hinge, dotted: 0-1")
    return f"{beside[0].upper()}{beside[1:]}."


def summary_words(values: LossValues) -> str:
    """Return a sentence on the number of points with a loss, by kind."""
    z, problem, n = values.arguments, values.problem, values.problem.n
    if problem.task == "regression":
        outside = int((np.abs(z) > values.epsilon + values.tolerance).sum())
        free = n - outside
        return f"{counted(outside, 'point')} outside the tube; {free:,} on it or inside pay 0."
    wrong = int(misclassified(problem.y, problem.y * z).sum())
    inside = int((z < 1.0 - values.tolerance).sum()) - wrong
    who = "Your line: " if values.is_line else ""
    return (
        f"{who}{wrong:,} of {n:,} misclassified, {inside:,} right but in the margin band, "
        f"{n - wrong - inside:,} on its edge or beyond."
    )


# What s is in the sums of problems with weights.
WEIGHT_S = "s is the weight of the class of a point."


def other_forms(values: LossValues) -> str:
    """Return P in the forms in which books write it, with the numbers of these points.

    All are multiples of P, so the same w and b minimise them. The text is empty if the losses are
    not those of P, or C is infinite.
    """
    C, n, P = values.problem.C, values.problem.n, values.objective.primal
    if not values.is_primal or math.isinf(C):
        return ""
    mean, one = number(P / (C * n)), number(P / C)
    forms = (
        f"½ λ ‖w‖² + (1/n) Σ ξ = {mean}: P / (C n), with λ = 1 / (C n) = {number(1 / (C * n))}",
        f"½ λ ‖w‖² + Σ ξ = {one}: P / C, with λ = 1 / C = {number(1 / C)}",
        f"λ ‖w‖² + (1/n) Σ ξ = {mean}: without ½, λ = 1 / (2 C n) = {number(0.5 / (C * n))}",
        f"‖w‖² + C′ Σ ξ = {number(2 * P)}: 2 P, with C′ = 2 C = {number(2 * C)}",
    )
    if values.problem.weights is None:
        return "\n".join(forms)
    return "\n".join((*forms, WEIGHT_S)).replace("Σ ξ", "Σ s ξ")
