"""Buttons for the usual sizes of the training, validation and test parts."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton

from svmviz.document.held_out import HeldOut
from svmviz.widgets.column import Column
from svmviz.widgets.plain_text import set_tip


class UsualShares(NamedTuple):
    """Fractions of all points in the validation and in the test part, with their name."""

    label: str
    validation: float
    test: float


TWO_PARTS = (
    UsualShares("50/50", 0.0, 0.5),
    UsualShares("80/20", 0.0, 0.2),
    UsualShares("90/10", 0.0, 0.1),
)
THREE_PARTS = (UsualShares("⅓ ⅓ ⅓", 1 / 3, 1 / 3), UsualShares("70/10/20", 0.1, 0.2))
# Two shares that differ by at most this are the same.
SAME = 1e-6


class ShareButtons(Column):
    """A row of buttons; that of the shares of the document is pressed.

    Parameters
    ----------
    shares : tuple of UsualShares

    Signals
    -------
    chosen(float, float)
        The user has chosen these fractions of the validation and of the test part.
    """

    chosen = Signal(float, float)

    def __init__(self, shares: tuple[UsualShares, ...]) -> None:
        super().__init__(gap=1.0, across=True)
        self.buttons: dict[UsualShares, QPushButton] = {}
        for one in shares:
            button = self.buttons[one] = self.add(QPushButton(one.label), 1)
            button.setCheckable(True)
            parts = "training / validation / test" if one.validation else "training / test"
            set_tip(button, f"Divide the points at random: {parts}")
            button.clicked.connect(partial(self._on_clicked, one))

    def show_split(self, held_out: HeldOut | None) -> None:
        """Press the button of the shares with which a split was drawn."""
        for one, button in self.buttons.items():
            drawn = held_out.shares if held_out is not None else None
            button.setChecked(
                drawn is not None
                and abs(drawn.validation - one.validation) < SAME
                and abs(drawn.test - one.test) < SAME
            )

    def _on_clicked(self, shares: UsualShares, _checked: bool = False) -> None:
        self.chosen.emit(shares.validation, shares.test)
