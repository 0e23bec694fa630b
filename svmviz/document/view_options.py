"""How the picture is shown, as plain settings: what is saved beside the document.

Apart from ``svmviz.stage.view_state`` because scenes are read where Qt is not loaded.
"""

from __future__ import annotations

from dataclasses import dataclass

from solvers.settings import Checked, setting


@dataclass(frozen=True)
class ViewOptions(Checked):
    """Layers of the plane, and how it is laid out."""

    field: bool = setting(True, "Decision field", "Shade the plane by f(x).", scale="switch")
    band: bool = setting(
        True, "Margin band", "Shade where −1 ≤ f(x) ≤ 1 a little darker.", scale="switch"
    )
    contours: bool = setting(
        True, "Boundary and margins", "Draw the contours f = −1, 0 and +1.", scale="switch"
    )
    rings: bool = setting(
        True,
        "Support vectors",
        "Ring the points with α > 0; a double ring where α = C.",
        scale="switch",
    )
    alpha_area: bool = setting(
        True, "α as area", "Let the area of a halo grow with α.", scale="switch"
    )
    alpha_numbers: bool = setting(
        False, "α as numbers", "Write α beside each support vector.", scale="switch"
    )
    sticks: bool = setting(
        True,
        "Slack",
        "Draw a stick from each point with slack to its margin "
        "(of length ξ/‖w‖ for the linear kernel; else to the nearest point of the contour, "
        "which is a picture and not to scale, and only a stub where another region is in between).",
        scale="switch",
    )
    touched: bool = setting(
        True,
        "Points in play",
        "Mark the points of the current step; of more than eight, those that moved most.",
        scale="switch",
    )
    grid: bool = setting(True, "Grid", "Draw lines at the ticks of the axes.", scale="switch")
    numbers: bool = setting(
        False, "Point numbers", "Write the number of each point beside it.", scale="switch"
    )
    legend: bool = setting(
        True, "Legend", "Name the classes above the plane, and count their points.", scale="switch"
    )
    aspect: str = setting(
        "auto",
        "Aspect",
        "Equal: one unit is as long on both axes, so right angles look right. "
        "Automatic: equal unless the ranges differ by more than five times; free in regression.",
        scale="choice",
        choices=(("auto", "Automatic"), ("equal", "Equal"), ("free", "Free")),
    )
    hulls: str = setting(
        "auto",
        "Hulls",
        "Draw the convex hulls of the classes, their nearest points p and q, and the supporting "
        "lines, where the kernel is linear: for the solver that works on them, for every solver, "
        "or never.",
        scale="choice",
        choices=(
            ("auto", "For the solver of hulls"),
            ("always", "For every solver"),
            ("never", "Never"),
        ),
    )

    def aspect_for(self, task: str) -> str:
        """The aspect for a task: automatic is free in regression, whose axes have no angles."""
        return "free" if task == "regression" and self.aspect == "auto" else self.aspect
