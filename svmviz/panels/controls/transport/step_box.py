"""A field for the current step, and the number of recorded steps.

A race may have a clock that measures kernel evaluations or seconds. Then both numbers are positions
on that clock ("readings"), and the unit of the clock is shown after them.
"""

from __future__ import annotations

import math

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QWidget

from solvers import BadInput
from svmviz.base.words import read_whole
from svmviz.stage.stage import Stage
from svmviz.theme import BODY, look_of
from svmviz.widgets.column import Column
from svmviz.widgets.inputs.number_field import NumberField
from svmviz.widgets.plain_text import set_tip
from svmviz.widgets.still_label import StillLabel


class StepBox(Column):
    """Step and number of steps, such as ``231 / 966``; the Return key goes to a typed step.

    Parameters
    ----------
    stage : Stage
    parent : QWidget, optional
    """

    def __init__(self, stage: Stage, parent: QWidget | None = None) -> None:
        super().__init__(gap=1.0, across=True, parent=parent)
        self._playback, self._feed = stage.playback, stage.feed
        self.field = self.add(NumberField(_read_reading, lambda reading: f"{reading:,}"))
        self.length = self.add(StillLabel())
        self.field.setAccessibleName("Step")
        self.field.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.field.typed.connect(self._on_typed)
        stage.playback.moved.connect(self._show)
        # The number changes with the frame, at the same time as the sentence on the step.
        stage.feed.panel_frame_changed.connect(self._show)
        # The reading that the user typed; None if the player has moved elsewhere since.
        self._typed: int | None = None
        self._clock = stage.playback.clock
        self.follow_style(StepBox._fit)
        self._show()

    def _show(self) -> None:
        if self._playback.clock is not self._clock:
            self._clock = self._playback.clock
            self._fit()
        self.length.setText(f"/ {self._playback.length:,}{self._clock.suffix}")
        self.field.set_value(self._reading())

    def _reading(self) -> int:
        """Return the reading to show: that of the frame on screen, or the typed one.

        A typed reading is shown at once. Its frame comes later.
        """
        requested = self._playback.player.reading
        if self._typed != requested:
            self._typed = None
        return self._feed.reading if self._typed is None else requested

    def _on_typed(self, step: int) -> None:
        self.field.clearFocus()
        self._typed = min(step, self._playback.reach)
        self._playback.seek(step)
        self._show()

    def _fit(self) -> None:
        """Reserve the width of ten million steps, so that nothing moves while a run grows."""
        clock = self._clock
        set_tip(self, f"{clock.title} shown / recorded. Type a number to go there (G)")
        look = look_of(self)
        measure = QFontMetricsF(look.font(BODY, 600))
        self.field.fit_to("10,000,000")
        self.length.setFixedWidth(
            math.ceil(measure.horizontalAdvance(f"/ 10,000,000{clock.suffix}"))
        )


def _read_reading(text: str) -> int:
    step = read_step(text)
    if step is None:
        raise BadInput("A step is a whole number, such as 231.")
    return step


def read_step(text: str) -> int | None:
    """Return the whole number that a text is, such as 1,000; None if it is no whole number."""
    return read_whole(text.replace(",", "").replace(" ", ""))
