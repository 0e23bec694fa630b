"""``svmviz lesson``: a lesson by its name or its file, checked before the window opens."""

import os
import sys
from types import SimpleNamespace

import pytest

from svmviz.cli import lesson
from svmviz.lessons.shipped import LESSONS
from tests.export.html.test_html import contents

TEXT = "---\ntitle: Mine\n---\n# One\nWords.\n"


@pytest.fixture
def opened(monkeypatch):
    """Lessons for which a window was opened."""
    names = []
    app = SimpleNamespace(run_window=lambda lesson: names.append(lesson) or 7)
    monkeypatch.setitem(sys.modules, "svmviz.app.app", app)
    monkeypatch.setattr(lesson, "has_display", lambda: True)
    return names


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "mine.md"
    path.write_text(TEXT, encoding="utf-8")
    return path


def test_a_lesson_opens_the_window(svmviz, opened, file, monkeypatch):
    monkeypatch.chdir(file.parent)
    assert svmviz("lesson", "who-holds").code == 7
    assert svmviz("lesson", "mine.md").code == 7
    assert opened == ["who-holds", str(file)]


def test_a_lesson_is_checked(svmviz, opened, file):
    done = svmviz("lesson", str(file), "--check")
    assert (done.code, done.out) == (0, "Mine: cards: 1, questions and goals: 0.\n")
    asked = "```show\nscene eight-points\n```\n```do\nask Do it.\ngoal n == 8\n```\n"
    file.write_text(TEXT + asked, encoding="utf-8")
    done = svmviz("lesson", str(file), "--check")
    assert done.code == 1
    assert "Line 9: the goal is reached before anything is done." in done.out
    file.write_text(TEXT + "```show\npanels nothing\n```\n", encoding="utf-8")
    done = svmviz("lesson", str(file))
    assert (done.code, done.out) == (1, "")
    assert "Line 6: there is no panel 'nothing'" in done.err
    assert done.err.count("\n") == 1
    assert svmviz("lesson", "nothing").code == 1
    assert svmviz("lesson").code == 2
    assert opened == []


def test_what_a_terminal_would_execute_is_escaped(svmviz, file):
    evil = "\x1b]0;owned\x07\x9b31m"
    goal = f"```do\nask Do it.\ngoal moved > 0\ntry a{evil}b 5\n```\n"
    text = TEXT.replace("Mine", f"t{evil}") + "```show\nscene eight-points\n```\n" + goal
    file.write_text(text, encoding="utf-8")
    done = svmviz("lesson", str(file), "--check")
    assert r"t\x1b]0;owned\x07\x9b31m: cards: 1" in done.out
    assert "there is no control" in done.out
    assert all(line.isprintable() for line in (*done.out.splitlines(), *done.err.splitlines()))


@pytest.mark.skipif(sys.platform != "linux", reason="names of files are text there")
def test_a_name_need_not_be_utf_8(svmviz, file, tmp_path):
    name = os.fsdecode(b"caf\xe9")
    path = file.rename(tmp_path / f"{name}.md")
    assert svmviz("lesson", str(path), "--check").code == 0
    assert svmviz("render", str(path), "-o", str(tmp_path / f"{name}.html")).code == 0
    page = (tmp_path / f"{name}.html").read_text(encoding="utf-8")
    assert contents(page)["key"].startswith(name)
    (tmp_path / "in").mkdir()
    path.rename(tmp_path / "in" / path.name)
    assert svmviz("render", str(tmp_path / "in"), "-o", f"{tmp_path / 'out'}/").code == 0
    assert 'href="caf%E9.html"' in (tmp_path / "out" / "index.html").read_text(encoding="utf-8")
    done = svmviz("lesson", str(path), "--check")
    assert (done.code, done.err) == (1, f"svmviz: No such file: {tmp_path}/caf\\udce9.md\n")


def test_without_a_display_it_is_refused(svmviz, monkeypatch):
    monkeypatch.setattr(lesson, "has_display", lambda: False)
    done = svmviz("lesson", "who-holds")
    assert (done.code, done.err) == (1, "svmviz: A lesson needs a display for its window.\n")


def test_lessons_are_listed(svmviz):
    assert svmviz("list", "lessons").out.split() == list(LESSONS)
