"""Files of words and of kernel matrices in the window."""

from __future__ import annotations

import pytest

from tests.stages import sine
from tests.window.conftest import settle

pytestmark = pytest.mark.display

WORDS = "word,class\nsinging,verb\nringing,verb\nsinger,noun\nringer,noun\n"
MATRIX = "# kernel matrix\nann,bob,cy,label\n1,0.9,0.1,a\n0.9,1,0.9,b\n0.1,0.9,1,a\n"


@pytest.fixture
def warnings(user, monkeypatch):
    """Titles and sentences of warnings."""
    shown = []
    monkeypatch.setattr(user.window.messages, "warn", lambda *words: shown.append(words))
    return shown


@pytest.mark.parametrize(("text", "name"), [(WORDS, "ringing"), (MATRIX, "bob")])
def test_a_file_is_opened_whatever_the_task(open_window, tmp_path, text, name):
    user = open_window(sine(20))
    path = tmp_path / "items.csv"
    path.write_text(text, encoding="utf-8")
    session = user.window.stage.session
    user.window.files.open(str(path))
    user.until(lambda: not session.document.has_coordinates)
    settle(user)
    assert session.document.data.items.names[1] == name
    assert not session.document.is_regression
    assert session.trouble == ""
    assert user.window.stage.feed.frame.lane.at_end


@pytest.mark.parametrize(
    ("content", "part"),
    [
        (b"", "no points"),
        (b"word,class\n", "no points"),
        (b"word,class\nsinging,verb\nri\0nging,noun\n", "not a text file"),
        (b"word,class\n" + b"a" * 60 + b",x\nb,y\n", "60 letters"),
        (b"word,class\n" + b"abc,x\nabd,y\n" * 5000, "10,000 words"),
        (b"# kernel matrix\n1,2,a\n3,1,b\n", "must be symmetric"),
        (b"# kernel matrix\n1,nan,a\nnan,1,b\n", "missing"),
        (b"# kernel matrix\n1,2,a\n", "square"),
    ],
)
def test_odd_files_get_one_sentence_and_nothing_is_lost(user, warnings, tmp_path, content, part):
    document = user.window.stage.session.document
    path = tmp_path / "items.csv"
    path.write_bytes(content)
    user.window.files.open(str(path))
    user.until(lambda: warnings)
    title, sentence = warnings[0]
    assert title == "The file was not opened"
    assert part in sentence
    assert user.window.stage.session.document is document


def test_one_class_opens_and_says_what_is_missing(user, tmp_path):
    path = tmp_path / "items.csv"
    path.write_text("word,class\nsinging,verb\nringing,verb\n", encoding="utf-8")
    session = user.window.stage.session
    user.window.files.open(str(path))
    user.until(lambda: session.trouble != "")
    assert "at least one of each class" in session.trouble
    assert not user.window.grab().isNull()
