"""Opening the help window at a page, or the panel of derivations."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from svmviz.lessons.pages import concepts
from svmviz.panels.registry import PANELS
from svmviz.stage.stage import Stage

if TYPE_CHECKING:
    from svmviz.window.help.help_window import HelpWindow


class Help:
    """The help of a window.

    Parameters
    ----------
    parent : QWidget
    stage : Stage
    show_panel : callable(str)
        Shows the panel of this name beside the plane.

    Attributes
    ----------
    window : HelpWindow or None
        None before the help was first opened.
    """

    def __init__(self, parent: QWidget, stage: Stage, show_panel: Callable[[str], object]) -> None:
        self._parent = parent
        self._stage = stage
        self._show_panel = show_panel
        self.window: HelpWindow | None = None
        stage.lesson.concept_requested.connect(self.show)
        stage.reading.panel_requested.connect(show_panel)
        stage.reading.panel_titles = self._panel_titles

    def _panel_titles(self) -> dict[str, str]:
        document = self._stage.session.document
        return {
            name: spec.title_for(document) for name, spec in PANELS.items() if spec.fits(document)
        }

    def show(self, page: str) -> None:
        """Open the help at a page."""
        if self.window is None:
            # Imported late, because the start of the program needs no help.
            from svmviz.window.help.help_window import HelpWindow

            self.window = HelpWindow(self._parent)
            self.window.derivation_requested.connect(self.show_derivation)
        self.window.open_at(page)

    def show_concepts(self) -> None:
        """Open the help at the first concept."""
        self.show(f"concept:{next(iter(concepts()))}")

    def show_method(self) -> None:
        """Open the help at the method of the lane in focus."""
        self.show(f"method:{self._stage.method.name}")

    def show_kernel(self) -> None:
        """Open the help at the kernel of the document."""
        self.show(f"kernel:{self._stage.session.document.kernel.name}")

    def show_panels(self) -> None:
        """Open the help at the first panel."""
        self.show(f"panel:{next(iter(PANELS))}")

    def show_lessons(self) -> None:
        """Show the panel with the list of lessons, or the lesson that is open."""
        self._show_panel("lesson")
        self._stage.lesson.remind()

    def show_derivation(self, name: str) -> None:
        """Show a derivation from its first line, and close the help, which would cover it."""
        self._stage.reading.choose(name)
        if self.window is not None:
            self.window.close()
        self.show_derivations()

    def show_derivations(self) -> None:
        """Show the panel in which a derivation is read."""
        self._show_panel("derivation")
