"""Boxes to check, one for each kernel or method that is offered."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, TypeVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox

from solvers import Kernel, Method
from svmviz.widgets.column import Column
from svmviz.widgets.plain_text import set_tip

Offer = TypeVar("Offer", Kernel, Method)


class CandidateBoxes(Column, Generic[Offer]):
    """A column of boxes; a box keeps its state if it is offered again with other settings.

    Parameters
    ----------
    offers : sequence of Kernel, or of Method
    only_first : bool
        Whether at first only the first box is checked; otherwise all are.
    """

    def __init__(self, offers: Sequence[Offer], *, only_first: bool = False) -> None:
        super().__init__(gap=0.5)
        self.box.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._offers: tuple[Offer, ...] = ()
        self.boxes: dict[str, QCheckBox] = {}
        self._only_first = only_first
        self.show_choices(offers)

    @property
    def chosen(self) -> list[Offer]:
        """The kernels or methods whose boxes are checked."""
        return [one for one in self._offers if self.boxes[one.name].isChecked()]

    def show_choices(self, offers: Sequence[Offer]) -> None:
        """Offer other kernels or methods."""
        offered = tuple(offers)
        if offered == self._offers:
            return
        is_first_time = not self.boxes
        self._offers = offered
        for number, one in enumerate(offered):
            if one.name not in self.boxes:
                box = self.boxes[one.name] = self.add(QCheckBox(one.label))
                set_tip(box, one.help)
                box.setChecked(is_first_time and (number == 0 or not self._only_first))
        names = {one.name for one in offered}
        for name, box in self.boxes.items():
            box.setVisible(name in names)
