"""Lessons in the window: their scenes and panels, and the document that waits behind them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QBoxLayout, QMainWindow, QWidget

from solvers import BadInput
from svmviz.lessons.by_hand import why_not_by_hand
from svmviz.lessons.hand_rules import WEIGHTS_MOVE
from svmviz.lessons.lessons import Lesson, is_lesson_file, read_lesson
from svmviz.lessons.shipped import LESSONS, find_lesson
from svmviz.lessons.shows import HIDDEN, Show
from svmviz.panels.lesson.welcome_bar import WelcomeBar
from svmviz.panels.registry import CARD_CONTROLS, LESSON, PANELS, shown_by_lessons
from svmviz.stage.stage import Stage
from svmviz.tools import TOOLS
from svmviz.window.docks.docks import Docks
from svmviz.window.files.files import Files
from svmviz.window.layouts.layout import IN_LESSON
from svmviz.window.layouts.layouts import LIST
from svmviz.window.memory import WindowMemory
from svmviz.window.messages import Messages

# The lesson of the command Do it yourself, on the scene on screen.
BY_HAND = """---
title: Do it yourself
---
# {method}

Each step asks what the method decides. Click a point in the plane or type its number; a number is
right to 1 %. Model answer lets the run take the step.

{rule}```show
step    {step}
panels  {panels}
view    numbers
```

