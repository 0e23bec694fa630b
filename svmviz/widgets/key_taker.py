"""A mixin for widgets that use keys which are also shortcuts of the window."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

if TYPE_CHECKING:
    Base = QWidget
else:
    Base = object


class KeyTaker(Base):
    """Mixin for widgets whose keys are no shortcuts while the widget has the focus.

    In the list of base classes, the mixin must come before Qt's class: it extends `event`.
    """

    def uses(self, event: QKeyEvent) -> bool:
        """Return whether the widget uses the key of an event."""
        raise NotImplementedError

    def event(self, event: QEvent) -> bool:
        # Qt asks first whether the key is wanted here, and not by a shortcut.
        is_asked = event.type() == QEvent.Type.ShortcutOverride
        if is_asked and isinstance(event, QKeyEvent) and self.uses(event):
            event.accept()
            return True
        return super().event(event)
