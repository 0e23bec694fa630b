"""The layout of the docks: the first one, its changes with the window's size, and hiding."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDockWidget, QMainWindow, QTabBar

from svmviz.panels.registry import INITIALLY_SHOWN, PANELS
from svmviz.theme import active
from svmviz.window.bottom_bar import BottomBar
from svmviz.window.docks.settings_column import SettingsColumn
from svmviz.window.docks.sizes import AREAS, DockSizes

# Name of the dock that holds the settings.
SETTINGS = "settings"
# Heights of the area of docks at the right, px at scale 1. The area has the settings and the panels
# of the right side, which are called charts here. Below MIN_SPLIT_HEIGHT, settings and charts are
# tabs of one area; from MIN_UNFOLDED_HEIGHT on, all settings are unfolded.
MIN_SPLIT_HEIGHT, MIN_UNFOLDED_HEIGHT = 700, 950
# Below this width of the window, px at scale 1, all docks are hidden to leave room for the plane.
MIN_DOCKS_WIDTH = 760
# A second column of docks opens only if the plane is then still at least this wide, px at scale 1.
MIN_PLANE = 780
# Kinds of layout: settings above charts, all docks as tabs of one area, or all docks hidden.
SPLIT, TABBED, HIDDEN = "split", "tabbed", "hidden"
# Limits of a chart's height while settings and charts share the area: the minimum, px at scale 1,
# and the maximum, as a fraction of the area's height. Then the height of a chart that is opened
# later, as such a fraction.
MIN_CHART_HEIGHT, MAX_CHART_FRACTION, OPENED_FRACTION = 300, 0.42, 0.56


class DockLayout:
    """The layout of the docks of one window.

    Parameters
    ----------
    window : QMainWindow
    docks : mapping of str to QDockWidget
        All docks by name.
    sizes : DockSizes
    column : SettingsColumn
        Content of the dock of the settings.
    bottom : BottomBar
        Reduces the height of the docks while it is as wide as the window.
    """

    def __init__(
        self,
        window: QMainWindow,
        docks: Mapping[str, QDockWidget],
        sizes: DockSizes,
        column: SettingsColumn,
        bottom: BottomBar,
    ) -> None:
        self._window = window
        self._docks = docks
        self._sizes = sizes
        self._column = column
        self._bottom = bottom
        self._settings = docks[SETTINGS]
        # Docks of the panels that are open at the first start; the first one is in front.
        self._first = [docks[name] for name in INITIALLY_SHOWN]
        # SPLIT, TABBED or HIDDEN; empty before `arrange`, or before `adapt` sees a restored layout.
        self._kind = ""
        # The docks that `set_hidden` has hidden, and those of them whose tabs were in front.
        self._hidden_docks: list[QDockWidget] = []
        self._front_docks: list[QDockWidget] = []
        # Docks that were moved from the bottom to the right. They return once the window is high
        # enough.
        self._from_bottom: list[QDockWidget] = []
        # The dock that was opened last. It stays in front in another layout.
        self._opened: QDockWidget | None = None
        # Whether `adapt` does nothing, as during a lesson.
        self.is_suspended = False
        window.setCorner(Qt.Corner.BottomRightCorner, AREAS["right"])
        window.setCorner(Qt.Corner.BottomLeftCorner, AREAS["left"])
        # Hidden docks are made tabs, so a panel that is opened later is a tab beside the open ones.
        self._tabify(self._charts)
        self._tabify(self._bottom_docks)

    @property
    def _charts(self) -> list[QDockWidget]:
        """Docks of the panels at the right; those that are open at the first start come first."""
        right = [name for name, spec in PANELS.items() if spec.area == "right"]
        right.sort(key=lambda name: name not in INITIALLY_SHOWN)
        return [self._docks[name] for name in right]

    @property
    def _bottom_docks(self) -> list[QDockWidget]:
        """Docks of the panels at the bottom."""
        return [self._docks[name] for name, spec in PANELS.items() if spec.area == "bottom"]

    @property
    def height(self) -> int:
        """Height of the area of docks at the right, px."""
        window, bottom, menus = self._window, self._bottom, self._window.menuBar()
        # In full screen the menu bar is hidden.
        height = window.height() - menus.sizeHint().height() * (not menus.isHidden())
        return height - bottom.sizeHint().height() * bottom.is_across

    @property
    def are_hidden(self) -> bool:
        """Whether the window shows no dock; floating docks do not count."""
        docks = self._docks.values()
        return not any(not dock.isHidden() and not dock.isFloating() for dock in docks)

    def arrange(self) -> None:
        """Make the first layout for the size of the window; called once, if none was restored."""
        self._kind = self._fitting_kind()
        self._column.fold(
            ["data"] if self.height < active().metrics.px(MIN_UNFOLDED_HEIGHT) else []
        )
        if self._kind != SPLIT:
            # Tabs are made before the docks are shown, because docks below each other would make
            # the window higher.
            self._from_bottom = self._bottom_docks
            self._tabify([self._settings, *self._charts, *self._bottom_docks])
        for dock in self._first:
            dock.show()
        if self._kind == SPLIT:
            self._tabify(self._charts)
            self._first[0].raise_()
            self._share_height()
        else:
            self._settings.raise_()
        self._share_width()
        if self._kind == HIDDEN:
            self.set_hidden(True)

    def adapt(self) -> None:
        """Adapt the layout to a new size of window or text; do nothing before the first show.

        If a layout of the last session was restored, the first call leaves it as it is.
        """
        if self.is_suspended:
            return
        fitting, old = self._fitting_kind(), self._kind
        if not old or fitting == old:
            self._kind = fitting if self._window.isVisible() else old
            return
        self._kind = fitting
        if old == HIDDEN and self.are_hidden:
            self.set_hidden(False)
        # Docks that the user has moved stay where they are.
        if self._are_docked_right([self._settings, self._first[0]]):
            self._stack(fitting == SPLIT)
        if fitting == HIDDEN and not self.are_hidden:
            self.set_hidden(True)

    def set_hidden(self, hidden: bool) -> None:
        """Hide all docks except the floating ones, or show again those that were hidden."""
        if hidden:
            docks = self._docks.values()
            self._hidden_docks = [d for d in docks if not d.isHidden() and not d.isFloating()]
            self._front_docks = [d for d in self._hidden_docks if not d.visibleRegion().isEmpty()]
            for dock in self._hidden_docks:
                dock.hide()
            return
        for dock in self._hidden_docks or [self._settings, *self._first]:
            dock.show()
        for dock in self._front_docks or [self._settings]:
            dock.raise_()
        self._share_width()

    def bring_to_front(self, dock: QDockWidget) -> None:
        """Show a dock in front of the other tabs of its area."""
        dock.show()
        dock.raise_()
        self._opened = dock

    def enlarge(self, dock: QDockWidget) -> None:
        """Give OPENED_FRACTION of the height to an opened dock, if it is below the settings."""
        if dock in (self._settings, *self._first):
            return
        docks = [self._settings, dock]
        is_below = dock not in self._window.tabifiedDockWidgets(self._settings)
        height = self.height
        settings_height = height - int(OPENED_FRACTION * height)
        if is_below and self._settings.height() > settings_height and self._are_docked_right(docks):
            heights = [settings_height, height - settings_height]
            self._window.resizeDocks(docks, heights, Qt.Orientation.Vertical)

    def spread_tabs(self, dock: QDockWidget) -> None:
        """Move a dock at the right into a second column if its tab bar cannot show all names."""
        bar = self._tab_bar_of(dock)
        if bar is None or not self._sizes.is_docked(dock, AREAS["right"]):
            return
        names_width = sum(bar.tabRect(tab).width() for tab in range(bar.count()))
        centre = self._window.centralWidget()
        room = (centre.width() if centre else 0) - self._sizes.width
        column = self._second_column()
        if names_width <= bar.width() or column is dock:
            return
        if column is not None and column not in self._window.tabifiedDockWidgets(dock):
            self._window.tabifyDockWidget(column, dock)
        elif room >= active().metrics.px(MIN_PLANE) and column is None:
            first_width, width = self._settings.width(), self._sizes.width
            self._window.addDockWidget(AREAS["right"], dock, Qt.Orientation.Horizontal)
            columns = [self._settings, dock]
            self._window.resizeDocks(columns, [first_width, width], Qt.Orientation.Horizontal)
        dock.raise_()
        # Apply the new widths now, because they determine where the next dock is placed.
        layout = self._window.layout()
        if layout is not None:
            layout.activate()

    def _tab_bar_of(self, dock: QDockWidget) -> QTabBar | None:
        """Return the tab bar with the name of a dock; None if the dock is no tab."""
        if not self._window.tabifiedDockWidgets(dock):
            return None
        for bar in self._window.findChildren(QTabBar):
            titles = [bar.tabText(tab) for tab in range(bar.count())]
            if bar.isVisible() and dock.windowTitle() in titles:
                return bar
        return None

    def _second_column(self) -> QDockWidget | None:
        """Return a visible dock of the second column at the right; None without such a column."""
        shown = [d.geometry() for d in (self._settings, *self._first) if d.isVisible()]
        edge = max((geometry.right() for geometry in shown), default=self._window.width())
        for dock in self._docks.values():
            if self._sizes.is_docked(dock, AREAS["right"]) and dock.x() > edge:
                return dock
        return None

    def _stack(self, split: bool) -> None:
        """If ``split``, put the settings above the charts; if not, make tabs of both.

        The dock that was opened last stays in front, if it is still in sight.
        """
        chart, opened = self._first[0], self._opened
        if opened is None or opened.visibleRegion().isEmpty():
            opened = None
        is_tabbed = self._settings in self._window.tabifiedDockWidgets(chart)
        if is_tabbed and split:
            # While both docks are tabs of one area, splitDockWidget would only add a tab.
            self._window.addDockWidget(AREAS["right"], chart, Qt.Orientation.Vertical)
            for dock in self._from_bottom:
                if self._window.dockWidgetArea(dock) == AREAS["right"] and not dock.isFloating():
                    self._window.addDockWidget(AREAS["bottom"], dock)
            self._from_bottom = []
            self._tabify(self._charts)
            (opened or chart).raise_()
            self._share_height()
        elif not (is_tabbed or split):
            areas = self._window.dockWidgetArea
            bottom = AREAS["bottom"]
            moved = [d for d in self._bottom_docks if areas(d) == bottom and not d.isFloating()]
            self._from_bottom = moved
            self._tabify([self._settings, *self._charts, *moved])
            (opened or self._settings).raise_()

    def _fitting_kind(self) -> str:
        """Return SPLIT, TABBED or HIDDEN for the current size of the window."""
        px = active().metrics.px
        if self._window.width() < px(MIN_DOCKS_WIDTH):
            return HIDDEN
        return TABBED if self.height < px(MIN_SPLIT_HEIGHT) else SPLIT

    def _share_width(self) -> None:
        width = self._sizes.width
        self._window.resizeDocks([self._settings], [width], Qt.Orientation.Horizontal)

    def _share_height(self) -> None:
        """Give the charts the height that the settings do not need, within the charts' limits."""
        height, px = self.height, active().metrics.px
        spare = height - self._column.minimumSizeHint().height() - px(40)
        chart = max(px(MIN_CHART_HEIGHT), min(spare, int(MAX_CHART_FRACTION * height)))
        docks = [self._settings, self._first[0]]
        self._window.resizeDocks(docks, [height - chart, chart], Qt.Orientation.Vertical)

    def _are_docked_right(self, docks: list[QDockWidget]) -> bool:
        return all(self._sizes.is_docked(dock, AREAS["right"]) for dock in docks)

    def _tabify(self, docks: list[QDockWidget]) -> None:
        for first, second in pairwise(docks):
            self._window.tabifyDockWidget(first, second)