```steps
ask    Do the next steps yourself.
count  10
```
"""
# Methods that compare values of all points, which the table shows.
COMPARING = ("smo", "hulls")


class Lessons(QObject):
    """The lessons of a window: their scenes and panels, and the return to the user's document.

    Parameters
    ----------
    window : QMainWindow
    stage : Stage
    files : Files
    docks : Docks
    messages : Messages
    memory : WindowMemory
        Stores the last card of each lesson that was read.
    """

    def __init__(
        self,
        window: QMainWindow,
        stage: Stage,
        files: Files,
        docks: Docks,
        messages: Messages,
        memory: WindowMemory,
    ) -> None:
        super().__init__(window)
        self._window, self._stage, self._lesson = window, stage, stage.lesson
        self._files, self._docks, self._messages = files, docks, messages
        self._memory = memory
        # The tool of the mouse that is in use, and that before the lesson.
        self.tool_in_use: Callable[[], str | None] = lambda: None
        self._tool: str | None = None
        self._welcome: WelcomeBar | None = None
        cards = memory.get("lessons", {}) or {}
        self._lesson.left_at.update({n: card for n, card in cards.items() if type(card) is int})
        # The options of the plane before the card hid anything.
        self._options = stage.view.options
        versions = memory.get("lesson versions", {}) or {}
        self._lesson.versions.update({n: k for n, k in versions.items() if type(k) is int})
        self._lesson.make_extras = self._make_extras
        self._lesson.prepare = self._prepare
        self._lesson.card_opened.connect(self._show_card)
        self._lesson.card_done.connect(self._on_done)
        self._lesson.step_answered.connect(stage.playback.seek_when_recorded)
        self._lesson.ended.connect(self._reveal)
        self._lesson.ended.connect(files.take_up)
        self._lesson.ended.connect(lambda: stage.prediction.set_on(False))
        self._lesson.ended.connect(lambda: stage.playback.set_by_beats(False))
        self._lesson.ended.connect(self._remember)
        self._lesson.ended.connect(self._return_tool)
        self._lesson.ended.connect(lambda: docks.layouts.leave(LESSON.name))
        # Emitted if another document is opened or the window closes.
        files.returned.connect(self._lesson.end)
        docks.docks[LESSON.name].installEventFilter(self)

    def welcome(self) -> None:
        """At the first start, offer the first lesson in a line above the plane."""
        centre = self._window.centralWidget()
        layout = centre.layout() if centre is not None else None
        if self._memory.is_first_start and isinstance(layout, QBoxLayout):
            self._welcome = bar = WelcomeBar()
            bar.answered.connect(self._on_welcome)
            self._lesson.card_opened.connect(lambda _show: self._end_welcome())
            layout.insertWidget(0, bar)

    def _on_welcome(self, begins: bool) -> None:
        self._end_welcome()
        if begins:
            self.open(next(iter(LESSONS)))

    def _end_welcome(self) -> None:
        bar, self._welcome = self._welcome, None
        if bar is not None:
            self._memory.put("welcomed", True)
            bar.hide()
            bar.deleteLater()

    def open_file(self, path: str) -> None:
        """Begin the lesson of a file, or open a file of points or a scene."""
        if is_lesson_file(Path(path)):
            self.open(path)
        else:
            self._files.confirm_and_open(path)

    def open(self, name_or_path: str) -> None:
        """Begin a lesson, given its name or its file, which is read in the background."""
        self._files.tasks.start(
            f"Opening {Path(name_or_path).name}…",
            lambda _report: _read(name_or_path),
            self._lesson.choose,
            self._refuse,
        )

    def do_it_yourself(self) -> None:
        """Begin an exercise over the next steps of the run on screen, or over its first ones."""
        playback = self._stage.playback
        run = playback.run
        if run is None:
            self._messages.notify("There are no steps yet.")
        elif trouble := why_not_by_hand(run):
            self._messages.notify(trouble)
        else:
            step = 0 if playback.is_at_end else playback.step
            panels = "table" if run.method.name in COMPARING else ""
            moves = getattr(run.method, "algorithm", "") == "mdm"
            rule = f"{WEIGHTS_MOVE}\n\n" if moves else ""
            label = run.method.label
            text = BY_HAND.format(method=label, rule=rule, step=step, panels=panels)
            self._lesson.left_at.pop("do-it-yourself", None)
            self._lesson.begin(read_lesson(text, "do-it-yourself"))

    def _prepare(self, make: Callable[[], Any], then: Callable[[Any], None]) -> None:
        self._files.tasks.start("Preparing the lesson…", lambda _report: make(), then, self._refuse)

    def _refuse(self, error: Exception) -> None:
        if not isinstance(error, BadInput):
            raise error
        self._messages.warn("The lesson was not opened", str(error))

    def _return_tool(self) -> None:
        if self._tool is not None and self._tool != self.tool_in_use():
            self._lesson.tool_requested.emit(self._tool)

    def _remember(self) -> None:
        self._memory.put("lessons", self._lesson.left_at)
        self._memory.put("lesson versions", self._lesson.versions)

    def _show_card(self, show: Show) -> None:
        # Stops of a lecture often show the same points at another step.
        goes_on = self._stage.lecture.is_open and self._docks.layouts.has(LESSON.name)
        self._files.lay_aside()
        if not self._docks.layouts.has(LESSON.name):
            self._docks.layouts.bring(IN_LESSON, LESSON.name)
            self._tool = self.tool_in_use()
        self._reveal()
        lesson, stage = self._lesson.lesson, self._stage
        assert lesson is not None
        # First, because it stops the way to a step.
        stage.playback.set_by_beats(show.explains)
        if show.scene:
            self._files.show_scene(show.read_scene(), title=lesson.title, goes_on=goes_on)
        elif show.view:
            stage.view.show(show.options_over(stage.view.options))
        if show.row:
            self._show_step(show)
            self._show_panels(show)
            stage.prediction.set_on(show.predicts_first)
        if show.hide and self._lesson.task is not None:
            self._options = stage.view.options
            stage.view.show(show.hidden(self._options))
            stage.view.hide(show.hide)

    def _show_step(self, show: Show) -> None:
        if show.clock:
            self._stage.playback.set_clock(show.clock)
        if show.step is not None:
            self._stage.playback.seek_when_recorded(show.step)
        else:
            self._stage.playback.go_to_end()

    def _show_panels(self, show: Show) -> None:
        if show.derivation:
            self._stage.reading.choose(show.derivation)
        self._choose(show)
        if show.tool:
            self._lesson.tool_requested.emit(show.tool)
        if show.explains:
            # The panels are those of the layout that explains.
            return
        document = self._stage.session.document
        names = [n for n in show.panels if n not in PANELS or PANELS[n].fits(document)]
        self._docks.layouts.show_panels(names)
        if self._docks.elsewhere is not None and self._stage.lecture.is_open:
            self._docks.elsewhere.show_stop(names)

    def _choose(self, show: Show) -> None:
        """Make the choices of a card in panels; a stop's panels have no others."""
        view, choices = self._stage.view, dict(show.choices)
        if self._stage.lecture.is_open:
            for key in [*view.choices]:
                if key.partition(".")[0] in show.panels and key not in choices:
                    view.forget(key)
        view.choose(choices)

    def _make_extras(self, show: Show) -> list[QWidget]:
        """Return the derivation and the controls of a card."""
        extras: list[QWidget] = []
        if show.derivation:
            panel = PANELS["derivation"].make(self._stage)
            panel.choice.hide()
            # The card also has a button Back.
            panel.back.setText("Previous line")
            panel.set_margin(0.0)
            extras.append(panel)
        if show.controls:
            extras.append(CARD_CONTROLS(self._stage, frozenset(show.controls)))
        return extras

    def _on_done(self) -> None:
        """Show again what the card has hidden, except what the next card hides too."""
        lesson = self._lesson
        assert lesson.lesson is not None
        cards = lesson.lesson.cards
        self._reveal(() if lesson.is_last else cards[lesson.index + 1].show.hide)

    def _reveal(self, but: tuple[str, ...] = ()) -> None:
        """Show again what a card has hidden, except ``but``."""
        view = self._stage.view
        names = (name for word in view.hidden.difference(but) for name in HIDDEN[word])
        view.set(**{name: getattr(self._options, name) for name in names})
        view.hide(view.hidden.intersection(but))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        # The user has closed the panel by its title or the menu.
        if event.type() == QEvent.Type.Close:
            self._lesson.end()
            self._docks.layouts.leave(LIST)
        return super().eventFilter(watched, event)


def _read(name_or_path: str) -> Lesson:
    lesson = find_lesson(name_or_path)
    lesson.check_names(shown_by_lessons(), TOOLS)
    return lesson
