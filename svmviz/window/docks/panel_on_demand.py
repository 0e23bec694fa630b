"""Creation of panels when they are first visible, and hiding of panels behind other tabs."""

from __future__ import annotations

import logging
from collections.abc import Mapping

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QDockWidget, QMainWindow, QWidget

from svmviz.base.words import failure
from svmviz.panels.registry import LESSON, PANELS, panel_named
from svmviz.stage.stage import Stage
from svmviz.widgets.plain_text import Label
from svmviz.widgets.scroller import Scroller
from svmviz.window.docks.panel_holder import PanelHolder
from svmviz.window.layouts.layouts import Layouts

# Time between two checks whether the window is on the screen, ms.
SCREEN_CHECK_INTERVAL = 15
log = logging.getLogger(__name__)


class PanelFiller(QObject):
    """A maker of panels: each is made when its dock is first visible, to shorten the start.

    Parameters
    ----------
    window : QMainWindow
    stage : Stage
    docks : mapping of str to QDockWidget
        Has a dock for each panel and the lesson, and possibly others.
    layouts : Layouts
    """

    def __init__(
        self,
        window: QMainWindow,
        stage: Stage,
        docks: Mapping[str, QDockWidget],
        layouts: Layouts,
    ) -> None:
        super().__init__(window)
        self._window = window
        self._stage = stage
        self._docks = docks
        self._layouts = layouts
        layouts.changed.connect(self._make_brief)
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self._check)
        # Panels that are made, but not in their docks yet.
        self._waiting_panels: dict[str, QWidget] = {}
        self._names = (*PANELS, LESSON.name)
        for name in self._names:
            docks[name].visibilityChanged.connect(self._check_later)

    def _check_later(self) -> None:
        """Schedule a check for visible panels, after the layout is done.

        While tabs are laid out, each of their docks is in front for a moment.
        """
        if not self._timer.isActive():
            self._timer.start(0)

    def _check(self) -> None:
        """Hide the panels behind other tabs, and fill one of the visible docks that are empty."""
        handle = self._window.windowHandle()
        if self._window.isVisible() and not (handle and handle.isExposed()):
            # Panels are made after the first picture of the window is on the screen.
            self._timer.start(SCREEN_CHECK_INTERVAL)
            return
        is_visible = {name: not self._docks[name].visibleRegion().isEmpty() for name in self._names}
        for name, visible in is_visible.items():
            holder = self._docks[name].widget()
            if isinstance(holder, PanelHolder):
                holder.panel.setVisible(visible)
        empty = [
            name for name in self._names if is_visible[name] and self._docks[name].widget() is None
        ]
        if empty:
            self._fill(empty[0])
            self._check_later()

    def _fill(self, name: str) -> None:
        """Make the panel of a dock; in the next call, put it into the dock.

        Both steps together take more than 50 ms, so each has its own turn of the event loop.
        """
        dock, spec = self._docks[name], panel_named(name)
        panel = self._waiting_panels.pop(name, None)
        if panel is None:
            try:
                panel = spec.make(self._stage)
            except Exception as error:
                # A panel of another package may be faulty. The others are filled all the same.
                log.exception("The panel %s could not be made", name)
                panel = Label(failure("The panel could not be made", error), wraps=True)
            self._waiting_panels[name] = panel
            # If the window closes before the next turn, the panel is deleted with its dock.
            panel.setParent(dock)
            return
        # The panel is at most as wide as its column, so that the plane keeps its share.
        layouts = self._layouts
        holder = PanelHolder(
            dock,
            lambda holder: Scroller(panel, spec.scrolls, holder),
            lambda: layouts.max_column,
        )
        holder.set_brief(layouts.present.is_brief)
        dock.setWidget(holder)
        # Later, because a panel that does not know its width may ask for too much height.
        QTimer.singleShot(0, dock, layouts.resize)

    def _make_brief(self) -> None:
        """Let the panels leave out what others beside them show, or show it again."""
        for name in self._names:
            holder = self._docks[name].widget()
            if isinstance(holder, PanelHolder):
                holder.set_brief(self._layouts.present.is_brief)
