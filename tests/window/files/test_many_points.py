"""A file of more points than the window shows is opened as a sample, on request."""

import numpy as np
import pytest
from PySide6.QtWidgets import QApplication

from solvers.data.datasets import PointSet
from svmviz.document.document import Document
from svmviz.document.held_out import Shares
from svmviz.document.limits import MAX_SHOWN_POINTS
from svmviz.document.splitting import split
from svmviz.io.scene import Scene, write_scene
from tests.stages import EIGHT

pytestmark = pytest.mark.display


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    path = tmp_path_factory.mktemp("large") / "many.csv"
    count = MAX_SHOWN_POINTS + 1
    columns = (np.arange(count), np.arange(count) % 7, np.where(np.arange(count) % 2, 1, -1))
    np.savetxt(path, np.column_stack(columns), "%d", ",")
    return path


@pytest.fixture
def asked(user, monkeypatch):
    """Questions and warnings; each question is answered by the value of ``yes``."""
    texts, answer = [], {"yes": True}

    def ask(title, sentence, *_answers):
        texts.append(sentence)
        return answer["yes"]

    monkeypatch.setattr(user.window.messages, "ask", ask)
    monkeypatch.setattr(user.window.messages, "warn", lambda _title, text: texts.append(text))
    return texts, answer


def test_a_sample_is_opened_and_cannot_replace_the_file(user, asked, large):
    user.window.files.open(str(large))
    user.until(lambda: user.window.stage.session.document.n == MAX_SHOWN_POINTS)
    assert asked[0] == ["many.csv has 50,001 points; the window shows at most 50,000."]
    assert user.window.files.path is None


def test_nothing_changes_without_consent(user, asked, large):
    asked[1]["yes"] = False
    user.window.files.open(str(large))
    user.until(lambda: asked[0])
    user.until(lambda: not user.window.files.tasks.is_running)
    assert user.window.stage.session.document.data == EIGHT


def test_pasting_beyond_the_number_is_refused(user, asked, large):
    QApplication.clipboard().setText(large.read_text())
    user.window.edits.paste()
    assert user.window.stage.session.document.data == EIGHT
    assert asked[0] == [
        "With the pasted ones there would be 50,009 points; the window shows at most 50,000."
    ]


def test_a_scene_with_too_many_points_is_refused_even_if_some_are_held_out(user, asked, tmp_path):
    data = PointSet(np.random.default_rng(0).normal(size=(51_000, 2)), [1, -1] * 25_500)
    document = split(Document(data), Shares(test=0.3))
    assert document.n < MAX_SHOWN_POINTS
    path = tmp_path / "split.svmviz"
    path.write_text(write_scene(Scene(document)))
    user.window.files.open(str(path))
    user.until(lambda: asked[0])
    assert asked[0] == [
        "With split.svmviz there would be 51,000 points; the window shows at most 50,000."
    ]
