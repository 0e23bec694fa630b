"""Lectures in the window: adding what is on screen, keeping the stops, and writing files."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QWidget
from shiboken6 import isValid

from solvers import BadInput
from solvers.cancelling import Report
from solvers.run.method import counted
from svmviz.base.background import Worker
from svmviz.base.delivery import delivering
from svmviz.base.keys import key_text
from svmviz.document.lanes import solve_lanes
from svmviz.frames.clocks import CLOCKS
from svmviz.frames.frame import Frame
from svmviz.frames.lane_reader import make_frame
from svmviz.frames.viewport import SMALLEST_GRID
from svmviz.io.atomic import write_atomically
from svmviz.io.left_scenes import keep_lecture, read_kept_lecture
from svmviz.lessons.lecture import as_lecture, lecture_text, stop_at, with_pen
from svmviz.lessons.lessons import ENDING, Card, Lesson, read_lesson, read_lesson_file
from svmviz.lessons.shows import Show
from svmviz.panels.registry import shown_by_lessons
from svmviz.plane.small_picture import paint
from svmviz.stage.stage import Stage
from svmviz.theme import active
from svmviz.tools import TOOLS
from svmviz.widgets.file_dialog import ask_open_path
from svmviz.window.docks.docks import Docks
from svmviz.window.files.exports import Exports
from svmviz.window.files.files import Files
from svmviz.window.files.process_figure import draw_lecture
from svmviz.window.memory import WindowMemory
from svmviz.window.messages import Messages
from svmviz.window.quick_changes import model_words

FILTER = f"Lectures (*{ENDING})"
# Time from opening a stop to its picture, ms, in which its run may end.
PAINT_DELAY = 700
# Time from a stroke of the pen to the file that keeps it, ms; more strokes often follow.
KEEP_DELAY = 1500
# Scenes with more points get a picture only when they are shown, since solving them takes long.
MAX_POINTS = 1000


class Lectures(QObject):
    """The commands of a lecture.

    Parameters
    ----------
    window : QWidget
    stage : Stage
    files : Files
    exports : Exports
        Writes the lecture as a page.
    docks : Docks
    messages : Messages
    memory : WindowMemory
    """

    def __init__(
        self,
        window: QWidget,
        stage: Stage,
        files: Files,
        exports: Exports,
        docks: Docks,
        messages: Messages,
        memory: WindowMemory,
    ) -> None:
        super().__init__(window)
        self._window = window
        self._stage, self._files, self._exports, self._docks = stage, files, exports, docks
        self._messages, self._memory, self._lecture = messages, memory, stage.lecture
        self._worker = Worker("svmviz-stops")
        # The sentence on the stop that was added last.
        self._said = ""
        self._delay = QTimer(self, singleShot=True, interval=PAINT_DELAY)
        self._delay.timeout.connect(self._paint_shown)
        self._keep_timer = QTimer(self, singleShot=True, interval=KEEP_DELAY)
        self._keep_timer.timeout.connect(self.keep)
        kept = read_kept_lecture() if memory.log_file is not None else ""
        if kept:
            self._read(lambda _report: _checked(read_lesson(kept, "lecture")))
        self._lecture.changed.connect(self._on_changed)
        self._lecture.changed.connect(self._paint_next)
        self._lecture.drawn.connect(self._delay.start)
        self._lecture.drawn.connect(self._keep_timer.start)
        self._lecture.asked.connect(self._answer)
        stage.lesson.card_opened.connect(lambda _show: self._delay.start())

    # Stops.

    def add(self) -> None:
        """Add what is on screen as a stop, and say so."""
        self._with_stop(self._on_made)

    def open(self) -> None:
        """Open the lecture to be given; without stops, say how one is made."""
        self._messages.withdraw(self._said)
        if self._lecture.lesson is None:
            self._say_empty()
            return
        self._lecture.open()

    def _say_empty(self) -> None:
        undo = [("Undo", self._lecture.undo)] if self._lecture.can_undo else []
        keys = key_text("Ctrl+L")
        self._messages.notify(
            f"The lecture has no stops. Add to lecture ({keys}) adds what is on screen.", undo
        )

    def _duplicate(self, index: int) -> None:
        try:
            self._lecture.duplicate(index)
        except BadInput as error:
            self._messages.warn("The stop was not added", str(error))

    def _on_made(self, stop: Card) -> None:
        try:
            index = self._lecture.add(stop)
        except BadInput as error:
            self._messages.warn("The stop was not added", str(error))
            return
        self._paint(stop.show, self._stage.feed.frame)
        actions = [("Undo", self._lecture.undo)]
        if not self._lecture.is_open:
            actions.append(("Show the lecture", self.open))
        self._said = f"This is stop {index + 1} of your lecture."
        self._messages.notify(self._said, actions)

    def _with_stop(self, receive: Any) -> None:
        """Make a stop of what is on screen in the background, and pass it on."""
        scene, show = self._files.scene(), self._show()
        lane = self._stage.feed.panel_frame.lane
        if show.explains and scene.step is not None:
            beat = lane.shown_beat if lane is not None else None
            scene = replace(scene, step=beat.step if beat is not None else scene.step + 1)
        card = self._stage.lesson.card if not self._lecture.is_open else None
        title = card.title if card is not None else self._title(scene.step)
        body = card.body if card is not None else ()
        self._files.tasks.start(
            "Adding to the lecture…",
            lambda _report: stop_at(scene, show, title, body),
            receive,
            lambda error: self._messages.warn("The stop was not added", str(error)),
        )

    def _title(self, step: int | None) -> str:
        """Return a title for a stop that has no text: the model and the step."""
        document = self._stage.session.document
        words, loop = model_words(document), self._stage.playback.loop
        if loop is not None and not self._stage.playback.by_beats:
            return f"{words} · steps {loop[0]:,} to {loop[1]:,}"
        explained = " explained" if self._stage.playback.by_beats else ""
        return words if step is None else f"{words} · step {step:,}{explained}"

    def _show(self) -> Show:
        """Return what is shown beside the scene."""
        stage = self._stage
        explains = stage.playback.by_beats
        is_race = len(stage.session.document.methods) > 1
        # An audience may see another panel than the window behind it.
        elsewhere = self._docks.elsewhere
        seen = self._docks.layouts.shown if elsewhere is None else elsewhere.panels
        panels = () if explains else tuple(seen)
        card = stage.lesson.card
        derivation = card.show.derivation if card is not None else ""
        if "derivation" in panels:
            derivation = stage.reading.derivation.name
        choices = sorted(stage.view.choices.items())
        return Show(
            panels=panels,
            choices=tuple((key, v) for key, v in choices if key.partition(".")[0] in panels and v),
            controls=card.show.controls if card is not None else (),
            clock=stage.playback.clock.name if is_race else "",
            derivation=derivation,
            explains=explains,
        )

    # Files.

    def _answer(self, wish: str) -> None:
        """Do what a button of the list asks for."""
        index = self._stage.lesson.index
        wishes = {
            "update": lambda: self._with_stop(partial(self._lecture.update, index)),
            "duplicate": partial(self._duplicate, index),
            "open": self._ask_open,
            "save": lambda: self._ask_save("Save lecture", FILTER),
            "pdf": lambda: self._ask_save("Lecture as PDF", "PDF (*.pdf)"),
            "page": self._exports.ask_page,
        }
        wishes[wish]()

    def _ask_open(self) -> None:
        path = ask_open_path(self._window, "Open lecture", self._memory.folder, FILTER)
        if path:
            self.open_file(Path(path))

    def open_file(self, path: Path) -> None:
        """Read the lecture of a file in the background, and open it in place of the present one."""
        self._read(lambda _report: _checked(read_lesson_file(path)), opens=True)

    def _read(self, work: Any, opens: bool = False) -> None:
        def done(lesson: Lesson) -> None:
            before = self._lecture.lesson
            self._lecture.load(lesson)
            if opens and before is not None:
                count = counted(len(before.cards), "stop")
                words = f"This lecture replaces “{before.title}”, which had {count}."
                self._messages.notify(words, [("Undo", self._lecture.undo)])
            if opens:
                self._lecture.open()

        def failed(error: Exception) -> None:
            self._messages.warn("The lecture was not opened", str(error))

        self._files.tasks.start("Opening the lecture…", work, done, failed)

    def _ask_save(self, title: str, file_filter: str) -> None:
        lecture = self._lecture.lesson
        if lecture is None:
            return
        ending = ".pdf" if "pdf" in file_filter else ENDING
        proposed = Path(self._memory.folder) / f"{lecture.name}{ending}"
        target = self._messages.ask_target(title, str(proposed), file_filter)
        if target is None:
            return
        if ending == ".pdf" and self._stage.view.options.pen:
            lecture = with_pen(lecture)
        work = partial(_write_pdf if ending == ".pdf" else _write_text, lecture, target)
        self._files.export("lecture", target, work)

    def _on_changed(self) -> None:
        if self._lecture.lesson is None:
            self._say_empty()
        self.keep()

    def keep(self) -> None:
        """Keep the stops for the next start."""
        self._keep_timer.stop()
        lecture = self._lecture.lesson
        if self._memory.log_file is not None:
            keep_lecture("" if lecture is None else lecture_text(lecture))

    # Pictures.

    def _paint_shown(self) -> None:
        """Paint the stop that is shown."""
        card = self._stage.lesson.card
        if self._lecture.is_open and card is not None:
            self._paint(card.show, self._stage.feed.frame)

    def _paint(self, show: Show, frame: Frame) -> None:
        if frame.lanes:
            options, theme = self._stage.view.options, active().theme
            work = partial(paint, frame, options, theme)
            Worker("svmviz-stop").do(delivering(lambda: (show, work()), self._on_painted))

    def _paint_next(self) -> None:
        """Paint the first stop without a picture, beside all other work; then the next one."""
        pictures = self._lecture.pictures
        show = next((s.show for s in self._lecture.stops if s.show not in pictures), None)
        if show is not None and not self._delay.isActive():
            theme = active().theme
            self._worker.do(delivering(lambda: (show, _picture(show, theme)), self._on_picture))

    def _on_painted(self, painted: tuple[Show, QImage]) -> None:
        # The window may have been closed meanwhile.
        if isValid(self._lecture):
            self._lecture.paint(*painted)

    def _on_picture(self, painted: tuple[Show, QImage]) -> None:
        self._on_painted(painted)
        if isValid(self._lecture):
            self._paint_next()


def _picture(show: Show, theme: Any) -> QImage:
    """Return the picture of a stop that was not on screen; null of a scene with many points."""
    scene = show.read_scene()
    document = scene.document
    if document.n > MAX_POINTS:
        return QImage()
    try:
        runs = solve_lanes(document)
    except BadInput:
        return QImage()
    clock = CLOCKS[show.clock or "steps"]
    steps = clock.steps(runs, clock.reading_at(runs, 0, show.step))
    frame = make_frame(document, runs, steps, SMALLEST_GRID)
    return paint(frame, scene.options, theme)


def _checked(talk: Lesson) -> Lesson:
    talk.check_names(shown_by_lessons(), TOOLS)
    return as_lecture(talk)


def _write_text(lecture: Lesson, path: Path, _report: Report) -> None:
    write_atomically(path, lecture_text(lecture))


def _write_pdf(lecture: Lesson, path: Path, report: Report) -> None:
    draw_lecture(lecture_text(lecture), path, report)
