"""Frames made by the frame thread."""

import threading

from solvers import solve
from svmviz.frames import maker as frames
from svmviz.frames import objective_curves
from svmviz.frames.viewport import Grid
from tests.stages import moons

GRID = Grid(-2.0, 3.0, -2.0, 3.0, 16, 16)


def test_the_last_curves_shown_are_complete(monkeypatch):
    # Every sample is shown, so that only the end is new.
    monkeypatch.setattr(objective_curves, "CURVE_INTERVAL", 0.0)
    document = moons(30)
    run, shown, ended = solve(document.problem(), document.method), [], threading.Event()

    def drew(curves):
        shown.append(curves[0])
        if curves[0].complete:
            ended.set()

    maker = frames.FrameMaker(lambda *_: None, lambda *_: None, drew, lambda: maker.give_turn())
    try:
        maker.request(frames.Request(document, (run,), None, GRID))
        assert ended.wait(10.0)
    finally:
        maker.close()
    assert shown[-1].complete
    assert len(shown[-1].steps) == run.steps + 1
