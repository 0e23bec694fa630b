"""The base of panels that are a function of the frame; hidden, they cost nothing."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QGuiApplication, QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QScrollArea, QWidget

from svmviz.frames.frame import Frame, Lane
from svmviz.frames.studies import Study
from svmviz.stage.stage import Stage
from svmviz.theme import active
from svmviz.widgets.column import Column

# Width of a panel with one chart, px at scale 1.
LEAST = 190


class FramePanel(Column):
    """A panel that draws what a frame brings, while it is on screen.

    A subclass gives :attr:`name` and :meth:`draw`; one that needs more than the lanes also gives
    :meth:`make_study`, whose function runs in the frame thread; one that lights points or hears
    the mouse uses ``self.stage.spotlight`` and ``self.stage.session.select`` like every view.

    Parameters
    ----------
    stage : Stage
    gap, margin : float
        Spacing, in units of the grid.
    parent : QWidget, optional
    """

    # As in the registry: under this name the study's result comes back.
    name: str
    # Whether its charts stand beside each other or one above the other, as there is room.
    turns = False

    def __init__(
        self,
        stage: Stage,
        gap: float = 1.0,
        margin: float = 2.0,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(gap=gap, margin=margin, parent=parent)
        self.stage = stage
        self._study = self.make_study()
        stage.feed.panel_frame_changed.connect(self._on_frame)
        stage.spotlight.changed.connect(self._on_marks)
        stage.session.selection_changed.connect(self._on_marks)
        self.follow_style(FramePanel._on_style)

    # For subclasses.

    def make_study(self) -> Study | None:
        """A function of frame and runs for the frame thread (``svmviz.frames.studies``), or None.

        It must not be a method of the panel: widgets belong to the GUI thread.
        """
        return None

    def draw(self, lane: Lane | None, study: Any, frame: Frame) -> None:
        """Show a frame.

        Parameters
        ----------
        lane : Lane or None
            The lane in focus; None where nothing is solved.
        study : object or None
            What :meth:`make_study` worked out for this frame; None until the first one came.
        frame : Frame
        """
        raise NotImplementedError

    def mark(self) -> None:
        """Show which points are lit and selected; called after each ``draw``, too."""

    def apply_style(self) -> None:
        """Put on colours and sizes of the window's look."""

    def choose(self, index: int | None) -> None:
        """Select a point that was clicked, if it is there; Shift adds it to the selection."""
        session = self.stage.session
        if index is None or index >= session.document.n:
            return
        more = QGuiApplication.keyboardModifiers() & Qt.KeyboardModifier.ShiftModifier
        session.select(session.selection | {index} if more else {index})

    def lies_across(self, least: float) -> bool:
        """Whether two charts have more room beside each other than one above the other.

        ``least`` is the width that they need then, px at scale 1. What counts is what is seen:
        in a low dock a panel is higher, and scrolls.
        """
        seen = self.parentWidget()
        scrolls = seen is not None and isinstance(seen.parentWidget(), QScrollArea)
        height = min(self.height(), seen.height()) if seen and scrolls else self.height()
        return self.width() > max(1.1 * height, active().metrics.px(least))

    # How it goes.

    def minimumSizeHint(self) -> QSize:
        """Of a panel that turns no wider than one chart, which is all that it needs upright."""
        hint = super().minimumSizeHint()
        least = active().metrics.px(LEAST)
        return QSize(min(hint.width(), least) if self.turns else hint.width(), hint.height())

    def _on_frame(self, frame: Frame) -> None:
        if not self.isVisible():
            return
        self.draw(frame.lane, frame.studies.get(self.name), frame)
        self.mark()

    def _on_marks(self) -> None:
        if self.isVisible():
            self.mark()

    def _on_style(self) -> None:
        if self.isVisible():
            self.apply_style()
            self._on_frame(self.stage.feed.frame)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.apply_style()
        if self._study is not None:
            self.stage.feed.subscribe(self.name, self._study)
        self._on_frame(self.stage.feed.frame)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        if self._study is not None:
            self.stage.feed.unsubscribe(self.name)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._on_frame(self.stage.feed.frame)
