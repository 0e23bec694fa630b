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
from svmviz.colours.themes import with_sides
from svmviz.document.document import Document
from svmviz.document.held_out import TRAINING
from svmviz.document.many_classes import FIRST_MARK, LEFT_OUT_MARK, OWN_MARK
from svmviz.frames.frame import Frame, Lane
from svmviz.plane import decision_study, probability_study
from svmviz.plane.paint.roles import PLAIN
from svmviz.plane.paint.style import Style

# The marks of two classes, which are their labels.
LABELS = (-1, 1)


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
    newest : Document, optional
        A document whose points are drawn instead of those of the frame, if no frame of it exists
        yet. They have the role PLAIN.
    """

    frame: Frame
    camera: Camera
    style: Style
    newest: Document | None = None

    @property
    def document(self) -> Document:
        """The document of the frame."""
        return self.frame.document

    @property
    def data(self) -> PointSet:
        """The points to draw."""
        return self.drawn.data

    @property
    def drawn(self) -> Document:
        """The document whose points are drawn."""
        return self.frame.document if self.newest is None else self.newest

    @property
    def marks(self) -> np.ndarray:
        """The mark of each point (:mod:`svmviz.document.many_classes`), shape (n,)."""
        return self.shown_marks(self.drawn.marks)

    def shown_marks(self, marks: np.ndarray) -> np.ndarray:
        """Return marks as they are drawn: beside the decision, in the colours of the classes."""
        if self.drawn.many is None or not self.style.options.decision:
            return marks
        is_left_out = marks >= LEFT_OUT_MARK
        return OWN_MARK + np.where(is_left_out, marks - LEFT_OUT_MARK, np.abs(marks) - FIRST_MARK)

    @property
    def mark_kinds(self) -> tuple[int, ...]:
        """All marks that points may have, ascending."""
        many = self.drawn.many
        if many is None:
            return LABELS
        return tuple(sorted(self.shown_marks(many.mark_of_class).tolist()))

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

        It has none if the boundary is hidden, as it may be by a lesson, and in regression. Beside
        the decision it has the points that are decided wrongly.
        """
        if self.decided_wrongly is not None and self.drawn.many is not None:
            return self.decided_wrongly[self.drawn.many.rows(TRAINING)]
        certificate = self._certificate
        if certificate is None or self.document.is_regression or not self.style.options.contours:
            return np.zeros(len(self.data), dtype=bool)
        return certificate.slack > 1.0

    @property
    def decision(self) -> decision_study.DecisionStudy | None:
        """The decision that is shown in place of the machine looked at, or None."""
        if not decision_study.is_shown(self.document, self.style.options):
            return None
        return decision_study.decision_of(self.frame)

    @property
    def probability(self) -> probability_study.ProbabilityStudy | None:
        """The curve by whose probability the plane is shaded, or None."""
        if not self.shows_probability:
            return None
        return probability_study.probability_of(self.frame)

    @property
    def shows_probability(self) -> bool:
        """Whether the plane is shaded by the probability, if that is known or not."""
        return probability_study.is_shown(self.document, self.style.options)

    @property
    def decided_wrongly(self) -> np.ndarray | None:
        """Which points of all parts and classes the machines together decide wrongly, a mask.

        None if the canvas does not show the decision. The mask has none while the decision is not
        known, and if the boundaries are hidden.
        """
        many, options = self.drawn.many, self.style.options
        if many is None or not decision_study.is_shown(self.drawn, options):
            return None
        study = self.decision
        if self.lane is None or study is None or study.decided is None or not options.contours:
            return np.zeros(len(many.data), dtype=bool)
        return study.decided != many.data.classes

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
        """Return the canvas with the size of its marks, the units of its axes, and its colours."""
        probability = self.probability
        style, theme = self.style, with_sides(self.style.theme, *self.drawn.sides)
        (_, across), (_, up) = axis_units(self.data)
        is_race = len(self.document.methods) > 1
        return self.with_style(
            theme=theme,
            size=style.size_for(self.data, self.camera),
            units=(across, up),
            outline=theme.series[self.frame.focus % len(theme.series)] if is_race else "",
            sigmoid=probability and probability.sigmoid,
        )
