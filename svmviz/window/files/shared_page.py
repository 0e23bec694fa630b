"""The dialog after a page was written: where it is, and a QR code of its address."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLineEdit, QVBoxLayout, QWidget

from svmviz.base.qr_code import qr_rows, too_long
from svmviz.theme import active
from svmviz.widgets.plain_text import Label
from svmviz.window.files.desktop import open_file, show_in_folder

# Width of the white border of a QR code, in modules; side of the code, px at scale 1.
QUIET, SIDE = 4, 320


class SharedDialog(QDialog):
    """The path of a page that was written, and a field for its address with a QR code.

    Parameters
    ----------
    path : Path
    parent : QWidget
    """

    def __init__(self, path: Path, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("Share as page")
        words = Label(
            "The page is in this file. It needs no network and nothing installed: put it on the "
            "page of your course, or mail it.",
            wraps=True,
        )
        self.path = QLineEdit(str(path))
        self.path.setReadOnly(True)
        self.path.setAccessibleName("Path of the page")
        question = Label(
            "Its address, if it is on a web server, as a QR code to be projected:", wraps=True
        )
        self.address = QLineEdit()
        self.address.setPlaceholderText("https://")
        self.address.setAccessibleName("Address of the page")
        self.code, self.trouble = QrCode(), Label(wraps=True)
        layout = QVBoxLayout(self)
        layout.setSpacing(active().metrics.space(3))
        for widget in (words, self.path, question, self.address, self.trouble):
            layout.addWidget(widget)
        layout.addWidget(self.code, 1)
        layout.addWidget(self._make_buttons(path))
        self.address.textChanged.connect(self._show_code)
        self._show_code("")
        self.address.setFocus()
        self.setMinimumWidth(active().metrics.px(460))

    def _make_buttons(self, path: Path) -> QDialogButtonBox:
        buttons, roles = QDialogButtonBox(), QDialogButtonBox.ButtonRole
        self.open_page = buttons.addButton("&Open", roles.ActionRole)
        self.show_folder = buttons.addButton("Show in &folder", roles.ActionRole)
        close = buttons.addButton(QDialogButtonBox.StandardButton.Close)
        # The Return key only finishes the address; it must not click a button.
        for button in (self.open_page, self.show_folder, close):
            button.setAutoDefault(False)
        self.open_page.clicked.connect(partial(open_file, path))
        self.show_folder.clicked.connect(partial(show_in_folder, path))
        buttons.rejected.connect(self.reject)
        return buttons

    def _show_code(self, address: str) -> None:
        address = address.strip()
        self.code.show_rows(qr_rows(address) if address else [])
        self.trouble.say("" if self.code.rows or not address else too_long(address))


class QrCode(QWidget):
    """A QR code, black on white. Without rows, its place is empty.

    Attributes
    ----------
    rows : list of str
        As `qr_rows` returns them.
    """

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[str] = []
        self.setAccessibleName("QR code of the address")
        side = active().metrics.px(SIDE)
        self.setMinimumSize(side, side)

    def sizeHint(self) -> QSize:
        return self.minimumSize()

    def show_rows(self, rows: list[str]) -> None:
        """Show another code."""
        self.rows = rows
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self.rows:
            return
        # A module has a whole number of device pixels, so that all are equal.
        ratio, count = self.devicePixelRatioF(), len(self.rows) + 2 * QUIET
        side = max(1, int(min(self.width(), self.height()) * ratio / count)) / ratio
        left, top = (0.5 * (length - count * side) for length in (self.width(), self.height()))
        left, top = round(left * ratio) / ratio, round(top * ratio) / ratio
        with QPainter(self) as painter:
            painter.fillRect(QRectF(left, top, count * side, count * side), Qt.GlobalColor.white)
            for y, row in enumerate(self.rows, start=QUIET):
                for x, module in enumerate(row, start=QUIET):
                    if module == "1":
                        place = QRectF(left + x * side, top + y * side, side, side)
                        painter.fillRect(place, Qt.GlobalColor.black)
