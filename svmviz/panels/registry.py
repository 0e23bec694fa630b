"""The panels that can be docked. The modules of a panel are imported when its widget is made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from svmviz.base.lazy import later
from svmviz.panels.duality.specs import DUALITY_PANELS
from svmviz.panels.geometry.specs import GEOMETRY_PANELS
from svmviz.panels.kernels.specs import KERNEL_PANELS
from svmviz.panels.objective.specs import OBJECTIVE_PANELS
from svmviz.panels.panel_spec import PanelSpec, suits_every_document

if TYPE_CHECKING:
    from svmviz.document.document import Document


LOSS_IN_WORDS = "ℓ is 1 for an error and 0 for none; in a regression it is |y − f|."
PARTS_IN_WORDS = "Tᵢ is the part left out, and f₋ᵢ is trained without it. " + LOSS_IN_WORDS
RISK_OF_PARTS = (
    r"R = \frac{1}{k} \sum_{i=1}^{k} \frac{1}{|T_i|} \sum_{j \in T_i} "
    r"\ell\left(y_j,\ f_{-i}(x_j)\right)"
)


def _moves_pairs(document: Document) -> bool:
    return any(method.moves_pairs for method in document.methods)


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
            suits_every_document,
            regression_title="β values",
            formula=(r"f(x) = \sum_i \alpha_i y_i\, k(x_i, x) + b, \quad 0 \leq \alpha_i \leq C",),
            regression_formula=(r"f(x) = \sum_i \beta_i\, k(x_i, x) + b, \quad |\beta_i| \leq C",),
        ),
        *OBJECTIVE_PANELS,
        PanelSpec(
            "model",
            "Model",
            "The model in numbers: the line and its margin, or the slope and its tube; support "
            "vectors by kind, slack, and the cost so far. A perceptron maximises no margin. For a "
            "perceptron the panel shows the distance of the nearest point instead, and the number "
            "of mistakes with Novikoff's bound (R/ρ)² on it.",
            "right",
            later("panels.controls.model.model_card:ModelCard"),
            suits_every_document,
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
            "and where it ended. With Predict first (key F6) each part of a step is asked for "
            "before it is shown: click the point, choose, or type the number and press Enter. "
            "Points that tie are all right, and so is a number within 1 %. A wrong answer is told "
            "which comparison it missed, and you may try again; Esc or Show gives the answer. "
            "Right asks for the next part. While playing, and if steps are skipped, nothing is "
            "asked. In a presentation a clicker asks and then shows.",
            "right",
            later("panels.step.step_panel:StepPanel"),
            suits_every_document,
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
            suits_every_document,
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
            "changes the weights ζᵢ, ζⱼ of two points of opposite classes by the same δ: to the "
            "vertex of a parabola, or to M, where one of the weights is 0. The sum of ζ over a "
            "class varies; divided by it, the weights are τ. MDM moves δ from one point of a class "
            "to another; M is the most that these weights τ allow. Books write λ for both; here λ "
            "is the factor 1 / (C n) of the penalty.",
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
            "no violation exceeds the tolerance, the badge says “optimal”; if the dual is not "
            "known to be concave, only “stationary point”. For reduced hulls the cap μ "
            "takes the place of C, and the level r takes the place of 1: r is the value of y f(x) "
            "at the free points of a class. The ranges of the axes fit the points.",
            "right",
            later("panels.step.kkt_panel:KktPanel"),
            suits_every_document,
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
        *KERNEL_PANELS,
        *GEOMETRY_PANELS,
        *DUALITY_PANELS,
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
            "alone. " + PARTS_IN_WORDS,
            "right",
            later("panels.selection.map.map_panel:MapPanel"),
            suits_every_document,
            plane=True,
            scrolls=True,
            formula=(RISK_OF_PARTS,),
        ),
        PanelSpec(
            "split",
            "Split",
            "The points in three parts: the model is trained on the training points, the "
            "validation points (hollow) compare models, and the test points lie in a locked "
            "drawer. Open the drawer once, when the model is chosen: the error on the test points "
            "is then an honest estimate for new points. A large validation part measures each "
            "model well, but leaves fewer points to train it; the risk R of a small one, of m "
            "points, is noisy, with the standard deviation √(R (1 − R) / m). From then on the "
            "test part is marked as “seen”. The mark is “used” if an earlier model was trained on "
            "a test point, chosen by it or shown with it, as after a split of points that were "
            "all for training before. Undo changes neither, and the scene file stores both; only "
            "fresh points are honest. The error is the fraction of points whose class is not "
            "predicted (f(x) ≥ 0 predicts +1), in a regression the mean of |y − f(x)|. To move "
            "points to a part, select them with a rectangle or the lasso. Many data sets name "
            "their own test part, so that results can be compared: a scene file names its rows "
            "under “split”, and a table cannot. If points come from a file or from another task, "
            "or are placed after Clear, none of them is held out.",
            "right",
            later("panels.selection.split.split_panel:SplitPanel"),
            suits_every_document,
            plane=True,
            scrolls=True,
            formula=(
                r"R_T(f) = \frac{1}{|T|} \sum_{i \in T} \left[\, \hat{y}_i \neq y_i \,\right], "
                r"\quad "
                r"\hat{y}_i = 1 \text{ if } f(x_i) \geq 0, \text{ otherwise } {-}1",
            ),
            regression_formula=(r"R_T(f) = \frac{1}{|T|} \sum_{i \in T} |y_i - f(x_i)|",),
        ),
        PanelSpec(
            "model-choice",
            "Model choice",
            "The whole choice of a model, in four steps: divide the points into training, "
            "validation and test part; name candidates, which are kernels and methods; train each "
            "with several parameters on the training part and measure its risk on the validation "
            "part; take the one with the lowest risk, train it again on training and validation "
            "part together, and test it once. Split shows the parts, and Map the models around "
            "the chosen one. Training again has a risk: C and the other parameters were chosen "
            "with fewer points, and no validation part is left. Equal risks go to the first "
            "model: the simpler kernel, the smaller C. Methods that find the same optimum are no "
            "different candidates. Look at the difference between the lowest validation risk and "
            "the test error: the lowest of many risks is too low as an estimate, the test error "
            "is not.",
            "right",
            later("panels.selection.choice.choice_panel:ChoicePanel"),
            suits_every_document,
            plane=True,
            scrolls=True,
            formula=(
                r"m^{\star} = \arg\min_m R_V(f_m), \quad f_m \ \mathrm{trained\ on}\ T",
                r"R = R_{\mathrm{test}}(f^{\star}), \quad f^{\star} = f_{m^{\star}}\ "
                r"\mathrm{trained\ on}\ T \cup V",
            ),
        ),
        PanelSpec(
            "risk",
            "Risk",
            "The risk of the present model on points that it was not trained on. Learning curve: "
            "the model is trained on more and more points of a random part, and tested on the "
            "points left out, for many splits; the bands are one sample standard deviation wide on "
            "each side. If training and validation risk are still apart at the end, more points "
            "would help; if both meet at a high risk, the model is too simple, or the points are "
            "noisy. Many splits: the histogram of the hold-out risk over many seeds, which shows "
            "how far the result of a single split can be trusted: each risk is right on average "
            "for a model of as many points (unbiased), but noisy. If points are held out by the "
            "split, the training part alone is used. T are the points left out, and f₋ₜ is trained "
            "without them. " + LOSS_IN_WORDS,
            "right",
            later("panels.selection.risk.risk_panel:RiskPanel"),
            suits_every_document,
            plane=True,
            scrolls=True,
            formula=(r"R = \frac{1}{|T|} \sum_{j \in T} \ell\left(y_j,\ f_{-T}(x_j)\right)",),
        ),
        PanelSpec(
            "folds",
            "Folds",
            "Parts of the points are left out in turn: k folds, five times two halves (5 × 2), "
            "random parts, or each point alone. Each picture shows the boundary and the margins of "
            "the model that was trained without the part. The points it was trained on are small "
            "and pale, those left out are large, and each error has a cross. Below the picture is "
            "the risk on the points left out. Click a picture to enlarge it. Leave-one-out is an "
            "animation: the point left out has a ring, also in the plane, and the boundary without "
            "it is drawn over the boundary of all points, which is grey. Leaving out a point with "
            "α = 0 changes nothing, so the problem is not solved again for it. After a change of "
            "points or model the parts are computed again; if that takes more than about a second, "
            "press Start. Five times two halves also compares two models, by the paired test: "
            "choose a kernel, or keep this model and change it. The risk on each part is right on "
            "average for a model of as many points (unbiased), but noisy; the mean is less so. "
            "With fewer points, as in halves, models are usually worse and the risk is too high. d "
            "is the difference of the risks of both models on a half; if both have the same risk, "
            "t rarely is far from 0. Look at how much the pictures differ: so much does a model "
            "depend on its points. " + PARTS_IN_WORDS,
            "right",
            later("panels.selection.folds.folds_panel:FoldsPanel"),
            suits_every_document,
            plane=True,
            scrolls=True,
            formula=(
                RISK_OF_PARTS,
                r"t = \frac{d_{11}}{\sqrt{\frac{1}{5} \sum_{r=1}^{5} s_r^2}}, \quad "
                r"s_r^2 = \frac{1}{2} (d_{r1} - d_{r2})^2",
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
            suits_every_document,
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
            suits_every_document,
            formula=(r"\xi_i = \max\left(0,\ 1 - y_i f(x_i)\right)",),
            regression_formula=(r"\xi_i = \max\left(0,\ |y_i - f(x_i)| - \varepsilon\right)",),
        ),
    )
}
# Names of the panels that are open at the first start. The menu opens the others.
INITIALLY_SHOWN = ("alpha", "objective", "model")
# The controls on a card of a lesson: callable(Stage, frozenset of str) -> QWidget.
CARD_CONTROLS = later("panels.controls.settings.card_controls:CardControls")
# What a card of a lesson may show beside it: names and titles.
TITLES = {**{name: spec.title for name, spec in PANELS.items()}, "settings": "Settings"}
SHOWN_BY_LESSONS = tuple(TITLES)
