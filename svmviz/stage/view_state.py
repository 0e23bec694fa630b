"""The options of the plane. They are saved with the document, but undo does not change them.

A lesson may hide things from its student until they are asked for.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from typing import Any

from PySide6.QtCore import QObject, Signal

from svmviz.document.view_options import ViewOptions


class ViewState(QObject):
    """The options of the plane; ``changed`` is emitted when they change.

    Attributes
    ----------
    options : ViewOptions
    hidden : frozenset of str
        Names in :data:`svmviz.lessons.shows.HIDDEN` of what a lesson hides; ``hiding_changed`` is
        emitted when they change.
    """

    changed = Signal()
    hiding_changed = Signal()

    def __init__(self, options: ViewOptions | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.options = options or ViewOptions()
        self.hidden: frozenset[str] = frozenset()

    def set(self, **changes: Any) -> None:
        """Replace some options."""
        self.show(dataclasses.replace(self.options, **changes))

    def show(self, options: ViewOptions) -> None:
        """Replace all options."""
        if options != self.options:
            self.options = options
            self.changed.emit()

    def hide(self, names: Iterable[str]) -> None:
        """Hide these things and no others."""
        hidden = frozenset(names)
        if hidden != self.hidden:
            self.hidden = hidden
            self.hiding_changed.emit()
