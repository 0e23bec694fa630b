"""Nearest points of the two convex hulls: the hard margin as geometry.

The method solves ``min ||p - q||``, where ``p = sum tau+ x`` is in the hull of the positive points,
and ``q = sum tau- x`` is in the hull of the negative points. tau+ and tau- are the weights of the
points of each class; in each class they are at least 0 and have the sum 1. The boundary of largest
margin is the perpendicular bisector of p and q, and ``w = 2 (p - q) / ||p - q||^2`` makes f = +1 at
p and -1 at q.

With a cap ``tau <= mu`` below 1 the hulls are *reduced*. Reduced hulls may be separable even if the
full hulls meet. Then f = 0 is still the bisector of p and q, which is not the boundary of the
nu-SVM (:mod:`solvers.geometry.boundaries`).

The expansion of f has ``beta_i = y_i scale tau_i``. The scale is constant during a run, so a step
changes beta only at the points whose tau it changes. In the pairwise algorithm the scale is 2,
because the optimum of its relaxed form (:mod:`solvers.methods.hulls.steps`) is ``tau = alpha / 2``.
In MDM and Wolfe's method, where tau has sum 1 in each class, the scale is ``2 / d^2``. Here d is
the distance of the hulls, which the test for meeting hulls computes before the first step.

In each algorithm f = 0 is the bisector of p and q at every step, but f is 1 at p and -1 at q only
at the end. In MDM and Wolfe's method ``f(p) - f(q)`` is ``2 ||p - q||^2 / d^2`` at every step. (If
d were the current distance of p and q, f would be 1 at p and -1 at q at every step, but every step
would change every beta.)

Sources: Platt 1998, whose steps on pairs of variables the pairwise algorithm applies to hulls;
Mitchell, Dem'yanov and Malozemov 1974 (MDM); Wolfe 1976; Crisp and Burges 1999 and Bennett and
Bredensteiner 2000 (reduced hulls).
"""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from solvers.errors import BadInput
from solvers.geometry.min_norm_point import (
    HULLS_MEET,
    HULLS_TOO_NEAR,
    OPTIMAL,
    UNBOUNDED,
    first_weights,
    make_corral,
)
from solvers.geometry.separation import (
    largest_separating_mu,
    make_hull,
    separation,
    separation_form,
    smallest_mu,
    uncentered_bias,
)
from solvers.kernels.kernel_rows import CACHE_BYTES
from solvers.methods.hulls.steps import (
    EVENT,
    PAIRWISE,
    State,
    Work,
    advance_mdm,
    advance_pairwise,
    advance_wolfe,
    begin,
    begin_pairwise,
)
from solvers.methods.hulls.values import (
    mdm_values,
    nearest_points,
    pairwise_values,
)
from solvers.methods.hulls.wolfe_values import wolfe_values
from solvers.methods.hulls.words import STEPS, code_of
from solvers.methods.weight_updates import in_feature_space
from solvers.problem.problem import Problem
from solvers.problem.reduced_hulls import ReducedHulls
from solvers.run.beats import PseudoCode
from solvers.run.event import Event
from solvers.run.method import Method, Reason, Stop, counted
from solvers.run.records import new_record
from solvers.settings import setting, step_limit, tolerance

ALGORITHMS = {"pairwise": advance_pairwise, "mdm": advance_mdm, "wolfe": advance_wolfe}
# Maximum number of points for the pairwise sweep, and for every algorithm with a nonlinear kernel.
# The sweep visits n+ n- pairs. With a nonlinear kernel the corral of Wolfe's method, which tests
# whether hulls meet, may contain every point. With more points, a sweep or the test takes minutes.
MAX_POINTS = 1000
# Maximum of the scale, |beta| / tau. The product of a larger scale and a weight could be infinite.
MAX_SCALE = 1e200


