"""Making panels when they are first seen; those behind other tabs rest."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtWidgets import QDockWidget, QMainWindow

from svmviz.panels.registry import PANELS, PanelSpec
from svmviz.stage.stage import Stage
from svmviz.theme import active
from svmviz.widgets.scroller import Scroller
from svmviz.window.docks.panel_holder import Holder
from svmviz.window.docks.sizes import AREAS, DockSizes

# Height that a panel at the bottom is given, at scale 1, px.
BOTTOM = 250
# Between two looks whether the window has come to the screen, ms.
UNSEEN = 15


class PanelFiller(QObject):
    """Fills the docks that are seen, so that the start stays quick.

    Parameters
    ----------
    window : QMainWindow
    stage : Stage
    docks : mapping of str to QDockWidget
        One for each registered panel, at least.
    sizes : DockSizes
    """

    def __init__(
        self,
        window: QMainWindow,
        stage: Stage,
        docks: Mapping[str, QDockWidget],
        sizes: DockSizes,
    ) -> None:
        super().__init__(window)
        self._window = window
        self._stage = stage
        self._docks = docks
        self._sizes = sizes
        self._looking = False
        for name in PANELS:
            docks[name].visibilityChanged.connect(self._look_later)

    def _look_later(self) -> None:
        """Look which panels are seen, once the docks have come to rest.

        While a pile is being laid out, each of its docks is in front for a moment.
        """
        if not self._looking:
            self._looking = True
            QTimer.singleShot(0, self, self._look)

    def _look(self) -> None:
        """Fill the docks that are seen, and hide the panels of the others."""
        handle = self._window.windowHandle()
        if self._window.isVisible() and not (handle and handle.isExposed()):
            # The first picture of the window does not wait for panels.
            QTimer.singleShot(UNSEEN, self, self._look)
            return
        self._looking = False
        for name, spec in PANELS.items():
            dock = self._docks[name]
            seen = not dock.visibleRegion().isEmpty()
            if seen and dock.widget() is None:
                self._fill(dock, spec)
            holder = dock.widget()
            if isinstance(holder, Holder):
                holder.panel.setVisible(seen)

    def _fill(self, dock: QDockWidget, spec: PanelSpec) -> None:
        panel = spec.make(self._stage)
        dock.setWidget(Holder(dock, lambda holder: Scroller(panel, spec.scrolls, holder)))
        if self._sizes.stands(dock, AREAS["bottom"]):
            room = min(active().metrics.px(BOTTOM), self._window.height() // 3)
            # Once it is laid out for the width it got; before, it may ask for more.
            vertical = Qt.Orientation.Vertical
            QTimer.singleShot(0, dock, lambda: self._window.resizeDocks([dock], [room], vertical))
