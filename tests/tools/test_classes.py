"""Tools that add points of more than two classes."""

import numpy as np
import pytest

from solvers.data.datasets import PointSet
from solvers.problem.machines import ONE_AGAINST_REST, Machine, machines_of
from svmviz.document.document import Document
from svmviz.document.held_out import Shares
from svmviz.document.splitting import rows_of_points, split
from svmviz.session import edits
from tests.plane_fixtures import RIGHT, SHIFT
from tests.stages import sine

THREE = PointSet(np.arange(12.0).reshape(6, 2), [0, 1, 2, 0, 1, 2], ("a", "b", "c"))


def test_keys_of_two_classes_are_plus_and_minus():
    document = Document()
    assert [edits.label_of_number(document, number) for number in (0, 1)] == [1, -1]
    assert [edits.other_number(document, number) for number in (0, 1)] == [1, 0]


@pytest.mark.parametrize("number", range(2, 6))
def test_a_class_that_is_not_there_is_made(number):
    document = Document(PointSet(np.zeros((2, 2)), [1, -1]))
    grown = edits.with_new_class(document, number)
    added = grown.added(np.ones((1, 2)), [edits.label_of_number(grown, number)])
    assert len(added.class_names) == number + 1
    assert added.all_points.classes.tolist() == [0, 1, number]
    # The machine is the problem that there was, and leaves the new class out.
    assert added.data == document.data.__class__(
        document.data.points, document.data.labels, added.data.class_names
    )
    assert "leaves it out" in edits.words_on_new_class(document, added)
    assert edits.words_on_new_class(added, added) == ""
    assert edits.with_new_class(added, number) is added


def test_a_code_matrix_of_ones_own_is_replaced_by_a_new_class_which_is_said():
    document = Document(THREE)
    assert "code matrix" not in edits.words_on_new_class(document, document.with_another_class())
    own = document.with_many(document.many.with_machines([Machine((1, -1, 1))]))
    words = edits.words_on_new_class(own, own.with_another_class())
    assert words.endswith("One against one has replaced your code matrix.")
    assert len(own.with_another_class().many.machines) == 6


def test_the_right_button_adds_the_other_side():
    document = Document(THREE).looking_at(2)
    assert document.sides == ((1,), (2,))
    assert [edits.other_number(document, number) for number in range(3)] == [1, 2, 1]
    rest = document.with_many(document.many.with_machines(machines_of(ONE_AGAINST_REST, 3)))
    assert [edits.other_number(rest.looking_at(1), number) for number in range(3)] == [1, 0, 1]


def test_the_first_click_makes_a_class_in_one_undo_entry(stage, view, mouse, undo):
    view.show_tool("add-class-3")
    mouse.click(0.3, 0.2)
    document = stage.session.document
    assert document.class_names == ("1", "2", "3")
    assert len(document.left_out) == 1
    assert undo.count() == 1
    assert "“3” is a new class" in view._mouse.tool.feedback.words
    mouse.click(0.4, 0.2)
    assert len(stage.session.document.left_out) == 2
    assert view._mouse.tool.feedback.words == ""
    # The right button adds a point of the machine.
    mouse.click(-0.3, 0.2, RIGHT)
    assert stage.session.document.n == 5
    for _ in range(3):
        undo.undo()
    assert stage.session.document.many is None
    assert stage.session.document.n == 4


@pytest.mark.parametrize("tool", ["add-class-3", "spray"])
def test_a_tool_of_a_third_class_adds_points_to_a_regression(qtbot, stage, view, mouse, tool):
    view.show_tool("add-class-3")
    stage.session.reset(sine(12))
    view.show_tool(tool)
    mouse.press(mouse.at(1, 0.2))
    qtbot.wait(50)
    mouse.release(mouse.at(1, 0.2))
    assert stage.session.document.n > 12
    assert set(stage.session.document.data.labels) <= {-1, 1}


def test_a_third_class_is_sprayed(qtbot, stage, view, mouse, undo):
    view.show_tool("add-class-3")
    view.show_tool("spray")
    mouse.press(mouse.at(0, 0))
    qtbot.waitUntil(lambda: len(stage.session.document.left_out) > 4)
    mouse.release(mouse.at(0, 0))
    assert undo.count() == 1
    assert stage.session.document.n == 4


