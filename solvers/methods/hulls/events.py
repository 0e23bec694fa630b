"""The events of steps towards the nearest points of two hulls: numbers and formulas."""

from __future__ import annotations

from dataclasses import dataclass

from solvers.run.formulas import Formula, bracketed, members, moved, number
from solvers.run.method import Event

Point = tuple[float, ...]


@dataclass(frozen=True)
class NearestStep(Event):
    """A step of any of the algorithms; p and q use normalised weights.

    Attributes
    ----------
    p, q : tuple of d floats, or None
        The points of the hulls after the step, for the linear kernel once both exist.
    p_before, q_before : tuple of d floats, or None
    distance, distance_before : float
        ``||p - q||`` in the kernel's space; nan until both exist.
    objective, objective_before : float
        The value minimised: ``||u - v||^2 - sum lambda`` (pairwise), else ``||p - q||^2``.
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
    """A step of one pair of the relaxed sweep: a positive point i and a negative point j.

    Attributes
    ----------
    i, j : int
    old, new : tuple of two floats
        ``(lambda_i, lambda_j)`` before and after; both changed by ``delta``.
    delta : float
    unclipped : float
        The vertex of the parabola, ``(1 - <u - v, x_i - x_j>) / ||x_i - x_j||^2``.
    low : float
        ``M = max(-lambda_i, -lambda_j)``, the lower bound of delta.
    clipped : bool
        Whether delta is M and not the vertex.
    eta : float
        ``||x_i - x_j||^2`` in the kernel's space.
    passed : int
        Number of pairs examined before this one that did not move.
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
        """Return the lower bound of delta, delta, and the new weights."""
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
    """An MDM step: weight of point j goes to point i of the same class.

    Attributes
    ----------
    i, j : int
    old, new : tuple of two floats
        ``(lambda_i, lambda_j)`` before and after.
    delta, unclipped, max_delta : float
        The weight moved; the vertex of the parabola; the most that lambda_j and the cap allow.
    mu : float
        The cap on weights.
    clipped : bool
        Whether delta is ``max_delta`` and not the vertex.
    eta : float
        ``||x_i - x_j||^2`` in the kernel's space.
    """

    i: int
    j: int
    old: tuple[float, float]
    new: tuple[float, float]
    delta: float
    unclipped: float
    max_delta: float
    mu: float
    clipped: bool
    eta: float

    def formulas(self) -> tuple[Formula, ...]:
        """Return the weight that moves, and the new weights."""
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
    """A step of Wolfe's method.

    Attributes
    ----------
    added, dropped : int or None
        The point that joined the corral, and the one that reached its bound on the way.
    corral : tuple of int
        The free points after the step.
    gap : float
        An upper bound on how much the squared distance can still fall.
    ends : tuple of pairs of floats
        The two terms of each class that has a gap.
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
        """Return the new weights of the corral, and the gap that is left."""
        lines = [moved(rf"\lambda_{{{i + 1}}}", old, new) for i, old, new in self.moved[:2]]
        terms = [rf"\left({number(high)} - {bracketed(low)}\right)" for high, low in self.ends]
        if len(self.moved) > 2:
            lines.append(r"\dots")
        gap = r"\sum_{\pm} \left(\max_{\lambda_i > 0} g_i - \min_{\lambda_i < \mu} g_i\right)"
        return (
            Formula(
                r"\lambda_S \leftarrow \lambda_S + s\,\Delta, \quad "
                r"\lambda_S + \Delta \text{ is best on } S, \quad s \leq 1",
                r", \quad ".join([rf"S = {members(self.corral)}", *lines]),
            ),
            Formula(
                rf"{gap}, \quad g_i = y_i \langle p - q,\ x_i\rangle",
                rf"{' + '.join(terms) or 0} = {number(self.gap)}",
            ),
        )
