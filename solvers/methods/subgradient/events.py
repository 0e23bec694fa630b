"""The event of one step of sub-gradient descent: numbers, a sentence and formulas."""

from __future__ import annotations

import math
from dataclasses import dataclass

from solvers.methods.weight_updates import Update, of_bias
from solvers.run.formulas import Formula, bracketed, number
from solvers.run.method import OldEvent


@dataclass(frozen=True)
class WeightsMoved(OldEvent):
    """A step of sub-gradient descent.

    Attributes
    ----------
    t, count : int
        Number of the step, from 1, and number of points.
    eta, eta_lam : float
        Step size, and ``eta lam``: w is multiplied by ``1 - eta lam``.
    violating : tuple of int
        Indices of the points inside their margin; the step adds ``eta/n y_i x_i`` of each to w.
    gradient_norm : float
        Norm of the sub-gradient, including a free bias.
    norm : float
        ``||w||`` after the step; ``||(w, b)||`` if b is regularised.
    value_before, value : float
        The objective J, which is ``P / (C n)``, before and after the step.
    best, best_step : float, int
        The best J so far, and the step that reached it.
    best_before : float or None
        The best J before the step. None if the last iterate is shown and not the best one.
    bias_before, bias : float, or None
        b before and after the step; None without a bias.
    regularised : bool
        Whether b shrinks with w.
    rule : str
        The rule of the step size: "inverse", "constant" or "root".
    update : Update
        w before and after the step; for a nonlinear kernel the coefficients of a few points.
    """

    t: int
    count: int
    eta: float
    eta_lam: float
    violating: tuple[int, ...]
    gradient_norm: float
    norm: float
    value_before: float
    value: float
    best: float
    best_step: int
    best_before: float | None
    bias_before: float | None
    bias: float | None
    regularised: bool
    rule: str
    update: Update

    @property
    def formulas(self) -> tuple[Formula, ...]:
        """Return the formulas of the step size, w, b, and the best iterate if it is shown."""
        t, share = self.t, self.eta / self.count
        factor = rf"\left(1 - {number(self.eta_lam)}\right)"
        numbers = self.update.of_w(rf"w_{{{t + 1}}} =", factor, number(share))
        if numbers is None:
            step = self.update.of_beta(
                r"\beta_i \leftarrow \left(1 - \eta \lambda\right) \beta_i + "
                r"\frac{\eta}{n} y_i \ \text{ if } y_i f(x_i) < 1",
                factor + r" \cdot ",
                number(share),
            )
        else:
            letters = (
                r"w_{t+1} = \left(1 - \eta \lambda\right) w_t + \frac{\eta}{n}"
                r"\sum_{y_i f(x_i) < 1} y_i x_i"
            )
            step = Formula(letters, numbers)
        return self._of_eta(), step, *self._of_bias(), *self._of_best()

    def _of_eta(self) -> Formula:
        """Return the formula of the step size."""
        eta, t = number(self.eta), self.t
        if self.rule == "constant":
            return Formula(r"\eta = \eta_0", rf"\eta = {eta}")
        if self.rule == "root":
            first = number(self.eta * math.sqrt(t))
            return Formula(
                r"\eta = \frac{\eta_0}{\sqrt{t}}",
                rf"\eta = \frac{{{first}}}{{\sqrt{{{t}}}}} = {eta}",
            )
        lam = bracketed(self.eta_lam / self.eta)
        return Formula(
            r"\eta = \frac{1}{\lambda t}, \quad \lambda = \frac{1}{C n}",
            rf"\eta = \frac{{1}}{{{lam} \cdot {t}}} = {eta}",
        )

    def _of_bias(self) -> tuple[Formula, ...]:
        if self.bias is None or self.bias_before is None:
            return ()
        factor, decay, letters = "", 1.0, "b_t"
        if self.regularised:
            decay, letters = 1.0 - self.eta_lam, r"\left(1 - \eta \lambda\right) b_t"
            factor = rf"\left(1 - {number(self.eta_lam)}\right) \cdot "
        letters = rf"b_{{t+1}} = {letters} + \frac{{\eta}}{{n}} \sum_{{y_i f(x_i) < 1}} y_i"
        left = rf"b_{{{self.t + 1}}} ="
        return (of_bias(letters, left, factor, self.bias_before, self.bias, decay),)

    def _of_best(self) -> tuple[Formula, ...]:
        """Return the formula of the best iterate, if the best iterate is shown."""
        if self.best_before is None:
            return ()
        before, new = number(self.best_before), number(self.value)
        best_iterate = rf"w_{{\mathrm{{best}}}} = w_{{{self.best_step + 1}}}"
        return (
            Formula(
                r"J_{\mathrm{best}} \leftarrow \min\left(J_{\mathrm{best}},\ J(w_{t+1})\right), "
                r"\quad w_{\mathrm{best}} \text{ is shown}",
                rf"J_{{\mathrm{{best}}}} \leftarrow \min\left({before},\ {new}\right)"
                rf" = {number(self.best)}, \quad {best_iterate}",
            ),
        )


def change_of_J(before: float, after: float) -> str:
    """Return how J changes, in words; J stays if both values have the same four digits."""
    old, new = f"{before:.4g}", f"{after:.4g}"
    verb = "falls" if after < before else "rises"
    return f"J stays at {new}" if old == new else f"J {verb} from {old} to {new}"


def in_words(violating: int, n: int, rate: float, decay: float, before: float, after: float) -> str:
    """Return one sentence on the points inside their margin and the changes of w and J.

    ``violating`` of n points are inside: y x of each of them is added ``rate`` times to w, and w is
    multiplied by ``1 - decay``. ``before`` and ``after`` are the values of J before and after the
    step.
    """
    change = f"the objective {change_of_J(before, after)}"
    if not violating:
        return f"No point is inside its margin: w is only scaled by 1 − {decay:.2g}; {change}."
    subject = (
        "y·x of 1 point inside its margin"
        if violating == 1
        else f"y·x of each of {violating} of {n} points, inside their margin,"
    )
    return (
        f"{subject} is added {rate:.3g} times to w, which is also scaled by 1 − {decay:.2g};"
        f" {change}."
    )
