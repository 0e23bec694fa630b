"""Keys that choose, move and add points while the plane has the focus.

The chosen point is selected and highlighted, and its card is shown. Quick successive movements make
one undo entry. If a point is added, the movements right after it belong to the same entry.
"""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent

from solvers.data.datasets import NO_PLACES
from svmviz.base.keys import RETURN_KEYS
from svmviz.plane.keys.key_run import ARROWS, FINE_STEPS, MODIFIERS, KeyRun, fine_step
from svmviz.plane.mouse_handler import MouseHandler
from svmviz.session.edits import (
    label_of_number,
    other_number,
    points_phrase,
    with_new_class,
    words_on_new_class,
)
from svmviz.stage.stage import Stage
from svmviz.tools.base import PlaneGeometry

# The keys and what they do, for the page of keys.
POINT_KEYS = (
    ("Tab, Shift+Tab", "Choose the point nearest to the middle, then the nearest of the others; "
     "back. After the last point: leave the plane"),
    ("Arrows", "Move the chosen point by a soft step of the view; with Shift, by a tenth of it"),
    ("Insert", "Add a point of the tool's class beside the chosen one, or in the middle; arrows "
     "then move it. With Shift, of the other class"),
    ("Delete", "Remove the chosen point; Tab goes on from its place"),
    ("Return", "Give the chosen point as the answer to a question that asks for a click"),
    ("Esc", "Let the point go: arrows are steps of the run again, and Tab leaves the plane"),
)  # fmt: skip


