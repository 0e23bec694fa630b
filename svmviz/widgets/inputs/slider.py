"""A label, a slider and a field for one number; changes and the end of a drag are reported."""

from __future__ import annotations

import math

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QFontMetricsF, QHideEvent, QMouseEvent
from PySide6.QtWidgets import QGridLayout, QSizePolicy, QWidget

from svmviz.base.words import number, read_number
from svmviz.theme import BODY, look_of
from svmviz.widgets.inputs.number_field import NumberField
from svmviz.widgets.inputs.slider_scale import Track
from svmviz.widgets.inputs.ticked_slider import Groove
from svmviz.widgets.plain_text import Label, set_tip
from svmviz.widgets.styling import StyleFollower, set_style_property

NOTCH_PAUSE = 300
"""Pause after which a change by the wheel or by keys is finished, ms."""


class ValueSlider(StyleFollower, QWidget):
    """Label, slider, field and unit of a number, in one row.

    Parameters
    ----------
    label : str
    track : Track
        Range and scale of the slider.
    default : float
        Number that a double click on the label restores.
    unit : str
        Unit, which is shown after the field.
    tip : str
        Tooltip.
    infinity : str
        Text of the field at infinity.
    zero : str
        Text of the field at 0; if empty, the field shows 0.
    parent : QWidget, optional

    Signals
    -------
    moved(float)
        The user has changed the number: in a drag, by one notch of the wheel, or by one key press.
    released(float)
        The change is finished: at the end of a drag, ``NOTCH_PAUSE`` after the last notch or key,
        when a number was typed, or when a double click on the label restored the default. The
        program's changes of number or range emit no signal.
    """

    moved = Signal(float)
    released = Signal(float)

    def __init__(
        self,
        label: str,
        track: Track,
        default: float,
        *,
        unit: str = "",
        tip: str = "",
        infinity: str = "∞",
        zero: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._track, self._default, self._value = track, default, default
        self._infinity, self._zero = infinity, zero
        self._label, self._unit = Label(label, self), Label(unit, self)
        self._field, self._groove = NumberField(self), Groove(self)
        self._notch_timer = QTimer(self, interval=NOTCH_PAUSE, singleShot=True)
        # Whether the program moves the slider. The signal of the slider is then ignored.
        self._is_updating = False
        # Whether the user has changed the number since the last ``released``.
        self._is_changed = False
        self._tip = tip
        self._lay_out()
        self._connect()
        self.set_track(track, default)
        self.set_value(default)
        self.follow_style(ValueSlider._apply_style)

    @property
    def value(self) -> float:
        """The current number, perhaps ``inf``."""
        return self._value

    @property
    def track(self) -> Track:
        """Range and scale of the slider."""
        return self._track

    def set_value(self, value: float) -> None:
        """Show a number, without emitting; ignored during a drag.

        Raises
        ------
        ValueError
            If the number is outside the range.
        """
        if self._groove.isSliderDown():
            return
        if not self._track.holds(value):
            raise ValueError(f"{value} is not in {self._track}")
        self._value = value
        self._show()

    def set_track(self, track: Track, default: float) -> None:
        """Change range and default, without emitting; the number is clipped to the range."""
        if not track.holds(default):
            raise ValueError(f"default {default} is not in {track}")
        self._track, self._default = track, default
        if not track.holds(self._value):
            self._value = min(max(self._value, track.minimum), track.maximum)
        self._is_updating = True
        self._groove.setRange(0, track.last)
        self._groove.setPageStep(track.page())
        self._is_updating = False
        self._groove.set_marks(
            track.ticks(), track.position(default), track.stops(), track.numbers()
        )
        hint = f"Double-click the name for {self._text_of(default)}."
        set_tip(self, f"{self._tip}\n{hint}" if self._tip else hint)
        self._show()
        self._fit_field()

    def _lay_out(self) -> None:
        self._label.setBuddy(self._field)
        self._unit.setProperty("role", "muted")
        self._unit.setVisible(bool(self._unit.text()))
        self._field.setProperty("role", "quiet")
        self._field.setAlignment(Qt.AlignmentFlag.AlignRight)
        self._field.setAccessibleName(self._label.text())
        self._groove.setAccessibleName(self._label.text())
        self._label.installEventFilter(self)
        layout = QGridLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        # Label, slider and field share one row, because all settings must fit beside the plane.
        layout.addWidget(self._label, 0, 0)
        layout.addWidget(self._groove, 0, 1)
        layout.addWidget(self._field, 0, 2, Qt.AlignmentFlag.AlignRight)
        layout.addWidget(self._unit, 0, 3)
        layout.setColumnStretch(1, 1)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def _connect(self) -> None:
        self._groove.valueChanged.connect(self._on_moved)
        self._groove.sliderReleased.connect(self._on_released)
        self._field.editingFinished.connect(self._on_typed)
        self._field.textEdited.connect(self._on_editing)
        self._notch_timer.timeout.connect(self._on_released)

    def _show(self) -> None:
        self._is_updating = True
        self._groove.setValue(self._track.position(self._value))
        self._groove.setSingleStep(self._track.notch(self._value))
        self._is_updating = False
        if not (self._field.hasFocus() and self._field.isModified()):
            self._field.setText(self._text_of(self._value))
            self._mark_invalid(False)

    def _on_moved(self, position: int) -> None:
        if self._is_updating:
            return
        self._value, self._is_changed = self._track.value(position), True
        self._groove.setSingleStep(self._track.notch(self._value))
        self._field.setText(self._text_of(self._value))
        self._mark_invalid(False)
        self.moved.emit(self._value)
        if not self._groove.isSliderDown():
            self._notch_timer.start()
        else:
            self._notch_timer.stop()

    def _on_released(self) -> None:
        self._notch_timer.stop()
        self._show()
        if self._is_changed:
            self._is_changed = False
            self.released.emit(self._value)

    def _on_editing(self) -> None:
        self._mark_invalid(self._typed_value() is None)

    def _on_typed(self) -> None:
        if not self._field.isModified():
            return
        value = self._typed_value()
        self._field.setModified(False)
        if value is not None and value != self._value:
            self._value, self._is_changed = value, True
        self._on_released()

    def _typed_value(self) -> float | None:
        """Return the number in the field; None if the text is invalid."""
        try:
            value = self._read(self._field.text())
        except ValueError:
            return None
        return value if self._track.holds(value) else None

    def _text_of(self, value: float) -> str:
        if value == 0.0 and self._zero:
            return self._zero
        return self._infinity if math.isinf(value) else number(value)

    def _read(self, text: str) -> float:
        """Return the number in a text; raise ValueError if the text is not a number."""
        return 0.0 if self._zero and text.strip() == self._zero else read_number(text)

    def _mark_invalid(self, invalid: bool) -> None:
        if set_style_property(self._field, "invalid", invalid):
            ends = (number(self._track.minimum), number(self._track.maximum))
            set_tip(self._field, "Between {} and {}".format(*ends) if invalid else "")

    def _apply_style(self) -> None:
        self._fit_field()

    def _fit_field(self) -> None:
        """Make the field as wide as its widest text, and align the sliders of a column."""
        measure = QFontMetricsF(look_of(self).font(BODY, 600))
        texts = ["0.00000", "−0.0000", "9,999,999", "1.234·10⁻¹⁰"]
        if self._track.endless:
            texts.append(self._infinity)
        texts.append(self._zero)
        widest = max(measure.horizontalAdvance(text) for text in texts)
        self._field.setFixedWidth(math.ceil(widest) + look_of(self).metrics.px(18))
        # With these minimum widths, all sliders in a column begin and end at the same x.
        self._label.setMinimumWidth(look_of(self).metrics.px(76))
        self._unit.setMinimumWidth(look_of(self).metrics.px(24))
        self._unit.setContentsMargins(look_of(self).metrics.px(3), 0, 0, 0)
        # A label that is wider than its minimum must not touch the slider.
        self._label.setContentsMargins(0, 0, look_of(self).metrics.px(8), 0)

    def eventFilter(self, watched: QWidget, event: QEvent) -> bool:  # type: ignore[override]
        if isinstance(event, QMouseEvent) and event.type() == QEvent.Type.MouseButtonDblClick:
            self._is_changed = self._is_changed or self._value != self._default
            self._value = self._default
            self._on_released()
            return True
        return super().eventFilter(watched, event)

    def hideEvent(self, event: QHideEvent) -> None:
        if self._notch_timer.isActive():
            self._on_released()
        super().hideEvent(event)
