"""The panels around the plane: docks made from the registry of panels, in a first layout."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QDockWidget, QFrame, QScrollArea, QVBoxLayout, QWidget

from svmviz.panels.data_panel import DataPanel
from svmviz.panels.model_panel import ModelPanel
from svmviz.panels.registry import PANELS, PanelSpec
from svmviz.panels.solver_panel import SolverPanel
from svmviz.stage import Stage
from svmviz.theme import active
from svmviz.widgets.card import Card

if TYPE_CHECKING:
    from svmviz.window.main import MainWindow

AREAS = {
    "left": Qt.DockWidgetArea.LeftDockWidgetArea,
    "right": Qt.DockWidgetArea.RightDockWidgetArea,
    "bottom": Qt.DockWidgetArea.BottomDockWidgetArea,
}
# Shown at the first start; the others wait in the menu.
FIRST = ("alpha", "objective", "model")


class Docks(QObject):
    """One dock for the settings, and one for each registered panel, made when first shown."""

    def __init__(self, window: MainWindow, stage: Stage) -> None:
        super().__init__(window)
        self._window = window
        self._stage = stage
        self.docks: dict[str, QDockWidget] = {}
        self.settings = self._add_settings()
        for spec in PANELS.values():
            self._add(spec)
        self._arrange()
        stage.session.document_changed.connect(self._offer)

    def _add_settings(self) -> QDockWidget:
        data = DataPanel(self._stage)
        data.open_requested.connect(self._window.files.ask_open)
        data.table_requested.connect(lambda: self._show("table"))
        column = QWidget()
        layout = QVBoxLayout(column)
        space = active().metrics.space
        layout.setContentsMargins(space(2), space(2), space(2), space(2))
        layout.setSpacing(space(2))
        for title, panel in (
            ("Data", data),
            ("Kernel and penalty", ModelPanel(self._stage)),
            ("Solver", SolverPanel(self._stage)),
        ):
            card = Card(title)
            card.add(panel)
            layout.addWidget(card)
        layout.addStretch(1)
        area = QScrollArea()
        area.setWidget(column)
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        return self._dock("settings", "Settings", "right", area)

    def _add(self, spec: PanelSpec) -> None:
        dock = self._dock(spec.name, spec.title, spec.area, None)
        dock.setToolTip(spec.help)
        dock.visibilityChanged.connect(lambda on: on and self._fill(spec))
        dock.hide()

    def _dock(self, name: str, title: str, area: str, widget: QWidget | None) -> QDockWidget:
        dock = QDockWidget(title, self._window)
        dock.setObjectName(f"dock-{name}")
        if widget is not None:
            dock.setWidget(widget)
        self._window.addDockWidget(AREAS[area], dock)
        self._window.menus.panels.addAction(dock.toggleViewAction())
        self.docks[name] = dock
        return dock

    def _fill(self, spec: PanelSpec) -> None:
        """Make the panel of a dock when it is first seen, so that the start stays quick."""
        dock = self.docks[spec.name]
        if dock.widget() is None:
            dock.setWidget(spec.make(self._stage))

    def _arrange(self) -> None:
        first = [self.docks[name] for name in FIRST if name in self.docks]
        for one, other in zip(first, first[1:], strict=False):
            self._window.tabifyDockWidget(one, other)
        for dock in first:
            dock.show()
        if first:
            first[0].raise_()
            self._window.resizeDocks([self.settings, first[0]], [3, 2], Qt.Orientation.Vertical)
        px = active().metrics.px
        self._window.resizeDocks([self.settings], [px(320)], Qt.Orientation.Horizontal)

    def _offer(self) -> None:
        """Only panels that fit the document can be opened."""
        for spec in PANELS.values():
            fits = spec.fits(self._stage.session.document)
            action = self.docks[spec.name].toggleViewAction()
            action.setEnabled(fits)
            if not fits:
                self.docks[spec.name].hide()

    def _show(self, name: str) -> None:
        self.docks[name].show()
        self.docks[name].raise_()
