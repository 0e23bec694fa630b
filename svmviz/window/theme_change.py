"""A change of theme or type size, in several steps of the event loop.

Qt styles every widget twice, lays all of them out and paints them: up to 100 ms, in which no click
would be answered. Between the steps some widgets have the old style and some the new one, so the
window is neither laid out nor painted. (``setUpdatesEnabled`` does not work here: widgets of a
graphics view are not notified when updates are enabled again.)
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QTimer
from PySide6.QtWidgets import QApplication, QLayout, QWidget
from shiboken6 import isValid

from svmviz import theme
from svmviz.window.docks.sizes import Sizes

# Time between two steps, ms, in which a click can be handled.
PAUSE = 1


class ThemeChange(QObject):
    """The steps of a change: remove the old style, apply the new one, lay out, paint.

    Parameters
    ----------
    window : QWidget
    measure : callable() -> Sizes
        Returns the sizes of the docks.
    fit : callable(Sizes, float)
        Adapts the layout to type ``factor`` times as large as when the docks had these sizes.
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
        # Sizes and scale before the change.
        self._sizes: Sizes = []
        self._scale = 1.0
        self._steps: list[Callable[[], None]] = []
        # Windows that must not be painted yet: this one, help, floating docks.
        self._held: list[QWidget] = []
        self._turn = QTimer(self)
        self._turn.setInterval(PAUSE)
        self._turn.timeout.connect(self._go_on)

    def apply(self, colours: theme.Theme, scale: float) -> None:
        """Begin a change; an invisible window is changed at once."""
        if not self._steps:
            self._sizes, self._scale = self._measure(), theme.active().metrics.scale
        visible = self._window.isVisible()
        if visible:
            # Otherwise the minimum sizes of unstyled widgets might make the window grow.
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
        # Qt dropped the layout requests made while the layout was disabled, but still counts them
        # as pending and would never post another.
        self._layout.activate()

    def _hold(self) -> None:
        for widget in QApplication.topLevelWidgets():
            if widget.isVisible() and widget not in self._held:
                widget.installEventFilter(self)
                self._held.append(widget)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        return event.type() == QEvent.Type.UpdateRequest

    def _show(self) -> None:
        """Post the paint requests that were filtered out, since Qt does not repeat them."""
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
