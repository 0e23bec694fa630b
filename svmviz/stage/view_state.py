"""The options of the plane. They are saved with the document, but undo does not change them."""

from __future__ import annotations

import dataclasses
from typing import Any

from PySide6.QtCore import QObject, Signal

from svmviz.document.view_options import ViewOptions


class ViewState(QObject):
    """Holds the options of the plane; ``changed`` is emitted when they change."""

    changed = Signal()

    def __init__(self, options: ViewOptions | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.options = options or ViewOptions()

    def set(self, **changes: Any) -> None:
        """Replace some options."""
        self.show(dataclasses.replace(self.options, **changes))

    def show(self, options: ViewOptions) -> None:
        """Replace all options."""
        if options != self.options:
            self.options = options
            self.changed.emit()
