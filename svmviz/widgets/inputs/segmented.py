"""A row of buttons of which exactly one is checked."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QFrame, QHBoxLayout, QSizePolicy, QToolButton, QWidget

from svmviz.theme import active
from svmviz.widgets.styling import StyleFollower

# Maximum number of letters of all labels of a row with the usual space around them.
MAX_LETTERS = 30


class Segmented(StyleFollower, QFrame):
    """Row of buttons for exclusive choices; arrow keys move between the buttons.

    Parameters
    ----------
    choices : sequence of (key, label)
    parent : QWidget, optional

    Signals
    -------
    chosen(str)
        The user has chosen the button with this key.
    """

    chosen = Signal(str)

    def __init__(self, choices: Sequence[tuple[str, str]], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "segmented")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._group = QButtonGroup(self)
        self._group.setExclusive(True)
        self._buttons: dict[str, QToolButton] = {}
        # Key of the current choice; while a click is handled, that of the choice before it.
        self._value = ""
        self._layout = QHBoxLayout(self)
        # Four buttons, or long labels, would be wider than a narrow panel.
        letters = sum(len(label) for _, label in choices)
        self._is_crowded = len(choices) > 3 or letters > MAX_LETTERS
        for choice in choices:
            self._add(*choice)
        self._group.buttonClicked.connect(self._on_clicked)
        self.follow_style(Segmented._apply_style)
        if self._buttons:
            self.set_value(next(iter(self._buttons)))

    @property
    def value(self) -> str:
        """Key of the current choice."""
        return next(key for key, button in self._buttons.items() if button.isChecked())

    @property
    def keys(self) -> tuple[str, ...]:
        """Keys of all choices."""
        return tuple(self._buttons)

    def button(self, key: str) -> QToolButton:
        """Return the button of a choice."""
        return self._buttons[key]

    def set_value(self, key: str) -> None:
        """Make a choice the current one, without emitting.

        Raises
        ------
        KeyError
            If there is no such choice.
        """
        self._buttons[key].setChecked(True)
        self._value = key

    def set_enabled(self, key: str, enabled: bool) -> None:
        """Allow or forbid one choice."""
        self._buttons[key].setEnabled(enabled)

    def _add(self, key: str, label: str) -> None:
        button = QToolButton(self)
        button.setProperty("role", "segment")
        button.setProperty("crowded", self._is_crowded)
        button.setCheckable(True)
        button.setText(label)
        button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._buttons[key] = button
        self._group.addButton(button)
        self._layout.addWidget(button)

    def _on_clicked(self) -> None:
        if self.value != self._value:
            self._value = self.value
            self.chosen.emit(self._value)

    def _apply_style(self) -> None:
        edge = active().metrics.px(2)
        self._layout.setContentsMargins(edge, edge, edge, edge)
        self._layout.setSpacing(edge)
