"""A frame around controls, which are as large as the window of a hall requires."""

from __future__ import annotations

from PySide6.QtWidgets import QFrame

from svmviz.widgets.styling import OwnSizes


class HallFrame(OwnSizes, QFrame):
    """Frame whose style sheet and font are those of `look_of` its window."""
