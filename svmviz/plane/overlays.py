"""Registry of overlays: drawings on the plane that need results which a lane does not have.

An overlay has a study and two painting functions. The first paints the results of the study before
the points are painted. The second writes names after the points are painted. While the overlay is
shown, every frame has the results of the study. So the window, every export and ``svmviz render``
paint the same picture. The painting functions, and Qt with them, are imported when they are first
called.
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
from svmviz.plane import hull_study, line_study

if TYPE_CHECKING:
    from PySide6.QtGui import QPainter

    from svmviz.camera.camera import Camera
    from svmviz.plane.paint.style import Style


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
    paint : callable(QPainter, result, Frame, Camera, Style)
        Paints a result, before the points are painted.
    name_parts : callable(QPainter, result, Frame, Camera, Style)
        Writes names on parts of the drawing, after the points are painted.
    """

    name: str
    label: str
    make_study: Callable[[], Study]
    is_shown: Callable[[Document, ViewOptions], bool]
    paint: Callable[[QPainter, Any, Frame, Camera, Style], None]
    name_parts: Callable[[QPainter, Any, Frame, Camera, Style], None]

    @property
    def key(self) -> str:
        """Key of the results in ``frame.studies``. Keys of panels have no such prefix."""
        return f"plane:{self.name}"


write_pending = later("plane.paint.pending:write_pending")
OVERLAYS: dict[str, PlaneOverlay] = {
    overlay.name: overlay
    for overlay in (
        PlaneOverlay(
            "hulls",
            "Hulls and their nearest points",
            hull_study.HullStudyMaker,
            hull_study.is_shown,
            later("plane.paint.hulls.hulls:draw_hulls"),
            later("plane.paint.hulls.hulls:name_hulls"),
        ),
        PlaneOverlay(
            "line",
            "A line of one's own",
            line_study.LineStudyMaker,
            line_study.is_shown,
            later("plane.paint.own_line:draw_own_line"),
            later("plane.paint.own_line:name_own_line"),
        ),
    )
}


def studies_for(document: Document, options: ViewOptions) -> dict[str, Study]:
    """Return a new study for each overlay that is shown for a document, by ``overlay.key``."""
    return {
        overlay.key: overlay.make_study()
        for overlay in OVERLAYS.values()
        if overlay.is_shown(document, options)
    }


def draw_overlays(
    painter: QPainter, frame: Frame, camera: Camera, style: Style, *, names: bool
) -> None:
    """Paint the results that the overlays have for the lane in focus.

    Call this with ``names=False`` before the points are painted, and with ``names=True`` after the
    points are painted. If a result is still being computed, the second call writes a note.
    """
    for overlay in OVERLAYS.values():
        results = frame.studies.get(overlay.key) or ()
        if not overlay.is_shown(frame.document, style.options) or not results:
            continue
        result = results[min(frame.focus, len(results) - 1)]
        if isinstance(result, Pending):
            if names:
                write_pending(painter, result.words, camera, style)
        elif result is not None:
            paint = overlay.name_parts if names else overlay.paint
            paint(painter, result, frame, camera, style)
