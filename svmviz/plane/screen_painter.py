"""Painting of the plane in the window: first the newest frame, then the drawings of the tool.

If the frame of an edited document is late, the points of the document are painted without a frame.
"""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget

from svmviz.camera.camera import Camera
from svmviz.frames.frame import Frame
from svmviz.plane.draw import draw_plane, without_margin
from svmviz.plane.paint.axes import have_room
from svmviz.plane.paint.canvas import Canvas
from svmviz.plane.paint.feedback import draw_feedback, draw_focus_ring, draw_invitation
from svmviz.plane.paint.hover_card import draw_card
from svmviz.plane.paint.legend import entry_at, lay_out, strip_of
from svmviz.plane.paint.legend_marks import tip_of
from svmviz.plane.paint.style import Style
from svmviz.plane.picture_delay import PictureDelay
from svmviz.plane.point_card import PointCard, describe
from svmviz.stage.stage import Stage
from svmviz.theme import look_of
from svmviz.tools.base import Tool

# The two lines on an empty plane that invite the user to add points, in regression. In
# classification each tool has its own lines (``Tool.invitation``).
REGRESSION_INVITATION = ("Click to place points", "The curve f(x) follows their heights.")


class ScreenPainter(QObject):
    """Painter of the frame on screen.

    Parameters
    ----------
    stage : Stage
    widget : QWidget
        The widget on which the plane is painted.
    lane : int, optional
        Index of the lane to show; by default, the lane in focus.

    Signals
    -------
    changed()
        The plane must be painted again.
    """

    changed = Signal()

    def __init__(self, stage: Stage, widget: QWidget, lane: int | None = None) -> None:
        super().__init__(widget)
        self._widget = widget
        self._stage = stage
        self._lane = lane
        self.frame: Frame = self._focused(stage.feed.frame)
        self._hides_old = False
        self._delay = PictureDelay(self)
        self._delay.passed.connect(self.changed)
        stage.drawing.changed.connect(self.changed)
        stage.feed.frame_changed.connect(self._on_frame)
        stage.session.document_changed.connect(self._on_document)

    @property
    def is_current(self) -> bool:
        """Whether the frame shows the points of the document."""
        return self.frame.document.data is self._stage.session.document.data

    def hide_old_points(self) -> None:
        """Show the new points without a field until their frame comes.

        The camera already fits the new points, so the old points and their field would appear at
        odd positions for a moment.
        """
        self._hides_old = not (self.is_current or self._stage.session.previewing)

    def stop_waiting(self) -> None:
        """Stop the timer that repaints the plane if a frame is late."""
        self._delay.stop()

    def card_of(self, index: int) -> PointCard | None:
        """Return the card of a point; None while the frame shows an older document's points."""
        if not self.is_current or index >= len(self.frame.document.editable):
            return None
        return describe(self.frame, index).without(self._stage.view.hidden)

    def tip_at(self, x: float, y: float, camera: Camera) -> str:
        """Return the tooltip of the legend entry at a position, px; empty if there is none."""
        if not self.is_current:
            return ""
        return tip_in(without_margin(Canvas(self.frame, camera, self._style(1.0))), x, y)

    def strip(self, camera: Camera, width: int, height: int) -> Canvas:
        """Return the canvas of the strip with the legend of a race, for the camera of a plane."""
        style = self._style(self._widget.devicePixelRatioF())
        return strip_of(without_margin(Canvas(self.frame, camera, style)), width, height)

    def paint(
        self,
        painter: QPainter,
        camera: Camera,
        tool: Tool,
        card: int | None,
        words: str = "",
        has_ring: bool = False,
    ) -> None:
        """Paint the plane, the marks of the tool, and the card.

        Parameters
        ----------
        painter : QPainter
        camera : Camera
        tool : Tool
            The tool in use, with its marks and its invitation for an empty plane.
        card : int or None
            Index of the point whose card is shown.
        words : str
            A sentence to show in place of the sentence of the tool.
        has_ring : bool
            Whether a ring at the edge shows that the plane has the focus of the keyboard.
        """
        style = self._style(painter.device().devicePixelRatioF())
        if self._lane is not None:
            # Planes of a race have one legend, even before the first frame of the race.
            style = replace(style, options=replace(style.options, legend=False))
        document = self._stage.session.document
        frame = Frame(document) if self._hides_old else self.frame
        is_late = self._delay.is_long and not (self.is_current or self._hides_old)
        canvas = Canvas(frame, camera, style, document if is_late else None)
        draw_plane(painter, canvas)
        if not document.n:
            is_regression = document.is_regression
            invitation = REGRESSION_INVITATION if is_regression else tool.invitation
            draw_invitation(painter, canvas, *invitation)
        # The marks that the tool draws are as large as the points, which are smaller if crowded.
        marked = replace(canvas, newest=document).with_sizes()
        feedback = replace(tool.feedback, words=words) if words else tool.feedback
        draw_feedback(painter, marked, feedback)
        point_card = None if card is None else self.card_of(card)
        if point_card is not None:
            x, y = camera.to_pixels(document.editable.points[card]).tolist()
            draw_card(painter, canvas, point_card, x, y)
        # An audience needs no sign of where the focus is.
        if has_ring and not style.in_hall:
            draw_focus_ring(painter, self._widget.rect(), style)

    def _style(self, ratio: float) -> Style:
        stage, look, lane = self._stage, look_of(self._widget), self.frame.lane
        # The points of the step are not marked during a drag, at the end of a run, and while the
        # next step is done by hand.
        has_ended = (lane is not None and lane.at_end) or stage.lesson.is_by_hand
        return Style(
            theme=look.theme,
            scale=look.metrics.scale,
            in_hall=look.metrics.in_hall,
            axes=have_room(self._widget.width(), self._widget.height(), look.metrics.scale),
            options=stage.drawing.options,
            hovered=stage.spotlight.index,
            partner=stage.spotlight.partner,
            named=stage.spotlight.named,
            selected=stage.session.editable_selection,
            held_selected=stage.session.held_selection,
            marks_step=not (has_ended or stage.session.previewing),
            ratio=ratio,
            on_screen=True,
        )

    def show_lane(self, lane: int | None) -> None:
        """Show a lane, even if it is not in focus. If ``lane`` is None, show the lane in focus."""
        self._lane = lane
        self.frame = self._focused(self._stage.feed.frame)
        self.changed.emit()

    def _focused(self, frame: Frame) -> Frame:
        return frame if self._lane is None else frame.focused_on(self._lane)

    def _on_frame(self, frame: Frame) -> None:
        self.frame = self._focused(frame)
        self._delay.end(frame.document)
        self._hides_old = self._hides_old and not self.is_current
        self.changed.emit()

    def _on_document(self) -> None:
        document = self._stage.session.document
        if document is not self.frame.document:
            self._delay.expect(document)
        self.changed.emit()


def tip_in(canvas: Canvas, x: float, y: float) -> str:
    """Return the tooltip of the legend entry at a position of a canvas, px; empty without one."""
    entry = entry_at(lay_out(canvas), x, y, canvas.style.scale)
    return tip_of(entry, canvas.frame.lane) if entry else ""
