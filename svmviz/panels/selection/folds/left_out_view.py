"""The picture of leave-one-out: the boundary trained without one point, and all errors so far."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import QWidget

from svmviz.panels.selection.folds.left_out_player import LeftOutPlayer
from svmviz.panels.selection.folds.parts_view import PartsView, Tile
from svmviz.panels.selection.small_plane import (
    Canvas,
    draw_boundary,
    draw_ground,
    draw_left_out,
    draw_ring,
    draw_training,
)
from svmviz.selection.part_pictures import LeftOutPart
from svmviz.theme import Look

# The marks of points left out are as large as if this fraction of all points were left out at once.
LEFT_OUT_SHARE = 0.2


class LeftOutView(PartsView):
    """A picture of the point that a player leaves out, and the boundary of the model without it.

    Parameters
    ----------
    player : LeftOutPlayer
    parent : QWidget, optional

    Attributes
    ----------
    full_fit : LeftOutPart or None
        The fit on all points; None until it arrives.
    """

    def __init__(self, player: LeftOutPlayer, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._player = player
        self.full_fit: LeftOutPart | None = None
        self._is_error = np.zeros(0, dtype=bool)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Leave-one-out")
        player.moved.connect(self.update)

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

    def tiles(self) -> list[Tile]:
        (tile,) = super().tiles()
        middle = round(0.5 * (self.height() - tile.picture.height()))
        return [replace(tile, picture=tile.picture.translated(0.0, max(0, middle)))]

    def has_picture(self, part: int) -> bool:
        return self.full_fit is not None

    def is_marked(self, part: int) -> bool:
        return self.hasFocus()

    def paint_once(self, painter: QPainter, part: int, canvas: Canvas) -> None:
        draw_ground(painter, canvas, self.full_fit.field if self.full_fit else None)
        draw_training(painter, canvas)

    def paint_over(self, painter: QPainter, part: int, tile: Tile, look: Look) -> None:
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
        keys = Qt.Key
        commands = {
            keys.Key_Space: self._player.toggle,
            keys.Key_Right: lambda: self._player.step(1),
            keys.Key_Left: lambda: self._player.step(-1),
            keys.Key_Home: lambda: self._player.go_to(0),
            keys.Key_End: lambda: self._player.go_to(self._player.n + 1),
        }
        command = commands.get(keys(event.key()))
        if command is None:
            super().keyPressEvent(event)
        else:
            command()

    def event(self, event: QEvent) -> bool:
        """Claim the keys of the animation for the widget; they are also shortcuts of the window."""
        plain = (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)
        if (
            isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.ShortcutOverride
            and event.modifiers() in plain
            and event.key() in KEYS
        ):
            event.accept()
            return True
        return super().event(event)


# The keys of `LeftOutView.keyPressEvent`.
KEYS = (Qt.Key.Key_Space, Qt.Key.Key_Right, Qt.Key.Key_Left, Qt.Key.Key_Home, Qt.Key.Key_End)
