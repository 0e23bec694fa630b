"""A labelled field for a number."""

from __future__ import annotations

from PySide6.QtCore import Signal

from solvers import BadInput
from solvers.errors import short_repr
from svmviz.base.words import number, read_number
from svmviz.theme import look_of
from svmviz.widgets.column import Column
from svmviz.widgets.inputs.number_field import NumberField
from svmviz.widgets.plain_text import Label, set_tip


class NumberEntry(Column):
    """A short label and a field for a number.

    Parameters
    ----------
    label : str
        Text left of the field.
    name : str
        Name of the number in sentences and for screen readers.
    tip : str
        Tooltip.
    whole : bool
        Whether the number must be an integer.
    width : float
        Minimum width of the field, px at scale 1.

    Signals
    -------
    typed()
        The user has entered another text.
    """

    typed = Signal()

    def __init__(
        self, label: str, name: str, tip: str = "", *, whole: bool = False, width: float = 52.0
    ) -> None:
        super().__init__(gap=0.5, across=True)
        self._name, self._whole, self._width = name, whole, width
        self._label = self.add(Label(label))
        self.field = self.add(NumberField(), 1)
        self.field.setAccessibleName(name)
        self._label.setBuddy(self.field)
        set_tip(self, tip)
        self.field.editingFinished.connect(self._on_finished)
        self.follow_style(NumberEntry._fit)

    def _fit(self) -> None:
        self.field.setMinimumWidth(look_of(self).metrics.px(self._width))

    def set_value(self, value: float) -> None:
        """Show a number, unless the user has typed text after the last :meth:`accept`."""
        if not self.field.isModified():
            self.field.setText(number(value, 6))

    def read(self) -> float:
        """Return the number; raise BadInput if the text is not a number."""
        text = self.field.text().strip()
        kind = "a whole number" if self._whole else "a number"
        try:
            value = read_number(text)
        except ValueError:
            raise BadInput(f"{self._name} must be {kind}: got {short_repr(text)}.") from None
        if self._whole and not value.is_integer():
            raise BadInput(f"{self._name} must be {kind}: got {short_repr(text)}.")
        return value

    def accept(self) -> None:
        """Accept the typed text, so that :meth:`set_value` may replace it from now on."""
        self.field.setModified(False)

    def _on_finished(self) -> None:
        if self.field.isModified():
            self.typed.emit()
