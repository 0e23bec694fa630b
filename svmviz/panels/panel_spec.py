"""The description of a panel: its names, its dock area, and the documents it suits.

The description is available before the widget of the panel is made. Its text and its formulas are
a page of the help, ``assets/help/panels``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from svmviz.lessons.pages import Page, page_of

if TYPE_CHECKING:
    from svmviz.document.document import Document


# Areas of docks.
AREAS = ("left", "right", "bottom")
# The groups of panels in menu, palette, help and lists, by what they answer.
FAMILIES = ("Step", "Model", "Geometry", "Cost", "Choice")
# What a panel with ``plane`` needs.
NEEDS_COORDINATES = "points with coordinates"
# Value of ``tasks`` for panels that need two classes.
CLASSIFICATION_ONLY = ("classification",)


def suits_every_document(_document: Document) -> bool:
    """Return True: the condition of a panel that needs nothing."""
    return True


@dataclass(frozen=True)
class PanelSpec:
    """The description of a panel that can be shown in a dock.

    Attributes
    ----------
    name : str
        The key of the panel, which the command line lists, and the name of its page of the help.
    title : str
        The text of the title bar.
    make : callable(Stage) -> QWidget
        Makes the widget. Modules of widgets are imported when it is first called.
    condition : callable(Document) -> bool
        Returns whether the panel suits a document. The task is not checked here.
    area : str
        The dock area at the first start: "left", "right" or "bottom".
    tasks : tuple of str
        The tasks for which the panel can be shown.
    scrolls : bool
        Whether the panel may be higher than its dock. Then the dock has a scroll bar.
    regression_title, mistakes_title : str
        The title for a regression, and for a method that counts mistakes; empty if it is the same.
    plane : bool
        Whether the panel needs points with coordinates, so that f is a function on the plane.
    needs : str
        What ``condition`` and ``tasks`` require, in words that can follow "The panel needs"; may be
        empty.
    about : str
        The text of the help, for a panel of another package. Ours have a page.
    family : str
        One of ``FAMILIES``.
    key : str
        The key that is pressed after P, in Qt's portable spelling; empty if there is none.
    view_of : str
        The name of the panel of which this is a view; empty if it is a panel of its own. A dock
        shows one view of a panel, and the others can be chosen in its title.
    """

    name: str
    title: str
    make: Callable[[Any], Any]
    condition: Callable[[Document], bool] = suits_every_document
    area: str = "right"
    tasks: tuple[str, ...] = ("classification", "regression")
    scrolls: bool = True
    regression_title: str = ""
    mistakes_title: str = ""
    plane: bool = False
    needs: str = ""
    about: str = ""
    family: str = FAMILIES[0]
    key: str = ""
    view_of: str = ""

    @property
    def page(self) -> Page:
        """The page of the help."""
        page = page_of("panels", self.name)
        return replace(page, title=self.title, paragraphs=(self.about,)) if self.about else page

    @property
    def help(self) -> str:
        """The text of its page, in one paragraph."""
        return " ".join(self.page.paragraphs)

    def title_for(self, document: Document) -> str:
        """Return the title for a document."""
        if document.is_regression:
            return self.regression_title or self.title
        return (not document.method.maximizes_margin and self.mistakes_title) or self.title

    def fits(self, document: Document) -> bool:
        """Return whether the panel can be shown for a document."""
        has_plane = document.has_coordinates or not self.plane
        return has_plane and document.task in self.tasks and self.condition(document)

    def needs_for(self, document: Document) -> str:
        """Return what a document lacks for the panel, in words that can follow "needs"."""
        if self.plane and not document.has_coordinates:
            return NEEDS_COORDINATES
        return self.needs or f"a {' or '.join(self.tasks)}"


def is_linear(document: Document) -> bool:
    """Return whether the kernel is linear, so that w lies in the plane of the points."""
    return document.kernel.name == "linear"
