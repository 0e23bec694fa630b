"""What one step of Pegasos did, in numbers, in words and as a formula."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from solvers.formulas import Formula, number
from solvers.method import Event


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
    """

    t: int
    drawn: tuple[int, ...]
    violating: tuple[int, ...]
    margins: tuple[float, ...]
    rate: float
    projected: float

    def formulas(self) -> tuple[Formula, ...]:
        """The step, and the projection where there was one."""
        t, k = self.t, len(self.drawn)
        who = ", ".join(str(i + 1) for i in self.violating[:6])
        who += r", \dots" if len(self.violating) > 6 else ""
        added = rf" + {number(self.rate / k)} \sum_{{i \in \{{{who}\}}}} y_i x_i"
        step = Formula(
            r"w_{t+1} = \left(1 - \frac{1}{t}\right) w_t + \frac{1}{\lambda t k}"
            r"\sum_{i \in B,\ y_i f(x_i) < 1} y_i x_i",
            rf"w_{{{t + 1}}} = \left(1 - \frac{{1}}{{{t}}}\right) w_{{{t}}}"
            + (added if self.violating else ""),
        )
        if self.projected == 1.0:
            return (step,)
        return step, Formula(
            r"w_{t+1} \leftarrow \min\left(1,\ \frac{1/\sqrt{\lambda}}{\|w_{t+1}\|}\right) w_{t+1}",
            rf"w_{{{t + 1}}} \leftarrow {number(self.projected)}\, w_{{{t + 1}}}",
        )


def in_words(t: int, drawn: Any, violating: Any, margins: Any, rate: float, scale: float) -> str:
    """One plain sentence on what the batch did."""
    if len(drawn) == 1:
        who = f"Point {drawn[0] + 1} has y·f = {margins[0]:.2f}"
        what = (
            f"{who} < 1: w shrinks by 1 − 1/{t}, and y·x of this point is added {rate:.3g} times"
            if violating
            else f"{who} ≥ 1: w only shrinks by 1 − 1/{t}"
        )
    else:
        what = f"{len(violating)} of {len(drawn)} drawn points are inside their margin"
        if violating:
            what += f": y·x of each is added to w, {rate / len(drawn):.3g} times"
        else:
            what += f": w only shrinks by 1 − 1/{t}"
    if scale < 1.0:
        what += f", then back to the ball (×{scale:.3f})"
    return what + "."
