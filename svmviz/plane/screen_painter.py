"""What the window paints: the newest frame, or for a moment something newer than any frame."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QPainter

from svmviz.camera.camera import Camera
from svmviz.frames.frame import Frame
from svmviz.plane.draw import draw_plane
from svmviz.plane.hover import Card, describe
from svmviz.plane.paint.card import draw_card
from svmviz.plane.paint.overlay import draw_invitation, draw_overlay
from svmviz.plane.paint.style import Style
from svmviz.plane.picture_delay import Lag
from svmviz.stage.stage import Stage
from svmviz.theme import active
from svmviz.tools.base import Tool

# What to do with an empty plane in regression, whichever tool is in hand.
FITTING = ("Click to place points", "The curve f(x) follows their heights.")


class Screen(QObject):
    """The frame on screen.

    Parameters
    ----------
    stage : Stage
    parent : QObject
    lane : int, optional
        Which lane; by default the one in focus.

    Signals
    -------
    changed : something else is to be painted
    """

    changed = Signal()

    def __init__(self, stage: Stage, parent: QObject, lane: int | None = None) -> None:
        super().__init__(parent)
        self._stage = stage
        self._lane = lane
        self.frame: Frame = self._seen(stage.feed.frame)
        self._anew = False
        self._lag = Lag(self)
        self._lag.passed.connect(self.changed)
        stage.feed.frame_changed.connect(self._on_frame)
        stage.session.document_changed.connect(self._on_document)

    @property
    def is_current(self) -> bool:
        """Whether the frame shows the points there are."""
        return self.frame.document.data is self._stage.session.document.data

    def begin_anew(self) -> None:
        """Show no old points, and no field, until a frame of the new ones comes.

        For another set of points: the old ones under the new camera would only flicker.
        """
        self._anew = not (self.is_current or self._stage.session.previewing)

    def rest(self) -> None:
        """Wait for nothing."""
        self._lag.rest()

    def card_of(self, index: int) -> Card | None:
        """The card of a point; None while the frame is one of other points."""
        if not self.is_current or index >= self.frame.document.n:
            return None
        return describe(self.frame, index)

    def paint(self, painter: QPainter, camera: Camera, tool: Tool, card: int | None) -> None:
        """Paint all of it.

        Parameters
        ----------
        painter : QPainter
        camera : Camera
        tool : Tool
            The one in hand; it says what it does, and what to do with an empty plane.
        card : int or None
            Index of the point whose card is shown.
        """
        style = self._style(painter.device().devicePixelRatioF())
        document = self._stage.session.document
        frame = Frame(document) if self._anew else self.frame
        late = self._lag.is_long and not (self.is_current or self._anew)
        draw_plane(painter, frame, camera, style, document.data if late else None)
        if not document.n:
            words = FITTING if document.is_regression else tool.invitation
            draw_invitation(painter, *words, camera, style)
        draw_overlay(painter, tool.overlay, camera, style)
        told = None if card is None else self.card_of(card)
        if told is not None:
            x, y = camera.to_pixels(document.data.points[card]).tolist()
            draw_card(painter, told, x, y, camera, style)

    def _style(self, ratio: float) -> Style:
        stage, look, lane = self._stage, active(), self.frame.lane
        # While a hand drags, and at the end of a run, no pair is in play.
        resting = lane is not None and lane.at_end
        return Style(
            theme=look.theme,
            scale=look.metrics.scale,
            options=stage.view.options,
            hovered=stage.spotlight.index,
            selected=stage.session.selection,
            in_play=not (resting or stage.session.previewing),
            ratio=ratio,
        )

    def show_lane(self, lane: int | None) -> None:
        """Show one lane, whichever is in focus; None for the one in focus."""
        self._lane = lane
        self.frame = self._seen(self._stage.feed.frame)
        self.changed.emit()

    def _seen(self, frame: Frame) -> Frame:
        return frame if self._lane is None else frame.seen_by(self._lane)

    def _on_frame(self, frame: Frame) -> None:
        self.frame = self._seen(frame)
        self._lag.answer(frame.document)
        self._anew = self._anew and not self.is_current
        self.changed.emit()

    def _on_document(self) -> None:
        document = self._stage.session.document
        if document is not self.frame.document:
            self._lag.ask(document)
        self.changed.emit()
