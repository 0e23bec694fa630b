"""A label, a slider and a field for one number; changes and the end of a drag are reported."""

from __future__ import annotations

import math
from collections.abc import Callable

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QFontMetricsF, QHideEvent, QMouseEvent
from PySide6.QtWidgets import QGridLayout, QSizePolicy, QToolButton, QWidget
from shiboken6 import isValid

from solvers import BadInput
from svmviz.base.words import number
from svmviz.theme import TEXT, look_of
from svmviz.widgets.inputs.number_field import NumberField, read_named
from svmviz.widgets.inputs.slider_scale import Track
from svmviz.widgets.inputs.ticked_slider import Groove
from svmviz.widgets.plain_text import ErrorLabel, Label, set_tip
from svmviz.widgets.styling import StyleFollower

# Column of the unit in the row of a slider, and width of a small button after it, px at scale 1.
UNIT_COLUMN, BUTTON_WIDTH = 3, 20
NOTCH_PAUSE = 300
"""Pause after which a change by the wheel or by keys is finished, ms."""


class ValueSlider(StyleFollower, QWidget):
    """Label, slider, field and unit of a number, in one row.

    A refused text stays in the field, with the reason below the row; Escape restores the number.

    Parameters
    ----------
    label : str
    track : Track
        Range and scale of the slider.
    default : float
        Number that a double click on the label restores.
    check : callable(float) -> str, optional
        Returns a sentence on why a typed number is refused, or "" if it is valid. Numbers beyond
        the ends of the slider may be valid. By default, only those of ``track`` are.
    unit : str
        Unit, which is shown after the field.
    tip : str
        Tooltip.
    infinity : str
        Text of the field at infinity.
    zero : str
        Text of the field at 0; if empty, the field shows 0.
    spoken : str
        The name of the number in messages, in Ctrl+K and for screen readers; by default, ``label``.

    Signals
    -------
    moved(float)
        The user has changed the number: in a drag, by one notch of the wheel, or by one key press.
    released(float)
        The change is finished: at the end of a drag, ``NOTCH_PAUSE`` after the last notch or key,
        when a number was typed, or when a double click on the label restored the default. The
        program's changes of the number emit no signal.
    """

    moved = Signal(float)
    released = Signal(float)

    def __init__(
        self,
        label: str,
        track: Track,
        default: float,
        check: Callable[[float], str] | None = None,
        *,
        unit: str = "",
        tip: str = "",
        infinity: str = "∞",
        zero: str = "",
        spoken: str = "",
    ) -> None:
        super().__init__()
        self._track, self._default, self._value = track, default, default
        self._check = check or self._check_track
        self._infinity, self._zero = infinity, zero
        self._name, self._unit_name, self._spoken = label, unit, spoken or label
        self._buttons: list[QToolButton] = []
        # The sliders that begin and end at the same x as this one.
        self._companions: tuple[ValueSlider, ...] = (self,)
        self._label, self._unit = Label(label, self), Label(unit, self)
        self._field = NumberField(self._read, self._text_of, parent=self)
        self._groove = Groove(self)
        self._error_label = ErrorLabel(self)
        self._notch_timer = QTimer(self, interval=NOTCH_PAUSE, singleShot=True)
        # Whether the program moves the slider. The signal of the slider is then ignored.
        self._is_updating = False
        # Whether the user has changed the number since the last ``released``.
        self._is_changed = False
        self._lay_out()
        self._groove.setRange(0, track.last)
        self._groove.setPageStep(track.page())
        self._groove.set_marks(
            track.ticks(), track.position(default), track.stops(), track.numbers()
        )
        hint = f"Double-click the name for {self._text_of(default)}."
        set_tip(self, f"{tip}\n{hint}" if tip else hint)
        self._connect()
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

    @property
    def error_text(self) -> str:
        """The reason below the row; empty if no text is refused."""
        return self._error_label.text()

    def set_value(self, value: float) -> None:
        """Show a number, without emitting; ignored during a drag."""
        if not self._groove.isSliderDown():
            self._value = value
            self._show()

    def add_at_end(self, button: QToolButton) -> None:
        """Put a small button after the field."""
        layout = self._grid
        layout.addWidget(button, 0, layout.columnCount(), Qt.AlignmentFlag.AlignVCenter)
        self._buttons.append(button)
        self._apply_style()

    def align_with(self, sliders: tuple[ValueSlider, ...]) -> None:
        """Begin and end at the same x as other sliders of the column, this one among them."""
        if sliders != self._companions:
            self._companions = sliders
            self._apply_style()

    def _lay_out(self) -> None:
        self._label.setBuddy(self._field)
        self._unit.setProperty("role", "muted")
        self._unit.setVisible(bool(self._unit.text()))
        self._field.setAccessibleName(self._spoken)
        self._groove.setAccessibleName(self._spoken)
        self._label.installEventFilter(self)
        layout = self._grid = QGridLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        # Label, slider and field share one row, because all settings must fit beside the plane.
        layout.addWidget(self._label, 0, 0)
        layout.addWidget(self._groove, 0, 1)
        layout.addWidget(self._field, 0, 2, Qt.AlignmentFlag.AlignRight)
        layout.addWidget(self._unit, 0, 3)
        layout.addWidget(self._error_label, 1, 0, 1, -1)
        layout.setColumnStretch(1, 1)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def _connect(self) -> None:
        self._groove.valueChanged.connect(self._on_moved)
        self._groove.sliderReleased.connect(self._on_released)
        self._field.typed.connect(self._finish)
        self._field.refused.connect(self._error_label.say)
        self._notch_timer.timeout.connect(self._on_released)

    def _show(self) -> None:
        self._is_updating = True
        self._groove.setValue(self._track.position(self._value))
        self._groove.setSingleStep(self._track.notch(self._value))
        self._is_updating = False
        self._show_text()

    def _show_text(self) -> None:
        self._field.set_value(self._value)
        self._groove.set_words(f"{self._text_of(self._value)} {self._unit.text()}".strip())

    def _on_moved(self, position: int) -> None:
        if self._is_updating:
            return
        self._value, self._is_changed = self._track.value(position), True
        self._groove.setSingleStep(self._track.notch(self._value))
        self._show_text()
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

    def _finish(self, value: float) -> None:
        """Take a number that the user has typed, or restored by a double click."""
        self._is_changed = self._is_changed or value != self._value
        self._value = value
        self._on_released()

    def _text_of(self, value: float) -> str:
        if value == 0.0 and self._zero:
            return self._zero
        return self._infinity if math.isinf(value) else number(value)

    def _read(self, text: str) -> float:
        """Return the number that a text means; raise BadInput if it is refused."""
        if self._zero and text.strip() == self._zero:
            return 0.0
        value = read_named(self._spoken, text)
        refusal = self._check(value)
        if refusal:
            raise BadInput(refusal)
        return value

    def _check_track(self, value: float) -> str:
        track = self._track
        if track.holds(value):
            return ""
        kind = "a whole number from" if track.whole else "from"
        ends = f"{number(track.minimum)} to {number(track.maximum)}"
        return f"{self._spoken} must be {kind} {ends}: got {number(value)}."

    def _apply_style(self) -> None:
        """Make the field as wide as its widest text, and align the slider with its companions."""
        infinity = self._infinity if self._track.endless else ""
        self._field.fit_to("0.00000", "−0.0000", "9,999,999", "1.234·10⁻¹⁰", infinity, self._zero)
        px = look_of(self).metrics.px
        # A form may have deleted sliders of an earlier choice.
        companions = filter(isValid, self._companions)
        widths = [slider._widths() for slider in companions]
        label, end = (max(column) for column in zip(*widths, strict=True))
        self._label.setMinimumWidth(label)
        # A label that is wider than its minimum must not touch the slider.
        self._label.setContentsMargins(0, 0, px(8), 0)
        self._unit.setContentsMargins(px(3), 0, 0, 0)
        for button in self._buttons:
            button.setFixedWidth(px(BUTTON_WIDTH))
        self._grid.setColumnMinimumWidth(UNIT_COLUMN, end - px(BUTTON_WIDTH) * len(self._buttons))

    def _widths(self) -> tuple[int, int]:
        """Return the space that label needs, and that unit and buttons after the field need."""
        look = look_of(self)
        px, advance = look.metrics.px, QFontMetricsF(look.font(TEXT)).horizontalAdvance
        # A label of one or two letters leaves space for a longer slider. The slider of C needs the
        # space, because it spans nine powers of ten.
        least = px(24 if len(self._name) <= 2 else 76)
        unit = max(px(24), math.ceil(advance(self._unit_name)) + px(3)) if self._unit_name else 0
        label = max(least, math.ceil(advance(look.letters(self._name))) + px(8))
        return label, unit + px(BUTTON_WIDTH) * len(self._buttons)

    def eventFilter(self, watched: QWidget, event: QEvent) -> bool:  # type: ignore[override]
        if isinstance(event, QMouseEvent) and event.type() == QEvent.Type.MouseButtonDblClick:
            self._finish(self._default)
            return True
        return super().eventFilter(watched, event)

    def hideEvent(self, event: QHideEvent) -> None:
        if self._notch_timer.isActive():
            self._on_released()
        super().hideEvent(event)
