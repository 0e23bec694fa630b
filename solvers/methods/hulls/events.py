"""The events of steps towards the nearest points of two hulls: numbers and formulas.

The weights are called tau and not lambda, since elsewhere lambda is ``1 / (C n)``. The problem is
explained in :mod:`solvers.methods.hulls.hulls`. The relaxed form, which the pairwise algorithm
solves with ``u - v`` in place of ``p - q``, is explained in :mod:`solvers.methods.hulls.steps`.
"""

from __future__ import annotations

from dataclasses import dataclass

from solvers.run.formulas import Formula, assignment, bracketed, number, point_set
from solvers.run.method import OldEvent

Point = tuple[float, ...]


@dataclass(frozen=True)
class NearestStep(OldEvent):
    """A step of any of the three algorithms: what all their events contain.

    p and q are weighted means: the weights of each class are divided by their sum. In MDM and
    Wolfe's method this sum is 1. In the pairwise algorithm it varies, and is 0 before the first
    step. While it is 0, p and q do not exist.

    Attributes
    ----------
    p, q : tuple of d floats, or None
        p is in the hull of the positive points, q in that of the negative points; after the step.
        None if the kernel is nonlinear, or if p and q do not exist.
    p_before, q_before : tuple of d floats, or None
        p and q before the step.
    distance, distance_before : float
        ``||p - q||`` in the kernel's space, after and before the step; nan if p and q do not exist.
    objective, objective_before : float
        The value that the algorithm minimises, after and before the step: ``||u - v||^2 - sum tau``
        (pairwise) or ``||p - q||^2``.
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
class TwoWeightsMoved(NearestStep):
    """A step that changes two weights.

    Attributes
    ----------
    i, j : int
        The points whose weights change.
    old, new : tuple of two floats
        ``(tau_i, tau_j)`` before and after the step.
    delta : float
        The change of tau_i; tau_j changes by delta (pairwise) or -delta (MDM).
    unclipped : float
        delta at the vertex of the objective, which is a parabola in delta.
    clipped : bool
        Whether a bound stopped delta before the vertex.
    eta : float
        ``||x_i - x_j||^2`` in the kernel's space.
    """

    i: int
    j: int
    old: tuple[float, float]
    new: tuple[float, float]
    delta: float
    unclipped: float
    clipped: bool
    eta: float

    def _new_weights(self, letters: str, signs: tuple[str, str]) -> Formula:
        """Return the formula for the new weights.

        ``letters`` is the formula without numbers. ``signs`` are superscripts of tau_i and tau_j.
        """
        names = [rf"\tau_{{{k + 1}}}{sign}" for k, sign in zip((self.i, self.j), signs)]
        lines = map(assignment, names, self.old, self.new)
        return Formula(letters, r", \quad ".join(lines))


@dataclass(frozen=True)
class OppositePairMoved(TwoWeightsMoved):
    """A step of one pair in the pairwise sweep: a positive point i and a negative point j.

    At the vertex of the objective, delta is ``(1 - <u - v, x_i - x_j>) / ||x_i - x_j||^2``.

    Attributes
    ----------
    low : float
        ``M = max(-tau_i, -tau_j)``, the lower bound of delta.
    skipped : int
        Number of pairs that were examined since the last move and could not move.
    sweep : int
        Number of the sweep, from 1.
    """

    low: float
    skipped: int
    sweep: int

    @property
    def formulas(self) -> tuple[Formula, ...]:
        """Return the lower bound of delta, delta, and the new weights."""
        inner, eta = 1.0 - self.unclipped * self.eta, number(self.eta)
        delta = number(self.delta)
        return (
            Formula(
                r"M = \max\left(-\tau_i^{+},\ -\tau_j^{-}\right)",
                rf"M = \max\left({number(-self.old[0])},\ {number(-self.old[1])}\right)"
                rf" = {number(self.low)}",
            ),
            Formula(
                r"\delta = \max\left(M,\ \frac{1 - \langle u - v,\ x_i - x_j\rangle}"
                r"{\|x_i - x_j\|^2}\right)",
                rf"\delta = \max\left({number(self.low)},\ "
                rf"\frac{{1 - {bracketed(inner)}}}{{{eta}}}\right) = {delta}",
            ),
            self._new_weights(
                r"\tau_i^{+} \leftarrow \tau_i^{+} + \delta, \quad "
                r"\tau_j^{-} \leftarrow \tau_j^{-} + \delta",
                ("^{+}", "^{-}"),
            ),
        )


@dataclass(frozen=True)
class WeightMoved(TwoWeightsMoved):
    """An MDM step: weight of point j goes to point i of the same class.

    Attributes
    ----------
    max_delta : float
        The largest delta with which both weights stay from 0 to mu, ``min(tau_j, mu - tau_i)``.
    mu : float
        The cap on weights.
    """

    max_delta: float
    mu: float

    @property
    def formulas(self) -> tuple[Formula, ...]:
        """Return the weight that moves, and the new weights."""
        vertex = number(self.unclipped)
        if self.eta > 0.0:
            vertex = rf"\frac{{{number(self.unclipped * self.eta)}}}{{{number(self.eta)}}}"
        return (
            Formula(
                r"\delta = \min\left(\tau_j,\ \mu - \tau_i,\ "
                r"\frac{\left|\langle p - q,\ x_i - x_j\rangle\right|}{\|x_i - x_j\|^2}\right)",
                rf"\delta = \min\left({number(self.old[1])},\ "
                rf"{number(self.mu)} - {number(self.old[0])},\ {vertex}\right)"
                rf" = {number(self.delta)}",
            ),
            self._new_weights(
                r"\tau_i \leftarrow \tau_i + \delta, \quad "
                r"\tau_j \leftarrow \tau_j - \delta",
                ("", ""),
            ),
        )


@dataclass(frozen=True)
class CorralMoved(NearestStep):
    """A step of Wolfe's method.

    The *corral* is the set of points whose weights a step changes. The corral and the gradient gap
    are explained in :mod:`solvers.geometry.min_norm_point`.

    Attributes
    ----------
    added, dropped : tuple of int
        The points that joined the corral, and the points that left the corral because their
        weights are at a bound. Two points join if no point of their class was in the corral.
    corral : tuple of int
        The corral during the step: ``added`` and ``dropped`` belong to it.
    gap : float
        The sum of the gradient gaps of both classes after the step. ``||p - q||^2 / 2`` can still
        fall by at most this.
    gradients : tuple of pairs of floats
        For each class with a gradient gap above 0 after the step: the largest gradient of a point
        whose weight can shrink, and the smallest gradient of a point whose weight can grow. Their
        difference is the gradient gap.
    moved : tuple of (int, float, float)
        Points whose weights changed, with tau before and after, the largest changes first.
    """

    added: tuple[int, ...]
    dropped: tuple[int, ...]
    corral: tuple[int, ...]
    gap: float
    gradients: tuple[tuple[float, float], ...]
    moved: tuple[tuple[int, float, float], ...]

    @property
    def formulas(self) -> tuple[Formula, ...]:
        """Return the formulas for the new weights of the corral, and for the gap after the step.

        If the corral is empty, there is only the formula for the gap.
        """
        lines = [assignment(rf"\tau_{{{i + 1}}}", old, new) for i, old, new in self.moved[:2]]
        terms = [rf"\left({number(high)} - {bracketed(low)}\right)" for high, low in self.gradients]
        if len(self.moved) > 2:
            lines.append(r"\dots")
        gap = r"\sum_{\pm} \left(\max_{\tau_i > 0} g_i - \min_{\tau_i < \mu} g_i\right)"
        weights_formula = Formula(
            r"\tau_S \leftarrow \tau_S + s\,\Delta, \quad "
            r"\tau_S + \Delta \text{ is best on } S, \quad s \leq 1",
            r", \quad ".join([rf"S = {point_set(self.corral)}", *lines]),
        )
        gap_formula = Formula(
            rf"{gap}, \quad g_i = y_i \langle p - q,\ x_i\rangle",
            rf"{' + '.join(terms) or 0} = {number(self.gap)}",
        )
        return (weights_formula, gap_formula) if self.corral else (gap_formula,)
