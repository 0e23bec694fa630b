"""Menus with one ticked entry: theme, palette, motion, and the size of controls."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QMenu, QWidget

from svmviz.window.menus.option_menus import ChoiceMenu
from svmviz.window.preferences.choices import Preference

# The preferences that have a menu, with its title.
TITLES = {
    "Theme": "&Theme",
    "Class colours": "&Class colours",
    "Animation": "Ani&mation",
    "Button size": "Butto&n size",
}


def menus_of_looks(preferences: Sequence[Preference], parent: QWidget) -> tuple[QMenu, ...]:
    """Return the menus that change the looks of the window."""
    by_label = {preference.label: preference for preference in preferences}
    shown = [(title, by_label[label]) for label, title in TITLES.items()]
    return tuple(ChoiceMenu(title, of.options, of.read, of.write, parent) for title, of in shown)
