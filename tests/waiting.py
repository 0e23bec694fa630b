"""Waiting for what a stage shows: the end of its newest runs, one of their steps, or their curves.

Each function waits for all that the next line of a test may rely on: for every lane of a race, not
only for the one in focus, and for the picture as well as for the solver.
"""

from __future__ import annotations

from svmviz.frames.frame import Frame
from svmviz.stage.stage import Stage


def is_settled(stage: Stage) -> bool:
    """Whether all runs of the newest document have ended, and their ends are shown.

    If the document cannot be solved: whether the picture says so.
    """
    session, frame = stage.session, stage.feed.frame
    if session.waiting or frame.document is not session.document:
        return False
    if not session.runs:
        # A picture without points says what to do, not what is wrong.
        return not frame.lanes and (bool(frame.trouble) or not frame.document.n)
    # Frames of earlier runs may still be on screen.
    is_newest = [lane.run for lane in frame.lanes] == [run.number for run in session.runs]
    return is_newest and stage.playback.finished and all(lane.at_end for lane in frame.lanes)


def settle(qtbot, stage: Stage) -> None:
    """Wait until the newest document is solved to its end, and the end is shown."""
    qtbot.waitUntil(lambda: is_settled(stage))


def go_to(qtbot, stage: Stage, step: int) -> Frame:
    """Show a step of the lane in focus, once it is recorded, and return its frame."""
    run = stage.playback.run
    qtbot.waitUntil(lambda: run.finished or run.steps >= step)
    assert run.steps >= step, f"the run has only {run.steps} steps"
    stage.playback.seek_step(step)

    def is_shown() -> bool:
        lane = stage.feed.frame.lane
        return lane is not None and lane.run == run.number and lane.step == step

    qtbot.waitUntil(is_shown)
    return stage.feed.frame


def complete_curves(qtbot, stage: Stage) -> None:
    """Wait until the curves of all runs are known to their ends."""

    def are_known() -> bool:
        curves = stage.feed.curves
        return len(curves) == len(stage.session.runs) > 0 and all(c.complete for c in curves)

    qtbot.waitUntil(are_known)


def come_to_rest(qtbot, stage: Stage) -> None:
    """Wait until the playback asks for nothing more, not even for a finer picture."""
    qtbot.waitUntil(lambda: not stage.feed._timer.isActive())
