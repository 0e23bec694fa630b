"""The perceptron: visit one point after the other, and update f at mistakes.

The perceptron starts from f = 0 and searches for an ``f(x) = sum_j y_j count_j k(x_j, x) + b`` with
``y_i f(x_i) > 0`` at every point. A step visits point i::

    if y_i f(x_i) <= 0:   w <- w + y_i phi(x_i),  b <- b + y_i

If the setting ``zero`` says that f(x_i) = 0 predicts +1, a point with f(x_i) = 0 is a mistake only
if its class is -1.

``count_j`` is the number of mistakes at point j. The counts determine w, so the algorithm is the
same with any kernel. There is no learning rate, since it would only scale f. C and the margin are
not used: the method ends at the first boundary without a mistake.

b is updated like the weight of one more component of phi(x), which is 1 at every point. So the
steps are the same with a free and an augmented bias; only the problems differ for which the
certificates are computed. On separable data there are at most ``(R / gamma)^2`` mistakes. R and
gamma are the radius and the margin of the points, including the component 1 (see
:class:`Novikoff`).

Sources: Rosenblatt 1958; Novikoff 1962 (the bound).
"""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from solvers.geometry.separation import margin_of, margin_through_origin, separation
from solvers.methods.perceptron.steps import (
    EVENT,
    NO_MISTAKE,
    SCALARS,
    Params,
    State,
    Work,
    advance,
)
from solvers.methods.weight_updates import in_feature_space, weight_values
from solvers.problem.problem import Problem
from solvers.run.beats import PseudoCode, pseudo_code, subscript
from solvers.run.event import Event
from solvers.run.fields import Index
from solvers.run.method import Method, Reason, Stop, counted
from solvers.run.records import new_record
from solvers.run.templates import step_template
from solvers.settings import random_seed, setting, step_limit

# Of the lines `test` and `plus`, `pseudo_code` keeps the one for the setting `zero`.
CODE = pseudo_code(
    "Rosenblatt 1958; Novikoff 1962",
    """
         | repeat until a sweep has no mistake
    look |   for i in the order of the sweep
    test |     if yᵢ f(xᵢ) ≤ 0
    plus |     if f(xᵢ) < 0 and yᵢ = +1, or f(xᵢ) ≥ 0 and yᵢ = −1
    w    |       w ← w + yᵢxᵢ
    b    |       b ← b + yᵢ
    """,
)
# The definition of a mistake, by the setting `zero`: as a formula and in words.
TESTS = {
    "mistake": r"y_i f(x_i) \leq 0 \ \text{ is a mistake}",
    "positive": r"y_i f(x_i) < 0 \ \text{ or } f(x_i) = 0,\ y_i = -1 \ \text{ is a mistake}",
}
MISTAKES = {"mistake": "y·f ≤ 0", "positive": "y·f < 0, or f = 0 in class −1"}
STEP = step_template(
    r"""
    Point $i was $place[[, y·f = ${off:.2g}]]: $yx of this point is added to w; mistakes
    at this point: ${count:,}. || Point $i was $place[[, y·f = ${off:.2g}]]: nothing moves.

    # Look
    Sweep ${sweep:,} comes to point $i of class ${label:+d}: f = $f, so y·f = $margin.
    line look: i = $i
    note i: y·f = $margin
    asks point next_point: The sweep takes the points as they are numbered. Which one is next?
    missed: After the last point comes the first one again.
    asks number y·f=margin: Point $i at $x of class ${label:+d} is next, and w = $w_before[[, b =
    $b_before]]. What is its y·f?
    missed: f = ⟨w, x⟩ + b, and then times y.
    size: f_terms b_before

    # ${mistake:A|No} mistake
    Point $i was $place, so $consequence.
    line test: $margin: ${mistake:yes|no}
    line plus: $f: ${mistake:yes|no}
    note i: y·f = $margin
    asks case mistake: Point $i of class ${label:+d} has f = $f. Is it a mistake? yes | no
    missed: y·f = $margin, and a mistake is $mistake_is.
    formula: $test => y_{$i} f(x_{$i}) = $margin$comparison
    formula when kept: w \leftarrow w => w \leftarrow $w
    formula for coefficients when kept: \beta_i \leftarrow \beta_i => \beta_{$i} \leftarrow $new

    # Add
    $yx of point $i is added to w[[, and ${b_change:+d} to b]], so the boundary moves; mistakes at
    this point so far: ${count:,}.
    line w: w ${label:+|−} $image
    line b: b = $b
    note i: mistakes: ${count:,}
    row mistakes: ${mistakes:,}
    asks number w=w: y·x = $pull is added to w = $w_before. What is w now?
    missed: Each coordinate is the sum of the two.
    size: w_before pull
    asks number b=b: y = ${b_change:+d} is added to b = $b_before. What is b now?
    missed: b ← b + y.
    formula: w \leftarrow w + y_i x_i => w \leftarrow $w_before + $pull = $w
    formula for coefficients: \beta_i \leftarrow \beta_i + y_i
        => \beta_{$i} \leftarrow $old $added 1 = $new
    formula: b \leftarrow b + y_i => b \leftarrow $b_before ${b_change:+} = $b
    """,
    sums={"w": lambda w_before, pull: w_before + pull},
)


