"""File > Share as page: the run or the lesson as a page, and the code of its address."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from svmviz.base.qr_code import MAX_BYTES
from svmviz.lessons.shipped import LESSONS
from svmviz.window import messages
from svmviz.window.files.shared_page import SharedDialog
from tests.export.html.test_html import contents

pytestmark = pytest.mark.display


@pytest.fixture
def shared(monkeypatch, tmp_path):
    """Answers the file dialog with a name; has the paths that dialogs showed."""
    seen = []
    answer = str(tmp_path / "page"), ""
    monkeypatch.setattr(messages, "ask_save_path", lambda *_: answer)
    monkeypatch.setattr(SharedDialog, "exec", lambda dialog: seen.append(dialog.path.text()))
    return seen


def share(user, shared):
    user.until(lambda: user.window.exports.has_page)
    user.window.menus.actions["share-page"].trigger()
    user.until(lambda: shared)
    path = Path(shared[0])
    assert path.suffix == ".html"
    return contents(path.read_text(encoding="utf-8"))


def test_the_run_is_shared(user, shared):
    page = share(user, shared)
    assert page["lanes"][0]["method"] == "SMO"


def test_the_lesson_that_is_open_is_shared(user, shared):
    user.window.stage.lesson.begin(LESSONS["widest-street"])
    page = share(user, shared)
    assert len(page["cards"]) == len(LESSONS["widest-street"].cards)
    user.window.stage.lesson.end()


def test_the_address_has_a_code_if_it_is_short_enough(user, tmp_path):
    dialog = SharedDialog(tmp_path / "page.html", user.window)
    dialog.show()
    assert not dialog.code.rows
    dialog.address.setText("https://example.org/course/page.html")
    assert dialog.code.rows
    image = dialog.code.grab().toImage()
    middle = image.pixelColor(image.width() // 2, 2)
    assert middle.lightness() > 200
    # A code to be projected grows with the dialog, and Return neither closes it nor opens a page.
    before = dialog.code.width()
    dialog.resize(dialog.width() + 400, dialog.height() + 400)
    QTest.keyClick(dialog.address, Qt.Key.Key_Return)
    user.until(lambda: dialog.code.width() > before + 300)
    assert dialog.isVisible()
    assert not dialog.open_page.isDefault()
    dialog.address.setText("x" * (MAX_BYTES + 1))
    assert not dialog.code.rows
    assert "a telephone reads at most" in dialog.trouble.text()
    dialog.reject()
    dialog.deleteLater()
