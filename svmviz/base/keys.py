"""Keys that several parts of the window treat alike."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence

RETURN_KEYS = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
# The key called delete on a Mac is Backspace here.
DELETE_KEYS = (Qt.Key.Key_Delete, Qt.Key.Key_Backspace)


def key_text(keys: str) -> str:
    """Return keys such as Ctrl+Z in the signs of this system, such as ⌘Z on macOS."""
    return QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText)
