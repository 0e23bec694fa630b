"""Edits, previews, undo and the runs that follow them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from solvers import Pegasos, Reason, solve
from svmviz.document.document import Document, Penalty
from svmviz.session import edits
from svmviz.session import session as session_module
from svmviz.session.session import Session
from tests.stages import eight, moons


@pytest.fixture
def session(qtbot):
    session = Session(eight())
    qtbot.waitUntil(lambda: solved(session))
    yield session
    session.close()


def solved(session):
    return not session.waiting and all(run.finished for run in session.runs)


def test_the_first_document_is_solved(session):
    assert session.runs[0].reason == Reason.CONVERGED
    assert not session.previewing


def test_an_edit_is_one_undo_entry_and_a_cold_run(session, qtbot):
    before = session.document
    session.edit(before.moved([0], (0.1, 0.0)), "Move point")
    qtbot.waitUntil(lambda: solved(session))
    assert session.undo_stack.count() == 1
    assert not session.runs[0].at(0).expansion.support.size
    session.undo_stack.undo()
    assert session.document == before
    qtbot.waitUntil(lambda: solved(session))
    session.undo_stack.redo()
    assert session.document == before.moved([0], (0.1, 0.0))


def test_previews_are_warm_and_leave_no_undo_entry(session, qtbot):
    before = session.document
    for k in range(1, 6):
        session.preview(before.moved([2], (0.01 * k, 0.0)))
    assert session.previewing
    qtbot.waitUntil(lambda: solved(session))
    assert session.undo_stack.count() == 0
    assert session.runs[0].at(0).expansion.support.size
    session.commit("Move point")
    qtbot.waitUntil(lambda: solved(session))
    assert session.undo_stack.count() == 1
    assert not session.previewing
    assert not session.runs[0].at(0).expansion.support.size
    session.undo_stack.undo()
    assert session.document is before


def test_an_abandoned_preview_leaves_no_trace(session, qtbot):
    before = session.document
    session.preview(before.removed([0]))
    session.abandon()
    assert session.document is before
    assert session.undo_stack.count() == 0
    qtbot.waitUntil(lambda: solved(session))


def test_the_document_alone_decides_every_step(session, qtbot):
    session.preview(replace(session.document, penalty=Penalty("C", 0.7)))
    qtbot.waitUntil(lambda: solved(session))
    session.commit("Change C")
    qtbot.waitUntil(lambda: solved(session))
    again = solve(session.document.problem(), session.document.method)
    mine = session.runs[0]
    assert mine.steps == again.steps
    for step in range(mine.steps + 1):
        assert mine.at(step).expansion.beta.tobytes() == again.at(step).expansion.beta.tobytes()


def test_only_the_newest_edits_are_kept(qtbot, monkeypatch):
    monkeypatch.setattr(session_module, "MAX_UNDO", 3)
    session = Session(eight())
    documents = [session.document]
    for k in range(1, 6):
        session.edit(documents[0].moved([0], (0.1 * k, 0.0)), f"Edit {k}")
        documents.append(session.document)
    assert [edit.text() for edit in session.edits] == ["Edit 3", "Edit 4", "Edit 5"]
    assert session.unsaved_edits == session.edits
    while session.undo_stack.canUndo():
        session.undo_stack.undo()
    assert session.document == documents[2]
    laid = session.lay_aside()
    session.reset(Document())
    session.take_up(laid)
    for document in documents[3:]:
        session.undo_stack.redo()
        assert session.document == document
    assert not session.undo_stack.canRedo()
    session.close()


def test_an_edit_that_changes_nothing_is_no_entry(session):
    session.edit(replace(session.document), "Nothing")
    assert session.undo_stack.count() == 0


def test_a_problem_without_solution_gives_a_sentence(session, qtbot):
    one_class = np.flatnonzero(session.document.data.labels > 0)
    session.edit(session.document.removed(one_class), "Remove")
    qtbot.waitUntil(lambda: solved(session))
    assert session.runs == ()
    assert "each class" in session.trouble
    session.undo_stack.undo()
    qtbot.waitUntil(lambda: solved(session))
    assert session.trouble == ""


def test_several_lanes_run_side_by_side(session, qtbot):
    document = eight(methods=(session.document.method, Pegasos(max_steps=3000)))
    session.edit(document, "Race")
    qtbot.waitUntil(lambda: solved(session))
    assert [run.method.name for run in session.runs] == ["smo", "pegasos"]
    assert session.runs[1].reason == Reason.STEP_LIMIT


def test_a_stopped_run_keeps_its_steps(session, qtbot):
    endless = moons(400, methods=(Pegasos(max_steps=10**9),))
    session.edit(endless, "Pegasos")
    qtbot.waitUntil(lambda: bool(session.runs) and session.runs[0].steps > 1000)
    session.cancel_run()
    qtbot.waitUntil(lambda: solved(session))
    assert session.runs[0].reason == Reason.CANCELLED
    assert session.runs[0].at(500).step == 500


def test_the_answer_to_an_old_job_is_dropped(session, qtbot):
    for k in range(30):
        session.preview(session.document.moved([k % 8], (0.01, 0.0)))
    session.commit("Move")
    seen = []
    session.runs_changed.connect(lambda: seen.append(session.solved is session.document))
    qtbot.waitUntil(lambda: solved(session))
    assert seen
    assert all(seen)


def test_removed_points_leave_the_selection(session):
    session.select([1, 7])
    session.edit(session.document.removed([7]), "Delete")
    assert session.selection == {1}


def test_reset_clears_undo_and_selection(session, qtbot):
    session.edit(session.document.removed([7]), "Delete")
    session.reset(moons())
    assert session.undo_stack.count() == 0
    qtbot.waitUntil(lambda: solved(session))


def test_an_empty_document_gives_a_sentence(qtbot):
    session = Session(Document())
    qtbot.waitUntil(lambda: bool(session.trouble))
    assert "no points" in session.trouble
    session.close()


def test_after_reset_the_stack_is_clean_even_if_a_scene_was_restored(qtbot):
    session = Session()
    # A rescued scene is one that is to be saved, though nothing of it can be undone.
    session.undo_stack.resetClean()
    assert not session.undo_stack.isClean()
    session.reset(eight())
    assert session.undo_stack.isClean()
    session.close()


def test_a_preview_with_fewer_points_that_is_committed_shortens_the_selection(session):
    n = session.document.n
    session.select(range(n))
    session.preview(session.document.removed([0]))
    assert session.selection == set(range(n - 1))
    session.abandon()
    assert session.selection == set(range(n))
    session.preview(session.document.removed([0]))
    session.commit("Delete point")
    assert session.selection == set(range(n - 1))
    edits.delete_selection(session)
    assert session.document.n == 0


@pytest.mark.parametrize("clean", [0, 1, 2, 3, -1])
@pytest.mark.parametrize("undone", [0, 1, 3])
def test_a_document_that_is_laid_aside_comes_back_with_its_undo_entries(session, clean, undone):
    documents = [session.document]
    for k in range(3):
        if clean == k:
            session.undo_stack.setClean()
        session.edit(documents[-1].moved([k], (0.1, 0.0)), f"Move {k}")
        documents.append(session.document)
    if clean == 3:
        session.undo_stack.setClean()
    elif clean < 0:
        session.undo_stack.resetClean()
    for _ in range(undone):
        session.undo_stack.undo()
    session.select([2])
    session.preview(session.document.moved([4], (0.3, 0.0)))
    stack = session.undo_stack
    before = stack.index(), stack.cleanIndex(), stack.isClean(), stack.count(), stack.undoText()
    laid, shown = session.lay_aside(), session.document
    assert shown is documents[3 - undone]
    session.reset(moons(20))
    session.edit(moons(20, penalty=Penalty("C", 3.0)), "Change C")
    session.take_up(laid)
    after = stack.index(), stack.cleanIndex(), stack.isClean(), stack.count(), stack.undoText()
    assert after == before
    assert session.document is shown
    assert session.selection == {2}
    while stack.canRedo():
        stack.redo()
    for document in reversed(documents):
        assert session.document is document
        stack.undo()
