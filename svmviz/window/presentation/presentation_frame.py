"""A frame around controls in a presentation, whose sizes depend on the height of the window."""

from __future__ import annotations

from PySide6.QtWidgets import QFrame

from svmviz.widgets.styling import OwnSizes


class PresentationFrame(OwnSizes, QFrame):
    """Frame with the style sheet and the font that `look_of` returns for its window."""
