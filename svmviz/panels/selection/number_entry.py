"""A labelled field for a number."""

from __future__ import annotations

from PySide6.QtCore import Signal

from svmviz.base.words import number
from svmviz.theme import look_of
from svmviz.widgets.column import Column
from svmviz.widgets.inputs.number_field import NumberField, read_named
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
        self._width = width
        # Whether the user has typed text after the last :meth:`accept`.
        self._is_typed = False
        self._label = self.add(Label(label))
        self.field = self.add(
            NumberField(
                lambda text: read_named(name, text, whole=whole),
                lambda value: number(value, 6),
                quiet=False,
            ),
            1,
        )
        self.field.setAccessibleName(name)
        self._label.setBuddy(self.field)
        set_tip(self, tip)
        self.field.typed.connect(self._on_typed)
        self.field.refused.connect(lambda sentence: sentence and self._on_typed())
        self.follow_style(NumberEntry._fit)

    def _fit(self) -> None:
        self.field.setMinimumWidth(look_of(self).metrics.px(self._width))

    def set_value(self, value: float) -> None:
        """Show a number, unless the user has typed text after the last :meth:`accept`."""
        if not self._is_typed:
            self.field.set_value(value)

    def read(self) -> float:
        """Return the number; raise BadInput if the text is not a number."""
        return self.field.read()

    def accept(self) -> None:
        """Accept the typed text, so that :meth:`set_value` may replace it from now on."""
        self._is_typed = False

    def _on_typed(self, _value: float = 0.0) -> None:
        self._is_typed = True
        self.typed.emit()