@dataclass(frozen=True)
class Hulls(Method):
    """Nearest points of the (reduced) convex hulls of the two classes."""

    name: ClassVar[str] = "hulls"
    label: ClassVar[str] = "Convex hulls"
    source: ClassVar[str] = "Mitchell, Dem'yanov and Malozemov 1974; Wolfe 1976"
    help: ClassVar[str] = (
        "Finds the nearest points p and q of the two classes' convex hulls; the boundary is the "
        "bisector of p and q. With μ = 1 it is the boundary of the hard margin. C is not used; the "
        "cap μ limits the weights instead."
    )
    guarantees: ClassVar[tuple[str, ...]] = ("nonnegative", "equality", "objective-falls")
    uses_penalty: ClassVar[bool] = False
    tol_measures: ClassVar[str] = "kkt"
    event_dtype: ClassVar[np.dtype] = EVENT

    algorithm: str = setting(
        "pairwise",
        "Algorithm",
        "Pairwise: every pair of a positive and a negative point in turn. MDM (Mitchell, "
        "Dem'yanov and Malozemov): weight moves from the worst point of a class to its best. "
        "Wolfe: p and q move towards the nearest points of the affine spans of a few points.",
        choices=(
            ("pairwise", "pairwise sweep"),
            ("mdm", "MDM, in one class"),
            ("wolfe", "Wolfe"),
        ),
    )
    mu: float = setting(
        1.0,
        "Cap μ",
        "Maximum weight τ of a point; below 1 the hulls are reduced.",
        low=0.01,
        high=1.0,
        hard_low=0.0,
        hard_high=1.0,
        open_low=True,
    )
    initial: str = setting(
        "zero",
        "Start",
        "Of the pairwise sweep. 0: all weights are 0, so the first step defines p and q. 1/n: all "
        "points of a class have the same weight, so p and q start at the means of the classes.",
        choices=(("zero", "all weights 0"), ("means", "all weights 1/n")),
    )
    criterion: str = setting(
        "kkt",
        "Stop",
        "Of the pairwise sweep: by the KKT violation, or after a sweep in which no |δ| exceeds the "
        "tolerance, which is easier to see but says less.",
        choices=(("kkt", "KKT violation"), ("delta", "largest |δ| of a sweep")),
    )
    tol: float = tolerance(
        "MDM and Wolfe: stop when no point violates optimality by more than this, in units of f. "
        "Pairwise: test this only after a sweep in which no pair changes f by more than this. If "
        "the sweep stops by δ, this is the largest |δ|."
    )
    max_steps: int = step_limit(
        1_000_000, "Stop after this many moves, converged or not.", high=1e7
    )

    def accept(self, problem: Problem) -> None:
        super().accept(problem)
        smallest = smallest_mu(problem)
        if self.mu < smallest * (1.0 - 1e-12):
            raise BadInput(
                f"The cap μ must be at least 1 / min(n₊, n₋) = {smallest:.4g}, or the weights of"
                f" the smaller class cannot sum to 1: got {self.mu:g}."
            )
        if problem.n > MAX_POINTS and not problem.linear:
            raise BadInput(
                f"Nearest points are found among at most {MAX_POINTS:,} points unless the"
                f" kernel is linear: there are {problem.n:,}; SMO finds the same boundary."
            )
        if self.algorithm != "pairwise":
            return
        if self.mu < 1.0:
            raise BadInput(
                "The pairwise sweep leaves the sum of the weights free, so the cap μ on weights"
                " with sum 1 does not fit it: choose another algorithm, or μ = 1."
            )
        if problem.n > MAX_POINTS:
            raise BadInput(
                f"The pairwise sweep visits n₊ n₋ pairs, too many beyond {MAX_POINTS:,} points:"
                f" there are {problem.n:,}; choose another algorithm."
            )

    def start(self, problem: Problem, guess: np.ndarray | None = None) -> State:
        """Return the state before the first step.

        For the pairwise algorithm all weights are 0, or ``1 / n+`` and ``1 / n-``. For MDM and
        Wolfe's method the first points of each class have as much weight as the cap allows, until
        the weights sum to 1. If the hulls meet, the state contains the weights that prove it, and
        the stop code. A guess is ignored: it would have to be changed to give each class the sum 1
        and to satisfy the cap, and would then save few steps.
        """
        pairwise = self.algorithm == "pairwise"
        verdict = separation(problem, self.mu, exact=not pairwise)
        work = self.workspace(problem, cache_bytes=CACHE_BYTES)
        weights = first_weights(work.hull, work.dual_form.diagonal)
        state = State(*weights, new_record(PAIRWISE), np.zeros(1))
        if pairwise:
            counts = np.where(problem.y > 0, len(work.plus), len(work.minus))
            state.tau[:] = 1.0 / counts if self.initial == "means" else 0.0
            state.pairwise["ends_by_delta"] = self.criterion == "delta"
        if verdict.separable is False or (verdict.separable is None and verdict.distance == 0.0):
            # These weights prove that the hulls meet: p and q are one point, which both hulls
            # contain. The scale stays 0, so f is 0 everywhere.
            state.tau[:] = verdict.weights
            state.scalars["stop_code"] = HULLS_MEET
            return state
        # The scale is bounded, so that its product with a weight is finite.
        state.scale[0] = 2.0 if pairwise else 2.0 / max(verdict.distance**2, 2.0 / MAX_SCALE)
        (begin_pairwise if pairwise else begin)(self._tolerance, state, work)
        if state.scale[0] == MAX_SCALE:
            state.scalars["stop_code"] = HULLS_TOO_NEAR
        return state

    def workspace(self, problem: Problem, cache_bytes: int) -> Work:
        dual_form = separation_form(problem)
        plus, minus = np.flatnonzero(problem.y > 0), np.flatnonzero(problem.y < 0)
        corral = make_corral(dual_form, cache_bytes)
        return Work(dual_form, make_hull(problem, self.mu), corral, plus, minus)

    def advance(self, problem: Problem, state: Any, work: Any, events: Any, marks: Any) -> Any:
        return ALGORITHMS[self.algorithm](self._tolerance, state, work, events, marks)

    def stop(self, code: int, problem: Problem, state: Any) -> Stop:
        taken = counted(int(state.scalars["steps"][0]), "step")
        if code == OPTIMAL and self.algorithm == "pairwise":
            sweeps = int(state.pairwise["sweeps"][0]) + 1
            largest = f"no pair moves by more than {self.tol:g} in units of f"
            if self.criterion == "delta":
                largest = f"no |δ| of the last sweep exceeds {self.tol:g}"
            return Stop(
                Reason.CONVERGED, f"Converged after {taken} in {sweeps:,} sweeps: {largest}."
            )
        if code == OPTIMAL:
            return Stop(
                Reason.CONVERGED,
                f"Converged after {taken}: no point violates optimality by more than"
                f" {self.tol:g} in units of f.",
            )
        if code == HULLS_MEET:
            return self._stop_of_meeting_hulls(problem)
        if code == UNBOUNDED:
            return Stop(
                Reason.STALLED,
                f"Stopped after {taken}: τ grows without bound, so with this kernel the hulls have"
                " no nearest points that can be computed.",
            )
        if code == HULLS_TOO_NEAR:
            return Stop(
                Reason.STALLED,
                "Stopped at once: the hulls are so near each other that α would exceed"
                f" {MAX_SCALE:g}; multiply the points, or scale them.",
            )
        return Stop(
            Reason.STALLED,
            f"Stopped after {taken}: the moves that are left are below rounding error, so the"
            f" tolerance {self.tol:g} is out of reach.",
        )

    def _stop_of_meeting_hulls(self, problem: Problem) -> Stop:
        if not problem.is_concave:
            return Stop(
                Reason.STALLED,
                "Stopped at once: this kernel is not positive semi-definite, and the hulls have"
                " no distance above 0.",
            )
        reduced = "hulls" if self.mu == 1.0 else "reduced hulls"
        mu = largest_separating_mu(problem)
        remedy = (
            "; even the smallest reduced hulls meet"
            if mu is None
            else f"; reduced to μ = {_rounded_down(mu, smallest_mu(problem)):.6g} they are apart"
        )
        return Stop(
            Reason.NOT_SEPARABLE,
            f"Stopped at once: the {reduced} of the two classes meet, so no boundary separates"
            f" them{remedy}.",
        )

    def expand(self, problem: Problem, state: Any) -> tuple[np.ndarray, float]:
        """Return ``beta_i = y_i scale tau_i``, and the b for which f = 0 bisects p and q."""
        y, tau, scale = problem.y, state.tau, float(state.scale[0])
        beta = y * tau * scale + 0.0
        sum_plus, sum_minus = float(tau[y > 0].sum()), float(tau[y < 0].sum())
        if scale == 0.0 or sum_plus == 0.0 or sum_minus == 0.0:
            return np.zeros(problem.n) if scale == 0.0 else beta, 0.0
        mean = np.where(y > 0, tau / sum_plus, tau / sum_minus) @ state.S
        return beta, uncentered_bias(problem, beta, -0.5 * scale * float(mean))

    def certified_problem(self, problem: Problem, state: Any) -> Problem:
        """Return the hard-margin problem, or with a cap below 1 that of the reduced hulls."""
        scale = float(state.scale[0])
        # With an indefinite kernel, the final distance of p and q can differ from d, from which the
        # scale ``2 / d^2`` was computed. In that case f is not 1 at p even at the end, and the KKT
        # conditions can only compare f at points of the same class, as with a cap.
        may_be_misscaled = not problem.kernel.mercer and self.algorithm != "pairwise"
        if scale > 0.0 and (self.mu < 1.0 or may_be_misscaled):
            return ReducedHulls(
                problem.X, problem.y, problem.kernel, bias=problem.bias, mu=self.mu, scale=scale
            )
        return problem if problem.hard else dataclasses.replace(problem, C=math.inf)

    def describe(self, problem: Problem, before: Any, after: Any, record: Any) -> Event:
        work = self.workspace(problem, False)
        if self.algorithm == "wolfe":
            values = wolfe_values(problem, self.mu, before, after)
            touched = values["corral"]
        elif self.algorithm == "mdm":
            values = mdm_values(problem, self.mu, work, before, after, record)
            touched = values["i"], values["j"]
        else:
            values = pairwise_values(problem, work, before, after, record)
            touched = values["i"], values["j"]
        return STEPS[self.algorithm].fill(values, touched, self.pseudo_code(problem))

    @property
    def kkt_tolerance(self) -> float | None:
        """Return ``tol``; None if the sweep ends by delta, which bounds no KKT violation."""
        ends_by_delta = self.algorithm == "pairwise" and self.criterion == "delta"
        return None if ends_by_delta else self.tol

    @property
    def moves_pairs(self) -> bool:
        return self.algorithm != "wolfe"

    def pseudo_code(self, problem: Problem) -> PseudoCode:
        code = code_of(self.algorithm, self.initial, self.criterion)
        return in_feature_space(code, problem)

    def weights(self, problem: Problem, state: Any) -> np.ndarray:
        """Return tau with sum 1 in each class, shape (n,); zeros before the first pairwise step."""
        tau, y = state.tau, problem.y
        normalised = np.zeros(problem.n)
        for in_class in (y > 0, y < 0):
            total = float(tau[in_class].sum())
            if total > 0.0:
                normalised[in_class] = tau[in_class] / total
        return normalised

    def distance(self, problem: Problem, state: Any) -> float:
        """Return ``||p - q||`` in the kernel's space; nan before the first pairwise step."""
        return nearest_points(problem, state, self.algorithm == "pairwise")[2]

    @property
    def _tolerance(self) -> float:
        # The pairwise algorithm tests the KKT violation itself. For MDM and Wolfe's method, let the
        # sum of the gradient gaps of both classes be g ||p - q||^2. They end when g is at most the
        # returned value. The gap of a class is a difference of f times ||p - q||^2 / 2. So each
        # class contributes at most 2 g to the KKT violation, which is at most 4 g. Therefore a
        # quarter of tol is returned.
        return self.tol if self.algorithm == "pairwise" else 0.25 * self.tol


def _rounded_down(mu: float, smallest: float) -> float:
    """Return mu rounded down to six digits, or ``smallest`` if this is larger.

    Mu is not rounded up, because the reduced hulls of a larger mu may meet.
    """
    digits = 6 - math.ceil(math.log10(mu))
    return max(math.floor(mu * 10**digits) / 10**digits, smallest)
