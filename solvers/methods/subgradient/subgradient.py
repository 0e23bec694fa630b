"""Batch sub-gradient descent on the primal: all points in every step.

Problem, with ``lam = 1 / (C n)``::

    min J(w, b) = lam/2 ||w||^2 + 1/n sum_i max(0, 1 - y_i f(x_i))

J is the primal objective P divided by C n. It is convex, but not differentiable everywhere. A point
is *inside its margin* if ``y_i f(x_i) < 1``. One of the sub-gradients of J with respect to w is
``lam w`` minus 1/n times the sum of ``y_i x_i`` over the points inside their margin. A step adds
``-eta`` times this sub-gradient to w, where eta is the step size, and treats b in the same way::

    w <- (1 - eta lam) w + eta/n sum_{y_i f(x_i) < 1} y_i x_i
    b <- b + eta/n sum_{y_i f(x_i) < 1} y_i                       (free bias only)

In the expansion over the points, a step is ``beta_i <- (1 - eta lam) beta_i + eta/n y_i`` for
points inside their margin, and ``beta_i <- (1 - eta lam) beta_i`` for all others. So every kernel
can be used. Since ``eta/n = (eta lam) C``, alpha moves the fraction ``eta lam`` of the way to C or
to 0. It stays in the box if ``eta lam <= 1``, and grows without bound if ``eta lam > 2``.

A step need not lower J. The best iterate has a bound, with R the distance from the start to the
optimum and G a bound on the norms of the sub-gradients::

    J_best - J* <= (R^2 + G^2 sum_t eta_t^2) / (2 sum_t eta_t)

So J_best may stay above J* with constant steps, but not with steps of size ``1/sqrt(t)`` or
``1/(lam t)``. There is no test of optimality, since J_best - J* cannot be computed from the
iterates. The bias may be free, absent, or augmented; an augmented bias is one more component of w,
so it is regularised too.

Source: Shor 1985; Boyd and Vandenberghe's notes on sub-gradient methods.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from solvers.methods.subgradient.steps import (
    CONSTANT_STEP,
    DIVERGED,
    EVENT,
    INVERSE,
    PROGRESS_SPAN,
    ROOT,
    SCALARS,
    SLOW,
    Params,
    State,
    Work,
    advance,
    measure,
    step_size,
)
from solvers.methods.subgradient.words import STEP, code_of
from solvers.methods.weight_updates import in_feature_space, weight_values
from solvers.problem.problem import BIAS_CODES, Problem
from solvers.run.beats import PseudoCode
from solvers.run.event import Event
from solvers.run.formulas import without_rounding
from solvers.run.method import Method, Reason, Stop, counted
from solvers.run.records import new_record
from solvers.settings import setting, step_limit

# If there are more points than this, no question asks to count those inside their margin.
MAX_COUNTED = 40
# For each step rule, the text before the step size in a sentence, and the code for compiled code.
RATE_TEXTS = {"inverse": "1/(λt) = ", "constant": "", "root": "η₀/√t = "}
RULE_CODES = {"inverse": INVERSE, "constant": CONSTANT_STEP, "root": ROOT}


@dataclass(frozen=True)
class Subgradient(Method):
    """Batch sub-gradient descent, linear and kernel."""

    name: ClassVar[str] = "subgradient"
    label: ClassVar[str] = "Sub-gradient descent"
    source: ClassVar[str] = "Shor 1985"
    help: ClassVar[str] = (
        "Every step moves w towards all points inside their margin lines. The objective may rise "
        "from step to step; with a suitable step rule its best value so far approaches the optimum."
    )
    biases: ClassVar[tuple[str, ...]] = ("free", "none", "augmented")
    dual_feasible: ClassVar[bool] = False
    guarantees: ClassVar[tuple[str, ...]] = ("best-falls",)
    hard_margin: ClassVar[bool] = False
    finite_C: ClassVar[str] = "its λ = 1 / (C n) is 0 at the hard margin"
    event_dtype: ClassVar[np.dtype] = EVENT

    rate: str = setting(
        "inverse",
        "Step rule",
        "How the step size ηₜ falls. With a constant one the method may stop short of the optimum.",
        choices=(("inverse", "1/(λt)"), ("constant", "constant η₀"), ("root", "η₀/√t")),
    )
    eta0: float = setting(
        1.0,
        "η₀",
        "Step size of the constant rule, first step size of η₀/√t. While ηₜ is above 2/λ, the "
        "steps let w grow.",
        low=1e-3,
        high=1e3,
        scale="log",
        hard_low=0.0,
        hard_high=1e30,
        open_low=True,
    )
    begin: str = setting(
        "zero",
        "Start",
        "w at step 0: 0, or the difference of the class means, towards class +1 or the other way. "
        "P is convex, so each start leads to the same optimum. The rule 1/(λt) forgets the start "
        "in its first step.",
        choices=(("zero", "w = 0"), ("means", "towards +1"), ("against", "away from +1")),
    )
    best: bool = setting(
        False,
        "Best so far",
        "Show the iterate with the smallest objective so far instead of the last.",
    )
    stop_early: bool = setting(
        False,
        "Stop when slow",
        f"Stop when {PROGRESS_SPAN} steps lower the best objective by less than the fraction "
        "“Least progress”. That does not prove an optimum.",
    )
    progress: float = setting(
        1e-4,
        "Least progress",
        f"The fraction of the best objective by which {PROGRESS_SPAN} steps have to lower it.",
        low=1e-8,
        high=1e-1,
        scale="log",
        hard_low=0.0,
        hard_high=1.0,
    )
    max_steps: int = step_limit(
        5_000,
        "Number of steps to take; there is no test of optimality, only the stop when slow.",
        label="Steps",
        high=100_000,
    )

    def start(self, problem: Problem, guess: np.ndarray | None = None) -> State:
        """Return the guess clipped to the box, or the start of the settings.

        With the rule 1/(lam t) a guess is ignored, since the first step multiplies it by 0. The
        difference of the class means has ``beta_i = y_i / n_i``, where n_i is the number of points
        in the class of point i.
        """
        n, d = problem.X.shape
        linear = problem.linear
        beta = np.zeros(n)
        if self.begin != "zero":
            side = 1.0 if self.begin == "means" else -1.0
            beta = (
                side
                * problem.y
                / np.where(problem.y > 0, (problem.y > 0).sum(), (problem.y < 0).sum())
            )
        if guess is not None and np.any(guess) and self.rate != "inverse":
            beta = _clipped(problem, guess)
        f = np.zeros(n)
        if beta.any():
            f += problem.expansion(beta.copy(), 0.0).sum_at(problem.X)
            f += beta.sum() if problem.bias == "augmented" else 0.0
        state = State(
            beta=beta,
            w=np.append(beta @ problem.centered, beta.sum()) if linear else np.zeros(d + 1),
            f=f,
            inside=np.zeros(n, dtype=np.uint8),
            pull=np.zeros(0 if linear else n),
            best=beta.copy() if self.best else np.zeros(0),
            scalars=new_record(SCALARS),
        )
        measure(
            problem.dual_form,
            self._params(problem),
            state,
            self.workspace(problem, cache_bytes=0),
        )
        for name in ("best_objective", "earlier_objective"):
            state.scalars[name] = state.scalars["objective"]
        return state

    def workspace(self, problem: Problem, cache_bytes: int) -> Work:
        rows = problem.dual_form.make_rows(0 if problem.linear else cache_bytes)
        return Work(rows, np.empty(problem.X.shape[1] + 1))

    def advance(self, problem: Problem, state: Any, work: Any, events: Any, marks: Any) -> Any:
        return advance(problem.dual_form, self._params(problem), state, work, events, marks)

    def stop(self, code: int, problem: Problem, state: Any) -> Stop:
        t = int(state.scalars["steps"][0])
        if code == DIVERGED:
            eta, max_eta = float(step_size(self._params(problem), 1)), 2.0 / problem.lam
            return Stop(
                Reason.STALLED,
                f"Stopped after {counted(t, 'step')}: w grows without bound, since steps of size"
                f" {eta:.3g} are above 2/λ = {max_eta:.3g}; choose a smaller η₀.",
            )
        assert code == SLOW
        return Stop(
            Reason.STALLED,
            f"Stopped after {t:,} steps: the last {PROGRESS_SPAN} lowered the best objective by"
            f" less than {self.progress:g} of itself, which is slow but no proof of an optimum.",
        )

    def expand(self, problem: Problem, state: Any) -> tuple[np.ndarray, float]:
        beta = (state.best if self.best else state.beta) + 0.0
        if problem.bias == "augmented":
            return beta, float(beta.sum())
        return beta, float(state.scalars["best_bias" if self.best else "bias"][0])

    def describe(self, problem: Problem, before: Any, after: Any, record: Any) -> Event:
        old_scalars, new_scalars = before.scalars[0], after.scalars[0]
        t, eta, n = int(new_scalars["steps"]), float(record["eta"]), problem.n
        violating = np.flatnonzero(before.inside)
        shown_before, shown = (self.expand(problem, state)[0] for state in (before, after))
        changed = np.flatnonzero((shown_before == 0.0) != (shown == 0.0))
        b_before, b = (self._bias(problem, state) for state in (before, after))
        squared_change = float((after.beta - before.beta) @ (after.f - before.f))
        squared_change += float(new_scalars["bias"] - old_scalars["bias"]) ** 2
        value_before, value = float(old_scalars["objective"]), float(new_scalars["objective"])
        best_before = float(old_scalars["best_objective"])
        n_inside, decay = len(violating), 1.0 - eta * problem.lam
        b_change = eta / n * float(problem.y[violating].sum())
        b_before, b = (without_rounding(x, (b_change, eta / n)) for x in (b_before, b))
        inside = f"each of {n_inside:,} of {n:,} points, inside their margin lines,"
        if n_inside == 1:
            inside = "1 point inside its margin line"
        values = {
            "t": t,
            "t_next": t + 1,
            "n": n,
            "lam": problem.lam,
            "eta": eta,
            "eta_lam": eta * problem.lam,
            "first_eta": eta * math.sqrt(t),
            **self._asked(problem, n_inside, t, eta),
            "rate_text": RATE_TEXTS[self.rate],
            **{rule: rule == self.rate for rule in RULE_CODES},
            "decay": decay,
            "kept_decay": None if n_inside else decay,
            "share": eta / n,
            "added_share": eta / n if n_inside else None,
            "violating": violating.tolist(),
            "points": violating.tolist(),
            "n_inside": n_inside,
            "n_added": n_inside or None,
            "adds": n_inside > 0,
            "inside_their_margin": inside if n_inside else None,
            **weight_values(problem, before.beta, after.beta, violating.tolist(), 0),
            "has_free_bias": problem.bias == "free",
            "regularised": problem.bias == "augmented",
            "b_before": b_before,
            "b_change": b_change,
            "b_eta_lam": eta * problem.lam if problem.bias == "augmented" else 0.0,
            "b": b,
            "b_moved": b if n_inside else None,
            "gradient_norm": math.sqrt(max(squared_change, 0.0)) / eta,
            "norm": math.sqrt(max(float(after.beta @ after.f), 0.0)),
            "value_before": value_before,
            "value": value,
            "J_changes": _change_of_J(value_before, value),
            "best": float(new_scalars["best_objective"]),
            "best_before": best_before if self.best else None,
            "is_best": value < best_before,
            "new_best": value if value < best_before else None,
            "best_step": int(new_scalars["best_step"]),
            "best_next": int(new_scalars["best_step"]) + 1,
        }
        touched = np.union1d(violating, changed)
        return STEP.fill(values, touched, self.pseudo_code(problem))

    def _asked(self, problem: Problem, n_inside: int, t: int, eta: float) -> dict[str, Any]:
        """Return values of questions; None if the settings or the kernel exclude a question."""
        is_few, shares = problem.n <= MAX_COUNTED, not problem.linear
        return {
            "n_countable": n_inside if is_few else None,
            "is_any_inside": None if is_few else n_inside > 0,
            "lam_asked": problem.lam if self.rate == "inverse" else None,
            "first_eta_asked": eta * math.sqrt(t) if self.rate == "root" else None,
            "constant_eta": eta if self.rate == "constant" else None,
            "share_asked": eta / problem.n if shares and n_inside else None,
            "decay_asked": 1.0 - eta * problem.lam if shares and not n_inside else None,
        }

    def pseudo_code(self, problem: Problem) -> PseudoCode:
        return in_feature_space(code_of(self.rate, self.best, problem.bias), problem)

    def _bias(self, problem: Problem, state: Any) -> float:
        """Return b of the last iterate, even if the best iterate is shown."""
        if problem.bias == "augmented":
            return without_rounding(float(state.beta.sum()), (float(np.abs(state.beta).sum()),))
        return float(state.scalars["bias"][0]) + 0.0

    def _params(self, problem: Problem) -> Params:
        return Params(
            lam=problem.lam,
            rate=RULE_CODES[self.rate],
            eta0=self.eta0,
            progress=self.progress if self.stop_early else -1.0,
            bias=BIAS_CODES[problem.bias],
            linear=problem.linear,
            best=self.best,
        )


def _clipped(problem: Problem, guess: np.ndarray) -> np.ndarray:
    alpha = problem.y * np.asarray(guess, dtype=np.float64)
    return problem.y * np.clip(alpha, 0.0, problem.C) + 0.0


def _change_of_J(before: float, after: float) -> str:
    """Return how J changes, in words; J stays if both values have the same four digits."""
    old, new = f"{before:.4g}", f"{after:.4g}"
    verb = "falls" if after < before else "rises"
    return f"J stays at {new}" if old == new else f"J {verb} from {old} to {new}"
