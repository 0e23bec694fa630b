"""A chart with handles: places that the mouse drags, and that keys move."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent

from svmviz.base.words import number
from svmviz.widgets.charts.chart import Chart
from svmviz.widgets.charts.chart_painter import ChartPainter
from svmviz.widgets.key_taker import KeyTaker

# Diameter of a handle, its reach, and diameter of the ring around the chosen one, px at scale 1.
SIZE, REACH, RING = 12.0, 14.0, 20.0
# An arrow key moves a handle by this fraction of the range of x; with Shift, by a fifth of it.
KEY_SHARE, FINE = 0.025, 0.2
ARROWS = {
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Up: (0, 1),
    Qt.Key.Key_Down: (0, -1),
}
BY_TAB = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)


class HandleChart(KeyTaker, Chart):
    """A chart whose handles are dragged. Tab goes from handle to handle, arrow keys move one.

    A class with places that depend on each other overrides `places` and `move`; others set
    ``handles``, and give a function that says where a handle may go.

    Parameters
    ----------
    paint : callable(ChartPainter)
        Paints the data, and the handles.
    title : str
        Name for screen readers.
    x_label, y_label : str
    equal : bool
        Whether one unit has the same length on both axes.
    height : float
        Preferred height, px at scale 1.
    per_unit : int
        Handles go to multiples of ``1 / per_unit``; anywhere if 0.
    limit : callable(int, array), optional
        Called with the index of a handle and the place to which it is moved, shape (2,). Returns
        the place to which it goes; None if it stays.

    Attributes
    ----------
    handles : array, shape (m, 2)
    held : int or None
        Index of the handle that the mouse drags.
    chosen : int or None
        Index of the handle that arrow keys move.

    Signals
    -------
    changed()
        The user has moved a handle.
    missed(float, float)
        The left button was pressed beside all handles, or dragged from there.
    """

    changed = Signal()
    missed = Signal(float, float)

    def __init__(
        self,
        paint: Callable[[ChartPainter], None],
        title: str,
        x_label: str = "",
        y_label: str = "",
        *,
        equal: bool = False,
        height: float = 200.0,
        per_unit: int = 0,
        limit: Callable[[int, np.ndarray], np.ndarray | None] = lambda _, place: place,
    ) -> None:
        super().__init__(self._paint_all, x_label, y_label, equal=equal, height=height)
        self._paint_data = paint
        self._per_unit, self._limit = per_unit, limit
        self.handles = np.zeros((0, 2))
        self.held: int | None = None
        self.chosen: int | None = None
        self.setAccessibleName(title)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.pressed.connect(self._on_pressed)
        self.released.connect(self._on_released)

    def places(self) -> np.ndarray:
        """Return the places of the handles, shape (m, 2)."""
        return self.handles

    def move(self, index: int, x: float, y: float) -> bool:
        """Move a handle to a place, or as near as it may go; return whether it has moved."""
        place = np.array([x, y])
        if self._per_unit:
            # This divides, because multiples of 0.1 would be inexact. Adding 0 turns -0 into 0.
            place = np.round(place * self._per_unit) / self._per_unit + 0.0
        goal = self._limit(index, place)
        if goal is None or np.array_equal(goal, self.handles[index]):
            return False
        self.handles[index] = goal
        return True

    def grabs(self, x: float, y: float) -> bool:
        return self.nearest(self.places(), x, y, REACH) is not None

    def _move(self, index: int, x: float, y: float) -> None:
        if self.move(index, x, y):
            self.changed.emit()
            self._show_chosen()

    def _show_chosen(self) -> None:
        """Say to screen readers which handle is chosen and where it is, and draw its ring."""
        places, words = self.places(), ""
        if self.chosen is not None and self.chosen < len(places):
            x, y = (number(float(value), 3) for value in places[self.chosen])
            words = f"Handle {self.chosen + 1} of {len(places)} at {x}, {y}"
        self.setAccessibleDescription(words)
        self.update()

    # Mouse.

    def _on_pressed(self, x: float, y: float) -> None:
        if self.held is None:
            self.held = self.nearest(self.places(), x, y, REACH)
            if self.held is not None and self.hasFocus():
                self.chosen = self.held
        if self.held is None:
            self.missed.emit(x, y)
        else:
            self._move(self.held, x, y)

    def _on_released(self) -> None:
        self.held = None

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        if self.held is None:
            found = self.nearest(self.places(), *self.area.to_data(event.position()), REACH)
            shapes = Qt.CursorShape
            self.setCursor(shapes.ArrowCursor if found is None else shapes.PointingHandCursor)

    # Keys.

    def focusInEvent(self, event: QFocusEvent) -> None:
        if event.reason() in BY_TAB and len(self.places()):
            is_forwards = event.reason() == Qt.FocusReason.TabFocusReason
            self.chosen = 0 if is_forwards else len(self.places()) - 1
        self._show_chosen()
        super().focusInEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        # If another window takes the focus, perhaps only for a while, the chosen handle stays
        # chosen.
        if event.reason() != Qt.FocusReason.ActiveWindowFocusReason:
            self.chosen = None
        super().focusOutEvent(event)
        self._show_chosen()

    def focusNextPrevChild(self, next: bool) -> bool:
        # Qt calls this for Tab and Shift+Tab.
        target = -1 if self.chosen is None else self.chosen + (1 if next else -1)
        if not 0 <= target < len(self.places()):
            return super().focusNextPrevChild(next)
        self.chosen = target
        self._show_chosen()
        return True

    def uses(self, event: QKeyEvent) -> bool:
        return self.chosen is not None and event.key() in ARROWS

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self.chosen is None or not self.uses(event):
            super().keyPressEvent(event)
            return
        is_fine = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        step = KEY_SHARE * (self.ranges[0][1] - self.ranges[0][0]) * (FINE if is_fine else 1.0)
        if self._per_unit:
            step = math.ceil(step * self._per_unit - 1e-9) / self._per_unit
        right, up = ARROWS[Qt.Key(event.key())]
        x, y = self.places()[self.chosen]
        self._move(self.chosen, x + step * right, y + step * up)

    # Painting.

    def _paint_all(self, paint: ChartPainter) -> None:
        self._paint_data(paint)
        places = self.places()
        if self.chosen is not None and self.chosen < len(places):
            paint.rings(places[[self.chosen]], paint.theme.focus, RING)
