"""Where docks stand: the first layout, how it adapts to the window, and the plane alone."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDockWidget, QMainWindow

from svmviz.panels.registry import FIRST, PANELS
from svmviz.theme import active
from svmviz.window.docks.settings_column import SettingsColumn
from svmviz.window.docks.sizes import AREAS, DockSizes
from svmviz.window.transport_place import Bottom

# Name of the dock that holds the settings.
SETTINGS = "settings"
# Lengths at scale 1, px. Less height than LOW, and settings and charts share one place; more than
# HIGH, and all settings are unfolded.
LOW, HIGH = 560, 950
# Less width than this, and all docks are hidden: the plane is what matters most.
NARROW = 760
# The first layout: settings over charts, all in one place, or all hidden.
SPLIT, PILED, AWAY = "split", "piled", "away"
# A chart is at least so high, and takes at most this share; what is opened later has the other.
CHART, SHARE, READING = 300, 0.42, 0.56


class DockLayout:
    """Places of the docks of one window.

    Parameters
    ----------
    window : QMainWindow
    docks : mapping of str to QDockWidget
        All docks by name.
    sizes : DockSizes
    column : SettingsColumn
        What the dock of the settings holds.
    bottom : Bottom
        Takes height from the docks while it is as wide as the window.
    """

    def __init__(
        self,
        window: QMainWindow,
        docks: Mapping[str, QDockWidget],
        sizes: DockSizes,
        column: SettingsColumn,
        bottom: Bottom,
    ) -> None:
        self._window = window
        self._docks = docks
        self._sizes = sizes
        self._column = column
        self._bottom = bottom
        self._settings = docks[SETTINGS]
        self._first = [docks[name] for name in FIRST]
        self._kind = ""
        # What was put away, and which of that was in front.
        self._hidden: list[QDockWidget] = []
        self._front: list[QDockWidget] = []
        # What stands at the bottom in a window that has room there.
        self._raised: list[QDockWidget] = []
        window.setCorner(Qt.Corner.BottomRightCorner, AREAS["right"])
        window.setCorner(Qt.Corner.BottomLeftCorner, AREAS["left"])
        # All in one place: what is opened later joins the others as a tab.
        self._pile(self._charts)
        self._pile(self._low)

    @property
    def _charts(self) -> list[QDockWidget]:
        """Docks of the panels that stand at the right, those of the first start first."""
        right = [name for name, spec in PANELS.items() if spec.area == "right"]
        return [self._docks[name] for name in sorted(right, key=lambda name: name not in FIRST)]

    @property
    def _low(self) -> list[QDockWidget]:
        """Docks of the panels that stand at the bottom."""
        return [self._docks[name] for name, spec in PANELS.items() if spec.area == "bottom"]

    @property
    def height(self) -> int:
        """Height of the room at the right, px."""
        window, bottom = self._window, self._bottom
        height = window.height() - window.menuBar().sizeHint().height()
        return height - bottom.sizeHint().height() * bottom.is_across

    @property
    def are_away(self) -> bool:
        """Whether nothing stands beside the plane."""
        docks = self._docks.values()
        return not any(not dock.isHidden() and not dock.isFloating() for dock in docks)

    def arrange(self) -> None:
        """Put everything in its first place, as suits the size of the window; once."""
        self._kind = self._fitting()
        self._column.fold(["data"] if self.height < active().metrics.px(HIGH) else [])
        if self._kind != SPLIT:
            # Before they are seen, or the window grows to hold them one above the other.
            self._raised = self._low
            self._pile([self._settings, *self._charts, *self._low])
        for dock in self._first:
            dock.show()
        if self._kind == SPLIT:
            self._pile(self._charts)
            self._first[0].raise_()
            self._share_height()
        else:
            self._settings.raise_()
        self._share_width()
        if self._kind == AWAY:
            self.put_away(True)

    def adapt(self) -> None:
        """Change the layout if the window or its type has another size; once it was arranged."""
        fitting, old = self._fitting(), self._kind
        if not old or fitting == old:
            self._kind = fitting if self._window.isVisible() else old
            return
        self._kind = fitting
        if old == AWAY and self.are_away:
            self.put_away(False)
        # What the user has put elsewhere stays there.
        if self._both_stand_right([self._settings, self._first[0]]):
            self._stack(fitting == SPLIT)
        if fitting == AWAY and not self.are_away:
            self.put_away(True)

    def put_away(self, away: bool) -> None:
        """Leave the plane alone in the window, or bring back what stood beside it."""
        if away:
            docks = self._docks.values()
            self._hidden = [d for d in docks if not d.isHidden() and not d.isFloating()]
            self._front = [d for d in self._hidden if not d.visibleRegion().isEmpty()]
            for dock in self._hidden:
                dock.hide()
            return
        for dock in self._hidden or [self._settings, *self._first]:
            dock.show()
        for dock in self._front or [self._settings]:
            dock.raise_()
        self._share_width()

    def give_room(self, dock: QDockWidget) -> None:
        """Give what is opened to be read its share, if it stands below the settings."""
        if dock in (self._settings, *self._first):
            return
        docks = [self._settings, dock]
        below = dock not in self._window.tabifiedDockWidgets(self._settings)
        height = self.height
        rest = height - int(READING * height)
        if below and self._settings.height() > rest and self._both_stand_right(docks):
            self._window.resizeDocks(docks, [rest, height - rest], Qt.Orientation.Vertical)

    def _stack(self, split: bool) -> None:
        """Put the settings above the charts, or all of them in one place."""
        chart = self._first[0]
        piled = self._settings in self._window.tabifiedDockWidgets(chart)
        if piled and split:
            # Splitting would only add a tab, as long as both are in one place.
            self._window.addDockWidget(AREAS["right"], chart, Qt.Orientation.Vertical)
            for dock in self._raised:
                if self._window.dockWidgetArea(dock) == AREAS["right"] and not dock.isFloating():
                    self._window.addDockWidget(AREAS["bottom"], dock)
            self._raised = []
            self._pile(self._charts)
            chart.raise_()
            self._share_height()
        elif not (piled or split):
            areas = self._window.dockWidgetArea
            low = [d for d in self._low if areas(d) == AREAS["bottom"] and not d.isFloating()]
            self._raised = low
            self._pile([self._settings, *self._charts, *low])
            self._settings.raise_()

    def _fitting(self) -> str:
        px = active().metrics.px
        if self._window.width() < px(NARROW):
            return AWAY
        return PILED if self.height < px(LOW) else SPLIT

    def _share_width(self) -> None:
        width = self._sizes.width
        self._window.resizeDocks([self._settings], [width], Qt.Orientation.Horizontal)

    def _share_height(self) -> None:
        """Give the charts what the settings leave, and at least what a chart needs."""
        height, px = self.height, active().metrics.px
        spare = height - self._column.minimumSizeHint().height() - px(40)
        chart = max(px(CHART), min(spare, int(SHARE * height)))
        docks = [self._settings, self._first[0]]
        self._window.resizeDocks(docks, [height - chart, chart], Qt.Orientation.Vertical)

    def _both_stand_right(self, docks: list[QDockWidget]) -> bool:
        return all(self._sizes.stands(dock, AREAS["right"]) for dock in docks)

    def _pile(self, docks: list[QDockWidget]) -> None:
        for one, other in pairwise(docks):
            self._window.tabifyDockWidget(one, other)
