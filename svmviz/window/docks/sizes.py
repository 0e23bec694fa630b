"""Widths and heights of docks: current, required, and in the first layout."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDockWidget, QMainWindow

from svmviz.theme import active

AREAS = {
    "left": Qt.DockWidgetArea.LeftDockWidgetArea,
    "right": Qt.DockWidgetArea.RightDockWidgetArea,
    "bottom": Qt.DockWidgetArea.BottomDockWidgetArea,
}
# Minimum and maximum width of the docks at the right in the first layout, px for controls of 100 %.
# The width does not depend on the text size, so that the plane does not move when the text grows.
MIN_WIDTH, MAX_WIDTH = 320, 400
# Entries: a dock, its width or height in px, and Horizontal for a width or Vertical for a height.
Sizes = list[tuple[QDockWidget, int, Qt.Orientation]]


class DockSizes:
    """Sizes of the docks of one window.

    Parameters
    ----------
    window : QMainWindow
    docks : mapping of str to QDockWidget
        All docks by name; the mapping may grow.
    """

    def __init__(self, window: QMainWindow, docks: Mapping[str, QDockWidget]) -> None:
        self._window = window
        self._docks = docks

    @property
    def width(self) -> int:
        """Width of the docks at the right in the first layout, px: 22 % of the window, limited."""
        base = active().metrics.base
        return round(min(max(base * MIN_WIDTH, 0.22 * self._window.width()), base * MAX_WIDTH))

    @property
    def width_beside_plane(self) -> int:
        """Required width of the docks to the left and to the right of the plane, px."""
        required: dict[Qt.DockWidgetArea, int] = {}
        for dock in self._docks.values():
            if not dock.isHidden() and not dock.isFloating():
                area, width = self._window.dockWidgetArea(dock), dock.minimumSizeHint().width()
                required[area] = max(self.width, width, required.get(area, 0))
        return required.get(AREAS["left"], 0) + required.get(AREAS["right"], 0)

    def measure(self) -> Sizes:
        """Return the widths of the docks beside the plane, and the height of those below it."""
        sizes: Sizes = []
        for area, orientation in (
            (AREAS["left"], Qt.Orientation.Horizontal),
            (AREAS["right"], Qt.Orientation.Horizontal),
            (AREAS["bottom"], Qt.Orientation.Vertical),
        ):
            is_width = orientation == Qt.Orientation.Horizontal
            # All docks of an area have this width or height, so the first one suffices.
            for dock in [dock for dock in self._docks.values() if self.is_docked(dock, area)][:1]:
                sizes.append((dock, dock.width() if is_width else dock.height(), orientation))
        return sizes

    def rescale(self, sizes: Sizes, factor: float) -> None:
        """Resize docks to ``factor`` times the sizes that :meth:`measure` returned."""
        if factor == 1.0:
            return
        for dock, side, orientation in sizes:
            self._window.resizeDocks([dock], [round(factor * side)], orientation)

    def is_docked(self, dock: QDockWidget, area: Qt.DockWidgetArea) -> bool:
        """Return whether a dock is shown in an area of the window."""
        is_in_window = not (dock.isHidden() or dock.isFloating())
        return is_in_window and self._window.dockWidgetArea(dock) == area
