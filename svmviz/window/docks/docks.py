"""The docks around the plane: one for the settings, and one for each registered panel."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QApplication, QMainWindow, QWidget

from svmviz.panels.panel_spec import PanelSpec
from svmviz.panels.registry import LESSON, PANELS, SETTINGS_SPEC, views_of
from svmviz.stage.stage import Stage
from svmviz.theme import active
from svmviz.widgets.needs import allow, lacks_of
from svmviz.widgets.plain_text import set_tip
from svmviz.widgets.scroller import Scroller
from svmviz.widgets.tab_order import give_focus
from svmviz.window.bottom_bar import BottomBar
from svmviz.window.docks.dock_title import DockTitle
from svmviz.window.docks.panel_dock import PanelDock
from svmviz.window.docks.panel_on_demand import PanelFiller
from svmviz.window.docks.settings_column import SettingsColumn
from svmviz.window.docks.view_row import ViewRow
from svmviz.window.layouts.layout import COMPARE, EXPLAIN
from svmviz.window.layouts.layouts import Layouts

# Below this height of the docks, px at scale 1, the data are folded at the first start.
MIN_UNFOLDED_HEIGHT = 950


class Audience(Protocol):
    """What shows panels in place of a window that a presentation hides."""

    @property
    def panels(self) -> list[str]:
        """Names of the panels in sight."""
        ...

    def open_panel(self, name: str) -> QWidget | None:
        """Show a panel, and return it."""
        ...

    def show_stop(self, names: Sequence[str]) -> None:
        """Show the last one of these panels, as a stop of a lecture asks; without any, none."""
        ...


class Docks(QObject):
    """Docks by name, with their titles and the actions that show and hide them.

    Parameters
    ----------
    window : QMainWindow
    stage : Stage
    bottom : BottomBar
        The bar below the plane. While it is as wide as the window, the docks end above it.

    Attributes
    ----------
    docks : dict of str to PanelDock
    column : SettingsColumn
    make_settings : callable() -> SettingsColumn
        Makes another column of settings, for a presentation.
    elsewhere : Audience or None
        The presentation that hides the window.
    layouts : Layouts

    Signals
    -------
    moved
        Docks were shown, hidden or moved; emitted once per turn of the event loop, after the moves.
    left
        A key has closed the panel with the focus, or Esc has left it.
    refused(str)
        The key of a panel that does not fit the document was pressed: a sentence that says why.
    """

    moved = Signal()
    left = Signal()
    refused = Signal(str)

    def __init__(self, window: QMainWindow, stage: Stage, bottom: BottomBar) -> None:
        super().__init__(window)
        self._window = window
        self._stage = stage
        self._lanes = len(stage.session.document.methods)
        self._is_split = False
        # Emits ``moved`` in the next turn of the event loop.
        self._move_timer = QTimer(self, singleShot=True, interval=0)
        self._move_timer.timeout.connect(self.moved)
        self.docks: dict[str, PanelDock] = {}
        # Actions with the keys of the panels that do not fit, whose own actions are disabled.
        self._refusals: dict[str, QAction] = {}
        self._specs: dict[str, PanelSpec] = {}
        self.column = SettingsColumn(stage)
        self.make_settings: Callable[[], QWidget] = lambda: SettingsColumn(stage)
        self.elsewhere: Audience | None = None
        self.settings = self._add(SETTINGS_SPEC, Scroller(self.column))
        for spec in (*PANELS.values(), LESSON):
            self._add(spec)
        self.layouts = Layouts(window, self.docks, stage, bottom)
        # The folded cards of the settings in each layout, and the layout that is present.
        self._folds: dict[str, list[str]] = {}
        self._layout = self.layouts.present
        self.layouts.changed.connect(lambda: self.fold(self.folds))
        self.docks["race"].installEventFilter(self)
        self._filler = PanelFiller(window, stage, self.docks, self.layouts)
        stage.session.document_changed.connect(self._update_toggles)
        self._update_toggles()

    @property
    def toggles(self) -> dict[str, QAction]:
        """Menu entries that show and hide a dock, by the names of the panels."""
        return {name: dock.toggleViewAction() for name, dock in self.docks.items()}

    def go_to(self, name: str) -> None:
        """Show a panel and give it the focus; if it has the focus, close it."""
        dock = self.docks[name]
        if dock.has_focus:
            dock.close()
            self.left.emit()
        else:
            self.show(name)
            dock.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def show(self, name: str) -> None:
        """Bring a panel to the front; while a presentation hides the window, show it there."""
        if self.elsewhere is not None:
            self.elsewhere.open_panel(name)
            return
        self.layouts.open(name)
        # Qt says only later that a tab is visible.
        self._make_title(self._specs[name])
        self._announce_later()

    def refuse(self, name: str) -> None:
        """Say why a panel does not fit the document."""
        dock = self.docks[name]
        lacks = lacks_of(dock.toggleViewAction())
        self.refused.emit(f"The panel {dock.windowTitle()} needs {lacks}.")

    def show_settings(self) -> SettingsColumn:
        """Show the settings, and return their column; a presentation has one of its own."""
        elsewhere = self.elsewhere
        shown = None if elsewhere is None else elsewhere.open_panel(SETTINGS_SPEC.name)
        if isinstance(shown, SettingsColumn):
            return shown
        self.show(SETTINGS_SPEC.name)
        return self.column

    @property
    def folds(self) -> dict[str, list[str]]:
        """The names of the folded cards of the settings, by layout."""
        return self._folds | {self._layout.name: self.column.folded}

    def fold(self, folds: Any) -> None:
        """Fold cards of the settings, by layout; without an entry, as at the first start."""
        self._folds = folds if isinstance(folds, dict) else {}
        self._layout = self.layouts.present
        is_low = self.layouts.height < active().metrics.px(MIN_UNFOLDED_HEIGHT)
        names = self._folds.get(self._layout.name)
        usual = ["data"] if is_low else []
        self.column.fold(names if isinstance(names, list) else usual)

    def reset(self, every: bool = False) -> None:
        """Arrange the present layout as at the first start, or ``every`` layout."""
        others = {n: names for n, names in self._folds.items() if n != self._layout.name}
        if every:
            self.layouts.reset_all()
            self.column.close_mores()
        else:
            self.layouts.reset()
        self.fold({} if every else others)

    def explain(self, on: bool) -> None:
        """Show the panels that explain a step, or what was there before."""
        if on:
            # The stops of a lecture stay beside what explains one of them.
            stops = (LESSON.name,) if self._stage.lecture.is_open else ()
            self.layouts.bring(EXPLAIN, "explain", stops)
        else:
            self.layouts.leave("explain")

    def _add(self, spec: PanelSpec, content: QWidget | None = None) -> PanelDock:
        dock = PanelDock(spec.title, self._window)
        dock.setObjectName(f"dock-{spec.name}")
        if content is not None:
            dock.setWidget(content)
        dock.hide()
        # Qt's action shows the dock, but `Layouts` knows where.
        action = dock.toggleViewAction()
        action.triggered.connect(lambda on: self.show(spec.name) if on else None)
        action.setShortcuts([QKeySequence(f"P, {spec.key}")] if spec.key else [])
        action.installEventFilter(self)
        self._refusals[spec.name] = refusal = QAction(self._window)
        refusal.triggered.connect(lambda: self.refuse(spec.name))
        self._window.addAction(refusal)
        # Pages of the help are read when they are needed: all of them take 50 ms of a start.
        action.hovered.connect(lambda: self._say_what(spec, action))
        dock.left.connect(self.left)
        self.docks[spec.name], self._specs[spec.name] = dock, spec
        dock.dockLocationChanged.connect(self._announce_later)
        dock.visibilityChanged.connect(lambda on: on and self._on_front(spec))
        dock.visibilityChanged.connect(self._announce_later)
        return dock

    @staticmethod
    def _say_what(spec: PanelSpec, toggle: QAction) -> None:
        """Give the menu entry of a panel its tooltip."""
        if toggle.isEnabled():
            set_tip(toggle, spec.help)

    def _announce_later(self) -> None:
        """Emit ``moved`` later: one new arrangement of the docks causes dozens of Qt's signals."""
        self._move_timer.start()

    def _on_front(self, spec: PanelSpec) -> None:
        self.layouts.touch(spec.name)
        self._make_title(spec)

    def _make_title(self, spec: PanelSpec) -> None:
        """Make the title of a dock when the dock is first shown, to shorten the start."""
        dock = self.docks[spec.name]
        if not isinstance(dock.titleBarWidget(), DockTitle):
            title = DockTitle(dock)
            dock.setAccessibleDescription(spec.help)
            # Only the title has the tooltip. A tooltip of the dock would cover the chart below the
            # mouse.
            set_tip(title, spec.help)
            explain = self._stage.lesson.concept_requested.emit
            title.help.clicked.connect(lambda: explain(f"panel:{spec.name}"))
            if len(views_of(spec.name)) > 1:
                row = ViewRow(spec.name, self._stage.session.document, title)
                row.chosen.connect(lambda view: self._show_view(view, row))
                title.set_views(row)
            dock.setTitleBarWidget(title)

    def _show_view(self, name: str, row: ViewRow) -> None:
        """Show another view of a panel; a focus in the row of views moves with it."""
        focused = QApplication.focusWidget()
        has_focus = focused is not None and row.isAncestorOf(focused)
        self.show(name)
        title = self.docks[name].titleBarWidget()
        if has_focus and isinstance(title, DockTitle) and title.views is not None:
            button = title.views.button(name)
            # Later, because an arrow key has not yet given the focus to the button of the old row.
            QTimer.singleShot(0, button, lambda: give_focus(button))

    def _update_toggles(self) -> None:
        """Enable the panels that fit the document; show the panel of a new race or split."""
        document = self._stage.session.document
        for spec in PANELS.values():
            fits = spec.fits(document)
            self.docks[spec.name].setWindowTitle(spec.title_for(document))
            action = self.docks[spec.name].toggleViewAction()
            allow(action, fits, "", spec.needs_for(document))
            self._refusals[spec.name].setShortcuts([] if fits else action.shortcuts())
            title = self.docks[spec.name].titleBarWidget()
            if isinstance(title, DockTitle) and title.views is not None:
                title.views.fit(document)
        self._show_race(len(document.methods))
        self._show_split(document.held_out is not None)

    def _show_split(self, is_split: bool) -> None:
        """Open the panel of a new split, and close it again when there is none any more."""
        # A user who has the Model choice panel in sight made the split there, and works on there.
        goes_on = not self.docks["model-choice"].visibleRegion().isEmpty()
        if is_split and not self._is_split and self.layouts.may_open and not goes_on:
            self.layouts.bring(None, "split", ("split",))
        elif not is_split:
            self.layouts.leave("split")
        self._is_split = is_split

    def _show_race(self, lanes: int) -> None:
        """Bring the layout of a race when it begins, and take it away when it ends."""
        if lanes > 1 and self._lanes == 1 and self.layouts.may_open:
            self.layouts.bring(COMPARE, "race")
            self.show("race")
        elif lanes == 1 and self._lanes > 1:
            self.layouts.leave("race")
            if self.layouts.present is not COMPARE:
                self.docks["race"].hide()
        self._lanes = lanes

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        # The user has closed the race panel by its title or the menu.
        if event.type() == QEvent.Type.Close and watched is self.docks["race"]:
            self._stage.end_race()
        if event.type() == QEvent.Type.Shortcut:
            # A click on the menu entry shows or hides the panel; its key also gives it the focus.
            names = [name for name, action in self.toggles.items() if action is watched]
            self.go_to(names[0])
            return True
        return super().eventFilter(watched, event)
