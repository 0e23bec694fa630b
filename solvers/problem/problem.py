"""What is solved: points, targets, kernel, penalty and bias. The one place that refuses input."""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple

import numpy as np

from solvers.data.coordinates import refuse_coordinates
from solvers.errors import BadInput, shown
from solvers.jit.signatures import FixedMatrix, FixedVector, Indices, Matrix, Vector
from solvers.kernels.kernel import LARGEST_KERNEL, Kernel
from solvers.kernels.programs import Program, plus_one
from solvers.kernels.standard import RBF, Linear

# Limits that keep every sum and product of a run finite (C^2 k is the largest of them).
SMALLEST_C, LARGEST_C = 1e-75, 1e75

BIASES = {
    "free": "free bias b, not regularised: the textbook problem",
    "none": "no bias: f passes through the origin of the feature space",
    "augmented": "bias by the augmentation trick k + 1: b is regularised with w",
}
# The same as compiled loops see them.
NO_BIAS, FREE_BIAS, AUGMENTED = range(3)
BIAS_CODES = {"none": NO_BIAS, "free": FREE_BIAS, "augmented": AUGMENTED}


class DualForm(NamedTuple):
    """The dual as compiled loops see it, in N signed variables ``beta_v = side_v alpha_v``.

    Maximise ``sum target_v beta_v - 1/2 beta' K beta`` for ``lower <= beta <= upper``, and
    ``sum beta = 0`` when the bias is free. In classification there is one variable a point,
    N = n, and ``side = y``; in regression two, N = 2 n, so X has each point twice.

    Attributes
    ----------
    X : float64 array, shape (N, d), and its transpose XT, shape (d, N)
    target, lower, upper, diagonal : float64 arrays, shape (N,)
    ops, args : the kernel's program
    """

    X: FixedMatrix
    XT: Matrix
    target: FixedVector
    lower: Vector
    upper: Vector
    diagonal: Vector
    ops: Indices
    args: Matrix


@dataclass(frozen=True, eq=False)
class Problem:
    """Soft-margin classification: ``min 1/2 ||w||^2 + C sum_i max(0, 1 - y_i f(x_i))``.

    A problem also says how its points and the variables of its dual belong together (``spread``,
    ``fold``, ``unfold``, ``worst``, ``point_of``, ``name_of``), so that methods and certificate
    need not know which kind it is: a method works on ``form``, with ``size`` variables, and folds
    what it returns. Here points and variables are the same, and ``side = y``;
    :class:`solvers.problem.regression.Regression` has two variables a point. Every variable asks
    that ``side (target - f)`` be at most 0, which in classification is ``1 - y f``.

    Parameters
    ----------
    X : array, shape (n, d)
        Points, in the solver's coordinates.
    y : array, shape (n,)
        Labels -1 and +1; both must occur.
    kernel : Kernel
    C : float
        Penalty, in [1e-75, 1e75]; ``inf`` is the hard margin. ``lam = 1 / (C n)`` says the same.
    bias : {"free", "none", "augmented"}
        "augmented" adds 1 to the kernel, which regularises the bias as well.

    Raises
    ------
    BadInput
        With one sentence, if any of this does not hold.
    """

    task: ClassVar[str] = "classification"

    X: np.ndarray
    y: np.ndarray
    kernel: Kernel = RBF()  # noqa: RUF009 - frozen
    C: float = 1.0
    bias: str = "free"
    # What the check of the kernel found, for the form.
    _diagonal: np.ndarray = field(init=False, repr=False)

    def __post_init__(self) -> None:
        X = _points(self.X)
        _set(self, "X", X)
        _set(self, "y", self._checked_y(self.y, len(X)))
        _set(self, "C", _penalty(self.C))
        if not isinstance(self.kernel, Kernel):
            raise BadInput(
                f"kernel must be a kernel such as RBF(gamma=1): got {shown(self.kernel)}."
            )
        if not isinstance(self.bias, str) or self.bias not in BIASES:
            raise BadInput(f"bias must be one of {', '.join(BIASES)}: got {shown(self.bias)}.")
        self.kernel.check(X)
        with np.errstate(over="ignore"):
            diagonal = self.kernel.diagonal(X)
        _set(self, "_diagonal", diagonal)
        if not _are_within(diagonal, LARGEST_KERNEL):
            worst = int(np.argmax(np.abs(diagonal)))
            raise BadInput(
                f"The kernel is too large at point {worst + 1} {tuple(X[worst].tolist())}: "
                "scale the points, or lower the kernel's parameters."
            )

    @property
    def n(self) -> int:
        """Number of points."""
        return len(self.X)

    @property
    def lam(self) -> float:
        """The regulariser ``1 / (C n)``; 0 for the hard margin."""
        return 0.0 if math.isinf(self.C) else 1.0 / (self.C * self.n)

    @property
    def hard(self) -> bool:
        """Whether the margin is hard (C infinite)."""
        return math.isinf(self.C)

    @property
    def linear(self) -> bool:
        """Whether the kernel is ``<x, z>``, so that w, shape (d,), stands for f."""
        return isinstance(self.kernel, Linear)

    @property
    def size(self) -> int:
        """Number N of variables of the dual."""
        return self.n

    @property
    def side(self) -> np.ndarray:
        """+1 or -1 for each variable: ``alpha = side beta``, shape (N,)."""
        return self.y

    @property
    def target(self) -> np.ndarray:
        """What each variable wants f to be: ``side (target - f)`` above 0 is slack; shape (N,)."""
        return self.y

    def spread(self, values: np.ndarray) -> np.ndarray:
        """Values of the points, shape (n, ...), for each variable: shape (N, ...)."""
        return values

    def fold(self, values: np.ndarray) -> np.ndarray:
        """The sum over each point's variables, shape (n,): beta, or alpha, of the points."""
        return values

    def unfold(self, beta: np.ndarray) -> np.ndarray:
        """The variables, shape (N,), behind coefficients of the points, shape (n,)."""
        return beta

    def worst(self, values: np.ndarray) -> np.ndarray:
        """The largest value among each point's variables, shape (n,)."""
        return values

    def point_of(self, variable: int) -> int:
        """The point a variable belongs to."""
        return variable

    def name_of(self, variable: int) -> str:
        """What a sentence calls a variable."""
        return f"α of point {variable + 1}"

    @property
    def corners(self) -> np.ndarray:
        """The corners of :mod:`solvers.problem.staircase`, where points lie at the optimum; (m, 2).

        In the coordinates of :meth:`place`: ``alpha = 0`` from ``y f = 1`` on, any alpha at 1,
        ``alpha = C`` below.
        """
        return np.array([(math.inf, 0.0), (1.0, 0.0), (1.0, self.C), (-math.inf, self.C)])

    def place(self, decision: np.ndarray, beta: np.ndarray) -> np.ndarray:
        """``(y_i f(x_i), alpha_i)`` of each point, from ``f(x_i)`` and beta; shape (n, 2)."""
        return np.column_stack([self.y * decision, self.y * beta + 0.0])

    def _checked_y(self, given: Any, n: int) -> np.ndarray:
        return _labels(given, n)

    @functools.cached_property
    def form(self) -> DualForm:
        """The dual for compiled loops."""
        program = _program(self.kernel)
        X, side = self.spread(self.X), self.side
        # Read-only as self.X is, so that compiled code always sees the same type.
        X.setflags(write=False)
        diagonal = self.spread(self._diagonal)
        if self.bias == "augmented":
            program = plus_one(program)
            diagonal = diagonal + 1.0
        wall = self.C * side
        return DualForm(
            X=X,
            # A copy even when d = 1, so that compiled code always sees the same type: writable.
            XT=np.array(X.T, order="C"),
            target=self.target,
            lower=np.minimum(wall, 0.0),
            upper=np.maximum(wall, 0.0),
            diagonal=diagonal,
            ops=program.ops,
            args=program.args,
        )


