"""The window of a presentation, which fills the screen, and its keys."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import QEvent, QObject, QPointF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QCloseEvent,
    QCursor,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QResizeEvent,
    QShortcut,
)
from PySide6.QtWidgets import QApplication, QBoxLayout, QHBoxLayout, QWidget

from svmviz.base.keys import key_text
from svmviz.lessons.lecture import is_made
from svmviz.panels.controls.transport.transport import Transport
from svmviz.panels.registry import LESSON
from svmviz.stage.stage import Stage
from svmviz.theme import SENTENCE, SIZED_BY_HEIGHT, STRONG, look_of
from svmviz.widgets.answer_form import AnswerForm
from svmviz.widgets.column import Column
from svmviz.widgets.icon_button import IconButton
from svmviz.widgets.plain_text import Label
from svmviz.window.docks.docks import Docks
from svmviz.window.planes import Planes
from svmviz.window.presentation.caption import Caption, ModelCaption, ProgressLine
from svmviz.window.presentation.panel_letter import MODIFIERS, PanelLetters
from svmviz.window.presentation.pointer import PointerRing, PointerWatch
from svmviz.window.presentation.presentation_frame import PresentationFrame
from svmviz.window.presentation.side_panel import Room, SidePanel

# Transport and panel button are shown while the mouse is at the lower edge, in this fraction of the
# height; they are hidden this time after the last movement of the mouse there, ms.
EDGE_SHARE, CONTROLS_DURATION = 0.08, 2500
# While this key is held, a ring of light marks the mouse (`PointerRing`).
POINTER_KEY = Qt.Key.Key_L
# While a key is held it repeats faster than this, s.
HOLD_GAP = 0.4
# Letters of numbers such as 1e-3 and inf.
IN_NUMBERS = "einf"
# Events of a key: Qt sends only the first one if the key is that of a shortcut.
KEY_EVENTS = (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress)
# Movements of the mouse below this length, px, do not count: a bump against the table may cause
# such a movement.
MIN_MOVEMENT = 3.0
# Names of the panels that are shown if the user asks for one and the layout has none, in a race and
# otherwise.
FIRST_IN_RACE, FIRST = "race", "objective"
# No panel was opened by a command.
NONE_OPENED = "", "", False, Room.SMALL


class PresentationScreen(Column):
    """The planes and, below them, the progress line and the sentence of the step.

    Call :meth:`add_content` before it is shown.

    Parameters
    ----------
    stage : Stage
    planes : Planes
    docks : Docks
        The panels of the window.

    Attributes
    ----------
    caption : Caption
    line : ProgressLine
    model : ModelCaption
    side : SidePanel
        The panel beside or below the planes; hidden if no panel is chosen.
    ring : PointerRing
        Shown at the mouse while L or a button of the mouse is held.
    controls : PresentationFrame
        The transport and the choice of a panel, in place of the sentence while the mouse is there.
    blank : QWidget
        A black cover, shown to draw attention away from the picture.

    Signals
    -------
    leave_requested : the user wants to return to the window
    """

    leave_requested = Signal()

    def __init__(self, stage: Stage, planes: Planes, docks: Docks) -> None:
        super().__init__(gap=0.0)
        self.setWindowTitle("Presentation — svmviz")
        self.setProperty(SIZED_BY_HEIGHT, True)
        self._stage, self._planes, self._docks = stage, planes, docks
        self.side = SidePanel(stage, docks, self)
        self._both = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._both.setSpacing(0)
        self._both.addWidget(self.side)
        self.side.moved.connect(self._arrange)
        # The title that a stop of a lecture was given, as on a slide.
        self.heading = self.add(Label())
        self.heading.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.box.addLayout(self._both, 1)
        self.line, self.caption = self.add(ProgressLine(stage)), self.add(Caption(stage))
        self.model = ModelCaption(stage, planes, self)
        self.ring = PointerRing(self)
        self._watch: PointerWatch | None = None
        # The panel that a command opened last, and before that: what was chosen, whether it was
        # off, and its room.
        self._opened = NONE_OPENED
        # Whether the panel fills the screen, and the planes are hidden.
        self._is_covered = False
        self.panel_button = IconButton(
            "chart", "The next panel of the layout, after the last one none (Shift+P)"
        )
        self.panel_button.clicked.connect(self.next_panel)
        self.controls = self._make_controls(stage)
        self.blank = QWidget(self)
        self.blank.setStyleSheet("background: black;")
        self.blank.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.blank.hide()
        self._mouse = QPointF()
        # The time at which a key last moved the step, s.
        self._moved_at = 0.0
        self._controls_timer = QTimer(self, singleShot=True, interval=CONTROLS_DURATION)
        self._controls_timer.timeout.connect(self._hide_controls)
        self._n_points = stage.session.document.n
        stage.session.document_changed.connect(self._note_point)
        stage.lesson.changed.connect(self._show_heading)
        self._show_heading()
        for entry in KEYS:
            for key in entry.keys:
                self._add_shortcut(QKeySequence(key), partial(entry.run, self), entry.repeats)
        for name, toggle in docks.toggles.items():
            for key in toggle.shortcuts():
                self._add_shortcut(key, partial(self.choose_by_letter, name), False)

    def _add_shortcut(self, key: QKeySequence, run: Callable[[], object], repeats: bool) -> None:
        shortcut = QShortcut(key, self)
        shortcut.setAutoRepeat(repeats)
        shortcut.activated.connect(run)

    def add_content(self, content: QWidget) -> None:
        """Put the planes, or a widget that contains them, beside the panel.

        The content is deleted with this widget unless it is moved elsewhere before.
        """
        self._both.insertWidget(0, content, 1)
        self._planes.notice.lie_over(self, self.caption.height, fills=True)
        self.model.raise_()

    # Commands of keys.

    def move_by(self, steps: int) -> None:
        """Go one step or beat forward if ``steps`` is positive; go one back if it is negative.

        If a part of the panel is out of sight in this direction, the panel is scrolled instead,
        because a clicker has no other key. If a question waits, going forward shows its answer. At
        the end of a run it goes to the next card of a lesson, but not while the key is held.
        """
        is_held, self._moved_at = time.monotonic() - self._moved_at < HOLD_GAP, time.monotonic()
        if self.blank.isHidden() and self.side.scroll(steps):
            return
        if steps > 0 and self.blank.isHidden() and self._stage.prediction.look():
            return
        playback = self._stage.playback
        if steps > 0 and self.blank.isHidden() and self._ends_card and not playback.detour(1):
            if not is_held:
                self._stage.lesson.go_on()
            return
        self._show_picture_or(playback.go_on if steps > 0 else playback.go_back)

    @property
    def _ends_card(self) -> bool:
        """Whether the card of a lesson is shown, and no step follows."""
        lesson, playback = self._stage.lesson.lesson, self._stage.playback
        if lesson is None or lesson.is_talk or not self.side.has_open_card:
            return False
        has_run = bool(self._stage.session.runs)
        return has_run and playback.is_at_end and not playback.by_beats

    def leave(self) -> None:
        """End one thing: a question that waits, a panel that a command opened, an explanation.

        The question is ended by its answer. Without any of these, leave the presentation.
        """
        if self._stage.prediction.look():
            return
        side, (opened, before, was_off, room) = self.side, self._opened
        self._opened = NONE_OPENED
        if opened and opened == side.chosen and not side.isHidden():
            side.room = room
            side.choose(before)
            side.is_off = was_off
            side.follow()
            self._say_panel()
        elif self._stage.is_explaining:
            self._stage.playback.set_by_beats(False)
        else:
            self.leave_requested.emit()

    def go_to_start(self) -> None:
        """Go to step 0."""
        self._show_picture_or(self._stage.playback.go_to_start)

    def go_to_end(self) -> None:
        """Go to the last step."""
        self._show_picture_or(self._stage.playback.go_to_end)

    def toggle_playing(self) -> None:
        """Play or pause."""
        self._show_picture_or(self._stage.playback.toggle)

    def toggle_blank(self) -> None:
        """Make the screen black, or show the picture again."""
        self.blank.setVisible(self.blank.isHidden())
        self.blank.raise_()

    def hold_pointer(self) -> None:
        """Show the ring of light until the key is released."""
        if self._watch is not None and self.blank.isHidden():
            self._watch.hold_key()

    def toggle_panel(self) -> None:
        """Hide the panel, or show it again; without one, show one of the layout."""
        side = self.side
        side.is_off = not side.isHidden()
        side.follow()
        if not side.is_off and side.isHidden():
            is_race = len(self._stage.session.document.methods) > 1
            first = FIRST_IN_RACE if is_race else FIRST
            self.show_panel(next(iter(self._docks.layouts.panels), first))
        else:
            self._say_panel()

    def next_panel(self) -> None:
        """Show the next panel of the layout that the window has; after the last one, none.

        After the last one, a lesson shows its card beside the planes again.
        """
        names, side = self._docks.layouts.panels, self.side
        index = names.index(side.single) + 1 if side.single in names else 0
        if index < len(names):
            self.show_panel(names[index], is_large=side.has_open_card)
        elif names:
            side.end_single()
            self._say_panel()
        else:
            self.toggle_panel()

    def open_panel(self, name: str) -> QWidget | None:
        """Show a panel for a command of the window, such as F7; Esc ends what this opened."""
        side = self.side
        if name != side.chosen or side.is_off:
            opened, before, was_off, room = self._opened
            if side.chosen != opened:
                before, was_off, room = side.chosen, side.is_off, side.room
            self._opened = name, before, was_off, room
        # Beside a card there is no room for a panel but that of the planes.
        return self.show_panel(name, is_large=side.has_open_card and name != LESSON.name)

    @property
    def panels(self) -> list[str]:
        """Names of the panels in sight; at most one."""
        return self.side.panels

    def show_stop(self, names: Sequence[str]) -> None:
        """Show the last one of these panels, as a stop of a lecture asks; without any, none."""
        self.side.room = Room.SMALL
        self.side.choose(names[-1] if names else "")

    def show_panel(self, name: str, is_large: bool = False) -> QWidget | None:
        """Show a panel, in place of the planes if large, and return it."""
        if is_large and self.side.room is Room.SMALL:
            self.side.room = Room.LARGE
        self.side.choose(name)
        self._say_panel()
        return self.side.panel

    def choose_by_letter(self, name: str) -> None:
        """Show a panel, or hide it if it is shown; say why if it does not fit the document."""
        if name == self.side.chosen and not self.side.isHidden():
            self.toggle_panel()
        elif not self._docks.toggles[name].isEnabled():
            self._docks.refuse(name)
        else:
            self.show_panel(name)

    def swap(self) -> None:
        """Let plane and panel change places: the large one becomes the small one."""
        self._give(Room.SMALL if self.side.room is Room.LARGE else Room.LARGE)

    def fill(self) -> None:
        """Let the panel fill the screen, or return it beside the planes."""
        self._give(Room.SMALL if self.side.room is Room.ALL else Room.ALL)

    def _give(self, room: Room) -> None:
        """Give the panel a place; if none is shown, show one in this place."""
        if self.side.isHidden():
            self.toggle_panel()
        self.side.room = room
        self.side.follow()

    def _note_point(self) -> None:
        """Say that a click has added a point, which before an audience may be a mistake."""
        before, self._n_points = self._n_points, self._stage.session.document.n
        if self._n_points == before + 1 and self.isVisible():
            self._planes.word.show_word("Point added", f"{key_text('Ctrl+Z')} removes it")

    def _show_heading(self) -> None:
        """Show the title of a stop, unless it is on a card or the program has made it."""
        lecture, card = self._stage.lecture, self._stage.lesson.card
        is_own = lecture.is_open and card is not None and not card.body
        title = card.title if card is not None and is_own and not is_made(card.title) else ""
        self.heading.setText(title)
        self.heading.setHidden(not title)

    def _say_panel(self) -> None:
        side = self.side
        explained = "" if side.isHidden() else "The step explained"
        self._planes.word.show_word(side.title or explained or "No panel")

    def _arrange(self) -> None:
        """Put planes and panel where the room of the panel says."""
        side, directions = self.side, QBoxLayout.Direction
        across = directions.RightToLeft if side.room is Room.LARGE else directions.LeftToRight
        self._both.setDirection(directions.TopToBottom if side.is_below else across)
        is_covered = side.covers
        if is_covered != self._is_covered:
            self._is_covered = is_covered
            self._planes.setHidden(is_covered)
            if not is_covered:
                self._planes.main.setFocus()
        self.model.place()

    def _show_picture_or(self, move: Callable[[], None]) -> None:
        """If the screen is black, show the picture again; if it is not, call ``move``.

        In this way the audience sees every step. Without runs, ``move`` is not called.
        """
        if not self.blank.isHidden():
            self.blank.hide()
        elif self._stage.session.runs:
            move()

    # Controls.

    def _make_controls(self, stage: Stage) -> PresentationFrame:
        controls = PresentationFrame(self)
        controls.setProperty("role", "card")
        layout = QHBoxLayout(controls)
        layout.setContentsMargins(0, 0, 0, 0)
        transport = Transport(stage)
        transport.lay_in_row()
        layout.addWidget(transport, 1)
        layout.addWidget(self.panel_button, 0, Qt.AlignmentFlag.AlignVCenter)
        controls.hide()
        return controls

    def watch_mouse(self) -> None:
        """Begin to show controls and ring when the mouse is used; call it once, after ``show``."""
        self._mouse = QPointF(QCursor.pos())
        handle = self.windowHandle()
        if handle is not None:
            # The planes handle their own mouse events, and pass none on to this widget.
            handle.installEventFilter(self)
            self._watch = PointerWatch(handle, POINTER_KEY, self._to_picture, self.ring)
            PanelLetters(handle, self._stage, self._planes.notice, self)

    def _to_picture(self, on_screen: QPointF) -> QPointF | None:
        """Convert px of the screen to px of this widget; None outside the planes or on controls."""
        position = self.mapFromGlobal(on_screen)
        point = position.toPoint()
        on_controls = self.controls.isVisible() and self.controls.geometry().contains(point)
        # The ring would hide what the pen draws.
        draws = self._stage.drawing.in_hand
        on_planes = self._planes.geometry().contains(point)
        return position if on_planes and not on_controls and not draws else None

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.MouseMove and isinstance(event, QMouseEvent):
            self._on_mouse(event.globalPosition())
        elif event.type() in KEY_EVENTS and isinstance(event, QKeyEvent):
            if event.key() not in MODIFIERS:
                self._planes.notice.hide()
            if event.type() == QEvent.Type.ShortcutOverride and self._is_command(event):
                # Without this, the field would take the key.
                event.ignore()
                return True
        return False

    def _is_command(self, event: QKeyEvent) -> bool:
        """Return whether a key in the field of an answer can belong to no number."""
        focus, text = QApplication.focusWidget(), event.text().lower()
        forms = self.side.findChildren(AnswerForm)
        in_answer = any(focus is field for form in forms for field in form.fields)
        is_letter = len(text) == 1 and text.isalpha() and text not in IN_NUMBERS
        return in_answer and (is_letter or event.key() == Qt.Key.Key_Escape)

    def _on_mouse(self, position: QPointF) -> None:
        if (position - self._mouse).manhattanLength() < MIN_MOVEMENT:
            return
        self._mouse = position
        if self._is_at_edge(position):
            # With the ring the controls stay hidden, because the ring would be hidden by them.
            if self.controls.isHidden() and self.blank.isHidden() and self.ring.isHidden():
                self.controls.fit()
                self._place()
                self.controls.show()
                self.controls.raise_()
            self._controls_timer.start()
        elif QGuiApplication.mouseButtons() == Qt.MouseButton.NoButton:
            self.controls.hide()

    def _is_at_edge(self, position: QPointF) -> bool:
        """Return whether a place on the screen is at the lower edge, or on the controls."""
        y = self.mapFromGlobal(position).y()
        upper = min(self.controls.y(), self._edge) if self.controls.isVisible() else self._edge
        return upper <= y < self.height()

    @property
    def _edge(self) -> float:
        return (1.0 - EDGE_SHARE) * self.height()

    def _hide_controls(self) -> None:
        """Hide the controls, unless a button of the mouse is held on them."""
        if QGuiApplication.mouseButtons() == Qt.MouseButton.NoButton:
            self.controls.hide()
        else:
            self._controls_timer.start()

    # Events.

    def _place(self) -> None:
        """Put the controls in front of line and sentence, and the black cover in front of all."""
        below = self.caption.sizeHint().height() + self.line.height()
        height = max(self.controls.sizeHint().height(), below)
        self.controls.setGeometry(0, self.height() - height, self.width(), height)
        self.blank.setGeometry(self.rect())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        # All sizes depend on the height. Hidden controls are fitted when they are shown, because a
        # style sheet for all of them takes as long as all else that happens here.
        self.caption.updateGeometry()
        px = look_of(self).metrics.px
        size, gap = round(px(SENTENCE)), round(px(5))
        self.heading.setStyleSheet(
            f"font-size: {size}px; font-weight: {STRONG}; padding-top: {gap}px;"
        )
        if self.controls.isVisible():
            self.controls.fit()
        self.side.fit()
        self._planes.fit()
        self.side.follow()
        self._place()

    def closeEvent(self, event: QCloseEvent) -> None:
        # Closing the presentation must not close the program.
        event.ignore()
        self.leave_requested.emit()


class KeyEntry(NamedTuple):
    """A command of the presentation, and its keys.

    Attributes
    ----------
    keys : tuple of str
        In Qt's portable spelling.
    words : str
        What the command does, in words.
    run : callable(PresentationScreen)
        Performs the command.
    repeats : bool
        Whether the command repeats while the key is held.
    shared : bool
        Whether the keys also work in the main window while there is a second picture.
    """

    keys: tuple[str, ...]
    words: str
    run: Callable[[PresentationScreen], None]
    repeats: bool = True
    shared: bool = False


KEYS = (
    KeyEntry(("Right", "PgDown"), "One step on", lambda screen: screen.move_by(1)),
    KeyEntry(("Left", "PgUp"), "One step back", lambda screen: screen.move_by(-1)),
    KeyEntry(("Space",), "Play or pause", lambda screen: screen.toggle_playing(), False),
    KeyEntry((".",), "Play or pause", lambda screen: screen.toggle_playing(), shared=True),
    KeyEntry(
        ("B",),
        "Black screen, and back (in the window: the tool Spray)",
        lambda screen: screen.toggle_blank(),
        shared=True,
    ),
    KeyEntry(
        ("L",), "Hold: a ring of light at the mouse", lambda screen: screen.hold_pointer(), False
    ),
    KeyEntry(("F9",), "Hide or show the panel", lambda screen: screen.toggle_panel()),
    KeyEntry(("Shift+P",), "The next panel of the layout", lambda s: s.next_panel(), shared=True),
    KeyEntry(("V",), "Plane and panel change places", lambda s: s.swap(), shared=True),
    KeyEntry(("Shift+V",), "The panel alone, and back", lambda s: s.fill(), shared=True),
    KeyEntry(("Home", "R"), "Step 0", lambda screen: screen.go_to_start()),
    KeyEntry(("End",), "The last step", lambda screen: screen.go_to_end()),
    KeyEntry(
        ("Esc",),
        "End what was opened, or explains a step; back to the window",
        lambda s: s.leave(),
        False,
    ),
    KeyEntry(("F5", "Shift+F5"), "Back to the window", lambda s: s.leave_requested.emit(), False),
)
"""The keys of a presentation; a clicker sends PageDown, PageUp, B, F5, Esc and the period."""
