"""A section with a title; a click on the title hides or shows what is below it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from svmviz.theme import look_of
from svmviz.theme.icons import icon
from svmviz.widgets.styling import StyleFollower


class FoldingCard(StyleFollower, QFrame):
    """Title above a body of widgets; a click on the title hides or shows the body.

    Parameters
    ----------
    title : str

    Signals
    -------
    folded(bool)
        The user has hidden the body (true) or shown it (false).
    """

    folded = Signal(bool)

    def __init__(self, title: str) -> None:
        super().__init__()
        self.setProperty("role", "card")
        # With the policy Maximum, a text that wraps to more lines than in its size hint is cut off.
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._title = QToolButton(self)
        self._title.setText(title)
        self._title.setProperty("role", "card-title")
        self._title.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._title.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._title.clicked.connect(self._on_clicked)
        self._body = QWidget(self)
        self._layout = QVBoxLayout(self._body)
        self._header = QHBoxLayout()
        self._header.addWidget(self._title)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        outer.addLayout(self._header)
        outer.addWidget(self._body)
        self._folded = False
        self.follow_style(FoldingCard._apply_style)

    @property
    def title(self) -> str:
        """The text above the body."""
        return self._title.text()

    @property
    def is_folded(self) -> bool:
        """Whether the body is hidden."""
        return self._folded

    def add(self, widget: QWidget) -> QWidget:
        """Add a widget to the body, and return it."""
        self._layout.addWidget(widget)
        return widget

    def set_corner(self, widget: QWidget) -> None:
        """Put a widget at the right of the title."""
        self._header.addWidget(widget)

    def fold(self, folded: bool) -> None:
        """Hide the body, or show it if ``folded`` is false. This emits no signal."""
        self._folded = folded
        self._body.setVisible(not folded)
        self._apply_style()

    def _on_clicked(self) -> None:
        self.fold(not self._folded)
        self.folded.emit(self._folded)

    def _apply_style(self) -> None:
        space = look_of(self).metrics.space
        self._title.setIcon(icon("chevron-right" if self._folded else "chevron-down"))
        self._layout.setContentsMargins(space(3), space(0.5), space(3), space(3))
        self._layout.setSpacing(space(2))
        self._header.setContentsMargins(space(1), space(1), space(2), space(1))
