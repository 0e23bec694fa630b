"""The menu of examples: scenes that come with the program, opened as untitled documents."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtWidgets import QMenu, QWidget

from svmviz.base.resources import root
from svmviz.widgets.plain_text import set_tip

ENDING = ".svmviz"
# Title and one sentence per scene, in the order of the menu; other scenes follow by name.
TITLES = {
    "penguins": ("Penguins, a straight line", "Two species that a line separates."),
    "demo": ("Penguins, RBF kernel", "The same penguins, with a curved boundary."),
    "two-moons": ("Two moons", "Two arcs that no line separates, RBF kernel."),
    "race": ("SMO against Pegasos", "A race of two solvers on one problem."),
    "noisy-sine": (
        "Noisy sine, regression",
        "A curve with its tube; only points on or outside it matter.",
    ),
    "eight-points": ("Eight points, hard margin", "α = ½, ¼, ¼; w = (0, 1); b = 0."),
}


def examples() -> list[tuple[Path, str, str]]:
    """Return file, title and sentence of every scene among the assets."""
    found = {path.stem: path for path in sorted((root() / "scenes").glob(f"*{ENDING}"))}
    known = [(found[stem], *words) for stem, words in TITLES.items() if stem in found]
    others = [
        (path, stem.replace("-", " ").capitalize(), "")
        for stem, path in found.items()
        if stem not in TITLES
    ]
    return known + others


class ExamplesMenu(QMenu):
    """An entry for each example.

    Parameters
    ----------
    open_example : callable(Path, str)
        Opens the scene of a file under a title.
    parent : QWidget
    """

    def __init__(self, open_example: Callable[[Path, str], object], parent: QWidget) -> None:
        super().__init__("E&xamples", parent)
        self._open_example = open_example
        self.setToolTipsVisible(True)
        for path, title, sentence in examples():
            action = self.addAction(title)
            set_tip(action, sentence)
            action.triggered.connect(partial(self._open, path, title))

    def _open(self, path: Path, title: str, _checked: bool = False) -> None:
        self._open_example(path, title)
