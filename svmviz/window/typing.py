"""Keys while the user types or moves in a list, when single-key shortcuts must not act.

Qt offers a key to the widget with the focus before any shortcut. Line edits accept letters and
digits, but not the arrows. Tables and lists accept nothing, although a digit begins to edit a cell,
and arrows, Home and End move the current item. So this module accepts these keys for them. Return
ends typing, so that the next Space plays.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QDialog,
    QLineEdit,
    QPlainTextEdit,
    QTextEdit,
    QWidget,
)

FIELDS = (QLineEdit, QAbstractSpinBox, QPlainTextEdit, QTextEdit)
# With these modifiers, keys remain shortcuts of the window.
SHORTCUTS = (Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.AltModifier)
RETURN = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
# Keys that choose an entry of a closed combo box, which does not accept them itself.
LIST_KEYS = (Qt.Key.Key_Home, Qt.Key.Key_End, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)
FUNCTION_KEYS = range(Qt.Key.Key_F1, Qt.Key.Key_F35 + 1)


class Typing(QObject):
    """An event filter that accepts keys for the field, table, list or combo box with the focus."""

    def __init__(self, app: QApplication, parent: QObject) -> None:
        super().__init__(parent)
        self._watched: QWidget | None = None
        app.focusChanged.connect(self._on_focus)

    def _on_focus(self, old: QWidget | None, new: QWidget | None) -> None:
        if self._watched is not None and self._watched is old:
            self._watched.removeEventFilter(self)
        self._watched = None
        # If a click disables its button, as "Open drawer", Qt gives the focus to the next widget.
        # In a field that the user has not chosen, keys must remain shortcuts.
        if isinstance(old, QAbstractButton) and not old.isEnabled() and isinstance(new, QLineEdit):
            QTimer.singleShot(0, new, lambda: _leave(new))
        # The open list of a combo box handles the ShortcutOverride of Return itself.
        pops_up = new is not None and new.window().windowType() == Qt.WindowType.Popup
        if isinstance(new, (*FIELDS, QAbstractItemView, QComboBox)) and not pops_up:
            self._watched = new
            new.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QKeyEvent):
            return False
        if event.type() == QEvent.Type.ShortcutOverride and _wants(watched, event):
            event.accept()
            return True
        returns = event.type() == QEvent.Type.KeyPress and event.key() in RETURN
        if returns and isinstance(watched, QLineEdit):
            QTimer.singleShot(0, watched, lambda: _leave(watched))
        return False


def _leave(field: QLineEdit) -> None:
    """Clear the focus, so that keys are shortcuts again, unless the typed text is invalid."""
    parent = field.parentWidget()
    view = parent.parentWidget() if parent is not None else None
    # Dialogs and tables handle Return themselves.
    elsewhere = isinstance(field.window(), QDialog) or isinstance(view, QAbstractItemView)
    if field.hasFocus() and not elsewhere and not field.property("invalid"):
        field.clearFocus()


def _wants(watched: QObject, event: QKeyEvent) -> bool:
    if any(event.modifiers() & other for other in SHORTCUTS) or event.key() in FUNCTION_KEYS:
        return False
    if isinstance(watched, QComboBox) and not watched.isEditable():
        return event.key() in LIST_KEYS
    if isinstance(watched, QAbstractItemView):
        by_any_key = watched.editTriggers() & QAbstractItemView.EditTrigger.AnyKeyPressed
        index = watched.currentIndex()
        editable = bool(index.flags() & Qt.ItemFlag.ItemIsEditable)
        # Space plays; arrows, Home and End move between the cells or items.
        prints = event.text().isprintable() and event.text() != ""
        return not prints or bool(by_any_key and editable and event.text() != " ")
    return True
