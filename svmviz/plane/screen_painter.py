"""Painting of the plane in the window.

It shows the newest frame or, if the next frame is late, the points of the document.
"""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget

from svmviz.camera.camera import Camera
from svmviz.frames.frame import Frame
from svmviz.plane.draw import draw_plane, legend_of
from svmviz.plane.paint.feedback import draw_feedback, draw_invitation
from svmviz.plane.paint.hover_card import draw_card
from svmviz.plane.paint.ink import ink_of
from svmviz.plane.paint.legend.legend_tips import entry_at, tip_of
from svmviz.plane.paint.style import Style
from svmviz.plane.picture_delay import PictureDelay
from svmviz.plane.point_card import PointCard, describe
from svmviz.stage.stage import Stage
from svmviz.theme import look_of
from svmviz.tools.base import Tool

# The two lines that an empty plane shows in a regression, with every tool.
FITTING = ("Click to place points", "The curve f(x) follows their heights.")


class ScreenPainter(QObject):
    """Painter of the frame on screen.

    Parameters
    ----------
    stage : Stage
    widget : QWidget
        The widget on which the plane is painted.
    lane : int, optional
        The lane shown; by default the one in focus.

    Signals
    -------
    changed : the plane must be painted again
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
        stage.feed.frame_changed.connect(self._on_frame)
        stage.session.document_changed.connect(self._on_document)

    @property
    def is_current(self) -> bool:
        """Whether the frame shows the points of the document."""
        return self.frame.document.data is self._stage.session.document.data

    def hide_old_points(self) -> None:
        """Show neither points nor field until a frame of the new points comes.

        The camera already fits the new points. Through it the old ones would be seen at wrong
        places for a moment.
        """
        self._hides_old = not (self.is_current or self._stage.session.previewing)

    def rest(self) -> None:
        """Stop waiting for a frame."""
        self._delay.rest()

    def card_of(self, index: int) -> PointCard | None:
        """Return the card of a point; None while the frame shows other points."""
        if not self.is_current or index >= self.frame.document.n:
            return None
        return describe(self.frame, index)

    def tip_at(self, x: float, y: float, camera: Camera) -> str:
        """Return what the entry of the legend at a place means; empty if there is none."""
        frame, style, data = self.frame, self._style(1.0), self.frame.document.data
        if not self.is_current:
            return ""
        # Marks that are smaller where points are crowded.
        inked = replace(style, ink=ink_of(data, camera, style.scale, style.marks))
        legend = legend_of(frame, data, frame.lane, camera, inked)
        entry = entry_at(legend, x, y, camera.top, style.scale)
        return tip_of(entry, frame.lane) if entry else ""

    def paint(self, painter: QPainter, camera: Camera, tool: Tool, card: int | None) -> None:
        """Paint the plane, the marks of the tool, and the card.

        Parameters
        ----------
        painter : QPainter
        camera : Camera
        tool : Tool
            The tool in use, with its marks and its invitation for an empty plane.
        card : int or None
            Index of the point whose card is shown.
        """
        style = self._style(painter.device().devicePixelRatioF())
        document = self._stage.session.document
        frame = Frame(document) if self._hides_old else self.frame
        late = self._delay.is_long and not (self.is_current or self._hides_old)
        draw_plane(painter, frame, camera, style, document.data if late else None)
        if not document.n:
            words = FITTING if document.is_regression else tool.invitation
            draw_invitation(painter, *words, camera, style)
        # Marks that are smaller where points are crowded.
        inked = replace(style, ink=ink_of(document.data, camera, style.scale, style.marks))
        draw_feedback(painter, tool.feedback, camera, inked)
        shown = None if card is None else self.card_of(card)
        if shown is not None:
            x, y = camera.to_pixels(document.data.points[card]).tolist()
            draw_card(painter, shown, x, y, camera, style)

    def _style(self, ratio: float) -> Style:
        stage, look, lane = self._stage, look_of(self._widget), self.frame.lane
        # During a drag, and at the end of a run, no points of a step are marked.
        ended = lane is not None and lane.at_end
        return Style(
            theme=look.theme,
            scale=look.metrics.scale,
            marks=look.metrics.marks_share,
            options=stage.view.options,
            hovered=stage.spotlight.index,
            selected=stage.session.selection,
            held_selected=stage.session.held_selection,
            marks_step=not (ended or stage.session.previewing),
            ratio=ratio,
        )

    def show_lane(self, lane: int | None) -> None:
        """Show a lane, whether in focus or not; None for the one in focus."""
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
