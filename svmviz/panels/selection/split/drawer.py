"""Opening the drawer of the test part, which both panels of the procedure can do."""

from __future__ import annotations

from svmviz.frames.part_risks import risk_of_test
from svmviz.stage.stage import Stage


def open_drawer(stage: Stage) -> None:
    """Show the test points; the document stores the present error on them."""
    frame, session = stage.feed.panel_frame, stage.session
    risk = None
    if frame.lane is not None and frame.document is session.document:
        risk = risk_of_test(frame.document, frame.lane)
    session.open_test_part(risk)
