"""One page of the help."""

from __future__ import annotations

import html

from PySide6.QtCore import Qt

from svmviz.base.notation import rich
from svmviz.widgets.column import Column
from svmviz.widgets.formula import Formula
from svmviz.widgets.plain_text import RichLabel
from svmviz.window.help.help_pages import Entry, Page


class HelpPage(Column):
    """A page: title, source, paragraphs, formula, guarantees and settings."""

    def __init__(self) -> None:
        super().__init__(gap=2.5, margin=5.0)
        self._body: Column | None = None
        self.formula: Formula | None = None

    def show_page(self, page: Page) -> None:
        """Show another page."""
        if self._body is not None:
            self.box.removeWidget(self._body)
            self._body.hide()
            self._body.deleteLater()
        self._body = body = Column(gap=2.5)
        body.add(_words(html.escape(page.title), "title"))
        if page.source:
            body.add(_words(html.escape(page.source), "muted"))
        for paragraph in page.paragraphs:
            body.add(_words(rich(paragraph)))
        self.formula = body.add(Formula(page.formula, snug=True)) if page.formula else None
        if page.facts:
            body.add(_words("What it guarantees", "section"))
            for fact in page.facts:
                body.add(_words(_of_fact(fact)))
        if page.entries:
            body.add(_words("Settings", "section"))
            for entry in page.entries:
                body.add(_words(_of_entry(entry)))
        body.box.addStretch(1)
        self.box.addWidget(body)
        body.show()


def _of_fact(fact: str) -> str:
    """Return HTML in which the second line is aligned with the first, not with the bullet."""
    return f"<table cellspacing=0><tr><td>•&nbsp;&nbsp;</td><td>{rich(fact)}</td></tr></table>"


def _of_entry(entry: Entry) -> str:
    aside = f" <small>({html.escape(entry.aside)})</small>" if entry.aside else ""
    # The weight of headings; the font has no weight as heavy as that of b.
    title = f"<span style='font-weight: 600'>{rich(entry.title)}</span>"
    return f"{title}{aside}<br>{rich(entry.text)}"


def _words(text: str, role: str = "") -> RichLabel:
    label = RichLabel(text)
    label.setProperty("role", role)
    label.setWordWrap(True)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label
