"""A text that is checked while it is typed, with a menu of pieces to insert."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QPoint, QTimer, Signal
from PySide6.QtGui import QKeyEvent, Qt
from PySide6.QtWidgets import QLineEdit, QMenu, QSizePolicy, QToolButton, QWidget

from svmviz.theme.icons import icon
from svmviz.widgets.column import Column
from svmviz.widgets.plain_text import Label, set_tip
from svmviz.widgets.styling import set_style_property

# Pause in typing after which a valid text is reported, ms.
PAUSE = 250
# Place of the selected text in a piece.
ELLIPSIS = "…"


class TextField(Column):
    """Label above a field, a menu beside it, and below why the text cannot be, if so.

    ``moved(str)`` brings a good text after a short pause in typing, ``released(str)`` at Enter or
    when the field is left. A text that cannot be is never sent: the last good one stays in force
    while the field keeps what was typed, and Escape brings the good one back.

    Parameters
    ----------
    label : str
    check : callable(str) -> str
        Says in a sentence why a text cannot be, or nothing.
    inserts : sequence of (str, str)
        Pieces for the menu, and what they are, an empty one for a line between them; no menu if
        there are none.
    tip : str
        Tooltip.
    parent : QWidget, optional
    """

    moved = Signal(str)
    released = Signal(str)

    def __init__(
        self,
        label: str,
        check: Callable[[str], str],
        inserts: Sequence[tuple[str, str]] = (),
        tip: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(gap=1.0, parent=parent)
        self._check = check
        self._value = ""
        # What was sent last: the good text in force.
        self._sent = ""
        self._timer = QTimer(self, interval=PAUSE, singleShot=True)
        top = self.add(Column(across=True))
        self._label = top.add(Label(label), 1)
        row = self.add(Column(gap=1.0, across=True))
        self._field = row.add(QLineEdit(), 1)
        self._button = row.add(QToolButton())
        self._menu = QMenu(self._button)
        self._complaint = self.add(Label())
        self._furnish(label, inserts, tip)
        self._timer.timeout.connect(self._on_pause)
        self._field.textEdited.connect(self._on_edited)
        self._field.editingFinished.connect(self._on_finished)
        self._field.installEventFilter(self)

    def _furnish(self, label: str, inserts: Sequence[tuple[str, str]], tip: str) -> None:
        self._label.setBuddy(self._field)
        self._field.setAccessibleName(label)
        set_tip(self, tip)
        self._complaint.setProperty("role", "error")
        self._complaint.setWordWrap(True)
        self._complaint.hide()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        for piece, what in inserts:
            if not piece:
                self._menu.addSeparator()
                continue
            action = self._menu.addAction(f"{piece.strip()}\t{what}")
            action.setData(piece)
        self._menu.triggered.connect(lambda action: self.insert(action.data()))
        self._button.clicked.connect(self._open_menu)
        self._button.setIcon(icon("plus"))
        set_tip(self._button, "Put in a piece")
        self._button.setAccessibleName(f"Put a piece into {label}")
        self._button.setVisible(bool(inserts))

    @property
    def field(self) -> QLineEdit:
        """Where the text is typed."""
        return self._field

    @property
    def menu(self) -> QMenu:
        """The pieces."""
        return self._menu

    @property
    def value(self) -> str:
        """The good text."""
        return self._value

    @property
    def complaint(self) -> str:
        """The sentence under the field, or nothing."""
        return self._complaint.text()

    def set_value(self, text: str) -> None:
        """Show a text, without emitting; what is being typed stays."""
        self._value = self._sent = text
        if not self._field.isModified():
            self._show()

    def insert(self, piece: str) -> None:
        """Put a piece where the cursor is.

        A piece with an ellipsis goes around what is selected, or around everything; another one
        is joined by a plus sign to an operand before it.
        """
        field = self._field
        if ELLIPSIS in piece:
            if not field.hasSelectedText():
                field.selectAll()
            piece = piece.replace(ELLIPSIS, field.selectedText() or ELLIPSIS)
        else:
            at = field.selectionStart() if field.hasSelectedText() else field.cursorPosition()
            before = field.text()[:at].rstrip()
            joins = bool(before) and (before[-1].isalnum() or before[-1] == ")")
            if joins and (piece[0].isalnum() or piece[0] == "("):
                piece = f" + {piece}"
        field.insert(piece)
        field.setModified(True)
        self._on_edited()
        field.setFocus(Qt.FocusReason.OtherFocusReason)

    def _open_menu(self) -> None:
        """Open the pieces below the button, inside the window."""
        corner = self._button.mapToGlobal(self._button.rect().bottomRight())
        self._menu.popup(corner - QPoint(self._menu.sizeHint().width(), 0))

    def _show(self) -> None:
        self._timer.stop()
        self._field.setText(self._value)
        self._field.setCursorPosition(0)
        self._field.setModified(False)
        self._complain("")

    def _on_edited(self) -> None:
        wrong = self._check(self._field.text())
        self._complain(wrong)
        if wrong:
            self._timer.stop()
        else:
            self._timer.start()

    def _on_pause(self) -> None:
        text = self._field.text()
        if text != self._sent:
            self._sent = text
            self.moved.emit(text)

    def _on_finished(self) -> None:
        if not self._field.isModified():
            return
        self._timer.stop()
        if self._check(self._field.text()):
            # The last good text may still be a preview: it is what counts.
            self.released.emit(self._sent)
            return
        self._sent = self._field.text()
        self._field.setModified(False)
        self.released.emit(self._sent)

    def _complain(self, sentence: str) -> None:
        self._complaint.setText(sentence)
        self._complaint.setVisible(bool(sentence))
        set_style_property(self._field, "invalid", bool(sentence))

    def eventFilter(self, watched: QWidget, event: QEvent) -> bool:  # type: ignore[override]
        if watched is not self._field or not isinstance(event, QKeyEvent):
            return super().eventFilter(watched, event)
        pressed = event.type() == QEvent.Type.KeyPress
        if pressed and event.key() == Qt.Key.Key_Escape and self._field.isModified():
            self._show()
            self.released.emit(self._value)
            return True
        return False
