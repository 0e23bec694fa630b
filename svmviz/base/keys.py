"""Keys that several parts of the window treat alike."""

from PySide6.QtCore import Qt

RETURN_KEYS = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
