"""What one step of Pegasos did, in numbers, in words and as a formula."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from solvers.formulas import Formula, bracketed, number, vector
from solvers.method import Event
from solvers.updates import Update


@dataclass(frozen=True)
class BatchDrawn(Event):
    """One Pegasos step.

    Attributes
    ----------
    t : int
        Number of the step, from 1.
    drawn : tuple of int
        Indices of the batch, in the order drawn.
    violating : tuple of int
        Those inside their margin, ``y_i f(x_i) < 1``.
    margins : tuple of float
        ``y_i f(x_i)`` of the drawn points before the step.
    rate : float
        ``1 / (lam t)``.
    projected : float
        Factor of the projection; 1 if w stayed inside the ball.
    theta_before, theta : tuple of float, or None
        ``theta(t)`` and ``theta(t+1) = lam t w(t+1)``, shape (d,), one more for an augmented bias;
        linear kernel only. A projection shrinks theta with w.
    update : Update
        w before and after (before a projection), or the coefficient of a point.
    bias_before, bias : float, or None
        A free bias before and after.
    form : str
        In which form the step is told, "w" or "theta".
    """

    t: int
    drawn: tuple[int, ...]
    violating: tuple[int, ...]
    margins: tuple[float, ...]
    rate: float
    projected: float
    theta_before: tuple[float, ...] | None
    theta: tuple[float, ...] | None
    update: Update
    bias_before: float | None
    bias: float | None
    form: str

    def formulas(self) -> tuple[Formula, ...]:
        """The step, the projection where there was one, and a free bias."""
        steps = self._of_theta() if self.form == "theta" else (self._of_w(),)
        return *steps, *self._projection(), *self._of_bias()

    def _of_w(self) -> Formula:
        """In letters of w, or for a curved kernel of the coefficients that make it."""
        t, k = self.t, len(self.drawn)
        shrunk, rate = rf"\left(1 - \frac{{1}}{{{t}}}\right)", number(self.rate / k)
        told = self.update.of_w(rf"w_{{{t + 1}}} =", shrunk, rate)
        if told is None:
            return self.update.of_beta(
                r"\beta_i \leftarrow \left(1 - \frac{1}{t}\right) \beta_i + "
                r"\frac{y_i}{\lambda t k} \ \text{ if } i \in B,\ y_i f(x_i) < 1",
                shrunk + r" \cdot ",
                rate,
            )
        return Formula(
            r"w_{t+1} = \left(1 - \frac{1}{t}\right) w_t + \frac{1}{\lambda t k}"
            r"\sum_{i \in B,\ y_i f(x_i) < 1} y_i x_i",
            told,
        )

    def _projection(self) -> tuple[Formula, ...]:
        if self.projected == 1.0:
            return ()
        t, after, shrunk = self.t, self.update.after, rf"w_{{{self.t + 1}}}"
        if after is not None:
            shrunk = f"{vector(after)} = {vector([self.projected * value for value in after])}"
        return (
            Formula(
                r"w_{t+1} \leftarrow \min\left(1,\ \frac{1/\sqrt{\lambda}}{\|w_{t+1}\|}\right)"
                r" w_{t+1}",
                rf"w_{{{t + 1}}} \leftarrow {number(self.projected)}\, {shrunk}",
            ),
        )

    def _of_bias(self) -> tuple[Formula, ...]:
        if self.bias is None or self.bias_before is None:
            return ()
        change = rf"{number(self.bias_before)} + {bracketed(self.bias - self.bias_before)}"
        return (
            Formula(
                r"b_{t+1} = b_t + \frac{1}{\lambda t k} \sum_{i \in B,\ y_i f(x_i) < 1} y_i",
                rf"b_{{{self.t + 1}}} = {change} = {number(self.bias)}",
            ),
        )

    def _of_theta(self) -> tuple[Formula, Formula]:
        """What is counted, and w read off it: ``w(t+1) = theta(t+1) / (lam t)``."""
        t, k = self.t, len(self.drawn)
        before = rf"\theta_{{{t}}}" if self.theta_before is None else vector(self.theta_before)
        share = "" if k == 1 else rf"\frac{{1}}{{{k}}} "
        added = rf" + {share}{self._pull()}" if self.violating else ""
        return (
            Formula(
                r"\theta_{t+1} = \theta_t + \frac{1}{k} \sum_{i \in B,\ y_i f(x_i) < 1} y_i x_i",
                rf"\theta_{{{t + 1}}} = {before}{added}",
            ),
            Formula(
                r"w_{t+1} = \frac{1}{\lambda t}\, \theta_{t+1}",
                rf"w_{{{t + 1}}} = {number(self.rate)}\, \theta_{{{t + 1}}}",
            ),
        )

    def _pull(self) -> str:
        who = ", ".join(str(i + 1) for i in self.violating[:6])
        who += r", \dots" if len(self.violating) > 6 else ""
        return rf"\sum_{{i \in \{{{who}\}}}} y_i x_i"


def in_words(
    form: str, t: int, drawn: Any, violating: Any, margins: Any, rate: float, scale: float
) -> str:
    """One plain sentence on what the batch did, to w or to theta."""
    if len(drawn) == 1:
        who = f"Point {drawn[0] + 1} has y·f = {margins[0]:.2f} {'<' if violating else '≥'} 1"
    else:
        who = f"{len(violating)} of {len(drawn)} drawn points are inside their margin"
    change = _change_of_theta if form == "theta" else _change_of_w
    ball = f", then back to the ball (×{scale:.3f})" if scale < 1.0 else ""
    return f"{who}: {change(t, len(drawn), len(violating), rate)}{ball}."


def _change_of_w(t: int, drawn: int, violating: int, rate: float) -> str:
    if not violating:
        return f"w only shrinks, by the factor 1 − 1/{t:,}"
    if drawn == 1:
        return (
            f"w shrinks by the factor 1 − 1/{t:,}, and y·x of this point is added {rate:.3g} times"
        )
    return f"y·x of each is added to w, {rate / drawn:.3g} times"


def _change_of_theta(t: int, drawn: int, violating: int, rate: float) -> str:
    change = f"θ({t + 1}) = θ({t})"
    if violating:
        change += " + y·x" if drawn == 1 else f" + 1/{drawn} of the sum of their y·x"
    return f"{change}, and w = {rate:.3g} θ({t + 1})"
