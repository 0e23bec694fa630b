"""The part of a card that a click opens: controls that are seldom needed."""

from __future__ import annotations

from typing import TypeVar

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QToolButton

from svmviz.theme.icons import icon
from svmviz.widgets.column import Column
from svmviz.widgets.forms import SettingsForm
from svmviz.widgets.inputs.choice_box import ChoiceBox
from svmviz.widgets.plain_text import Label, set_tip

AnyControl = TypeVar("AnyControl", ChoiceBox, SettingsForm)


class More(Column):
    """Button above a column of controls, which it opens and closes.

    A dot beside the button shows that a control differs from its default; the tooltip says which.

    Signals
    -------
    toggled()
        The user has opened or closed the part.
    """

    toggled = Signal()

    def __init__(self) -> None:
        super().__init__(gap=1.0)
        self._compared: list[ChoiceBox | SettingsForm] = []
        self._head = self.add(Column(gap=0.0, across=True))
        self.button = self._head.add(QToolButton())
        self.button.setText("More")
        self.button.setProperty("role", "more")
        self.button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.button.clicked.connect(self._on_clicked)
        self.dot = self._head.add(Label("•"))
        self.dot.setProperty("role", "accent")
        self._head.box.addStretch(1)
        self.body = self.add(Column(gap=1.0))
        self.open(False)
        self.show_differences()

    @property
    def is_open(self) -> bool:
        """Whether the controls are shown."""
        return not self.body.isHidden()

    def open(self, is_open: bool) -> None:
        """Show the controls, or hide them. This emits no signal."""
        self.body.setVisible(is_open)
        self.button.setIcon(icon("chevron-down" if is_open else "chevron-right"))

    def lay_open(self) -> None:
        """Show the controls for good, without the button."""
        self._head.hide()
        self.open(True)

    def compare(self, control: AnyControl, column: Column | None = None) -> AnyControl:
        """Add a control whose differences from its defaults count to a column, and return it.

        The column is by default that of all controls of this part.
        """
        self._compared.append(control)
        return (column or self.body).add(control)

    def show_differences(self) -> None:
        """Show the dot if a control differs from its default."""
        lines = [line for control in self._compared for line in control.differences]
        self.dot.setVisible(bool(lines))
        tip = "\n".join(["Not at its default:", *lines]) if lines else ""
        set_tip(self._head, tip or "Everything in here is at its default.")
        self.button.setAccessibleDescription(tip)

    def _on_clicked(self) -> None:
        self.open(not self.is_open)
        self.toggled.emit()
