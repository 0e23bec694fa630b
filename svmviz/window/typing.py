"""Keys that go to a field, table or list instead of acting as shortcuts.

Qt offers a key to the widget with the focus before any shortcut. Line edits accept letters and
digits, but not the arrows. Tables and lists accept no keys, although a digit begins to edit a cell,
and arrows, Home and End move the current item. So an event filter accepts these keys for them.

A closed combo box gets no key that is a shortcut: after a choice in its list, Home goes to step 0.
Return ends typing, so that the next Space plays. But if Tab has reached the field, it keeps the
focus, so that the next Tab continues from there. If Tab has reached a button, Space and Return
press it, and arrows choose another one of its group; if Tab has reached a tab bar, arrows change
the tab. After a click, these keys are shortcuts.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QApplication,
    QButtonGroup,
    QComboBox,
    QDialog,
    QLineEdit,
    QPlainTextEdit,
    QTabBar,
    QTextEdit,
    QWidget,
)

from svmviz.base.keys import RETURN_KEYS
from svmviz.widgets.tab_order import TABBED, is_tabbed

FIELDS = (QLineEdit, QAbstractSpinBox, QPlainTextEdit, QTextEdit)
# With these modifiers, keys remain shortcuts of the window.
SHORTCUT_MODIFIERS = (Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.AltModifier)
# Keys for a widget that Tab has reached.
TABBED_KEYS = {
    QAbstractButton: (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter),
    QComboBox: (Qt.Key.Key_Space,),
    QTabBar: (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Home, Qt.Key.Key_End),
}
# Keys for a button of a group that Tab has reached: Tab itself reaches only the checked one.
SIDEWAYS = (Qt.Key.Key_Left, Qt.Key.Key_Right)
FUNCTION_KEYS = range(Qt.Key.Key_F1, Qt.Key.Key_F35 + 1)


class Typing(QObject):
    """An event filter that accepts keys for the field, table or list with the focus."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._watched: QWidget | None = None
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        app.focusChanged.connect(self._on_focus)

    def _on_focus(self, old: QWidget | None, new: QWidget | None) -> None:
        if self._watched is not None and self._watched is old:
            self._watched.removeEventFilter(self)
        self._watched = None
        # If a click on a button disables it, as with "Test once", Qt gives the focus to the next
        # widget. If that is a text field, the focus is cleared, because the user did not choose it.
        if isinstance(old, QAbstractButton) and not old.isEnabled() and isinstance(new, QLineEdit):
            QTimer.singleShot(0, new, lambda: _leave(new))
        # The open list of a combo box handles the ShortcutOverride of Return itself.
        is_in_popup = new is not None and new.window().windowType() == Qt.WindowType.Popup
        if old is not None and new is not None and not is_in_popup:
            if is_tabbed(old) and (group := _group_of(new)) is not None and group is _group_of(old):
                new.setProperty(TABBED, True)
            old.setProperty(TABBED, False)
        is_typed_in = isinstance(new, (*FIELDS, QAbstractItemView)) and not is_in_popup
        if new is not None and (is_typed_in or isinstance(new, tuple(TABBED_KEYS))):
            self._watched = new
            new.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not (isinstance(event, QKeyEvent) and isinstance(watched, QWidget)):
            return False
        if event.type() == QEvent.Type.ShortcutOverride and _uses_key(watched, event):
            event.accept()
            return True
        is_return = event.type() == QEvent.Type.KeyPress and event.key() in RETURN_KEYS
        if is_return and isinstance(watched, QLineEdit):
            QTimer.singleShot(0, watched, lambda: _leave(watched))
        elif is_return and isinstance(watched, QAbstractButton) and is_tabbed(watched):
            watched.click()
            return True
        return False


def _leave(field: QLineEdit) -> None:
    """Clear the focus, so that keys are shortcuts again.

    The focus stays if the typed text is invalid. It also stays if Tab has reached the field,
    because the next Tab would otherwise begin at the start.
    """
    parent = field.parentWidget()
    view = parent.parentWidget() if parent is not None else None
    # Dialogs and tables handle Return themselves.
    handles_return = isinstance(field.window(), QDialog) or isinstance(view, QAbstractItemView)
    stays = handles_return or field.property("invalid")
    if field.hasFocus() and not stays:
        if is_tabbed(field):
            field.selectAll()
        else:
            field.clearFocus()


def _group_of(widget: QWidget) -> QButtonGroup | None:
    return widget.group() if isinstance(widget, QAbstractButton) else None


def _uses_key(watched: QWidget, event: QKeyEvent) -> bool:
    """Return whether a widget needs a key, so that the key must not act as a shortcut."""
    if (
        any(event.modifiers() & modifier for modifier in SHORTCUT_MODIFIERS)
        or event.key() in FUNCTION_KEYS
    ):
        return False
    for kind, keys in TABBED_KEYS.items():
        if isinstance(watched, kind):
            keys = (*keys, *SIDEWAYS) if _group_of(watched) is not None else keys
            return is_tabbed(watched) and event.key() in keys
    if isinstance(watched, QAbstractItemView):
        by_any_key = watched.editTriggers() & QAbstractItemView.EditTrigger.AnyKeyPressed
        index = watched.currentIndex()
        is_editable = bool(index.flags() & Qt.ItemFlag.ItemIsEditable)
        # Keys without a character, such as arrows, move between items. A character is needed only
        # if it begins to edit the cell; Space always plays.
        is_character = event.text().isprintable() and event.text() != ""
        return not is_character or bool(by_any_key and is_editable and event.text() != " ")
    return True
