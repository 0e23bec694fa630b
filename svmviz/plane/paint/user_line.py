"""The user's line: w, its street, the best street, parallels, distances, nearest pairs."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from PySide6.QtCore import QLineF, QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from solvers.geometry.lines import Line
from svmviz.base.bulk_drawing import draw_lines
from svmviz.base.words import number
from svmviz.plane.line_study import LineStudy
from svmviz.plane.paint.canvas import Canvas
from svmviz.plane.paint.lines import direction_of, draw_arrow, ends_of, visible_places
from svmviz.plane.paint.names import BoxName, name_beside
from svmviz.plane.paint.point_shapes import class_colours
from svmviz.plane.paint.style import faded

# Maximum number of parallels that are drawn; their points are chosen evenly.
MAX_PARALLELS = 300
# Length of the arrow w, as a fraction of the smaller side of the plot, and of its head, px.
ARROW_SHARE, ARROW_HEAD = 0.16, 11.0
# Places where the arrow may begin, as fractions of the visible part of the line, and minimum
# distance of points from the front half of the arrow, px at scale 1.
FEET, CLEAR = (0.5, 0.35, 0.65, 0.25, 0.75), 12.0
# Side of the square that marks a right angle, px at scale 1.
RIGHT_ANGLE = 9.0


def draw_user_line(painter: QPainter, canvas: Canvas, study: LineStudy) -> None:
    """Paint the line and what the user has switched on beside it, below the points."""
    picture = _Picture(painter, canvas, study)
    parts = study.user_line.parts
    if parts.best and picture.shows_best:
        picture.draw_best()
    if parts.street:
        picture.draw_street()
    if parts.parallels:
        picture.draw_parallels()
    if parts.pair:
        picture.draw_pairs()
    picture.draw_line(study.line, picture.colour, 3.0)
    picture.draw_feet()
    if parts.normal:
        picture.draw_normal()


def names_of_user_line(canvas: Canvas, study: LineStudy) -> list[BoxName]:
    """Return the names of w, of strong parallels and of distances."""
    places = _Places(canvas, study)
    parts = study.user_line.parts
    return [
        *(places.names_of_parallels() if parts.parallels else ()),
        *(places.names_of_pairs() if parts.pair else ()),
        *places.names_of_feet(),
        *(places.names_of_normal() if parts.normal else ()),
    ]


class _Places:
    """The places of what is drawn, px, and the names beside them."""

    def __init__(self, canvas: Canvas, study: LineStudy) -> None:
        self.canvas, self.study = canvas, study
        self.camera, self.style = canvas.camera, canvas.style
        self.factors = canvas.document.factors
        # Of the other lines in the plane, only the boundary of the nu-SVM has this colour.
        self.colour = self.style.theme.series[1]
        # A lesson that hides f hides the margins, and with them the widest street, which is theirs.
        self.shows_best = canvas.style.options.contours

    def pixels(self, places: np.ndarray) -> np.ndarray:
        """Return places in solver units as px."""
        return self.camera.to_pixels(np.atleast_2d(places) * self.factors)

    def ends(self, line: Line) -> np.ndarray:
        return ends_of(self.canvas, line)

    def inside(self, line: Line) -> np.ndarray:
        """Return places of the visible part of a line, px, shape (m, 2)."""
        return visible_places(self.canvas, *self.ends(line))

    @property
    def arrow(self) -> tuple[np.ndarray, np.ndarray] | None:
        """Foot and tip of the arrow w, px; None if no part of the line is visible.

        Points are painted above the arrow. So the foot is at the first of the places FEET where no
        point hides the head; at the first place of all if there is none.
        """
        study, inside = self.study, self.inside(self.study.line)
        if not len(inside):
            return None
        plot = self.canvas.plot
        length = ARROW_SHARE * min(plot.width(), plot.height())
        place = study.line.offset * study.line.unit
        start, towards = self.pixels(np.array([place, place + study.line.unit]))
        direction = direction_of(start, towards)
        points = self.pixels(study.points)
        feet = inside[[int(share * (len(inside) - 1)) for share in FEET]]
        # Distances of all points from the front half of the arrow at each place.
        offsets = points - feet[:, None]
        along = np.clip(offsets @ direction, 0.5 * length, length)
        distances = np.hypot(*np.moveaxis(offsets - along[..., None] * direction, -1, 0))
        is_clear = distances.min(axis=1, initial=np.inf) > CLEAR * self.style.scale
        foot = feet[int(is_clear.argmax())]
        return foot, foot + length * direction

    @property
    def feet(self) -> list[tuple[np.ndarray, np.ndarray, str]]:
        """Places with their feet on the line, in solver units, and the words on their distances."""
        study, hovered, parts = self.study, self.style.hovered, self.study.user_line.parts
        line, measured = study.line, []
        left, right, bottom, top = self.camera.view
        if parts.origin and left < 0.0 < right and bottom < 0.0 < top:
            measured.append((np.zeros(2), f"|b| / ‖w‖ = {number(abs(line.offset))}"))
        if parts.foot and hovered is not None and hovered < len(study.points):
            distance = float(study.values[hovered]) / line.norm
            measured.append((study.points[hovered], f"f / ‖w‖ = {number(distance)}"))
        return [(place, line.feet(place[None, :])[0], words) for place, words in measured]

    def names_of_parallels(self) -> Iterator[BoxName]:
        """Yield the names of B+ and B-, the parallels at the gap, near their upper ends."""
        study = self.study
        if study.gap is None:
            return
        distances = study.line.distances(study.points)
        outwards = 1.0 if study.gap.margin > 0.0 else -1.0
        for index, name, side in (
            (study.gap.high_index, "B₊", outwards),
            (study.gap.low_index, "B₋", -outwards),
        ):
            inside = self.inside(_shifted(study.line, float(distances[index])))
            if len(inside):
                towards = self.pixels(np.array([study.line.unit, np.zeros(2)]))
                across = towards[0] - towards[1]
                across = side * across / (math.hypot(*across) or 1.0)
                share = 0.08 if inside[0, 1] < inside[-1, 1] else 0.92
                yield self._name(name, inside[int(share * (len(inside) - 1))], across)

    def names_of_pairs(self) -> Iterator[BoxName]:
        """Yield the distances of the nearest points and of the nearest points of the hulls."""
        study = self.study
        pair = None if study.pair is None else study.points[list(study.pair)]
        hull_pair = study.hull_pair if self.shows_best else None
        for places, side in ((pair, -1.0), (hull_pair, 1.0)):
            if places is None:
                continue
            start, end = self.pixels(places)
            along = direction_of(start, end)
            across = np.array([along[1], -along[0]])
            # The text is left of the first pair and right of the second, unless they are
            # horizontal.
            across = side * (across if across[0] >= 0.0 else -across)
            words = number(float(math.hypot(*(places[0] - places[1]))))
            yield self._name(words, 0.5 * (start + end), across)

    def names_of_normal(self) -> Iterator[BoxName]:
        arrow = self.arrow
        if arrow is not None:
            foot, tip = arrow
            along = direction_of(foot, tip)
            place = tip + 11.0 * self.style.scale * along
            yield self._name("w", place, np.zeros(2), self.colour)

    def names_of_feet(self) -> Iterator[BoxName]:
        for place, foot, words in self.feet:
            start, end = self.pixels(np.array([place, foot]))
            along = direction_of(start, end)
            yield self._name(words, 0.5 * (start + end), np.array([along[1], -along[0]]))

    def _name(self, words: str, place: np.ndarray, beside: np.ndarray, colour: str = "") -> BoxName:
        return name_beside(self.canvas, words, place, beside, colour)


class _Picture(_Places):
    """The places, with a painter."""

    def __init__(self, painter: QPainter, canvas: Canvas, study: LineStudy) -> None:
        super().__init__(canvas, study)
        self.painter = painter

    # Lines.

    def draw_line(
        self,
        line: Line,
        colour: str | QColor,
        width: float,
        dashes: Qt.PenStyle = Qt.PenStyle.SolidLine,
    ) -> None:
        self._set_pen(colour, width, dashes)
        (x, y), (to_x, to_y) = self.ends(line).tolist()
        self.painter.drawLine(QLineF(x, y, to_x, to_y))

    def draw_best(self) -> None:
        """Draw the widest street in grey, if a line separates the classes."""
        best, margin = self.study.best, self.study.best_margin
        if best is None or margin is None or margin <= 0.0:
            return
        grey = faded(self.style.theme.muted, 0.9)
        self._fill_between(best, margin, faded(self.style.theme.muted, 0.13))
        for side in (-1.0, 1.0):
            self.draw_line(_shifted(best, side * margin), grey, 1.0, Qt.PenStyle.DashLine)
        self.draw_line(best, grey, 1.75)

    def draw_street(self) -> None:
        margin = self.study.margin
        if not margin > 0.0:
            return
        line = self.study.line
        self._fill_between(line, margin, faded(self.colour, 0.12))
        for side in (-1.0, 1.0):
            self.draw_line(_shifted(line, side * margin), self.colour, 1.25, Qt.PenStyle.DashLine)

    def draw_parallels(self) -> None:
        study = self.study
        chosen = np.arange(len(study.points))
        if len(chosen) > MAX_PARALLELS:
            chosen = np.linspace(0, len(chosen) - 1, MAX_PARALLELS).astype(int)
        distances = study.line.distances(study.points)
        for side in (1.0, -1.0):
            rows = chosen[study.labels[chosen] == side]
            lines = [self.ends(_shifted(study.line, float(d))).ravel() for d in distances[rows]]
            colour = class_colours(self.style.theme, int(side))[0]
            # Many parallels are fainter, so that they do not hide the field.
            opacity = min(0.45, max(0.1, 8.0 / len(chosen)))
            self._set_pen(faded(colour, opacity), 1.0)
            if lines:
                draw_lines(self.painter, np.array(lines))
        if study.gap is not None:
            for index, side in ((study.gap.high_index, 1), (study.gap.low_index, -1)):
                edge = class_colours(self.style.theme, side)[1]
                self.draw_line(_shifted(study.line, float(distances[index])), edge, 2.25)

    def draw_pairs(self) -> None:
        study, theme = self.study, self.style.theme
        if study.pair is not None:
            self._draw_segment(study.points[list(study.pair)], theme.text, Qt.PenStyle.DotLine)
        if study.hull_pair is not None and self.shows_best:
            self._draw_segment(study.hull_pair, theme.text, Qt.PenStyle.SolidLine)

    # w, and distances.

    def draw_normal(self) -> None:
        arrow = self.arrow
        if arrow is None:
            return
        foot, tip = arrow
        draw_arrow(self.painter, np.array(arrow), self.style, {self.colour: 2.75}, ARROW_HEAD)
        self._draw_right_angle(foot, direction_of(foot, tip))

    def draw_feet(self) -> None:
        for place, foot, _words in self.feet:
            start, end = self.pixels(np.array([place, foot]))
            self._set_pen(self.style.theme.text, 1.75)
            self.painter.drawLine(_point(start), _point(end))
            length = math.hypot(*(start - end))
            if length > 2.5 * RIGHT_ANGLE * self.style.scale:
                self._draw_right_angle(end, (start - end) / length)
            self._dot(start, 3.0)
            self._dot(end, 3.0)

    # Strokes.

    def _set_pen(
        self, colour: str | QColor, width: float, dashes: Qt.PenStyle = Qt.PenStyle.SolidLine
    ) -> None:
        pen = QPen(self.style.pen(colour, width))
        pen.setStyle(dashes)
        self.painter.setPen(pen)

    def _fill_between(self, line: Line, distance: float, colour: QColor) -> None:
        low, high = (self.ends(_shifted(line, side * distance)) for side in (-1.0, 1.0))
        self.painter.setPen(Qt.PenStyle.NoPen)
        self.painter.setBrush(colour)
        corners = [*low, *high[::-1]]
        self.painter.drawPolygon(QPolygonF([_point(corner) for corner in corners]))

    def _draw_segment(self, places: np.ndarray, colour: str, dashes: Qt.PenStyle) -> None:
        start, end = self.pixels(places)
        self._set_pen(colour, 2.5, dashes)
        self.painter.drawLine(_point(start), _point(end))
        for place in (start, end):
            self._dot(place, 3.5, colour)

    def _draw_right_angle(self, corner: np.ndarray, along: np.ndarray) -> None:
        """Mark the right angle of the line and a perpendicular, if it is right on screen."""
        line = direction_of(*self.ends(self.study.line))
        if abs(float(line @ along)) > 0.02:
            return
        side = RIGHT_ANGLE * self.style.scale
        corners = (corner + side * line, corner + side * (line + along), corner + side * along)
        self._set_pen(self.style.theme.text, 1.25)
        self.painter.setBrush(Qt.BrushStyle.NoBrush)
        self.painter.drawPolyline(QPolygonF([_point(place) for place in corners]))

    def _dot(self, place: np.ndarray, radius: float, colour: str | None = None) -> None:
        self.painter.setPen(Qt.PenStyle.NoPen)
        self.painter.setBrush(QColor(colour or self.style.theme.text))
        size = radius * self.style.scale
        self.painter.drawEllipse(_point(place), size, size)


def _shifted(line: Line, distance: float) -> Line:
    """Return the parallel at a signed distance, in the direction of w."""
    return Line(line.w, line.b - distance * line.norm)


def _point(place: np.ndarray) -> QPointF:
    return QPointF(*place.tolist())
