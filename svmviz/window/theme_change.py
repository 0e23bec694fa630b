"""Another theme or size of type, applied in turns of the event loop.

Qt goes through every widget twice, everything finds its place, and all is painted: 100 ms together
on a slow day, in which no click would be answered. Between the turns some widgets have the old
style and some the new one; the window is neither laid out nor painted then. (Forbidding updates
would not do: widgets of a graphics view are not notified when updates are allowed again.)
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QTimer
from PySide6.QtWidgets import QApplication, QLayout, QWidget
from shiboken6 import isValid

from svmviz import theme
from svmviz.window.docks.sizes import Sizes

# Between two turns, ms: enough for a click to come in between.
PAUSE = 1


class ThemeChange(QObject):
    """Takes the old style off, puts the new one on, lays the window out, and has it painted.

    Parameters
    ----------
    window : QWidget
    measure : callable() -> Sizes
        Returns the sizes of the docks.
    fit : callable(Sizes, float)
        Finds a place for everything in type that is so many times as large as it was when the docks
        had these sizes.
    """

    def __init__(
        self,
        window: QWidget,
        measure: Callable[[], Sizes],
        fit: Callable[[Sizes, float], None],
    ) -> None:
        super().__init__(window)
        self._window = window
        self._measure = measure
        self._fit = fit
        # Sizes and scale for which everything had its place.
        self._sizes: Sizes = []
        self._scale = 1.0
        self._steps: list[Callable[[], None]] = []
        # Windows that must not be painted yet: this one, help, docks that float.
        self._held: list[QWidget] = []
        self._turn = QTimer(self)
        self._turn.setInterval(PAUSE)
        self._turn.timeout.connect(self._go_on)

    def apply(self, colours: theme.Theme, scale: float) -> None:
        """Begin; a window that is not visible has the new style at once."""
        if not self._steps:
            self._sizes, self._scale = self._measure(), theme.active().metrics.scale
        visible = self._window.isVisible()
        if visible:
            # Otherwise the least sizes of widgets without style might make the window grow.
            self._layout.setEnabled(False)
            self._steps = [self._style, self._place, self._show]
            self._turn.start()
            self._hold()
        theme.clear_style(_app(), colours, scale)
        if not visible:
            self._style()
            self._place()

    def _go_on(self) -> None:
        self._steps.pop(0)()
        if not self._steps:
            self._turn.stop()

    def _style(self) -> None:
        theme.apply_style(_app())

    def _place(self) -> None:
        self._layout.setEnabled(True)
        factor = theme.active().metrics.scale / self._scale
        if factor != 1.0:
            self._fit(self._sizes, factor)
        # Now, not by a request: those made while it was disabled were dropped, and Qt, which takes
        # them for pending, would never make them again.
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
