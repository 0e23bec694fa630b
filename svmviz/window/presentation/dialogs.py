"""Dialogs and dropped files of a window while a presentation hides it."""

from __future__ import annotations

from PySide6.QtCore import QChildEvent, QEvent, QObject
from PySide6.QtGui import QWindow
from PySide6.QtWidgets import QDialog, QWidget

from svmviz.theme import DIALOGS_BY_HEIGHT, OWN_SIZES
from svmviz.widgets.styling import apply_own_sizes


class DialogsInFront(QObject):
    """An event filter that puts dialogs of the hidden window in front of the presentation.

    They have its sizes.

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
        self._attach(screen.windowHandle(), screen.height())

    def end(self) -> None:
        """Let the dialogs belong to ``window`` again, which must be visible."""
        self._window.removeEventFilter(self)
        self._attach(self._window.windowHandle(), 0)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        # Each dialog is polished once, just before it is first shown.
        if event.type() == QEvent.Type.ChildPolished and isinstance(event, QChildEvent):
            child = event.child()
            if isinstance(child, QWidget) and child.isWindow():
                child.winId()
                _put_in_front(child, self._screen.windowHandle())
                apply_own_sizes(child)
        return False

    def _attach(self, owner: QWindow | None, height: int) -> None:
        """Let dialogs belong to ``owner``, with the sizes for a height; 0 for those of a window."""
        self._window.setProperty(DIALOGS_BY_HEIGHT, height)
        for child in self._window.findChildren(QDialog):
            _put_in_front(child, owner)
            if child.property(OWN_SIZES):
                apply_own_sizes(child)


def _put_in_front(dialog: QWidget, owner: QWindow | None) -> None:
    """Let a dialog belong to ``owner``, so that the desktop puts it in front of that window."""
    handle = dialog.windowHandle()
    if handle is not None and owner is not None and handle is not owner:
        handle.setTransientParent(owner)