@pytest.fixture
def left_out(stage, view):
    """Three classes, of which the machine leaves out those at (0, 0) and (0.4, 0.4)."""
    places = [[-1.0, -1.0], [-1.0, 1.0], [1.0, -1.0], [1.0, 1.0], [0.0, 0.0], [0.4, 0.4]]
    stage.session.reset(Document(PointSet(np.array(places), [0, 0, 1, 1, 2, 2], ("a", "b", "c"))))
    view.navigation.fit()
    return stage.session


def places(session):
    return session.document.all_points.points


def test_a_point_left_out_is_dragged_and_deleted_off_the_plane(left_out, view, mouse, undo):
    mouse.drag((0, 0), (0.1, 0), (0.2, 0.2))
    assert places(left_out)[4] == pytest.approx([0.2, 0.2], abs=0.01)
    assert undo.undoText() == "Move point"
    mouse.drag((0.4, 0.4), view.rect().bottomRight() + view.rect().bottomRight())
    assert undo.undoText() == "Delete point"
    assert left_out.document.all_points.labels.tolist() == [0, 0, 1, 1, 2]
    undo.undo()
    undo.undo()
    assert places(left_out)[4:].tolist() == [[0.0, 0.0], [0.4, 0.4]]


def test_points_left_out_are_selected_with_others_moved_swapped_and_deleted(
    left_out, view, mouse, undo
):
    view.show_tool("select")
    mouse.click(0.4, 0.4)
    mouse.click(1, 1, key=SHIFT)
    # Points left out are numbered last, and panels of the machine know nothing of them.
    assert (left_out.selection, left_out.editable_selection) == ({3}, {3, 5})
    mouse.drag((0.4, 0.4), (0.5, 0.4), (0.6, 0.4))
    assert places(left_out)[[3, 5], 0] == pytest.approx([1.2, 0.6], abs=0.01)
    for classes in ([0, 0, 1, 2, 2, 0], [0, 0, 1, 0, 2, 1], [0, 0, 1, 1, 2, 2]):
        edits.flip_selection(left_out)
        assert left_out.document.all_points.labels.tolist() == classes
        rows = left_out.document.editable_rows[sorted(left_out.editable_selection)]
        assert sorted(rows.tolist()) == [3, 5]
    edits.delete_selection(left_out)
    assert left_out.document.all_points.labels.tolist() == [0, 0, 1, 2]
    assert undo.undoText() == "Delete 2 points"


def test_a_rectangle_and_an_eraser_take_points_left_out(left_out, view, mouse, undo):
    mouse.drag((-0.3, -0.3), (0, 0), (0.7, 0.7))
    assert left_out.editable_selection == {4, 5}
    view.show_tool("erase")
    mouse.drag((0, 0), (0.2, 0.2), (0.4, 0.4))
    assert undo.undoText() == "Erase 2 points"
    assert left_out.document.all_points.labels.tolist() == [0, 0, 1, 1]
    undo.undo()
    assert len(left_out.document.left_out) == 2


def test_undo_of_another_machine_selects_no_other_points(left_out):
    left_out.select([1, 5])
    edits.look_at(left_out, 2)
    left_out.select([1])
    left_out.undo_stack.undo()
    assert left_out.editable_selection == frozenset()


def test_undo_of_a_deletion_selects_no_other_point_left_out(left_out):
    left_out.select([4])
    edits.delete_selection(left_out)
    left_out.select([1, 4])
    left_out.undo_stack.undo()
    assert left_out.editable_selection == {1}


def test_rows_of_all_parts_are_selected(left_out):
    document = split(left_out.document, Shares(0.0, 0.5))
    left_out.reset(document)
    chosen = np.flatnonzero(document.all_points.labels != 0)
    edits.select_rows(left_out, chosen)
    assert len(left_out.editable_selection) == 2
    assert len(left_out.held_selection) == 2
    rows = rows_of_points(document, left_out.editable_selection, left_out.held_selection)
    assert sorted(rows.tolist()) == chosen.tolist()
    edits.select_rows(left_out, chosen, toggles=True)
    assert not left_out.editable_selection | left_out.held_selection
