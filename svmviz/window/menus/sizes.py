"""The menu of the sizes of controls."""

from __future__ import annotations

from PySide6.QtWidgets import QMenu, QWidget

from svmviz.theme import CONTROL_SIZES
from svmviz.window.appearance import Appearance


class ControlSizesMenu(QMenu):
    """An entry for each size; the current one is ticked when the menu is opened."""

    def __init__(self, appearance: Appearance, parent: QWidget) -> None:
        super().__init__("&Controls and panels", parent)
        self._appearance = appearance
        for size in CONTROL_SIZES:
            action = self.addAction(f"{size:.0%}")
            action.setCheckable(True)
            action.setData(size)
            action.triggered.connect(lambda _checked=False, size=size: appearance.set_base(size))
        self.aboutToShow.connect(self._tick)

    def _tick(self) -> None:
        for action in self.actions():
            action.setChecked(action.data() == self._appearance.base)
