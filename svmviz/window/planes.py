"""The planes of a document, side by side: one for each method of the document.

A document with several methods is a race, and each method is one lane. All planes have the same
viewport, and each accepts edits. In a race, each plane has a title with the method, its step and
its distance from the optimum. A click on a title moves the focus to that lane.
"""

from __future__ import annotations

from dataclasses import replace
from math import ceil

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from solvers.settings import Checked
from svmviz.camera.camera import Camera
from svmviz.frames.frame import Frame
from svmviz.plane.lane_title import LaneTitle
from svmviz.plane.paint.legend import strip_height
from svmviz.plane.paint.style import Style
from svmviz.plane.paint.title import titles_of, worded_alike
from svmviz.plane.picture import Picture
from svmviz.plane.race_legend import RaceLegend
from svmviz.plane.race_tiles import lane_count, shape_of, tiles
from svmviz.plane.widget import PlaneView
from svmviz.playback.feed import WINDOW
from svmviz.stage.stage import Stage
from svmviz.theme import Theme, look_of
from svmviz.tools import PEN
from svmviz.widgets.styling import OwnSizes
from svmviz.window.brush_bar import BrushBar
from svmviz.window.notice import Notice
from svmviz.window.pen_bar import PenBar
from svmviz.window.word import Word


class Planes(OwnSizes, QWidget):
    """One plane per lane, all of the same size.

    Parameters
    ----------
    stage : Stage
    viewer : str
        The name under which the planes set their viewport in the `FrameFeed`.

    Attributes
    ----------
    main : PlaneView
        The plane of the first lane.
    legend : RaceLegend
        Hidden without a race.
    word : Word
        Shows in front of the planes, as one word, the choice that the user has made by a key.
    notice : Notice

    Signals
    -------
    pen_put_away()
        The button of the pen that puts it away was pressed.
    """

    pen_put_away = Signal()

    def __init__(self, stage: Stage, viewer: str = WINDOW) -> None:
        super().__init__()
        self._stage, self._viewer = stage, viewer
        self.main = PlaneView(stage, parent=self, viewer=viewer)
        self.views = [self.main]
        self.titles: list[LaneTitle] = []
        self.legend = RaceLegend(self.main, self)
        self.brush_bar = BrushBar(self.main, self.views, self)
        # The audience's picture has none.
        self.pen_bar = PenBar(stage, self.main, self) if viewer == WINDOW else None
        if self.pen_bar is not None:
            self.pen_bar.put_away.connect(self.pen_put_away)
        self.word = Word(self)
        self.notice = Notice(self, self._axis_height)
        # The tool in use, and that before the pen.
        self._tool: str | None = None
        self._before_pen: str | None = None
        # The result of `shape_of`, by which the planes of a race are laid out.
        self._shape = 1.0
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.main.navigation.camera_changed.connect(self._on_camera)
        # Queued, so that the rest of the window is painted first.
        self.main.painted.connect(stage.feed.on_painted, Qt.ConnectionType.QueuedConnection)
        self._connect_brush(self.main)
        stage.session.document_changed.connect(self._match_lanes)
        stage.feed.frame_changed.connect(self._on_frame)
        stage.view.changed.connect(self._match_lanes)
        self._match_lanes()
        self.follow_style(Planes._lay_out)

    def return_notice(self) -> None:
        """Show notices in front of the planes again."""
        self.notice.lie_over(self, self._axis_height)

    def _axis_height(self) -> int:
        return ceil(self.main.camera.margins.bottom)

    @property
    def is_race(self) -> bool:
        """Whether there is more than one plane."""
        return len(self.views) > 1

    @property
    def tool(self) -> str | None:
        """Name of the tool in use."""
        return self._tool

    def use_tool(self, tool: str) -> None:
        """Select a tool for every plane; the pen in use is put away for the tool before it."""
        if self._viewer == WINDOW:
            if tool == PEN and self._tool != PEN:
                self._before_pen = self._tool
            elif tool == PEN and self._before_pen is not None:
                tool = self._before_pen
            self._stage.drawing.take(tool == PEN)
        self._tool = tool
        for view in self.views:
            view.show_tool(tool)

    def picture(self, theme: Theme, factor: float) -> Picture:
        """Return a picture of all planes as on screen, ``factor`` times as large."""
        size = (round(self.width() * factor), round(self.height() * factor))
        return replace(self.main.picture(theme, factor), size=size)

    def _match_lanes(self) -> None:
        """Make or delete planes until there is one per method of the document."""
        document = self._stage.session.document
        lanes, old_shape = lane_count(document), self._shape
        # Planes do not change places while a point is dragged.
        if not self._stage.session.previewing:
            self._shape = shape_of(document, self._stage.view.options)
        if lanes == len(self.views):
            # Another document or option may need more rows of the legend, or fewer.
            if self._shape != old_shape or self.is_race:
                self._lay_out()
            return
        while len(self.views) > lanes:
            view = self.views.pop()
            view.hide()
            view.deleteLater()
        while len(self.views) < lanes:
            view = PlaneView(self._stage, len(self.views), self, self._viewer)
            # Set before the signal is connected, because the camera of a new plane must not change
            # the cameras of the other planes.
            view.navigation.set_camera(self.main.camera)
            view.navigation.camera_changed.connect(self._on_camera)
            self._connect_brush(view)
            if self._tool is not None:
                view.show_tool(self._tool)
                if self.main.brush is not None:
                    view.set_brush(self.main.brush)
            view.show()
            self.views.append(view)
        self.main.show_lane(0 if lanes > 1 else None)
        self._make_titles(lanes if lanes > 1 else 0)
        self._lay_out()

    def _connect_brush(self, view: PlaneView) -> None:
        """Apply a change of this plane's brush to all planes."""
        view.brush_changed.connect(self._on_brush)
        view.tool_changed.connect(lambda _name: self.brush_bar.fit())

    def _on_brush(self, brush: Checked) -> None:
        for view in self.views:
            if view.brush is not None and view.brush != brush:
                view.set_brush(brush)
        self.brush_bar.fit()

    def _make_titles(self, count: int) -> None:
        while len(self.titles) > count:
            title = self.titles.pop()
            title.hide()
            title.deleteLater()
        while len(self.titles) < count:
            lane = len(self.titles)
            title = LaneTitle(parent=self)
            title.pressed.connect(lambda lane=lane: self._stage.playback.set_focus(lane))
            title.show()
            self.titles.append(title)

    # Geometry. No QLayout is used: it would make planes whose sizes differ by a pixel. Then their
    # viewports would also differ.

    def _lay_out(self) -> None:
        metrics = look_of(self).metrics
        style = Style(
            scale=metrics.scale,
            in_hall=metrics.in_hall,
            on_screen=True,
            options=self._stage.view.options,
        )
        strip = strip_height(self._stage.session.document, self.width(), style)
        self.legend.setGeometry(0, 0, self.width(), strip)
        self.legend.setVisible(strip > 0)
        layout = tiles(
            len(self.views), self.width(), self.height(), style.scale, self._shape, strip
        )
        for view, tile in zip(self.views, layout, strict=True):
            view.setGeometry(*tile.plane)
            if tile.title is not None:
                self.titles[tile.lane].setGeometry(*tile.title)
        self.brush_bar.fit()
        if self.pen_bar is not None:
            self.pen_bar.fit()
        # In other widths titles have room for other words.
        self._on_frame(self._stage.feed.frame)

    def _on_camera(self, camera: Camera) -> None:
        for view in self.views:
            if view.camera is not camera and view.size() == self.main.size():
                view.navigation.set_camera(camera)

    def _on_frame(self, frame: Frame) -> None:
        if not self.is_race:
            return
        document = self._stage.session.document
        if frame.document.methods != document.methods:
            # Until the new methods are compiled, the frame shows the earlier methods. So the titles
            # are made from an empty frame of the new document.
            frame = Frame(document)
        look = look_of(self)
        style = Style(look.theme, look.metrics.scale)
        titles = worded_alike(titles_of(frame), self.titles[0].width(), style)
        for lane, (widget, title) in enumerate(zip(self.titles, titles, strict=False)):
            widget.set_title(replace(title, focused=lane == frame.focus))

    def sizeHint(self) -> QSize:
        return self.main.sizeHint()

    def minimumSizeHint(self) -> QSize:
        return self.main.minimumSizeHint()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._lay_out()
