"""The panels around the plane: docks made from the registry of panels, in a first layout."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QDockWidget, QWidget

from svmviz.panels.registry import PANELS, PanelSpec
from svmviz.stage.stage import Stage
from svmviz.theme import active
from svmviz.widgets.scroller import Scroller
from svmviz.window.docks.dock_title import DockTitle
from svmviz.window.docks.holder import Holder
from svmviz.window.docks.settings_column import SettingsColumn
from svmviz.window.help.help_popup import HelpPopup

if TYPE_CHECKING:
    from svmviz.window.main import MainWindow

AREAS = {
    "left": Qt.DockWidgetArea.LeftDockWidgetArea,
    "right": Qt.DockWidgetArea.RightDockWidgetArea,
    "bottom": Qt.DockWidgetArea.BottomDockWidgetArea,
}
# Shown at the first start; the others wait in the menu.
FIRST = ("alpha", "objective", "model")
# Lengths at scale 1, in px: width of the docks at the right, height of those at the bottom.
WIDTH, WIDEST, BOTTOM = 320, 400, 250
# Less height than this, and settings and charts share one place; more than the other, and all
# settings are unfolded.
LOW, HIGH = 560, 950
# Less width than this, and all of them are put away: the plane is what a room has come to see.
NARROW = 760
# How the first layout stands: settings over charts, all in one place, or all put away.
SPLIT, PILED, AWAY = "split", "piled", "away"
SETTINGS = PanelSpec(
    "settings",
    "Settings",
    "What is solved, and how. A kernel says how alike two points are; C says what a point costs "
    "that is inside the margin or on the wrong side. Change anything, and it is solved again. "
    "The “?” of a card opens the page of its kernel or method.",
    "right",
    lambda stage: SettingsColumn(stage),
    lambda document: True,
    formula=(
        r"\min_{w, b}\ \frac{1}{2} \|w\|^2 + C \sum_i \max\left(0,\ 1 - y_i f(x_i)\right)",
        r"f(x) = \sum_i \alpha_i y_i\, k(x_i, x) + b",
    ),
)
# Docks, and how wide or how high each is, px.
DockSizes = list[tuple[QDockWidget, int, Qt.Orientation]]
# Between two looks whether the window has come to the screen, ms.
UNSEEN = 15
# A chart is at least so high, and takes at most this share; what is opened later has the other.
CHART, SHARE, READING = 300, 0.42, 0.56


class Docks(QObject):
    """One dock for the settings, and one for each registered panel, made when first shown.

    Signals
    -------
    moved : a dock was shown, hidden, or put elsewhere
    """

    moved = Signal()

    def __init__(self, window: MainWindow, stage: Stage) -> None:
        super().__init__(window)
        self._window = window
        self._stage = stage
        self.docks: dict[str, QDockWidget] = {}
        self._layout = ""
        self._looking = False
        self._lanes = len(stage.session.document.methods)
        # What was put away, and which of that was in front.
        self._hidden: list[QDockWidget] = []
        self._front: list[QDockWidget] = []
        # What stands at the bottom in a window that has room there.
        self._raised: list[QDockWidget] = []
        self.column = SettingsColumn(stage)
        self.column.open_requested.connect(window.files.ask_open)
        self.column.table_requested.connect(lambda: self.show("table"))
        self.column.help_requested.connect(window.show_help)
        self.settings = self._dock(SETTINGS, Scroller(self.column))
        window.setCorner(Qt.Corner.BottomRightCorner, AREAS["right"])
        window.setCorner(Qt.Corner.BottomLeftCorner, AREAS["left"])
        for spec in PANELS.values():
            self._add(spec)
        # All in one place: what is opened later joins the others as a tab.
        self._pile(self._charts)
        self._pile(self._low)
        stage.session.document_changed.connect(self._offer)
        window.menus.panels.setToolTipsVisible(True)
        self._offer()

    @property
    def _charts(self) -> list[QDockWidget]:
        """Docks of the panels that stand at the right, those of the first start first."""
        right = [name for name, spec in PANELS.items() if spec.area == "right"]
        return [self.docks[name] for name in sorted(right, key=lambda name: name not in FIRST)]

    @property
    def _low(self) -> list[QDockWidget]:
        """Docks of the panels that stand at the bottom."""
        return [self.docks[name] for name, spec in PANELS.items() if spec.area == "bottom"]

    @property
    def beside(self) -> int:
        """Width that the docks to the left and to the right of the plane need, px."""
        needed: dict[Qt.DockWidgetArea, int] = {}
        for dock in self.docks.values():
            if not dock.isHidden() and not dock.isFloating():
                area, width = self._window.dockWidgetArea(dock), dock.minimumSizeHint().width()
                needed[area] = max(self.width, width, needed.get(area, 0))
        return needed.get(AREAS["left"], 0) + needed.get(AREAS["right"], 0)

    @property
    def width(self) -> int:
        """Width that the docks at the right are given at first, px."""
        px = active().metrics.px
        return min(max(px(WIDTH), int(0.22 * self._window.width())), px(WIDEST))

    def show(self, name: str) -> None:
        """Bring a panel to the front."""
        dock = self.docks[name]
        dock.show()
        dock.raise_()
        if name not in (SETTINGS.name, *FIRST):
            self._give_room(dock)

    def arrange(self) -> None:
        """Put everything in its first place, as suits the size of the window; once."""
        self._layout = self._fitting()
        self.column.fold(["data"] if self._height() < active().metrics.px(HIGH) else [])
        first = [self.docks[name] for name in FIRST]
        if self._layout != SPLIT:
            # Before they are seen, or the window grows to hold them one above the other.
            self._raised = self._low
            self._pile([self.settings, *self._charts, *self._low])
        for dock in first:
            dock.show()
        if self._layout == SPLIT:
            self._pile(self._charts)
            first[0].raise_()
            self._share_height()
        else:
            self.settings.raise_()
        self._window.resizeDocks([self.settings], [self.width], Qt.Orientation.Horizontal)
        if self._layout == AWAY:
            self.put_away(True)

    def adapt(self) -> None:
        """Change the layout where the window or its type is another size; once it was arranged."""
        fitting, old = self._fitting(), self._layout
        if not old or fitting == old:
            self._layout = fitting if self._window.isVisible() else old
            return
        self._layout = fitting
        if old == AWAY and self.are_away:
            self.put_away(False)
        first = [self.docks[name] for name in FIRST]
        # What a hand has put elsewhere stays there.
        if self._both_stand_right([self.settings, first[0]]):
            self._stack(first, fitting == SPLIT)
        if fitting == AWAY and not self.are_away:
            self.put_away(True)

    def _stack(self, first: list[QDockWidget], split: bool) -> None:
        """Put the settings above the charts, or all of them in one place."""
        piled = self.settings in self._window.tabifiedDockWidgets(first[0])
        if piled and split:
            # Splitting would only add a tab, as long as both are in one place.
            self._window.addDockWidget(AREAS["right"], first[0], Qt.Orientation.Vertical)
            for dock in self._raised:
                if self._window.dockWidgetArea(dock) == AREAS["right"] and not dock.isFloating():
                    self._window.addDockWidget(AREAS["bottom"], dock)
            self._raised = []
            self._pile(self._charts)
            first[0].raise_()
            self._share_height()
        elif not (piled or split):
            areas = self._window.dockWidgetArea
            low = [d for d in self._low if areas(d) == AREAS["bottom"] and not d.isFloating()]
            self._raised = low
            self._pile([self.settings, *self._charts, *low])
            self.settings.raise_()

    @property
    def are_away(self) -> bool:
        """Whether nothing stands beside the plane."""
        return not any(not dock.isHidden() and not dock.isFloating() for dock in self._all())

    def put_away(self, away: bool) -> None:
        """Leave the plane alone in the window, or bring back what stood beside it."""
        if away:
            self._hidden = [d for d in self._all() if not d.isHidden() and not d.isFloating()]
            self._front = [d for d in self._hidden if not d.visibleRegion().isEmpty()]
            for dock in self._hidden:
                dock.hide()
            return
        back = self._hidden or [self.settings, *(self.docks[name] for name in FIRST)]
        for dock in back:
            dock.show()
        for dock in self._front or [self.settings]:
            dock.raise_()
        self._window.resizeDocks([self.settings], [self.width], Qt.Orientation.Horizontal)

    def _all(self) -> list[QDockWidget]:
        return list(self.docks.values())

    def _height(self) -> int:
        """Height of the room at the right, px."""
        window = self._window
        height = window.height() - window.menuBar().sizeHint().height()
        return height - window.bottom.sizeHint().height() * window.bottom.is_across

    def _fitting(self) -> str:
        px = active().metrics.px
        if self._window.width() < px(NARROW):
            return AWAY
        return PILED if self._height() < px(LOW) else SPLIT

    def _share_height(self) -> None:
        """Give the charts what the settings leave, and at least what a chart needs."""
        height, px = self._height(), active().metrics.px
        spare = height - self.column.minimumSizeHint().height() - px(40)
        chart = max(px(CHART), min(spare, int(SHARE * height)))
        docks = [self.settings, self.docks[FIRST[0]]]
        self._window.resizeDocks(docks, [height - chart, chart], Qt.Orientation.Vertical)

    def _give_room(self, dock: QDockWidget) -> None:
        """Give what is opened to be read its share, where it stands below the settings."""
        docks = [self.settings, dock]
        below = dock not in self._window.tabifiedDockWidgets(self.settings)
        height = self._height()
        rest = height - int(READING * height)
        if below and self.settings.height() > rest and self._both_stand_right(docks):
            self._window.resizeDocks(docks, [rest, height - rest], Qt.Orientation.Vertical)

    def _both_stand_right(self, docks: list[QDockWidget]) -> bool:
        return all(self._stands(dock, AREAS["right"]) for dock in docks)

    def _pile(self, docks: list[QDockWidget]) -> None:
        for one, other in pairwise(docks):
            self._window.tabifyDockWidget(one, other)

    def sizes(self) -> DockSizes:
        """Widths of what stands beside the plane, and the height of what stands below it."""
        found: DockSizes = []
        for area, orientation in (
            (AREAS["left"], Qt.Orientation.Horizontal),
            (AREAS["right"], Qt.Orientation.Horizontal),
            (AREAS["bottom"], Qt.Orientation.Vertical),
        ):
            across = orientation == Qt.Orientation.Horizontal
            for dock in [dock for dock in self.docks.values() if self._stands(dock, area)][:1]:
                found.append((dock, dock.width() if across else dock.height(), orientation))
        return found

    def rescale(self, sizes: DockSizes, factor: float) -> None:
        """Keep widths and heights, as :meth:`sizes` has found them, in proportion to the type."""
        for dock, side, orientation in sizes:
            self._window.resizeDocks([dock], [round(factor * side)], orientation)

    def _stands(self, dock: QDockWidget, area: Qt.DockWidgetArea) -> bool:
        shown = not (dock.isHidden() or dock.isFloating())
        return shown and self._window.dockWidgetArea(dock) == area

    def _add(self, spec: PanelSpec) -> None:
        dock = self._dock(spec, None)
        dock.visibilityChanged.connect(self._look_later)
        dock.hide()

    def _dock(self, spec: PanelSpec, widget: QWidget | None) -> QDockWidget:
        dock = QDockWidget(spec.title, self._window)
        dock.setObjectName(f"dock-{spec.name}")
        if widget is not None:
            dock.setWidget(widget)
        self._window.addDockWidget(AREAS[spec.area], dock)
        self._window.menus.panels.addAction(dock.toggleViewAction())
        # Qt shows it, but in a pile behind the others.
        dock.toggleViewAction().triggered.connect(lambda on: self.show(spec.name) if on else None)
        self.docks[spec.name] = dock
        dock.dockLocationChanged.connect(self.moved)
        dock.topLevelChanged.connect(self.moved)
        dock.visibilityChanged.connect(lambda on: on and self._give_title(spec))
        dock.visibilityChanged.connect(self.moved)
        return dock

    def _give_title(self, spec: PanelSpec) -> None:
        """Make the title of a dock when it is first shown: a start needs few of them."""
        dock = self.docks[spec.name]
        if not isinstance(dock.titleBarWidget(), DockTitle):
            title = DockTitle(dock)
            # Not on the dock: over a picture a paragraph would hide what the mouse is there for.
            title.setToolTip(spec.help)
            title.help_requested.connect(lambda: self._explain(spec, title))
            dock.setTitleBarWidget(title)

    def _explain(self, spec: PanelSpec, title: DockTitle) -> None:
        """Show what a panel shows, below its "?"."""
        HelpPopup(spec.title, spec.help, spec.formula, self._window).show_below(title.help)

    def _look_later(self) -> None:
        """Look which panels are seen, once the docks have come to rest.

        While a pile is being laid out, each of its docks is in front for a moment.
        """
        if not self._looking:
            self._looking = True
            QTimer.singleShot(0, self, self._look)

    def _look(self) -> None:
        """Fill the docks that are seen; those behind other tabs rest."""
        handle = self._window.windowHandle()
        if self._window.isVisible() and not (handle and handle.isExposed()):
            # The first picture of the window does not wait for panels.
            QTimer.singleShot(UNSEEN, self, self._look)
            return
        self._looking = False
        for name, spec in PANELS.items():
            dock = self.docks[name]
            seen = not dock.visibleRegion().isEmpty()
            if seen:
                self._fill(spec)
            holder = dock.widget()
            if isinstance(holder, Holder):
                holder.panel.setVisible(seen)

    def _fill(self, spec: PanelSpec) -> None:
        """Make the panel of a dock when it is first seen, so that the start stays quick."""
        dock = self.docks[spec.name]
        if dock.widget() is None:
            panel = spec.make(self._stage)
            dock.setWidget(Holder(dock, lambda holder: Scroller(panel, spec.scrolls, holder)))
            if self._stands(dock, AREAS["bottom"]):
                room = min(active().metrics.px(BOTTOM), self._window.height() // 3)
                # Once it is laid out for the width it got; before, it may ask for more.
                vertical = Qt.Orientation.Vertical
                QTimer.singleShot(
                    0, dock, lambda: self._window.resizeDocks([dock], [room], vertical)
                )

    def _offer(self) -> None:
        """Only panels that fit the document can be opened."""
        for spec in PANELS.values():
            fits = spec.fits(self._stage.session.document)
            action = self.docks[spec.name].toggleViewAction()
            action.setEnabled(fits)
            action.setToolTip(spec.help if fits else f"It needs {spec.needs}.")
            if not fits:
                self.docks[spec.name].hide()
        lanes = len(self._stage.session.document.methods)
        if lanes > 1 and self._lanes == 1 and not self.are_away:
            self.show("race")
        self._lanes = lanes
