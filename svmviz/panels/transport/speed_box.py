"""The speed of playing: from one step in two seconds to unlimited."""

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

SPEEDS = Track(MIN_SPEED, MAX_SPEED, endless=True)
FLAT_OUT = "flat out"


class SpeedBox(Column):
    """A slider with the speed in words.

    Parameters
    ----------
    playback : Playback
    parent : QWidget, optional
    """

    def __init__(self, playback: Playback, parent: QWidget | None = None) -> None:
        super().__init__(gap=1.0, across=True, parent=parent)
        self._playback = playback
        self._showing = False
        self._clock = playback.clock
        self.words = self.add(Label())
        self.groove = self.add(Groove())
        self.words.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.groove.setAccessibleName("Speed")
        self.groove.setRange(0, SPEEDS.last)
        self.groove.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.groove.set_marks(SPEEDS.ticks())
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
        self.words.setText(in_words(speed, self._clock))
        if not self.groove.isSliderDown():
            self._showing = True
            self.groove.setValue(SPEEDS.position(speed))
            self._showing = False

    def _on_moved(self, position: int) -> None:
        if not self._showing:
            self._playback.set_speed(SPEEDS.value(position))

    def _fit(self) -> None:
        look = look_of(self)
        measure, px = QFontMetricsF(look.font(BODY)), look.metrics.px
        widest = measure.horizontalAdvance(in_words(88_888.0, self._clock))
        self.words.setFixedWidth(math.ceil(widest) + px(4))
        self.groove.setFixedWidth(px(112))


def in_words(speed: float, clock: Clock = STEPS) -> str:
    """Return the speed as ``8 steps/s``, in the unit of the clock."""
    if math.isinf(speed):
        return FLAT_OUT
    unit = clock.short.removesuffix("s") if speed == 1 else clock.short
    return f"{number(speed, 3)} {'µs' if clock is SECONDS else unit}/s"
