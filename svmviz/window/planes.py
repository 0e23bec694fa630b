"""The planes of a race beside each other; one plane where there is no race.

All look at the same part of the data and take edits alike: they show one document. Each has a
title with the method, its step and how far it is from the optimum; a click on it puts the lane in
focus, which is the one that the panels show.
"""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from svmviz.frame import Frame
from svmviz.plane.camera import Camera
from svmviz.plane.widget import PlaneView
from svmviz.stage import Stage
from svmviz.theme import active
from svmviz.widgets.lane_title import TITLE, LaneTitle
from svmviz.words import lane_titles, lane_words

MOST = 4


class Planes(QWidget):
    """One plane a lane, of one size.

    Parameters
    ----------
    stage : Stage
    """

    def __init__(self, stage: Stage, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._stage = stage
        self.main = PlaneView(stage, parent=self)
        self.views = [self.main]
        self.titles: list[LaneTitle] = []
        self._tool: str | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.main.looked.connect(self._on_looked)
        stage.session.document_changed.connect(self._count)
        stage.playback.frame_changed.connect(self._on_frame)
        self._count()

    @property
    def is_race(self) -> bool:
        """Whether there is more than one."""
        return len(self.views) > 1

    def take(self, tool: str) -> None:
        """Take a tool in hand, over every plane."""
        self._tool = tool
        for view in self.views:
            view.show_tool(tool)

    def _count(self) -> None:
        """Have as many planes as the document has methods."""
        lanes = min(len(self._stage.session.document.methods), MOST)
        if lanes == len(self.views):
            return
        while len(self.views) > lanes:
            view = self.views.pop()
            view.hide()
            view.deleteLater()
        while len(self.views) < lanes:
            view = PlaneView(self._stage, len(self.views), self)
            view.looked.connect(self._on_looked)
            if self._tool is not None:
                view.show_tool(self._tool)
            view.show()
            self.views.append(view)
        self.main.show_lane(0 if lanes > 1 else None)
        self._make_titles(lanes if lanes > 1 else 0)
        self._lay_out()
        self._on_frame(self._stage.playback.frame)

    def _make_titles(self, count: int) -> None:
        while len(self.titles) > count:
            title = self.titles.pop()
            title.hide()
            title.deleteLater()
        while len(self.titles) < count:
            lane = len(self.titles)
            title = LaneTitle(self)
            title.pressed.connect(lambda lane=lane: self._stage.playback.set_focus(lane))
            title.show()
            self.titles.append(title)

    # Places. No layout: it would give planes that differ by a pixel, and then in what they show.

    def _lay_out(self) -> None:
        columns, rows = grid(len(self.views), self.width(), self.height())
        gap = active().metrics.px(1) if self.is_race else 0
        head = active().metrics.px(TITLE) if self.is_race else 0
        width = (self.width() - gap * (columns - 1)) // columns
        height = (self.height() - gap * (rows - 1)) // rows
        for place, view in enumerate(self.views):
            x = (place % columns) * (width + gap)
            y = (place // columns) * (height + gap)
            if self.is_race:
                self.titles[place].setGeometry(x, y, width, head)
            view.setGeometry(x, y + head, width, height - head)

    def _on_looked(self, camera: Camera) -> None:
        for view in self.views:
            if view.camera is not camera and view.size() == self.main.size():
                view.look_along(camera)

    def _on_frame(self, frame: Frame) -> None:
        if not self.is_race:
            return
        theme = active().theme
        names = lane_titles(frame.document.methods)
        for place, title in enumerate(self.titles):
            lane = frame.lanes[place] if place < len(frame.lanes) else None
            title.tell(
                names[place] if place < len(names) else "",
                lane_words(lane),
                theme.series[place % len(theme.series)],
                place == frame.focus,
            )

    def sizeHint(self) -> QSize:
        return self.main.sizeHint()

    def minimumSizeHint(self) -> QSize:
        return self.main.minimumSizeHint()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._lay_out()


def grid(count: int, width: int, height: int) -> tuple[int, int]:
    """Columns and rows in which ``count`` planes are largest; wide planes before high ones."""
    choices = [(columns, -(-count // columns)) for columns in range(1, count + 1)]
    return max(choices, key=lambda c: (min(width / c[0], 1.2 * height / c[1]), c[0]))
