"""Titles of lanes in narrow boxes."""

from svmviz.plane.paint.title import titles_of
from tests.plane.frames import fitted, solved
from tests.stages import eight


def test_a_narrow_title_drops_words_and_cuts_none(qapp):
    document = eight()
    frame = solved(document, fitted(document))
    title = titles_of(frame)[0]
    steps = frame.lane.length
    wide, narrow = f"step {steps} of {steps}, converged", f"{steps} of {steps}, converged"
    assert title.fitting(len, 100) == title.words == wide
    assert title.fitting(len, len(wide)) == wide
    assert title.fitting(len, len(wide) - 1) == narrow
    assert title.fitting(len, len(str(steps))) == str(steps)
    assert title.fitting(len, 0) == ""
