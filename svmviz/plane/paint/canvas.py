"""The canvas: a frame, where it is painted, and how."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from PySide6.QtCore import QRectF

from solvers.data.datasets import PointSet
from solvers.problem.certificate import ZERO
from svmviz.base.words import axis_units
from svmviz.camera.camera import Camera
from svmviz.document.document import Document
from svmviz.frames.frame import Frame, Lane
from svmviz.plane.paint.ink import ink_of, with_rings
from svmviz.plane.paint.style import Style


@dataclass(frozen=True, eq=False)
class Canvas:
    """A frame with the camera and the style that turn it into a picture.

    Functions that paint on the plane take a painter and a canvas, whatever the device is. The
    painter is separate, since places and names are computed before there is one, and since the TeX
    export paints each layer with another painter.

    Attributes
    ----------
    frame : Frame
    camera : Camera
        Its margins hold the axes and the legend.
    style : Style
    newest : PointSet, optional
        Points to draw instead of the points of the frame, if no frame of the newest points exists
        yet. They have no rings, since it is not known which of them are support vectors.
    """

    frame: Frame
    camera: Camera
    style: Style
    newest: PointSet | None = None

    @property
    def document(self) -> Document:
        """The document of the frame."""
        return self.frame.document

    @property
    def data(self) -> PointSet:
        """The points to draw."""
        return self.frame.document.data if self.newest is None else self.newest

    @property
    def lane(self) -> Lane | None:
        """The lane in focus if it belongs to the points to draw."""
        return self.frame.lane if self.newest is None else None

    @property
    def kinds(self) -> np.ndarray:
        """The kinds of the points, which determine their rings, shape (n,).

        They are constants of ``solvers.problem.certificate``. Without rings all are ZERO.
        """
        if self.lane is None or not self.style.options.rings:
            return np.full(len(self.data), ZERO)
        return self.lane.certificate.kinds

    @property
    def plot(self) -> QRectF:
        """The rectangle of the plot, in px."""
        camera = self.camera
        return QRectF(camera.left, camera.top, camera.plot_width, camera.plot_height)

    def with_style(self, **changes: object) -> Self:
        """Return the canvas with another style."""
        return replace(self, style=replace(self.style, **changes))

    def with_marks(self) -> Self:
        """Return the canvas with marks whose sizes suit the density of the points."""
        style = self.style
        return self.with_style(ink=ink_of(self.data, self.camera, style.scale, style.marks))

    def with_ink(self) -> Self:
        """Return the canvas with marks and rings for its points, and the units of the axes."""
        marked = self.with_marks()
        ringed = self.data.points[self.kinds != ZERO]
        ink = with_rings(marked.style.ink, ringed, self.camera, self.style.scale)
        (_, across), (_, up) = axis_units(self.data)
        return self.with_style(ink=ink, units=(across, up))
