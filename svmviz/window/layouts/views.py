"""Views of panels in arrangements: one view of a panel is shown, in the place of the others."""

from __future__ import annotations

from collections.abc import Sequence

from svmviz.document.document import Document
from svmviz.panels.registry import PANELS, views_of
from svmviz.window.layouts.arrangement import Arrangement
from svmviz.window.layouts.layout import ANCHORS


def suits(name: str, document: Document) -> bool:
    """Return whether a panel can be shown for a document."""
    return name not in PANELS or PANELS[name].fits(document)


def suited(arrangement: Arrangement, document: Document) -> Arrangement:
    """Return an arrangement without panels that do not suit a document.

    If another view of such a panel suits it, this one takes its place.
    """
    for name in arrangement.names:
        suiting = next((view for view in views_of(name) if suits(view, document)), None)
        if not suits(name, document) and suiting is not None:
            arrangement = arrangement.replaced(name, suiting)
    return arrangement.only([name for name in arrangement.names if suits(name, document)])


def with_panels(arrangement: Arrangement, names: Sequence[str]) -> Arrangement:
    """Return an arrangement with more panels opened."""
    for name in names:
        arrangement = with_panel(arrangement, name)
    return arrangement


def with_panel(arrangement: Arrangement, name: str, below: bool = False) -> Arrangement:
    """Return an arrangement with a panel in front, in place of another view if there is one."""
    others = [other for other in arrangement.names if other != name and other in views_of(name)]
    if name not in arrangement.names and others:
        arrangement = arrangement.replaced(others.pop(0), name)
    return arrangement.without(others).opened(name, ANCHORS, below)
