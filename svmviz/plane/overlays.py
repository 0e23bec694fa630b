"""Registry of overlays: drawings on the plane that need results which a lane does not have.

An overlay has a study, a function that paints its result below the points, and one that returns the
names on parts of the drawing. The names are written above the points, and labels of points avoid
them. While the overlay is shown, every frame has the results of the study. So the window, every
export and ``svmviz render`` paint the same picture. The painting functions, and Qt with them, are
imported when they are first called.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from svmviz.base.lazy import later
from svmviz.document.document import Document
from svmviz.document.view_options import ViewOptions
from svmviz.frames.studies import LaneStudies, Pending, Study
from svmviz.plane import (
    decision_study,
    hull_study,
    line_study,
    other_losses,
    probability_study,
)

if TYPE_CHECKING:
    from PySide6.QtGui import QPainter

    from svmviz.plane.paint.canvas import Canvas
    from svmviz.plane.paint.names import BoxName


@dataclass(frozen=True)
class PlaneOverlay:
    """A drawing that is painted after the decision function and before the points.

    Attributes
    ----------
    name, label : str
        Key in ``OVERLAYS``, and name on screen.
    make_study : callable() -> Study
        The study returns one result per lane. A result is None if there is nothing to paint, and
        Pending while it is being computed.
    is_shown : callable(Document, ViewOptions) -> bool
        Returns whether the overlay is shown with these options for this document.
    paint : callable(QPainter, Canvas, result)
        Paints a result, before the points are painted.
    names : callable(Canvas, result) -> iterable of Name
        Returns the names on parts of the drawing.
    """

    name: str
    label: str
    make_study: Callable[[], Study]
    is_shown: Callable[[Document, ViewOptions], bool]
    paint: Callable[[QPainter, Canvas, Any], None] = lambda _painter, _canvas, _study: None
    names: Callable[[Canvas, Any], Iterable[BoxName]] = lambda _canvas, _study: ()

    def is_in(self, document: Document, options: ViewOptions) -> bool:
        """Return whether some plane of the document shows the overlay."""
        return any(self.is_shown(seen, options) for seen in document.views)

    @property
    def key(self) -> str:
        """Key of the results in ``frame.studies``. Keys of panels have no such prefix."""
        return f"plane:{self.name}"


write_names = later("plane.paint.names:write_names")
write_pending = later("plane.paint.names:write_pending")
OVERLAYS: dict[str, PlaneOverlay] = {
    overlay.name: overlay
    for overlay in (
        PlaneOverlay(
            "decision",
            "Decision of all machines",
            lambda: LaneStudies(decision_study.DecisionStudyMaker),
            decision_study.is_shown,
            later("plane.paint.decision:draw_hatches"),
        ),
        PlaneOverlay(
            "probability",
            "Probability of the classes",
            probability_study.ProbabilityStudyMaker,
            # The shades are its drawing.
            probability_study.is_shown,
        ),
        PlaneOverlay(
            "hulls",
            "Hulls and their nearest points",
            lambda: LaneStudies(hull_study.HullStudyMaker),
            hull_study.is_shown,
            later("plane.paint.hulls:draw_hulls"),
            later("plane.paint.hulls:names_of_hulls"),
        ),
        PlaneOverlay(
            "line",
            "Your line",
            line_study.LineStudyMaker,
            line_study.is_shown,
            later("plane.paint.user_line:draw_user_line"),
            later("plane.paint.user_line:names_of_user_line"),
        ),
        PlaneOverlay(
            "ridge",
            "Kernel ridge regression",
            other_losses.RidgeStudyMaker,
            other_losses.shows_ridge,
            later("plane.paint.other_losses:draw_ridge"),
            later("plane.paint.other_losses:names_of_ridge"),
        ),
        PlaneOverlay(
            "logistic",
            "Logistic regression",
            lambda: LaneStudies(other_losses.LogisticStudyMaker),
            other_losses.shows_logistic,
            later("plane.paint.other_losses:draw_logistic"),
            later("plane.paint.other_losses:names_of_logistic"),
        ),
    )
}


def studies_for(document: Document, options: ViewOptions) -> dict[str, Study]:
    """Return a new study for each overlay that is shown for a document, by ``overlay.key``."""
    return {
        overlay.key: overlay.make_study()
        for overlay in OVERLAYS.values()
        if overlay.is_in(document, options)
    }


def draw_overlays(painter: QPainter, canvas: Canvas) -> None:
    """Paint the results that the overlays have for the lane in focus, below the points."""
    for overlay, result in _results(canvas):
        if not isinstance(result, Pending):
            overlay.paint(painter, canvas, result)


def names_of_overlays(canvas: Canvas) -> list[BoxName]:
    """Return the names on what :func:`draw_overlays` paints."""
    return [
        name
        for overlay, result in _results(canvas)
        if not isinstance(result, Pending)
        for name in overlay.names(canvas, result)
    ]


def write_overlays(painter: QPainter, canvas: Canvas, names: Iterable[BoxName]) -> None:
    """Write the names, and a note if a result is still being computed, or cannot be."""
    write_names(painter, names, canvas.style)
    for _, result in _results(canvas):
        if isinstance(result, Pending | probability_study.ProbabilityStudy) and result.words:
            write_pending(painter, canvas, result.words)


def _results(canvas: Canvas) -> Iterator[tuple[PlaneOverlay, Any]]:
    """Yield each overlay that is shown with its result for the lane in focus, if it has one.

    No overlay is shown with newer points than those of the frame, which its result belongs to.
    """
    frame = canvas.frame
    if canvas.newest is not None:
        return
    for overlay in OVERLAYS.values():
        results = frame.studies.get(overlay.key) or ()
        if results and overlay.is_shown(frame.document, canvas.style.options):
            result = results[min(frame.focus, len(results) - 1)]
            if result is not None:
                yield overlay, result
