"""The panels that can be docked, one line each; a panel's modules are imported when it is made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from svmviz.base.lazy import later
from svmviz.panels.panel_spec import PanelSpec

if TYPE_CHECKING:
    from svmviz.document.document import Document


# Tasks of panels that need two classes.
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
            "Bars of the dual variables α, one per point. At α = 0 the point has no part in f; C "
            "is the largest value; in between, 0 < α < C, α is called free. In a regression the "
            "bars show |β|. Point at a bar to see its point.",
            "right",
            later("panels.alpha.alpha_chart:AlphaChart"),
            _always,
            regression_title="β values",
            formula=(r"f(x) = \sum_i \alpha_i y_i\, k(x_i, x) + b, \quad 0 \leq \alpha_i \leq C",),
            regression=(r"f(x) = \sum_i \beta_i\, k(x_i, x) + b, \quad |\beta_i| \leq C",),
        ),
        PanelSpec(
            "objective",
            "Objective",
            "The primal P, the dual D and the gap P − D over the steps. The optimum is at most P "
            "and at least D, at every step. A dual method raises D at each step, but P may rise "
            "on the way. If an iterate's α is not feasible, D is that of a repaired α. With a "
            "regularised bias, P also contains ½b². The badge says “optimal” if no point violates "
            "its KKT condition by more than the tolerance; beside it stand the largest violation "
            "and the gap as a multiple of D. “Primal P rose (allowed)” means that P was smaller at "
            "an earlier step, which is no error. With a large C the gap may be wide although the "
            "KKT conditions hold to the tolerance. Click to go to a step.",
            "right",
            later("panels.objective_chart:ObjectiveChart"),
            _always,
            scrolls=True,
            formula=(
                r"P = \frac{1}{2}\|w\|^2 + C \sum_i \max\left(0,\ 1 - y_i f(x_i)\right)",
                r"D = \sum_i \alpha_i - \frac{1}{2} \sum_{i,j} \alpha_i \alpha_j y_i y_j K_{ij} "
                r"\ \leq\ P",
            ),
            regression=(
                r"P = \frac{1}{2}\|w\|^2 + "
                r"C \sum_i \max\left(0,\ |y_i - f(x_i)| - \varepsilon\right)",
                r"D = \sum_i \beta_i y_i - \varepsilon \sum_i |\beta_i| - "
                r"\frac{1}{2} \sum_{i,j} \beta_i \beta_j K_{ij} \ \leq\ P",
            ),
        ),
        PanelSpec(
            "model",
            "Model",
            "The model in numbers: the line and its margin, or the slope and its tube; support "
            "vectors by kind, slack, and the cost so far. A perceptron maximises no margin: for it "
            "the card shows the distance of the nearest point instead, and the number of mistakes "
            "beside Novikoff's bound (R/ρ)².",
            "right",
            later("panels.model.model_card:ModelCard"),
            _always,
            scrolls=True,
            formula=(
                r"f(x) = \langle w, x\rangle + b",
                r"\|w\|^2 = \sum_{i,j} \beta_i \beta_j K_{ij}, \quad \beta_i = \alpha_i y_i",
            ),
            regression=(
                r"f(x) = \sum_i \beta_i\, k(x_i, x) + b",
                r"\|w\|^2 = \sum_{i,j} \beta_i \beta_j K_{ij}",
            ),
        ),
        PanelSpec(
            "step",
            "Why?",
            "The update of the step shown: its formula in letters, as in the method's source, and "
            "with the numbers of this step. The sentence says why the step was taken and what "
            "ended it.",
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
            "pseudo-code",
            "Pseudo-code",
            "The method as its source prints it, with the settings chosen. The lines that the step "
            "shown has carried out are lit, with their values at the right; if a step is shown in "
            "its parts (View > Explain the step), those of the part.",
            "right",
            later("panels.pseudo_code_panel:PseudoCodePanel"),
            _always,
            scrolls=True,
            formula=(
                r"\alpha_j \leftarrow \alpha_j + t \colon \quad "
                r"\mathrm{add}\ t\ \mathrm{to}\ \alpha_j",
            ),
        ),
        PanelSpec(
            "pair",
            "Pair",
            "The two α that this step moves. The constraint Σ βᵢ = 0, where βᵢ is αᵢyᵢ in a "
            "classification and αᵢ* − αᵢ in a regression, leaves a line, and the box [0, C]² "
            "a segment of it, from L to H, the smallest and the largest αⱼ. Along it the "
            "dual is a parabola with curvature η: the step goes to its vertex, or to the end of "
            "the segment if the vertex lies outside. E is the error f(x) − y of a point. In the "
            "parts of a step (F6) the panel first shows the points to choose from at their E, and "
            "the rise of D that each partner promises. A sweep over hulls moves the weights τᵢ, τⱼ "
            "of two points of opposite classes by one δ: to the minimum of its parabola, or to M, "
            "where one of them is 0. Books call these "
            "weights λ, which here is 1 / (C n), of the penalty.",
            "right",
            later("panels.pair.pair_panel:PairPanel"),
            _moves_pairs,
            needs="a method that moves pairs, such as SMO",
            scrolls=True,
            formula=(
                r"\eta = K_{ii} + K_{jj} - 2 K_{ij}, \quad E_i = f(x_i) - y_i",
                r"\alpha_j^{\mathrm{new}} = \mathrm{clip}\left(\alpha_j + "
                r"\frac{y_j (E_i - E_j)}{\eta},\ L,\ H\right)",
                r"\alpha_i^{\mathrm{new}} = \alpha_i + "
                r"y_i y_j (\alpha_j - \alpha_j^{\mathrm{new}})",
                r"\delta = \max\left(M,\ \frac{1 - \langle u - v,\ x_i - x_j\rangle}"
                r"{\|x_i - x_j\|^2}\right)",
                r"M = \max(-\tau_i, -\tau_j)",
            ),
        ),
        PanelSpec(
            "kkt",
            "KKT",
            "Every point at (y f(x), α). At the optimum all lie on the green line: α = 0 on or "
            "outside the margin, 0 < α < C on it, α = C on it or inside. In a regression every "
            "point is drawn at (y − f(x), β): β = 0 inside the tube or on its edge, 0 < |β| < C "
            "on an edge, |β| = C on an edge or outside. A segment shows by how much a point "
            "violates its condition. If no violation exceeds the tolerance, the badge says "
            "“optimal”; with a kernel that is not positive semi-definite, only “stationary "
            "point”. On reduced hulls α at the cap μ stands for C, and y f(x) counts from the "
            "level r of its class, where the free points lie. The axes fit the points.",
            "right",
            later("panels.kkt_panel:KktPanel"),
            _always,
            scrolls=True,
            formula=(
                r"\alpha_i = 0 \Rightarrow y_i f(x_i) \geq 1",
                r"0 < \alpha_i < C \Rightarrow y_i f(x_i) = 1",
                r"\alpha_i = C \Rightarrow y_i f(x_i) \leq 1",
            ),
            regression=(
                r"\beta_i = 0 \Rightarrow |y_i - f(x_i)| \leq \varepsilon",
                r"0 < \pm\beta_i < C \Rightarrow \pm\left(y_i - f(x_i)\right) = \varepsilon",
                r"\beta_i = \pm C \Rightarrow \pm\left(y_i - f(x_i)\right) \geq \varepsilon",
            ),
        ),
        PanelSpec(
            "kernel-matrix",
            "Kernel matrix",
            "The kernel of all pairs of points, sorted by class and within a class along its "
            "longest direction. The rows and columns of the points of this step are highlighted. "
            "Beside it are the eigenvalues, from the largest, on a logarithmic scale. Whatever the "
            "points, a positive semi-definite kernel has no negative eigenvalue (Mercer's "
            "condition); a red one refutes it.",
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
            "The nearest points p and q of the convex hulls of the classes: their distance, and "
            "the weights τᵢ of the points that they are made of, which sum to 1 in each class. "
            "Books call these λ, which here is 1 / (C n), of the penalty. The boundary with the "
            "widest margin is the bisector of p and q. A cap μ on the weights reduces the hulls, "
            "so that they may be apart although the whole hulls meet; then the boundary of the "
            "ν-SVM is another line, drawn beside the bisector. View > Hulls shows them on the "
            "plane.",
            "right",
            later("panels.hull_panel:HullPanel"),
            _has_hulls,
            tasks=CLASSES,
            needs="two classes, and the linear kernel or the method of convex hulls",
            scrolls=True,
            formula=(
                r"p = \sum_{y_i = 1} \tau_i x_i, \quad q = \sum_{y_i = -1} \tau_i x_i, "
                r"\quad 0 \leq \tau_i \leq \mu",
                r"w = \frac{2\,(p - q)}{\|p - q\|^2}, \quad \frac{2}{\|w\|} = \|p - q\|",
            ),
        ),
        PanelSpec(
            "weight-space",
            "Weights",
            "For the linear kernel: contours of the primal P over w, with the best b for each w, "
            "and the path of the iterates. The optimum is the minimum of P. P may rise on the way, "
            "whatever the method: a dual method raises D at each step, and a sub-gradient step "
            "need not lower P. A point of the plane is a line here, of all w with y f(x) = 1: "
            "point at one to see it.",
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
            "map",
            "Map",
            "The risk of a grid of models, estimated on parts of the points that are left out of "
            "training: k folds, hold-out or leave-one-out. Each cell is a pair of parameters, such "
            "as C and γ; it fills when its results are there. The colour shows the risk, its "
            "spread, or the number of support vectors. The frame marks the lowest risk, the "
            "diamond the present model. Point at a cell to see its boundary; click to use its "
            "parameters. The curve below goes along one axis through that cell: where the training "
            "risk falls and the validation risk rises, the model overfits; where both are high, it "
            "underfits. The lowest of many risks is too low an estimate for the model chosen by "
            "it: only points that took no part in the choice give an honest one. If points are "
            "held out by the split, the map uses the training part alone.",
            "right",
            later("panels.map.map_panel:MapPanel"),
            _always,
            scrolls=True,
            formula=(
                r"R = \frac{1}{k} \sum_{i=1}^{k} \frac{1}{|T_i|} \sum_{j \in T_i} "
                r"\ell\left(y_j,\ f_{-i}(x_j)\right)",
            ),
        ),
        PanelSpec(
            "split",
            "Split",
            "The points in parts: training points are solved, validation points (hollow) compare "
            "models, and test points lie in a locked drawer. Open it once, when the model is "
            "chosen: the error is then an honest estimate for new points. From then on the part is "
            "“seen”: undo does not change that, and the scene file keeps it. Another draw from the "
            "same points is seen too; fresh points are honest again. Errors are the "
            "fraction of points with y f(x) ≤ 0, in a regression the mean of |y − f(x)|. To move "
            "points to a part, select them with a rectangle or the lasso. Points of a file or of "
            "another task, and those placed after Clear, are other points: none is held out.",
            "right",
            later("panels.split.split_panel:SplitPanel"),
            _always,
            scrolls=True,
            formula=(
                r"R_T(f) = \frac{1}{|T|} \sum_{i \in T} \left[\, y_i f(x_i) \leq 0 \,\right]",
            ),
            regression=(r"R_T(f) = \frac{1}{|T|} \sum_{i \in T} |y_i - f(x_i)|",),
        ),
        PanelSpec(
            "risk",
            "Risk",
            "The risk of the present model on points that it was not trained on. Learning curve: "
            "the model is trained on more and more points of a random part, and tested on the "
            "points left out, for many splits; the bands are one sample standard deviation wide on "
            "each side. Training and validation risk that are still apart say that more points "
            "would help; two that meet high up say that the model is too simple. Many splits: the "
            "histogram of the risk of hold-out with many seeds, which shows how much a single "
            "split says. If points are held out by the split, the training part alone is used.",
            "right",
            later("panels.risk.risk_panel:RiskPanel"),
            _always,
            scrolls=True,
            formula=(r"R = \frac{1}{|T|} \sum_{j \in T} \ell\left(y_j,\ f_{-T}(x_j)\right)",),
        ),
        PanelSpec(
            "folds",
            "Folds",
            "Parts of the points are left out in turn: k folds, five times two halves, random "
            "parts, or each point alone. Each picture shows the boundary and the margins of what "
            "was trained without the part: small and pale the points it was trained on, large "
            "those left out, each error with a cross. Below it is its risk on the points left "
            "out. Click a picture to see it large. Leave-one-out is an animation: the place of "
            "the point left out has a ring, also in the plane, and the boundary without it lies "
            "over that of all points, in grey. A point with α = 0 changes nothing and is not "
            "solved for. After a change of points or model the parts are computed again; if that "
            "takes more than about a second, press Start.",
            "right",
            later("panels.folds.folds_panel:FoldsPanel"),
            _always,
            scrolls=True,
            formula=(
                r"R = \frac{1}{k} \sum_{j=1}^{k} \frac{1}{|T_j|} \sum_{i \in T_j} "
                r"L\left(y_i,\ f_{-j}(x_i)\right)",
            ),
        ),
        PanelSpec(
            "race",
            "Race",
            "Two to four solvers on the same problem, side by side, controlled by one transport. "
            "The chart shows the distance of each primal to the best known optimum P*, over steps, "
            "kernel evaluations or solving time: a dot for each lane, and a flag once its method "
            "has met its tolerance. Until then the lane with the lowest primal leads. The first "
            "flag comes after about twelve seconds of playing. A run that takes less than 20 ms is "
            "repeated, and the time shown is that of its fastest repetition. Of a method that does "
            "not use C, P is that of the hard margin, which is not below P*; reduced hulls have no "
            "such P. Closing the panel ends the race; undo brings it back.",
            "bottom",
            later("panels.race.race_panel:RacePanel"),
            _always,
            scrolls=True,
            formula=(r"P(w_t, b_t) - P^{\star}",),
        ),
        PanelSpec(
            "table",
            "Points",
            "All points as a table with editable numbers, and α (in a regression β), slack and "
            "f(x) of each point at the step shown.",
            "bottom",
            later("panels.points.points_table:PointsTable"),
            _always,
            formula=(r"\xi_i = \max\left(0,\ 1 - y_i f(x_i)\right)",),
            regression=(r"\xi_i = \max\left(0,\ |y_i - f(x_i)| - \varepsilon\right)",),
        ),
    )
}
# Names of the panels that are shown at the first start; the others can be opened from the menu.
FIRST = ("alpha", "objective", "model")
