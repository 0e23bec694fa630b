"""What one step towards the nearest points of two hulls did, with all numbers behind it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from solvers.geometry.nearest import GAP, NORM, Weights
from solvers.methods.hulls.steps import SWEEP, Work, distance_of
from solvers.problem.problem import Problem
from solvers.run.formulas import Formula, bracketed, members, moved, number
from solvers.run.method import Event

Point = tuple[float, ...]


@dataclass(frozen=True)
class NearestStep(Event):
    """Any step; p and q are had from normalised weights.

    Attributes
    ----------
    p, q : tuple of d floats, or None
        The points of the hulls after the step, for the linear kernel once both exist.
    p_before, q_before : tuple of d floats, or None
    distance, distance_before : float
        ``||p - q||`` in the kernel's space; nan until both exist.
    objective, objective_before : float
        What falls: ``||u - v||^2 - sum lambda`` (pairwise), else ``||p - q||^2``.
    """

    p: Point | None
    q: Point | None
    p_before: Point | None
    q_before: Point | None
    distance: float
    distance_before: float
    objective: float
    objective_before: float


@dataclass(frozen=True)
class OppositePairMoved(NearestStep):
    """One pair of the relaxed sweep: a positive point i and a negative point j.

    Attributes
    ----------
    i, j : int
    old, new : tuple of two floats
        ``(lambda_i, lambda_j)`` before and after; both changed by ``delta``.
    delta : float
    unclipped : float
        The bottom of the parabola, ``(1 - <u - v, x_i - x_j>) / ||x_i - x_j||^2``.
    low : float
        ``M = max(-lambda_i, -lambda_j)``: delta lies on the half-line from M.
    clipped : bool
        Whether M stopped it.
    eta : float
        ``||x_i - x_j||^2`` in the kernel's space.
    passed : int
        Pairs looked at before this one that did not move.
    sweep : int
        Number of the sweep, from 1.
    """

    i: int
    j: int
    old: tuple[float, float]
    new: tuple[float, float]
    delta: float
    unclipped: float
    low: float
    clipped: bool
    eta: float
    passed: int
    sweep: int

    def formulas(self) -> tuple[Formula, ...]:
        """How far down a weight can go, how far both go, and where they are then."""
        i, j = self.i + 1, self.j + 1
        inner, eta = 1.0 - self.unclipped * self.eta, number(self.eta)
        delta = number(self.delta)
        return (
            Formula(
                r"M = \max\left(-\lambda_i^{+},\ -\lambda_j^{-}\right)",
                rf"M = \max\left({number(-self.old[0])},\ {number(-self.old[1])}\right)"
                rf" = {number(self.low)}",
            ),
            Formula(
                r"\delta = \max\left(M,\ \frac{1 - \langle u - v,\ x_i - x_j\rangle}"
                r"{\|x_i - x_j\|^2}\right)",
                rf"\delta = \max\left({number(self.low)},\ "
                rf"\frac{{1 - {bracketed(inner)}}}{{{eta}}}\right) = {delta}",
            ),
            Formula(
                r"\lambda_i^{+} \leftarrow \lambda_i^{+} + \delta, \quad "
                r"\lambda_j^{-} \leftarrow \lambda_j^{-} + \delta",
                moved(rf"\lambda_{{{i}}}^{{+}}", self.old[0], self.new[0])
                + r", \quad "
                + moved(rf"\lambda_{{{j}}}^{{-}}", self.old[1], self.new[1]),
            ),
        )


@dataclass(frozen=True)
class WeightMoved(NearestStep):
    """One MDM step: weight of point j went to point i of the same class.

    Attributes
    ----------
    i, j : int
    old, new : tuple of two floats
        ``(lambda_i, lambda_j)`` before and after.
    delta, unclipped, room : float
        How much moved; where the parabola ends; what lambda_j and the cap allow.
    mu : float
        The cap on weights.
    clipped : bool
        Whether ``room`` stopped it.
    eta : float
        ``||x_i - x_j||^2`` in the kernel's space.
    """

    i: int
    j: int
    old: tuple[float, float]
    new: tuple[float, float]
    delta: float
    unclipped: float
    room: float
    mu: float
    clipped: bool
    eta: float

    def formulas(self) -> tuple[Formula, ...]:
        """How much weight goes, and where it is then."""
        i, j = self.i + 1, self.j + 1
        bottom = number(self.unclipped)
        if self.eta > 0.0:
            bottom = rf"\frac{{{number(self.unclipped * self.eta)}}}{{{number(self.eta)}}}"
        return (
            Formula(
                r"\delta = \min\left(\lambda_j,\ \mu - \lambda_i,\ "
                r"\frac{\left|\langle p - q,\ x_i - x_j\rangle\right|}{\|x_i - x_j\|^2}\right)",
                rf"\delta = \min\left({number(self.old[1])},\ "
                rf"{number(self.mu)} - {number(self.old[0])},\ {bottom}\right)"
                rf" = {number(self.delta)}",
            ),
            Formula(
                r"\lambda_i \leftarrow \lambda_i + \delta, \quad "
                r"\lambda_j \leftarrow \lambda_j - \delta",
                moved(rf"\lambda_{{{i}}}", self.old[0], self.new[0])
                + r", \quad "
                + moved(rf"\lambda_{{{j}}}", self.old[1], self.new[1]),
            ),
        )


@dataclass(frozen=True)
class CorralMoved(NearestStep):
    """One step of Wolfe's method.

    Attributes
    ----------
    added, dropped : int or None
        The point that came into the corral, and the one that met its bound on the way.
    corral : tuple of int
        The free points after the step.
    gap : float
        What is left, at most, of the squared distance.
    ends : tuple of pairs of floats
        The two terms of each class that the gap is the sum of; none where a class has none.
    moved : tuple of (int, float, float)
        Points whose weights changed, with lambda before and after, the largest changes first.
    """

    added: int | None
    dropped: int | None
    corral: tuple[int, ...]
    gap: float
    ends: tuple[tuple[float, float], ...]
    moved: tuple[tuple[int, float, float], ...]

    def formulas(self) -> tuple[Formula, ...]:
        """Where the weights of the corral go, and how much nearer any point could still lead."""
        told = [moved(rf"\lambda_{{{i + 1}}}", old, new) for i, old, new in self.moved[:2]]
        terms = [rf"\left({number(high)} - {bracketed(low)}\right)" for high, low in self.ends]
        if len(self.moved) > 2:
            told.append(r"\dots")
        least = r"\sum_{\pm} \left(\max_{\lambda_i > 0} g_i - \min_{\lambda_i < \mu} g_i\right)"
        return (
            Formula(
                r"\lambda_S \leftarrow \lambda_S + s\,\Delta, \quad "
                r"\lambda_S + \Delta \text{ is best on } S, \quad s \leq 1",
                r", \quad ".join([rf"S = {members(self.corral)}", *told]),
            ),
            Formula(
                rf"{least}, \quad g_i = y_i \langle p - q,\ x_i\rangle",
                rf"{' + '.join(terms) or 0} = {number(self.gap)}",
            ),
        )


def describe(
    algorithm: str, mu: float, problem: Problem, work: Work, states: Any, record: Any
) -> NearestStep:
    """The event of the step between two states."""
    before, after = states
    if algorithm == "pairwise":
        return _pair(problem, work, before, after, record)
    if algorithm == "mdm":
        return _weight(problem, mu, work, states, record)
    return _corral(problem, mu, states, record)


def _pair(
    problem: Problem, work: Work, before: Weights, after: Weights, record: Any
) -> OppositePairMoved:
    i, j = int(record["i"]), int(record["j"])
    delta, unclipped, low = float(record["delta"]), float(record["unclipped"]), float(record["low"])
    new = float(after.lam[i]), float(after.lam[j])
    clipped = delta > unclipped
    common = _common(problem, before, after, relaxed=True)
    falls = common["objective_before"] - common["objective"]
    if clipped:
        ends = [f"{k + 1}" for k, value in zip((i, j), new, strict=True) if value == 0.0]
        what = f"both λ fall by {-delta:.3g}, until λ of point {' and '.join(ends)} is 0"
    else:
        what = f"both λ {'grow' if delta > 0 else 'fall'} by {abs(delta):.3g}"
    return OppositePairMoved(
        **common,
        touched=(i, j),
        sentence=f"Pair ({i + 1}, {j + 1}): {what}; the objective falls by {falls:.2g}.",
        i=i,
        j=j,
        old=(float(before.lam[i]), float(before.lam[j])),
        new=new,
        delta=delta,
        unclipped=unclipped,
        low=low,
        clipped=clipped,
        eta=float(distance_of(work, i, j)),
        passed=int(record["passed"]),
        sweep=int(before.count[SWEEP]) + 1,
    )


def _weight(problem: Problem, mu: float, work: Work, states: Any, record: Any) -> WeightMoved:
    before, after = states
    i, j = int(record["i"]), int(record["j"])
    delta, unclipped = float(record["delta"]), float(record["unclipped"])
    room = float(record["low"])
    new = float(after.lam[i]), float(after.lam[j])
    common = _common(problem, before, after, relaxed=False)
    end = ""
    if new[1] == 0.0:
        end = f", all that point {j + 1} had"
    elif unclipped > room:
        end = f", up to the cap of point {i + 1}"
    return WeightMoved(
        **common,
        touched=(i, j),
        sentence=(
            f"Weight {delta:.3g} goes from point {j + 1} to point {i + 1}{end};"
            f" {_distances(common)}."
        ),
        i=i,
        j=j,
        old=(float(before.lam[i]), float(before.lam[j])),
        new=new,
        delta=delta,
        unclipped=unclipped,
        room=room,
        mu=mu,
        clipped=unclipped > room,
        eta=float(distance_of(work, i, j)),
    )


def _corral(problem: Problem, mu: float, states: Any, record: Any) -> CorralMoved:
    before, after = states
    added = int(record["i"]) if record["i"] >= 0 else None
    dropped = int(record["j"]) if record["j"] >= 0 else None
    common = _common(problem, before, after, relaxed=False)
    corral = tuple(int(k) for k in np.flatnonzero(after.free))
    seen = np.flatnonzero((before.lam != after.lam) | before.free | after.free)
    start = f"Point {added + 1} joins the corral" if added is not None else "The corral goes on"
    end = f", point {dropped + 1} leaves it on the way" if dropped is not None else ""
    sentence = f"{start}{end}; {_distances(common)}."
    if added is None and (before.lam == after.lam).all():
        sentence = "The corral is at its nearest point already, so next a point joins it."
    return CorralMoved(
        **common,
        touched=tuple(int(k) for k in seen),
        sentence=sentence,
        added=added,
        dropped=dropped,
        corral=corral,
        gap=float(after.level[GAP]),
        ends=_ends(problem, mu, after),
        moved=_changes(before.lam, after.lam),
    )


def _ends(problem: Problem, mu: float, state: Weights) -> tuple[tuple[float, float], ...]:
    """The largest g of what can shrink and the smallest of what can grow, where these contradict.

    Of each class, as the gap sums them.
    """
    g, found = problem.y * state.S, []
    for side in (1.0, -1.0):
        own = problem.y == side
        shrink, grow = g[own & (state.lam > 0.0)], g[own & (state.lam < mu)]
        if len(shrink) and len(grow) and shrink.max() > grow.min():
            found.append((float(shrink.max()), float(grow.min())))
    return tuple(found)


def _changes(before: np.ndarray, after: np.ndarray) -> tuple[tuple[int, float, float], ...]:
    """Points whose weights changed, the largest changes first."""
    change = np.abs(after - before)
    order = np.argsort(-change, kind="stable")[: np.count_nonzero(change)]
    return tuple((int(i), float(before[i]), float(after[i])) for i in order)


def _distances(common: dict[str, Any]) -> str:
    before, after = common["distance_before"], common["distance"]
    if after == before:
        return f"p and q stay {after:.4g} apart"
    return f"the distance of p and q falls from {before:.4g} to {after:.4g}"


def _common(problem: Problem, before: Weights, after: Weights, relaxed: bool) -> dict[str, Any]:
    p, q, distance, objective = nearest_points(problem, after, relaxed)
    p_before, q_before, distance_before, objective_before = nearest_points(problem, before, relaxed)
    return {
        "p": p,
        "q": q,
        "p_before": p_before,
        "q_before": q_before,
        "distance": distance,
        "distance_before": distance_before,
        "objective": objective,
        "objective_before": objective_before,
    }


def nearest_points(
    problem: Problem, state: Weights, relaxed: bool
) -> tuple[Point | None, Point | None, float, float]:
    """p and q (linear kernel), their distance, and the objective of a state."""
    lam, y = state.lam, problem.y
    plus, minus = float(lam[y > 0].sum()), float(lam[y < 0].sum())
    norm = float(state.level[NORM])
    objective = norm - plus - minus if relaxed else norm
    if plus == 0.0 or minus == 0.0:
        return None, None, math.nan, objective
    distance = math.sqrt(norm) / (0.5 * (plus + minus))
    if not problem.linear:
        return None, None, distance, objective
    p = tuple((lam[y > 0] @ problem.X[y > 0] / plus).tolist())
    q = tuple((lam[y < 0] @ problem.X[y < 0] / minus).tolist())
    return p, q, distance, objective
