"""Dialogs and dropped files of a window while a presentation hides it."""

from __future__ import annotations

from PySide6.QtCore import QChildEvent, QEvent, QObject
from PySide6.QtGui import QWindow
from PySide6.QtWidgets import QWidget


class DialogsInFront(QObject):
    """An event filter that puts dialogs of the hidden window in front of the presentation.

    Files that are dropped on the presentation are opened as if they were dropped on the window.

    A desktop puts a dialog in front of the window that it belongs to. If that window is hidden, the
    dialog may be placed behind the presentation.

    Parameters
    ----------
    window : QWidget
        The parent of the dialogs.
    screen : QWidget
        The presentation. ``window`` and ``screen`` must have been shown before.
    """

    def __init__(self, window: QWidget, screen: QWidget) -> None:
        super().__init__(screen)
        self._window, self._screen = window, screen
        screen.setAcceptDrops(True)
        # The filter that opens files dropped on the window also gets those dropped here.
        for drops in window.findChildren(QObject, "drops"):
            screen.installEventFilter(drops)
        window.installEventFilter(self)
        self._attach(screen.windowHandle())

    def end(self) -> None:
        """Let the dialogs belong to ``window`` again, which must be visible."""
        self._window.removeEventFilter(self)
        self._attach(self._window.windowHandle())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        # Each dialog is polished once, just before it is first shown.
        if event.type() == QEvent.Type.ChildPolished and isinstance(event, QChildEvent):
            child = event.child()
            if isinstance(child, QWidget) and child.isWindow():
                child.winId()
                _put_in_front(child, self._screen.windowHandle())
        return False

    def _attach(self, owner: QWindow | None) -> None:
        """Let the existing dialogs belong to ``owner``."""
        for child in self._window.findChildren(QWidget):
            if child.isWindow():
                _put_in_front(child, owner)


def _put_in_front(dialog: QWidget, owner: QWindow | None) -> None:
    """Let a dialog belong to ``owner``, so that the desktop puts it in front of that window."""
    handle = dialog.windowHandle()
    if handle is not None and owner is not None and handle is not owner:
        handle.setTransientParent(owner)
