"""Mixins for widgets whose sizes or colours follow the style of the window.

The style is the colours and sizes of the active look, and the style sheet made from them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from svmviz.theme import (
    OWN_SIZES,
    Look,
    active,
    look_of,
    stylesheet,
    waits_for_sheet,
)

if TYPE_CHECKING:
    Base = QWidget
else:
    Base = object


class StyleFollower(Base):
    """Mixin for widgets whose sizes or colours depend on the style.

    In the list of base classes, the mixin must come before Qt's class: it extends `changeEvent`.
    """

    _style_functions: tuple[Callable[[Any], None], ...] = ()

    def follow_style(self, apply: Callable[[Any], None]) -> None:
        """Call ``apply(self)`` now and after each change of style.

        A class and its base classes may each call this method; all functions are then called.

        Parameters
        ----------
        apply : callable(widget)
            A function of the class, such as ``Card._apply_style``, not a bound method. A bound
            method would refer to the widget, and only the garbage collector could delete both.
        """
        self._style_functions = (*self._style_functions, apply)
        apply(self)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange and not waits_for_sheet():
            self._apply_all()

    def _apply_all(self) -> None:
        for apply in self._style_functions:
            apply(self)


class TypeFollower(StyleFollower):
    """Mixin for widgets whose sizes depend on text size, and not only on the size of controls.

    Text size is the factor `Metrics.scale`, for text in the plane and in the sentence of the step.
    The factor on controls is `Metrics.controls`. If only text size changes, only widgets with this
    mixin get a ``StyleChange`` event.
    """


class OwnSizes(TypeFollower):
    """Mixin for widgets whose window may have other sizes than the main window (`look_of`).

    Such a window is a presentation, for example. The style sheet of the application has the sizes
    of the main window, so the widget gets a style sheet of its own, which also applies to the
    widgets inside. This style sheet is updated when the widget is shown, and when `fit` is called.
    """

    _fitted: Look | None = None

    def fit(self) -> None:
        """Apply the sizes of the window if they have changed."""
        apply_own_sizes(self)
        look = look_of(self)
        if look != self._fitted:
            self._fitted = look
            self._apply_all()

    def changeEvent(self, event: QEvent) -> None:
        # The method of StyleFollower is skipped, since `fit` calls the functions.
        super(StyleFollower, self).changeEvent(event)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.fit()


def apply_own_sizes(widget: QWidget) -> None:
    """Give a widget, and all widgets inside it, the sizes of their window.

    This sets a style sheet of the widget, unless the main window has the same sizes. A change of
    style removes that style sheet. Then this function must be called again.
    """
    look = look_of(widget)
    metrics, of_app = look.metrics, active().metrics
    has_own = (metrics.controls, metrics.in_hall) != (of_app.controls, of_app.in_hall)
    # If the application has a style sheet, widgets do not inherit the font of their window. So the
    # size of the font is set by a rule.
    font_rule = f"* {{ font-size: {look.font().pixelSize()}px; }}\n"
    sheet = (
        font_rule + stylesheet(look.theme, metrics.controls, in_hall=metrics.in_hall)
        if has_own
        else ""
    )
    if sheet != widget.styleSheet():
        widget.setProperty(OWN_SIZES, True)
        widget.setStyleSheet(sheet)


def set_style_property(widget: QWidget, name: str, value: str | bool) -> bool:
    """Set a property that the style sheet reads; return whether it has changed."""
    before = widget.property(name)
    if before == value or not (before or value):
        return False
    widget.setProperty(name, value)
    widget.style().polish(widget)
    return True
