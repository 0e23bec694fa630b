"""Foreign texts as files may contain them, and a search for widgets that show them as HTML."""

from __future__ import annotations

from itertools import count, takewhile

from PySide6.QtCore import QAbstractItemModel, QModelIndex
from PySide6.QtGui import QAction, Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QGraphicsTextItem,
    QGraphicsView,
    QLabel,
    QTextEdit,
    QWidget,
)

BOLD = "<b>x</b>"
PICTURE = "<img src=/etc/passwd>"
ENTITY = "a&lt;b"
WORDS = (BOLD, PICTURE, ENTITY)
# Rows of a table that are looked at; all are alike.
ROWS = 3


def is_foreign(text: str) -> bool:
    """Whether a text contains one of the foreign words, unchanged."""
    return any(word in text for word in WORDS)


class Walk:
    """Visits a widget and all widgets in it.

    Attributes
    ----------
    faults : list of str
        What Qt would take for HTML although it was not asked to.
    seen : list of str
        All texts that hold foreign words, also in tips: without them a walk proves nothing.
    longest : str
        The longest of all texts.
    """

    def __init__(self, root: QWidget) -> None:
        self.faults: list[str] = []
        self.seen: list[str] = []
        self.longest = ""
        for widget in (root, *root.findChildren(QWidget)):
            self._visit(widget)

    def _visit(self, widget: QWidget) -> None:
        name = f"{type(widget).__name__} in {type(widget.parent()).__name__}"
        self._look_at_tips(name, widget)
        for action in widget.actions():
            self._note(action.text())
            self._look_at_tips(f"action {action.text()!r} of {name}", action)
        if isinstance(widget, QLabel):
            self._look_at_label(name, widget)
        elif isinstance(widget, QTextEdit):
            self._look_at_page(name, widget)
        elif isinstance(widget, QGraphicsView):
            items = widget.scene().items() if widget.scene() else []
            for item in items:
                if isinstance(item, QGraphicsTextItem):
                    self._note(item.toPlainText())
                    # pyqtgraph makes HTML of its labels: tags of a foreign word would take effect.
                    if "<img" in item.toHtml() or "font-weight:7" in item.toHtml():
                        self.faults.append(f"{name}: {item.toHtml()}")
        elif isinstance(widget, QAbstractItemView | QComboBox):
            self._look_at_items(name, widget.model())

    def _look_at_label(self, name: str, label: QLabel) -> None:
        text, formats = label.text(), Qt.TextFormat
        self._note(text)
        if text and label.textFormat() == formats.AutoText:
            self.faults.append(f"{name}: Qt guesses what {text!r} is")
        elif label.textFormat() != formats.PlainText and is_foreign(text):
            self.faults.append(f"{name}: rich text {text!r}")

    def _look_at_page(self, name: str, page: QTextEdit) -> None:
        self._note(page.toPlainText())
        if page.acceptRichText() or not page.isReadOnly():
            self.faults.append(f"{name}: shows HTML that is pasted into it")
        if "<img" in page.toHtml():
            self.faults.append(f"{name}: shows an image")

    def _look_at_tips(self, name: str, target: QWidget | QAction) -> None:
        for text in (target.toolTip(), target.whatsThis()):
            self._look_at_tip(name, text)

    def _look_at_tip(self, name: str, text: str) -> None:
        self._note(text)
        if Qt.mightBeRichText(text) and is_foreign(text):
            self.faults.append(f"{name}: a tip of HTML {text!r}")

    def _look_at_items(self, name: str, model: QAbstractItemModel | None) -> None:
        if model is None:
            return
        roles = Qt.ItemDataRole
        # Not by counting: Python may not ask a list for its columns.
        top = QModelIndex()
        for column in takewhile(lambda place: model.hasIndex(0, place, top), count()):
            for side in (Qt.Orientation.Horizontal, Qt.Orientation.Vertical):
                self._note(str(model.headerData(column, side) or ""))
                tip = model.headerData(column, side, roles.ToolTipRole)
                self._look_at_tip(f"header {column} of {name}", str(tip or ""))
            for row in range(min(model.rowCount(top), ROWS)):
                index = model.index(row, column)
                self._note(str(index.data(roles.DisplayRole) or ""))
                for role in (roles.ToolTipRole, roles.WhatsThisRole):
                    tip = str(index.data(role) or "")
                    self._look_at_tip(f"cell {row}, {column} of {name}", tip)

    def _note(self, text: str) -> None:
        self.longest = max(self.longest, text, key=len)
        if is_foreign(text) or "&lt;" in text:
            self.seen.append(text)
