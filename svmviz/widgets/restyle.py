"""Properties by which the style sheet tells widgets apart."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget


def restyle(widget: QWidget, name: str, value: str | bool) -> bool:
    """Set such a property, and have the widget dress anew; return whether it was another."""
    before = widget.property(name)
    if before == value or not (before or value):
        return False
    widget.setProperty(name, value)
    widget.style().polish(widget)
    return True
