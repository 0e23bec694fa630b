"""The speed of playing: from half a unit of the clock (such as a step) per second to unlimited."""

from __future__ import annotations

import math

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QSizePolicy, QWidget

from svmviz.base.words import number
from svmviz.frames.clocks import SECONDS, STEPS, Clock
from svmviz.playback.playback import Playback
from svmviz.playback.player import MAX_SPEED, MIN_SPEED
from svmviz.theme import BODY, look_of
from svmviz.widgets.column import Column
from svmviz.widgets.inputs.slider_scale import Track
from svmviz.widgets.inputs.ticked_slider import Groove
from svmviz.widgets.plain_text import Label, set_tip

# Speeds of the slider, in units of the clock per second; the last one is unlimited.
SPEEDS = Track(MIN_SPEED, MAX_SPEED, endless=True)
FLAT_OUT = "flat out"


class SpeedBox(Column):
    """Slider for the speed, and the speed in words.

    Parameters
    ----------
    playback : Playback
    parent : QWidget, optional
    """

    def __init__(self, playback: Playback, parent: QWidget | None = None) -> None:
        super().__init__(gap=1.0, across=True, parent=parent)
        self._playback = playback
        # Whether the program moves the slider. The signal of the slider is then ignored.
        self._is_updating = False
        self._clock = playback.clock
        self.words = self.add(Label())
        self.groove = self.add(Groove())
        self.words.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.groove.setAccessibleName("Speed")
        self.groove.setRange(0, SPEEDS.last)
        self.groove.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.groove.set_marks(SPEEDS.ticks(), stops=SPEEDS.stops())
        self.groove.valueChanged.connect(self._on_moved)
        set_tip(self, "Speed of playing; flat out shows the newest step at every redraw (+, −)")
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        playback.moved.connect(self._show)
        self.follow_style(SpeedBox._fit)
        self._show()

    def _show(self) -> None:
        speed = self._playback.player.speed
        if self._playback.clock is not self._clock:
            self._clock = self._playback.clock
            self._fit()
        self.words.setText(speed_words(speed, self._clock))
        self.groove.set_words(self.words.text())
        if not self.groove.isSliderDown():
            self._is_updating = True
            self.groove.setValue(SPEEDS.position(speed))
            self._is_updating = False

    def _on_moved(self, position: int) -> None:
        if not self._is_updating:
            self._playback.set_speed(SPEEDS.value(position))

    def _fit(self) -> None:
        """Fix the widths; 88,888 stands for the widest number of a speed."""
        look = look_of(self)
        measure, px = QFontMetricsF(look.font(BODY)), look.metrics.px
        widest = measure.horizontalAdvance(speed_words(88_888.0, self._clock))
        self.words.setFixedWidth(math.ceil(widest) + px(4))
        self.groove.setFixedWidth(px(112))


def speed_words(speed: float, clock: Clock = STEPS) -> str:
    """Return the speed as text, such as ``8 steps/s``, in the unit of the clock."""
    if math.isinf(speed):
        return FLAT_OUT
    unit = clock.short.removesuffix("s") if speed == 1 else clock.short
    return f"{number(speed, 3)} {'µs' if clock is SECONDS else unit}/s"
