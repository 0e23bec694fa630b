"""The controls of one axis of a map: the parameter, its range, and the number of its values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from PySide6.QtCore import Signal

from svmviz.panels.selection.number_entry import NumberEntry
from svmviz.selection.axes import MAX_VALUES, Axis
from svmviz.widgets.column import Column
from svmviz.widgets.inputs.choice_box import ChoiceBox

# Name of the entry, in the list of parameters, for an axis without a parameter.
NONE = "none"


class AxisForm(Column):
    """Controls of one axis.

    Parameters
    ----------
    label : str
        Name of the axis on screen.
    optional : bool
        Whether the axis may have no parameter; the map then has one row.

    Signals
    -------
    chosen(str)
        Another parameter was chosen, or NONE.
    changed()
        The user has typed an end of the range or the number of values.
    """

    chosen = Signal(str)
    changed = Signal()

    def __init__(self, label: str, *, optional: bool = False) -> None:
        super().__init__(gap=0.5)
        self._optional = optional
        self._axis: Axis | None = None
        self.parameter = self.add(ChoiceBox(label, [("", "")]))
        self.parameter.chosen.connect(self.chosen)
        self._row = self.add(Column(gap=1.0, across=True))
        self.low = self._row.add(NumberEntry("", f"{label}: the first value"), 3)
        self.high = self._row.add(NumberEntry("to", f"{label}: the last value"), 3)
        tip = f"Number of values of the parameter, at most {MAX_VALUES}."
        name = f"{label}: the number of values"
        self.count = self._row.add(NumberEntry("in", name, tip, whole=True, width=30.0), 2)
        for entry in (self.low, self.high, self.count):
            entry.typed.connect(self.changed)

    def show_axis(self, axis: Axis | None, parameters: Mapping[str, Axis], other: str) -> None:
        """Show the settings of an axis.

        Parameters
        ----------
        axis : Axis or None
        parameters : mapping of str to Axis
            The parameters that can be chosen: those of the document's model, by name.
        other : str
            Name of the parameter on the other axis, which cannot be chosen here.
        """
        choices = [(name, choice.label) for name, choice in parameters.items() if name != other]
        if self._optional:
            choices.append((NONE, "None: one row"))
        self.parameter.set_choices(choices)
        self.parameter.set_value(axis.name if axis else NONE)
        self._row.setVisible(axis is not None)
        if axis is not None:
            # `set_value` keeps typed text until `accept`. Text that was typed for another parameter
            # must not stay.
            if self._axis is None or axis.name != self._axis.name:
                for entry in (self.low, self.high, self.count):
                    entry.accept()
            self.low.set_value(axis.low)
            self.high.set_value(axis.high)
            self.count.set_value(axis.count)
        self._axis = axis

    def read(self) -> Axis | None:
        """Return the axis, or None if it has no parameter.

        Raise BadInput if a text is no number, or if a number is not allowed.
        """
        if self._axis is None:
            return None
        axis = replace(
            self._axis, low=self.low.read(), high=self.high.read(), count=int(self.count.read())
        )
        axis.check()
        for entry in (self.low, self.high, self.count):
            entry.accept()
        return axis
