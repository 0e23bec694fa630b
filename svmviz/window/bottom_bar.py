"""The transport (play buttons and timeline) and the narrator (the sentence of the step).

Both are below the plane. If the plane is too narrow for them, they are below plane and
docks, as wide as the window.
"""

from __future__ import annotations

from PySide6.QtWidgets import QMainWindow, QStatusBar

from svmviz.lessons.shows import RUN
from svmviz.panels.controls.transport.narrator import Narrator
from svmviz.panels.controls.transport.transport import Transport
from svmviz.stage.stage import Stage
from svmviz.widgets.column import Column


class BottomBar(Column):
    """The transport and the narrator, below the plane or below plane and docks.

    On a projector with few pixels and large text, the transport needs the width of the window.

    Parameters
    ----------
    window : QMainWindow
    centre : Column
        The central widget, with the plane in it.
    stage : Stage
    """

    def __init__(self, window: QMainWindow, centre: Column, stage: Stage) -> None:
        super().__init__(gap=0.0)
        self.transport, self.narrator = self.add(Transport(stage)), self.add(Narrator(stage))
        # A lesson may hide the run; the plane keeps its place.
        keeps_place = self.transport.sizePolicy()
        keeps_place.setRetainSizeWhenHidden(True)
        self.transport.setSizePolicy(keeps_place)
        view = stage.view
        view.hiding_changed.connect(lambda: self.transport.setVisible(RUN not in view.hidden))
        self._window, self._centre = window, centre
        self._bar: QStatusBar | None = None
        centre.add(self)

    @property
    def is_across(self) -> bool:
        """Whether the bar is as wide as the window."""
        return self._bar is not None

    def place(self, width_beside: int, is_across: bool = False) -> None:
        """Put the bar below the plane, or below plane and docks if the plane is too narrow.

        Parameters
        ----------
        width_beside : int
            The width of the toolbar and of the docks beside the plane, px.
        is_across : bool
            Whether to put the bar below plane and docks in any case.
        """
        across = is_across or self._window.width() < width_beside + self.transport.min_width
        if across == self.is_across:
            return
        if across:
            # Besides toolbars, the status bar is the only area of a QMainWindow that is as wide as
            # the window, whatever docks there are.
            self._bar = QStatusBar()
            self._bar.setSizeGripEnabled(False)
            self._bar.addWidget(self, 1)
            self._window.setStatusBar(self._bar)
        else:
            self._centre.add(self)
            self._window.setStatusBar(None)  # type: ignore[arg-type]
            self._bar = None
        self.show()
        # Without this the window would be laid out with the old size hint of its centre.
        self._centre.box.activate()
