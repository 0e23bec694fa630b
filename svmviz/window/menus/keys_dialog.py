"""The dialog that lists all keys, made from the actions and the tools."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QSize
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QVBoxLayout, QWidget

from svmviz.plane.point_keys import POINT_KEYS
from svmviz.theme import active
from svmviz.tools import TOOLS
from svmviz.widgets.plain_text import RichPage
from svmviz.window.menus.actions import Spec
from svmviz.window.presentation.screen import KEYS

# Maximum width and height of the dialog, as fractions of the screen.
MAX_SHARE = 0.9


class KeysDialog(QDialog):
    """A table of all keys.

    Parameters
    ----------
    specs : iterable of Spec
        The actions.
    parent : QWidget
    """

    def __init__(self, specs: Iterable[Spec], parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("Keys")
        page = RichPage(keys_as_html(specs))
        page.setAccessibleName("Keys and what they do")
        page.document().setDocumentMargin(active().metrics.space(4))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.addWidget(page)
        layout.addWidget(buttons)
        px = active().metrics.px
        room = parent.screen().availableSize() * MAX_SHARE
        self.resize(QSize(px(560), px(640)).boundedTo(room))


def keys_as_html(specs: Iterable[Spec]) -> str:
    """Return a table of keys and their actions, grouped by menu."""
    rows: list[str] = []
    groups: dict[str, list[tuple[str, str]]] = {
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
        "Tools": [(tool.key, tool.title) for tool in TOOLS.values()],
    }
    for spec in specs:
        if spec.keys:
            keys = " or ".join(_native(key) for key in spec.keys)
            text = spec.text.replace("&", "").rstrip("…")
            groups.setdefault(spec.menu.lstrip("|"), []).append((keys, text))
    groups["Presentation"] = [
        (" or ".join(map(_native, entry.keys)), entry.words) for entry in KEYS
    ]
    for name, entries in groups.items():
        rows.append(f"<tr><td colspan=2><h3>{name}</h3></td></tr>")
        rows += [
            f"<tr><td style='padding-right:24px'><b>{k}</b></td><td>{t}</td></tr>"
            for k, t in entries
        ]
    return f"<table>{''.join(rows)}</table>"


def _native(key: str) -> str:
    return QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText)
