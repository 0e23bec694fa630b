"""A document of several classes shows one machine, and every edit keeps the points of all."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from solvers import SMO, BadInput
from solvers.data.datasets import PointSet
from solvers.problem.machines import ONE_AGAINST_REST, Machine, machines_of
from svmviz.document.document import Document
from svmviz.document.held_out import TEST, VALIDATION, Shares
from svmviz.document.splitting import joined, moved_to, rows_of_points, split
from svmviz.io.scene import Scene, read_scene, write_scene


def points(n: int = 30, k: int = 3, seed: int = 0) -> PointSet:
    rng = np.random.default_rng(seed)
    names = ("Adelie", "Chinstrap", "Gentoo", "King", "Emperor", "Little")[:k]
    return PointSet(rng.normal(size=(n, 2)), np.arange(n) % k, names, ("x", "y"))


@pytest.fixture
def document() -> Document:
    return Document(data=points())


def test_the_first_pair_is_looked_at(document):
    whole = points()
    assert document.data.class_names == ("Chinstrap", "Adelie")
    assert document.n == 20
    is_seen = whole.labels != 2
    assert (document.data.points == whole.points[is_seen]).all()
    assert (document.data.labels == np.where(whole.labels[is_seen] == 0, 1, -1)).all()
    assert (document.classes == whole.labels[is_seen]).all()
    assert document.all_points == whole
    assert (document.left_out.points == whole.points[~is_seen]).all()
    assert len(document.visible_points) == 30


def test_any_machine_is_the_binary_problem_of_its_rows(document):
    rest = document.with_many(document.many.with_machines(machines_of(ONE_AGAINST_REST, 3)))
    looked = rest.looking_at(1)
    assert looked.n == 30
    assert len(looked.left_out) == 0
    assert looked.data.class_names == ("the rest", "Chinstrap")
    assert (looked.problem().y == np.where(points().labels == 1, 1.0, -1.0)).all()
    # The machine looked at stays with another code matrix, if it is one of its rows.
    code = [Machine((1, 1, -1)), Machine((-1, 1, -1))]
    assert looked.with_many(looked.many.with_machines(code)).many.shown == 1
    assert document.with_many(document.many.with_machines(code)).many.shown == 0


def test_points_that_the_machine_leaves_out_are_edited_like_its_own(document):
    whole = points()  # Adelie against Chinstrap: every third point is left out.
    rows = document.editable_rows
    assert rows[20:].tolist() == list(range(2, 30, 3))
    assert document.editable == whole.at(rows)
    moved = document.moved([1, 20], (10.0, 0.0)).all_points
    assert np.flatnonzero(moved.points[:, 0] - whole.points[:, 0] > 9.0).tolist() == [1, 2]
    assert document.removed([22]).all_points == whole.at(np.delete(np.arange(30), 8))
    changed = document.relabelled([20], 0)
    assert (changed.n, changed.all_points.labels[2]) == (21, 0)
    assert changed.editable_rows[2] == 2


def test_edits_of_the_machine_keep_all_other_points(document):
    looked = document.looking_at(1)  # Adelie against Gentoo: every third point is left out.
    rows = looked.many.rows(0)
    moved = looked.moved([3], (10.0, 0.0))
    change = moved.all_points.points - points().points
    assert change[rows[3]].tolist() == [10.0, 0.0]
    assert np.abs(change).sum() == 10.0
    removed = looked.removed([0, 5])
    kept = np.delete(np.arange(30), rows[[0, 5]])
    assert removed.all_points == points().at(kept)
    added = looked.added([[5.0, 5.0], [6.0, 6.0]], [2, 1])
    assert added.all_points.labels[-2:].tolist() == [2, 1]
    assert (added.n, len(added.left_out)) == (looked.n + 1, 11)
    other = looked.relabelled([0], 1)
    assert other.n == looked.n - 1
    assert other.all_points.labels[rows[0]] == 1
    for edited in (moved, removed, added, other):
        assert edited.many.shown == 1


def test_a_model_is_changed_without_the_points(document):
    changed = replace(document, methods=(SMO(tol=1e-5),), bias="none")
    assert changed.many is document.many


def test_points_of_two_classes_drop_the_others(document):
    two = replace(document, data=PointSet(np.eye(2), [1, -1]))
    assert two.many is None
    assert two.all_points.class_names == ("-1", "+1")


def test_a_third_class_leaves_the_problem_as_it_is():
    two = Document(data=PointSet(np.eye(3)[:, :2], [1, -1, -1]))
    three = two.with_another_class()
    assert three.all_points.class_names == ("1", "2", "3")
    assert (three.data.labels == two.data.labels).all()
    assert (three.data.points == two.data.points).all()
    named = Document(data=PointSet(np.eye(2), [1, -1], ("no", "yes"))).with_another_class()
    assert named.all_points.class_names == ("yes", "no", "3")
    six = three.with_another_class().with_another_class().with_another_class()
    assert six.all_points.class_names == tuple("123456")
    assert six.many.machine.code == (1, -1, 0, 0, 0, 0)
    with pytest.raises(BadInput, match="6 classes"):
        six.with_another_class()


@pytest.mark.parametrize("shown", [0, 1, 2])
def test_a_split_is_of_all_classes(shown):
    document = Document(data=points(90)).looking_at(shown)
    divided = split(document, Shares(validation=0.2, test=0.2, seed=3))
    for part in (VALIDATION, TEST):
        labels = divided.all_points.labels[divided.parts == part]
        assert np.bincount(labels, minlength=3).tolist() == [6, 6, 6]
    held_out = divided.held_out
    assert len(held_out.validation) == len(held_out.test) == 12
    assert set(held_out.validation.labels.tolist()) == {-1, 1}
    # The parts do not depend on the machine that is looked at.
    again = split(document.looking_at(0), Shares(validation=0.2, test=0.2, seed=3))
    assert (again.parts == divided.parts).all()
    assert joined(divided) == document
    rows = rows_of_points(divided, [0], [0])
    assert divided.all_points.points[rows[0]].tolist() == divided.data.points[0].tolist()
    moved = moved_to(divided, TEST, [0])
    assert moved.parts[rows[0]] == TEST
    assert moved.n == divided.n - 1
    # A test part that was not opened is not shown.
    assert len(divided.left_out) == 18 + 6


@pytest.mark.parametrize("k", [3, 6])
def test_scenes_keep_points_machines_and_split(k):
    document = split(Document(data=points(60, k)), Shares(test=0.2, seed=1))
    code = (*machines_of(ONE_AGAINST_REST, k), Machine((1, 0, -1, 0, 0, 0)[:k]))
    document = document.with_many(document.many.with_machines(code)).looking_at(1)
    for scene in (Scene(document), Scene(joined(document).looking_at(k))):
        assert read_scene(write_scene(scene)) == scene
    assert '"svmviz": 6' in write_scene(Scene(document))
    assert '"svmviz": 1' in write_scene(Scene(Document(data=PointSet(np.eye(2), [1, -1]))))


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"labels": [0, 1, 3]}, 'labels[2]" must be a whole number from 0 to 2'),
        ({"class_names": ["a", "b", "a"]}, "must be different names"),
        ({"class_names": list("abcdefg")}, "has 7 names; there may be 6"),
        ({"machines": [[1, -1, 0], [1, 1, 0]]}, "must have a class on each side"),
        ({"machines": [[1, -1]]}, "3 numbers, one per class"),
        ({"machines": [[1, -1, 2]]}, "must be -1, 0 or 1"),
        ({"machines": []}, "must have from 1 to 30 machines"),
        ({"machines": [[1, -1, 0], [1, -1, 0]]}, "has a machine twice"),
        ({"machine": 3}, "must be below 3, the number of machines"),
        ({"class_names": ["a", "b"], "labels": [1, -1, 1], "machine": 0}, "more than two classes"),
    ],
)
def test_invalid_scenes_are_refused_in_a_sentence(change, sentence):
    scene = {"svmviz": 6, "points": [[0, 0], [1, 0], [0, 1]], "labels": [0, 1, 2]}
    scene |= {"class_names": ["a", "b", "c"]} | change
    with pytest.raises(BadInput) as caught:
        read_scene(json.dumps(scene))
    assert sentence in str(caught.value)
