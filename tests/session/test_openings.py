"""Showing the test points is not an edit, and undo does not hide them again."""

from __future__ import annotations

import pytest

from solvers import BadInput
from svmviz.document.document import Document
from svmviz.document.held_out import Shares, Source
from svmviz.document.splitting import split, with_fresh_test
from svmviz.session.session import Session
from tests.stages import moons


@pytest.fixture
def session(qtbot):
    session = Session(moons())
    session.edit(split(session.document, Shares(0.2, 0.2), Source("moons", 0.15, 0)), "Split")
    qtbot.waitUntil(lambda: solved(session))
    yield session
    session.close()


def solved(session):
    return not session.waiting and all(run.finished for run in session.runs)


def state(session):
    held_out = session.document.held_out
    return held_out.seen, held_out.at_opening


def test_opening_keeps_the_run_and_cannot_be_undone(session, qtbot):
    runs, entries = session.runs, session.undo_stack.count()
    session.undo_stack.setClean()
    assert state(session) == (False, None)
    session.open_test_part(0.25)
    assert state(session) == (True, 0.25)
    assert session.runs is runs
    assert session.solved is session.document
    assert session.undo_stack.count() == entries
    # The scene has to be saved, so that it says what was seen.
    assert not session.undo_stack.isClean()
    session.edit(session.document.moved([0], (0.1, 0.0)), "Move point")
    session.undo_stack.undo()
    assert state(session) == (True, 0.25)
    session.undo_stack.undo()
    assert session.document.held_out is None
    session.undo_stack.redo()
    assert state(session) == (True, 0.25)


def test_another_draw_of_seen_points_is_seen_and_fresh_points_are_not(session):
    first = session.document
    session.edit(split(first, Shares(0.2, 0.2, seed=5)), "Draw again")
    assert state(session) == (False, None)
    session.open_test_part(0.25)
    # The draw before was from the same points, and so is every draw after.
    session.undo_stack.undo()
    assert state(session) == (True, None)
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
    assert state(session) == (False, None)


def test_held_out_points_are_selected_until_the_split_changes(session):
    session.select([1], [0, 3])
    assert (session.selection, session.held_selection) == ({1}, {0, 3})
    session.edit(split(session.document, Shares(0.1, 0.2)), "Split")
    assert session.held_selection == frozenset()


def test_the_source_is_that_of_the_newest_points(session):
    assert session.source == Source("moons", 0.15, 0)
    session.reset(moons())
    assert session.source is None
    made = Source("moons", 0.15, 9)
    session.edit(moons(9), "Generate", generates=True, source=made)
    assert session.source == made
    session.edit(session.document.moved([0], (0.1, 0.0)), "Move point")
    assert session.source is None


def test_points_that_the_user_changes_have_no_source_with_a_split_either(session):
    source = session.source
    session.edit(split(session.document, Shares(0.1, 0.2)), "Split")
    session.edit(with_fresh_test(session.document, None), "Fresh points", generates=True)
    assert session.source == source.after()
    session.edit(session.document.moved(range(session.document.n), (50.0, 50.0)), "Move points")
    assert session.source is None
    with pytest.raises(BadInput, match="Fresh points need a source"):
        with_fresh_test(session.document, None)
    session.undo_stack.undo()
    assert session.source == source.after()
