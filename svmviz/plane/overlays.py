"""Pictures over the plane that need more than a lane: one line each.

An overlay has a study, whose results come with every frame while the overlay is shown, and a
function that paints them. So the window, every export and ``svmviz render`` paint the same.
Nothing of Qt is imported until something is painted.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from svmviz.base.background import Pending
from svmviz.base.lazy import later
from svmviz.document.document import Document
from svmviz.document.view_options import ViewOptions
from svmviz.frames.frame import Frame
from svmviz.frames.studies import Study
from svmviz.plane import hull_study

if TYPE_CHECKING:
    from PySide6.QtGui import QPainter

    from svmviz.camera.camera import Camera
    from svmviz.plane.paint.style import Style


@dataclass(frozen=True)
class PlaneOverlay:
    """Something that is painted between the decision function and the points.

    Attributes
    ----------
    name, label : str
    make_study : callable() -> Study
        The study gives one result a lane; None where there is nothing to paint, and Pending while
        it is being worked out.
    shown : callable(Document, ViewOptions) -> bool
        Whether it is wanted, and fits the document.
    paint, name_parts : callable(QPainter, result, Frame, Camera, Style)
        The first paints beneath the points, the second writes names over them.
    """

    name: str
    label: str
    make_study: Callable[[], Study]
    shown: Callable[[Document, ViewOptions], bool]
    paint: Callable[[QPainter, Any, Frame, Camera, Style], None]
    name_parts: Callable[[QPainter, Any, Frame, Camera, Style], None]

    @property
    def key(self) -> str:
        """The name of its results in ``frame.studies``: a panel may have the overlay's own name."""
        return f"plane:{self.name}"


write_pending = later("plane.paint.pending:write_pending")
OVERLAYS: dict[str, PlaneOverlay] = {
    overlay.name: overlay
    for overlay in (
        PlaneOverlay(
            "hulls",
            "Hulls and their nearest points",
            hull_study.HullStudies,
            hull_study.is_shown,
            later("plane.paint.hulls:draw_hulls"),
            later("plane.paint.hulls:name_hulls"),
        ),
    )
}


def studies_for(document: Document, options: ViewOptions) -> dict[str, Study]:
    """What frames of a document have to bring for the overlays that are shown."""
    return {
        overlay.key: overlay.make_study()
        for overlay in OVERLAYS.values()
        if overlay.shown(document, options)
    }


def draw_overlays(
    painter: QPainter, frame: Frame, camera: Camera, style: Style, *, names: bool
) -> None:
    """Paint those that are shown, for the lane in focus, as far as their results have come.

    What they draw lies beneath the points, their ``names`` above them.
    """
    for overlay in OVERLAYS.values():
        results = frame.studies.get(overlay.key) or ()
        if not overlay.shown(frame.document, style.options) or not results:
            continue
        result = results[min(frame.focus, len(results) - 1)]
        if isinstance(result, Pending):
            if names:
                write_pending(painter, result.words, camera, style)
        elif result is not None:
            work = overlay.name_parts if names else overlay.paint
            work(painter, result, frame, camera, style)
