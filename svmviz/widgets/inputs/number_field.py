"""A field for a number: it says in one sentence why it refuses a text."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent, QFontMetricsF, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from solvers import BadInput
from solvers.errors import short_repr
from svmviz.base.words import BeyondDouble, number, read_number, typed_form
from svmviz.theme import TEXT, look_of
from svmviz.widgets.plain_text import set_tip
from svmviz.widgets.styling import set_style_property


class NumberField(QLineEdit):
    """Field for a number. The first click selects the number; the next one places the cursor.

    While the field has the focus, its number has the form in which one types it: 10000, not 10,000.
    A text that is refused is marked, has the reason as its tooltip, and stays in the field; Escape
    restores the number.

    Parameters
    ----------
    read : callable(str) -> object
        Returns the number that a text means. It raises BadInput, with a sentence, if it means none.
    write : callable(object) -> str
        Returns the text of a number.
    tip : str
        Tooltip while no text is refused.
    quiet : bool
        Whether the field has no frame until it is used, and its text is at the right.
    parent : QWidget, optional

    Signals
    -------
    typed(object)
        The user has entered a text that means a number.
    refused(str)
        The user has entered a text that is refused, with the reason. Empty if a number is shown
        again.
    """

    typed = Signal(object)
    refused = Signal(str)

    def __init__(
        self,
        read: Callable[[str], Any],
        write: Callable[[Any], str] = number,
        tip: str = "",
        *,
        quiet: bool = True,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._read, self._write, self._tip = read, write, tip
        self._value: Any = 0
        # Why the text is refused; empty if it is not.
        self._refusal = ""
        # Whether a click has just given the field the focus.
        self._is_first_click = False
        set_tip(self, tip)
        if quiet:
            self.setProperty("role", "quiet")
            self.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.textEdited.connect(self._judge)
        self.editingFinished.connect(self._on_finished)

    def set_value(self, value: Any) -> None:
        """Show a number, unless the user is typing another one."""
        self._value = value
        if not (self.hasFocus() and self.isModified()):
            self.restore()

    def read(self) -> Any:
        """Return the number in the field; raise BadInput if its text is refused."""
        return self._read(self.text()) if self.isModified() else self._value

    def restore(self) -> None:
        """Show the number in place of what the user has typed."""
        self._show(is_edited=self.hasFocus())
        self._mark("")
        self.refused.emit("")

    def fit_to(self, *texts: str) -> None:
        """Make the field as wide as the widest of some texts."""
        look = look_of(self)
        measure = QFontMetricsF(look.font(TEXT))
        widest = max(map(measure.horizontalAdvance, texts))
        self.setFixedWidth(math.ceil(widest) + look.metrics.px(16))

    def _show(self, *, is_edited: bool) -> None:
        text = self._write(self._value)
        text = typed_form(text) if is_edited else text
        if text != self.text():
            self.setText(text)
        self.setModified(False)

    def _judge(self) -> None:
        try:
            self.read()
        except BadInput as error:
            self._mark(str(error))
        else:
            self._mark("")

    def _on_finished(self) -> None:
        if not self.isModified():
            return
        self._judge()
        if self._refusal:
            self.refused.emit(self._refusal)
            return
        self._value = self.read()
        self.restore()
        self.typed.emit(self._value)

    def _mark(self, refusal: str) -> None:
        if refusal != self._refusal:
            self._refusal = refusal
            set_style_property(self, "invalid", bool(refusal))
            set_tip(self, refusal or self._tip)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.isModified():
            self.restore()
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        if not self.isModified():
            # Before Qt selects the text, which it does after Tab.
            self._show(is_edited=True)
        super().focusInEvent(event)
        self._is_first_click = event.reason() == Qt.FocusReason.MouseFocusReason

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        # The menu of the field acts on the selected text, which must stay.
        if event.reason() != Qt.FocusReason.PopupFocusReason and not self.isModified():
            self._show(is_edited=False)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        # A selection that the user made by dragging stays.
        if self._is_first_click and not self.hasSelectedText():
            self.selectAll()
        self._is_first_click = False


def read_named(name: str, text: str, *, whole: bool = False) -> float:
    """Return the number that a text means; raise BadInput, with a sentence on ``name``, if none."""
    kind, got = "a whole number" if whole else "a number", f"got {short_repr(text.strip())}."
    try:
        value = read_number(text)
    except BeyondDouble:
        raise BadInput(f"{name} must be below 1.8·10³⁰⁸, the largest double: {got}") from None
    except ValueError:
        raise BadInput(f"{name} must be {kind}: {got}") from None
    if whole and not value.is_integer():
        raise BadInput(f"{name} must be {kind}: {got}")
    return value
