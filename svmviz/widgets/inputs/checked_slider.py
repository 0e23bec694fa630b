"""A slider whose field accepts numbers beyond the ends of the slider, if they pass a check."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QGridLayout, QWidget

from solvers.errors import short_repr
from svmviz.base.words import BeyondDouble
from svmviz.theme import look_of
from svmviz.widgets.inputs.slider import ValueSlider
from svmviz.widgets.inputs.slider_scale import Track
from svmviz.widgets.plain_text import ErrorLabel, set_tip


class CheckedSlider(ValueSlider):
    """Value slider whose field accepts any number that passes a check.

    The number may lie beyond the ends of the slider. A refused text stays in the field, with the
    reason below the field; Escape restores the last valid number.

    Parameters
    ----------
    label : str
    track : Track
    default : float
    check : callable(float) -> str
        Returns a sentence on why a number is refused, or "" if it is valid.
    unit, tip, infinity, zero : str
        As in `ValueSlider`.
    parent : QWidget, optional
    """

    def __init__(
        self,
        label: str,
        track: Track,
        default: float,
        check: Callable[[float], str],
        *,
        unit: str = "",
        tip: str = "",
        infinity: str = "∞",
        zero: str = "",
        parent: QWidget | None = None,
    ) -> None:
        self._check = check
        # Why the text in the field is refused; empty if it is valid.
        self._refusal = ""
        self._error_label: ErrorLabel | None = None
        super().__init__(
            label, track, default, unit=unit, tip=tip, infinity=infinity, zero=zero, parent=parent
        )
        self._error_label = ErrorLabel(self)
        self._field.installEventFilter(self)
        layout = self.layout()
        assert isinstance(layout, QGridLayout)
        layout.addWidget(self._error_label, 2, 0, 1, -1)

    def add_at_end(self, widget: QWidget) -> None:
        """Put a small widget after the field."""
        layout = self.layout()
        assert isinstance(layout, QGridLayout)
        layout.addWidget(widget, 0, layout.columnCount(), Qt.AlignmentFlag.AlignVCenter)

    @property
    def error_text(self) -> str:
        """The reason below the field; empty if its text is valid."""
        return self._error_label.text() if self._error_label else ""

    def set_value(self, value: float) -> None:
        """Show a number, without emitting; ignored during a drag."""
        if not self._groove.isSliderDown():
            self._value = value
            self._show()

    def _fit_field(self) -> None:
        super()._fit_field()
        if len(self._label.text()) <= 2:
            # A label of one or two letters leaves space for a longer slider. The slider of C needs
            # the space, because it spans nine powers of ten.
            self._label.setMinimumWidth(look_of(self).metrics.px(24))

    def _typed_value(self) -> float | None:
        text = self._field.text()
        name, quoted = self._label.text(), short_repr(text.strip())
        try:
            value = self._read(text)
        except BeyondDouble:
            self._refusal = f"{name} must be below 1.8·10³⁰⁸, the largest double: got {quoted}."
            return None
        except ValueError:
            self._refusal = f"{name} must be a number: got {quoted}."
            return None
        self._refusal = self._check(value)
        return None if self._refusal else value

    def _on_typed(self) -> None:
        if self._field.isModified() and self._typed_value() is None:
            self._mark_invalid(True)
            self._show_error(self._refusal)
        else:
            super()._on_typed()

    def _show(self) -> None:
        super()._show()
        if not (self._field.hasFocus() and self._field.isModified()):
            self._show_error("")

    def _mark_invalid(self, invalid: bool) -> None:
        super()._mark_invalid(invalid)
        if invalid:
            set_tip(self._field, self._refusal)

    def _show_error(self, sentence: str) -> None:
        if self._error_label is not None:
            self._error_label.show_error(sentence)

    def eventFilter(self, watched: QWidget, event: QEvent) -> bool:  # type: ignore[override]
        if watched is not self._field:
            return super().eventFilter(watched, event)
        if not isinstance(event, QKeyEvent) or event.type() != QEvent.Type.KeyPress:
            return False
        if event.key() == Qt.Key.Key_Escape and self._field.isModified():
            self._field.setModified(False)
            self._show()
            return True
        return False
