"""Putting an arrangement on the docks of a window, and reading it back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise

from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import QApplication, QDockWidget, QMainWindow, QStyle

from svmviz.panels.registry import views_of
from svmviz.window.layouts.arrangement import BESIDE, Arrangement, Place

ACROSS, DOWN = Qt.Orientation.Horizontal, Qt.Orientation.Vertical
SIDES = {
    "left": Qt.DockWidgetArea.LeftDockWidgetArea,
    "right": Qt.DockWidgetArea.RightDockWidgetArea,
    "top": Qt.DockWidgetArea.TopDockWidgetArea,
    "bottom": Qt.DockWidgetArea.BottomDockWidgetArea,
}


class Placing:
    """The docks of one window, as an arrangement.

    Only docks that are shown belong to Qt's own layout: hidden ones would turn rows into tabs.

    Parameters
    ----------
    window : QMainWindow
    docks : mapping of str to QDockWidget
        All docks by name; the mapping may grow.
    """

    def __init__(self, window: QMainWindow, docks: Mapping[str, QDockWidget]) -> None:
        self._window, self._docks = window, docks
        window.setCorner(Qt.Corner.BottomRightCorner, SIDES["right"])
        window.setCorner(Qt.Corner.BottomLeftCorner, SIDES["left"])

    def is_docked(self, name: str) -> bool:
        """Return whether a panel is shown in its place, and not being dragged."""
        dock = self._docks[name]
        is_shown = not (dock.isHidden() or dock.isFloating())
        return is_shown and self._is_placed(dock)

    def read(self) -> Arrangement:
        """Return the arrangement of the docks as they are now."""
        window = self._window
        placed: dict[str, list[tuple[QRect, Place]]] = {}
        shown = {dock: name for name, dock in self._docks.items() if self.is_docked(name)}
        for dock, name in shown.items():
            side = window.dockWidgetArea(dock)
            key = next((key for key, area in SIDES.items() if area == side), None)
            if key is not None and _is_in_front(dock):
                tabs = {name, *(shown.get(other) for other in window.tabifiedDockWidgets(dock))}
                names = tuple(each for each in self._docks if each in tabs)
                placed.setdefault(key, []).append((dock.geometry(), Place(names, name, key)))
        places: list[Place] = []
        shares = {}
        for key in (key for key in SIDES if key in placed):
            box = QRect()
            for rect, _ in placed[key]:
                box = box.united(rect)
            part = box.width() / window.width() if key in BESIDE else box.height() / window.height()
            shares[key] = min(1.0, part)
            places += _in_columns(placed[key])
        return Arrangement(tuple(places), shares)

    def place(self, arrangement: Arrangement) -> None:
        """Show these panels in these places, and hide all others."""
        focused = QApplication.focusWidget()
        shown = [name for name in self._docks if self.is_docked(name)]
        for name in arrangement.names:
            # A view comes to the place of the one it replaces, so no other dock moves.
            old = [view for view in views_of(name) if view in shown]
            if name not in shown and old:
                self._window.tabifyDockWidget(self._docks[old[0]], self._docks[name])
                self._docks[name].show()
        for name, dock in self._docks.items():
            if name not in arrangement.names and not dock.isFloating() and self._is_placed(dock):
                # A hidden dock that stays in Qt's layout would count as a tab.
                self._window.removeDockWidget(dock)
        if not self._add_tabs(arrangement):
            self._place_anew(arrangement)
        for name in arrangement.fronts:
            bring_forward(self._docks[name])
        if focused not in (None, QApplication.focusWidget()) and focused.isVisible():
            # Its dock was moved.
            focused.setFocus(Qt.FocusReason.OtherFocusReason)

    def resize(self, arrangement: Arrangement, sides: Mapping[str, int], height: int) -> None:
        """Give the areas these widths or heights, px, and their places their shares of them.

        ``height`` is that of the areas beside the plane.
        """
        for area, columns in arrangement.columns.items():
            is_beside = area in BESIDE
            width = sides[area] if is_beside else self._window.width()
            if is_beside or len(columns) > 1:
                widths = {column[0].names[0]: column[0].width for column in columns}
                self._share(widths, width, ACROSS)
            for column in columns:
                if not is_beside or len(column) > 1:
                    heights = {place.names[0]: place.height for place in column}
                    self._share(heights, height if is_beside else sides[area], DOWN)

    def _share(self, shares: Mapping[str, float], whole: int, along: Qt.Orientation) -> None:
        """Divide a length, px, among docks."""
        style = self._window.style()
        line = style.pixelMetric(QStyle.PixelMetric.PM_DockWidgetSeparatorExtent)
        unit = (whole - line * (len(shares) - 1)) / (sum(shares.values()) or 1.0)
        sizes = [max(1, round(unit * share)) for share in shares.values()]
        self._window.resizeDocks([self._docks[name] for name in shares], sizes, along)

    def _add_tabs(self, arrangement: Arrangement) -> bool:
        """Add new panels as tabs of those shown; return False if that does not suffice."""
        shown = self.read()
        if arrangement.only(shown.names).shape != shown.shape:
            return False
        if any(not set(place.names) & set(shown.names) for place in arrangement.places):
            return False
        for place in arrangement.places:
            leader = self._docks[next(name for name in place.names if name in shown.names)]
            for name in place.names:
                if name not in shown.names:
                    self._window.tabifyDockWidget(leader, self._docks[name])
                    self._docks[name].show()
        return True

    def _place_anew(self, arrangement: Arrangement) -> None:
        for name in arrangement.names:
            self._window.removeDockWidget(self._docks[name])
        for area, columns in arrangement.columns.items():
            first = self._docks[columns[0][0].names[0]]
            self._window.addDockWidget(SIDES[area], first)
            first.show()
            self._split([column[0] for column in columns], ACROSS)
            for column in columns:
                self._split(column, DOWN)
        # Tabs come last: if a dock that is a tab were split, Qt would only add another tab.
        for place in arrangement.places:
            for before, name in pairwise(place.names):
                self._window.tabifyDockWidget(self._docks[before], self._docks[name])
                self._docks[name].show()

    def _split(self, places: list[Place], along: Qt.Orientation) -> None:
        """Divide the place of the first dock among the first docks of all places."""
        for before, place in pairwise(places):
            dock = self._docks[place.names[0]]
            self._window.splitDockWidget(self._docks[before.names[0]], dock, along)
            dock.show()

    def _is_placed(self, dock: QDockWidget) -> bool:
        """Return whether Qt's own layout has a place for a dock."""
        return self._window.dockWidgetArea(dock) != Qt.DockWidgetArea.NoDockWidgetArea


