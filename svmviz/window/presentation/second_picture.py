"""A second picture of the frame that the window shows, on another screen or in another window."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from PySide6.QtCore import QObject, QPoint, QPointF, QSize
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence, QScreen, QShortcut
from PySide6.QtWidgets import QMainWindow, QWidget

from svmviz.playback.feed import PICTURE
from svmviz.stage.stage import Stage
from svmviz.window.planes import Planes
from svmviz.window.presentation.pointer import PointerWatch
from svmviz.window.presentation.screen import KEYS, POINTER_KEY, PresentationScreen

# Size of the picture in a window, as a fraction of the only screen.
WINDOW_SHARE = 0.6


class SecondPicture(QObject):
    """Planes in a separate window, which show the same as those of the main window.

    Both draw the same frames, which cover the parts of the plane that both show. If the user zooms
    or pans one of them, the other follows. The keys of a clicker also work while
    the window has the focus, and the ring of light is where the mouse is in the window's plane.

    Parameters
    ----------
    window : QMainWindow
    stage : Stage
    planes : Planes
        Those of the window.
    make_settings : callable() -> QWidget
        Makes a column of settings for the panel beside the planes.
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
        make_settings: Callable[[], QWidget],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._window, self._stage, self._original = window, stage, planes
        self.planes = Planes(stage, viewer=PICTURE)
        self.screen = PresentationScreen(stage, self.planes, make_settings)
        self._target: QScreen | None = None
        # Actions of the window whose keys have another meaning while the picture is shown, with
        # these keys.
        self._muted: list[tuple[QAction, list[QKeySequence]]] = []
        self._shortcuts: list[QShortcut] = []
        if planes.tool is not None:
            self.planes.use_tool(planes.tool)
        planes.main.tool_changed.connect(self.planes.use_tool)
        planes.word.word_shown.connect(self.planes.word.show_word)
        own, other = self.planes.main.navigation, planes.main.navigation
        own.follow(other.camera)
        other.camera_changed.connect(own.follow)
        own.camera_changed.connect(other.follow)
        app = QGuiApplication.instance()
        assert isinstance(app, QGuiApplication)
        app.screenRemoved.connect(self._on_screen_removed)

    def show(self) -> None:
        """Fill another screen; with one screen only, show a window on it."""
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
            watch = PointerWatch(handle, POINTER_KEY, self._place_of_ring, self.screen.ring)
            self._add_shortcut("L", watch.hold_key, repeats=False)

    def close(self) -> None:
        """Delete the picture; the window stays as it is."""
        for shortcut in self._shortcuts:
            shortcut.setEnabled(False)
            shortcut.deleteLater()
        for action, keys in self._muted:
            action.setShortcuts(keys)
        self.screen.side.close_panel()
        self.screen.hide()
        self._stage.feed.drop_viewport(PICTURE)
        self.screen.deleteLater()
        self.deleteLater()

    def _share_keys(self) -> None:
        """Let keys of the picture that mean nothing else in the window work there too."""
        shared = {key: entry for entry in KEYS if entry.shared for key in entry.keys}
        for action in self._window.actions():
            keys = action.shortcuts()
            if any(key.toString() in shared for key in keys):
                self._muted.append((action, keys))
                action.setShortcuts([key for key in keys if key.toString() not in shared])
        for key, entry in shared.items():
            self._add_shortcut(key, partial(entry.do, self.screen), entry.repeats)

    def _add_shortcut(self, key: str, do: Callable[[], object], repeats: bool) -> None:
        shortcut = QShortcut(QKeySequence(key), self._window)
        shortcut.setAutoRepeat(repeats)
        shortcut.activated.connect(do)
        self._shortcuts.append(shortcut)

    def _place_of_ring(self, place: QPointF) -> QPointF | None:
        """Return the position in the picture of the data at a position on the screen, or None."""
        for view, shown in zip(self._original.views, self.planes.views, strict=False):
            there = view.mapFromGlobal(place)
            # Docks and dialogs may cover the plane.
            if view.rect().contains(there.toPoint()) and view.underMouse():
                data = view.camera.to_data(there.x(), there.y())
                x, y = shown.camera.to_pixels(np.array([data]))[0].tolist()
                return QPointF(shown.mapTo(self.screen, QPoint(round(x), round(y))))
        return None

    def _on_screen_removed(self, screen: QScreen) -> None:
        """End when the projector is removed: elsewhere the picture would cover the controls."""
        if screen is self._target:
            self.screen.left.emit()
