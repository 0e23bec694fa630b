"""The animation of leave-one-out: a player, and a picture of what it leaves out.

The player says which point is left out now, and for how long. The picture shows the boundary that
is trained without this point, and all errors so far.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from PySide6.QtCore import QObject, QPointF, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter

from svmviz.document.document import Document
from svmviz.panels.selection.folds.parts_view import PartsView, PartTile
from svmviz.panels.selection.small_plane import (
    SmallCanvas,
    draw_boundary,
    draw_ground,
    draw_left_out,
    draw_ring,
    draw_training,
)
from svmviz.selection.part_pictures import LeftOutPart
from svmviz.theme import Look
from svmviz.widgets.key_taker import KeyTaker

# Time for which a point is left out, ms: if the model stays the same without the point; if the
# problem was solved again; and if it was solved again and the new model misclassifies the point.
UNCHANGED, CHANGED, WRONG = 300, 1100, 1600
# If there are many points, each time is shorter. The points without which the model stays the same
# take about TOTAL ms together; the points for which the problem was solved again also take about
# TOTAL ms together. But one point of the first kind takes at least MIN_UNCHANGED ms, and one of the
# second kind at least MIN_CHANGED ms.
MIN_UNCHANGED, MIN_CHANGED = 30, 140
TOTAL = 15_000
# The marks of points left out are as large as if this fraction of all points were left out at once.
LEFT_OUT_SHARE = 0.2


class LeftOutPlayer(QObject):
    """Player of leave-one-out: at position k the k-th point is left out, with index k - 1.

    Attributes
    ----------
    position : int
        0 before the first point, n + 1 after the last.
    playing : bool
        Whether the position advances by itself.

    Signals
    -------
    moved()
        The position or ``playing`` has changed.
    """

    moved = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.position = 0
        self.playing = False
        self._n = 0
        self._parts: dict[int, LeftOutPart] = {}
        # None in a regression, which has no errors.
        self._labels: np.ndarray | None = None
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self._advance)

    @property
    def n(self) -> int:
        """Number of points."""
        return self._n

    @property
    def point(self) -> int | None:
        """Index of the point that is left out; None before the first and after the last."""
        return self.position - 1 if 1 <= self.position <= self._n else None

    @property
    def shown(self) -> int:
        """Number of points left out up to this position, including the present one."""
        return min(self.position, self._n)

    @property
    def at_end(self) -> bool:
        """Whether the position is after the last point, so that all points were left out."""
        return self.position > self._n > 0

    def begin(self, document: Document, parts: dict[int, LeftOutPart]) -> None:
        """Go to position 0 for the points of another document.

        ``parts`` has the results by index of the point; the caller adds them as they arrive.
        """
        self._timer.stop()
        self.position, self.playing = 0, False
        self._n, self._parts = document.n, parts
        self._labels = None if document.is_regression else document.data.labels
        self.moved.emit()

    def toggle(self) -> None:
        """Play or pause; at the end, play from the start."""
        if self.playing:
            self.pause()
            return
        if self._n == 0:
            return
        if self.at_end:
            self.position = 0
        self.playing = True
        self._advance()

    def pause(self) -> None:
        """Stop playing, at this position."""
        self._timer.stop()
        if self.playing:
            self.playing = False
            self.moved.emit()

    def step(self, by: int) -> None:
        """Pause, and change the position by ``by``, which may be negative."""
        self.go_to(self.position + by)

    def go_to(self, position: int) -> None:
        """Pause, and go to a position, or to the last one before it that can be reached."""
        self._timer.stop()
        self.playing = False
        self.position = min(max(0, position), self._last_reachable)
        self.moved.emit()

    def go_to_change(self, by: int) -> None:
        """Pause, and go to the next point for which the problem was solved again.

        ``by`` is 1, or -1 for the previous such point. If there is none, go to the end; with -1, to
        the start.
        """
        positions = range(self.position + by, self._n + 1 if by > 0 else 0, by)
        arrived = (position for position in positions if position - 1 in self._parts)
        default = self._n + 1 if by > 0 else 0
        self.go_to(next((p for p in arrived if self._parts[p - 1].is_retrained), default))

    @property
    def _last_reachable(self) -> int:
        """The last position that can be reached: no result of a point up to it is missing."""
        position = self.shown
        while position < self._n and position in self._parts:
            position += 1
        return position + 1 if position == self._n else position

    def _advance(self) -> None:
        if not self.playing:
            return
        if self.position < self._n and self.position not in self._parts:
            # The result of the next point has not arrived: try again later.
            self._timer.start(MIN_CHANGED)
            return
        self.position += 1
        if self.at_end:
            self.playing = False
        else:
            self._timer.start(self._time())
        self.moved.emit()

    def _time(self) -> int:
        """Return how long this point is shown, ms."""
        part = self._parts[self.position - 1]
        changed = sum(other.is_retrained for other in self._parts.values())
        if not part.is_retrained:
            return max(MIN_UNCHANGED, min(UNCHANGED, TOTAL // max(1, self._n - changed)))
        time = max(MIN_CHANGED, min(CHANGED, TOTAL // max(1, changed)))
        is_error = self._labels is not None and part.errors(self._labels)[0]
        return time * WRONG // CHANGED if is_error else time


class LeftOutView(KeyTaker, PartsView):
    """A picture of the point that a player leaves out, and the boundary of the model without it.

    Parameters
    ----------
    player : LeftOutPlayer

    Attributes
    ----------
    full_fit : LeftOutPart or None
        The fit on all points; None until it arrives.
    """

    def __init__(self, player: LeftOutPlayer) -> None:
        super().__init__()
        self._player = player
        self.full_fit: LeftOutPart | None = None
        self._is_error = np.zeros(0, dtype=bool)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Leave-one-out")
        player.moved.connect(self.update)
        keys = Qt.Key
        self._commands = {
            keys.Key_Space: player.toggle,
            keys.Key_Right: lambda: player.step(1),
            keys.Key_Left: lambda: player.step(-1),
            keys.Key_Home: lambda: player.go_to(0),
            keys.Key_End: lambda: player.go_to(player.n + 1),
        }

    def clear(self) -> None:
        """Remove the results of an earlier document."""
        self.full_fit = None
        self._is_error = np.zeros(self.document.n, dtype=bool)
        self.repaint_all()

    def show_full_fit(self, full_fit: LeftOutPart) -> None:
        """Show the boundary of the model of all points."""
        self.full_fit = full_fit
        self.repaint_all()

    def add(self, parts: list[LeftOutPart]) -> None:
        super().add(parts)
        if not self.document.is_regression:
            labels = self.document.data.labels
            for part in parts:
                self._is_error[part.rows] = part.errors(labels)

    def errors(self) -> np.ndarray:
        """Return the indices of the errors among the points left out so far; none in regression."""
        return np.flatnonzero(self._is_error[: self._player.shown])

    # What the picture shows.

    def left_out(self, part: int) -> int:
        return max(1, round(LEFT_OUT_SHARE * self.document.n))

    @property
    def caption_height(self) -> float:
        return 0.0

    def tiles(self) -> list[PartTile]:
        (tile,) = super().tiles()
        middle = round(0.5 * (self.height() - tile.picture.height()))
        return [replace(tile, picture=tile.picture.translated(0.0, max(0, middle)))]

    def has_picture(self, part: int) -> bool:
        return self.full_fit is not None

    def is_marked(self, part: int) -> bool:
        return self.hasFocus()

    def paint_once(self, painter: QPainter, part: int, canvas: SmallCanvas) -> None:
        draw_ground(painter, canvas, self.full_fit.field if self.full_fit else None)
        draw_training(painter, canvas)

    def paint_over(self, painter: QPainter, part: int, tile: PartTile, look: Look) -> None:
        """Draw the boundaries with and without the point, the errors so far, and the point."""
        assert self.full_fit is not None
        canvas, point = self.canvas(part, tile.picture.size(), look), self._player.point
        left_out = None if point is None else self.parts.get(point)
        has_changed = left_out is not None and left_out.is_retrained
        painter.save()
        painter.translate(tile.picture.topLeft())
        painter.setClipRect(QRectF(QPointF(), tile.picture.size()))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        draw_boundary(painter, canvas, self.full_fit.boundary, grey=has_changed)
        if left_out is not None and has_changed:
            draw_boundary(painter, canvas, left_out.boundary)
        errors = self.errors()
        draw_left_out(painter, canvas, errors, np.ones(len(errors), dtype=bool), np.zeros(0))
        if left_out is not None:
            draw_ring(painter, canvas, int(left_out.rows[0]))
            is_error = left_out.errors(self.document.data.labels)
            draw_left_out(painter, canvas, left_out.rows, is_error, left_out.result.fit.decision)
        painter.restore()

    # Events of Qt.

    def part_under(self, position: QPointF) -> int | None:
        """Return None: the one picture cannot be enlarged."""
        return None

    def mousePressEvent(self, event: QMouseEvent) -> None:
        event.ignore()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        command = self._commands.get(Qt.Key(event.key()))
        if command is None:
            super().keyPressEvent(event)
        else:
            command()

    def uses(self, event: QKeyEvent) -> bool:
        plain = (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)
        return event.modifiers() in plain and event.key() in self._commands
