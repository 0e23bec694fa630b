"""What is known of a panel before it is made: its names, help, place, and what it applies to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from svmviz.base.lazy import Later

if TYPE_CHECKING:
    from svmviz.document.document import Document


@dataclass(frozen=True)
class PanelSpec:
    """A panel that can be shown in a dock.

    Attributes
    ----------
    name : str
        The name that the command line lists.
    title, help : str
        The help is one paragraph.
    area : str
        The first place: "left", "right" or "bottom".
    make : Later
        callable(Stage) -> QWidget
    suits : callable(Document) -> bool
        Whether it applies to a document of one of its tasks.
    tasks : tuple of str
        The tasks it applies to.
    scrolls : bool
        Whether it may be higher than its dock.
    formula : tuple of str
        Lines of LaTeX for the help.
    regression : tuple of str
        The lines for a regression; empty if they are the same.
    regression_title : str
        The title in a regression; empty if it is the same.
    needs : str
        Requirement on the document, in words; empty if it is obvious.
    """

    name: str
    title: str
    help: str
    area: str
    make: Later
    suits: Callable[[Document], bool]
    tasks: tuple[str, ...] = ("classification", "regression")
    scrolls: bool = False
    formula: tuple[str, ...] = ()
    regression: tuple[str, ...] = ()
    regression_title: str = ""
    needs: str = ""

    def title_for(self, task: str) -> str:
        """Return the title for a task."""
        return (task == "regression" and self.regression_title) or self.title

    def fits(self, document: Document) -> bool:
        """Return whether it applies to a document."""
        return document.task in self.tasks and self.suits(document)

    def formula_for(self, task: str) -> tuple[str, ...]:
        """Return the lines of LaTeX for a task."""
        return (task == "regression" and self.regression) or self.formula
