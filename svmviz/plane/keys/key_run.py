"""Edits by quick successive key presses, which make one undo entry like a drag."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from PySide6.QtCore import QObject, Qt, QTimer

from svmviz.camera.camera import Camera
from svmviz.camera.ticks import nice_step
from svmviz.document.document import Document
from svmviz.session.session import Session

# A run of key presses ends when no key was pressed for this time, ms.
RUN_PAUSE = 800
# A soft step is the move of an arrow key without Shift. Maximum number of soft steps across the
# view; because steps are round numbers, there may be fewer.
SOFT_STEPS = 60.0
# Number of fine steps, which are those with Shift, in a soft step.
FINE_STEPS = 10

ARROWS = {
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Up: (0, 1),
    Qt.Key.Key_Down: (0, -1),
}
MODIFIERS = Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier


class KeyRun(QObject):
    """A run of key presses. Its changes are shown at once, and become one undo entry at its end.

    Parameters
    ----------
    session : Session
    parent : QObject

    Attributes
    ----------
    base : Document or None
        The document that the run began with; None while there is no run.
    """

    def __init__(self, session: Session, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self.base: Document | None = None
        self._text = ""
        self._show: Callable[[], object] = lambda: None
        # Whether this object is changing the document.
        self._is_showing = False
        self._pause = QTimer(self, singleShot=True, interval=RUN_PAUSE)
        self._pause.timeout.connect(self.end)
        # Qt may send more key presses than can be shown. So there is at most one change per turn of
        # the event loop.
        self._next = QTimer(self, singleShot=True, interval=0)
        self._next.timeout.connect(self._show_next)
        session.document_changed.connect(self._on_document)

    def begin(self, text: str, base: Document | None = None) -> None:
        """Begin a run, unless one is going on; ``text`` names the undo entry."""
        if self.base is None:
            self.base, self._text = base or self._session.document, text

    def go_on(self, show: Callable[[], object] | None = None) -> None:
        """Wait for the next key; call ``show``, which shows a preview, in the next turn."""
        if show is not None:
            self._show = show
            self._next.start()
        self._pause.start()

    def preview(self, document: Document) -> None:
        """Show a document without an undo entry."""
        self._is_showing = True
        try:
            self._session.preview(document)
        finally:
            self._is_showing = False

    def end(self) -> None:
        """Turn the changes so far, if there are any, into one undo entry."""
        if self._next.isActive():
            self._show_next()
        self._pause.stop()
        base, self.base = self.base, None
        if base is not None:
            self._session.commit(self._text)

    def _show_next(self) -> None:
        self._next.stop()
        if self.base is not None:
            self._show()

    def _on_document(self) -> None:
        """Forget the changes if something else has replaced their preview."""
        if not self._is_showing:
            self.base = None
            self._next.stop()
            self._pause.stop()


def fine_step(camera: Camera) -> np.ndarray:
    """Return a fine step along x and along y, shape (2,), in data units."""
    left, right, bottom, top = camera.view
    steps = [nice_step(span, SOFT_STEPS) for span in (right - left, top - bottom)]
    if camera.equal:
        steps = [max(steps)] * 2
    return np.array(steps) / FINE_STEPS
