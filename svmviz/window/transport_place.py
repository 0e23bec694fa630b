"""Transport and narrator: below the plane, or across the window where that would be too narrow."""

from __future__ import annotations

from PySide6.QtWidgets import QMainWindow, QStatusBar, QVBoxLayout, QWidget

from svmviz.panels.transport.narrator import Narrator
from svmviz.panels.transport.transport import Transport
from svmviz.stage.stage import Stage


class Bottom(QWidget):
    """What stands at the bottom; ``place`` moves it between its two places.

    A projector shows few pixels and large type: then buttons, step and speed need the whole width.

    Parameters
    ----------
    window : QMainWindow
    centre : QVBoxLayout
        Layout of the central widget, with the plane in it.
    stage : Stage
    """

    def __init__(self, window: QMainWindow, centre: QVBoxLayout, stage: Stage) -> None:
        super().__init__()
        self.transport, self.narrator = Transport(stage), Narrator(stage)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.transport)
        layout.addWidget(self.narrator)
        self._window, self._centre = window, centre
        self._bar: QStatusBar | None = None
        centre.addWidget(self)

    @property
    def is_across(self) -> bool:
        """Whether it is as wide as the window."""
        return self._bar is not None

    def place(self, beside: int) -> None:
        """Go where there is room, with so many px taken by what stands beside the plane."""
        across = self._window.width() < beside + self.transport.min_width
        if across == self.is_across:
            return
        if across:
            # The only place in a QMainWindow, beside toolbars, that docks do not take away from.
            self._bar = QStatusBar()
            self._bar.setSizeGripEnabled(False)
            self._bar.addWidget(self, 1)
            self._window.setStatusBar(self._bar)
        else:
            self._centre.addWidget(self)
            self._window.setStatusBar(None)  # type: ignore[arg-type]
            self._bar = None
        self.show()
        # Else the window is laid out before its centre, with the room that it no longer needs.
        self._centre.activate()
