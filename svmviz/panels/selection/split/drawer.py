"""The drawer of the test part: opening it, and sentences on what it can still show.

The test points are in a "drawer", which hides them and their error until the user opens it. At the
opening, the error is an honest estimate. If the user changes the model afterwards, the model is
"tuned" to the test points, and the error on them is too low.
"""

from __future__ import annotations

from svmviz.base.words import count, number, percent
from svmviz.document.document import Document
from svmviz.document.held_out import HeldOut
from svmviz.frames.part_risks import risk_of_test
from svmviz.stage.stage import Stage


def open_drawer(stage: Stage) -> None:
    """Show the test points; the document stores the present error on them."""
    frame, session = stage.feed.panel_frame, stage.session
    risk = None
    if frame.lane is not None and frame.document is session.document:
        risk = risk_of_test(frame.document, frame.lane)
    session.open_test_part(risk)


NO_SPLIT = (
    "All points train the model, so no error here says how it does on new points. Hold some out:"
)
NO_TEST = "Validation points compare models. The chosen model also needs a test part."
LOCKED = (
    "No model has seen the test points. Choose the model first, then reveal the points: the "
    "model's error on them is an honest estimate."
)
USED = (
    "Seen by earlier models, which were trained on these points or shown with them: the error may "
    "be too low. Only new test points are honest."
)


def situation_words(document: Document) -> str:
    """Return one or two sentences on what the test part can still show."""
    held_out = document.held_out
    if held_out is None:
        return NO_SPLIT
    if not len(held_out.test):
        return NO_TEST
    if held_out.seen:
        return _seen_words(document, held_out)
    if held_out.used:
        return USED
    if held_out.tuned is None:
        return LOCKED
    tuned = _risk_words(document, held_out.tuned)
    return (
        f"The model was tuned to {tuned} on the old test points. Now there are "
        f"{count(len(held_out.test))} new test points, still hidden: what is the error on them?"
    )


def _seen_words(document: Document, held_out: HeldOut) -> str:
    """Return the sentences for a test part whose error was seen."""
    if held_out.at_opening is None:
        return USED
    opened = _risk_words(document, held_out.at_opening)
    if held_out.tuned is None:
        return (
            f"Error at the opening: {opened}, an honest estimate. If you tune the model by it, the "
            "error becomes too low; new test points show by how much."
        )
    tuned = _risk_words(document, held_out.tuned)
    fresh = count(len(held_out.test))
    return (
        f"Error on the old test points, by which the model was tuned: {tuned}. On {fresh} fresh "
        f"points: {opened}. The points that chose the model cannot judge it."
    )


def _risk_words(document: Document, risk: float) -> str:
    return number(risk, 2) if document.is_regression else percent(risk)
