"""A change of theme or sizes, in several steps of the event loop.

To style, lay out and paint all widgets takes 200 ms. In one step, this would delay the answer to a
click. Between these steps some widgets have no style, so the window is laid out and painted only
after the last of them.
(``setUpdatesEnabled`` cannot be used: widgets of a graphics view are not notified when updates are
enabled again.)
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from itertools import chain

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QTimer
from PySide6.QtWidgets import QApplication, QLayout, QWidget
from shiboken6 import isValid

from svmviz import theme
from svmviz.widgets.styling import OwnSizes, TypeFollower, apply_own_sizes
from svmviz.window.docks.sizes import Sizes

# Time between two steps, ms, in which a click can be handled.
PAUSE = 1
# During a step, time after which another thread must release the interpreter lock, s. Qt calls some
# hundred Python overrides per step, and each may wait this long if a solver is running.
SWITCH_INTERVAL = 0.0001


class ThemeChange(QObject):
    """The steps of a change: style the widgets, lay them out, paint them.

    Parameters
    ----------
    window : QWidget
    measure : callable() -> Sizes
        Returns the sizes of the docks.
    fit : callable(Sizes, float)
        ``fit(sizes, factor)`` adapts the layout to controls that are ``factor`` times as large as
        when the docks had these sizes.
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
        # Sizes of the docks, and factor on controls at text of 100 %, before the change.
        self._sizes: Sizes = []
        self._base = 1.0
        self._restyling = theme.Restyling(_app())
        # The remaining steps of a change; None if no change is running.
        self._steps: Iterator[None] | None = None
        # Windows that must not be painted yet: main window, help, floating docks.
        self._unpainted: list[QWidget] = []
        self._step_timer = QTimer(self)
        # A repeating timer would fire before other timers after a long step.
        self._step_timer.setSingleShot(True)
        self._step_timer.setInterval(PAUSE)
        self._step_timer.timeout.connect(self._on_step_timer)

    @property
    def is_running(self) -> bool:
        """Whether a change has not ended."""
        return self._steps is not None

    def apply(self, colours: theme.Theme, scale: float, base: float) -> None:
        """Begin a change; if no window is visible, make the whole change at once.

        If only the text size changes, and controls keep their size, no style sheet is set: each
        `TypeFollower` is notified, and widgets with sizes of their own are fitted.
        """
        before = theme.active()
        only_type = (before.theme, before.metrics.base) == (colours, base)
        if only_type and theme.resize_type(scale):
            _notify_type()
            self._steps = chain(self._steps or (), _fit_own_sizes())
            self._step_timer.start()
            return
        if not self.is_running:
            self._sizes, self._base = self._measure(), before.metrics.base
        self._steps = self._change()
        theme.activate(colours, scale, base)
        if any(widget.isVisible() for widget in QApplication.topLevelWidgets()):
            # With an enabled layout, minimum sizes of unstyled widgets might make the window grow.
            self._layout.setEnabled(False)
            self._step_timer.start()
            self._stop_painting()
            return
        self._step_timer.stop()
        while self.is_running:
            self._take_step()

    def _on_step_timer(self) -> None:
        interval = sys.getswitchinterval()
        sys.setswitchinterval(min(interval, SWITCH_INTERVAL))
        try:
            self._take_step()
        finally:
            sys.setswitchinterval(interval)
        if self.is_running:
            self._step_timer.start()

    def _take_step(self) -> None:
        has_ended = object()
        if self._steps and next(self._steps, has_ended) is has_ended:
            self._steps = None

    def _change(self) -> Iterator[None]:
        """Make the change, and yield after each step."""
        yield from self._restyling.slices()
        yield from _fit_own_sizes()
        self._lay_out()
        yield
        self._resume_painting()

    def _lay_out(self) -> None:
        self._layout.setEnabled(True)
        self._fit(self._sizes, theme.active().metrics.base / self._base)
        # While the layout was disabled, Qt dropped layout requests but counted them as pending.
        # Without this call it would never post another one.
        self._layout.activate()

    def _stop_painting(self) -> None:
        """Filter out the paint requests of all visible windows."""
        for widget in QApplication.topLevelWidgets():
            if widget.isVisible() and widget not in self._unpainted:
                widget.installEventFilter(self)
                self._unpainted.append(widget)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        return event.type() == QEvent.Type.UpdateRequest

    def _resume_painting(self) -> None:
        """Post the paint requests that were filtered out, since Qt does not repeat them."""
        for widget in filter(isValid, self._unpainted):
            widget.removeEventFilter(self)
            QCoreApplication.postEvent(widget, QEvent(QEvent.Type.UpdateRequest))
        self._unpainted = []

    @property
    def _layout(self) -> QLayout:
        layout = self._window.layout()
        assert layout is not None
        return layout


def _fit_own_sizes() -> Iterator[None]:
    """Fit the `OwnSizes` widgets in visible windows, and yield after each change of one of them.

    First each widget gets its style sheet, then each widget gets its sizes.
    """
    for fit in (apply_own_sizes, OwnSizes.fit):
        for widget in QApplication.allWidgets():
            if isValid(widget) and isinstance(widget, OwnSizes) and widget.window().isVisible():
                fit(widget)
                yield


def _notify_type() -> None:
    """Send StyleChange to each `TypeFollower`, except `OwnSizes` widgets, which are fitted."""
    for widget in QApplication.allWidgets():
        if isinstance(widget, TypeFollower) and not isinstance(widget, OwnSizes):
            QCoreApplication.sendEvent(widget, QEvent(QEvent.Type.StyleChange))


def _app() -> QApplication:
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    return app
