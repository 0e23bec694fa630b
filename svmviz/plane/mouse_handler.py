"""Passing mouse events to the tool in use. A *stroke* is a press, any drags, and a release.

The tool gets at most one drag per turn of the event loop, even if Qt sends more events.
"""

from __future__ import annotations

import time

from PySide6.QtCore import QEvent, QObject, QPointF, Qt, QTimer, Signal
from PySide6.QtGui import QMouseEvent, QPointingDevice
from PySide6.QtWidgets import QWidget

from svmviz.base.keys import DELETE_KEYS
from svmviz.session import edits
from svmviz.stage.stage import Stage
from svmviz.tools import TOOLS
from svmviz.tools.base import PlaneGeometry, Pointer, Tool

# Time between hovering over a point and the appearance of its card, ms.
CARD_DELAY = 110
# Qt does not tell the plane that a pen has left the tablet. A hovering pen trembles, so it sends
# events all the time. If none comes for this time, ms, the pen has left.
PEN_AWAY = 1000
# Some tools also work while a button is down and the mouse does not move, by ticks of a timer. This
# is the time between two ticks, ms.
TOOL_INTERVAL = 33
# Keys that change the size of a brush, with the factor on its radius.
BRUSH_KEYS = {Qt.Key.Key_BracketLeft: 1 / 1.25, Qt.Key.Key_BracketRight: 1.25}


