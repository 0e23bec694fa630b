"""A box with arrows for a number, in which numbers are read as in every other field."""

from __future__ import annotations

from PySide6.QtCore import QLocale, Qt
from PySide6.QtGui import QFocusEvent, QValidator
from PySide6.QtWidgets import QDoubleSpinBox

from svmviz.base.words import read_number

# Characters of a number that is not complete yet.
_OF_NUMBERS = frozenset("0123456789.,-−+ \N{NO-BREAK SPACE}")


class NumberBox(QDoubleSpinBox):
    """Box for a number, with arrows.

    Qt would read numbers by the language of the system and leave out the separators it does not
    know: 2,5 would be 25. While the box has the focus, there are no commas between thousands.

    Parameters
    ----------
    name : str
        Name for screen readers.
    low, high : float
        The smallest and the largest number.
    suffix : str
        Unit after the number, with a space.
    decimals : int
    """

    def __init__(
        self, name: str, low: float, high: float, suffix: str = "", *, decimals: int = 1
    ) -> None:
        super().__init__()
        self.setLocale(QLocale.c())
        self.setDecimals(decimals)
        self.setRange(low, high)
        self.setSuffix(suffix)
        self.setAccessibleName(name)
        self.setKeyboardTracking(False)
        self.setGroupSeparatorShown(True)

    def whole(self) -> int:
        """Return the number as an integer; for boxes without decimals."""
        return round(self.value())

    def validate(self, text: str, position: int) -> tuple[QValidator.State, str, int]:
        """Accept a text that is a valid number; refuse one that no more typing can make valid."""
        state = QValidator.State.Acceptable
        try:
            value = self.valueFromText(text)
        except ValueError:
            is_begun = set(self._bare(text)) <= _OF_NUMBERS
            state = QValidator.State.Intermediate if is_begun else QValidator.State.Invalid
        else:
            has_more_decimals = value != round(value, self.decimals())
            # A comma may be a decimal comma or stand between thousands; this is not known yet.
            if value > self.maximum() or (has_more_decimals and "," not in text):
                state = QValidator.State.Invalid
            elif value < self.minimum() or has_more_decimals:
                state = QValidator.State.Intermediate
        return state, text, position

    def fixup(self, text: str) -> str:
        """Leave a text that means no number as it is; Qt would drop its comma."""
        return text

    def valueFromText(self, text: str) -> float:
        """Return the number that a text of the box means."""
        is_special = text != "" and text == self.specialValueText()
        return self.minimum() if is_special else read_number(self._bare(text))

    def _bare(self, text: str) -> str:
        return text.removeprefix(self.prefix()).removesuffix(self.suffix())

    def focusInEvent(self, event: QFocusEvent) -> None:
        self.setGroupSeparatorShown(False)
        super().focusInEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        # The menu of the box acts on the selected text, which must stay.
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self.setGroupSeparatorShown(True)
