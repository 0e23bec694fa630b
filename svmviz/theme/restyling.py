"""Changing the style sheet of the application in steps, each of which styles a few widgets."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from time import perf_counter

from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import isValid

from svmviz.theme.look import apply_style, clear_own_sizes, clear_style

# A slice ends with the first widget after this time, s. A screen of 60 Hz shows a picture every
# 0.017 s.
SLICE = 0.012
STYLED, OWN_STYLE = Qt.WidgetAttribute.WA_WState_Polished, Qt.WidgetAttribute.WA_SetStyle


class Restyling:
    """Applies the active look to all widgets, in slices of some milliseconds.

    ``QApplication.setStyleSheet`` alone styles all widgets at once, which takes 130 ms for 900
    widgets.

    WORKAROUND: Qt cannot style widgets in parts, but it skips a widget that was never styled. So
    the style of each widget is removed before the style sheet is replaced, and applied afterwards,
    by the calls that Qt itself makes.

    Parameters
    ----------
    app : QApplication
    """

    def __init__(self, app: QApplication) -> None:
        self._app = app
        self._unstyled: list[QWidget] = []

    def slices(self) -> Iterator[None]:
        """Apply the active look, and yield after each slice.

        If the look changes before the end, the caller drops this iterator and calls the method
        again.
        """
        yield from _in_slices(self._styled_widgets(), self._remove_style)
        self._replace_sheet()
        yield
        yield from _in_slices(self._unstyled, _style)
        self._unstyled = []

    def _styled_widgets(self) -> list[QWidget]:
        """Return all widgets with a style, each after its parent.

        If parents are styled first, Qt seldom has to pass a changed palette or font on to children
        that are already styled.
        """
        tops = [top for top in self._app.topLevelWidgets() if top.parentWidget() is None]
        widgets = [widget for top in tops for widget in (top, *top.findChildren(QWidget))]
        return [widget for widget in widgets if widget.testAttribute(STYLED)]

    def _remove_style(self, widget: QWidget) -> None:
        widget.style().unpolish(widget)
        widget.setAttribute(STYLED, False)
        self._unstyled.append(widget)

    def _replace_sheet(self) -> None:
        """Replace the style sheet of the application.

        Qt would send two StyleChange events to each widget without a style of its own. So all
        widgets are marked as having a style of their own, and `_style` sends the event once. Style
        sheets of single widgets are removed before that, while it costs little: no widget has a
        style now.
        """
        clear_own_sizes(self._app)
        widgets = [widget for widget in self._unstyled if isValid(widget)]
        without_own_style = [widget for widget in widgets if not widget.testAttribute(OWN_STYLE)]
        for widget in without_own_style:
            widget.setAttribute(OWN_STYLE)
        clear_style(self._app)
        apply_style(self._app)
        for widget in without_own_style:
            widget.setAttribute(OWN_STYLE, False)


def _style(widget: QWidget) -> None:
    if not widget.testAttribute(STYLED):
        widget.style().polish(widget)
        widget.setAttribute(STYLED)
        QCoreApplication.sendEvent(widget, QEvent(QEvent.Type.StyleChange))
        widget.update()


def _in_slices(widgets: list[QWidget], do: Callable[[QWidget], None]) -> Iterator[None]:
    """Call ``do`` for each widget that still exists, and yield after each slice."""
    end = perf_counter() + SLICE
    for widget in widgets:
        if isValid(widget):
            do(widget)
        if perf_counter() > end:
            yield
            end = perf_counter() + SLICE
    yield