class MouseHandler(QObject):
    """Handler of the mouse on one plane.

    The left and the right button go to the tool in use. The middle button pans. If the mouse rests
    over a point, the card of the point is shown.

    Parameters
    ----------
    stage : Stage
    plane : PlaneGeometry
        The geometry that tools use.
    widget : QWidget
        The widget under the mouse, which shows the cursor.
    lane : int, optional
        The lane of a race that the plane shows; by default, the lane in focus. If the lane is not
        in focus, a click puts it in focus. If the tool changes points or the selection, that click
        does nothing else.

    Signals
    -------
    changed()
        A drawing on top of the plane has changed, such as the card or the circle of a brush.
    tool_changed(str)
        Another tool is in use.
    brush_changed(Checked)
        The settings of a brush have changed.
    """

    changed = Signal()
    tool_changed = Signal(str)
    brush_changed = Signal(object)

    def __init__(
        self, stage: Stage, plane: PlaneGeometry, widget: QWidget, lane: int | None = None
    ) -> None:
        super().__init__(widget)
        self._stage = stage
        self.lane = lane
        # Whether the last press put the lane in focus and did nothing else.
        self._press_only_focused = False
        # Whether the last press answered a question and did nothing else.
        self._press_only_answered = False
        self._plane = plane
        self._widget = widget
        self._tools: dict[str, Tool] = {}
        self._tool_name = next(iter(TOOLS))
        # The last position while the middle button is down.
        self._pan_from: Pointer | None = None
        # Where the mouse hovers over the plane, in px of the screen.
        self._over: QPointF | None = None
        # The newest position, which the tool gets in the next turn of the event loop.
        self._next_position: Pointer | None = None
        self._button = Qt.MouseButton.NoButton
        self._ticked_at = 0.0
        # Indices in ``Document.editable`` of the point whose card is shown, and of the point under
        # the mouse.
        self.card_index: int | None = None
        self._under_mouse: int | None = None
        self._move_timer = QTimer(self, singleShot=True, interval=0)
        self._move_timer.timeout.connect(self._flush)
        self._card_timer = QTimer(self, singleShot=True, interval=CARD_DELAY)
        self._card_timer.timeout.connect(self._show_card)
        self._pen_timer = QTimer(self, singleShot=True, interval=PEN_AWAY)
        self._pen_timer.timeout.connect(self.leave)
        self._ticker = QTimer(self, interval=TOOL_INTERVAL)
        self._ticker.timeout.connect(self._tick)
        self._point_counts = self._counts()
        stage.session.document_changed.connect(self._on_document)

    # The tool.

    @property
    def tool(self) -> Tool:
        """The tool in use.

        If the chosen tool needs points with coordinates and there are none, Add +1 replaces it.
        """
        chosen = self._tools.get(self._tool_name)
        if chosen is not None and chosen.busy:
            return chosen
        has_plane = self._stage.session.document.has_coordinates
        needs_plane = TOOLS[self._tool_name].needs_plane
        # If points have no coordinates, a tool that adds points only selects, and says so.
        name = "add-positive" if needs_plane and not has_plane else self._tool_name
        if name not in self._tools:
            self._tools[name] = TOOLS[name].make(self._stage, self._plane)
        return self._tools[name]

    def use_tool(self, name: str) -> None:
        """Use another tool, and cancel the stroke of the previous tool."""
        self.end_strokes()
        old_tool = self.tool
        old_tool.hover(None)
        self._tool_name = TOOLS[name].name
        if TOOLS[name].number is None:
            self.tool.number = old_tool.number
        self._show_cursor(None)
        self.tool_changed.emit(name)
        self.changed.emit()

    # Events.

    def press(self, event: QMouseEvent) -> None:
        """Handle the press of a button, including the second press of a double click."""
        pointer = _pointer(event)
        self._hide_card()
        if self.tool.busy and event.button() == self._button:
            self._cancel()  # the release of this button went to a dialog or another window
        if self.tool.busy or self._pan_from:
            return
        if event.button() == Qt.MouseButton.MiddleButton:
            self._pan_from = pointer
            self._widget.setCursor(Qt.CursorShape.ClosedHandCursor)
        elif event.button() in (Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton):
            if self._answer(event) or self._take_focus(event):
                return
            self._button = event.button()
            self._stage.spotlight.highlight(None)
            self.tool.press(pointer)
            if self.tool.ticks:
                self._ticked_at = time.monotonic()
                self._ticker.start()
            self._update_view()

    def move(self, event: QMouseEvent) -> None:
        """Handle a movement, with a button down or without."""
        pointer = _pointer(event)
        if self._pan_from:
            self._plane.pan(pointer.x - self._pan_from.x, pointer.y - self._pan_from.y)
            self._pan_from = pointer
        elif self.tool.busy:
            self._next_position = pointer
            self._flush() if self.tool.follows_all else self._move_timer.start()
        else:
            self._over = event.globalPosition()
            self._hover(pointer)
            if event.pointerType() == QPointingDevice.PointerType.Pen:
                self._pen_timer.start()

    def release(self, event: QMouseEvent) -> None:
        """Handle the release of a button."""
        if self._pan_from and event.button() == Qt.MouseButton.MiddleButton:
            self._pan_from = None
            self._show_cursor(None)
        elif self.tool.busy and event.button() == self._button:
            self._flush()
            self._ticker.stop()
            self.tool.release(_pointer(event))
            self._update_view()

    def leave(self) -> None:
        """Handle the event that the mouse leaves the plane."""
        self._over = None
        if not self.tool.busy:
            self.tool.hover(None)
            self._stage.spotlight.highlight(None)
            self._hide_card()
            self.changed.emit()

    def follow_camera(self) -> None:
        """Tell the place under the mouse, since the picture has moved and the mouse has not."""
        if self._over is not None and self._stage.spotlight.index is None:
            place = self._widget.mapFromGlobal(self._over)
            self._tell_place(place.x(), place.y())

    def key(self, key: int) -> bool:
        """Handle a key if the plane uses it, and return whether it does."""
        if key == Qt.Key.Key_Escape:
            if self.tool.busy:
                self._cancel()
            elif not self._stage.prediction.look():
                has_selection = bool(self._stage.session.selection)
                self._stage.session.select(())
                return has_selection
        elif key in DELETE_KEYS and not self.tool.busy:
            edits.delete_selection(self._stage.session)
        elif key in BRUSH_KEYS:
            self.tool.grow(BRUSH_KEYS[Qt.Key(key)])
            if self.tool.settings is not None:
                self.brush_changed.emit(self.tool.settings)
            self.changed.emit()
        else:
            return False
        return True

    def end_strokes(self) -> None:
        """Cancel the stroke of the tool, stop panning and hide the card."""
        self._cancel()
        self._pan_from = None
        self._hide_card()

    def show_card(self, index: int | None) -> None:
        """Highlight a point and show its card at once; for None, show no highlight and no card."""
        self._card_timer.stop()
        self._stage.spotlight.highlight(self._known(index))
        self.card_index = index
        self.changed.emit()

    # Internals.

    def _known(self, index: int | None) -> int | None:
        """Return the index, or None for a point that the machine, and so the panels, leave out."""
        n = self._stage.session.document.n
        return index if index is not None and index < n else None

    @property
    def _click_only_focuses(self) -> bool:
        """Whether a click now would put the lane in focus and do nothing else."""
        if self.lane is None or not self.tool.edits:
            return False
        last = len(self._stage.session.document.methods) - 1
        return self.lane != min(self._stage.playback.focus, last)

    def _answer(self, event: QMouseEvent) -> bool:
        """Pass a click to the question that waits for it; return whether there is one."""
        picking, at = self._stage.picking, event.position()
        is_second_press = event.type() == QEvent.Type.MouseButtonDblClick
        if is_second_press and self._press_only_answered:
            # The first press may have completed the answer. This press must not place a point.
            return True
        self._press_only_answered = picking.is_on and event.button() == Qt.MouseButton.LeftButton
        if not self._press_only_answered:
            return False
        if self._plane.camera.contains(at.x(), at.y()):
            place = self._plane.camera.to_round_data(at.x(), at.y())
            picking.take(self._plane.index_at(at.x(), at.y()), *place)
        return True

    def _take_focus(self, event: QMouseEvent) -> bool:
        """Put the lane in focus, and return whether the tool must ignore this press."""
        is_second_press = event.type() == QEvent.Type.MouseButtonDblClick
        # If the first press of a double click only put the lane in focus, ignore the second press.
        only_focuses = self._click_only_focuses or (is_second_press and self._press_only_focused)
        self._press_only_focused = only_focuses
        if self.lane is not None:
            self._stage.playback.set_focus(self.lane)
        if only_focuses:
            self._show_cursor(self._stage.spotlight.index)
        return only_focuses

    def _on_document(self) -> None:
        """End the stroke and the highlight if the new document does not suit them.

        If the number of points changed, the index of the highlighted point may be that of another.
        """
        # A file can be opened in the middle of a stroke.
        has_plane = self._stage.session.document.has_coordinates
        if not has_plane and TOOLS[self._tool_name].needs_plane and self.tool.busy:
            self.end_strokes()
        old_counts, self._point_counts = self._point_counts, self._counts()
        if old_counts != self._point_counts:
            self._hide_card()
            self._stage.spotlight.highlight(None)

    def _counts(self) -> tuple[int, int]:
        document = self._stage.session.document
        return document.n, len(document.editable)

    def _flush(self) -> None:
        """Pass the newest position of the mouse to the tool."""
        self._move_timer.stop()
        pointer, self._next_position = self._next_position, None
        if pointer is not None and self.tool.busy:
            self.tool.drag(pointer)
            self._update_view()

    def _tick(self) -> None:
        now = time.monotonic()
        seconds, self._ticked_at = now - self._ticked_at, now
        self.tool.tick(seconds)

    def _cancel(self) -> None:
        self._move_timer.stop()
        self._ticker.stop()
        self._next_position = None
        if self.tool.busy:
            self.tool.cancel()
            self._update_view()

    def _update_view(self) -> None:
        """Show the cursor and the drawings of the tool after it has handled an event."""
        self._show_cursor(None)
        self.changed.emit()

    def _hover(self, pointer: Pointer) -> None:
        # A brush shows no circle if a click would only put the lane in focus.
        self.tool.hover(None if self._click_only_focuses else pointer)
        is_inside = self._plane.camera.contains(pointer.x, pointer.y)
        index = self._plane.editable_at(pointer.x, pointer.y) if is_inside else None
        if self._known(index) is None:
            self._tell_place(pointer.x, pointer.y)
        if index != self._under_mouse or self._known(index) != self._stage.spotlight.index:
            self._hide_card()
            self._under_mouse = index
            self._stage.spotlight.highlight(self._known(index))
            if index is not None and self.tool.shows_cards:
                self._card_timer.start()
        self._show_cursor(index)
        if self.tool.feedback.circle is not None:
            self.changed.emit()

    def _tell_place(self, x: float, y: float) -> None:
        """Tell all views the place at a position, px, unless it is outside the plot."""
        camera = self._plane.camera
        if camera.contains(x, y):
            self._stage.spotlight.place_changed.emit(camera.to_data(x, y))

    def _show_card(self) -> None:
        self.show_card(self._under_mouse)

    def _hide_card(self) -> None:
        self._card_timer.stop()
        self._under_mouse = None
        if self.card_index is not None:
            self.card_index = None
            self.changed.emit()

    def _show_cursor(self, index: int | None) -> None:
        hand, cross = Qt.CursorShape.PointingHandCursor, Qt.CursorShape.CrossCursor
        picking = self._stage.picking
        if picking.is_on:
            is_place = picking.wants_place or self._known(index) is None
            self._widget.setCursor(cross if is_place else hand)
        else:
            takes_focus = self._click_only_focuses
            self._widget.setCursor(hand if takes_focus else self.tool.cursor_over(index))


def _pointer(event: QMouseEvent) -> Pointer:
    position, keys = event.position(), event.modifiers()
    control = bool(keys & Qt.KeyboardModifier.ControlModifier)
    right = event.button() == Qt.MouseButton.RightButton or control
    return Pointer(
        position.x(), position.y(), right, bool(keys & Qt.KeyboardModifier.ShiftModifier)
    )
