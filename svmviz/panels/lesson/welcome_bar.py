"""The line of the first start, which offers the first lesson and goes away for good."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPushButton, QSizePolicy

from svmviz.widgets.column import Column
from svmviz.widgets.plain_text import Label

WORDS = (
    "New here? A short lesson shows how a line separates two classes best; more are in Help > "
    "Lessons."
)


class WelcomeBar(Column):
    """A line above the plane with two buttons.

    Signals
    -------
    answered(bool)
        A button was clicked: whether to begin the first lesson.
    """

    answered = Signal(bool)

    def __init__(self) -> None:
        super().__init__(gap=2.0, margin=2.0, across=True)
        self.setProperty("role", "advice")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        words = self.add(Label(WORDS, wraps=True), 1)
        words.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        self.begin, self.decline = self.add(QPushButton("Begin")), self.add(QPushButton("Not now"))
        for button in (self.begin, self.decline):
            # A click must not move the focus here: Space, which plays, would then press the button.
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.begin.clicked.connect(lambda: self.answered.emit(True))
        self.decline.clicked.connect(lambda: self.answered.emit(False))
