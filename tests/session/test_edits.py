import numpy as np
import pytest

from solvers import BadInput
from svmviz.document import limits
from svmviz.document.document import Document
from svmviz.document.held_out import Shares
from svmviz.document.splitting import split
from svmviz.io.open_and_save import read_pasted
from svmviz.session import edits
from svmviz.session.session import Session
from tests.plane.frames import points

PENGUINS = points(
    np.array([[18.0, 3500.0], [14.0, 5000.0], [15.0, 5200.0]]), [-1, 1, 1],
    ("Adelie", "Gentoo"), ("bill_depth_mm", "body_mass_g"),
)  # fmt: skip


def copied_text(session):
    """Return what Copy puts into the clipboard."""
    return edits.text_of(edits.points_to_copy(session), session.document.task)


@pytest.fixture
def session(qapp):
    session = Session(Document(data=PENGUINS))
    yield session
    session.close()


def paste(session, text):
    edits.paste(session, read_pasted(text))


def test_select_all_and_delete(session):
    edits.delete_selection(session)
    assert session.undo_stack.count() == 0
    edits.select_all(session)
    assert session.selection == {0, 1, 2}
    session.select((1, 2))
    edits.delete_selection(session)
    assert session.document.n == 1
    assert session.selection == frozenset()
    assert session.undo_stack.undoText() == "Delete 2 points"
    session.undo_stack.undo()
    assert session.document.data == PENGUINS


def test_clear(session):
    edits.clear(session)
    assert session.document.n == 0
    edits.clear(session)
    assert session.undo_stack.count() == 1


def test_flip_and_relabel(session):
    session.select((0, 1))
    edits.flip_selection(session)
    assert session.document.data.labels.tolist() == [1, -1, 1]
    session.edit(session.document.relabelled([0, 1], -1), "Relabel 2 points")
    assert session.document.data.labels.tolist() == [-1, -1, 1]
    assert session.document.data.class_names == PENGUINS.class_names


def test_jitter_is_seeded_and_scales_with_each_axis(session):
    edits.jitter(session, 0.02, seed=7)
    first = session.document.data.points.copy()
    session.undo_stack.undo()
    edits.jitter(session, 0.02, seed=7)
    assert (session.document.data.points == first).all()
    moved = np.abs(first - PENGUINS.points)
    assert (moved > 0).all()
    assert moved[:, 0].max() < 0.1 * 4
    session.undo_stack.undo()
    session.select((1,))
    edits.jitter(session, 0.02, seed=7)
    assert session.undo_stack.undoText() == "Jitter point"
    assert (session.document.data.points[[0, 2]] == PENGUINS.points[[0, 2]]).all()


def test_jitter_of_points_on_one_place(qapp):
    session = Session(Document(data=points(np.ones((2, 2)), [1, -1])))
    edits.jitter(session, 0.1)
    assert len(np.unique(session.document.data.points)) == 4
    session.close()


def test_copy_and_paste_keep_names_and_bits(session, qapp):
    session.select((0, 2))
    text = copied_text(session)
    paste(session, text)
    assert session.document.n == 5
    assert session.selection == {3, 4}
    assert session.document.data.points[3:].tolist() == PENGUINS.points[[0, 2]].tolist()
    assert session.document.data.labels[3:].tolist() == [-1, 1]
    assert session.undo_stack.undoText() == "Paste 2 points"
    other = Session()
    paste(other, text)
    assert other.document.data.class_names == ("Adelie", "Gentoo")
    assert other.document.data.axis_names == PENGUINS.axis_names
    other.close()


def test_pasted_classes_are_matched_by_name(session):
    paste(session, "x,y,species\n1,2,Gentoo\n")
    assert session.document.data.labels.tolist() == [-1, 1, 1, 1]


def test_pasted_numbers_keep_their_sign(session):
    paste(session, "1 2 -1\n3 4 1\n")
    assert session.document.data.labels[3:].tolist() == [-1, 1]


def test_copy_without_selection_takes_all(session):
    assert copied_text(session).count("Gentoo") == 2


@pytest.fixture
def split_session(session):
    """A session of ten points, of which two are for validation and two for the test."""
    whole = Document(data=points(np.arange(20.0).reshape(10, 2), [1, -1] * 5))
    session.reset(split(whole, Shares(0.2, 0.2)))
    return session


def test_held_out_points_are_copied_if_they_are_selected(split_session):
    session, held_out = split_session, split_session.document.held_out
    session.select((), (1, 2))
    copied = read_pasted(copied_text(session))
    wanted = [held_out.validation.points[1], held_out.test.points[0]]
    assert copied.points.tolist() == np.array(wanted).tolist()
    session.select((3,), (0,))
    both = read_pasted(copied_text(session)).points
    wanted = [session.document.data.points[3], held_out.validation.points[0]]
    assert both.tolist() == np.array(wanted).tolist()


def test_jitter_moves_nothing_if_only_held_out_points_are_selected(split_session):
    split_session.select((), (0,))
    edits.jitter(split_session)
    assert split_session.undo_stack.count() == 0


def test_held_out_points_count_for_the_limit_of_pasting(split_session, monkeypatch):
    monkeypatch.setattr(limits, "MAX_SHOWN_POINTS", 11)
    paste(split_session, "1 2 -1\n")
    with pytest.raises(BadInput, match="there would be 12 points"):
        paste(split_session, "3 4 1\n")
