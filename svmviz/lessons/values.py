"""The numbers of a frame by name, for the expressions in texts."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from solvers import Problem
from solvers.errors import BadInput
from solvers.problem.certificate import BOUND, FREE, ZERO, feasible_alpha
from solvers.run.fields import Index
from svmviz.frames.frame import Frame, Lane
from svmviz.lessons.expressions import Value

# Maximum number of points for a kernel matrix in a text. A product of two matrices of this size
# takes some milliseconds, and a text may contain many products.
MAX_MATRIX_POINTS = 300
# Names of the points of a pair.
PAIR = ("i", "j")


@dataclass(frozen=True)
class Named:
    """A value that expressions can name.

    Attributes
    ----------
    meaning : str
        The meaning of the value, for the page on writing texts.
    of : callable(Lane) -> Value
        For a name that only lessons have, it is a function of the frame, and of the frame at which
        the task began, or None.
    """

    meaning: str
    of: Callable[..., Value]


class FrameValues(Mapping[str, Value]):
    """The values of the lane in focus at the step shown; each is computed when it is first used.

    The names are those of NAMES, and those that the method gives to the numbers of the step in the
    template of its explanation.

    Parameters
    ----------
    frame : Frame

    Raises
    ------
    BadInput
        If the document has no run.
    """

    def __init__(self, frame: Frame) -> None:
        if frame.lane is None:
            raise BadInput(frame.trouble or "Nothing is solved yet.")
        self._lane = frame.lane
        self._known: dict[str, Value] = {}
        # The numbers that the method recorded for the step, such as eta, L and H of a pair.
        self._step_values = getattr(frame.lane.explained_event, "values", {})

    def __getitem__(self, name: str) -> Value:
        if name not in self._known:
            is_known = name in NAMES
            self._known[name] = NAMES[name].of(self._lane) if is_known else self._of_step(name)
        return self._known[name]

    def _of_step(self, name: str) -> Value:
        """Return a number of the step by its name; points are counted from 1."""
        value = self._step_values[name]
        if name in PAIR and not isinstance(value, Index):
            # The variables of a pair.
            value = Index(self._lane.problem.point_of(value))
        return float(value) + isinstance(value, Index)

    def __contains__(self, name: object) -> bool:
        return name in NAMES or isinstance(self._step_values.get(str(name)), int | float)

    def __iter__(self) -> Iterator[str]:
        return iter(NAMES)

    def __len__(self) -> int:
        return len(NAMES)


def _matrix(lane: Lane) -> np.ndarray:
    problem = lane.certified_problem
    if problem.n > MAX_MATRIX_POINTS:
        raise BadInput(f"K is shown for at most {MAX_MATRIX_POINTS} points; here are {problem.n}.")
    return problem.kernel(problem.X, problem.X)


def _w(lane: Lane) -> np.ndarray:
    w = lane.expansion.w
    if w is None:
        raise BadInput("Only the linear kernel has a w with two coordinates.")
    return w


def _feasible(lane: Lane) -> np.ndarray:
    return lane.certified_problem.sum_per_point(
        feasible_alpha(lane.expansion, lane.certified_problem)
    )


def _margins(lane: Lane) -> np.ndarray:
    return lane.certified_problem.y * lane.certificate.decision


def _lagrangian(lane: Lane) -> float:
    """Return ``P - sum alpha_i (y_i f(x_i) - 1 + xi_i) - sum (C - alpha_i) xi_i``.

    With a finite C this is ``1/2 ||w||^2 - sum alpha_i (y_i f(x_i) - 1)``. That form is computed,
    because the rounding error of the form above may exceed a small L. At step 0 the form above gave
    -1.4e-14, which is below D.
    """
    alpha, margins = _feasible(lane), _margins(lane)
    if math.isfinite(lane.certified_problem.C):
        return 0.5 * lane.certificate.norm**2 - float(alpha @ (margins - 1.0))
    # With a hard margin the last sum is missing, because slack has no price.
    return lane.certificate.primal - float(alpha @ np.maximum(0.0, margins - 1.0))


def _count(kind: int) -> Callable[[Lane], float]:
    return lambda lane: float(lane.certificate.count(kind))


def _length(lane: Lane) -> float:
    # With a regularised bias, the norm of the certificate is that of (w, b).
    bias = 0.0 if lane.certified_problem.bias == "augmented" else lane.expansion.bias
    return math.hypot(lane.certificate.norm, bias)


def _errors(lane: Lane) -> float:
    decision = lane.certificate.decision
    return float(np.count_nonzero(np.where(decision >= 0.0, 1, -1) != lane.certified_problem.y))


def _of_problem(read: Callable[[Problem], Value]) -> Callable[[Lane], Value]:
    # The problem of the certificate: for a method without C, that of the hard margin.
    return lambda lane: read(lane.certified_problem)


NAMES: dict[str, Named] = {
    # The problem.
    "task": Named("classification or regression", _of_problem(lambda problem: problem.task)),
    "kernel": Named("name of the kernel", _of_problem(lambda problem: problem.kernel.name)),
    "method": Named("name of the method", lambda lane: lane.method.name),
    "reduced": Named("whether the problem is that of reduced hulls",
                     _of_problem(lambda problem: problem.capped)),
    "bias": Named("free, none or augmented", _of_problem(lambda problem: problem.bias)),
    "projection": Named("whether Pegasos projects w onto its ball",
                        lambda lane: bool(getattr(lane.method, "project", False))),
    "n": Named("number of points", _of_problem(lambda problem: float(problem.n))),
    "C": Named("penalty; infinite for the hard margin", _of_problem(lambda problem: problem.C)),
    "lam": Named("regulariser 1 / (C n)", _of_problem(lambda problem: problem.lam)),
    "number": Named("number of each point: 1, 2, 3, ...",
                    _of_problem(lambda problem: np.arange(1.0, problem.n + 1))),
    "x1": Named("first coordinate of each point", _of_problem(lambda problem: problem.X[:, 0])),
    "x2": Named("second coordinate of each point", _of_problem(lambda problem: problem.X[:, -1])),
    "y": Named("class of each point, or its target", _of_problem(lambda problem: problem.y)),
    "diagonal": Named("k(x, x) of each point",
                      _of_problem(lambda problem: problem.kernel.diagonal(problem.X))),
    "K": Named("kernel matrix: K[1, 2] is k(x1, x2)", _matrix),
    # The model at the step shown.
    "step": Named("step shown", lambda lane: float(lane.step)),
    "ended": Named("whether this is the end of the run", lambda lane: lane.at_end),
    "w": Named("weight vector of the linear kernel", _w),
    "b": Named("bias", lambda lane: lane.expansion.bias),
    "norm": Named("length of w in feature space", lambda lane: lane.certificate.norm),
    "length": Named("length of (w, b)", _length),
    "width": Named("2 / ||w||, the distance of the lines f = -1 and f = 1",
                   lambda lane: 2.0 * lane.certificate.margin),
    "beta": Named("coefficient of each point in f", lambda lane: lane.expansion.beta),
    "alpha": Named("dual variable of each point", lambda lane: lane.certificate.alpha),
    "f": Named("f at each point", lambda lane: lane.certificate.decision),
    "yf": Named("y f of each point", _margins),
    "xi": Named("slack of each point", lambda lane: lane.certificate.slack),
    "E": Named("error f - y of each point",
               lambda lane: lane.certificate.decision - lane.certified_problem.y),
    # The certificate.
    "P": Named("primal", lambda lane: lane.certificate.primal),
    "D": Named("dual", lambda lane: lane.certificate.dual),
    "gap": Named("P - D", lambda lane: lane.certificate.gap),
    "kkt": Named("largest violation of a KKT condition", lambda lane: lane.certificate.kkt),
    "violation": Named("violation of each point", lambda lane: lane.certificate.violation),
    "proven": Named("whether the gap proves how near the optimum is: the dual is concave",
                    lambda lane: bool(lane.gap_proves)),
    "semidefinite": Named("whether K is positive semi-definite on the points",
                          _of_problem(lambda problem: problem.concavity.is_semidefinite)),
    "feasible": Named("alpha of each point, made feasible if it is not", _feasible),
    "L": Named("Lagrange function at w, b, xi and the feasible alpha", _lagrangian),
    # Numbers of points.
    "support": Named("number of points with alpha > 0",
                     lambda lane: float(len(lane.expansion.support))),
    "zero": Named("number of points with alpha = 0", _count(ZERO)),
    "free": Named("number of points with 0 < alpha < C", _count(FREE)),
    "at_C": Named("number of points with alpha = C", _count(BOUND)),
    "errors": Named("number of misclassified points", _errors),
}  # fmt: skip