@dataclass(frozen=True)
class Novikoff:
    """Novikoff's bound: at most ``(R / gamma)^2`` mistakes.

    With a positive semi-definite kernel the bound holds for every order of visits. With any other
    kernel it holds only for the run from whose final w gamma was computed. On screen gamma is
    called rho, since gamma is a parameter of kernels there.

    Attributes
    ----------
    radius : float
        ``R = max_i ||(phi(x_i), 1)||``; without a bias there is no component 1.
    margin : float
        gamma: the largest known margin of a boundary through the origin of the space that has this
        component 1. If the kernel is not known to be positive semi-definite, gamma is the margin of
        w at the end of the run.
    """

    radius: float
    margin: float

    @property
    def mistakes(self) -> float:
        """Return ``(R / gamma)^2``."""
        return (self.radius / self.margin) ** 2

    @property
    def clause(self) -> str:
        """Return a clause that states the bound, a whole number unless it is huge."""
        # The bound may be whole up to rounding.
        most = self.mistakes * (1.0 + 1e-12)
        words = f"{most:.4g} mistakes" if most >= 1e6 else counted(math.floor(most), "mistake")
        return f"Novikoff's bound allows at most {words}"


@dataclass(frozen=True)
class Perceptron(Method):
    """The perceptron, linear and kernel."""

    name: ClassVar[str] = "perceptron"
    label: ClassVar[str] = "Perceptron"
    source: ClassVar[str] = "Rosenblatt 1958; Novikoff 1962"
    help: ClassVar[str] = (
        "Visits one point after the other and adds y·x of every mistake to w, until a whole sweep "
        "has none. It ends at the first boundary that separates the points; C is not used."
    )
    biases: ClassVar[tuple[str, ...]] = ("free", "none", "augmented")
    dual_feasible: ClassVar[bool] = False
    guarantees: ClassVar[tuple[str, ...]] = ("mistakes", "separates")
    uses_penalty: ClassVar[bool] = False
    aim: ClassVar[str] = "separates"
    maximizes_margin: ClassVar[bool] = False
    event_dtype: ClassVar[np.dtype] = EVENT
    keeps_events: ClassVar[bool] = False

    order: str = setting(
        "cyclic",
        "Order",
        "Cyclic: the points in the order of the table. Random: shuffled for every sweep.",
        choices=(("cyclic", "cyclic"), ("random", "random")),
    )
    zero: str = setting(
        "positive",
        "If f(x) = 0",
        "Whether a point with f(x) = 0 is a mistake only in class −1, because f(x) = 0 predicts +1 "
        "as in all counts of errors, or in either class, so that f is 0 nowhere at the end.",
        choices=(("positive", "predicts +1"), ("mistake", "mistake in either class")),
    )
    sweeps: int = setting(
        20,
        "Sweep limit",
        "Stop after this many sweeps if it is proved that no boundary separates the points.",
        low=1,
        high=1000,
        hard_low=1,
        hard_high=1e6,
    )
    max_steps: int = step_limit(
        1_000_000, "Stop after this many steps; a step visits one point.", high=1e7
    )
    seed: int = random_seed("The same seed gives the same random order.")

    def segment_size(self, problem: Problem) -> int:
        return max(4096, 4 * problem.n)

    def start(self, problem: Problem, guess: np.ndarray | None = None) -> State:
        """Return zeros, except that ``is_inseparable`` is 1 if the points are proved inseparable.

        A guess is ignored, since its coefficients are not counts of mistakes.
        """
        scalars = new_record(SCALARS)
        scalars["is_inseparable"] = separation(problem).separable is False
        return State(np.zeros(problem.n, dtype=np.int64), np.zeros(problem.n), scalars)

    def workspace(self, problem: Problem, cache_bytes: int) -> Work:
        rows = problem.dual_form.make_rows(cache_bytes)
        order = np.zeros(problem.n, dtype=np.int64)
        return Work(rows, order, np.full(1, -1, dtype=np.int64))

    def advance(self, problem: Problem, state: Any, work: Any, events: Any, marks: Any) -> Any:
        return advance(problem.dual_form, self._params(problem), state, work, events, marks)

    def stop(self, code: int, problem: Problem, state: Any) -> Stop:
        scalars = state.scalars[0]
        steps, mistakes = int(scalars["steps"]), counted(int(scalars["mistakes"]), "mistake")
        if code == NO_MISTAKE:
            bound = self.bound(problem, self.expand(problem, state)[0])
            novikoff = f"; {bound.clause}" if bound else ""
            return Stop(
                Reason.CONVERGED,
                f"Separates the classes after {mistakes} in {counted(steps, 'step')}{novikoff}.",
            )
        reason = (
            "the hulls of the two classes meet, so no boundary separates them, and the run would"
            " never end"
        )
        if problem.bias == "none":
            reason = "no boundary through the origin separates these points"
            # If f = 0 predicts +1, a run may end with points of the class +1 on the boundary.
            reason += " strictly" if self.zero == "positive" else ", and the run would never end"
        sweeps = counted(self.sweeps, "sweep")
        return Stop(Reason.NOT_SEPARABLE, f"Stopped after {sweeps} and {mistakes}: {reason}.")

    def is_correct(self, problem: Problem, decision: np.ndarray) -> np.ndarray:
        correct = problem.y * decision > 0.0
        if self.zero == "positive":
            correct |= (decision == 0.0) & (problem.y > 0.0)
        return correct

    def expand(self, problem: Problem, state: Any) -> tuple[np.ndarray, float]:
        """Return ``beta_i = y_i count_i``, and b: ``sum_i beta_i``, or 0 without a bias."""
        beta = problem.y * state.counts + 0.0
        return beta, 0.0 if problem.bias == "none" else float(beta.sum())

    def certified_problem(self, problem: Problem, state: Any) -> Problem:
        """Return the hard-margin problem, since alpha counts mistakes and C does not bound it."""
        return problem if problem.hard else dataclasses.replace(problem, C=math.inf)

    def describe(self, problem: Problem, before: Any, after: Any, record: Any) -> Event:
        # Adding 0 turns -0 into 0.
        i, margin = Index(record["i"]), float(record["margin"]) + 0.0
        is_mistake, label = bool(record["mistake"]), int(problem.y[i])
        (beta_before, b_before), (beta, b) = (self.expand(problem, x) for x in (before, after))
        weights = weight_values(problem, beta_before, beta, [i] if is_mistake else [], i)
        moves_bias = is_mistake and problem.bias != "none"
        values = {
            "i": i,
            "label": label,
            "sweep": (int(after.scalars["steps"][0]) - 1) // problem.n + 1,
            "f": label * margin,
            "margin": margin,
            # If f = 0, the place says so.
            "off": margin or None,
            "place": self._place(is_mistake, margin == 0.0, not before.counts.any()),
            "mistake": is_mistake,
            "kept": not is_mistake,
            "consequence": f"{weights['yx']} is added to w" if is_mistake else "nothing changes",
            "test": TESTS[self.zero],
            "mistake_is": MISTAKES[self.zero],
            # A question asks which point is next if it cannot ask for y f, since with a nonlinear
            # kernel y f cannot be computed by hand.
            "next_point": None if problem.linear or self.order == "random" else i,
            "comparison": self._comparison(i, margin, label),
            "count": int(after.counts[i]) if is_mistake else None,
            "mistakes": int(after.scalars["mistakes"][0]),
            "b_before": b_before,
            "b_change": label if moves_bias else None,
            "b": b,
            **weights,
            "image": f"x{subscript(i + 1)}" if problem.linear else f"φ(x{subscript(i + 1)})",
        }
        return STEP.fill(values, [i], self.pseudo_code(problem))

    def _place(self, is_mistake: bool, on_boundary: bool, is_start: bool) -> str:
        """Return in words where a visited point is."""
        if not on_boundary:
            return "on the wrong side" if is_mistake else "on its side of the boundary"
        # Without a w there is no boundary yet.
        where = (
            "at f = 0 like all points so far, which" if is_start else "on the boundary, where f = 0"
        )
        if self.zero == "mistake":
            return f"{where} counts as a mistake"
        predicted = "the other class, +1" if is_mistake else "its class +1"
        return f"{where} predicts {predicted}"

    def _comparison(self, i: int, margin: float, label: int) -> str:
        """Return LaTeX, to follow y f, that shows whether point i is a mistake."""
        if margin > 0.0:
            return " > 0"
        if self.zero == "mistake":
            return r" \leq 0"
        # If f = 0, the class decides.
        return " < 0" if margin < 0.0 else rf",\ y_{{{i + 1}}} = {label:+d}"

    def pseudo_code(self, problem: Problem) -> PseudoCode:
        unused = "test" if self.zero == "positive" else "plus"
        code = CODE.without(unused, *(["b"] if problem.bias == "none" else []))
        return in_feature_space(code, problem)

    def bound(self, problem: Problem, beta: np.ndarray | None = None) -> Novikoff | None:
        """Return Novikoff's bound on the mistakes.

        Novikoff's proof compares w with a w* that separates with the margin gamma: ``mistakes gamma
        <= <w, w*> / ||w*|| <= ||w|| <= sqrt(mistakes) R``. The second inequality, that of Cauchy
        and Schwarz, may fail if the kernel is not positive semi-definite. But it is an equality if
        w* is the w at the end of the run and ``||w||^2 = beta' K beta > 0``. So with a kernel that
        is not known to be positive semi-definite, there is a bound for this run only.

        Parameters
        ----------
        problem : Problem
        beta : array, shape (n,), optional
            beta at the end of this method's run.

        Returns
        -------
        Novikoff or None
            None if no boundary is known that separates the points strictly. None as well if the
            kernel is not known to be positive semi-definite, and beta is missing or does not
            separate, or no ``||x_i||^2 = k(x_i, x_i)`` is above 0.
        """
        if problem.kernel.mercer:
            margin = margin_through_origin(problem, beta)
        else:
            margin = 0.0 if beta is None else margin_of(problem, beta)
        extra = 0.0 if problem.bias == "none" else 1.0
        diagonal = problem.used_kernel.diagonal(problem.centered)
        squared_radius = float(diagonal.max()) + extra
        if margin <= 0.0 or squared_radius <= 0.0:
            return None
        return Novikoff(math.sqrt(squared_radius), margin)

    def _params(self, problem: Problem) -> Params:
        extra = 1.0 if problem.bias == "free" else 0.0
        zero_is_positive = self.zero == "positive"
        return Params(self.order == "random", self.seed, self.sweeps, extra, zero_is_positive)