def bring_forward(dock: QDockWidget) -> None:
    """Bring a dock in front of its tabs.

    Qt ignores ``raise_`` of the topmost widget, even if it is behind a tab: a dock that was raised
    while the window was hidden.
    """
    dock.lower()
    dock.raise_()


def _is_in_front(dock: QDockWidget) -> bool:
    """Return whether no tab hides a dock: Qt moves a dock behind others off the window."""
    place = dock.geometry()
    return place.right() >= 0 and place.bottom() >= 0


def _in_columns(placed: list[tuple[QRect, Place]]) -> list[Place]:
    """Return places in columns, which vertical lines separate, with their shares."""
    columns: list[list[tuple[QRect, Place]]] = []
    for rect, place in sorted(placed, key=lambda each: (each[0].left(), each[0].top())):
        if columns and rect.left() <= max(other.right() for other, _ in columns[-1]):
            columns[-1].append((rect, place))
        else:
            columns.append([(rect, place)])
    widths = [max(rect.width() for rect, _ in column) for column in columns]
    places = []
    for number, column in enumerate(columns):
        total = max(1, sum(rect.height() for rect, _ in column))
        width = widths[number] / max(1, sum(widths))
        places += [
            replace(place, column=number, width=width, height=rect.height() / total)
            for rect, place in sorted(column, key=lambda each: each[0].top())
        ]
    return places
