"""What is said of a session that a crash has ended."""

import time
from pathlib import Path

import pytest

from solvers.datasets import DATASETS
from svmviz.autosave import Autosave, Leftover
from svmviz.document import Document
from svmviz.scene import Scene
from svmviz.window.rescue import told, when
from tests.stages import sine

DAY = 86_400.0
NOON = time.mktime((2026, 3, 2, 12, 0, 0, 0, 0, -1))


@pytest.mark.parametrize(
    ("ago", "words"),
    [
        (60.0, "today at 11:59"),
        (DAY, "yesterday at 12:00"),
        (3 * DAY, "on 27 February at 12:00"),
    ],
)
def test_times_are_told_as_one_would(ago, words):
    assert when(NOON - ago, NOON) == words


def leftover(origin=None, title=""):
    return Leftover(Path("left.svmviz"), time.time(), origin, title)


def test_it_is_told_what_was_autosaved():
    scene = Scene(Document(DATASETS["moons"].generate(100, 0.1, 0)))
    words = told(leftover(title="Two moons"), scene)
    assert "today at" in words
    assert (
        "“Two moons” with 100 points (50 +1, 50 −1), RBF (Gaussian) kernel, solved by SMO." in words
    )
    assert "lecture.svmviz" in told(leftover(Path("/home/lecture.svmviz"), "Other"), scene)
    assert "is 100 points" in told(leftover(title="Untitled"), scene)
    assert "is no points" in told(leftover(), Scene(Document()))
    assert "points of a regression" in told(leftover(), Scene(sine(30)))


def test_a_session_leaves_its_title(tmp_path):
    session = Autosave(tmp_path)
    assert session.write(Scene(Document()), None, "Two moons")
    assert session.write(Scene(Document()), None, "Circles")
    assert '"title": "Circles"' in next(tmp_path.glob("*.lock")).read_text()
    session.close()
