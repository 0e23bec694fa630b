"""A change of theme or sizes, in several steps of the event loop.

Qt styles every widget twice, lays all of them out and paints them: up to 100 ms, in which no click
would be answered. Between the steps some widgets have the old style and some the new one, so the
window is neither laid out nor painted. (``setUpdatesEnabled`` does not work here: widgets of a
graphics view are not notified when updates are enabled again.)
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QTimer
from PySide6.QtWidgets import QApplication, QLayout, QWidget
from shiboken6 import isValid

from svmviz import theme
from svmviz.widgets.styling import OwnSizes, TypeFollower
from svmviz.window.docks.sizes import Sizes

# Time between two steps, ms, in which a click can be handled.
PAUSE = 1
# Time after which another thread releases the interpreter during a step, s. Qt calls some hundred
# overrides in Python per step, and each may wait that long beside a solver that runs.
SWITCH_INTERVAL = 0.0001


class ThemeChange(QObject):
    """The steps of a change: remove the old style, apply the new one, lay out, paint.

    Parameters
    ----------
    window : QWidget
    measure : callable() -> Sizes
        Returns the sizes of the docks.
    fit : callable(Sizes, float)
        Adapts the layout to a factor on controls ``factor`` times that with these sizes.
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
        # Sizes of the docks, and factor on controls at type of 100 %, before the change.
        self._sizes: Sizes = []
        self._base = 1.0
        self._steps: list[Callable[[], None]] = []
        # Windows that must not be painted yet: this one, help, floating docks.
        self._held: list[QWidget] = []
        self._step_timer = QTimer(self)
        # Not repeating: after a long step it would be due before the timers of others.
        self._step_timer.setSingleShot(True)
        self._step_timer.setInterval(PAUSE)
        self._step_timer.timeout.connect(self._go_on)

    def apply(self, colours: theme.Theme, scale: float, base: float) -> None:
        """Begin a change; an invisible window is changed at once.

        A change of type that leaves controls as they are only fits windows with sizes of their own.
        """
        before = theme.active()
        kept = (before.theme, before.metrics.base) == (colours, base)
        if kept and theme.resize_type(scale):
            _notify_type()
            self._steps += [partial(_fit, widget) for widget in _own_sizes()]
            if self._steps:
                self._step_timer.start()
            return
        if not self._steps:
            self._sizes, self._base = self._measure(), before.metrics.base
        self._steps = [self._clear, self._style, self._place, self._show]
        theme.activate(colours, scale, base)
        theme.clear_own_sizes(_app())
        if any(widget.isVisible() for widget in QApplication.topLevelWidgets()):
            # Otherwise the minimum sizes of unstyled widgets might make the window grow.
            self._layout.setEnabled(False)
            self._step_timer.start()
            self._hold()
            return
        self._step_timer.stop()
        while self._steps:
            self._steps.pop(0)()

    def _go_on(self) -> None:
        interval = sys.getswitchinterval()
        sys.setswitchinterval(min(interval, SWITCH_INTERVAL))
        try:
            self._steps.pop(0)()
        finally:
            sys.setswitchinterval(interval)
        if self._steps:
            self._step_timer.start()

    def _clear(self) -> None:
        theme.clear_style(_app())

    def _style(self) -> None:
        theme.apply_style(_app())
        self._steps[:0] = [partial(_fit, widget) for widget in _own_sizes()]

    def _place(self) -> None:
        self._layout.setEnabled(True)
        self._fit(self._sizes, theme.active().metrics.base / self._base)
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


def _own_sizes() -> list[OwnSizes]:
    """Return the widgets with sizes of their own in visible windows."""
    found = [widget for widget in QApplication.allWidgets() if isinstance(widget, OwnSizes)]
    return [widget for widget in found if widget.window().isVisible()]


def _fit(widget: OwnSizes) -> None:
    if isValid(widget):
        widget.fit()


def _notify_type() -> None:
    """Notify the widgets that show type, which are then laid out and painted again."""
    for widget in QApplication.allWidgets():
        if isinstance(widget, TypeFollower) and not isinstance(widget, OwnSizes):
            QCoreApplication.sendEvent(widget, QEvent(QEvent.Type.StyleChange))


def _app() -> QApplication:
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    return app
