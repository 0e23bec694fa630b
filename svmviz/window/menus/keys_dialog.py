"""The dialog that lists all keys, made from the actions and the tools."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QSize
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QVBoxLayout, QWidget

from svmviz.base.notation import of_keys
from svmviz.plane.keys.line_keys import LINE_KEYS
from svmviz.plane.keys.point_keys import POINT_KEYS
from svmviz.theme import look_of
from svmviz.widgets.plain_text import RichPage
from svmviz.window.menus.entries import key_name, keys_of, plain_text
from svmviz.window.presentation.screen import KEYS

Groups = Mapping[str, Mapping[str, QAction]]
# Maximum width and height of the dialog, as fractions of the screen.
MAX_SHARE = 0.9


class KeysDialog(QDialog):
    """A table of all keys.

    Parameters
    ----------
    actions : dict of dict of QAction
        The actions, by menu and name.
    parent : QWidget
    presents : bool
        Whether the keys of a presentation come first.
    """

    def __init__(self, actions: Groups, parent: QWidget, presents: bool = False) -> None:
        super().__init__(parent)
        self.setWindowTitle("Keys")
        page = RichPage(keys_as_html(actions, presents))
        page.setAccessibleName("Keys and what they do")
        page.document().setDocumentMargin(look_of(self).metrics.space(4))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.addWidget(page)
        layout.addWidget(buttons)
        px = look_of(self).metrics.px
        room = parent.screen().availableSize() * MAX_SHARE
        self.resize(QSize(px(560), px(640)).boundedTo(room))


def keys_as_html(actions: Groups, presents: bool = False) -> str:
    """Return a table of keys by menu, with those of a presentation first if ``presents``."""
    rows: list[str] = []
    presented = [(" or ".join(map(_native, entry.keys)), entry.words) for entry in KEYS]
    presented.append(("P, then a letter", "Another panel; the same letter again hides it"))
    groups: dict[str, list[tuple[str, str]]] = {
        **({"Presentation": presented} if presents else {}),
        "Mouse": [
            ("Left, right click", "Place a point of the tool's class, or of the other class"),
            ("Drag a point", "Move it; off the plane: remove it"),
            ("Drag from nothing", "Select points"),
            ("Wheel, middle drag", "Zoom, pan"),
        ],
        "Touch": [
            ("Tap", "Place a point of the tool's class, or choose a point"),
            ("Rest a finger", "Place a point of the other class"),
            ("Drag", "As with the mouse"),
            ("Two fingers", "Pan and zoom"),
        ],
        "Points without a mouse": list(POINT_KEYS),
        "Your line without a mouse": list(LINE_KEYS),
    }
    for name, group in actions.items():
        entries = [(keys_of(action), plain_text(action.text())) for action in group.values()]
        groups[name] = [(keys, text.rstrip("…")) for keys, text in entries if keys]
    groups["Presentation"] = presented
    for name, entries in groups.items():
        if not entries:
            continue
        rows.append(f"<tr><td colspan=2 style='padding-top:12px'><h3>{name}</h3></td></tr>")
        rows += [
            f"<tr><td style='padding-right:24px'><b>{of_keys(k)}</b></td><td>{t}</td></tr>"
            for k, t in entries
        ]
    return f"<table>{''.join(rows)}</table>"


def _native(key: str) -> str:
    return key_name(QKeySequence(key))
