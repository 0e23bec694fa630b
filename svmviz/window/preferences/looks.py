"""Menus with one ticked entry: theme, palette, motion, and the size of controls."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QMenu, QWidget

from svmviz.window.preferences.choices import Preference

# The preferences that have a menu, with its title.
TITLES = {
    "Theme": "&Theme",
    "Class colours": "&Class colours",
    "Animation": "Ani&mation",
    "Button size": "Butto&n size",
}


class ChoiceMenu(QMenu):
    """An entry for each value of a preference; the present one is ticked when the menu is opened.

    Parameters
    ----------
    title : str
    preference : Preference
    parent : QWidget
    """

    def __init__(self, title: str, preference: Preference, parent: QWidget) -> None:
        super().__init__(title, parent)
        self._preference = preference
        for choice, name in preference.options:
            action = self.addAction(name)
            action.setCheckable(True)
            action.setData(choice)
            action.triggered.connect(lambda _checked=False, choice=choice: preference.write(choice))
        self.aboutToShow.connect(self._tick)

    def _tick(self) -> None:
        for action in self.actions():
            action.setChecked(action.data() == self._preference.read())


def menus_of_looks(preferences: Sequence[Preference], parent: QWidget) -> tuple[QMenu, ...]:
    """Return the menus that change the looks of the window."""
    by_label = {preference.label: preference for preference in preferences}
    return tuple(ChoiceMenu(title, by_label[label], parent) for label, title in TITLES.items())
