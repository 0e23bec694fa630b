"""A change of theme or sizes of a window that is in use."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication
from shiboken6 import isValid

from svmviz import theme
from svmviz.widgets.styling import OwnSizes, TypeFollower


class ThemeChange:
    """A change of theme and sizes for all windows, which fits the docks to the new sizes.

    Parameters
    ----------
    fit : callable()
        Adapts the docks to the new sizes of controls.
    """

    def __init__(self, fit: Callable[[], object]) -> None:
        self._fit = fit

    def apply(
        self, colours: theme.Theme, scale: float, base: float, room: float | None = None
    ) -> None:
        """Apply a theme, sizes, and a factor of the window on them, or the present one.

        If only the text size changes, and controls keep their size, no style sheet is set: each
        `TypeFollower` is notified.
        """
        before = theme.active()
        room = before.metrics.room if room is None else room
        has_room = (before.metrics.base, before.metrics.room) == (base, room)
        has_colours = (before.theme.name, before.theme.palette) == (colours.name, colours.palette)
        only_type = has_colours and has_room
        if only_type and theme.resize_type(scale):
            _notify_type()
            _fit_own_sizes()
            self._fit()
            return
        theme.apply(_app(), colours, scale, base, room=room)
        _fit_own_sizes()
        self._fit()


def _fit_own_sizes() -> None:
    for widget in QApplication.allWidgets():
        if isValid(widget) and isinstance(widget, OwnSizes) and widget.window().isVisible():
            widget.fit()


def _notify_type() -> None:
    """Send StyleChange to each `TypeFollower`, except `OwnSizes` widgets, which are fitted."""
    for widget in QApplication.allWidgets():
        if isinstance(widget, TypeFollower) and not isinstance(widget, OwnSizes):
            QCoreApplication.sendEvent(widget, QEvent(QEvent.Type.StyleChange))


def _app() -> QApplication:
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    return app
