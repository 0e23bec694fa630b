"""Keys that shift and turn the user's line while the line tool is in use in the plane."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent

from svmviz.base.keys import DELETE_KEYS
from svmviz.document.user_line import UserLine
from svmviz.plane.keys.key_run import ARROWS, FINE_STEPS, MODIFIERS, KeyRun, fine_step
from svmviz.plane.mouse_handler import MouseHandler
from svmviz.session.edits import draw_line
from svmviz.stage.stage import Stage
from svmviz.tools.base import PlaneGeometry
from svmviz.tools.line import LineTool, visible_ends

# Angle by which a key turns the line; with Shift it is FINE_STEPS times smaller.
TURN = math.radians(5.0)
# On many keyboards, Shift with a bracket key gives a brace.
TURNS = {
    Qt.Key.Key_BracketLeft: 1,
    Qt.Key.Key_BraceLeft: 1,
    Qt.Key.Key_BracketRight: -1,
    Qt.Key.Key_BraceRight: -1,
}
HELD = "Arrows shift the line, [ and ] turn it, with Shift finely. Delete removes it, Esc lets go."

# The keys and what they do, for the page of keys.
LINE_KEYS = (
    ("Insert", "Draw a line between the classes, if there is none"),
    ("Tab", "Take hold of the line, then choose points"),
    ("Arrows", "Shift the line by a soft step of the view; with Shift, by a tenth of it"),
    ("[, ]", "Turn the line by 5° about the middle of its visible part; with Shift, by 0.5°"),
    ("Delete", "Remove the line"),
    ("Esc", "Let the line go: arrows are steps of the run again"),
)


class LineKeys(QObject):
    """Handler of the keys of one plane that act on the user's line.

    Parameters
    ----------
    stage : Stage
    plane : PlaneGeometry
    mouse : MouseHandler
        It has the tool in use.

    Attributes
    ----------
    is_held : bool
        Whether keys act on the line.

    Signals
    -------
    changed()
        The line is held, or it is let go.
    """

    changed = Signal()

    def __init__(self, stage: Stage, plane: PlaneGeometry, mouse: MouseHandler) -> None:
        super().__init__(mouse)
        self._stage, self._plane, self._mouse = stage, plane, mouse
        self._run = KeyRun(stage.session, self)
        self.is_held = False
        # Whether Tab has passed the line since the plane got the focus.
        self._is_passed = False
        # The line after the last key of a run.
        self._line: UserLine | None = None
        mouse.tool_changed.connect(self.let_go)
        stage.session.document_changed.connect(self._on_document)

    @property
    def words(self) -> str:
        """A sentence on what the keys do; empty while the line is not held."""
        return HELD if self.is_held else ""

    def uses(self, event: QKeyEvent) -> bool:
        """Return whether a key acts on the line, so that it must not be a shortcut."""
        if not self._is_tool or event.modifiers() & ~MODIFIERS or self._stage.picking.is_on:
            return False
        key = event.key()
        if self._user_line is None:
            is_regression = self._stage.session.document.is_regression
            return key == Qt.Key.Key_Insert and not is_regression
        if not self.is_held:
            return key in TURNS
        return key in ARROWS or key in TURNS or key in DELETE_KEYS or key == Qt.Key.Key_Escape

    def key(self, event: QKeyEvent) -> bool:
        """Handle a key if it acts on the line, and return whether it does."""
        if self._mouse.tool.busy or not self.uses(event):
            return False
        key = Qt.Key(event.key())
        share = 1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else FINE_STEPS
        if key == Qt.Key.Key_Insert:
            draw_line(self._stage.session)
            self._hold()
        elif key == Qt.Key.Key_Escape:
            self.let_go()
        elif key in DELETE_KEYS:
            self.end_run()
            session = self._stage.session
            session.edit(replace(session.document, user_line=None), "Remove line")
        elif key in ARROWS:
            offset = np.array(ARROWS[key]) * share * fine_step(self._plane.camera)
            self._change(lambda line: line.shifted(offset))
        else:
            self._hold()
            angle = TURNS[key] * share * TURN / FINE_STEPS
            self._change(lambda line: self._turned(line, angle))
        return True

    def step(self, forwards: bool) -> bool:
        """Take hold of the line if Tab has not passed it yet; return whether the line is held."""
        was_passed, self._is_passed = self._is_passed, forwards
        takes = forwards and not was_passed and self._is_tool and self._user_line is not None
        if takes:
            self._hold()
        else:
            self.let_go()
        return takes

    def take_focus(self) -> None:
        """Let Tab take hold of the line."""
        self._is_passed = False

    def let_go(self) -> None:
        """Let go of the line, so that keys no longer act on it."""
        self.end_run()
        if self.is_held:
            self.is_held = False
            self.changed.emit()

    def end_run(self) -> None:
        """Turn the movements so far, if there are any, into one undo entry."""
        self._run.end()

    # Internals.

    @property
    def _is_tool(self) -> bool:
        return isinstance(self._mouse.tool, LineTool)

    @property
    def _user_line(self) -> UserLine | None:
        return self._stage.session.document.user_line

    def _hold(self) -> None:
        self.is_held = True
        self.changed.emit()

    def _change(self, changed: Callable[[UserLine], UserLine]) -> None:
        if self._run.base is None:
            self._run.begin("Move line")
            self._line = self._user_line
        if self._line is None:
            return
        line = changed(self._line)
        # A key does not move the line out of the view; Delete removes it.
        if len(visible_ends(line, self._plane.camera)):
            self._line = line
        self._run.go_on(self._show)

    def _show(self) -> None:
        if self._run.base is not None:
            self._run.preview(replace(self._run.base, user_line=self._line))

    def _turned(self, line: UserLine, angle: float) -> UserLine:
        camera, factors = self._plane.camera, self._stage.session.document.factors
        ends = visible_ends(line, camera)
        x, y = ends.mean(axis=0).tolist()
        return line.turned(np.array(camera.to_data(x, y)), angle, factors)

    def _on_document(self) -> None:
        if self.is_held and self._user_line is None:
            self.let_go()
