"""The event of one step of Pegasos: numbers, a sentence and formulas."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from solvers.methods.weight_updates import MAX_SHOWN, Mean, Update, of_bias
from solvers.run.formulas import (
    Formula,
    bracketed,
    compared_with_one,
    latex_compared_with_one,
    number,
    vector,
)
from solvers.run.method import Event


@dataclass(frozen=True)
class BatchDrawn(Event):
    """A step of Pegasos.

    Attributes
    ----------
    t : int
        Number of the step, from 1.
    batch : tuple of int
        Indices of the drawn points, in the order in which they were drawn.
    violating : tuple of int
        The drawn points inside their margin, ``y_i f(x_i) < 1``.
    margins : tuple of float
        ``y_i f(x_i)`` of the drawn points before the step.
    rate : float
        ``1 / (lam t)``.
    projection : float
        The factor by which the projection multiplies w; 1 if w is inside the ball.
    theta_before, theta : tuple of float, or None
        ``theta(t)`` and ``theta(t+1) = lam t w(t+1)``, with d entries, and one more for an
        augmented bias; None for a nonlinear kernel. ``theta`` is the one after the projection,
        which multiplies theta by the same factor as w.
    update : Update
        w before the step, and w after it but before the projection; for a nonlinear kernel, beta_i
        of a few points instead of w.
    counts : tuple of float
        ``count_i`` of the points of ``update.shown`` before the step. Projections multiply all
        counts by their factors, so the counts need not be integers.
    bias_before, bias : float or None
        b before the step, and after it but before the projection; None without a bias.
    regularised : bool
        Whether b shrinks with w.
    norm : float or None
        ``||w||`` before the projection; with an augmented bias ``||(w, b)||``. None without a
        projection.
    mean : Mean or None
        The mean of all iterates, if it is shown.
    form : str
        The notation: "w" shows the step of w, "theta" that of theta, with ``w = theta / (lam t)``.
    """

    t: int
    batch: tuple[int, ...]
    violating: tuple[int, ...]
    margins: tuple[float, ...]
    rate: float
    projection: float
    theta_before: tuple[float, ...] | None
    theta: tuple[float, ...] | None
    update: Update
    counts: tuple[float, ...]
    bias_before: float | None
    bias: float | None
    regularised: bool
    norm: float | None
    mean: Mean | None
    form: str

    def formulas(self) -> tuple[Formula, ...]:
        """Return the formulas: margin test, step size, step, b, projection and mean.

        The step has one formula in the notation "w", and two in the notation "theta". The formulas
        of b, the projection and the mean are left out if there is no b, projection or mean.
        """
        steps = self._of_theta() if self.form == "theta" else (self._of_w(),)
        mean = () if self.mean is None else self.mean.formulas(self.t)
        return (
            self._margin_test(),
            self._step_size(),
            *steps,
            *self._of_bias(),
            *self._projection(),
            *mean,
        )

    def _margin_test(self) -> Formula:
        """Return the formula of the test whether the drawn points are inside their margin."""
        margins_by_point = dict(zip(self.batch, self.margins, strict=True))
        lines = [
            rf"y_{{{i + 1}}} f(x_{{{i + 1}}}) = " + latex_compared_with_one(margin)
            for i, margin in list(margins_by_point.items())[:MAX_SHOWN]
        ]
        dots = [r"\dots"] if len(margins_by_point) > MAX_SHOWN else []
        return Formula(
            r"y_i f(x_i) < 1 \ \text{ for which } \ i \in B", r", \quad ".join(lines + dots)
        )

    def _step_size(self) -> Formula:
        t, k = self.t, len(self.batch)
        regulariser = bracketed(1.0 / (self.rate * t))
        return Formula(
            r"\frac{1}{\lambda t |B|}, \quad \lambda = \frac{1}{C n}",
            rf"\frac{{1}}{{{regulariser} \cdot {t} \cdot {k}}} = {number(self.rate / k)}",
        )

    def _of_w(self) -> Formula:
        """Return the formula of the step of w; for a nonlinear kernel, of the coefficients."""
        rate = number(self.rate / len(self.batch))
        numbers = self.update.of_w(rf"w_{{{self.t + 1}}} =", self._decay_factor, rate)
        if numbers is None:
            return self.update.of_beta(
                r"\beta_i \leftarrow \left(1 - \frac{1}{t}\right) \beta_i + "
                r"\frac{y_i}{\lambda t |B|}, \quad \text{if } i \in B,\ y_i f(x_i) < 1",
                self._decay_factor + r" \cdot ",
                rate,
            )
        return Formula(
            r"w_{t+1} = \left(1 - \frac{1}{t}\right) w_t + \frac{1}{\lambda t |B|}"
            r"\sum_{i \in B,\ y_i f(x_i) < 1} y_i x_i",
            numbers,
        )

    @property
    def _decay_factor(self) -> str:
        return rf"\left(1 - \frac{{1}}{{{self.t}}}\right)"

    def _of_theta(self) -> tuple[Formula, Formula]:
        """Return the formulas of the step of theta, and of ``w(t+1) = theta(t+1) / (lam t)``."""
        t, k, update = self.t, len(self.batch), self.update
        if self.theta_before is None or self.theta is None or update.pull is None:
            return self._of_counts()
        # With an augmented bias theta has one more entry, which is shown as b.
        d = len(update.pull)
        after = [value / self.projection for value in self.theta[:d]]
        factor = "" if k == 1 else rf"\frac{{1}}{{{k}}} "
        added = rf" + {factor}{vector(update.pull)}" if self.violating else ""
        return (
            Formula(
                r"\theta_{t+1} = \theta_t + \frac{1}{|B|} \sum_{i \in B,\ y_i f(x_i) < 1} y_i x_i",
                rf"\theta_{{{t + 1}}} = {vector(self.theta_before[:d])}{added} = {vector(after)}",
            ),
            Formula(
                r"w_{t+1} = \frac{1}{\lambda t}\, \theta_{t+1}",
                rf"w_{{{t + 1}}} = {number(self.rate)} {vector(after)}"
                rf" = {vector(update.after or ())}",
            ),
        )

    def _of_counts(self) -> tuple[Formula, Formula]:
        """Return the formulas of the counts and of beta, which replace theta and w.

        They are used for nonlinear kernels.
        """
        count_lines, beta_lines = [], []
        for point, before in zip(self.update.shown, self.counts, strict=True):
            name, after = rf"\mathrm{{count}}_{{{point.i + 1}}}", before + point.times
            count_lines.append(
                rf"{name} \leftarrow {number(before)} + {point.times} = {number(after)}"
            )
            sign = "" if point.label > 0 else "-"
            scale = number(len(self.batch) / self.rate)
            beta_lines.append(
                rf"\beta_{{{point.i + 1}}} = {sign}\frac{{{number(after)}}}{{{scale}}}"
                rf" = {number(point.new)}"
            )
        return (
            Formula(
                r"\mathrm{count}_i \leftarrow \mathrm{count}_i + 1 \ "
                r"\text{ if } i \in B,\ y_i f(x_i) < 1, \quad "
                r"\theta_{t+1} = \frac{1}{|B|} \sum_i \mathrm{count}_i\, y_i\, \varphi(x_i)",
                r", \quad ".join(count_lines),
            ),
            Formula(
                r"w_{t+1} = \frac{1}{\lambda t}\, \theta_{t+1}, \quad "
                r"\beta_i = \frac{y_i\, \mathrm{count}_i}{\lambda t |B|}",
                r", \quad ".join(beta_lines),
            ),
        )

    def _projection(self) -> tuple[Formula, ...]:
        if self.projection == 1.0 or self.norm is None:
            return ()
        t, factor = self.t, self.projection
        ratio = rf"\frac{{{number(factor * self.norm)}}}{{{number(self.norm)}}}"
        factor_text = rf"\min\left(1,\ {ratio}\right)"
        if self.update.after is not None:
            projected_w = [factor * value for value in self.update.after]
            w = vector(self.update.after)
            lines = [rf"w_{{{t + 1}}} \leftarrow {factor_text} {w} = {vector(projected_w)}"]
        else:
            lines = [
                rf"\beta_{{{point.i + 1}}} \leftarrow {factor_text} \cdot {bracketed(point.new)}"
                rf" = {number(factor * point.new)}"
                for point in self.update.shown[:1]
            ]
        ball = "w_{t+1}"
        if self.regularised and self.bias is not None:
            ball = r"(w, b)_{t+1}"
            lines.append(
                rf"b_{{{t + 1}}} \leftarrow {factor_text} \cdot {bracketed(self.bias)}"
                rf" = {number(factor * self.bias)}"
            )
        return (
            Formula(
                rf"{ball} \leftarrow \min\left(1,\ "
                rf"\frac{{1/\sqrt{{\lambda}}}}{{\|{ball}\|}}\right) {ball}",
                r", \quad ".join(lines),
            ),
        )

    def _of_bias(self) -> tuple[Formula, ...]:
        if self.bias is None or self.bias_before is None:
            return ()
        t = self.t
        factor, decay, letters = "", 1.0, ""
        if self.regularised:
            factor, decay = self._decay_factor + r" \cdot ", 1.0 - 1.0 / t
            letters = r"\left(1 - \frac{1}{t}\right) "
        letters = rf"b_{{t+1}} = {letters}b_t + \frac{{1}}{{\lambda t |B|}} "
        letters += r"\sum_{i \in B,\ y_i f(x_i) < 1} y_i"
        left = rf"b_{{{t + 1}}} ="
        return (of_bias(letters, left, factor, self.bias_before, self.bias, decay),)


def in_words(
    form: str, t: int, batch: Any, violating: Any, margins: Any, rate: float, projection: float
) -> str:
    """Return one sentence on the change of w, or of theta if ``form`` is "theta".

    ``rate`` is ``1 / (lam t)``. ``projection`` is the factor of the projection, 1 without one.
    """
    if len(batch) == 1:
        subject = f"Point {batch[0] + 1} has y·f = {compared_with_one(margins[0])}"
    else:
        inside = "is inside its" if len(violating) == 1 else "are inside their"
        subject = f"{len(violating)} of {len(batch)} drawn points {inside} margin"
    change = _change_of_theta if form == "theta" else _change_of_w
    end = f", then back to the ball (×{projection:.3f})" if projection < 1.0 else ""
    return f"{subject}: {change(t, len(batch), len(violating), rate)}{end}."


def _change_of_w(t: int, n_drawn: int, n_violating: int, rate: float) -> str:
    if not n_violating:
        return f"w only shrinks, by the factor 1 − 1/{t:,}"
    points = "this point" if n_violating == 1 else "each of these"
    return (
        f"w shrinks by the factor 1 − 1/{t:,}, and y·x of {points} is added"
        f" {rate / n_drawn:.3g} times"
    )


def _change_of_theta(t: int, n_drawn: int, n_violating: int, rate: float) -> str:
    change = f"θ({t + 1}) = θ({t})"
    if n_violating:
        share = "" if n_drawn == 1 else f"1/{n_drawn} of "
        change += f" + {share}{'y·x' if n_violating == 1 else 'the sum of their y·x'}"
    return f"{change}, and w = {rate:.3g} θ({t + 1})"
