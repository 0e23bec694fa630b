"""Another look for the window, put on in turns of the event loop.

Qt goes through every widget twice, everything finds its place, and all is painted: 100 ms together
on a slow day, in which no click would be answered. Between the turns the window stands half
dressed; it is neither laid out nor painted then. (Forbidding updates would not do: widgets of a
graphics view do not hear that they are allowed again.)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QTimer
from PySide6.QtWidgets import QApplication, QLayout, QWidget
from shiboken6 import isValid

from svmviz import theme

if TYPE_CHECKING:
    from svmviz.window.docks.docks import DockSizes
    from svmviz.window.main import MainWindow

# Between two turns, ms: enough for a click to come in between.
PAUSE = 1


class Dressing(QObject):
    """Takes the old look off, puts the new one on, finds its places, and has it painted.

    Parameters
    ----------
    window : MainWindow
    fit : callable(DockSizes, float)
        Finds a place for everything in type that is so many times as large as it was when docks
        had these sizes.
    """

    def __init__(self, window: MainWindow, fit: Callable[[DockSizes, float], None]) -> None:
        super().__init__(window)
        self._window = window
        self._fit = fit
        # Sizes and scale for which everything had its place.
        self._sizes: DockSizes = []
        self._scale = 1.0
        self._steps: list[Callable[[], None]] = []
        # Windows that must not be painted yet: this one, help, docks that float.
        self._held: list[QWidget] = []
        self._turn = QTimer(self)
        self._turn.setInterval(PAUSE)
        self._turn.timeout.connect(self._go_on)

    def put_on(self, colours: theme.Theme, scale: float) -> None:
        """Begin; a window that nobody sees is dressed at once."""
        if not self._steps:
            self._sizes, self._scale = self._window.docks.sizes(), theme.active().metrics.scale
        seen = self._window.isVisible()
        if seen:
            # Else the least sizes of undressed widgets might make the window grow.
            self._layout.setEnabled(False)
            self._steps = [self._dress, self._place, self._show]
            self._turn.start()
            self._hold()
        theme.undress(_app(), colours, scale)
        if not seen:
            self._dress()
            self._place()

    def _go_on(self) -> None:
        self._steps.pop(0)()
        if not self._steps:
            self._turn.stop()

    def _dress(self) -> None:
        theme.dress(_app())

    def _place(self) -> None:
        self._layout.setEnabled(True)
        factor = theme.active().metrics.scale / self._scale
        if factor != 1.0:
            self._fit(self._sizes, factor)
        # Now, not by a request: what asked while it was disabled is unheard, and Qt, which takes
        # it for under way, would never ask again.
        self._layout.activate()

    def _hold(self) -> None:
        for widget in QApplication.topLevelWidgets():
            if widget.isVisible() and widget not in self._held:
                widget.installEventFilter(self)
                self._held.append(widget)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        return event.type() == QEvent.Type.UpdateRequest

    def _show(self) -> None:
        """Ask for the painting that was held back; Qt, which has asked, does not ask again."""
        for widget in filter(isValid, self._held):
            widget.removeEventFilter(self)
            QCoreApplication.postEvent(widget, QEvent(QEvent.Type.UpdateRequest))
        self._held = []

    @property
    def _layout(self) -> QLayout:
        layout = self._window.layout()
        assert layout is not None
        return layout


def _app() -> QApplication:
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    return app
