"""Texts of labels, messages and tooltips, shown as plain text.

Only classes and functions with "rich" or "html" in their names show HTML. By default Qt shows any
text that looks like HTML as HTML, and HTML may open files (``<img src=...>``). Names of classes,
columns and files may come from anyone, so the widgets and functions of this module always set the
format. A test fails if another file uses Qt's own classes and setters.
"""

from __future__ import annotations

import html
import textwrap
from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QPoint
from PySide6.QtGui import QAction, QStaticText, Qt
from PySide6.QtWidgets import (
    QDialog,
    QFormLayout,
    QGraphicsItem,
    QInputDialog,
    QLabel,
    QLineEdit,
    QMessageBox,
    QProgressDialog,
    QPushButton,
    QSizePolicy,
    QTextBrowser,
    QTextEdit,
    QToolTip,
    QWidget,
)

from solvers import BadInput
from svmviz.base.notation import html_in_letters, unbroken
from svmviz.theme import STRONG, active

# The name that Qt gives to the label of the lower text of a message box.
LOWER_TEXT = "qt_msgbox_informativelabel"
# Maximum length of a line in a tooltip of plain text, characters.
MAX_LINE = 60
# The property with the text of a tooltip as it was written.
_WRITTEN_TIP = "writtenTip"


class Label(QLabel):
    """Label that shows its text as it is written, with formulas as typeset ones.

    Parameters
    ----------
    text : str
    parent : QWidget, optional
    role : str
        Its style in the style sheet; empty for that of all labels.
    wraps : bool
        Whether its lines wrap.
    """

    def __init__(
        self, text: str = "", parent: QWidget | None = None, *, role: str = "", wraps: bool = False
    ) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setText(text)
        self.setProperty("role", role)
        self.setWordWrap(wraps)

    def setText(self, text: str) -> None:
        self._text, self._shown = text, active().letters(text)
        super().setText(self._shown)
        # Screen readers read the text as it is written.
        self.setAccessibleName(text if self._shown != text else "")

    def text(self) -> str:
        """Return the text as it is written."""
        shown = super().text()
        # Qt itself sets the text of a label in a dialog of its own.
        return self._text if shown == self._shown else shown

    def say(self, sentence: str) -> None:
        """Show a sentence; an empty one hides the label."""
        self.setText(sentence)
        self.setVisible(bool(sentence))


class ChartTitle(Label):
    """Label above a chart that says what the chart answers; it never widens its panel.

    Parameters
    ----------
    text : str
    """

    def __init__(self, text: str = "") -> None:
        super().__init__(text, role="section")
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)


class MutedLabel(Label):
    """Label in the muted colour, whose lines wrap.

    Parameters
    ----------
    text : str
    parent : QWidget, optional
    """

    def __init__(self, text: str = "") -> None:
        super().__init__(text, role="muted", wraps=True)


class RichLabel(QLabel):
    """Label that shows HTML. The caller must escape texts from users and files.

    Parameters
    ----------
    text : str
        HTML.
    role : str
        Its style in the style sheet; empty for that of all labels.
    wraps : bool
        Whether its lines wrap.
    """

    def __init__(self, text: str = "", *, role: str = "", wraps: bool = False) -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setText(text)
        self.setProperty("role", role)
        self.setWordWrap(wraps)

    def setText(self, text: str) -> None:
        self._text = text
        super().setText(text if active().printing else html_in_letters(text))

    def text(self) -> str:
        """Return the HTML as it is written."""
        return self._text

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            # Links get their colour when HTML is read, and Qt reads the same HTML only once.
            super().setText("")
            self.setText(self._text)


class RichPage(QTextBrowser):
    """A page of HTML, which scrolls. The caller must escape texts from users and files.

    A long text is laid out once, in a few milliseconds. A `RichLabel` in a scroll area would lay it
    out for each width that its layout tries.

    Parameters
    ----------
    text : str
        HTML.
    parent : QWidget, optional
    """

    def __init__(self, text: str) -> None:
        super().__init__()
        self.setOpenLinks(False)
        self.setAcceptRichText(False)
        # The font has no heavier weight, which would be smeared.
        self.document().setDefaultStyleSheet(f"b, h3 {{ font-weight: {STRONG} }}")
        self.setHtml(html_in_letters(text))


