"""Tools that add points of more than two classes."""

import numpy as np
import pytest

from solvers.data.datasets import PointSet
from solvers.problem.machines import ONE_AGAINST_REST, Machine, machines_of
from svmviz.document.document import Document
from svmviz.session import edits
from tests.plane_fixtures import RIGHT

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


def test_a_third_class_is_sprayed(qtbot, stage, view, mouse, undo):
    view.show_tool("add-class-3")
    view.show_tool("spray")
    mouse.press(mouse.at(0, 0))
    qtbot.waitUntil(lambda: len(stage.session.document.left_out) > 4)
    mouse.release(mouse.at(0, 0))
    assert undo.count() == 1
    assert stage.session.document.n == 4
