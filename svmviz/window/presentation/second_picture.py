"""A second picture: a presentation beside the main window, which stays visible.

It fills another screen. If there is only one screen, it is a window on that screen.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from PySide6.QtCore import QObject, QPoint, QPointF, QSize
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence, QScreen, QShortcut
from PySide6.QtWidgets import QMainWindow

from svmviz.playback.feed import PICTURE
from svmviz.stage.stage import Stage
from svmviz.window.docks.docks import Docks
from svmviz.window.planes import Planes
from svmviz.window.presentation.pointer import PointerWatch
from svmviz.window.presentation.screen import KEYS, POINTER_KEY, PresentationScreen

# Width and height of the second picture if there is only one screen, as fractions of that screen.
WINDOW_SHARE = 0.6


class SecondPicture(QObject):
    """A separate window with planes of its own, which draw the same frames as the main window.

    A frame has the field for the viewports of both windows. If the user zooms or pans in one
    window, the other follows. The keys of a presentation remote also work while the main window has
    the focus. While the user holds L or a mouse button in a plane of the main window, a ring of
    light in the second picture marks the point under the mouse.

    Parameters
    ----------
    window : QMainWindow
    stage : Stage
    planes : Planes
        The planes of the main window.
    docks : Docks
        The panels of the main window.
    parent : QObject

    Attributes
    ----------
    planes : Planes
    screen : PresentationScreen
    """

    def __init__(
        self,
        window: QMainWindow,
        stage: Stage,
        planes: Planes,
        docks: Docks,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._window, self._stage, self._original = window, stage, planes
        self.planes = Planes(stage, viewer=PICTURE)
        self.screen = PresentationScreen(stage, self.planes, docks)
        self.screen.add_content(self.planes)
        self._target: QScreen | None = None
        # Actions of the main window from which the second picture has taken a key, each with all
        # keys that it had before.
        self._muted_actions: list[tuple[QAction, list[QKeySequence]]] = []
        self._shortcuts: list[QShortcut] = []
        if planes.tool is not None:
            self.planes.use_tool(planes.tool)
        planes.main.tool_changed.connect(self.planes.use_tool)
        planes.word.word_shown.connect(self.planes.word.show_word)
        own, original = self.planes.main.navigation, planes.main.navigation
        own.follow(original.camera)
        original.camera_changed.connect(own.follow)
        own.camera_changed.connect(original.follow)
        app = QGuiApplication.instance()
        assert isinstance(app, QGuiApplication)
        app.screenRemoved.connect(self._on_screen_removed)

    def show(self) -> None:
        """Fill another screen; if there is only one screen, show a window on it."""
        here = self._window.screen()
        self._target = next((s for s in QGuiApplication.screens() if s is not here), None)
        if self._target is not None:
            self.screen.setGeometry(self._target.geometry())
            self.screen.showFullScreen()
        else:
            room = here.availableGeometry()
            self.screen.resize(
                QSize(round(WINDOW_SHARE * room.width()), round(WINDOW_SHARE * room.height()))
            )
            self.screen.show()
        self.screen.watch_mouse()
        self._share_keys()
        handle = self._window.windowHandle()
        if handle is not None:
            watch = PointerWatch(handle, POINTER_KEY, self._to_picture, self.screen.ring)
            self._add_shortcut("L", watch.hold_key, repeats=False)

    def close(self) -> None:
        """Delete the second picture, and give the actions of the main window their keys back."""
        for shortcut in self._shortcuts:
            shortcut.setEnabled(False)
            shortcut.deleteLater()
        for action, keys in self._muted_actions:
            action.setShortcuts(keys)
        self.screen.side.close_panel()
        self.screen.hide()
        self._stage.feed.drop_viewport(PICTURE)
        self.screen.deleteLater()
        self.deleteLater()

    def _share_keys(self) -> None:
        """Let shared keys in the main window act on the second picture, and not on the window."""
        shared = {key: entry for entry in KEYS if entry.shared for key in entry.keys}
        for action in self._window.actions():
            keys = action.shortcuts()
            if any(key.toString() in shared for key in keys):
                self._muted_actions.append((action, keys))
                action.setShortcuts([key for key in keys if key.toString() not in shared])
        for key, entry in shared.items():
            self._add_shortcut(key, partial(entry.run, self.screen), entry.repeats)

    def _add_shortcut(self, key: str, run: Callable[[], object], repeats: bool) -> None:
        shortcut = QShortcut(QKeySequence(key), self._window)
        shortcut.setAutoRepeat(repeats)
        shortcut.activated.connect(run)
        self._shortcuts.append(shortcut)

    def _to_picture(self, on_screen: QPointF) -> QPointF | None:
        """Convert px of the screen to px of the second picture, both at the same data point.

        Return None if ``on_screen`` is not in a plane of the main window, and while the pen, whose
        strokes the ring would hide, is in hand.
        """
        if self._stage.drawing.in_hand:
            return None
        for view, copy in zip(self._original.views, self.planes.views, strict=False):
            position = view.mapFromGlobal(on_screen)
            # Docks and dialogs may cover the plane.
            if view.rect().contains(position.toPoint()) and view.underMouse():
                data = view.camera.to_data(position.x(), position.y())
                x, y = copy.camera.to_pixels(np.array([data]))[0].tolist()
                return QPointF(copy.mapTo(self.screen, QPoint(round(x), round(y))))
        return None

    def _on_screen_removed(self, screen: QScreen) -> None:
        """End the second picture if its screen is removed: it would cover the main window."""
        if screen is self._target:
            self.screen.leave_requested.emit()
