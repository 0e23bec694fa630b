"""A column or row of widgets, with spaces in units of 4 px at scale 1 (`Metrics.space`)."""

from __future__ import annotations

from typing import TypeVar

from PySide6.QtWidgets import QBoxLayout, QWidget

from svmviz.theme import look_of
from svmviz.widgets.styling import StyleFollower

AnyWidget = TypeVar("AnyWidget", bound=QWidget)
# Qt's value of a maximum width or height that sets no limit (QWIDGETSIZE_MAX), px.
NO_LIMIT = 16_777_215


class Column(StyleFollower, QWidget):
    """Box of widgets, from top to bottom or from left to right.

    Parameters
    ----------
    gap : float
        Space between two widgets, in units of 4 px at scale 1.
    margin : float
        Space around all widgets, in units of 4 px at scale 1.
    across : bool
        Whether the widgets are laid out from left to right; if not, from top to bottom.
    """

    def __init__(
        self,
        gap: float = 2.0,
        margin: float = 0.0,
        *,
        across: bool = False,
    ) -> None:
        super().__init__()
        self._gap, self._margin = gap, margin
        self.box = QBoxLayout(QBoxLayout.Direction.TopToBottom, self)
        self.lay_across(across)
        self.follow_style(Column._apply_spacing)

    def add(self, widget: AnyWidget, stretch: int = 0) -> AnyWidget:
        """Add a widget, and return it."""
        self.box.addWidget(widget, stretch)
        return widget

    def lay_across(self, across: bool) -> None:
        """Lay the widgets out from left to right, or from top to bottom if not ``across``."""
        directions = QBoxLayout.Direction
        self.box.setDirection(directions.LeftToRight if across else directions.TopToBottom)

    def set_margin(self, margin: float) -> None:
        """Change the space around the widgets, in units of 4 px at scale 1."""
        if margin != self._margin:
            self._margin = margin
            self._apply_spacing()

    def set_gap(self, gap: float) -> None:
        """Change the space between two widgets, in units of 4 px at scale 1."""
        if gap != self._gap:
            self._gap = gap
            self._apply_spacing()

    def _apply_spacing(self) -> None:
        space = look_of(self).metrics.space
        edge = space(self._margin)
        self.box.setContentsMargins(edge, edge, edge, edge)
        self.box.setSpacing(space(self._gap))
