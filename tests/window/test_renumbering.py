"""Points that have other numbers after a removal are said to have."""

import numpy as np
import pytest

from solvers.data.datasets import PointSet
from svmviz.document.document import Document
from svmviz.session import edits
from svmviz.window.renumbering import describe_removal
from tests.stages import eight


@pytest.mark.parametrize(
    ("removed", "sentence"),
    [
        ([], ""),
        ([7], ""),
        ([5, 6, 7], ""),
        (range(8), ""),
        ([2], "Point 3 was removed. Points 4 to 8 have the numbers 3 to 7 now."),
        ([6], "Point 7 was removed. Point 8 has the number 7 now."),
        ([1, 3, 7], "3 points were removed. The others have new numbers from 2 on."),
    ],
)
def test_a_removal_says_which_numbers_are_others(removed, sentence):
    document = eight()
    assert describe_removal(document.data, document.removed(removed).data) == sentence
    added = document.added(np.array([[9.0, 9.0]]), [1])
    assert describe_removal(document.data, added.data) == ""


@pytest.mark.display
def test_the_window_says_so_until_the_removal_is_undone(user):
    notice, session = user.window.notice, user.window.stage.session
    session.select((2,))
    edits.delete_selection(session)
    assert notice.text.startswith("Point 3 was removed.")
    session.undo_stack.undo()
    assert notice.text == ""
    session.undo_stack.redo()
    assert notice.text.startswith("Point 3 was removed.")
    session.reset(eight())
    session.select((0, 1))
    edits.delete_selection(session)
    assert notice.text.startswith("2 points were removed.")


@pytest.mark.display
def test_another_machine_or_class_removes_no_point(user):
    notice, session = user.window.notice, user.window.stage.session
    rng = np.random.default_rng(0)
    data = PointSet(rng.normal(size=(9, 2)), [0, 0, 0, 0, 0, 1, 1, 2, 2], ("a", "b", "c"))
    session.reset(Document(data=data))
    session.edit(session.document.looking_at(2), "Look at b against c")
    assert session.document.n == 4
    assert notice.text == ""
    session.select((0,))
    edits.flip_selection(session)
    edits.flip_selection(session)
    assert notice.text == ""
    session.select((0,))
    edits.delete_selection(session)
    assert notice.text.startswith("Point 1 was removed.")
