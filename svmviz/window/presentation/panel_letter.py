"""The letter after P, by which a presentation shows a panel."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QKeyEvent, QKeySequence, QWindow

from svmviz.panels.registry import LESSON, PANELS
from svmviz.window.docks.docks import SETTINGS_SPEC

# Time in which the letter must follow, ms.
LETTER_TIME = 700
MODIFIERS = (Qt.Key.Key_Shift, Qt.Key.Key_Control, Qt.Key.Key_Alt, Qt.Key.Key_AltGr)


class PanelLetter(QObject):
    """An event filter that takes one letter, which has another meaning without P before it.

    Shortcuts of two keys cannot be used, because Qt would prefer that of P alone.

    Parameters
    ----------
    window : QWindow
    choose : callable(str)
        Called with the name of the panel whose letter was pressed.
    otherwise : callable()
        Called if another key was pressed, which keeps its meaning, or none in time.
    parent : QObject
    """

    def __init__(
        self,
        window: QWindow,
        choose: Callable[[str], object],
        otherwise: Callable[[], object],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._choose, self._otherwise = choose, otherwise
        specs = [spec for spec in (*PANELS.values(), LESSON, SETTINGS_SPEC) if spec.key]
        self._names = {QKeySequence(spec.key).toString(): spec.name for spec in specs}
        self._timer = QTimer(self, singleShot=True, interval=LETTER_TIME)
        self._timer.timeout.connect(otherwise)
        window.installEventFilter(self)

    def begin(self) -> None:
        """Wait for a letter."""
        self._timer.start()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not self._timer.isActive() or not isinstance(event, QKeyEvent):
            return False
        if event.type() == QEvent.Type.KeyRelease or event.key() in MODIFIERS:
            return False
        name = self._names.get(QKeySequence(event.keyCombination()).toString())
        # Qt asks first whether the key is wanted here, and not by a shortcut.
        if event.type() == QEvent.Type.ShortcutOverride and name is not None:
            event.accept()
            return True
        self._timer.stop()
        if name is None:
            self._otherwise()
            return False
        self._choose(name)
        return True
