"""A frame around controls of a presentation. Their sizes depend on the height of its window."""

from __future__ import annotations

from PySide6.QtWidgets import QFrame

from svmviz.widgets.styling import OwnSizes


class PresentationFrame(OwnSizes, QFrame):
    """A frame whose style sheet and font have the sizes of its window (`look_of`)."""
