"""The letters of panels, shown between P and the letter that chooses a panel."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QKeyEvent, QWindow

from svmviz.base.notation import of_keys
from svmviz.document.document import Document
from svmviz.panels.registry import PANELS, WINDOW_ONLY, views_of
from svmviz.stage.stage import Stage
from svmviz.window.notice import Notice

NO_BREAK = "\u00a0"
MODIFIERS = (Qt.Key.Key_Shift, Qt.Key.Key_Control, Qt.Key.Key_Alt, Qt.Key.Key_AltGr)


class PanelLetters(QObject):
    """An event filter that shows the letters after P, until another key has been pressed.

    Qt waits for the second key as long as it takes, and sends no event but the release of this key.

    Parameters
    ----------
    window : QWindow
    stage : Stage
    notice : Notice
    parent : QObject
    """

    def __init__(self, window: QWindow, stage: Stage, notice: Notice, parent: QObject) -> None:
        super().__init__(parent)
        self._session, self._notice = stage.session, notice
        # Whether the notice shows the letters, and whether P has been released since.
        self._is_shown = self._is_released = False
        self._letters = ""
        # If a field takes the P, Qt sends the key itself next, and no letter is waited for.
        self._timer = QTimer(self, singleShot=True, interval=0)
        self._timer.timeout.connect(self._show)
        window.installEventFilter(self)

    def _show(self) -> None:
        self._is_shown, self._is_released = True, False
        self._notice.show_text(letters_of(self._session.document), stays=True)
        self._letters = self._notice.text

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QKeyEvent) or event.key() in MODIFIERS or event.isAutoRepeat():
            return False
        is_p = event.key() == Qt.Key.Key_P and not event.modifiers()
        if event.type() == QEvent.Type.KeyPress:
            self._timer.stop()
        elif event.type() == QEvent.Type.ShortcutOverride and is_p:
            self._timer.start()
        elif event.type() == QEvent.Type.KeyRelease and self._is_shown:
            self._is_shown = is_p and not self._is_released
            self._is_released = True
            # The second key may have caused another notice.
            if not self._is_shown and self._notice.text == self._letters:
                self._notice.hide()
        return False


def letters_of(document: Document) -> str:
    """Return the letters of the panels that fit a document; views are chosen in a panel's title."""
    specs = (*PANELS.values(), *WINDOW_ONLY.values())
    fitting = [spec for spec in specs if spec.key and spec.fits(document)]
    shown = [spec for spec in fitting if spec.name == views_of(spec.name)[0]]
    words = (
        f"{of_keys(spec.key.replace('Shift+', '⇧'))} {spec.title_for(document)}" for spec in shown
    )
    # Lines break between panels only.
    return f"Panel: {' · '.join(text.replace(' ', NO_BREAK) for text in words)} · Esc"
