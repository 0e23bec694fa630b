"""Menus with one ticked entry: theme, palette, motion, and the size of controls."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from PySide6.QtWidgets import QMenu, QWidget

from svmviz.base.words import percent
from svmviz.colours.palettes import PALETTES
from svmviz.theme import CONTROL_SIZES
from svmviz.window.appearance import MOTIONS, THEME_CHOICES, Appearance


class ChoiceMenu(QMenu):
    """An entry for each choice; the present one is ticked when the menu is opened.

    Parameters
    ----------
    title : str
    choices : mapping of choice to str
        Choices and their names.
    present : callable() -> choice
    choose : callable(choice)
    parent : QWidget
    """

    def __init__(
        self,
        title: str,
        choices: Mapping[Any, str],
        present: Callable[[], object],
        choose: Callable[[Any], object],
        parent: QWidget,
    ) -> None:
        super().__init__(title, parent)
        self._present = present
        for choice, name in choices.items():
            action = self.addAction(name)
            action.setCheckable(True)
            action.setData(choice)
            action.triggered.connect(lambda _checked=False, choice=choice: choose(choice))
        self.aboutToShow.connect(self._tick)

    def _tick(self) -> None:
        for action in self.actions():
            action.setChecked(action.data() == self._present())


def menus_of_looks(appearance: Appearance, parent: QWidget) -> tuple[QMenu, ...]:
    """Return the menus that change the looks of the window."""
    of, sizes = appearance, {size: percent(size) for size in CONTROL_SIZES}
    palettes = {palette.name: palette.label for palette in PALETTES.values()}
    return (
        ChoiceMenu("&Theme", THEME_CHOICES, lambda: of.theme_choice, of.choose_theme, parent),
        ChoiceMenu("&Class colours", palettes, lambda: of.palette, of.choose_palette, parent),
        ChoiceMenu("&Motion", MOTIONS, lambda: of.motion_choice, of.choose_motion, parent),
        ChoiceMenu("Butto&n size", sizes, lambda: of.base, of.set_base, parent),
    )
