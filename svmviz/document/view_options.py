"""Options of the plane, which are saved with the document.

They are separate from ``svmviz.stage.view_state``, because scenes are also read without Qt.
"""

from __future__ import annotations

from dataclasses import dataclass

from solvers.settings import Checked, setting
from svmviz.document.pen import Stroke
from svmviz.document.user_line import UserLine

# The value of ``hulls`` that adds the supporting lines of many directions.
HALF_PLANES = "half-planes"
# The value of ``shading`` that needs the probability of the classes.
PROBABILITY = "probability"
# Layers that a scene contains only if they are on: earlier programs refuse them.
LATER_LAYERS = ("ridge", "logistic", "larger_points", "decision", "pen")


@dataclass(frozen=True)
class ViewOptions(Checked):
    """Layers and aspect of the plane.

    ``strokes`` are the strokes of the pen, which are no setting: the window always shows them.
    ``without_line`` is a line of the user that is not drawn, as long as it does not change.
    ``named`` are points whose numbers are drawn, since a panel names them.
    ``nearest`` says whether hulls are drawn with p, q and their lines, which a lesson may hide.
    """

    field: bool = setting(
        True, "Colour of f(x)", "Shade the plane by f(x), which decides the class."
    )
    shading: str = setting(
        "sure",
        "Shading",
        "Strong colour far from f(x) = 0, with a pale margin band; or strong colour in the margin "
        "band, with the rest of the plane pale; or, of two classes, strong colour where the class "
        "that f says is probable.",
        choices=(
            ("sure", "Strong where f is far from 0"),
            ("band", "Strong in the margin band"),
            (PROBABILITY, "Strong where the class is probable"),
        ),
    )
    band: bool = setting(
        True,
        "Margin band",
        "Tint where −1 ≤ f(x) ≤ 1; in a regression, the tube |y − f(x)| ≤ ε.",
    )
    contours: bool = setting(
        True,
        "Boundary and margin lines",
        "Draw the contours f = −1, 0 and +1; in a regression, the curve f and its tube.",
    )
    rings: bool = setting(
        True,
        "Support vectors",
        "Outline the points with α > 0, in a regression with β ≠ 0, and pale the others; a core "
        "marks those where α or |β| is C.",
    )
    alpha_area: bool = setting(
        False,
        "α as area",
        "Draw a halo around each support vector, whose area grows with α.",
    )
    alpha_numbers: bool = setting(False, "α as numbers", "Write α beside each support vector.")
    sticks: bool = setting(
        True,
        "Slack",
        "Draw a line from each point with slack to its margin line; in a regression, to the tube.",
    )
    touched: bool = setting(
        True,
        "Points in this step",
        "Mark the points of the current step: at most eight, those that moved most.",
    )
    larger_points: bool = setting(
        False,
        "Larger points",
        "Draw points, with the marks around them, larger by two fifths.",
    )
    grid: bool = setting(True, "Grid", "Draw lines at the ticks of the axes.")
    numbers: bool = setting(False, "Point numbers", "Write the number of each point beside it.")
    legend: bool = setting(
        True, "Legend", "Name the classes above the plane, and count their points."
    )
    decision: bool = setting(
        False,
        "Decision",
        "With more than two classes, shade the plane by the class that all machines decide for "
        "together, in place of the machine looked at: stronger where no machine is near "
        "to another vote, and hatched where several classes have most votes.",
    )
    ridge: bool = setting(
        False,
        "Kernel ridge",
        "In a regression, draw as a dashed line what the same kernel and C give with squared "
        "errors in place of the tube: ½‖w‖² + ½C Σ (y − f(x))² is smallest. No error is free, so "
        "every point takes part in it. For at most 1,000 points.",
    )
    logistic: bool = setting(
        False,
        "Logistic regression",
        "In a classification with the linear kernel, draw as a dashed line what the same C gives "
        "with the logistic loss in place of the hinge: ½‖w‖² + C Σ log(1 + exp(−y f(x))) is "
        "smallest. No loss is 0, so every point takes part in it. For at most 1,000 points.",
    )
    pen: bool = setting(
        False,
        "Pen in pictures",
        "Draw the strokes of the pen also in exported pictures, movies and pages.",
    )
    aspect: str = setting(
        "auto",
        "Axis scales",
        "Equal: one unit is as long on both axes, so right angles look right. "
        "Automatic: equal unless the ranges differ by more than five times; free in regression.",
        choices=(("auto", "Automatic"), ("equal", "Equal"), ("free", "Free")),
    )
    hulls: str = setting(
        "auto",
        "Convex hulls",
        "With the linear kernel, draw the convex hulls of the classes, their nearest points p and "
        "q, and the supporting lines: for the method that works on them, for every method, or "
        "never. A hull is the intersection of all half-planes that hold its points: half-planes "
        "draws the edges of some of them.",
        choices=(
            ("auto", "For the method Convex hulls"),
            ("always", "For every method"),
            (HALF_PLANES, "For every method, with half-planes"),
            ("never", "Never"),
        ),
    )

    strokes: tuple[Stroke, ...] = ()
    without_line: UserLine | None = None
    named: tuple[int, ...] = ()
    nearest: bool = True

    def aspect_for(self, task: str) -> str:
        """Return the aspect for a task: in regression, "auto" becomes "free"."""
        return "free" if task == "regression" and self.aspect == "auto" else self.aspect
