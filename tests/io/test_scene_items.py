"""Words and kernel matrices in scene files: an equal scene comes back, and mistakes are named."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers import BadInput, EditDistance, Spectrum
from solvers.data.datasets import PointSet
from solvers.data.items import matrix_items, words_of
from svmviz.document.document import Document
from svmviz.io.open_and_save import open_file, save
from svmviz.io.scene import Scene, read_scene, write_scene
from svmviz.io.scene_line import read_scene_line, write_scene_line


def document_of(names, kernel=None) -> Document:
    labels = np.where(np.arange(len(names)) % 2, 1, -1)
    data = PointSet(np.zeros((len(names), 2)), labels, items=words_of(names))
    return Document(data=data) if kernel is None else Document(data=data, kernel=kernel)


def matrix_document(n=5, seed=0) -> Document:
    A = np.random.default_rng(seed).normal(size=(n, n))
    labels = np.where(np.arange(n) % 2, 1, -1)
    return Document(data=PointSet(np.zeros((n, 2)), labels, items=matrix_items(A @ A.T)))


@settings(max_examples=40)
@given(
    st.lists(st.text(min_size=1, max_size=6).filter(lambda word: "\0" not in word), max_size=7),
    st.sampled_from([Spectrum(p=1), Spectrum(p=3), EditDistance(gamma=0.3)]),
)
def test_words_come_back(words, kernel):
    scene = Scene(document_of(words, kernel), step=3)
    text = write_scene(scene)
    assert json.loads(text)["svmviz"] == 5
    assert read_scene(text) == scene
    assert read_scene_line(write_scene_line(scene)) == scene


@pytest.mark.parametrize("n", [0, 1, 2, 9])
def test_matrices_come_back_to_the_last_bit(n):
    scene = Scene(matrix_document(n))
    assert read_scene(write_scene(scene)) == scene


def test_files_of_any_ending(tmp_path):
    for document in (document_of(["ab", "ba", "abc"]), matrix_document()):
        for ending in ("svmviz", "csv", "txt"):
            path = tmp_path / f"a.{ending}"
            save(path, Scene(document))
            content = open_file(path, tasks=("regression", "classification"))
            data = content.document.data if isinstance(content, Scene) else content
            assert data.items == document.data.items
            assert Document(data=data).data == document.data
        with pytest.raises(BadInput, match="LIBSVM"):
            save(tmp_path / "a.libsvm", Scene(document))


def members(**changes) -> str:
    base = {"svmviz": 5, "words": ["ab", "ba"], "labels": [1, -1]}
    base.update(changes)
    return json.dumps({key: value for key, value in base.items() if value != "absent"})


@pytest.mark.parametrize(
    ("changes", "part"),
    [
        ({"points": [[1, 2]]}, '"words" and points cannot both'),
        ({"gram": [[1]]}, '"words" and gram cannot both'),
        ({"names": ["a", "b"]}, '"names" are those of a matrix'),
        ({"words": "absent"}, '"points" is missing'),
        ({"words": ["ab", 3]}, r'"words\[1\]" must be text'),
        ({"words": ["ab", ""]}, "word 2 is empty"),
        ({"words": ["ab", "b" * 51]}, "51 letters"),
        ({"words": ["a"] * 401, "labels": [1] * 401}, "401 items"),
        ({"labels": [1]}, "2 labels"),
        ({"kernel": {"name": "rbf"}}, '"kernel.name" cannot compare.*"spectrum"'),
        ({"kernel": {"name": "given"}}, '"kernel.name" cannot compare'),
        ({"kernel": {"name": "spectrum", "p": 0}}, '"kernel.p" must be'),
        ({"task": "regression"}, '"task" must be "classification"'),
        ({"scaling": "each"}, '"scaling" must be "none"'),
        ({"split": {"validation": [0], "test": []}}, '"split" needs points with coordinates'),
        ({"line": {"w": [1, 1], "b": 0}}, '"line" needs points with coordinates'),
        ({"words": "absent", "gram": [[1, 2], [3, 1]]}, "must be symmetric"),
        ({"words": "absent", "gram": [[1, 2], [2]]}, r'"gram\[1\]" must be a list of 2'),
        ({"words": "absent", "gram": [[1, "a"], [2, 1]]}, r'"gram\[0\]\[1\]" must be a finite'),
        ({"words": "absent", "gram": [[1, 1e200], [2, 1]]}, r'"gram\[0\]\[1\]" must be at most'),
        ({"words": "absent", "gram": 3}, '"gram" must be a list'),
        ({"words": "absent", "gram": [[1, 0], [0, 1]], "names": ["a"]}, "2 names"),
    ],
)
def test_mistakes_are_named(changes, part):
    with pytest.raises(BadInput, match=part) as error:
        read_scene(members(**changes), "s.svmviz")
    assert str(error.value).startswith("s.svmviz: ")
    assert str(error.value).count("s.svmviz") == 1


def test_points_need_a_kernel_of_points():
    with pytest.raises(BadInput, match=r'"kernel\.name" cannot compare'):
        read_scene('{"svmviz": 1, "points": [], "labels": [], "kernel": {"name": "spectrum"}}')
