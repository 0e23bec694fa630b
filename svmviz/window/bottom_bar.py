"""Transport and narrator, below the plane or, if that is too narrow, across the window."""

from __future__ import annotations

from PySide6.QtWidgets import QMainWindow, QStatusBar, QVBoxLayout, QWidget

from svmviz.panels.transport.narrator import Narrator
from svmviz.panels.transport.transport import Transport
from svmviz.stage.stage import Stage


class BottomBar(QWidget):
    """Transport and narrator; ``place`` moves them between their two places.

    On a projector with few pixels and large type, buttons, step and speed need the whole width.

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
        """Move to the place with enough room; toolbar and docks take ``beside`` px of the width."""
        across = self._window.width() < beside + self.transport.min_width
        if across == self.is_across:
            return
        if across:
            # The status bar is the only area of a QMainWindow, except toolbars, whose width docks
            # do not reduce.
            self._bar = QStatusBar()
            self._bar.setSizeGripEnabled(False)
            self._bar.addWidget(self, 1)
            self._window.setStatusBar(self._bar)
        else:
            self._centre.addWidget(self)
            self._window.setStatusBar(None)  # type: ignore[arg-type]
            self._bar = None
        self.show()
        # Without this the window would be laid out with the old size hint of its centre.
        self._centre.activate()