class PointKeys(QObject):
    """Handler of the keys of one plane that act on points.

    Parameters
    ----------
    stage : Stage
    plane : PlaneGeometry
    mouse : MouseHandler
        It has the tool in use, and shows the card.

    Attributes
    ----------
    index : int or None
        Index of the chosen point; None if no point is chosen.
    words : str
        A sentence on why a key did nothing; may be empty.

    Signals
    -------
    changed()
        Another point is chosen, or ``words`` has changed.
    """

    changed = Signal()

    def __init__(self, stage: Stage, plane: PlaneGeometry, mouse: MouseHandler) -> None:
        super().__init__(mouse)
        self._stage, self._plane, self._mouse = stage, plane, mouse
        self.index: int | None = None
        self.words = ""
        # Points chosen with Tab since the choice began, in their order.
        self._trail: list[int] = []
        # If the chosen point was erased, its last place, in data units. Tab goes on from there.
        self._place: np.ndarray | None = None
        # Whether Esc has deselected the point. Then Tab leaves the plane.
        self._is_let_go = False
        self._run = KeyRun(stage.session, self)
        # The offset of the points in the run so far, in fine steps.
        self._offset = np.zeros(2)
        stage.session.selection_changed.connect(self._on_selection)
        stage.session.document_changed.connect(self._on_document)

    # Keys.

    def uses(self, event: QKeyEvent) -> bool:
        """Return whether a key acts on the chosen point, so that it must not be a shortcut."""
        if self.index is None or event.modifiers() & ~MODIFIERS:
            return False
        key = event.key()
        if key in RETURN_KEYS or key in ARROWS:
            return self._stage.picking.is_on == (key in RETURN_KEYS)
        return key == Qt.Key.Key_Escape

    def key(self, event: QKeyEvent) -> bool:
        """Handle a key if it acts on points, and return whether it does."""
        if self._mouse.tool.busy:
            return False
        key, has_shift = event.key(), bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if key == Qt.Key.Key_Insert and not (event.modifiers() & ~MODIFIERS):
            if not self._stage.picking.is_on:
                self._add(has_shift)
        elif not self.uses(event):
            self._is_let_go = self._is_let_go or key == Qt.Key.Key_Escape
            return False
        elif key in ARROWS:
            steps = np.array(ARROWS[Qt.Key(key)]) * (1 if has_shift else FINE_STEPS)
            self._begin_move(steps)
        elif key == Qt.Key.Key_Escape:
            self.let_go()
        elif self.index is not None:
            place = self._stage.session.document.data.points[self.index]
            self._stage.picking.take(self.index, *place.tolist())
        return True

    def step(self, forwards: bool) -> bool:
        """Choose the next point or the one before; return False if the focus must leave the plane.

        The next point is the nearest visible one, in px, of those that were not chosen yet.
        """
        self.end_run()
        if self._is_let_go or self._mouse.tool.busy:
            return False
        if forwards:
            found = self._next_point()
            if found is not None:
                self._trail.append(found)
        else:
            found = self._trail[-2] if len(self._trail) > 1 else None
            self._trail = self._trail[:-1]
        if found is None:
            self.let_go()
            return False
        self._choose(found)
        return True

    def take_focus(self) -> None:
        """Let Tab choose points again, even after Esc."""
        self._is_let_go = False
        self._say("")

    def let_go(self) -> None:
        """Choose no point, and deselect the one that was chosen."""
        self.end_run()
        if self.index is not None:
            self._stage.session.select(())
        self._is_let_go, self._place = True, None
        self._say("")

    def end_run(self) -> None:
        """Turn the movements so far, if there are any, into one undo entry."""
        self._run.end()

    # Internals.

    def _next_point(self) -> int | None:
        """Return the nearest visible point that was not chosen yet; None if there is none."""
        camera, points = self._plane.camera, self._stage.session.document.data.points
        pixels = camera.to_pixels(points)
        is_free = camera.inside(pixels)
        is_free[self._trail] = False
        if not is_free.any():
            return None
        start = pixels[self.index] if self.index is not None else self._start()
        distances = np.hypot(*(pixels - start).T)
        return int(np.where(is_free, distances, np.inf).argmin())

    def _start(self) -> np.ndarray:
        """Return the place from which the first point is sought, px: the middle of the view."""
        camera = self._plane.camera
        if self._place is not None:
            start = camera.to_pixels(self._place[None])
            if camera.inside(start)[0]:
                return start[0]
        return np.array([camera.left, camera.top]) + 0.5 * np.array(
            [camera.plot_width, camera.plot_height]
        )

    def _choose(self, index: int) -> None:
        self.index, self.words = index, ""
        self._is_let_go = False
        self._stage.session.select((index,))
        self._mouse.show_card(index)
        self.changed.emit()

    def _add(self, is_other_class: bool) -> None:
        """Add a point beside the chosen one, or in the middle, and choose it."""
        self.end_run()
        document = self._stage.session.document
        if not document.has_coordinates and document.n:
            self._say(NO_PLACES)
            return
        camera = self._plane.camera
        if self.index is None:
            place = np.array(camera.to_round_data(*self._start().tolist()))
        else:
            place = document.data.points[self.index] + FINE_STEPS * fine_step(camera) * (2, 0)
            if not camera.inside(camera.to_pixels(place[None]))[0]:
                place -= FINE_STEPS * fine_step(camera) * (4, 0)
        number = self._mouse.tool.number
        number = other_number(document, number) if is_other_class else number
        grown = with_new_class(document, number)
        added = grown.added(place[None], [label_of_number(grown, number)])
        if added.n == document.n:
            # The machine leaves the point out, so it has no number and cannot be chosen.
            self._stage.session.edit(added, "Add point")
            self._say(words_on_new_class(document, added))
            return
        self._run.begin("Add point", added)
        self._offset = np.zeros(2)
        self.index = document.n
        self._run.preview(added)
        self._trail = [*self._trail, document.n]
        self._choose(document.n)
        self._run.go_on()

    def _begin_move(self, steps: np.ndarray) -> None:
        """Move the selected points by a number of fine steps along x and y, in the next turn."""
        session = self._stage.session
        if not session.document.has_coordinates:
            self._say(NO_PLACES)
            return
        if self._run.base is None:
            self._run.begin(f"Move {points_phrase(len(session.editable_selection))}")
            self._offset = np.zeros(2)
        assert self.index is not None
        assert self._run.base is not None
        # A key does not move the chosen point out of the view; Delete erases it.
        camera, offset = self._plane.camera, self._offset + steps
        place = self._run.base.data.points[self.index] + offset * fine_step(camera)
        is_seen = camera.inside(camera.to_pixels(place[None]))[0]
        if is_seen:
            self._offset = offset
        self._run.go_on(self._move if is_seen else None)

    def _move(self) -> None:
        base, index = self._run.base, self.index
        if base is not None and index is not None:
            indices = sorted(self._stage.session.editable_selection)
            offset = self._offset * fine_step(self._plane.camera)
            self._run.preview(base.moved(indices, offset))
            self._mouse.show_card(index)

    def _say(self, words: str) -> None:
        if words != self.words:
            self.words = words
            self.changed.emit()

    def _on_selection(self) -> None:
        """Let go of the chosen point if it is no longer selected, as after Delete."""
        points = self._stage.session.document.data.points
        if self.index is None or self.index in self._stage.session.selection:
            return
        self._place = points[self.index].copy() if self.index < len(points) else None
        self.index, self.words, self._trail = None, "", []
        self._mouse.show_card(None)
        self.changed.emit()

    def _on_document(self) -> None:
        """Forget points that are gone."""
        self._trail = [i for i in self._trail if i < self._stage.session.document.n]
