"""The event of one step of coordinate ascent: numbers, a sentence and formulas."""

from __future__ import annotations

from dataclasses import dataclass

from solvers.methods.weight_updates import Update, of_bias
from solvers.run.formulas import Formula, bracketed, compared_with_one, near_one, number
from solvers.run.method import OldEvent


@dataclass(frozen=True)
class PointVisited(OldEvent):
    """A step of coordinate ascent.

    Attributes
    ----------
    i : int
        The point.
    sweep : int
        Number of the sweep, from 1.
    old, new, unclipped : float
        alpha_i before the step, after the step, and at the vertex of the parabola. ``unclipped`` is
        infinite if the curvature is not above 0, because then there is no vertex at the top.
    margin : float
        ``y_i f(x_i)`` before the step.
    gradient : float
        ``G = y_i f(x_i) - 1``; the slope of the dual along alpha_i is -G.
    projected_gradient : float
        G, or 0 if alpha_i is at a bound and -G points out of the box.
    curvature : float
        ``k(x_i, x_i)``, plus 1 if the bias is regularised.
    upper : float
        C.
    label : int
        y_i.
    rise : float
        The increase of the dual in this step.
    update : Update
        w before and after the step; for a nonlinear kernel, beta_i before and after the step.
    active : int
        Number of points that this sweep visits. It skips all others, whose alpha is 0 or C.
    bias_before, bias : float or None
        b before and after the step; None without a bias.
    """

    i: int
    sweep: int
    old: float
    new: float
    unclipped: float
    margin: float
    gradient: float
    projected_gradient: float
    curvature: float
    upper: float
    label: int
    rise: float
    active: int
    update: Update
    bias_before: float | None
    bias: float | None

    @property
    def formulas(self) -> tuple[Formula, ...]:
        """Return the formulas of the gradient, and of the steps of alpha, w and b."""
        i, change = self.i + 1, self.new - self.old
        gradient = Formula(
            r"G_i = y_i f(x_i) - 1",
            rf"G_{{{i}}} = {near_one(self.margin)} - 1 = {number(self.gradient)}",
        )
        if self.projected_gradient == 0.0:
            return gradient, Formula(
                r"\alpha_i \leftarrow \alpha_i", rf"\alpha_{{{i}}} \leftarrow {number(self.old)}"
            )
        line = self.update.of_w(r"w \leftarrow", "", bracketed(change) + r"\,")
        letters = r"w \leftarrow w + \left(\alpha_i^{\mathrm{new}} - \alpha_i\right) y_i x_i"
        update = Formula(letters, line or "")
        if line is None:
            update = self.update.of_beta(
                r"\beta_i \leftarrow \beta_i + \left(\alpha_i^{\mathrm{new}} - \alpha_i\right) y_i",
                "",
                bracketed(change),
            )
        return gradient, *self._step(), update, *self._of_bias()

    def _of_bias(self) -> tuple[Formula, ...]:
        if self.bias is None or self.bias_before is None:
            return ()
        letters = r"b \leftarrow b + \left(\alpha_i^{\mathrm{new}} - \alpha_i\right) y_i"
        return (of_bias(letters, r"b \leftarrow", "", self.bias_before, self.bias, 1.0),)

    def _step(self) -> tuple[Formula, ...]:
        i = self.i + 1
        if self.curvature <= 0.0:
            return (
                Formula(
                    r"\alpha_i \leftarrow C \text{ if } G_i < 0, \text{ else } 0",
                    rf"\alpha_{{{i}}} \leftarrow {number(self.new)}",
                ),
            )
        top = rf"\frac{{{number(self.gradient)}}}{{{number(self.curvature)}}}"
        unclipped = number(self.old - self.gradient / self.curvature)
        K_ii = "k(x_i, x_i)" if self.bias is None else "k(x_i, x_i) + 1"
        # In two lines, since one line would not fit into a narrow panel.
        return (
            Formula(
                rf"\hat{{\alpha}}_i = \alpha_i - \frac{{G_i}}{{{K_ii}}}",
                rf"\hat{{\alpha}}_{{{i}}} = {number(self.old)} - {top} = {unclipped}",
            ),
            Formula(
                r"\alpha_i \leftarrow \min\left(\max\left(\hat{\alpha}_i,\ 0\right),\ C\right)",
                rf"\alpha_{{{i}}} \leftarrow \min\left(\max\left({unclipped},\ 0\right),"
                rf"\ {number(self.upper)}\right) = {number(self.new)}",
            ),
        )


def in_words(i: int, margin: float, old: float, new: float, C: float) -> str:
    """Return one sentence that states y f of the point, and the change of its alpha."""
    point = f"Point {i + 1} has y·f = {compared_with_one(margin)}"
    if new == old:
        where = "0" if old == 0.0 else "C" if old == C else f"{old:.3g}"
        return f"{point} and its α stays at {where}."
    verb = "rises" if new > old else "falls"
    if new == C:
        return f"{point}: its α {verb} from {old:.3g} and stops at C."
    if new == 0.0:
        return f"{point}: its α falls from {old:.3g} to 0."
    return f"{point}: its α {verb} from {old:.3g} to {new:.3g}, where y·f = 1."
