"""A popup with the help of a panel: a paragraph, a formula, and links to derivations.

A click elsewhere closes it.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from svmviz.base.announcer import Announcer
from svmviz.theme import SIZED_BY_TYPE, look_of
from svmviz.widgets.formula import FormulaView
from svmviz.widgets.plain_text import Label, RichLabel
from svmviz.widgets.styling import apply_own_sizes
from svmviz.window.help.contents import READ, links_html, links_to_derivations

# Width of the text, px at scale 1.
WIDTH = 380


class HelpPopup(QFrame):
    """A small card in front of the window.

    Parameters
    ----------
    title, text : str
    formula : sequence of str
        Lines of LaTeX; may be empty.
    page : str
        Name of the panel's page in the help; the derivations that concern it are listed.
    parent : QWidget

    Signals
    -------
    derivation_requested(str)
        The user clicked the derivation of this name.
    """

    derivation_requested = Signal(str)

    def __init__(
        self, title: str, text: str, formula: Sequence[str], page: str, parent: QWidget
    ) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setProperty("role", "popup")
        self.setAccessibleName(title)
        self._words, self._announcer = f"{title}: {text}", Announcer(self)
        self.setProperty(SIZED_BY_TYPE, True)
        apply_own_sizes(self)
        metrics = look_of(self).metrics
        room = parent.screen().availableGeometry().width() - 2 * metrics.space(6)
        width = min(metrics.px(WIDTH), room)
        layout = QVBoxLayout(self)
        edge = metrics.space(4)
        layout.setContentsMargins(edge, edge, edge, edge)
        layout.setSpacing(metrics.space(3))
        # The popup always has the size of its content, which changes when the formula is typeset.
        layout.setSizeConstraint(QVBoxLayout.SizeConstraint.SetFixedSize)
        for words, role in ((title, "section"), (text, "")):
            label = Label(words)
            label.setProperty("role", role)
            label.setWordWrap(True)
            label.setFixedWidth(width)
            layout.addWidget(label)
        if formula:
            self.formula = FormulaView(formula, fits_content=True)
            self.formula.setFixedWidth(width)
            layout.addWidget(self.formula)
        links = links_to_derivations(page)
        self.links = RichLabel(f"Derivations<br>{links_html(links)}" if links else "")
        self.links.setWordWrap(True)
        self.links.setFixedWidth(width)
        self.links.setVisible(bool(links))
        self.links.linkActivated.connect(self._on_link)
        layout.addWidget(self.links)

    def _on_link(self, target: str) -> None:
        self.close()
        self.derivation_requested.emit(target.removeprefix(READ))

    def show_below(self, button: QWidget) -> None:
        """Open below a button; above it, if the screen ends below the button."""
        self.adjustSize()
        screen = button.screen().availableGeometry()
        corner = button.mapToGlobal(QPoint(button.width() - self.width(), button.height()))
        left = max(screen.left(), min(corner.x(), screen.right() - self.width()))
        top = corner.y()
        if top + self.height() > screen.bottom():
            above = button.mapToGlobal(QPoint(0, 0)).y() - self.height()
            top = max(screen.top(), above)
        self.move(left, top)
        self.show()
        self._announcer.say(self._words)
