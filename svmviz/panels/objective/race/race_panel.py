"""The Race panel: two to four lanes; their distances from the optimum, or their errors."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu, QSizePolicy, QToolButton

from solvers import METHODS, Method, Run
from solvers.problem.certificate import proves_optimum
from svmviz.base.words import number
from svmviz.document.lanes import COMPARED, other_model, titles_of_lanes
from svmviz.document.ready_races import hint_for
from svmviz.frames.clocks import CLOCKS, Clock
from svmviz.frames.frame import Frame, Lane
from svmviz.frames.objective_curves import ObjectiveCurve
from svmviz.frames.part_risks import error_words
from svmviz.frames.standing import standing_of
from svmviz.frames.studies import Study
from svmviz.panels.frame_panel import FramePanel
from svmviz.panels.objective.objective_chart import log10_or_nan, range_of
from svmviz.panels.objective.race.lane_table import LaneTable
from svmviz.panels.objective.race.race_lines import (
    ROUNDING,
    Mark,
    distances,
    log_readings,
    paint_marks,
    series_colour,
)
from svmviz.panels.objective.race.shared_problem import problem_words, why_no_model, why_not
from svmviz.panels.objective.reference import Optimum, Reference
from svmviz.plane.decision_study import machine_words
from svmviz.plane.lane_title import LaneTitle
from svmviz.plane.paint.title import titles_of
from svmviz.plane.race_tiles import MAX_LANES
from svmviz.stage.stage import Stage
from svmviz.theme import MARKS, active, look_of
from svmviz.widgets.charts.chart import ZOOM_TIP, Chart
from svmviz.widgets.charts.chart_painter import ChartPainter
from svmviz.widgets.charts.plot_area import LOGARITHMIC
from svmviz.widgets.column import NO_LIMIT, Column
from svmviz.widgets.icon_button import IconButton
from svmviz.widgets.inputs.choice_box import ChoiceBox
from svmviz.widgets.plain_text import Label, set_tip
from svmviz.widgets.still_text import StillLabel, StillText

# The list of lanes is beside the chart only if the panel is wider than this times LANES_WIDTH, the
# maximum width of the list (below).
MIN_WIDTH_ACROSS = 2.1
ALONE = (
    "Add a second method, or the same one with another C, γ or kernel: both are then side by side, "
    "moved by the same buttons."
)
CLOCK_TIPS = {
    "steps": "Compare after the same number of steps",
    "evaluations": "Compare after the same number of kernel values k(x, z)",
    "seconds": "Compare after the same solving time, in microseconds (µs).\n"
    "A run below 20 ms is repeated five times; the shortest time counts.",
}
# Names of the horizontal axis, by clock.
READINGS = {
    "steps": "step",
    "evaluations": "kernel values",
    "seconds": "solving time, µs; of a run below 20 ms, the fastest of 6",
}
# In an exported figure, the lanes are above the chart if the panel is higher than this, px at
# scale 1.
MIN_HEIGHT_STACKED = 260
# Maximum width of the list of lanes if it is beside the chart, px at scale 1.
LANES_WIDTH = 285
# In an exported figure, two lanes above the chart are side by side if the room for each is wider
# than this fraction of LANES_WIDTH.
MIN_TITLE_WIDTH = 0.55


class LaneRow(Column):
    """Row of the list of lanes: the title of a lane, and a button that removes it."""

    def __init__(self) -> None:
        super().__init__(gap=1.0, across=True)
        self.title = self.add(LaneTitle(in_panel=True), 1)
        self.remove = self.add(IconButton("close", "Remove this method from the race"))


class RacePanel(FramePanel):
    """Panel with the list of lanes, the choice of the clock, and a chart of P - P* of each lane.

    If the lanes solve different problems, their errors are in place of the chart.

    Parameters
    ----------
    stage : Stage
    """

    name = "race"
    may_stack = True

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage)
        self.optimum: Optimum | None = None
        # Curves, clock, optimum and solving times from which the chart's lines were drawn last.
        self._drawn: object = None
        # log10 of the readings (positions on the clock) at the samples of each curve. The key is
        # the curve, the name of the clock, and the solving time of the run.
        self._log_readings: dict[tuple[ObjectiveCurve, str, float], np.ndarray] = {}
        self.rows: list[LaneRow] = []
        self._beside = self.add(Column(gap=2.0, across=True), 1)
        self._make_lanes()
        self._make_chart()
        stage.feed.curves_changed.connect(self._on_curves)
        stage.playback.moved.connect(self._show_cursor)

    def make_study(self) -> Study:
        return Reference(min_lanes=2)

    def _make_lanes(self) -> None:
        """Make the list of lanes, and below it the button that adds a solver, and a sentence."""
        side = self._side = self._beside.add(Column(gap=1.0))
        self._list = side.add(Column(gap=0.5))
        self.more = self._make_button()
        row = side.add(Column(across=True))
        row.add(self.more)
        row.box.addStretch(1)
        self.words = side.add(StillText(lines=2))
        side.box.addStretch(1)

    def _make_chart(self) -> None:
        """Make the sentence on the problem, the choice of the clock and the chart."""
        self._plot = self._beside.add(Column(gap=0.5), 1)
        self.problem = self._plot.add(StillText(lines=1))
        self.errors = self._plot.add(LaneTable())
        head = self._head = self._plot.add(Column(gap=0.0, across=True))
        # Name of the vertical axis, above the chart.
        self.axis = head.add(StillLabel(), 1)
        clocks = [(clock.name, clock.label, CLOCK_TIPS[clock.name]) for clock in CLOCKS.values()]
        self.clock = head.add(ChoiceBox("", clocks))
        self.clock.combo.setMinimumContentsLength(
            max(len(clock.label) for clock in CLOCKS.values())
        )
        self.clock.combo.setAccessibleName("What the lanes are compared by")
        self.clock.chosen.connect(self.stage.playback.set_clock)
        self.chart = Chart(self._paint, x=LOGARITHMIC, y=LOGARITHMIC, height=110.0)
        self._plot.add(self.chart, 1)
        # Name of the horizontal axis, below the chart.
        self.readings = self._plot.add(Label())
        self.readings.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        # A name that does not fit is cut off. Otherwise it would widen the panel.
        self.readings.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        # Takes the room of the chart if that is hidden.
        self._plot.box.addStretch(0)
        set_tip(self.chart, f"Click or drag to go there. {ZOOM_TIP}")
        self.chart.pressed.connect(self._on_pressed)
        self.chart.restored.connect(lambda: self.stage.playback.seek(self._reading_before))
        # log10 of reading and distance of each lane's samples, shape (m, 2).
        self.lines: list[np.ndarray] = []
        self.marks: tuple[Mark, ...] = ()
        # Clock and runs for which the lines were drawn.
        self._subject: tuple[str, tuple[int, ...]] = ("", ())
        # Reading of the clock before the last click.
        self._reading_before = 0
        # Lower end of the vertical axis, log10.
        self._low = -1.0

    def _make_button(self) -> QToolButton:
        button = QToolButton()
        button.setText("Add a method or model")
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        menu = QMenu(button)
        menu.setToolTipsVisible(True)
        menu.aboutToShow.connect(lambda: self._offer(menu))
        button.setMenu(menu)
        return button

    # The lanes.

    def _offer(self, menu: QMenu) -> None:
        """Fill the menu with all solvers.

        A solver that cannot join the race is disabled, and its tooltip says why.
        """
        menu.clear()
        document = self.stage.session.document
        for method in (kind() for kind in METHODS.values()):
            action = menu.addAction(method.label)
            action.triggered.connect(partial(self.join, method))
            trouble = why_not(document, method)
            action.setEnabled(not trouble)
            set_tip(action, trouble or method.help)
        menu.addSeparator()
        for compared, (name, _) in COMPARED.items():
            action = menu.addAction(f"Another {name} beside this one")
            action.triggered.connect(partial(self.compare, compared))
            action.setEnabled(not why_no_model(document, compared))
            action.setVisible(compared != "epsilon" or document.is_regression)
            set_tip(action, why_no_model(document, compared))

    def join(self, method: Method, _checked: bool = False) -> None:
        """Add a method to the race."""
        self.stage.add_lane(method)

    def compare(self, compared: str, _checked: bool = False) -> None:
        """Put a model with another C, γ, kernel or ε beside the one in focus."""
        own = other_model(self.stage.session.document, compared)
        self.stage.add_lane(self.stage.method, **own)

    def _leave(self, lane: int, _checked: bool = False) -> None:
        session = self.stage.session
        document = session.document
        titles = titles_of_lanes(document)
        remaining = [other for other in range(len(titles)) if other != lane]
        if lane < len(titles) and remaining:
            session.edit(document.with_lanes(remaining), f"End the race of {titles[lane]}")

    def _show_rows(self, frame: Frame) -> None:
        methods = frame.document.methods
        while len(self.rows) < len(methods):
            lane, row = len(self.rows), LaneRow()
            row.title.pressed.connect(lambda lane=lane: self.stage.playback.set_focus(lane))
            row.remove.clicked.connect(partial(self._leave, lane))
            self.rows.append(self._list.add(row))
        alone = len(methods) == 1
        for index, row in enumerate(self.rows):
            row.setVisible(index < len(methods))
            row.remove.setVisible(not alone and not self.gives_way)
        # Before an audience a race can be begun here; after that the key A adds methods.
        self.more.setVisible(len(methods) < MAX_LANES and (alone or not self.gives_way))
        standing = standing_of(frame)
        for index, title in enumerate(titles_of(frame)):
            lane = frame.lanes[index] if index < len(frame.lanes) else None
            focused = not alone and index == frame.focus and not active().printing
            arrival = standing.readings[index] if title.rank else None
            words = self._lane_words(lane, arrival, frame)
            if frame.document.has_one_problem:
                title = replace(title, words=words[0], shorter=words[1:])
            self.rows[index].title.set_title(replace(title, focused=focused))

    def _lane_words(self, lane: Lane | None, arrival: int | None, frame: Frame) -> tuple[str, ...]:
        """Return texts for the row of a lane, the longest first.

        If the run has ended, the texts contain the errors of its model on the parts of the split.
        ``arrival`` is the reading of the clock at which the lane met its tolerance; None if the
        lane has not met it.
        """
        distance = self._distance_words(lane)
        reading = "" if arrival is None else frame.clock.with_unit(arrival)
        words = ", ".join(filter(None, (reading, distance)))
        if lane is None or not lane.at_end or lane.stop is None:
            return words, distance.removeprefix("minimum ")
        errors = error_words(frame.document, lane, machine_words(frame))
        heads = [head for head in (words, reading or distance) if head]
        return (*(f"{head}, {error}" for head in heads for error in errors), *errors)

    def _distance_words(self, lane: Lane | None) -> str:
        if lane is None or self.optimum is None:
            return ""
        if lane.certified_problem.capped:
            return "another problem"
        distance = lane.certificate.primal - self.optimum.value
        if math.isinf(distance):
            return "no margin yet"
        return f"minimum + {number(max(distance, 0.0), 2)}"

    # Display.

    def draw(self, lane: Lane | None, study: Any, frame: Frame) -> None:
        self.optimum = study if isinstance(study, Optimum) else None
        self._show_rows(frame)
        self.clock.set_value(self.stage.playback.clock.name)
        raced = len(frame.document.methods) > 1
        has_one_problem = frame.document.has_one_problem
        hint = hint_for(frame.document) if raced else ALONE
        for widget in (self._head, self.chart, self.readings):
            widget.setVisible(has_one_problem)
        self.errors.setVisible(not has_one_problem)
        if not has_one_problem:
            self.errors.show_lanes(frame)
        self.words.setText(hint)
        self.problem.setText(self._problem_words(frame))
        # Before an audience the height is the chart's.
        self.problem.setHidden(self.gives_way)
        self.words.setVisible(
            bool(hint) and (not raced or (not self.gives_way and self._has_room_below_lanes()))
        )
        self._plot.setVisible(raced)
        self._lay_out()
        if raced and has_one_problem:
            self._show_lines()
            self._show_marks(frame)
        self._show_cursor()

    def _has_room_below_lanes(self) -> bool:
        """Return whether ``words`` fits below the lanes without making the panel scroll."""
        viewport = self.parentWidget()
        height = min(self.height(), viewport.height()) if viewport else self.height()
        button = self.more.sizeHint().height() if self.more.isVisible() else 0
        lanes = self._list.sizeHint().height()
        return lanes + button + self.words.sizeHint().height() < height

    def _lay_out(self) -> None:
        """Lay the lanes out beside the chart, or above it if the panel is narrow."""
        side = look_of(self).metrics.px(LANES_WIDTH)
        wide = self.width() > max(1.5 * self.height(), MIN_WIDTH_ACROSS * side)
        # In an exported figure the chart has the whole width, if the panel is high enough.
        wide = wide and not (
            active().printing and self.height() > look_of(self).metrics.px(MIN_HEIGHT_STACKED)
        )
        self._beside.lay_across(wide)
        count = sum(not row.isHidden() for row in self.rows)
        flat = active().printing and not wide and count < 3
        self._list.lay_across(flat and self.width() > count * side * MIN_TITLE_WIDTH)
        # Before an audience the planes above the chart name their lanes, and the choice of the
        # clock the axis.
        is_bare = self.gives_way and wide and count > 1
        self._side.setHidden(is_bare)
        self.readings.setVisible(self.chart.isVisibleTo(self) and not is_bare)
        # No minimum width is set, because it could make the window wider than its screen.
        self._beside.box.setStretchFactor(self._side, 3 if wide else 0)
        self._beside.box.setStretchFactor(self._plot, 4 if wide else 1)
        self._side.setMaximumWidth(side if wide else NO_LIMIT)
        # The name of the vertical axis is never elided.
        self.axis.setMinimumWidth(self.axis.sizeHint().width())

    def _problem_words(self, frame: Frame) -> str:
        document = frame.document
        words = problem_words(document)
        if self.optimum is None or not document.has_one_problem:
            return words
        # If the dual is not concave, it may have several local maxima.
        lane = frame.lane
        is_proved = (
            lane is not None
            and lane.gap_proves is not None
            and proves_optimum(lane.problem, self.optimum.expansion)
        )
        certainty = "" if is_proved else ", best known"
        certainty = certainty if self.optimum.finished else " so far"
        # Spaces that do not break the line.
        optimum = f"P*\u00a0=\u00a0{number(self.optimum.value)}"
        return f"{words} {optimum}{certainty} ({self.optimum.method})."

    def _on_curves(self, curves: tuple[ObjectiveCurve, ...]) -> None:
        if self.chart.isVisible() and len(curves) > 1:
            self._show_lines()
            self._show_marks(self.stage.feed.panel_frame)

    def _show_lines(self) -> None:
        """Draw ``P - P*`` of each lane if a curve, a solving time, the clock or P* has changed."""
        clock, optimum = self.stage.playback.clock, self.optimum
        known = self.stage.feed.curves
        key = (known, clock.name, optimum, tuple(run.seconds for run in self.stage.session.runs))
        if key == self._drawn or optimum is None:
            return
        self._drawn = key
        runs = {run.number: run for run in self.stage.session.runs}
        curves = [curve for curve in known if curve.run in runs]
        subject = clock.name, tuple(curve.run for curve in curves)
        if subject != self._subject:
            # What was zoomed into belongs to other runs or to another clock.
            self._subject = subject
            self.chart.show_whole()
        xs, ys = self._x_of_curves(curves, clock, runs), []
        for curve in curves:
            # Reduced hulls solve another problem, whose primal cannot be compared.
            y = log10_or_nan(distances(curve, optimum))
            ys.append(np.full(len(y), np.nan) if runs[curve.run].certified_problem.capped else y)
        end = max((float(x.max()) for x in xs if len(x)), default=1.0)
        low, high = range_of(ys)
        self._low = low
        for curve, y in zip(curves, ys, strict=True):
            if not runs[curve.run].certified_problem.capped:
                # Where only rounding error is left, the line is at the lower edge, as its mark is.
                y[np.isnan(distances(curve, optimum))] = low
        self.lines = [np.column_stack(pair) for pair in zip(xs, ys, strict=True)]
        self.chart.set_ranges((0.0, max(end, 0.5) + 0.05), (low, high))
        self.axis.setText("P − its minimum")
        self.readings.setText(READINGS[clock.name])
        self.chart.update()

    def _show_marks(self, frame: Frame) -> None:
        """Draw a dot at the step of each lane, or a flag if it has arrived."""
        optimum, standing, marks = self.optimum, standing_of(frame), []
        if optimum is None or len(self.lines) != len(frame.lanes):
            self._set_marks(())
            return
        for index, (lane, reading) in enumerate(zip(frame.lanes, standing.readings, strict=True)):
            distance = lane.certificate.primal - optimum.value
            if lane.certified_problem.capped or not math.isfinite(distance):
                continue
            # If the distance is only rounding error, line and mark are at the lower edge.
            rounding_error = ROUNDING * max(abs(optimum.value), 1e-300)
            y = math.log10(distance) if distance > rounding_error else self._low
            x = math.log10(max(reading, 1))
            marks.append(Mark(x, y, index, standing.ranks[index] > 0))
        self._set_marks(tuple(marks))

    def _set_marks(self, marks: tuple[Mark, ...]) -> None:
        if marks != self.marks:
            self.marks = marks
            self.chart.update()

    def _paint(self, paint: ChartPainter) -> None:
        for index, line in enumerate(self.lines):
            paint.curve(line, series_colour(paint.theme, index), MARKS.curve_width)
        paint_marks(paint, self.marks)

    def _x_of_curves(
        self, curves: list[ObjectiveCurve], clock: Clock, runs: dict[int, Run]
    ) -> list[np.ndarray]:
        """Return log10 of the readings of each curve, from the cache if the curve is unchanged."""
        cached, self._log_readings = self._log_readings, {}
        for curve in curves:
            # The solving time belongs to the key: a short run is repeated when it has ended, and
            # the shortest time counts.
            key = curve, clock.name, runs[curve.run].seconds
            x = cached.get(key)
            self._log_readings[key] = (
                log_readings(curve, clock, runs[curve.run]) if x is None else x
            )
        return list(self._log_readings.values())

    def _show_cursor(self) -> None:
        if self.isVisible():
            reading = math.log10(max(self.stage.feed.reading, 1))
            self.chart.set_cursor(reading if len(self.lines) > 1 else None)

    def _on_pressed(self, x: float, _y: float) -> None:
        self._reading_before = self.stage.feed.reading
        self.stage.playback.seek(round(10.0 ** min(max(x, 0.0), 15.0)))

    def apply_style(self) -> None:
        self._drawn = None
