"""Foreign texts are shown as they are written, even if Qt could read them as HTML."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QAction, QColor, QFontMetrics, QPalette, Qt, QTextDocumentFragment
from PySide6.QtWidgets import (
    QApplication,
    QFormLayout,
    QInputDialog,
    QLabel,
    QLineEdit,
    QMenu,
    QMessageBox,
    QPushButton,
    QToolTip,
    QWidget,
)

from svmviz.base.notation import in_letters
from svmviz.widgets import plain_text
from svmviz.widgets.plain_text import (
    MAX_LINE,
    Label,
    MessageBox,
    ProgressDialog,
    RichLabel,
    add_row,
    ask_text,
    caption,
    set_rich_tip,
    set_tip,
    show_rich_message,
    show_tip,
    tip_of,
    words_of_tip,
)

ROOT = Path(__file__).parents[2] / "svmviz"
# What shows HTML, or guesses; what is made, inherited from, or called as `QMessageBox.warning`.
GUESSING = set(
    "QLabel QMessageBox QProgressDialog QInputDialog QErrorMessage QTextEdit QTextBrowser "
    "QTextDocument QStaticText QGraphicsTextItem TextItem LabelItem QToolTip QWhatsThis".split()
)
DIALOGS = {"getOpenFileName", "getOpenFileNames", "getSaveFileName", "getExistingDirectory"}
SETTERS = {"setToolTip", "setWhatsThis", "setTextFormat", "setHtml", "insertHtml"}
HOSTILE = [
    "<b>x</b>",
    "<img src=/etc/passwd>",
    "a&lt;b",
    "<!doctype html>",
    "  <h1>two  blanks</h1>\nand a line",
    "</p><img src=x>",
]
PLAIN, RICH = Qt.TextFormat.PlainText, Qt.TextFormat.RichText


def guesses(tree: ast.AST) -> Iterator[ast.expr]:
    """Find where a file uses Qt classes or setters that may take text for HTML."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            yield from (base for base in node.bases if _name(base) in GUESSING)
        if not isinstance(node, ast.Call):
            continue
        called, first = node.func, node.args[0] if node.args else None
        if _name(called) in GUESSING | SETTERS | DIALOGS:
            yield called
        elif isinstance(called, ast.Attribute) and _name(called.value) in GUESSING:
            # An enumeration, such as QMessageBox.StandardButton, is none of this.
            if called.attr[0].islower():
                yield called
        elif _name(called) == "addRow" and isinstance(first, ast.Constant):
            # A form makes a label of its own from it.
            yield called


def _name(node: ast.expr) -> str:
    """The last part of a dotted name."""
    return getattr(node, "attr", getattr(node, "id", ""))


