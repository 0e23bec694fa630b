"""The bar above the plane: advice if the scaling or the kernel does not suit the points."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton, QSizePolicy

from svmviz.document.advice import Advice, advise
from svmviz.stage.stage import Stage
from svmviz.widgets.column import Column
from svmviz.widgets.plain_text import Label


class AdviceBar(Column):
    """A sentence of advice, a button that follows the advice, and a button that declines it.

    The bar is visible only while there is advice. Advice that was declined is not given again until
    the names of axes or classes change, or all points are removed.

    Parameters
    ----------
    stage : Stage
    """

    def __init__(self, stage: Stage) -> None:
        super().__init__(gap=2.0, margin=2.0, across=True)
        self.setProperty("role", "advice")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._session = stage.session
        self._advice: Advice | None = None
        # Kinds of the advice that was declined, and the names of axes and classes at that time.
        self._declined: frozenset[str] = frozenset()
        self._declined_for: tuple[str, ...] = ()
        self.words = self.add(Label(wraps=True), 1)
        self.words.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        self.accept = self.add(QPushButton())
        self.keep = self.add(QPushButton())
        for button in (self.accept, self.keep):
            # A click must not move the focus here: Space, which plays, would then press the button.
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.accept.clicked.connect(self._on_accept)
        self.keep.clicked.connect(self._on_keep)
        stage.session.document_changed.connect(self._show_document)
        self._show_document()

    def _show_document(self) -> None:
        """Show the advice for the session's document, or hide the bar."""
        # A bar that appears during a drag would move the plane under the mouse.
        if self._session.previewing:
            return
        document = self._session.document
        names = (*document.data.axis_names, *document.data.class_names)
        if names != self._declined_for or not document.n:
            self._declined, self._declined_for = frozenset(), names
        self._advice = advice = advise(document, self._declined)
        self.setVisible(advice is not None)
        if advice is not None:
            self.words.setText(advice.sentence)
            self.accept.setText(advice.accept)
            self.keep.setText(advice.keep)

    def _on_accept(self) -> None:
        if self._advice is not None:
            self._session.edit(self._advice.advised, self._advice.entry, self._advice.note)

    def _on_keep(self) -> None:
        if self._advice is not None:
            self._declined |= {self._advice.kind}
            self._show_document()
