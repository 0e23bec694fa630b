"""The descriptions of the panels on the dual."""

from __future__ import annotations

from typing import TYPE_CHECKING

from svmviz.base.lazy import later
from svmviz.panels.panel_spec import CLASSIFICATION_ONLY, PanelSpec, suits_every_document

if TYPE_CHECKING:
    from svmviz.document.document import Document


def _has_few_points(document: Document) -> bool:
    return document.n <= 4


DUALITY_PANELS = (
    PanelSpec(
        "derivation",
        "Derivation",
        "Why something is so, line by line: each line is a formula in letters, the same formula "
        "with the numbers of the step shown, and the reason why it follows from the lines above. "
        "Right goes to the next line, and beyond the last line to the next step; Left goes back. "
        "The points that the line speaks of have rings in the plane. Choose a derivation at the "
        "top. Look at what stays true while the numbers change from "
        "step to step.",
        "right",
        later("panels.duality.derivation_panel:DerivationPanel"),
        suits_every_document,
        scrolls=True,
        formula=(r"P(w, b, \xi) \geq L(w, b, \xi; \alpha) \geq D(\alpha)",),
    ),
    PanelSpec(
        "quadratic-program",
        "Quadratic program",
        "The dual as a library for quadratic programs takes it: minimise ½ xᵀP x + qᵀx subject to "
        "G x ≤ h and A x = b, with x = α. P contains the kernel values of all pairs with the signs "
        "of their classes; q asks for large α; the upper half of G says α ≥ 0, the lower one "
        "α ≤ C; A and b say Σ α y = 0. Each row belongs to a point: point at it to highlight both. "
        "Copy as code gives Python that builds the same matrices and solves them. Look at how P "
        "falls into blocks of the classes, and what changes when the kernel or C does.",
        "right",
        later("panels.duality.qp_panel:QPPanel"),
        suits_every_document,
        scrolls=True,
        formula=(
            r"\min_x \frac{1}{2} x^{\top} P x + q^{\top} x, \quad G x \leq h, \quad A x = b",
            r"P_{ij} = y_i y_j\, k(x_i, x_j), \quad q_i = -1",
        ),
        regression_formula=(
            r"\min_x \frac{1}{2} x^{\top} P x + q^{\top} x, \quad G x \leq h, \quad A x = b",
            r"P_{ij} = s_i s_j\, k(x_i, x_j), \quad q_i = \varepsilon - s_i y_i, \quad s_i = \pm 1",
        ),
    ),
    PanelSpec(
        "sums",
        "Sums",
        "The model as a sum over its support vectors. With the linear kernel each of them adds "
        "α y x to w: the vectors lie head to tail, first those of class −1, and end in w; with a "
        "free bias, the α of both classes have the same sum. With any other kernel each adds a "
        "bump β k(xᵢ, x) to f: the curves are the terms along a horizontal cut through the plane, "
        "the thick one is f. Click a bump to leave it out, select a point to move the cut. The "
        "slider adds to w a part at right angles to all points: f stays at every point, and only P "
        "rises (representer theorem). Look at how the sum grows from step to step, and how far a "
        "bump reaches.",
        "right",
        later("panels.duality.sums_panel:SumsPanel"),
        suits_every_document,
        plane=True,
        scrolls=True,
        formula=(
            r"w = \sum_i \alpha_i y_i\, x_i",
            r"f(x) = \sum_i \beta_i\, k(x_i, x) + b, \quad \beta_i = \alpha_i y_i",
        ),
    ),
    PanelSpec(
        "dual-landscape",
        "Dual landscape",
        "The dual D of two to four points, over the values of α that are allowed: a segment for "
        "two points with a free bias, a triangle or what the box leaves of it for three, and for "
        "four points the slice at the present value of one α. Lines are contours of D, the dots "
        "are the steps of the run up to the one shown. More than four points have too many "
        "dimensions for a picture. Look at how a pair of α moves along a line to the highest place "
        "on it, and stops at the edge of the box.",
        "right",
        later("panels.duality.landscape_panel:LandscapePanel"),
        _has_few_points,
        tasks=CLASSIFICATION_ONLY,
        needs="two to four points of two classes",
        scrolls=True,
        formula=(
            r"D(\alpha) = \sum_i \alpha_i - \frac{1}{2} \sum_{ij} \alpha_i \alpha_j y_i y_j\, "
            r"k(x_i, x_j)",
            r"0 \leq \alpha_i \leq C, \quad \sum_i \alpha_i y_i = 0",
        ),
    ),
)
