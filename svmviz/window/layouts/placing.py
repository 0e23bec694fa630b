"""Putting an arrangement on the docks of a window, and reading it back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import QApplication, QDockWidget, QMainWindow, QStyle, QWidget

from svmviz.panels.registry import views_of
from svmviz.window.layouts.arrangement import (
    Area,
    Arrangement,
    Part,
    Split,
    Tabs,
    leaves_of,
    names_of,
)

ACROSS, DOWN = Qt.Orientation.Horizontal, Qt.Orientation.Vertical
SIDES = {
    "left": Qt.DockWidgetArea.LeftDockWidgetArea,
    "right": Qt.DockWidgetArea.RightDockWidgetArea,
    "top": Qt.DockWidgetArea.TopDockWidgetArea,
    "bottom": Qt.DockWidgetArea.BottomDockWidgetArea,
}


class Placed(NamedTuple):
    """Tabs of a window, and the place of the dock in front."""

    tabs: Tabs
    place: QRect


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
        """Return whether a panel is shown inside the window."""
        dock = self._docks[name]
        is_shown = not (dock.isHidden() or dock.isFloating())
        return is_shown and self._is_placed(dock)

    def read(self) -> Arrangement:
        """Return the arrangement of the docks as they are now."""
        placed: dict[str, list[Placed]] = {}
        names = {dock: name for name, dock in self._docks.items() if self.is_docked(name)}
        for name, dock in self._docks.items():
            if dock not in names or not _is_in_front(dock):
                continue
            others = [names[other] for other in self._tabs_beside(dock) if other in names]
            side = self._window.dockWidgetArea(dock)
            key = next((key for key, area in SIDES.items() if area == side), None)
            if key is not None:
                order = [each for each in self._docks if each == name or each in others]
                placed.setdefault(key, []).append(Placed(Tabs(tuple(order), name), dock.geometry()))
        areas = {}
        for key in (key for key in SIDES if key in placed):
            box = placed[key][0].place
            for one in placed[key][1:]:
                box = box.united(one.place)
            is_beside = key in ("left", "right")
            side = box.width() if is_beside else box.height()
            whole = self._window.width() if is_beside else self._window.height()
            areas[key] = Area(_part_of(placed[key]), min(1.0, side / max(whole, 1)))
        return Arrangement(areas)

    def place(self, arrangement: Arrangement) -> None:
        """Show these panels in these places, and hide all others that do not float."""
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
        if focused is not None and focused is not QApplication.focusWidget():
            _give_back(focused)

    def resize(self, arrangement: Arrangement, sides: Mapping[str, int], height: int) -> None:
        """Give the areas these widths or heights, px, and their parts their shares of them.

        ``height`` is that of the areas beside the plane.
        """
        for key, area in arrangement.areas.items():
            across = key in ("left", "right")
            leader = self._docks[names_of(area.part)[0]]
            if isinstance(area.part, Tabs) or area.part.across != across:
                self._window.resizeDocks([leader], [sides[key]], ACROSS if across else DOWN)
            whole = (sides[key], height) if across else (self._window.width(), sides[key])
            self._share(area.part, *whole)

    def _share(self, part: Part, width: int, height: int) -> None:
        if isinstance(part, Tabs):
            return
        leaders = [self._docks[names_of(child)[0]] for child in part.parts]
        style = self._window.style()
        line = style.pixelMetric(QStyle.PixelMetric.PM_DockWidgetSeparatorExtent)
        whole = (width if part.across else height) - line * (len(leaders) - 1)
        sizes = [max(1, round(share * whole)) for share in part.shares]
        self._window.resizeDocks(leaders, sizes, ACROSS if part.across else DOWN)
        for child, size in zip(part.parts, sizes, strict=True):
            self._share(child, *((size, height) if part.across else (width, size)))

    def _add_tabs(self, arrangement: Arrangement) -> bool:
        """Add new panels as tabs of those shown; return False if that does not suffice."""
        shown = self.read()
        if arrangement.only(shown.names).shape != shown.shape:
            return False
        leaves = [leaf for area in arrangement.areas.values() for leaf in leaves_of(area.part)]
        if any(not set(leaf.names) & set(shown.names) for leaf in leaves):
            return False
        for leaf in leaves:
            leader = self._docks[next(name for name in leaf.names if name in shown.names)]
            for name in leaf.names:
                if name not in shown.names:
                    self._window.tabifyDockWidget(leader, self._docks[name])
                    self._docks[name].show()
        return True

    def _place_anew(self, arrangement: Arrangement) -> None:
        for name in arrangement.names:
            self._window.removeDockWidget(self._docks[name])
        for key, area in arrangement.areas.items():
            first = self._docks[names_of(area.part)[0]]
            self._window.addDockWidget(SIDES[key], first)
            first.show()
            self._split(area.part)
            # Tabs come last: if a dock that is a tab were split, Qt would only add another tab.
            for leaf in leaves_of(area.part):
                leader = self._docks[leaf.names[0]]
                for name in leaf.names[1:]:
                    self._window.tabifyDockWidget(leader, self._docks[name])
                    leader = self._docks[name]
                    leader.show()

    def _split(self, part: Part) -> None:
        """Divide the place of the first dock of a part among the first docks of its parts."""
        if isinstance(part, Tabs):
            return
        leaders = [self._docks[names_of(child)[0]] for child in part.parts]
        for before, dock in pairwise(leaders):
            self._window.splitDockWidget(before, dock, ACROSS if part.across else DOWN)
            dock.show()
        for child in part.parts:
            self._split(child)

    def _is_placed(self, dock: QDockWidget) -> bool:
        """Return whether Qt's own layout has a place for a dock."""
        return self._window.dockWidgetArea(dock) != Qt.DockWidgetArea.NoDockWidgetArea

    def _tabs_beside(self, dock: QDockWidget) -> Sequence[QDockWidget]:
        return self._window.tabifiedDockWidgets(dock)


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


def _part_of(placed: list[Placed]) -> Part:
    """Return the columns and rows in which tabs are placed."""
    if len(placed) == 1:
        return placed[0].tabs
    for across in (True, False):
        groups = _groups(placed, across)
        if len(groups) > 1:
            break
    else:
        # Docks that no line separates are not laid out yet.
        groups, across = [[one] for one in placed], False
    spans = [_span(group, across) for group in groups]
    total = max(1, sum(end - start for start, end in spans))
    shares = tuple((end - start) / total for start, end in spans)
    return Split(tuple(map(_part_of, groups)), shares, across)


def _groups(placed: list[Placed], across: bool) -> list[list[Placed]]:
    """Return groups of tabs that vertical lines separate if ``across``, else horizontal ones."""
    groups: list[list[Placed]] = []
    for one in sorted(placed, key=lambda one: _span([one], across)):
        if groups and _span([one], across)[0] < _span(groups[-1], across)[1]:
            groups[-1].append(one)
        else:
            groups.append([one])
    return groups


def _span(placed: list[Placed], across: bool) -> tuple[int, int]:
    places = [one.place for one in placed]
    if across:
        return min(p.left() for p in places), max(p.right() + 1 for p in places)
    return min(p.top() for p in places), max(p.bottom() + 1 for p in places)


def _give_back(focused: QWidget) -> None:
    """Give the focus back to a widget that lost it while its dock was moved."""
    if focused.isVisible():
        focused.setFocus(Qt.FocusReason.OtherFocusReason)


def is_place(value: Any) -> bool:
    """Return whether a stored value is the place of a dock that floats."""
    return isinstance(value, list) and len(value) == 4 and all(type(each) is int for each in value)
