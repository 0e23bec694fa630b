"""The descriptions of the panels on what is minimised: primal and dual, losses, the budget."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from svmviz.base.lazy import later
from svmviz.panels.panel_spec import PanelSpec, suits_every_document

if TYPE_CHECKING:
    from svmviz.document.document import Document


def has_soft_margin(document: Document) -> bool:
    """Return whether C is finite."""
    return math.isfinite(document.C)


OBJECTIVE_PANELS = (
    PanelSpec(
        "objective",
        "Objective",
        "The primal P, the dual D and the gap P − D over the steps. The optimum is at most P "
        "and at least D, at every step. SMO, coordinate ascent and the working set never "
        "lower D; other methods may for a step. P may rise from one step to the next. If an "
        "iterate's α is not feasible, D is computed from an α "
        "that is made feasible. With a regularised bias, P also contains ½b². The badge says "
        "“optimal” if no point violates its KKT condition by more than the tolerance, and the gap "
        "is at most half of P; it also shows the largest violation, and the gap as a multiple of "
        "D. “P was smaller before” means that P was smaller at an earlier step, which is no error. "
        "With a large C the gap may be wide although the KKT conditions hold to the tolerance; "
        "then the badge says only that. Click to go to a step.",
        "right",
        later("panels.objective.objective_chart:ObjectiveChart"),
        suits_every_document,
        scrolls=True,
        formula=(
            r"P = \frac{1}{2}\|w\|^2 + C \sum_i \max\left(0,\ 1 - y_i f(x_i)\right)",
            r"D = \sum_i \alpha_i - \frac{1}{2} \sum_{i,j} \alpha_i \alpha_j y_i y_j K_{ij} "
            r"\ \leq\ P",
        ),
        regression_formula=(
            r"P = \frac{1}{2}\|w\|^2 + "
            r"C \sum_i \max\left(0,\ |y_i - f(x_i)| - \varepsilon\right)",
            r"D = \sum_i \beta_i y_i - \varepsilon \sum_i |\beta_i| - "
            r"\frac{1}{2} \sum_{i,j} \beta_i \beta_j K_{ij} \ \leq\ P",
        ),
    ),
    PanelSpec(
        "loss",
        "Loss",
        "What each point pays, and what the sum is weighed against. Every point sits on the "
        "curve of its loss, at y f(x); in a regression at the residual y − f(x), with the tube "
        "in the middle. The hinge loss is 0 if the point is on its margin line or outside, and "
        "grows by 1 per unit of f inside. The histogram below counts the points. The two bars "
        "are the parts of the primal P, ½‖w‖² and C times the sum of the losses, at the step "
        "shown and, in grey, at the optimum. The other losses are there to be compared with: "
        "the fraction of errors (0-1) is what one would like to minimise, but it is not "
        "convex. The logistic loss, with the natural logarithm, is that of logistic regression, "
        "whose line View > Layers > Logistic regression draws: it is never 0, so every point "
        "counts. If there is a line of your own (panel Line), its points are shown: drag it, "
        "and the points move along the curve. With a sub-gradient method, the fan at the kink "
        "contains all lines that support the hinge there; drag one by its handle. Look at how "
        "a step makes one part of P smaller and the other larger.",
        "right",
        later("panels.objective.loss_panel:LossPanel"),
        suits_every_document,
        scrolls=True,
        formula=(
            r"P = \frac{1}{2}\|w\|^2 + C \sum_i \ell(y_i f(x_i)), \quad "
            r"\ell(z) = \max(0,\ 1 - z)",
            r"\ell(z) \geq 0 - s\,(z - 1) \ \text{ for all } z, \ \text{ if } 0 \leq s \leq 1",
        ),
        regression_formula=(
            r"P = \frac{1}{2}\|w\|^2 + C \sum_i \ell(y_i - f(x_i)), \quad "
            r"\ell(r) = \max\left(0,\ |r| - \varepsilon\right)",
        ),
    ),
    PanelSpec(
        "budget",
        "Budget",
        "The other form of the soft margin: the sum of slack may be at most a budget M, and ½‖w‖² "
        "is minimised. The curve shows Σ ξ of the optimum for every C, so each C belongs to a "
        "budget. Drag the dot along the curve and M follows, or drag M (left of the dot) and C "
        "follows. A ring shows Σ ξ at the step shown, on its way to the curve. Look at how the "
        "street becomes narrower while the budget shrinks, and at which C the slack ends: from "
        "there on the margin is hard, if the classes can be separated.",
        "right",
        later("panels.objective.budget_panel:BudgetPanel"),
        suits_every_document,
        scrolls=True,
        formula=(
            r"\min_{w,\, b,\, \xi}\ \frac{1}{2}\|w\|^2 + C \sum_i \xi_i",
            r"\min_{w,\, b,\, \xi}\ \frac{1}{2}\|w\|^2 \quad \text{with} \quad "
            r"\sum_i \xi_i \leq M",
        ),
    ),
    PanelSpec(
        "slice",
        "P along a line",
        "The primal P along a straight line in the space of w and b: from w = 0 through the step "
        "shown, from the step before, or to the optimum. P is convex: wherever the line lies, each "
        "chord is above the curve, so a minimum is the minimum for all. The curve has a kink where "
        "a point crosses its margin. Through each point of the curve goes a line that is nowhere "
        "above it; at a kink there are many, and their slopes are the sub-differential of P. Drag "
        "the ends of the chord, the point of touch (it snaps to kinks), and at a kink the line. "
        "The point that crosses there is lit in the plane; point at a point, and its kink has a "
        "ring. "
        "Look at whether a step of a sub-gradient method goes past the lowest point of its line.",
        "right",
        later("panels.objective.slice_panel:SlicePanel"),
        has_soft_margin,
        scrolls=True,
        needs="a finite C",
        formula=(
            r"P\left((1 - s)\, w + s\, v\right) \leq (1 - s)\, P(w) + s\, P(v), \quad "
            r"0 \leq s \leq 1",
            r"P(v) \geq P(w) + \langle g,\ v - w\rangle \ \text{ for all } v",
        ),
    ),
)
