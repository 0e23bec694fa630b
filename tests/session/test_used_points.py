"""Points that a model has used are never honest test points again; undo does not change that."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from solvers import BadInput
from solvers.data.datasets import PointSet
from svmviz.document.document import Document
from svmviz.document.held_out import TEST, TRAINING, Shares
from svmviz.document.source import Source
from svmviz.document.splitting import moved_to, split, split_alike, with_fresh_test
from svmviz.io.scene import Scene, read_scene, write_scene
from svmviz.session import edits
from svmviz.session.session import Session
from svmviz.session.used_points import UsedPoints
from tests.stages import moons

SOURCE = Source("moons", 0.2, 0)


@pytest.fixture
def session(qtbot):
    session = Session(split(moons(source=SOURCE), Shares(0.2, 0.2)))
    qtbot.waitUntil(lambda: solved(session))
    yield session
    session.close()


def solved(session):
    return not session.waiting and all(run.finished for run in session.runs)


def state(session):
    held_out = session.document.held_out
    return held_out.seen, held_out.at_opening


def mark(session):
    """What is said of the test part: opened, used by an earlier model, or honest."""
    held_out = session.document.held_out
    return "seen" if held_out.seen else "used" if held_out.used else "honest"


def hold_out(session, test, **shares):
    session.edit(split(session.document, Shares(0.0, test, **shares)), "Split")


def test_opening_keeps_the_run_and_cannot_be_undone(session, qtbot):
    runs = session.runs
    session.undo_stack.setClean()
    assert state(session) == (False, None)
    session.open_test_part(0.25)
    assert state(session) == (True, 0.25)
    assert session.runs is runs
    assert session.solved is session.document
    assert session.undo_stack.count() == 0
    # The scene has to be saved, so that it says what was seen.
    assert not session.undo_stack.isClean()
    session.edit(session.document.moved([0], (0.1, 0.0)), "Move point")
    session.undo_stack.undo()
    assert state(session) == (True, 0.25)
    session.edit(split(session.document, Shares(0.0, 0.0)), "Split")
    assert session.document.held_out is None
    session.undo_stack.undo()
    assert state(session) == (True, 0.25)


def test_points_that_a_model_was_trained_on_are_used(session):
    assert mark(session) == "honest"
    # A model is trained on all points, and then some are held out.
    hold_out(session, 0.0)
    hold_out(session, 0.25)
    assert mark(session) == "used"
    session.undo_stack.undo()
    session.undo_stack.undo()
    # The first test points: nobody has seen them open, but they were for training meanwhile.
    assert mark(session) == "used"
    session.edit(with_fresh_test(session.document, None), "Fresh points", generates=True)
    assert mark(session) == "honest"
    session.open_test_part(0.25)
    assert state(session) == (True, 0.25)


@pytest.mark.parametrize("way", ["jitter", "save", "move", "flip", "undo", "generate"])
def test_nothing_but_fresh_points_makes_seen_points_honest(session, way):
    session.open_test_part(0.25)
    hold_out(session, 0.0)
    if way == "jitter":
        edits.jitter(session, amount=1e-9)
    elif way == "save":
        session.reset(read_scene(write_scene(Scene(session.document))).document)
    elif way == "move":
        session.edit(session.document.moved(range(session.document.n), (1.0, 1.0)), "Move")
    elif way == "flip":
        edits.select_all(session)
        edits.flip_selection(session)
        session.select(())
    elif way == "undo":
        edits.clear(session)
        session.undo_stack.undo()
    else:
        # The same seed gives the same points again.
        data = SOURCE.draw(session.document.n)
        before = split(session.document, Shares(0.0, 0.3, seed=9))
        alike = split_alike(replace(session.document, data=data), before)
        session.edit(alike, "Generate", generates=True)
    hold_out(session, 0.25)
    assert mark(session) == "used"
    # Opening them later is no honest estimate either.
    session.open_test_part(0.3)
    assert state(session) == (True, None)


def test_a_scene_keeps_that_points_were_used(session):
    hold_out(session, 0.25)
    assert mark(session) == "used"
    text = write_scene(Scene(session.document))
    session.reset(read_scene(text).document)
    assert mark(session) == "used"


def test_a_smaller_test_part_keeps_only_points_that_no_model_has_used(session):
    fewer = moved_to(session.document, TRAINING, [], [session.document.held_out.n - 1])
    session.edit(fewer, "Move point to training")
    assert mark(session) == "honest"
    session.edit(moved_to(session.document, TEST, [0]), "Move point to test")
    assert mark(session) == "used"


def test_a_preview_uses_points_too(session):
    test = session.document.held_out.test
    session.preview(split(session.document, Shares(0.2, 0.2, seed=5)))
    assert mark(session) == "used"
    session.abandon()
    assert session.document.held_out.test == test
    assert mark(session) == "used"


def test_test_points_that_equal_a_training_point_are_not_used(session):
    data = moons().data
    doubled = replace(
        data,
        points=np.repeat(data.points[:40], 2, axis=0),
        labels=np.repeat(data.labels[:40], 2),
    )
    session.reset(split(Document(doubled), Shares(0.0, 0.3)))
    assert mark(session) == "honest"
    session.edit(session.document.moved([0], (5.0, 0.0)), "Move point")
    assert mark(session) == "honest"
    hold_out(session, 0.0)
    hold_out(session, 0.3)
    assert mark(session) == "used"


def test_another_draw_of_seen_points_is_seen_and_fresh_points_are_not(session):
    session.open_test_part(0.25)
    session.edit(split(session.document, Shares(0.2, 0.2, seed=6)), "Draw again")
    assert state(session) == (True, None)
    session.edit(with_fresh_test(session.document, 0.1), "Fresh points", generates=True)
    assert state(session) == (False, None)
    session.open_test_part(0.3)
    session.undo_stack.undo()
    session.undo_stack.redo()
    assert state(session) == (True, 0.3)


def test_a_scene_that_was_seen_stays_seen(session):
    session.open_test_part(0.25)
    session.reset(session.document)
    assert state(session) == (True, 0.25)
    session.edit(split(session.document, Shares(0.2, 0.2, seed=6)), "Draw again")
    assert state(session) == (True, None)
    # Other points were never seen.
    session.reset(split(Document(moons(7).data), Shares()))
    assert mark(session) == "honest"


def test_held_out_points_are_selected_until_the_split_changes(session):
    session.select([1], [0, 3])
    assert (session.selection, session.held_selection) == ({1}, {0, 3})
    session.edit(split(session.document, Shares(0.1, 0.2)), "Split")
    assert session.held_selection == frozenset()


def test_the_source_stays_until_the_user_changes_points(session):
    hold_out(session, 0.0)
    hold_out(session, 0.2)
    assert session.document.source == SOURCE
    session.edit(with_fresh_test(session.document, None), "Fresh points", generates=True)
    assert session.document.source == SOURCE.after()
    session.edit(session.document.moved(range(session.document.n), (50.0, 50.0)), "Move points")
    assert session.document.source is None
    with pytest.raises(BadInput, match="New test points need a source"):
        with_fresh_test(session.document, None)
    session.undo_stack.undo()
    assert session.document.source == SOURCE.after()


def test_a_test_part_of_several_classes_is_opened_for_all_machines():
    rng = np.random.default_rng(0)
    data = PointSet(rng.normal(size=(80, 2)), np.arange(80) % 4, ("a", "b", "c", "d"))
    first = split(Document(data=data), Shares(0.0, 0.25))
    # The points of c and d in the test part were shown too, pale, though a against b was tested.
    last = first.looking_at(len(first.many.machines) - 1)
    assert set(last.data.class_names) == {"c", "d"}
    used = UsedPoints(first)
    assert not used.mark(last).held_out.seen
    used.open(first, 0.1)
    assert used.mark(first).held_out.at_opening == 0.1
    marked = used.mark(last).held_out
    assert (marked.seen, marked.at_opening) == (True, None)
