"""A field for a text that is checked while it is typed, with a menu of pieces of text to insert."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QPoint, QTimer, Signal
from PySide6.QtGui import QKeyEvent, Qt
from PySide6.QtWidgets import QLineEdit, QMenu, QSizePolicy, QToolButton, QWidget

from svmviz.theme.icons import icon
from svmviz.widgets.column import Column
from svmviz.widgets.plain_text import ErrorLabel, Label, set_tip
from svmviz.widgets.styling import set_style_property

# Pause in typing after which a valid text is reported, ms.
TYPING_PAUSE = 250
# If a piece contains this character, the selected text replaces it.
ELLIPSIS = "…"


class TextField(Column):
    """Field with a label above, a menu at the right, and below the reason why a text is invalid.

    An invalid text is never emitted: it stays in the field, while the last valid text stays in use.
    Escape restores the text that was set last.

    Parameters
    ----------
    label : str
    check : callable(str) -> str
        Returns a sentence on why a text is invalid, or "" if it is valid.
    inserts : sequence of (str, str)
        Pieces that the menu inserts, and their descriptions. An empty piece is a separator.
        Without pieces there is no menu.
    tip : str
        Tooltip.
    shows_label : bool
        Whether the label is shown, and not only said by a screen reader.

    Signals
    -------
    moved(str)
        The text is valid, and the user has paused for ``TYPING_PAUSE``.
    released(str)
        The user has finished by Enter, by leaving the field, or by Escape. The text is the last
        valid one; after Escape, it is the text that was set last.
    """

    moved = Signal(str)
    released = Signal(str)

    def __init__(
        self,
        label: str,
        check: Callable[[str], str],
        inserts: Sequence[tuple[str, str]] = (),
        tip: str = "",
        shows_label: bool = True,
    ) -> None:
        super().__init__(gap=1.0)
        self._check = check
        self._value = ""
        # The valid text that was emitted last.
        self._emitted = ""
        self._timer = QTimer(self, interval=TYPING_PAUSE, singleShot=True)
        top = self.add(Column(across=True))
        top.setVisible(shows_label)
        self._label = top.add(Label(label), 1)
        row = self.add(Column(gap=1.0, across=True))
        self._field = row.add(QLineEdit(), 1)
        self._button = row.add(QToolButton())
        self._menu = QMenu(self._button)
        self._error_label = self.add(ErrorLabel())
        self._set_up(label, inserts, tip)
        self._timer.timeout.connect(self._on_pause)
        self._field.textEdited.connect(self._on_edited)
        self._field.editingFinished.connect(self._on_finished)
        self._field.installEventFilter(self)

    def _set_up(self, label: str, inserts: Sequence[tuple[str, str]], tip: str) -> None:
        self._label.setBuddy(self._field)
        self._field.setAccessibleName(label)
        set_tip(self, tip)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        for piece, description in inserts:
            if not piece:
                self._menu.addSeparator()
                continue
            action = self._menu.addAction(f"{piece.strip()}\t{description}")
            action.setData(piece)
        self._menu.triggered.connect(lambda action: self.insert(action.data()))
        self._button.clicked.connect(self._open_menu)
        self._button.setIcon(icon("plus"))
        set_tip(self._button, "Insert a piece")
        self._button.setAccessibleName(f"Insert a piece into {label}")
        self._button.setVisible(bool(inserts))

    @property
    def field(self) -> QLineEdit:
        """The field in which the text is typed."""
        return self._field

    @property
    def menu(self) -> QMenu:
        """The menu of pieces."""
        return self._menu

    @property
    def value(self) -> str:
        """The text that `set_value` has set last."""
        return self._value

    @property
    def error_text(self) -> str:
        """The reason below the field; empty if its text is valid."""
        return self._error_label.text()

    def set_value(self, text: str) -> None:
        """Show a text, but not while the user is typing another one. This emits no signal."""
        self._value = self._emitted = text
        if not self._field.isModified():
            self._show()

    def insert(self, piece: str) -> None:
        """Insert a piece at the cursor.

        A piece with an ellipsis is put around the selected text, or around the whole text if
        nothing is selected. Any other piece gets a plus sign if an operand is before the cursor and
        the piece begins like an operand.
        """
        field = self._field
        if ELLIPSIS in piece:
            if not field.hasSelectedText():
                field.selectAll()
            piece = piece.replace(ELLIPSIS, field.selectedText() or ELLIPSIS)
        else:
            start = field.selectionStart() if field.hasSelectedText() else field.cursorPosition()
            before = field.text()[:start].rstrip()
            is_after_operand = bool(before) and (before[-1].isalnum() or before[-1] == ")")
            if is_after_operand and (piece[0].isalnum() or piece[0] == "("):
                piece = f" + {piece}"
        field.insert(piece)
        field.setModified(True)
        self._on_edited()
        field.setFocus(Qt.FocusReason.OtherFocusReason)

    def _open_menu(self) -> None:
        """Open the menu of pieces below the button, inside the window."""
        corner = self._button.mapToGlobal(self._button.rect().bottomRight())
        self._menu.popup(corner - QPoint(self._menu.sizeHint().width(), 0))

    def _show(self) -> None:
        self._timer.stop()
        self._field.setText(self._value)
        self._field.setCursorPosition(0)
        self._field.setModified(False)
        self._show_error("")

    def _on_edited(self) -> None:
        reason = self._check(self._field.text())
        self._show_error(reason)
        if reason:
            self._timer.stop()
        else:
            self._timer.start()

    def _on_pause(self) -> None:
        text = self._field.text()
        if text != self._emitted:
            self._emitted = text
            self.moved.emit(text)

    def _on_finished(self) -> None:
        if not self._field.isModified():
            return
        self._timer.stop()
        if self._check(self._field.text()):
            # The last valid text may have been emitted only by ``moved``; now it is final.
            self.released.emit(self._emitted)
            return
        self._emitted = self._field.text()
        self._field.setModified(False)
        self.released.emit(self._emitted)

    def _show_error(self, sentence: str) -> None:
        self._error_label.say(sentence)
        set_style_property(self._field, "invalid", bool(sentence))

    def eventFilter(self, watched: QWidget, event: QEvent) -> bool:  # type: ignore[override]
        if watched is not self._field or not isinstance(event, QKeyEvent):
            return super().eventFilter(watched, event)
        is_press = event.type() == QEvent.Type.KeyPress
        if is_press and event.key() == Qt.Key.Key_Escape and self._field.isModified():
            self._show()
            self.released.emit(self._value)
            return True
        return False
