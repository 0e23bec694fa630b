"""One page of the help."""

from __future__ import annotations

import html

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent

from svmviz.base.notation import rich
from svmviz.lessons.concept_links import link_concepts
from svmviz.theme import look_of
from svmviz.widgets.card import FoldingCard
from svmviz.widgets.column import Column
from svmviz.widgets.formula import FormulaView
from svmviz.widgets.plain_text import RichLabel, strong_html
from svmviz.window.help.contents import HelpTopic, SettingEntry, links_html
from svmviz.window.help.convex_picture import ConvexPicture
from svmviz.window.help.labeling_picture import LabelingPicture
from svmviz.window.help.nearest_picture import NearestPicture
from svmviz.window.help.page_pictures import scenes
from svmviz.window.help.picture_view import ConceptPicture
from svmviz.window.help.tried_picture import TriedPicture
from svmviz.window.help.vector_picture import VectorPicture

# Minimum width of a page for the text beside the picture, px at scale 1. In a narrower page, the
# text is below the picture.
MIN_WIDTH_BESIDE = 600
# Relative widths of picture and text beside each other.
PICTURE_SHARE, TEXT_SHARE = 11, 9
# The pictures with handles, by page; the others are painted.
TRIED: dict[str, type[TriedPicture]] = {
    "concept:convex": ConvexPicture,
    "concept:compact": NearestPicture,
    "concept:vectors": VectorPicture,
    "concept:vc-dimension": LabelingPicture,
}


class HelpPage(Column):
    """A page: title, source, picture, text, formula, links, symbols, guarantees, settings, slips.

    Signals
    -------
    page_requested(str)
        The user clicked a link: to the page of this name, or to a derivation (READ).
    """

    page_requested = Signal(str)

    def __init__(self) -> None:
        super().__init__(gap=2.0, margin=4.0)
        self._body: Column | None = None
        # On a page with a picture: the part with picture and text, the column with the
        # picture in it, and the symbols, which are below the picture or below the text.
        self._parts: Column | None = None
        self._left: Column | None = None
        self._symbols: RichLabel | None = None
        self.formula: FormulaView | None = None
        self.picture: ConceptPicture | TriedPicture | None = None

    def show_page(self, page: HelpTopic) -> None:
        """Show another page."""
        if self._body is not None:
            self.box.removeWidget(self._body)
            self._body.hide()
            self._body.deleteLater()
        self._body = body = Column(gap=2.0)
        body.add(_text_label(html.escape(page.title), "title"))
        if page.source:
            body.add(_text_label(html.escape(page.source), "muted"))
        self.picture = self._parts = self._left = self._symbols = None
        text = body
        if page.name in scenes() or page.name in TRIED:
            self._parts = body.add(Column(gap=4.0))
            self._left = self._parts.add(Column(gap=2.0), PICTURE_SHARE)
            self.picture = self._left.add(_make_picture(page.name, page.title))
            text = self._parts.add(Column(gap=2.0), TEXT_SHARE)
        for paragraph in page.paragraphs:
            self._add_linked(text, link_concepts(paragraph, page.name))
        if page.code:
            code = text.add(_text_label(f"<pre>{html.escape(page.code)}</pre>"))
            code.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.formula = (
            text.add(FormulaView(page.formula, fits_content=True)) if page.formula else None
        )
        if page.links:
            text.add(
                _text_label(
                    "See" if page.name.startswith("derivation:") else "Derivations", "heading"
                )
            )
            self._add_linked(text, links_html(page.links))
        if page.symbols:
            self._symbols = self._add_linked(body, _symbols_html(page.symbols))
        self._add_lists(body, page)
        if text is not body:
            text.box.addStretch(1)
        body.box.addStretch(1)
        self._arrange()
        self.box.addWidget(body)
        body.show()

    def _add_lists(self, body: Column, page: HelpTopic) -> None:
        if page.facts:
            body.add(_text_label("What it guarantees", "heading"))
            for fact in page.facts:
                self._add_linked(body, _bulleted(link_concepts(fact, page.name)))
        if page.entries:
            body.add(_text_label("Settings", "heading"))
            for entry in page.entries:
                self._add_linked(body, _entry_html(entry, page.name))
        if page.slips:
            card = body.add(FoldingCard("If you have the lecture notes"))
            for slip in page.slips:
                card.add(_text_label(_bulleted(html.escape(slip)), "muted"))
            card.fold(True)

    def _arrange(self) -> None:
        """Put the text beside the picture; if the page is too narrow, put it below the picture."""
        if self._body is None or self._parts is None or self._left is None:
            return
        is_wide = self.width() >= look_of(self).metrics.px(MIN_WIDTH_BESIDE)
        self._parts.lay_across(is_wide)
        if self._symbols is not None:
            column = self._left if is_wide else self._body
            if self._symbols.parentWidget() is not column:
                # Index 1 is below the picture; the last item of the page is a stretch.
                column.box.insertWidget(1 if is_wide else column.box.count() - 1, self._symbols)
                self._symbols.show()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _add_linked(self, column: Column, text: str) -> RichLabel:
        label = column.add(_text_label(text))
        label.linkActivated.connect(self.page_requested)
        return label


def _make_picture(name: str, title: str) -> ConceptPicture | TriedPicture:
    tried = TRIED.get(name)
    return ConceptPicture(name, title) if tried is None else tried(title)


def _symbols_html(symbols: tuple[tuple[str, str], ...]) -> str:
    """Return HTML of a table of symbols and their meanings."""
    rows = "".join(
        f"<tr><td style='padding-right: 12px; white-space: nowrap'>{html.escape(symbol)}</td>"
        f"<td>{html.escape(meaning)}</td></tr>"
        for symbol, meaning in symbols
    )
    return f"<table cellspacing=0>{rows}</table>"


def _bulleted(text: str) -> str:
    """Return HTML of a bullet and a text; all lines of the text begin right of the bullet."""
    return f"<table cellspacing=0><tr><td>•&nbsp;&nbsp;</td><td>{text}</td></tr></table>"


def _entry_html(entry: SettingEntry, page: str) -> str:
    note = f" <small>({html.escape(entry.note)})</small>" if entry.note else ""
    title = strong_html(rich(entry.title))
    return f"{title}{note}<br>{link_concepts(entry.text, page)}"


def _text_label(text: str, role: str = "") -> RichLabel:
    label = RichLabel(text, role=role, wraps=True)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextBrowserInteraction)
    return label
