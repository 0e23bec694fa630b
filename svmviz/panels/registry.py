"""The panels that can be docked: one line each. Nothing heavy is imported until one is made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from svmviz.base.lazy import Later, later

if TYPE_CHECKING:
    from svmviz.document.document import Document


@dataclass(frozen=True)
class PanelSpec:
    """A panel that can be shown in a dock.

    Attributes
    ----------
    name : str
        As the command line lists it.
    title, help : str
        The help is one paragraph.
    area : str
        "left", "right" or "bottom": where it stands at first.
    make : Later
        callable(Stage) -> QWidget
    suits : callable(Document) -> bool
        Whether it makes sense for a document of one of its tasks.
    tasks : tuple of str
        The tasks it is for.
    scrolls : bool
        Whether it may be higher than its dock.
    formula : tuple of str
        Lines of LaTeX that go with the help.
    needs : str
        What a document must have for it, where that is not plain.
    """

    name: str
    title: str
    help: str
    area: str
    make: Later
    suits: Callable[[Document], bool]
    tasks: tuple[str, ...] = ("classification", "regression")
    scrolls: bool = False
    formula: tuple[str, ...] = ()
    needs: str = ""

    def fits(self, document: Document) -> bool:
        """Whether it makes sense for a document."""
        return document.task in self.tasks and self.suits(document)


# What needs two classes, or two coordinates of a point.
CLASSES = ("classification",)


def _always(_document: Document) -> bool:
    return True


def _moves_pairs(document: Document) -> bool:
    return any(method.moves_pairs for method in document.methods)


def _is_straight(document: Document) -> bool:
    return document.kernel.name == "linear"


def _has_hulls(document: Document) -> bool:
    return _is_straight(document) or any(method.name == "hulls" for method in document.methods)


PANELS: dict[str, PanelSpec] = {
    spec.name: spec
    for spec in (
        PanelSpec(
            "alpha",
            "α values",
            "Bars of the dual variables α, one a point: at 0 the point has no part in f, at C it "
            "pulls as hard as it may. In a regression they are |β|. Point at a bar to see its "
            "point.",
            "right",
            later("panels.alpha.alpha_chart:AlphaChart"),
            _always,
            formula=(r"f(x) = \sum_i \alpha_i y_i\, k(x_i, x) + b, \quad 0 \leq \alpha_i \leq C",),
        ),
        PanelSpec(
            "objective",
            "Objective",
            "The primal P, the dual D and the gap between them over the steps: the optimum is "
            "below every P and above every D. Where a method has no feasible α, D is that of a "
            "repaired one. Click to go to a step.",
            "right",
            later("panels.objective_chart:ObjectiveChart"),
            _always,
            scrolls=True,
            formula=(
                r"P = \frac{1}{2}\|w\|^2 + C \sum_i \max\left(0,\ 1 - y_i f(x_i)\right)",
                r"D = \sum_i \alpha_i - \frac{1}{2} \sum_{i,j} \alpha_i \alpha_j y_i y_j K_{ij} "
                r"\ \leq\ P",
            ),
        ),
        PanelSpec(
            "model",
            "Model",
            "The model in numbers: the line and its margin, or the slope and its tube; support "
            "vectors by kind, slack, and what it has cost so far.",
            "right",
            later("panels.model.model_card:ModelCard"),
            _always,
            scrolls=True,
            formula=(
                r"f(x) = \langle w, x\rangle + b",
                r"\|w\|^2 = \sum_{i,j} \beta_i \beta_j K_{ij}, \quad \beta_i = \alpha_i y_i",
            ),
        ),
        PanelSpec(
            "step",
            "Why?",
            "The update of the step shown as its formula: in letters, as in the method's source, "
            "and with the numbers of this step put in. The sentence says in words why the step "
            "was taken, and what ended it.",
            "right",
            later("panels.step_panel:StepPanel"),
            _always,
            scrolls=True,
            formula=(
                r"f(x) = \sum_i \beta_i\, k(x_i, x) + b, \quad "
                r"\beta_i \leftarrow \beta_i^{\mathrm{new}}",
            ),
        ),
        PanelSpec(
            "pair",
            "Pair",
            "The two α that this step moves. Their constraint leaves a line, the box [0, C]² a "
            "segment of it from L to H. Along it the dual is a parabola: the step goes to its "
            "vertex, or to the end of the segment where the vertex lies outside. A sweep over "
            "hulls moves two weights λ of opposite classes by one δ: to the bottom of its "
            "parabola, or as far as M, where one of them is 0.",
            "right",
            later("panels.pair.pair_panel:PairPanel"),
            _moves_pairs,
            needs="a method that moves pairs, such as SMO",
            scrolls=True,
            formula=(
                r"\eta = K_{ii} + K_{jj} - 2 K_{ij}",
                r"\alpha_j^{\mathrm{new}} = \mathrm{clip}\left(\alpha_j + "
                r"\frac{y_j (E_i - E_j)}{\eta},\ L,\ H\right)",
                r"\alpha_i^{\mathrm{new}} = \alpha_i + "
                r"y_i y_j (\alpha_j - \alpha_j^{\mathrm{new}})",
                r"\delta = \max\left(M,\ \frac{1 - \langle u - v,\ x_i - x_j\rangle}"
                r"{\|x_i - x_j\|^2}\right)",
                r"M = \max(-\lambda_i, -\lambda_j)",
            ),
        ),
        PanelSpec(
            "kkt",
            "KKT",
            "Every point at (y f(x), α): at the optimum all lie on the green corner. A point with "
            "α = 0 must be outside the margin, one between 0 and C on it, one at C on or inside "
            "it. In a regression the corner is a staircase: every point stands at (y − f(x), β), "
            "with β = 0 inside the tube and β = ±C beyond its edges. A line shows by how much a "
            "point misses its place.",
            "right",
            later("panels.kkt_panel:KktPanel"),
            _always,
            scrolls=True,
            formula=(
                r"\alpha_i = 0 \Rightarrow y_i f(x_i) \geq 1",
                r"0 < \alpha_i < C \Rightarrow y_i f(x_i) = 1",
                r"\alpha_i = C \Rightarrow y_i f(x_i) \leq 1",
                r"\beta_i = 0 \Rightarrow |y_i - f(x_i)| \leq \varepsilon",
                r"\beta_i = \pm C \Rightarrow \pm\left(y_i - f(x_i)\right) \geq \varepsilon",
            ),
        ),
        PanelSpec(
            "kernel-matrix",
            "Kernel matrix",
            "The kernel of all pairs of points, sorted by class and within a class along its "
            "longest direction; the rows and columns of the points in this step are lit. Beside it "
            "the eigenvalues, from the largest, on a scale of powers of ten: a kernel has no "
            "negative one, whatever the points (Mercer's condition). Red ones refute it.",
            "right",
            later("panels.kernel_matrix.kernel_panel:KernelPanel"),
            _always,
            scrolls=True,
            formula=(
                r"K_{ij} = k(x_i, x_j), \quad K = K^\top",
                r"c^\top K c = \sum_{ij} c_i c_j K_{ij} \geq 0 \ \text{ for all } c",
            ),
        ),
        PanelSpec(
            "hulls",
            "Hulls",
            "The nearest points p and q of the convex hulls of the classes: how far apart they "
            "are, and of which points they are mixed, with weights λ that sum to 1 in each class. "
            "The widest boundary is the bisector of p and q. A cap μ on the weights reduces the "
            "hulls, so that they may be apart where the whole ones meet; then the boundary of the "
            "ν-SVM, drawn beside the bisector, is another line. View > Hulls shows them on the "
            "plane.",
            "right",
            later("panels.hull_panel:HullPanel"),
            _has_hulls,
            tasks=CLASSES,
            needs="two classes, and the linear kernel or the method of convex hulls",
            scrolls=True,
            formula=(
                r"p = \sum_{y_i = 1} \lambda_i x_i, \quad q = \sum_{y_i = -1} \lambda_i x_i, "
                r"\quad 0 \leq \lambda_i \leq \mu",
                r"w = \frac{2\,(p - q)}{\|p - q\|^2}, \quad \frac{2}{\|w\|} = \|p - q\|",
            ),
        ),
        PanelSpec(
            "weight-space",
            "Weights",
            "For the linear kernel: contours of the primal over w, with b at its best, and the way "
            "of the iterates. The optimum is the bottom. Only methods that work on the primal "
            "need go down: a dual method may climb on its way. A point of the plane is a line "
            "here, of all w at which y f(x) = 1: point at one to see it.",
            "right",
            later("panels.weights.weight_panel:WeightPanel"),
            _is_straight,
            tasks=CLASSES,
            needs="two classes and the linear kernel",
            scrolls=True,
            formula=(
                r"P(w) = \min_b\ \frac{1}{2}\|w\|^2 + "
                r"C \sum_i \max\left(0,\ 1 - y_i(\langle w, x_i\rangle + b)\right)",
            ),
        ),
        PanelSpec(
            "race",
            "Race",
            "Two to four solvers on the same problem, side by side, moved by one transport. The "
            "chart shows how far the primal of each is from the best known optimum, over steps, "
            "kernel values asked for, or seconds of solving.",
            "bottom",
            later("panels.race.race_panel:RacePanel"),
            _always,
            scrolls=True,
            formula=(r"P(w_t, b_t) - P^{\star}",),
        ),
        PanelSpec(
            "table",
            "Points",
            "All points as a table, in which numbers can be typed, with α, slack and f(x) of "
            "each at the step shown.",
            "bottom",
            later("panels.points.points_table:PointsTable"),
            _always,
            formula=(r"\xi_i = \max\left(0,\ 1 - y_i f(x_i)\right)",),
        ),
    )
}
# Names of the panels that are shown at the first start; the others wait in the menu.
FIRST = ("alpha", "objective", "model")
