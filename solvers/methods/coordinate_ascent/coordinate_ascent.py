"""Dual coordinate ascent: one alpha at a time, each to the vertex of its parabola.

The problem without a bias is the following. With a regularised bias, replace k by k + 1::

    max  D(alpha) = sum_i alpha_i - 1/2 sum_ij alpha_i alpha_j y_i y_j k(x_i, x_j)
    s.t. 0 <= alpha_i <= C

There is no equality constraint, so a single variable can move. Along alpha_i the dual is a parabola
with slope ``-G``, where ``G = y_i f(x_i) - 1``, and curvature ``k(x_i, x_i)``. A step visits one
point::

    alpha_i <- clip(alpha_i - G / k(x_i, x_i), 0, C)
    w       <- w + (change of alpha_i) y_i x_i

For the linear kernel w is stored, and a step costs O(d). For other kernels f at all points is
stored, and a step that changes alpha costs O(n). If ``k(x_i, x_i)`` is not above 0, the dual along
alpha_i has no top, and alpha_i goes to C if ``G < 0``, and to 0 if ``G > 0``. A free bias is not
supported: it would add the constraint ``sum_i alpha_i y_i = 0``, with which no single alpha could
move.

Sources: Hsieh, Chang, Lin, Keerthi and Sundararajan 2008 (dual coordinate descent);
Shalev-Shwartz and Zhang 2013 (SDCA, the same step in random order).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from solvers.geometry.hard_margin import (
    COINCIDENT_END,
    INSEPARABLE_END,
    OPTIMAL_END,
    UNBOUNDED_END,
    decide_separability,
    has_coincident_classes,
    next_check,
    stop_from,
)
from solvers.methods.coordinate_ascent.steps import (
    COINCIDENT,
    EVENT,
    HUGE_INVERSE,
    INSEPARABLE,
    MARGIN_TOO_SMALL,
    OPTIMAL,
    RUNNING,
    SCALARS,
    STALLED,
    UNBOUNDED,
    Params,
    State,
    Work,
    advance,
    compute_f,
    projected_slope,
)
from solvers.methods.coordinate_ascent.words import STEP, code_of
from solvers.methods.linear_advice import linear_advice
from solvers.methods.weight_updates import in_feature_space, weight_values
from solvers.problem.certificate import repair
from solvers.problem.expansion import Expansion
from solvers.problem.problem import Problem
from solvers.run.beats import PseudoCode, short, short_change
from solvers.run.event import Event
from solvers.run.fields import Index
from solvers.run.formulas import without_rounding
from solvers.run.method import Method, Reason, Stop, counted
from solvers.run.records import new_record
from solvers.settings import random_seed, setting, step_limit, tolerance

# With a hard margin, separability is first checked after this many sweeps.
SWEEPS_BEFORE_CHECK = 20

STOPS = {
    OPTIMAL: OPTIMAL_END,
    STALLED: (
        Reason.STALLED,
        "Stopped {taken}: the largest violation is rounding error, or would change α by less than"
        " rounding error, so the tolerance {tol:g} is out of reach.",
    ),
    UNBOUNDED: UNBOUNDED_END,
    COINCIDENT: COINCIDENT_END,
    INSEPARABLE: INSEPARABLE_END,
    MARGIN_TOO_SMALL: (
        Reason.STALLED,
        "Stopped {taken}: the margin, if there is one, is below 1/100,000 of the size of the data,"
        " so α would become very large; choose a finite C.",
    ),
}


@dataclass(frozen=True)
class CoordinateAscent(Method):
    """Dual coordinate ascent (DCD, SDCA), linear and kernel."""

    name: ClassVar[str] = "coordinate-ascent"
    label: ClassVar[str] = "Coordinate ascent"
    source: ClassVar[str] = (
        "Hsieh, Chang, Lin, Keerthi and Sundararajan 2008; Shalev-Shwartz and Zhang 2013"
    )
    help: ClassVar[str] = (
        "Visits one point at a time and moves its α to the maximum of the dual along it. The bias "
        "must be absent or regularised with w."
    )
    biases: ClassVar[tuple[str, ...]] = ("augmented", "none")
    takes_weights: ClassVar[bool] = True
    guarantees: ClassVar[tuple[str, ...]] = ("box", "dual-rises", "converges")
    tol_measures: ClassVar[str] = "kkt"
    event_dtype: ClassVar[np.dtype] = EVENT
    keeps_events: ClassVar[bool] = False

    order: str = setting(
        "random",
        "Order of visits",
        "Random permutation: every sweep visits all points in a new order. Uniformly drawn: every "
        "visit draws its point anew, so that a sweep of n visits misses some points and visits "
        "others twice. Cyclic: 1, 2, 3 and so on.",
        choices=(
            ("random", "random permutation"),
            ("uniform", "uniformly drawn"),
            ("cyclic", "cyclic"),
        ),
    )
    shrinking: bool = setting(
        True,
        "Shrinking",
        "Skip points at 0 or C that satisfy their optimality condition, and check all of them "
        "again now and then.",
    )
    tol: float = tolerance(
        "Stop when no point violates its optimality condition by more than this, in units of f."
    )
    max_steps: int = step_limit(
        20_000_000, "Stop after this many visits, converged or not.", high=1e8
    )
    seed: int = random_seed("The same seed gives the same random orders.")

    def segment_size(self, problem: Problem) -> int:
        # With the linear kernel a visit is quick to replay, so a segment has as many visits as 16
        # sweeps over all points. With other kernels it has as many as 4 sweeps.
        return max(4096, (16 if problem.linear else 4) * problem.n)

    def start(self, problem: Problem, guess: np.ndarray | None = None) -> State:
        """Return the guess clipped to the box; zeros without one, or if its dual is below 0."""
        n, linear = problem.n, problem.linear
        scalars = new_record(SCALARS)
        scalars["check_below"], scalars["n_active"] = self.tol, n
        scalars["next_margin_check"] = SWEEPS_BEFORE_CHECK * n
        if problem.hard and has_coincident_classes(problem):
            scalars["stop_code"] = COINCIDENT
        state = State(
            beta=np.zeros(n),
            w=np.zeros(_features(problem).shape[1]),
            sums=np.zeros(0 if linear else n),
            order=np.arange(n, dtype=np.uint32),
            scalars=scalars,
        )
        return state if guess is None else _start_from_guess(problem, state, guess)

    def workspace(self, problem: Problem, cache_bytes: int) -> Work:
        with np.errstate(divide="ignore", over="ignore"):
            inverse = 1.0 / np.maximum(problem.dual_form.diagonal, 0.0)
        inverse = np.minimum(inverse, HUGE_INVERSE)
        rows, f = (
            problem.dual_form.make_rows(0 if problem.linear else cache_bytes),
            np.empty(problem.n),
        )
        table = np.empty((0, 0))
        if problem.linear:
            table = np.column_stack([problem.bounds * problem.y, inverse, _features(problem)])
        return Work(rows, inverse, f, table)

    def advance(self, problem: Problem, state: Any, work: Any, events: Any, marks: Any) -> Any:
        dual_form, params, scalars = problem.dual_form, self._params(problem), state.scalars[0]
        if not problem.hard:
            return advance(dual_form, params, state, work, events, marks)
        n_taken, code = 0, RUNNING
        while n_taken < len(marks) and code == RUNNING:
            steps_to_check = int(scalars["next_margin_check"] - scalars["steps"])
            n_steps, code = advance(
                dual_form, params, state, work, events, marks[n_taken : n_taken + steps_to_check]
            )
            n_taken += n_steps
            is_check_due = scalars["steps"] == scalars["next_margin_check"]
            if code == UNBOUNDED or (code == RUNNING and is_check_due):
                _check_separability(dual_form, params, problem, state, work)
                code = int(scalars["stop_code"])
        return n_taken, code

    def stop(self, code: int, problem: Problem, state: Any) -> Stop:
        scalars = state.scalars[0]
        taken, distance = counted(int(scalars["steps"]), "visit"), scalars["hull_distance"]
        return stop_from(STOPS, code, problem, taken, tol=self.tol, distance=distance)

    def advice(self, problem: Problem) -> str:
        return linear_advice(problem)

    def expand(self, problem: Problem, state: Any) -> tuple[np.ndarray, float]:
        """Return beta and b.

        b is ``sum_i beta_i``, the weight of the feature 1; without a bias it is 0.
        """
        bias = float(state.beta.sum()) if problem.bias == "augmented" else 0.0
        return state.beta + 0.0, bias

    def describe(self, problem: Problem, before: Any, after: Any, record: Any) -> Event:
        dual_form, y, i = problem.dual_form, float(problem.y[record["i"]]), Index(record["i"])
        old, new = y * float(before.beta[i]) + 0.0, y * float(after.beta[i]) + 0.0
        f = float(before.w @ _features(problem)[i] if problem.linear else before.sums[i])
        slope = float(
            projected_slope(y - f, before.beta[i], dual_form.lower[i], dual_form.upper[i])
        )
        margin = 1.0 if without_rounding(y * f - 1.0, (1.0,)) == 0.0 else y * f
        G, K_ii, C = margin - 1.0, float(dual_form.diagonal[i]), float(problem.bounds[i])
        # The vertex of the parabola, which exists at a finite alpha only if it is the top.
        unclipped = old - G / K_ii if K_ii > 0.0 else math.copysign(math.inf, -G)
        projected_gradient = -y * slope + 0.0 if G else 0.0
        change, moves, has_top = new - old, projected_gradient != 0.0, K_ii > 0.0
        is_clipped = new != unclipped and new in (0.0, C)
        has_bias, where = problem.bias == "augmented", {0.0: "0", C: "C"}
        top = f"its top at {short(unclipped)}" if math.isfinite(unclipped) else "no top"
        ends, shown = {0.0: "to 0", C: "and stops at C"}, short_change(old, new)
        values = {
            "i": i,
            "is_drawn": self.order == "uniform",
            "sweep": int(before.scalars["sweep"][0]) + 1,
            "active": int(before.scalars["n_active"][0]),
            "label": int(y),
            "C": C,
            "margin": margin,
            "gradient": G,
            "projected_gradient": projected_gradient,
            "curvature": K_ii,
            "K_ii": "k(x_i, x_i) + 1" if has_bias else "k(x_i, x_i)",
            "old": old,
            "new": new,
            "new_alpha": new,
            "change": change,
            "rises": change > 0.0 if change else G < 0.0,
            "unclipped": unclipped,
            "rise": -change * G - 0.5 * change * change * K_ii,
            "moves": moves,
            "stays": not moves,
            "direction": 2 if not moves else int(G > 0.0),
            "top_asked": unclipped if moves and has_top else None,
            "has_top": moves and has_top,
            "no_top": moves and not has_top,
            "top": f"has {top}",
            "top_value": (f"α = {short(unclipped)}" if has_top else "no top") if moves else None,
            "yes_it_stays": None if moves else "yes",
            "why_it_stays": None if moves else _why_it_stays(G, old),
            "kept": None if moves else where.get(old, short(old)),
            "start": shown[0],
            "end": ends.get(new, f"to {shown[1]}, where y·f = 1"),
            "clipped": is_clipped,
            "clip": new if is_clipped else None,
            "arrives": f"stops at {where[new]}" if is_clipped else "goes to its top",
            "moved_to": new if change else None,
            "moved_by": change or None,
            **weight_values(problem, before.beta, after.beta, [i], i),
            "b_before": _sum(before.beta) if has_bias else None,
            "b_change": change * y,
            "b": _sum(after.beta) if has_bias else None,
            "b_moved": _sum(after.beta) if has_bias and change else None,
        }
        return STEP.fill(values, [i], self.pseudo_code(problem))

    def pseudo_code(self, problem: Problem) -> PseudoCode:
        return in_feature_space(code_of(problem.bias, self.order), problem)

    def _params(self, problem: Problem) -> Params:
        return Params(
            tol=self.tol,
            seed=self.seed,
            hard=problem.hard,
            shuffled=self.order == "random",
            uniform=self.order == "uniform",
            shrinking=self.shrinking,
            linear=problem.linear,
        )


def _check_separability(
    dual_form: Any, params: Params, problem: Problem, state: State, work: Work
) -> None:
    """Check whether a hard margin separates the classes; write the result into the state.

    The result is the step count of the next check, and a stop code if the classes are inseparable.
    """
    scalars = state.scalars[0]
    compute_f(params, state, work)
    verdict = decide_separability(problem, work.f)
    if verdict is not None and verdict.separable is False:
        scalars["stop_code"], scalars["hull_distance"] = INSEPARABLE, verdict.distance
    scalars["next_margin_check"] = next_check(verdict, int(scalars["steps"]))


def _sum(beta: np.ndarray) -> float:
    """Return b, the sum of beta; 0 if it is only rounding error."""
    return without_rounding(float(beta.sum()), (float(np.abs(beta).sum()),)) + 0.0


def _why_it_stays(gradient: float, alpha: float) -> str:
    return f"would leave [0, C] at {short(alpha)}" if gradient else "is at the top of its parabola"


def _features(problem: Problem) -> np.ndarray:
    """Return the features z_i of the linear kernel, shape (n, D); (n, 0) for other kernels.

    ``z_i = (1, x_i)``, or ``(0, x_i)`` without a bias, padded with zeros to D >= 3 entries.
    """
    if not problem.linear:
        return np.zeros((problem.n, 0))
    ones = np.full((problem.n, 1), float(problem.bias == "augmented"))
    n_padding = max(0, 2 - problem.X.shape[1])
    return np.hstack([ones, problem.X, np.zeros((problem.n, n_padding))])


def _start_from_guess(problem: Problem, state: State, guess: np.ndarray) -> State:
    """Write the guess, clipped to the box, into ``state``, in which alpha is 0; return ``state``.

    If the clipped guess has a dual value below 0, ``state`` is not changed, since alpha = 0 has the
    dual value 0.
    """
    alpha = repair(problem, problem.y * np.asarray(guess, dtype=np.float64))
    beta = problem.y * alpha
    bias = float(beta.sum()) if problem.bias == "augmented" else 0.0
    sums = Expansion(problem.kernel, problem.X, beta, bias).sum_at(problem.X) + bias
    if alpha.sum() < 0.5 * beta @ sums:
        return state
    state.beta[:] = beta
    state.w[:] = beta @ _features(problem)
    if len(state.sums):
        state.sums[:] = sums
    return state
