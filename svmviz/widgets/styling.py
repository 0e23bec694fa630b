"""Base classes of widgets that follow the style, and properties that the style sheet reads."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from svmviz.theme import OWN_SIZES, Look, active, look_of, stylesheet, waits_for_sheet

if TYPE_CHECKING:
    Base = QWidget
else:
    Base = object


class StyleFollower(Base):
    """Mixin for widgets whose sizes or colours depend on the style.

    In the list of base classes it stands before Qt's class.
    """

    _style_functions: tuple[Callable[[Any], None], ...] = ()

    def follow_style(self, apply: Callable[[Any], None]) -> None:
        """Call ``apply(self)`` now and after each change of style.

        A class and its base classes may each add a function.

        Parameters
        ----------
        apply : callable(widget)
            A function of the class, such as ``Card._apply_style``. A bound method would refer
            to the widget, so that both would be deleted only by the garbage collector.
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
    """Mixin for widgets whose sizes depend on the size of type too, not only on that of controls.

    If only the size of type changes, only these widgets get the event of a changed style.
    """


class OwnSizes(TypeFollower):
    """Mixin for widgets with their own style sheet, which has the sizes of `look_of`.

    The style sheet applies to the widgets inside, too. It is made again when the widget is shown
    and when `fit` is called, so a hidden widget does nothing.
    """

    _fitted: Look | None = None

    def fit(self) -> None:
        """Apply the sizes of the window, if they have changed."""
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
    """Give a widget and those in it the sizes of `look_of`, until the style changes."""
    look = look_of(widget)
    own, usual = look.metrics.controls, active().metrics.controls
    # Under the style sheet of the application no font of a window reaches the widgets in it.
    type_size = f"* {{ font-size: {look.font().pixelSize()}px; }}\n"
    sheet = type_size + stylesheet(look.theme, own) if own != usual else ""
    if sheet != widget.styleSheet():
        widget.setProperty(OWN_SIZES, True)
        widget.setStyleSheet(sheet)


def set_style_property(widget: QWidget, name: str, value: str | bool) -> bool:
    """Set a property that the style sheet reads, and style the widget; return if it changed."""
    before = widget.property(name)
    if before == value or not (before or value):
        return False
    widget.setProperty(name, value)
    widget.style().polish(widget)
    return True
