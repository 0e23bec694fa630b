"""The plane as a widget. It shows the newest frame, and on top of that the drawings of the tool.

The widget passes Qt's events on: mouse and keys to the tool, zooming to the navigation.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QAccessible,
    QFocusEvent,
    QHelpEvent,
    QHideEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTouchEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from solvers.settings import Checked
from svmviz.base.announcer import Announcer
from svmviz.camera.camera import Camera
from svmviz.frames.frame import Frame
from svmviz.frames.studies import Study
from svmviz.plane.in_words import plane_in_words
from svmviz.plane.keys.line_keys import LineKeys
from svmviz.plane.keys.point_keys import PointKeys
from svmviz.plane.mouse_handler import MouseHandler
from svmviz.plane.navigation import Navigation, pinch_of, wheel_factor
from svmviz.plane.overlays import OVERLAYS
from svmviz.plane.paint.canvas import Canvas
from svmviz.plane.picture import Picture
from svmviz.plane.screen_painter import ScreenPainter
from svmviz.plane.touch import Touch
from svmviz.playback.feed import WINDOW
from svmviz.stage.stage import Stage
from svmviz.theme import Theme, active
from svmviz.widgets.plain_text import show_tip
from svmviz.widgets.styling import TypeFollower

# If the focus leaves for one of these reasons, it is only for a while: a menu or another window.
PASSING = (
    Qt.FocusReason.PopupFocusReason,
    Qt.FocusReason.MenuBarFocusReason,
    Qt.FocusReason.ActiveWindowFocusReason,
)
BY_KEY = (
    Qt.FocusReason.TabFocusReason,
    Qt.FocusReason.BacktabFocusReason,
    Qt.FocusReason.ShortcutFocusReason,
)
MODIFIER_KEYS = (Qt.Key.Key_Shift, Qt.Key.Key_Control, Qt.Key.Key_Alt, Qt.Key.Key_AltGr)


class PlaneView(TypeFollower, QWidget):
    """A plane with points, field, boundary and margins, where the user places and moves points.

    Parameters
    ----------
    stage : Stage
    lane : int, optional
        Index of the lane to show; by default, the lane in focus.
    viewer : str
        The window that shows the plane, for which frames are requested: WINDOW or PICTURE of
        :mod:`svmviz.playback.feed`.

    Attributes
    ----------
    navigation : Navigation
        The camera, which determines the section that is shown.

    Signals
    -------
    painted
        The widget was painted.
    hovered_text : str
        The highlighted point in one line; empty if there is none.
    tool_changed : str
        Name of the tool in use.
    brush_changed : object (Checked)
        A key has changed the size of the brush in use.
    """

    painted = Signal()
    hovered_text = Signal(str)
    tool_changed = Signal(str)
    brush_changed = Signal(object)

    def __init__(
        self,
        stage: Stage,
        lane: int | None = None,
        parent: QWidget | None = None,
        viewer: str = WINDOW,
    ) -> None:
        super().__init__(parent)
        self._stage = stage
        self._screen = ScreenPainter(stage, self, lane)
        self._screen.changed.connect(self.update)
        self.navigation = Navigation(stage, self, viewer)
        self.navigation.before_fit.connect(self._screen.hide_old_points)
        # Only the main plane, which shows the lane in focus in the main window, subscribes to the
        # studies of overlays. The results come with the frames, which all planes share.
        subscribes = lane is None and viewer == WINDOW
        self._subscriptions = OverlaySubscriptions(stage, self) if subscribes else None
        self._mouse = MouseHandler(stage, self.navigation, self, lane)
        self._mouse.changed.connect(self.update)
        self.navigation.camera_changed.connect(lambda _camera: self._mouse.follow_camera())
        self._mouse.tool_changed.connect(self.tool_changed)
        self._mouse.brush_changed.connect(self.brush_changed)
        self._touch = Touch(self._mouse, self.navigation, self)
        self._points = PointKeys(stage, self.navigation, self._mouse)
        self._line = LineKeys(stage, self.navigation, self._mouse)
        # In the order of the Tab key.
        self._keys = (self._line, self._points)
        for keys in self._keys:
            keys.changed.connect(self.update)
        # Whether the focus came by a key, so that a ring shows it.
        self._has_ring = False
        self.setMouseTracking(True)
        self.setAttribute(Qt.WidgetAttribute.WA_AcceptTouchEvents)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName("Plane of points")
        self._announcer = Announcer(self)
        # Title of the scene that was opened last, and whether the description is that of the scene.
        self._title, self._is_described = "", False
        self.navigation.fit()
        stage.session.document_changed.connect(self.navigation.follow_document)
        stage.feed.panel_frame_changed.connect(self._describe)
        stage.session.selection_changed.connect(self.update)
        stage.view.changed.connect(self.navigation.follow_options)
        stage.spotlight.changed.connect(self._on_spotlight)
        self.follow_style(PlaneView._on_style)

    # State.

    @property
    def camera(self) -> Camera:
        """Conversion between data units and pixels."""
        return self.navigation.camera

    @property
    def theme(self) -> Theme:
        """Colours of the plane."""
        return active().theme

    def picture(self, theme: Theme, factor: float) -> Picture:
        """Return a picture of the widget, ``factor`` times as large, to be painted later."""
        return Picture(
            frame=self._screen.frame,
            size=(round(self.width() * factor), round(self.height() * factor)),
            theme=theme,
            options=self._stage.view.drawn,
            scale=self.navigation.metrics.scale * factor,
            camera=self.camera,
        )

    @property
    def brush(self) -> Checked | None:
        """Size and rate of the brush in use; None for tools without one."""
        return self._mouse.tool.settings

    def set_brush(self, settings: Checked) -> None:
        """Change the brush in use; ``settings`` must have the type that ``brush`` returns."""
        self._mouse.tool.settings = settings
        self.update()

    def show_tool(self, name: str) -> None:
        """Use another tool; see ``svmviz.tools.TOOLS``."""
        self._mouse.use_tool(name)

    def tip_at(self, x: float, y: float) -> str:
        """Return the tooltip of the legend entry at a position, px; empty if there is none."""
        return self._screen.tip_at(x, y, self.camera)

    def strip(self, width: int, height: int) -> Canvas:
        """Return the strip with the legend of a race; see `strip_of`."""
        return self._screen.strip(self.camera, width, height)

    def show_lane(self, lane: int | None) -> None:
        """Show a lane, even if it is not in focus. If ``lane`` is None, show the lane in focus."""
        self._screen.show_lane(lane)
        self._mouse.lane = lane

    def describe_anew(self, title: str) -> None:
        """Let the description become that of another scene, even while the plane has the focus."""
        self._title, self._is_described = title, False

    def let_go(self) -> None:
        """Deselect point and line, so that the arrow keys go through the steps."""
        for keys in self._keys:
            keys.let_go()

    # Changes of the stage.

    def _describe(self, frame: Frame) -> None:
        # A screen reader says a description whenever it changes under the focus. At each step, it
        # would say the whole description before the sentence of the step.
        if QAccessible.isActive() and not (self.hasFocus() and self._is_described):
            hides = bool(self._stage.view.hidden)
            words = plane_in_words(frame, brief=hides)
            self.setAccessibleDescription(f"{self._title}. {words}" if self._title else words)
            is_newest = frame.document is self._stage.session.document
            self._is_described = is_newest and frame.lane is not None

    def _on_spotlight(self) -> None:
        index = self._stage.spotlight.index
        card = None if index is None else self._screen.card_of(index)
        self.hovered_text.emit(card.line if card else "")
        self._announcer.say(card.line if card else "")
        self.update()

    def _on_style(self) -> None:
        self.navigation.follow_size()

    # Events of Qt.

    def paintEvent(self, event: QPaintEvent) -> None:
        try:
            with QPainter(self) as painter:
                tool, card = self._mouse.tool, self._mouse.card_index
                words = self._points.words or self._line.words
                self._screen.paint(painter, self.camera, tool, card, words, self._has_ring)
        finally:
            # The next frame is requested once this one is painted, even if painting failed.
            self.painted.emit()

    def sizeHint(self) -> QSize:
        return QSize(800, 640)

    def minimumSizeHint(self) -> QSize:
        return QSize(320, 240)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self.navigation.follow_size()

    def hideEvent(self, event: QHideEvent) -> None:
        self._screen.stop_waiting()
        self._mouse.end_strokes()
        self._end_runs()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._begin_stroke()
        self._mouse.press(event)

    def _begin_stroke(self) -> None:
        self._line.let_go()
        self._end_runs()
        self._take_focus()
        self._show_ring(False)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        # Qt sends this event for the second press of a double click. That press counts like any
        # other, also on a point that the first click has added.
        self._mouse.press(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._mouse.move(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._mouse.release(event)

    def leaveEvent(self, event: QEvent) -> None:
        self._mouse.leave()

    def focusInEvent(self, event: QFocusEvent) -> None:
        if event.reason() not in PASSING:
            self._take_focus()
            self._show_ring(event.reason() in BY_KEY)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._end_runs()
        # Wait until another widget has the focus, so that a screen reader does not say the
        # description.
        QTimer.singleShot(0, self, lambda: self._describe(self._stage.feed.panel_frame))
        if event.reason() not in PASSING:
            self._line.let_go()
            self._show_ring(False)

    def focusNextPrevChild(self, next: bool) -> bool:
        # Qt calls this for Tab and Shift+Tab. Tab goes to the line first. If it does not stop
        # there, it goes to the points.
        if any(keys.step(next) for keys in self._keys):
            self._show_ring(True)
            return True
        return super().focusNextPrevChild(next)

    def _take_focus(self) -> None:
        for keys in self._keys:
            keys.take_focus()

    def _end_runs(self) -> None:
        for keys in self._keys:
            keys.end_run()

    def _show_ring(self, has_ring: bool) -> None:
        if has_ring != self._has_ring:
            self._has_ring = has_ring
            self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not (any(keys.key(event) for keys in self._keys) or self._mouse.key(event.key())):
            super().keyPressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        position = event.position()
        factor = wheel_factor(event.pixelDelta().y(), event.angleDelta().y())
        self.navigation.zoom(factor, position.x(), position.y())
        event.accept()

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride:
            if self._mouse.tool.busy or any(keys.uses(event) for keys in self._keys):
                # During a drag, block all menu shortcuts. Otherwise block those whose keys move the
                # chosen point or line.
                event.accept()
                return True
            if event.key() not in MODIFIER_KEYS:
                # End the movement by keys, so that a command such as undo or save finds it in the
                # undo stack.
                self._end_runs()
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            position = event.pos()
            show_tip(event.globalPos(), self.tip_at(position.x(), position.y()), self)
            return True
        if isinstance(event, QTouchEvent):
            if event.type() == QEvent.Type.TouchBegin:
                self._begin_stroke()
            self._touch.handle(event)
            return True
        pinch = pinch_of(event)
        if pinch is not None:
            self.navigation.zoom(*pinch)
            return True
        return super().event(event)


class OverlaySubscriptions(QObject):
    """Subscriptions to the studies of the overlays that are shown, and to no others.

    Parameters
    ----------
    stage : Stage
    parent : QObject
    """

    def __init__(self, stage: Stage, parent: QObject) -> None:
        super().__init__(parent)
        self._stage = stage
        self._subscribed: dict[str, Study] = {}
        stage.view.changed.connect(self._update)
        stage.session.document_changed.connect(self._update)
        self._update()

    def _update(self) -> None:
        document, options = self._stage.session.document, self._stage.view.drawn
        for overlay in OVERLAYS.values():
            is_shown, is_subscribed = (
                overlay.is_in(document, options),
                overlay.name in self._subscribed,
            )
            if is_shown and not is_subscribed:
                study = self._subscribed[overlay.name] = overlay.make_study()
                self._stage.feed.subscribe(overlay.key, study)
            elif is_subscribed and not is_shown:
                study = self._subscribed.pop(overlay.name)
                self._stage.feed.unsubscribe(overlay.key, study)
