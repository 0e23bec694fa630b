"""``svmviz lesson``: a lesson by its name or its file, checked before the window opens."""

import sys
from types import SimpleNamespace

import pytest

from svmviz.cli import lesson
from svmviz.lessons.shipped import LESSONS

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


def test_without_a_display_it_is_refused(svmviz, monkeypatch):
    monkeypatch.setattr(lesson, "has_display", lambda: False)
    done = svmviz("lesson", "who-holds")
    assert (done.code, done.err) == (1, "svmviz: A lesson needs a display for its window.\n")


def test_lessons_are_listed(svmviz):
    assert svmviz("list", "lessons").out.split() == list(LESSONS)