def test_no_other_file_lets_qt_guess():
    found = [
        f"{path.relative_to(ROOT)}:{place.lineno}: {ast.unparse(place)}"
        for path in sorted(ROOT.rglob("*.py"))
        if path != Path(plain_text.__file__)
        for place in guesses(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert not found, "\n".join(["widgets/plain_text.py has what these need:", *found])


@pytest.mark.parametrize(
    "line",
    [
        "box = QtWidgets.QMessageBox(parent)",
        "QMessageBox.warning(parent, title, text)",
        "class Mine(QLabel): ...",
        "self.setToolTip(text)",
        "form.addRow('Name', field)",
        "QInputDialog.getText(parent, title, text)",
        "QToolTip.showText(place, text)",
    ],
)
def test_what_guesses_is_found(line):
    assert list(guesses(ast.parse(line)))


def test_what_does_not_guess_is_left_alone():
    line = (
        "button = QMessageBox.StandardButton(box.exec()); add(Label(text)); form.addRow(one, two)"
    )
    assert not list(guesses(ast.parse(line)))


def seen_in_tip(text: str) -> str:
    """What a tooltip of this text shows."""
    rich = Qt.mightBeRichText(text)
    return QTextDocumentFragment.fromHtml(text).toPlainText() if rich else text


def assert_plain(box: QWidget) -> None:
    """Check that no label in a widget takes its text for HTML."""
    labels = [label for label in box.findChildren(QLabel) if label.text()]
    assert labels
    assert {label.textFormat() for label in labels} == {PLAIN}


@pytest.mark.parametrize("text", HOSTILE)
def test_a_label_is_plain_unless_it_is_made_rich(qtbot, text):
    label, rich = Label(text), RichLabel(text)
    qtbot.addWidget(label)
    qtbot.addWidget(rich)
    assert (label.text(), label.textFormat()) == (text, PLAIN)
    assert (rich.text(), rich.textFormat()) == (text, RICH)


def test_a_plain_label_paints_what_is_written(qtbot):
    # As wide as its letters, tags included: a label of HTML would show one letter.
    label, short = Label("<b>x</b>"), Label("x")
    for one in (label, short):
        qtbot.addWidget(one)
    assert label.sizeHint().width() > 4 * short.sizeHint().width()


@pytest.mark.parametrize("text", HOSTILE)
def test_a_message_shows_both_its_texts_as_they_are_written(qtbot, text):
    box = MessageBox(QMessageBox.Icon.Warning, "Title", text)
    qtbot.addWidget(box)
    box.setInformativeText(text)
    assert (box.text(), box.informativeText()) == (text, text)
    assert_plain(box)
    # Also once it says something else, or nothing for a while.
    box.setInformativeText("")
    box.setInformativeText(text)
    assert_plain(box)


def test_a_message_without_buttons_can_be_closed(qtbot):
    box = MessageBox(QMessageBox.Icon.Warning, "Title", "Text")
    qtbot.addWidget(box)
    box.show()
    assert box.button(QMessageBox.StandardButton.Ok)
    assert box.close()


def test_a_rich_message_is_rich(qtbot, monkeypatch):
    shown = []
    monkeypatch.setattr(plain_text.MessageBox, "exec", lambda box: shown.append(box))
    parent = QWidget()
    qtbot.addWidget(parent)
    show_rich_message(parent, "About", "<h3>svmviz</h3>")
    assert (shown[0].text(), shown[0].textFormat()) == ("<h3>svmviz</h3>", RICH)


def test_progress_shows_its_text_as_it_is_written(qtbot):
    dialog = ProgressDialog("Opening <b>x</b>.csv …")
    qtbot.addWidget(dialog)
    assert dialog.labelText() == "Opening <b>x</b>.csv …\n"
    assert (dialog.minimum(), dialog.maximum()) == (0, 0)
    button = dialog.findChild(QPushButton)
    assert button.text() == "Cancel"
    assert_plain(dialog)
    # The button stays where it is when the time left is shown.
    dialog.show()
    place = button.geometry()
    dialog.show_time_left("1,000 min 59 s left")
    QApplication.processEvents()
    assert dialog.labelText() == "Opening <b>x</b>.csv …\n1,000 min 59 s left"
    assert button.geometry() == place


@pytest.mark.parametrize("accepted", [True, False])
def test_a_question_for_a_text_is_plain(qtbot, monkeypatch, accepted):
    def answer(dialog):
        assert dialog.labelText() == "“<b>x</b>” is none:"
        assert_plain(dialog)
        dialog.setTextValue(f"{dialog.textValue()}!")
        return accepted

    monkeypatch.setattr(QInputDialog, "exec", answer)
    parent = QWidget()
    qtbot.addWidget(parent)
    given = ask_text(parent, "Go to", "“<b>x</b>” is none:", "12")
    assert given == ("12!" if accepted else None)


@pytest.mark.parametrize("text", [*HOSTILE, "plain", "1 < 2", "a & b", ""])
def test_a_tip_shows_what_is_written(qtbot, text):
    widget, action = QWidget(), QAction()
    qtbot.addWidget(widget)
    for target in (widget, action):
        set_tip(target, text)
        assert seen_in_tip(target.toolTip()).split() == in_letters(text).split()
        set_rich_tip(target, "<b>Add</b>")
        assert target.toolTip() == "<b>Add</b>"
    if not Qt.mightBeRichText(in_letters(text)):
        assert tip_of(text).replace("\N{NO-BREAK SPACE}", " ") == in_letters(text).replace(
            "\N{NO-BREAK SPACE}", " "
        )


def test_a_long_tip_is_wrapped_and_has_the_letters_of_formulas(qtbot):
    widget = QWidget()
    qtbot.addWidget(widget)
    text = "The weight α of a point is at most C, " * 5 + "\nand <i>this</i> is the second line."
    for words in (text, text.replace("<i>", "").replace("</i>", "")):
        set_tip(widget, words)
        shown = seen_in_tip(widget.toolTip())
        assert max(map(len, shown.split("\n"))) <= MAX_LINE
        assert shown.split() == in_letters(words).split()
        assert shown.count("\n") > 2
        # What is read aloud or searched has the letters as they are written.
        assert words_of_tip(widget) == widget.accessibleDescription() == words


def test_a_long_tip_is_not_broken_inside_a_formula():
    for start in range(70):
        lines = tip_of("a" * start + " where ξ = max(0, 1 − y f(x)) is the slack").split("\n")
        formula = in_letters("ξ = max(0, 1 − y f(x))").replace(" ", "\N{NO-BREAK SPACE}")
        assert any(formula in line for line in lines)


def test_a_tip_that_is_shown_at_once_is_plain(qtbot):
    widget = QWidget()
    qtbot.addWidget(widget)
    with qtbot.waitExposed(widget):
        widget.show()
    show_tip(widget.mapToGlobal(QPoint(5, 5)), "<b>x</b>", widget)
    assert seen_in_tip(QToolTip.text()) == in_letters("<b>x</b>")
    QToolTip.hideText()


def test_a_row_of_a_form_has_a_plain_name_with_its_field(qtbot):
    widget, field = QWidget(), QLineEdit()
    qtbot.addWidget(widget)
    form = QFormLayout(widget)
    add_row(form, "<b>x</b>", field)
    label = form.labelForField(field)
    assert isinstance(label, Label)
    assert label.text() == "<b>x</b>"
    assert label.buddy() is field


def test_an_entry_of_a_menu_shows_what_is_written(qtbot):
    menu = QMenu()
    qtbot.addWidget(menu)
    action = menu.addAction(caption("salt & pepper\t<b>.csv"))
    # Without marks, Qt underlines nothing.
    assert action.iconText() == "salt & pepper <b>.csv"
    assert action.text() == "salt && pepper <b>.csv"


def test_a_long_tip_at_a_place_has_lines(qtbot):
    widget = QWidget()
    qtbot.addWidget(widget)
    widget.show()
    words = "Points with a long description " * 5
    show_tip(widget.mapToGlobal(QPoint(5, 5)), words, widget)
    assert seen_in_tip(QToolTip.text()).split() == words.split()
    tips = [w for w in QApplication.topLevelWidgets() if w.inherits("QTipLabel")]
    lines = QFontMetrics(QToolTip.font()).horizontalAdvance(words)
    assert any(tip.isVisible() and tip.width() < 0.6 * lines for tip in tips)
    QToolTip.hideText()


def test_links_take_the_colour_of_another_theme(qtbot, qapp):
    label = RichLabel("<a href='x'>MMMM</a>")
    qtbot.addWidget(label)
    old = qapp.palette()
    try:
        for colour in ("#ff0000", "#00ff00"):
            palette = QPalette(old)
            palette.setColor(QPalette.ColorRole.Link, QColor(colour))
            qapp.setPalette(palette)
            qapp.processEvents()
            image = label.grab().toImage()
            pixels = {
                image.pixelColor(x, y).name()
                for x in range(image.width())
                for y in range(image.height())
            }
            assert colour in pixels
    finally:
        qapp.setPalette(old)
