"""The stage: one object with all objects that views share; every view gets it as its argument."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication
from shiboken6 import isValid

from solvers import Method
from svmviz.document.document import Document
from svmviz.document.lanes import titles_of_lanes
from svmviz.playback.feed import FrameFeed
from svmviz.playback.playback import Playback
from svmviz.selection.background_search import Searches
from svmviz.session.session import Session
from svmviz.stage.drawing import Drawing
from svmviz.stage.lecture import Lecture
from svmviz.stage.open_lesson import OpenLesson
from svmviz.stage.picking import Picking
from svmviz.stage.prediction import Prediction
from svmviz.stage.reading import Reading
from svmviz.stage.spotlight import Spotlight
from svmviz.stage.view_state import ViewState
from svmviz.theme.look import show_sides


@dataclass(frozen=True)
class Stage:
    """The objects that the views of a window share.

    Attributes
    ----------
    session : Session
        The document, its edits and its runs.
    playback : Playback
        Which step is shown, and whether it plays.
    feed : FrameFeed
        The frame of the step shown, and the studies that views subscribe to.
    view : ViewState
        The options of the plane, the layout of the panels, and what is chosen in panels.
    drawing : Drawing
        The strokes of the pen.
    spotlight : Spotlight
        The point that all views highlight.
    searches : Searches
        Searches of model selection in the background.
    reading : Reading
        The derivation that is read beside the plane.
    lesson : OpenLesson
        The lesson that is open, if any.
    lecture : Lecture
        The lecture that is being made.
    picking : Picking
        The request of a question for clicks in the plane.
    prediction : Prediction
        *Predict first*: the question on the next part of a step.
    """

    session: Session
    playback: Playback
    feed: FrameFeed
    view: ViewState
    drawing: Drawing
    spotlight: Spotlight
    searches: Searches
    reading: Reading
    lesson: OpenLesson
    lecture: Lecture
    picking: Picking
    prediction: Prediction

    @classmethod
    def of(cls, document: Document | None = None) -> Stage:
        """Return a stage for a document, with new objects."""
        session = Session(document)
        _show_sides(session)
        session.document_changed.connect(lambda: _show_sides(session))
        playback = Playback(session)
        feed = FrameFeed(session, playback)
        reading, lesson, view = Reading(), OpenLesson(), ViewState()
        drawing, lecture = Drawing(view), Lecture(lesson)
        drawing.drawn.connect(lecture.draw)
        picking = Picking()
        prediction = Prediction(playback, picking)
        feed.panel_frame_changed.connect(prediction.show_frame)
        playback.limit = lesson.limit
        playback.held.connect(lesson.ask_first)
        playback.detour = lambda direction: (
            reading.go(direction)
            or prediction.holds(direction)
            or lesson.turn(direction, playback.step, playback.is_at_end)
        )
        return cls(
            session,
            playback,
            feed,
            view,
            drawing,
            Spotlight(),
            Searches(),
            reading,
            lesson,
            lecture,
            picking,
            prediction,
        )

    @property
    def lane(self) -> int:
        """Index of the lane in focus."""
        return min(self.playback.focus, len(self.session.document.methods) - 1)

    @property
    def method(self) -> Method:
        """The method of the lane in focus."""
        return self.session.document.methods[self.lane]

    def add_lane(self, method: Method, **own: Any) -> None:
        """Add a lane with a method, and put it in focus if it has anything else of its own.

        ``own`` has fields of :class:`svmviz.document.changes.Changes`.
        """
        document = self.session.document.with_lane(method, **own)
        if own:
            text = f"Compare {' with '.join(titles_of_lanes(document)[-2:])}"
        else:
            text = f"Race {method.label}"
        self.session.edit(document, text)
        if own:
            self.playback.set_focus(len(document.methods) - 1)

    @property
    def is_explaining(self) -> bool:
        """Whether the user has a step explained in its parts; not if the card of a lesson does."""
        card = self.lesson.card
        return self.playback.by_beats and not (card is not None and card.show.explains)

    def end_race(self) -> None:
        """Remove all methods from the document except the one in focus; undo restores the race."""
        document = self.session.document
        if len(document.methods) > 1:
            self.session.edit(document.with_lanes([self.lane]), "End the race")

    def close(self) -> None:
        """End the background threads, and let go of all views.

        Connected objects stay in memory as long as the sender, because Python does not see the
        connections of Qt.
        """
        # This is called twice: by the window, and at the end of the program, when no window may be
        # left.
        if not isValid(self.session):
            return
        self.searches.close()
        self.session.close()
        self.feed.close()
        for part in vars(self).values():
            if isinstance(part, QObject):
                part.deleteLater()


def _show_sides(session: Session) -> None:
    """Give both sides the colours of their classes, in all widgets."""
    if show_sides(*session.document.sides):
        for widget in QApplication.allWidgets():
            widget.update()
