"""The canvas: a frame, where it is painted, and how."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from PySide6.QtCore import QRectF

from solvers.data.datasets import PointSet
from solvers.problem.certificate import Certificate
from svmviz.base.words import axis_units
from svmviz.camera.camera import Camera
from svmviz.document.document import Document
from svmviz.frames.frame import Frame, Lane
from svmviz.plane.paint.roles import PLAIN
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
        yet. They have the role PLAIN.
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
    def has_margin(self) -> bool:
        """Whether the method in focus looks for a margin; the perceptron does not."""
        methods = self.document.methods
        method = methods[min(self.frame.focus, len(methods) - 1)]
        return method.maximizes_margin or self.document.is_regression

    @property
    def roles(self) -> np.ndarray:
        """The roles of the points, keys of ``ROLES``, shape (n,).

        They are PLAIN if it is not known, or not shown, which points are support vectors.
        """
        certificate = self._certificate
        if certificate is None or not self.style.options.rings:
            return np.full(len(self.data), PLAIN)
        return certificate.kinds

    @property
    def wrong(self) -> np.ndarray:
        """The points on the wrong side of the boundary, a mask, shape (n,).

        It has none if the boundary is hidden, as it may be by a lesson, and in regression.
        """
        certificate = self._certificate
        if certificate is None or self.document.is_regression or not self.style.options.contours:
            return np.zeros(len(self.data), dtype=bool)
        return certificate.slack > 1.0

    @property
    def _certificate(self) -> Certificate | None:
        return self.lane.certificate if self.lane is not None else None

    @property
    def plot(self) -> QRectF:
        """The rectangle of the plot, in px."""
        camera = self.camera
        return QRectF(camera.left, camera.top, camera.plot_width, camera.plot_height)

    def with_style(self, **changes: object) -> Self:
        """Return the canvas with another style."""
        return replace(self, style=replace(self.style, **changes))

    def with_sizes(self) -> Self:
        """Return the canvas with the size of its marks, the units of its axes, and its outlines."""
        style, theme = self.style, self.style.theme
        (_, across), (_, up) = axis_units(self.data)
        is_race = len(self.document.methods) > 1
        return self.with_style(
            size=style.size_for(self.data, self.camera),
            units=(across, up),
            outline=theme.series[self.frame.focus % len(theme.series)] if is_race else "",
        )
