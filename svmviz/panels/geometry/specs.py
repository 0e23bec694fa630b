"""The descriptions of the panels on geometry: hulls, differences, a line of one's own, weights."""

from __future__ import annotations

from typing import TYPE_CHECKING

from svmviz.base.lazy import later
from svmviz.panels.panel_spec import (
    CLASSIFICATION_ONLY,
    PanelSpec,
    is_linear,
    suits_every_document,
)

if TYPE_CHECKING:
    from svmviz.document.document import Document


def _shows_hulls(document: Document) -> bool:
    return is_linear(document) or any(method.name == "hulls" for method in document.methods)


GEOMETRY_PANELS = (
    PanelSpec(
        "hulls",
        "Hulls",
        "The nearest points p and q of the convex hulls of the classes: their distance, and "
        "the weights τᵢ with which p and q are sums of points. The weights of each class sum "
        "to 1. Books write λ for these weights; here λ is the factor 1 / (C n) of the penalty. "
        "The boundary with the widest margin is the bisector of p and q. A cap μ on the "
        "weights reduces the hulls. Reduced hulls may be apart although the whole hulls meet. "
        "The ν-SVM of reduced hulls has a boundary parallel to the bisector, but shifted: both "
        "are drawn. View > Hulls shows the hulls on the plane, the whole ones dotted if they are "
        "reduced, and dashed the lines that touch them at right angles to p − q. No two points of "
        "the hulls are nearer to each other than the gap between these lines. Look at how ‖p − q‖ "
        "falls and the gap rises from step to step, until both are the width of the widest "
        "street.",
        "right",
        later("panels.geometry.hull_panel:HullPanel"),
        _shows_hulls,
        plane=True,
        tasks=CLASSIFICATION_ONLY,
        needs="two classes, and the linear kernel or the method of convex hulls",
        scrolls=True,
        formula=(
            r"p = \sum_{y_i = 1} \tau_i x_i, \quad q = \sum_{y_i = -1} \tau_i x_i, "
            r"\quad 0 \leq \tau_i \leq \mu",
            r"w = \frac{2\,(p - q)}{\|p - q\|^2}, \quad \frac{2}{\|w\|} = \|p - q\|",
        ),
    ),
    PanelSpec(
        "difference-set",
        "Difference set",
        "All differences x⁺ − x⁻ of a point of class +1 and a point of class −1, as points, and "
        "their hull V. The origin lies in V if and only if the hulls of the classes meet. If it "
        "lies outside, exactly one point of V is nearest to it (the ring): p − q for the "
        "nearest points p and q of the hulls. The diamond is p − q at the step shown, and the "
        "dashed line touches V at right angles to p − q; so V is at least as far from the "
        "origin as that line. The circle marks the pair of the step. Point at a difference to "
        "highlight its two points; click it to select them. With a cap μ on the weights, V "
        "belongs to the reduced hulls, and the dotted line to the whole hulls. For methods other "
        "than convex hulls, the optimum is shown. Look at how the diamond reaches the ring, and "
        "the dashed line with it.",
        "right",
        later("panels.geometry.difference_panel:DifferencePanel"),
        is_linear,
        plane=True,
        tasks=CLASSIFICATION_ONLY,
        needs="two classes and the linear kernel",
        scrolls=True,
        formula=(
            r"V = \mathrm{conv}\left\{ x_i - x_j : y_i = 1,\ y_j = -1 \right\}",
            r"\min_{v \in V} \|v\| = \min \|p - q\|, \quad "
            r"p = \sum_{y_i = 1} \tau_i x_i, \quad q = \sum_{y_j = -1} \tau_j x_j",
        ),
    ),
    PanelSpec(
        "line",
        "Line",
        "A line of your own, f(x) = ⟨w, x⟩ + b. Lay it with the button, or with the tool Line "
        "(Shift+L) and a drag across the plane; then shift it, or turn it by a handle. The "
        "margin τ is the distance of the nearest point. For each direction of w, the curve "
        "shows the largest margin: the classes are projected on the axis of w, and every b in "
        "the gap between B− and B+ separates them, the middle one best. The top of the curve "
        "is the widest street, which is what a support vector machine looks for. κ multiplies "
        "w and b; then f changes, the line does not. Look at what the margin does while you "
        "turn the line, and how steeply it falls on both sides of the top.",
        "right",
        later("panels.geometry.line_panel:LinePanel"),
        suits_every_document,
        plane=True,
        tasks=CLASSIFICATION_ONLY,
        needs="two classes",
        scrolls=True,
        formula=(
            r"\tau = \min_i \frac{y_i f(x_i)}{\|w\|}, \quad "
            r"\tau(w) = \frac{1}{2}\left(B_+(w) - B_-(w)\right)",
            r"B_+(w) = \min_{y_i = 1} \frac{\langle w, x_i\rangle}{\|w\|}, \quad "
            r"B_-(w) = \max_{y_i = -1} \frac{\langle w, x_i\rangle}{\|w\|}",
        ),
    ),
    PanelSpec(
        "weight-space",
        "Weights",
        "For the linear kernel: contours of the primal P over w, with the best b for each w, "
        "and the path of the iterates. The optimum is the minimum of P. P may rise from one "
        "step to the next, whatever the method: most dual methods raise D, the interior point "
        "lowers the gap, and a sub-gradient step need not lower P. "
        "A point of the plane is a line here, of all w with y f(x) = 1: point at a point of the "
        "plane to see its line. In a race the dots of the "
        "other colours are the w of the other lanes. For a sub-gradient method the line through w "
        "is at a right angle to a sub-gradient g: P is at least P(w) behind it. Press at another "
        "w; near a kink it snaps, and the fan contains all lines that support P: turn one by the "
        "tip of its arrow, which points against g. Look at where a step goes that is not in the "
        "direction of the minimum.",
        "right",
        later("panels.geometry.weight_panel:WeightPanel"),
        is_linear,
        plane=True,
        tasks=CLASSIFICATION_ONLY,
        needs="two classes and the linear kernel",
        scrolls=True,
        formula=(
            r"P(w) = \min_b\ \frac{1}{2}\|w\|^2 + "
            r"C \sum_i \max\left(0,\ 1 - y_i(\langle w, x_i\rangle + b)\right)",
            r"P(v) \geq P(w) + \langle g,\ v - w\rangle \ \text{ for all } v",
        ),
    ),
)
