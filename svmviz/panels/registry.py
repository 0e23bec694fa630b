"""The panels that can be docked. The modules of a panel are imported when its widget is made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from svmviz.base.lazy import later
from svmviz.panels.panel_spec import PanelSpec

if TYPE_CHECKING:
    from svmviz.document.document import Document


# Value of ``tasks`` for panels that need two classes.
CLASSIFICATION_ONLY = ("classification",)


def _suits_every_document(_document: Document) -> bool:
    return True


def _moves_pairs(document: Document) -> bool:
    return any(method.moves_pairs for method in document.methods)


def _is_linear(document: Document) -> bool:
    return document.kernel.name == "linear"


def _shows_hulls(document: Document) -> bool:
    return _is_linear(document) or any(method.name == "hulls" for method in document.methods)


PANELS: dict[str, PanelSpec] = {
    spec.name: spec
    for spec in (
        PanelSpec(
            "alpha",
            "α values",
            "Bars of the dual variables α, one per point. A point with α = 0 does not enter f. The "
            "largest possible value is C. If 0 < α < C, α is called free. In a regression the bars "
            "show |β|. Point at a bar to highlight its point.",
            "right",
            later("panels.step.alpha_chart:AlphaChart"),
            _suits_every_document,
            regression_title="β values",
            formula=(r"f(x) = \sum_i \alpha_i y_i\, k(x_i, x) + b, \quad 0 \leq \alpha_i \leq C",),
            regression_formula=(r"f(x) = \sum_i \beta_i\, k(x_i, x) + b, \quad |\beta_i| \leq C",),
        ),
        PanelSpec(
            "objective",
            "Objective",
            "The primal P, the dual D and the gap P − D over the steps. The optimum is at most P "
            "and at least D, at every step. A dual method raises D at each step, but P may rise "
            "from one step to the next. If an iterate's α is not feasible, D is computed from an α "
            "that is made feasible. With a regularised bias, P also contains ½b². The badge says "
            "“optimal” if no point violates its KKT condition by more than the tolerance; it also "
            "shows the largest violation, and the gap as a multiple of D. “Primal P rose "
            "(allowed)” means that P was smaller at an earlier step, which is no error. With a "
            "large C the gap may be wide although the KKT conditions hold to the tolerance. Click "
            "to go to a step.",
            "right",
            later("panels.objective.objective_chart:ObjectiveChart"),
            _suits_every_document,
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
            "model",
            "Model",
            "The model in numbers: the line and its margin, or the slope and its tube; support "
            "vectors by kind, slack, and the cost so far. A perceptron maximises no margin. For a "
            "perceptron the panel shows the distance of the nearest point instead, and the number "
            "of mistakes with Novikoff's bound (R/ρ)² on it.",
            "right",
            later("panels.controls.model.model_card:ModelCard"),
            _suits_every_document,
            scrolls=True,
            formula=(
                r"f(x) = \langle w, x\rangle + b",
                r"\|w\|^2 = \sum_{i,j} \beta_i \beta_j K_{ij}, \quad \beta_i = \alpha_i y_i",
            ),
            regression_formula=(
                r"f(x) = \sum_i \beta_i\, k(x_i, x) + b",
                r"\|w\|^2 = \sum_{i,j} \beta_i \beta_j K_{ij}",
            ),
        ),
        PanelSpec(
            "step",
            "Why?",
            "The update of the step shown: its formula in letters, as in the publication of the "
            "method, and with the numbers of this step. The sentence says why the step was taken "
            "and where it ended.",
            "right",
            later("panels.step.step_panel:StepPanel"),
            _suits_every_document,
            scrolls=True,
            formula=(
                r"f(x) = \sum_i \beta_i\, k(x_i, x) + b, \quad "
                r"\beta_i \leftarrow \beta_i^{\mathrm{new}}",
            ),
        ),
        PanelSpec(
            "pseudo-code",
            "Pseudo-code",
            "The method as its publication prints it, with the chosen settings. The lines that the "
            "step shown has carried out are highlighted, with their values at the right. If the "
            "step is shown in parts (View > Explain the step), only the lines of the part shown "
            "are highlighted.",
            "right",
            later("panels.step.pseudo_code_panel:PseudoCodePanel"),
            _suits_every_document,
            scrolls=True,
            formula=(
                r"\alpha_j \leftarrow \alpha_j + t \colon \quad "
                r"\mathrm{add}\ t\ \mathrm{to}\ \alpha_j",
            ),
        ),
        PanelSpec(
            "pair",
            "Pair",
            "The two α that this step moves. Because of the constraint Σ βᵢ = 0 they can move only "
            "along a line (βᵢ is αᵢyᵢ in a classification and αᵢ* − αᵢ in a regression). The box "
            "[0, C]² contains a segment of this line; L and H are the smallest and the largest αⱼ "
            "on the segment. Along the line the dual is a parabola with curvature η. The step goes "
            "to its vertex, or to the end of the segment if the vertex lies outside or if there is "
            "none, because η is not above 0. E is the error f(x) − y of a point. If the step is "
            "shown in parts (F6), the panel first shows E of each point from which the method "
            "chooses, and the predicted rise of D for each possible partner. A sweep over hulls "
            "changes the weights τᵢ, τⱼ of two points of opposite classes by the same δ: to the "
            "vertex of a parabola, or to M, where one of the weights is 0. MDM moves δ from one "
            "point of a class to another; M is the most that these weights allow. Books write λ "
            "for these weights; here λ is the factor 1 / (C n) of the penalty.",
            "right",
            later("panels.step.pair_panel:PairPanel"),
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
            "Every point at (y f(x), α). At the optimum all points lie on the green line: points "
            "with α = 0 on or outside the margin, with 0 < α < C on the margin, with α = C on or "
            "inside the margin. In a regression every point is drawn at (y − f(x), β): points with "
            "β = 0 lie inside the tube or on its edge, with 0 < |β| < C on an edge, with |β| = C "
            "on an edge or outside. A segment shows by how much a point violates its condition. If "
            "no violation exceeds the tolerance, the badge says “optimal”; with a kernel that is "
            "not positive semi-definite, only “stationary point”. For reduced hulls the cap μ "
            "takes the place of C, and the level r takes the place of 1: r is the value of y f(x) "
            "at the free points of a class. The ranges of the axes fit the points.",
            "right",
            later("panels.step.kkt_panel:KktPanel"),
            _suits_every_document,
            scrolls=True,
            formula=(
                r"\alpha_i = 0 \Rightarrow y_i f(x_i) \geq 1",
                r"0 < \alpha_i < C \Rightarrow y_i f(x_i) = 1",
                r"\alpha_i = C \Rightarrow y_i f(x_i) \leq 1",
            ),
            regression_formula=(
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
            "Beside the matrix are its eigenvalues, from the largest, on a logarithmic scale. A "
            "positive semi-definite kernel has no negative eigenvalue, whatever the points "
            "(Mercer's condition). A negative eigenvalue, drawn in red, refutes the condition.",
            "right",
            later("panels.kernels.kernel_panel:KernelPanel"),
            _suits_every_document,
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
            "the weights τᵢ with which p and q are sums of points. The weights of each class sum "
            "to 1. Books write λ for these weights; here λ is the factor 1 / (C n) of the penalty. "
            "The boundary with the widest margin is the bisector of p and q. A cap μ on the "
            "weights reduces the hulls. Reduced hulls may be apart although the whole hulls meet. "
            "For reduced hulls the boundary of the ν-SVM is another line, drawn beside the "
            "bisector. View > Hulls shows the hulls on the plane.",
            "right",
            later("panels.geometry.hull_panel:HullPanel"),
            _shows_hulls,
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
            _suits_every_document,
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
            "step to the next, whatever the method: a dual method raises D at each step, and a "
            "sub-gradient step need not lower P. A point of the plane is a line here, of all w "
            "with y f(x) = 1: point at a point of the plane to see its line.",
            "right",
            later("panels.geometry.weight_panel:WeightPanel"),
            _is_linear,
            tasks=CLASSIFICATION_ONLY,
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
            "training: k folds, hold-out or leave-one-out. Each cell stands for a pair of "
            "parameter values, such as those of C and γ; it gets its colour when its results "
            "arrive. The colour shows the risk, its spread, or the number of support vectors. A "
            "frame marks the cell with the lowest risk, a diamond the present model. Point at a "
            "cell to see its boundary; click to use its parameters. The curve shows the risks "
            "along one axis through the cell under the mouse or, without one, the best cell: where "
            "the training risk falls and the validation risk rises, the model overfits; where both "
            "are high, the model underfits. The lowest of many risks is too low an estimate for "
            "the model that was chosen by it: only points that were not used in the choice give an "
            "honest estimate. If points are held out by the split, the map uses the training part "
            "alone.",
            "right",
            later("panels.selection.map.map_panel:MapPanel"),
            _suits_every_document,
            scrolls=True,
            formula=(
                r"R = \frac{1}{k} \sum_{i=1}^{k} \frac{1}{|T_i|} \sum_{j \in T_i} "
                r"\ell\left(y_j,\ f_{-i}(x_j)\right)",
            ),
        ),
        PanelSpec(
            "split",
            "Split",
            "The points in three parts: the model is trained on the training points, the "
            "validation points (hollow) compare models, and the test points lie in a locked "
            "drawer. Open the drawer once, when the model is chosen: the error on the test points "
            "is then an honest estimate for new points. From then on the test part is marked as "
            "“seen”. The mark is “used” if an earlier model was trained on a test point, chosen by "
            "it or shown with it, as after a split of points that were all for training before. "
            "Undo changes neither, and the scene file stores both; only fresh points are honest. "
            "The error is the "
            "fraction of points with y f(x) ≤ 0, in a regression the mean of |y − f(x)|. To move "
            "points to a part, select them with a rectangle or the lasso. If points come from a "
            "file or from another task, or are placed after Clear, none of them is held out.",
            "right",
            later("panels.selection.split.split_panel:SplitPanel"),
            _suits_every_document,
            scrolls=True,
            formula=(
                r"R_T(f) = \frac{1}{|T|} \sum_{i \in T} \left[\, y_i f(x_i) \leq 0 \,\right]",
            ),
            regression_formula=(r"R_T(f) = \frac{1}{|T|} \sum_{i \in T} |y_i - f(x_i)|",),
        ),
        PanelSpec(
            "risk",
            "Risk",
            "The risk of the present model on points that it was not trained on. Learning curve: "
            "the model is trained on more and more points of a random part, and tested on the "
            "points left out, for many splits; the bands are one sample standard deviation wide on "
            "each side. If training and validation risk are still apart at the end, more points "
            "would help; if both meet at a high risk, the model is too simple. Many splits: the "
            "histogram of the hold-out risk over many seeds, which shows how far the result of a "
            "single split can be trusted. If points are held out by the split, the training part "
            "alone is used.",
            "right",
            later("panels.selection.risk.risk_panel:RiskPanel"),
            _suits_every_document,
            scrolls=True,
            formula=(r"R = \frac{1}{|T|} \sum_{j \in T} \ell\left(y_j,\ f_{-T}(x_j)\right)",),
        ),
        PanelSpec(
            "folds",
            "Folds",
            "Parts of the points are left out in turn: k folds, five times two halves, random "
            "parts, or each point alone. Each picture shows the boundary and the margins of the "
            "model that was trained without the part. The points it was trained on are small and "
            "pale, the points left out are large, and each error has a cross. Below the picture is "
            "the risk on the points left out. Click a picture to enlarge it. Leave-one-out is an "
            "animation: the point left out has a ring, also in the plane, and the boundary without "
            "it is drawn over the boundary of all points, which is grey. Leaving out a point with "
            "α = 0 changes nothing, so the problem is not solved again for it. After a change of "
            "points or model the parts are computed again; if that takes more than about a second, "
            "press Start.",
            "right",
            later("panels.selection.folds.folds_panel:FoldsPanel"),
            _suits_every_document,
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
            "kernel evaluations or solving time. Each lane has a dot, and a flag once its method "
            "has met its tolerance. Until the first flag, the lane with the lowest primal leads. "
            "The playing speed is such that the first flag comes after about twelve seconds. A run "
            "that takes less than 20 ms is repeated, and the time shown is that of its fastest "
            "repetition. For a method that does not use C, P is the primal of the hard margin, "
            "which is not below P*; reduced hulls have no such P. Closing the panel ends the race; "
            "undo brings it back.",
            "bottom",
            later("panels.objective.race.race_panel:RacePanel"),
            _suits_every_document,
            scrolls=True,
            formula=(r"P(w_t, b_t) - P^{\star}",),
        ),
        PanelSpec(
            "table",
            "Points",
            "All points as a table with editable numbers, and α (in a regression β), slack and "
            "f(x) of each point at the step shown.",
            "bottom",
            later("panels.controls.points.points_table:PointsTable"),
            _suits_every_document,
            formula=(r"\xi_i = \max\left(0,\ 1 - y_i f(x_i)\right)",),
            regression_formula=(r"\xi_i = \max\left(0,\ |y_i - f(x_i)| - \varepsilon\right)",),
        ),
    )
}
# Names of the panels that are open at the first start. The menu opens the others.
INITIALLY_SHOWN = ("alpha", "objective", "model")
