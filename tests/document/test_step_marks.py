"""The loop and the bookmarks of a run."""

import pytest

from solvers import BadInput
from svmviz.document.step_marks import MAX_BOOKMARKS, StepMarks


def test_a_loop_is_set_from_either_end():
    marks = StepMarks()
    assert marks.looped_from(10, 50).loop == (10, 50)
    assert marks.looped_to(10).loop == (0, 10)
    assert marks.looped_from(10, 50).looped_to(20).loop == (10, 20)
    # The other end gives way if it is on the wrong side.
    assert StepMarks((10, 20)).looped_from(30, 50).loop == (30, 50)
    assert StepMarks((10, 20)).looped_to(5).loop == (0, 5)
    with pytest.raises(BadInput, match="begins before"):
        StepMarks((7, 7))


def test_a_shorter_run_has_a_part_of_the_loop():
    marks = StepMarks((10, 20))
    assert marks.loop_within(15) == (10, 15)
    assert marks.loop_within(30) == (10, 20)
    assert marks.loop_within(10) is None


def test_steps_are_named_and_found():
    marks = StepMarks().named(17, "clipped").named(3, " first \n mistake ")
    assert marks.bookmarks == ((3, "first mistake"), (17, "clipped"))
    assert marks.name_of(17) == "clipped"
    assert [marks.beside(s, 1) for s in (0, 3, 17)] == [3, 17, None]
    assert [marks.beside(s, -1) for s in (40, 17, 3)] == [17, 3, None]
    assert marks.named(3, "").bookmarks == ((17, "clipped"),)
    for step in range(2, MAX_BOOKMARKS):
        marks = marks.named(100 + step, "x")
    with pytest.raises(BadInput, match="at most 100"):
        marks.named(1000, "one more")
