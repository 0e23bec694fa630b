"""Two vectors to be dragged: lengths, angle, inner product, and the projection of one."""

from __future__ import annotations

import math

import numpy as np

from svmviz.base.words import number
from svmviz.widgets.charts.chart_painter import DASHED, DOTTED, ChartPainter
from svmviz.widgets.value_rows import KeyValue
from svmviz.window.help.tried_picture import TriedPicture

# Preferred height of the chart, px at scale 1, and its ranges.
HEIGHT = 190.0
RANGES = (-3.4, 3.4), (-1.2, 2.2)
# Diameter of the disc around the end of a vector, by which it is dragged, px at scale 1.
HALO, HALO_OPACITY = 22.0, 0.22
# Numbers below the chart: key, name, and tip.
ROWS = (
    ("lengths", "‖v‖, ‖w‖", "The root of the sum of squared coordinates."),
    ("inner", "⟨v, w⟩", "The sum of the products of coordinates."),
    ("angle", "angle θ", "Its cosine is ⟨v, w⟩ / (‖v‖ ‖w‖)."),
    ("factor", "⟨v, w⟩ / ‖v‖²", "The projection of w onto v is this multiple of v."),
    ("projection", "projection", "The point of the line through v that is nearest to w."),
)


class VectorPicture(TriedPicture):
    """Two vectors, and the projection of the second onto the line through the first.

    Parameters
    ----------
    title : str
        Description for screen readers.

    Attributes
    ----------
    chart : HandleChart
        Its two handles are the ends of the vectors.
    """

    def __init__(self, title: str) -> None:
        super().__init__(title)
        # Coordinates are rounded to tenths, so that the numbers can be checked on paper.
        self.chart = self.add_chart(
            self._draw, "Vectors v and w", RANGES, height=HEIGHT, per_unit=10
        )
        self.chart.handles = np.array([[2.5, 0.5], [1.0, 2.0]])
        self.numbers = self.add(KeyValue(ROWS, "(−0.00, −0.00), (−0.00, −0.00)"))
        self.chart.changed.connect(self._show_numbers)
        self._show_numbers()

    @property
    def inner(self) -> float:
        """The inner product of the two vectors."""
        return float(self.chart.handles[0] @ self.chart.handles[1])

    @property
    def lengths(self) -> tuple[float, float]:
        """The lengths of both vectors."""
        first, second = self.chart.handles.tolist()
        return math.hypot(*first), math.hypot(*second)

    @property
    def angle(self) -> float:
        """The angle between the vectors in degrees; NaN if one of them is 0."""
        if 0.0 in self.lengths:
            return math.nan
        (a, b), (c, d) = self.chart.handles.tolist()
        # The arc cosine would be inexact near 0 and 180 degrees.
        return math.degrees(math.atan2(abs(a * d - b * c), self.inner))

    @property
    def factor(self) -> float:
        """The multiple of the first vector that is the projection; NaN if the vector is 0."""
        squared = float(self.chart.handles[0] @ self.chart.handles[0])
        return self.inner / squared if squared else math.nan

    def _show_numbers(self) -> None:
        first, second = self.chart.handles
        (a, b), (c, d) = ((_factor(x), _factor(y)) for x, y in (first, second))
        has_no_line = math.isnan(self.factor)
        products = f"{a}·{c} + {b}·{d}"
        self.numbers.set_values(
            {
                "lengths": ", ".join(number(length) for length in self.lengths),
                "inner": f"{products} = {number(round(self.inner, 9))}",
                "angle": "–" if math.isnan(self.angle) else f"{number(self.angle, 3)}°",
                "factor": number(round(self.factor, 9)),
                "projection": "–: v is 0" if has_no_line else _pair(self.factor * first),
            }
        )

    def _draw(self, paint: ChartPainter) -> None:
        theme, (first, second) = paint.theme, self.chart.handles
        if not math.isnan(self.factor):
            foot = self.factor * first
            far = 20.0 * first / self.lengths[0]
            paint.curve(np.array([-far, far]), theme.muted, 1.0, DOTTED)
            paint.curve(np.array([second, foot]), theme.muted, 1.5, DASHED)
            paint.right_angle(foot, -first if self.factor > 0.0 else first, second - foot)
        for vector, colour in zip((first, second), theme.series[:2], strict=True):
            paint.dots(vector[None], colour, HALO, opacity=HALO_OPACITY)
            paint.arrow((0.0, 0.0), vector, colour, 2.5)
        if not math.isnan(self.factor):
            paint.arrow((0.0, 0.0), self.factor * first, theme.highlight, 4.0)
        for vector, name, colour in zip((first, second), "vw", theme.series[:2], strict=True):
            paint.text(name, vector, colour, (15.0, -9.0))


def _pair(vector: np.ndarray) -> str:
    return "({}, {})".format(*(number(round(float(x), 9), 3) for x in vector))


def _factor(value: float) -> str:
    """Return a number as it is written in a product: a negative one in brackets."""
    return f"({number(value)})" if value < 0.0 else number(value)
