"""The row of buttons that chooses among the views of a panel."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QWidget

from svmviz.document.document import Document
from svmviz.panels.registry import PANELS, views_of
from svmviz.widgets.inputs.segmented import Segmented
from svmviz.widgets.plain_text import set_tip


class ViewRow(Segmented):
    """A button for each view of a panel.

    Parameters
    ----------
    name : str
        The view in whose dock the row stands; its button stays checked.
    document : Document
    parent : QWidget
    views : sequence of str, optional
        The views that have a button; by default, all.
    """

    def __init__(
        self, name: str, document: Document, parent: QWidget, views: Sequence[str] = ()
    ) -> None:
        shown = views or views_of(name)
        super().__init__([(view, PANELS[view].title) for view in shown], parent)
        self.setAccessibleName("Views of this panel")
        self.set_value(name)
        self.chosen.connect(lambda: self.set_value(name))
        self.fit(document)

    def fit(self, document: Document) -> None:
        """Enable the views that fit a document; tooltips say what the others need."""
        for view in self.keys:
            spec = PANELS[view]
            fits = spec.fits(document)
            self.set_enabled(view, fits)
            set_tip(self.button(view), "" if fits else f"This needs {spec.needs_for(document)}.")