class ErrorLabel(Label):
    """Label that says why the input is invalid; hidden while it is valid.

    Parameters
    ----------
    parent : QWidget, optional
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("", parent, role="error", wraps=True)
        self.hide()

    def attempt(self, act: Callable[[], object]) -> bool:
        """Call a function, show the sentence of a BadInput, and return whether none was raised."""
        sentence = ""
        try:
            act()
        except BadInput as error:
            sentence = str(error)
        self.say(sentence)
        return not sentence


class MessageBox(QMessageBox):
    """Message box whose upper and lower text are shown as they are written.

    Parameters
    ----------
    icon : QMessageBox.Icon
    title, text : str
        Title of the window, and the upper text.
    parent : QWidget, optional
    buttons : QMessageBox.StandardButton
    """

    def __init__(
        self,
        icon: QMessageBox.Icon,
        title: str,
        text: str,
        parent: QWidget | None = None,
        buttons: QMessageBox.StandardButton = QMessageBox.StandardButton.NoButton,
    ) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setIcon(icon)
        self.setWindowTitle(title)
        self.setText(text)
        picture = self.findChild(QLabel, "qt_msgboxex_icon_label")
        if picture is not None:
            picture.setAccessibleName(icon.name)
        # If no buttons are ever set, Qt adds an OK button. If they were set to NoButton, it would
        # add none.
        if buttons != QMessageBox.StandardButton.NoButton:
            self.setStandardButtons(buttons)

    def setInformativeText(self, text: str) -> None:
        """Show a lower text, below the upper one."""
        # The text format of the box does not apply to the label of the lower text. That label
        # exists only while it has a text, so it gets a space, then the format, then the text.
        super().setInformativeText(" ")
        label = self.findChild(QLabel, LOWER_TEXT)
        assert isinstance(label, QLabel)
        label.setTextFormat(Qt.TextFormat.PlainText)
        super().setInformativeText(text)

    def setDetailedText(self, text: str) -> None:
        """Show a long text when the user asks for the details."""
        super().setDetailedText(text)
        for details in self.findChildren(QTextEdit):
            details.setAcceptRichText(False)


def make_plain(box: QMessageBox) -> None:
    """Let a message box that Qt has made show its text as plain text."""
    box.setTextFormat(Qt.TextFormat.PlainText)


# A text at least as wide as any remaining time.
LONGEST_TIME_LEFT = "00,000 min 00 s left"


class ProgressDialog(QProgressDialog):
    """Dialog with a text, a bar that only shows activity, and a button that cancels.

    The dialog keeps its size when the time left is shown, so that the button does not move away
    from the mouse.

    Parameters
    ----------
    text : str
    parent : QWidget, optional
    """

    def __init__(self, text: str, parent: QWidget | None = None) -> None:
        super().__init__("", "", 0, 0, parent)
        self._text = text
        # Return must not cancel what somebody waits for; Space and Esc do.
        cancel = QPushButton("Cancel")
        cancel.setAutoDefault(False)
        self.setCancelButton(cancel)
        label = Label("")
        label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setLabel(label)
        self.show_time_left(LONGEST_TIME_LEFT)
        self.setMinimumSize(self.sizeHint())
        self.show_time_left("")

    def show_time_left(self, time_left: str) -> None:
        """Show the remaining time, or an empty line of the same height, below the text."""
        self.setLabelText(f"{self._text}\n{time_left}")


def show_rich_message(parent: QWidget, title: str, text: str) -> None:
    """Show HTML in a message box. The caller must escape texts from users and files."""
    box = MessageBox(QMessageBox.Icon.NoIcon, title, "", parent, QMessageBox.StandardButton.Ok)
    box.setTextFormat(Qt.TextFormat.RichText)
    box.setText(text)
    box.exec()


def ask_text(parent: QWidget, title: str, question: str, text: str) -> str | None:
    """Ask for a line of text, which is ``text`` at first; None if the user cancels."""
    dialog = QInputDialog(parent)
    dialog.setInputMode(QInputDialog.InputMode.TextInput)
    dialog.setTextEchoMode(QLineEdit.EchoMode.Normal)
    dialog.setWindowTitle(title)
    dialog.setLabelText("")
    for label in dialog.findChildren(QLabel):
        label.setTextFormat(Qt.TextFormat.PlainText)
    dialog.setLabelText(question)
    dialog.setTextValue(text)
    accepted = dialog.exec() == QDialog.DialogCode.Accepted
    return dialog.textValue() if accepted else None


def strong_html(text: str) -> str:
    """Return HTML in the strong weight of the font; that of ``<b>`` is heavier."""
    return f"<span style='font-weight: {STRONG}'>{text}</span>"


def static_html(text: str) -> QStaticText:
    """Return HTML for ``QPainter``. The caller must escape texts from users and files."""
    static_text = QStaticText(html_in_letters(text))
    static_text.setTextFormat(Qt.TextFormat.RichText)
    return static_text


def add_row(form: QFormLayout, name: str, field: QWidget) -> None:
    """Add a named field to a form."""
    label = Label(name)
    label.setBuddy(field)
    form.addRow(label, field)


def tip_of(text: str) -> str:
    """Return the tooltip that shows ``text`` as it is written.

    A tooltip has no property for its format. So a text that Qt would take for HTML is escaped, and
    becomes HTML that shows the text. Its lines are wrapped, since Qt wraps only tooltips of HTML,
    and its formulas have the letters of typeset ones.
    """
    lines = (_wrapped(line) for line in text.split("\n"))
    text = active().letters("\n".join(lines))
    if not Qt.mightBeRichText(text):
        return text
    return f"<p style='white-space: pre-wrap'>{html.escape(text)}</p>"


def _wrapped(line: str) -> str:
    """Return a line broken into lines of at most `MAX_LINE` characters, but not inside formulas."""
    return textwrap.fill(
        unbroken(line),
        MAX_LINE,
        break_long_words=False,
        expand_tabs=False,
        replace_whitespace=False,
    )


def words_of_tip(target: QWidget | QAction) -> str:
    """Return the text of the tooltip that `set_tip` has set last, as it was written."""
    return target.property(_WRITTEN_TIP) or ""


def set_tip(target: QWidget | QAction | QGraphicsItem, text: str) -> None:
    """Give a widget, an action or an item of a scene a tooltip of plain text."""
    target.setToolTip(tip_of(text))
    if isinstance(target, QObject):
        target.setProperty(_WRITTEN_TIP, text)
    if isinstance(target, QWidget):
        # Screen readers read the text as it is written; without a description, the tooltip.
        target.setAccessibleDescription(text)


def set_rich_tip(target: QWidget | QAction, text: str) -> None:
    """Give a widget or an action a tooltip of HTML.

    The caller must escape texts from users and files.
    """
    target.setToolTip(html_in_letters(text))


def show_tip(position: QPoint, text: str, widget: QWidget) -> None:
    """Show a tooltip at once, as plain text, at a position on the screen."""
    QToolTip.showText(position, tip_of(text), widget)


def caption(text: str) -> str:
    """Return the text of a menu entry or a button that shows ``text`` as it is written.

    In an unchanged text, an ampersand would underline the next letter, and a menu would show the
    part after a tab as a shortcut.
    """
    return text.replace("&", "&&").replace("\t", " ")


def title_of(name: str) -> str:
    """Return the text by which the title of a window shows ``name`` as it is written.

    Qt replaces ``[*]`` in a title by a star or by nothing, and ``[*][*]`` by ``[*]``.
    """
    return name.replace("[*]", "[*][*]")
