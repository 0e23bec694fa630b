"""The menu of examples: scenes that come with the program, opened as untitled documents."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtWidgets import QMenu, QWidget, QWidgetAction

from svmviz.document.examples import Example
from svmviz.widgets.plain_text import Label, set_tip


class ExamplesMenu(QMenu):
    """A menu with one entry per example, below the headings of their chapters.

    Parameters
    ----------
    title : str
        Title of the menu, with its mnemonic.
    entries : list of Example
    open_example : callable(Example)
        Opens the scene.
    parent : QWidget
    """

    def __init__(
        self,
        title: str,
        entries: list[Example],
        open_example: Callable[[Example], object],
        parent: QWidget,
    ) -> None:
        super().__init__(title, parent)
        self._open_example = open_example
        self.setToolTipsVisible(True)
        chapter = ""
        for example in entries:
            if example.chapter != chapter:
                chapter = example.chapter
                self.addAction(menu_heading(chapter, self))
            action = self.addAction(example.title)
            set_tip(action, example.help)
            action.triggered.connect(partial(self._open, example))

    def _open(self, example: Example, _checked: bool = False) -> None:
        self._open_example(example)


def menu_heading(text: str, menu: QMenu) -> QWidgetAction:
    """Return an entry of a menu that stands above others, and cannot be chosen."""
    # Not Qt's own sections: with a style sheet they are lines without their text.
    heading, label = QWidgetAction(menu), Label(text, role="menu-heading")
    heading.setText(text)
    heading.setDefaultWidget(label)
    return heading
