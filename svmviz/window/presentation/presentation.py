"""Beginning and end of a presentation: the planes move to another window and back."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMainWindow, QVBoxLayout, QWidget
from shiboken6 import isValid

from svmviz.stage.stage import Stage
from svmviz.window.planes import Planes
from svmviz.window.presentation.screen import KEYS, PresentationScreen


class Presentation(QObject):
    """The presentation of one window, which it hides meanwhile, so that nothing in it changes.

    Parameters
    ----------
    window : QMainWindow
    stage : Stage
    planes : Planes
    centre : QVBoxLayout
        The layout to which the planes return.

    Attributes
    ----------
    screen : PresentationScreen or None
        None if there is no presentation.
    """

    def __init__(
        self, window: QMainWindow, stage: Stage, planes: Planes, centre: QVBoxLayout
    ) -> None:
        super().__init__(window)
        self._window, self._stage, self._planes, self._centre = window, stage, planes, centre
        self.screen: PresentationScreen | None = None
        # Place of the planes in the layout, and the other windows that were visible.
        self._index = 0
        self._others: list[QWidget] = []

    @property
    def is_on(self) -> bool:
        """Whether the presentation is shown."""
        return self.screen is not None

    def begin(self, actions: Iterable[QAction] = ()) -> None:
        """Fill the screen with the planes.

        Parameters
        ----------
        actions : iterable of QAction
            Actions of the window; their keys also work in the presentation, unless they mean
            something else there.
        """
        if self.screen is not None:
            return
        window, planes = self._window, self._planes
        self._index = self._centre.indexOf(planes)
        self._others = _other_windows(window)
        geometry = window.screen().geometry()
        self.screen = screen = PresentationScreen(self._stage, planes)
        own = {key for entry in KEYS for key in entry.keys}
        screen.addActions([action for action in actions if not own & _keys_of(action)])
        screen.left.connect(self.end)
        # Without a window manager a full screen has the size that it had before.
        screen.setGeometry(geometry)
        planes.show()
        screen.showFullScreen()
        screen.watch_mouse()
        screen.activateWindow()
        planes.main.setFocus()
        for other in (window, *self._others):
            other.hide()

    def end(self) -> None:
        """Return to the window as it was; do nothing if there is no presentation."""
        screen, self.screen = self.screen, None
        if screen is None:
            return
        planes = self._planes
        self._centre.insertWidget(self._index, planes, 1)
        planes.show()
        for window in (self._window, *filter(isValid, self._others)):
            window.show()
        self._others = []
        self._window.activateWindow()
        planes.main.setFocus()
        screen.hide()
        screen.deleteLater()


def _keys_of(action: QAction) -> set[str]:
    """Return the keys of an action, in Qt's portable spelling."""
    return {key.toString() for key in action.shortcuts()}


def _other_windows(window: QWidget) -> list[QWidget]:
    """Return the visible windows that belong to a window: floating docks, help."""
    return [w for w in window.findChildren(QWidget) if w.isWindow() and w.isVisible()]
