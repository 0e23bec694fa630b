"""A picture of the help with handles to drag, and numbers or words below its charts."""

from __future__ import annotations

from PySide6.QtWidgets import QSizePolicy

from svmviz.widgets.column import Column


class TriedPicture(Column):
    """A column with the charts and texts of a picture.

    Parameters
    ----------
    title : str
        Description for screen readers.
    """

    # Unlike other pictures, it is not painted in the background.
    is_ready = True

    def __init__(self, title: str) -> None:
        super().__init__(gap=1.0)
        self.setAccessibleName(f"Picture: {title}")
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
