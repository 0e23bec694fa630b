"""The event of one step of the perceptron: numbers, a sentence and formulas."""

from __future__ import annotations

from dataclasses import dataclass

from solvers.methods.weight_updates import Update
from solvers.run.formulas import Formula, number, vector
from solvers.run.method import Event


@dataclass(frozen=True)
class PointSeen(Event):
    """A step of the perceptron.

    Attributes
    ----------
    i : int
        The point that the step visits.
    sweep : int
        Number of the sweep, from 1.
    margin : float
        ``y_i f(x_i)`` before the step.
    mistake : bool
        Whether the point is a mistake, so that w and b changed.
    zero_is_positive : bool
        Whether f = 0 predicts +1. Then a point with f = 0 is a mistake only if its class is -1. If
        False, a point with f = 0 is a mistake in either class.
    count : int
        Number of mistakes at this point so far, including this step.
    mistakes : int
        Number of mistakes at all points so far, including this step.
    label : int
        y_i.
    bias : float or None
        b after the step; None without a bias.
    update : Update
        w before and after the step; for a nonlinear kernel beta of point i instead.
    """

    i: int
    sweep: int
    margin: float
    mistake: bool
    zero_is_positive: bool
    count: int
    mistakes: int
    label: int
    bias: float | None
    update: Update

    def formulas(self) -> tuple[Formula, ...]:
        """Return the formulas of the test, and of the changes of w and b after a mistake."""
        i, comparison = self.i + 1, r"\leq 0" if self.mistake else r"> 0"
        rule = r"y_i f(x_i) \leq 0 \ \text{ is a mistake}"
        if self.zero_is_positive:
            rule = r"y_i f(x_i) < 0 \ \text{ or } f(x_i) = 0,\ y_i = -1 \ \text{ is a mistake}"
            # If f = 0, the class decides whether the point is a mistake.
            comparison = r"< 0" if self.margin < 0.0 else r"> 0"
            if self.margin == 0.0:
                comparison = rf",\ y_{{{i}}} = {self.label:+d}"
        test = Formula(rule, rf"y_{{{i}}} f(x_{{{i}}}) = {number(self.margin)} {comparison}")
        if not self.mistake:
            return test, self._no_change()
        sign = "+" if self.label > 0 else "-"
        line = self.update.of_w(r"w \leftarrow", "", "")
        if line is None:
            update = self.update.of_beta(r"\beta_i \leftarrow \beta_i + y_i", "", "1")
        else:
            update = Formula(r"w \leftarrow w + y_i x_i", line)
        if self.bias is None:
            return test, update
        before = number(self.bias - self.label)
        return (
            test,
            update,
            Formula(
                r"b \leftarrow b + y_i", rf"b \leftarrow {before} {sign} 1 = {number(self.bias)}"
            ),
        )

    def _no_change(self) -> Formula:
        """Return the formula of a step that changes nothing."""
        if self.update.after is not None:
            return Formula(r"w \leftarrow w", rf"w \leftarrow {vector(self.update.after)}")
        coefficient = self.update.shown[0]
        numbers = rf"\beta_{{{coefficient.i + 1}}} \leftarrow {number(coefficient.new)}"
        return Formula(r"\beta_i \leftarrow \beta_i", numbers)


def in_words(i: int, margin: float, mistake: bool, count: int) -> str:
    """Return one sentence that says whether the point is a mistake, and what changes."""
    if not mistake and margin == 0.0:
        return f"Point {i + 1} is on the boundary, f = 0, which predicts its class +1: no change."
    if not mistake:
        return f"Point {i + 1} is on its side of the boundary, y·f = {margin:.2g}: nothing moves."
    where = (
        "is on the boundary, y·f = 0, which counts as a mistake"
        if margin == 0.0
        else f"is on the wrong side, y·f = {margin:.2g}"
    )
    return f"Point {i + 1} {where}: y·x of this point is added to w; mistakes here: {count:,}."
