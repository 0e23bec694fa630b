"""How the picture is shown: not part of the document, never undone, saved beside it."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QObject, Signal

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
        "(of length ξ/‖w‖ for the linear kernel, else to the nearest point of the contour).",
        scale="switch",
    )
    touched: bool = setting(
        True, "Points in play", "Mark the points that the current step touches.", scale="switch"
    )
    grid: bool = setting(True, "Grid", "Draw lines at the ticks of the axes.", scale="switch")
    numbers: bool = setting(
        False, "Point numbers", "Write the number of each point beside it.", scale="switch"
    )
    aspect: str = setting(
        "auto",
        "Aspect",
        "Equal: one unit is as long on both axes, so right angles look right. "
        "Automatic: equal unless the ranges differ by more than five times.",
        scale="choice",
        choices=(("auto", "Automatic"), ("equal", "Equal"), ("free", "Free")),
    )


class View(QObject):
    """Holds the options; views listen to ``changed``."""

    changed = Signal()

    def __init__(self, options: ViewOptions | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.options = options or ViewOptions()

    def set(self, **changes: Any) -> None:
        """Replace some options."""
        self.show(dataclasses.replace(self.options, **changes))

    def show(self, options: ViewOptions) -> None:
        """Replace all options."""
        if options != self.options:
            self.options = options
            self.changed.emit()
