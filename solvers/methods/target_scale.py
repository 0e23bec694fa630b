"""The check whether epsilon, C and the tolerance suit the targets of a regression.

If the targets are multiplied by s, the same f multiplied by s is optimal for ``s epsilon`` and
``s C``: the objective of ``(s w, s b)`` is ``s^2`` times as large. Numbers that suit targets of
standard deviation 1 therefore suit other targets if they are multiplied by the standard deviation
of these.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from solvers.data.coordinates import MIN_SPREAD
from solvers.kernels.kernel import Kernel
from solvers.problem.problem import MAX_C, MIN_C
from solvers.problem.regression import Regression
from solvers.run.method import Method
from solvers.settings import settings_of

# Epsilon and C for targets of standard deviation 1: the defaults of a regression.
UNIT_EPSILON, UNIT_C = 0.1, 1.0
# A tolerance of at least this part of the standard deviation of y ends a run too early.
MAX_TOLERANCE = 0.1
# An epsilon, or a C, is replaced if it differs from the fitted one by more than this factor.
MAX_RATIO = 40.0


class Misfit(NamedTuple):
    """Numbers that do not suit the targets of a regression, and numbers that do.

    Attributes
    ----------
    reason : str
        "epsilon" or "C", which make f a flat line whatever the method; or "tol".
    span : float
        ``max y - min y``.
    reach : float
        An upper bound of ``f(x_i) - f(x_j)``.
    epsilon, C : float
        Numbers that suit the targets; the present ones if they do.
    tol : float
        A tolerance of KKT violations that suits the targets; the present one if it does.
    """

    reason: str
    span: float
    reach: float
    epsilon: float
    C: float
    tol: float


class UncheckedRegression(NamedTuple):
    """A regression whose points are not checked, since the check takes longer than this advice may.

    The attributes are those of :class:`solvers.problem.regression.Regression`.
    """

    X: np.ndarray
    y: np.ndarray
    kernel: Kernel
    C: float
    bias: str
    epsilon: float


def target_misfit(problem: Regression | UncheckedRegression, method: Method) -> Misfit | None:
    """Return what does not suit the targets; None if everything does.

    * If some constant is within epsilon of all targets, a constant f costs nothing.
    * Since ``|beta_i| <= C_i`` and, for a Mercer kernel, ``|k| <= max k(x, x)``, f differs by at
      most ``2 sum C_i max k(x, x)`` between two points. This bound is compared with twice the
      standard deviation of y, because no f with a smaller range follows the targets.
    * A method that measures KKT violations, which are in units of y, stops too early if its
      tolerance is of the size of the targets.
    """
    y = problem.y
    if len(y) < 3 or not problem.kernel.mercer:
        return None
    with np.errstate(all="ignore"):
        spread = float(y.std())
        largest = float(np.max(problem.kernel.diagonal(problem.X)))
    if not MIN_SPREAD < spread < math.inf:
        return None
    span = float(y.max() - y.min())
    nearest_constant = 0.5 * span if problem.bias == "free" else float(np.abs(y).max())
    weights = getattr(problem, "weights", None)
    reach = 2.0 * (len(y) if weights is None else float(weights.sum())) * problem.C * largest
    is_wide, is_weak = problem.epsilon >= nearest_constant, reach < 2.0 * spread
    present = (problem.epsilon, problem.C, getattr(method, "tol", 0.0))
    is_coarse = method.tol_measures == "kkt" and present[2] >= MAX_TOLERANCE * spread
    if not (is_wide or is_weak or is_coarse):
        return None
    epsilon = _fitted(problem.epsilon, UNIT_EPSILON * spread, 0.0, math.inf, is_wide)
    C = _fitted(problem.C, UNIT_C * spread, MIN_C, MAX_C, is_weak)
    tol = present[2]
    if method.tol_measures == "kkt":
        unit_method: Any = type(method)()
        spec = settings_of(method)["tol"]
        tol = _fitted(tol, unit_method.tol * spread, spec.hard_low, spec.hard_high, is_coarse)
    if (epsilon, C, tol) == present:
        return None
    reason = "epsilon" if is_wide else "C" if is_weak else "tol"
    return Misfit(reason, span, reach, epsilon, C, tol)


def _fitted(present: float, fitted: float, low: float, high: float, is_refused: bool) -> float:
    """Return ``fitted``, rounded and within limits, or the present number if it suits."""
    suits = fitted / MAX_RATIO <= present <= fitted * MAX_RATIO
    return present if suits and not is_refused else min(max(float(f"{fitted:.1e}"), low), high)