def _set(problem: Problem, name: str, value: Any) -> None:
    object.__setattr__(problem, name, value)


@functools.lru_cache(maxsize=32)
def _program(kernel: Kernel) -> Program:
    """A kernel's program, made once: compiled loops only read it."""
    return kernel.program()


def _are_within(values: np.ndarray, limit: float) -> bool:
    """Whether all are at most so large (and numbers): mostly told by the sum of their squares."""
    return bool(np.vdot(values, values) <= limit * limit or np.abs(values).max() <= limit)


def _points(given: Any) -> np.ndarray:
    X = numbers(given)
    if X is None:
        raise BadInput("X must be an array of numbers, one row a point.")
    if X.shape[:1] == (0,):
        raise BadInput("There are no points yet: at least one of each class is needed.")
    if X.ndim != 2 or X.shape[1] == 0:
        raise BadInput(f"X must have shape (n, d): got {X.shape}.")
    refuse_coordinates(X)
    X.setflags(write=False)
    return X


def numbers(given: Any) -> np.ndarray | None:
    """A copy as float64, or None if these are no real numbers."""
    if isinstance(given, np.ndarray) and given.dtype == np.float64:
        return np.array(given, dtype=np.float64, order="C")
    try:
        array = np.array(given)
        return None if np.iscomplexobj(array) else array.astype(np.float64, order="C")
    except (TypeError, ValueError, OverflowError):
        return None


def _labels(given: Any, n: int) -> np.ndarray:
    y = numbers(given)
    if y is None:
        raise BadInput("y must be an array of -1 and +1.")
    y = y.ravel()
    if len(y) != n:
        raise BadInput(f"Points and labels must be equally many: got {n} and {len(y)}.")
    # Counting is much quicker than all and max are on few points.
    high, low = np.count_nonzero(y == 1.0), np.count_nonzero(y == -1.0)
    if high + low != n:
        raise BadInput(f"Labels must be -1 or +1: got {y[np.abs(y) != 1.0][0]:g}.")
    if high == n or low == n:
        raise BadInput(
            f"All points have the label {y[0]:+.0f}: at least one of each class is needed."
        )
    y.setflags(write=False)
    return y


def _penalty(given: Any) -> float:
    try:
        C = math.nan if isinstance(given, bool | str) else float(given)
    except (TypeError, ValueError, OverflowError):
        C = math.nan
    if math.isnan(C):
        raise BadInput(f"C must be a number above 0: got {shown(given)}.")
    if not C > 0:
        raise BadInput(f"C must be above 0 (infinite is the hard margin): got {C:g}.")
    if not math.isinf(C) and not SMALLEST_C <= C <= LARGEST_C:
        raise BadInput(
            f"C must be between {SMALLEST_C:g} and {LARGEST_C:g}, or infinite: got {C:g}."
        )
    return C
