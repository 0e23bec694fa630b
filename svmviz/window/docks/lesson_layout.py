"""The layout of the docks during a lesson: its card in place of the settings, and its panels."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from PySide6.QtCore import QByteArray, QObject, Qt
from PySide6.QtWidgets import QDockWidget, QMainWindow

from svmviz.theme import active
from svmviz.window.docks.layout import DockLayout
from svmviz.window.docks.sizes import AREAS, DockSizes

# If the docks have at least this height, px at scale 1, panels are below the card. Otherwise they
# are at the left of the plane, so that card and panels are visible together.
MIN_STACK_HEIGHT = 760
# Height of the card above panels, as a fraction of the height.
CARD_SHARE = 0.6
# Minimum width of the plane beside a card and panels, px at scale 1. In a narrower window the
# panels are tabs beside the card.
MIN_PLANE = 330


class LessonLayout(QObject):
    """A layout of the docks for a lesson: all are hidden, except the card and its panels.

    Parameters
    ----------
    window : QMainWindow
    docks : mapping of str to QDockWidget
    sizes : DockSizes
    layout : DockLayout
        The usual layout, which is suspended during a lesson.
    card : str
        Name of the dock of the card.
    """

    def __init__(
        self,
        window: QMainWindow,
        docks: Mapping[str, QDockWidget],
        sizes: DockSizes,
        layout: DockLayout,
        card: str,
    ) -> None:
        super().__init__(window)
        self._window, self._docks, self._sizes, self._layout = window, docks, sizes, layout
        self._card = docks[card]
        # The arrangement of the docks before the lesson; None if there is no lesson.
        self._before: QByteArray | None = None
        self._shown: list[QDockWidget] = []

    def begin(self) -> None:
        """Put the card into the place of the settings; do nothing if it is there already."""
        if self._before is not None:
            return
        self._before = self._window.saveState()
        self._layout.is_suspended = True
        for dock in self._docks.values():
            if dock is not self._card and not dock.isFloating():
                dock.hide()
        self._card.setFloating(False)
        self._window.addDockWidget(AREAS["right"], self._card, Qt.Orientation.Vertical)
        self._card.show()
        self._card.raise_()
        self._share_width(self._card)

    def show_panels(self, names: Iterable[str]) -> None:
        """Show these panels beside the card; the last one is in front."""
        docks = [self._docks[name] for name in names]
        for dock in self._shown:
            if dock not in docks:
                dock.hide()
        is_high = self._layout.height >= active().metrics.px(MIN_STACK_HEIGHT)
        first: QDockWidget | None = None
        for dock in docks:
            if dock.isFloating():
                dock.show()
                continue
            if first is not None:
                self._window.tabifyDockWidget(first, dock)
            elif is_high:
                self._window.addDockWidget(AREAS["right"], dock, Qt.Orientation.Vertical)
            elif self._has_room:
                self._window.addDockWidget(AREAS["left"], dock)
            else:
                self._window.tabifyDockWidget(self._card, dock)
            first = first or dock
            dock.show()
            dock.raise_()
        if first is not None and is_high:
            high = round(CARD_SHARE * self._layout.height)
            heights = [high, self._layout.height - high]
            self._window.resizeDocks([self._card, first], heights, Qt.Orientation.Vertical)
        elif first is not None and self._has_room:
            self._share_width(first)
        elif docks:
            self._card.raise_()
        self._shown = docks
        self._share_width(self._card)

    def end(self) -> None:
        """Arrange the docks as they were before the lesson."""
        before, self._before, self._shown = self._before, None, []
        if before is None:
            return
        self._window.restoreState(before)
        self._layout.is_suspended = False
        self._layout.adapt()

    @property
    def _has_room(self) -> bool:
        """Whether the plane has its minimum width beside two columns of docks."""
        beside = 2 * self._sizes.width
        return self._window.width() - beside >= active().metrics.px(MIN_PLANE)

    def _share_width(self, dock: QDockWidget) -> None:
        self._window.resizeDocks([dock], [self._sizes.width], Qt.Orientation.Horizontal)
