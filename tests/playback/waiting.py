"""Waiting for frames of a stage."""

from __future__ import annotations


def wait_for_end(stage, qtbot):
    """Wait until the newest edit is solved, and its end is shown."""

    def shown():
        lane = stage.feed.frame.lane
        # Not the end of an earlier run, whose frame may still be on screen.
        numbers = [run.number for run in stage.session.runs]
        return (
            not stage.session.waiting and lane is not None and lane.run in numbers and lane.at_end
        )

    qtbot.waitUntil(shown)


def show(stage, qtbot, step):
    """Seek a step and return its frame."""
    stage.playback.seek(step)
    qtbot.waitUntil(lambda: stage.feed.frame.lane.step == step)
    return stage.feed.frame
