"""The controls that move through the recorded run: scrub bar, buttons, step field, speed.

A race may have a clock that measures kernel evaluations or seconds. Then the numbers of the step
field are positions on that clock ("readings"), and its unit is shown after them.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np
from PySide6.QtCore import QEvent, QSize, Qt, QTimer
from PySide6.QtGui import QFontMetricsF, QIcon
from PySide6.QtWidgets import QSizePolicy, QWidget

from solvers import BadInput
from solvers.run.trace import SUPPORT_CHANGED
from svmviz.base.keys import key_text
from svmviz.base.words import number, read_whole
from svmviz.frames.clocks import SECONDS, STEPS, Clock
from svmviz.playback.playback import Playback
from svmviz.playback.player import MAX_SPEED, MIN_SPEED
from svmviz.playback.tally import Tally
from svmviz.stage.stage import Stage
from svmviz.theme import TEXT, look_of
from svmviz.theme.icons import icon
from svmviz.widgets.column import Column
from svmviz.widgets.icon_button import IconButton
from svmviz.widgets.inputs.number_field import NumberField
from svmviz.widgets.inputs.scrub_bar import ScrubBar
from svmviz.widgets.inputs.slider_scale import Track
from svmviz.widgets.inputs.ticked_slider import Groove
from svmviz.widgets.plain_text import Label, set_tip
from svmviz.widgets.still_text import StillLabel

# Speeds of the slider, in units of the clock per second; the last one is unlimited.
SPEEDS = Track(MIN_SPEED, MAX_SPEED, endless=True)
FLAT_OUT = "flat out"
Command = Callable[[Playback], None]
# Name, icon, tooltip and command of each button, from left to right.
BUTTONS: tuple[tuple[str, str, str, Command], ...] = (
    ("start", "go-start", "Go to the start (R or Home)", lambda p: p.go_to_start()),
    ("back-ten", "skip-back", "Ten steps back (Shift+Left)", lambda p: p.move(-10)),
    ("back", "step-back", "Step back (Left)", lambda p: p.go_back()),
    ("play", "play", "Play or pause (Space)", lambda p: p.toggle()),
    ("step", "step-forward", "Step on (Right)", lambda p: p.go_on()),
    ("on-ten", "skip-forward", "Ten steps on (Shift+Right)", lambda p: p.move(10)),
    ("end", "go-end", "Go to the end (End)", lambda p: p.go_to_end()),
    ("restart", "restart", "Play from the start", lambda p: _restart(p)),
    (
        "next-change",
        "next-change",
        "To the next change of the support vectors (N)",
        lambda p: p.next_change(),
    ),
    (
        "next-sweep",
        "next-sweep",
        "To the next sweep, as many steps as there are points (W)",
        lambda p: p.next_sweep(),
    ),
)
# Share of the width that the bar gets if it is in one row with the buttons.
ROW_SHARE = 0.25
# Name, in the groups below, of the text beside the slider of the speed.
SPEED_WORDS = "speed-words"
# Groups of controls, in the order in which they are hidden if there is little room.
OPTIONAL_GROUPS = (
    ("next-sweep",),
    ("restart",),
    ("back-ten", "on-ten"),
    ("next-change",),
    (SPEED_WORDS,),
    ("start", "end"),
)
# The bar has marks at the steps at which the support vectors changed. This is the time between two
# counts of the marks while a run grows, s.
MARKS_INTERVAL = 0.1
# The run is divided into this number of equal parts, each with a count. Most bars have fewer px.
MARKS_PARTS = 1024


class StepBox(Column):
    """Step and number of steps, such as ``231 / 966``; the Return key goes to a typed step.

    Parameters
    ----------
    stage : Stage
    """

    def __init__(self, stage: Stage) -> None:
        super().__init__(gap=1.0, across=True)
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
        if self._typed is not None:
            return requested
        # While a step is explained, it is the step of the sentence, though not yet taken.
        lane = self._feed.panel_frame.lane
        beat = lane.shown_beat if lane is not None else None
        is_ahead = beat is not None and lane is not None and beat.step > lane.step
        return self._feed.reading + int(is_ahead and self._playback.clock is STEPS)

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
        measure = QFontMetricsF(look.font(TEXT))
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


class SpeedBox(Column):
    """Slider for the speed, and the speed in words.

    Parameters
    ----------
    playback : Playback
    """

    def __init__(self, playback: Playback) -> None:
        super().__init__(gap=1.0, across=True)
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
        measure, px = QFontMetricsF(look.font(TEXT)), look.metrics.px
        widest = measure.horizontalAdvance(speed_words(88_888.0, self._clock))
        self.words.setFixedWidth(math.ceil(widest) + px(4))
        self.groove.setFixedWidth(px(112))


def speed_words(speed: float, clock: Clock = STEPS) -> str:
    """Return the speed as text, such as ``8 steps/s``, in the unit of the clock."""
    if math.isinf(speed):
        return FLAT_OUT
    unit = clock.short.removesuffix("s") if speed == 1 else clock.short
    return f"{number(speed, 3)} {'µs' if clock is SECONDS else unit}/s"


class Transport(Column):
    """Scrub bar, and below it the buttons, the step field and the speed.

    Parameters
    ----------
    stage : Stage
    """

    def __init__(self, stage: Stage) -> None:
        super().__init__(gap=0.0, margin=1.0)
        self._session, self._playback, self._feed = stage.session, stage.playback, stage.feed
        self._prediction = stage.prediction
        # Counts the steps of the lane in focus at which the support vectors changed.
        self._tally: Tally | None = None
        # Share of the width that the bar needs beside the buttons.
        self._bar_share = 0.0
        # Length of the run at the last count of the marks, and the time of that count, s.
        self._counted_length, self._counted_at = -1, 0.0
        # Icon of the play button.
        self._play_icon: QIcon | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.bar = self.add(ScrubBar())
        self.bar.scrubbed.connect(stage.playback.seek)
        self.bar.ranged.connect(self._on_ranged)
        self.bar.words = self._words_at
        self.buttons: dict[str, IconButton] = {}
        row = self._row = self.add(Column(gap=0.5, across=True))
        for name, icon_name, tip, command in BUTTONS:
            self.buttons[name] = row.add(IconButton(icon_name, tip))
            self.buttons[name].clicked.connect(
                lambda _checked=False, command=command: command(stage.playback)
            )
        self.buttons["play"].setProperty("role", "primary")
        row.box.addStretch(1)
        self.stop = row.add(IconButton("stop", f"Stop solving ({key_text('Ctrl+.')})"))
        policy = self.stop.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self.stop.setSizePolicy(policy)
        self.stop.clicked.connect(stage.session.cancel_run)
        self.steps = row.add(StepBox(stage))
        row.box.addStretch(1)
        self.speed = row.add(SpeedBox(stage.playback))
        stage.playback.moved.connect(self._show)
        stage.playback.held.connect(self._show)
        stage.playback.marked.connect(self._show_range)
        stage.prediction.changed.connect(self._show)
        stage.feed.panel_frame_changed.connect(self._show_position)
        stage.session.runs_changed.connect(self._show)
        self._show()

    def lay_in_row(self) -> None:
        """Put the scrub bar behind the buttons, in the same row."""
        self.lay_across(True)
        self.box.removeWidget(self.bar)
        self.add(self.bar, 1)
        self._row.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._bar_share = ROW_SHARE

    def _show(self) -> None:
        playback = self._playback
        player, length, finished = playback.player, playback.length, playback.finished
        self._show_position()
        self._show_range()
        self._show_marks(length, finished)
        self._show_buttons(player.reading, length, finished)
        self.stop.setVisible(self._growing)

    def _on_ranged(self, first: int, last: int) -> None:
        if self._playback.clock is STEPS:
            self._playback.mark(replace(self._playback.marks, loop=(first, last)))

    def _show_range(self) -> None:
        """Show the loop and the bookmarks, unless the bar counts something else than steps."""
        marks, length = self._playback.marks, self._playback.length
        counts = self._playback.clock is STEPS
        flags = tuple(step for step, _ in marks.bookmarks if counts and step <= length)
        self.bar.show_range(marks.loop_within(length) if counts else None, flags)

    @property
    def _growing(self) -> bool:
        """Whether a run still records steps."""
        return bool(self._session.runs) and not self._playback.finished

    def _show_position(self) -> None:
        """Show the step of the frame on screen; the player may be ahead of this frame."""
        self.bar.show_position(self._feed.reading, self._playback.length, self._growing)

    def _show_buttons(self, step: int, length: int, finished: bool) -> None:
        playing = self._playback.player.playing
        play_icon = icon("pause" if playing else "play", on_accent=True)
        # The icon is set only if it changes, because Qt lays out the window for each new icon.
        if play_icon is not self._play_icon:
            self._play_icon = play_icon
            self.buttons["play"].setIcon(play_icon)
        for name in ("start", "back-ten", "back"):
            self.buttons[name].setEnabled(step > 0 or bool(self._playback.beats))
        for name in ("step", "on-ten", "next-change", "next-sweep"):
            self.buttons[name].setEnabled(step < length)
        self.buttons["end"].setEnabled(step < length or not finished)
        for name in ("play", "restart"):
            self.buttons[name].setEnabled(bool(self._session.runs))

    def _words_at(self, reading: int) -> str:
        words = self._playback.clock.in_words(reading)
        if self._playback.clock is STEPS and (name := self._playback.marks.name_of(reading)):
            return f"{words}: {name}"
        return f"{words}: the set of support vectors changes" if self.bar.marks(reading) else words

    def _show_marks(self, length: int, finished: bool) -> None:
        """Mark on the bar the steps at which the support vectors of the lane in focus changed.

        There are no marks while the outcome of a step is asked for, since they show a part of it.
        While its run grows, the marks are counted again every ``MARKS_INTERVAL`` seconds.
        """
        run, now = self._playback.run, time.monotonic()
        if run is None or self._playback.clock is not STEPS or self._prediction.is_asking:
            self._tally = None
            if len(self.bar.density):
                self.bar.show_marks(np.zeros(0), 0)
            return
        if self._tally is None or self._tally.run is not run:
            self._tally, self._counted_length = Tally(run, SUPPORT_CHANGED), -1
        elif length == self._counted_length or not (
            finished or now - self._counted_at > MARKS_INTERVAL
        ):
            return
        steps = min(length, run.steps)
        self._counted_length, self._counted_at = length, now
        density, counted_steps = self._tally.density(steps, MARKS_PARTS)
        self.bar.show_marks(density, counted_steps)
        if finished and counted_steps < steps:
            # One call counts a limited number of steps: go on after the next events.
            self._counted_length = -1
            QTimer.singleShot(0, self, lambda: self._show_marks(length, finished))

    @property
    def min_width(self) -> int:
        """Width of the controls that are never hidden, px."""
        optional = sum(self._width_of(name) for group in OPTIONAL_GROUPS for name in group)
        return self._full_width() - optional

    def minimumSizeHint(self) -> QSize:
        """Return 160 px at scale 1 as width; with more, reopened panels would widen the window."""
        return QSize(look_of(self).metrics.px(160), super().minimumSizeHint().height())

    def event(self, event: QEvent) -> bool:
        is_handled = super().event(event)
        if event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest):
            self._hide_optional()
        elif event.type() == QEvent.Type.StyleChange and hasattr(self, "speed"):
            self._show()
        return is_handled

    def _hide_optional(self) -> None:
        """Hide optional groups, in their order, until the other controls fit."""
        spare_width = self.width() * (1.0 - self._bar_share) - self._full_width()
        for group in OPTIONAL_GROUPS:
            for name in group:
                self._optional(name).setVisible(spare_width >= 0)
            if spare_width < 0:
                spare_width += sum(self._width_of(name) for name in group)

    def _width_of(self, name: str) -> int:
        if name == SPEED_WORDS:
            return self.speed.words.minimumWidth() + self.speed.box.spacing()
        return self.buttons[name].sizeHint().width() + self._row.box.spacing()

    def _optional(self, name: str) -> QWidget:
        return self.speed.words if name == SPEED_WORDS else self.buttons[name]

    def _full_width(self) -> int:
        """Return the width with all controls, px."""
        box, widths = self._row.box, 0
        for index in range(box.count()):
            item = box.itemAt(index)
            widget = item.widget() if item else None
            if widget is self.speed:
                # The size hint of the speed box changes when its words are hidden. With the hint,
                # the words could be hidden and shown in turn without end.
                widths += self.speed.groove.minimumWidth() + self._width_of(SPEED_WORDS)
            elif widget is not None:
                widths += widget.sizeHint().width()
            widths += box.spacing() if widget else 0
        return widths + 2 * self.box.contentsMargins().left()


def _restart(playback: Playback) -> None:
    playback.go_to_start()
    playback.play()
