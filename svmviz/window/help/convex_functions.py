"""Functions of one number: convex ones by their names, concave ones, and one that is neither."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from solvers.data.datasets import DATASETS
from solvers.problem.losses import LOSSES, Loss
from solvers.problem.slices import Slice
from svmviz.widgets.charts.chord_chart import Curve
from svmviz.widgets.charts.plot_area import Range


@dataclass(frozen=True)
class LossCurve:
    """A loss of z, plus ``weight / 2 z^2``."""

    loss: Loss
    weight: float = 0.0

    def values(self, z: np.ndarray) -> np.ndarray:
        """Return the value at each z, shape (m,)."""
        return self.loss.values(z, 0.0) + 0.5 * self.weight * z * z

    def slopes(self, z: np.ndarray) -> np.ndarray | None:
        """Return the slopes left and right of each z, shape (2, m); None if it is not convex."""
        if self.loss.slopes is None:
            return None
        return self.loss.slopes(z, 0.0) + self.weight * z

    def kinks(self) -> np.ndarray:
        """Return the places where the slope or the value jumps, shape (k,)."""
        return np.array(self.loss.kinks(0.0))


@dataclass(frozen=True)
class SmoothCurve:
    """A function with a derivative."""

    function: Callable[[np.ndarray], np.ndarray]
    derivative: Callable[[np.ndarray], np.ndarray]
    is_convex: bool = True

    def values(self, x: np.ndarray) -> np.ndarray:
        """Return the value at each x, shape (m,)."""
        return self.function(x)

    def slopes(self, x: np.ndarray) -> np.ndarray | None:
        """Return the slopes left and right of each x, shape (2, m); None if it is not convex."""
        return np.tile(self.derivative(x), (2, 1)) if self.is_convex else None

    def kinks(self) -> np.ndarray:
        """Return an empty array."""
        return np.zeros(0)


def power(exponent: float) -> SmoothCurve:
    """Return ``x^a`` for x > 0: convex unless 0 < a < 1, and concave if 0 <= a <= 1."""
    return SmoothCurve(
        lambda x: x**exponent,
        lambda x: exponent * x ** (exponent - 1.0),
        not 0.0 < exponent < 1.0,
    )


def example_slice() -> Slice:
    """Return P of 40 points along the line from w = 0 to the difference of the class means."""
    data = DATASETS["gaussians"].generate(40, 0.9, 0)
    y = data.labels.astype(np.float64)
    plus, minus = (data.points[y * side > 0].mean(axis=0) for side in (1, -1))
    w = plus - minus
    change = y * ((data.points - 0.5 * (plus + minus)) @ w)
    return Slice(
        (0.0, 0.0, float(w @ w)),
        np.zeros(len(y)),
        change,
        1.0,
        0.0,
        np.ones(len(y)),
        LOSSES["hinge"],
    )


@dataclass(frozen=True)
class ShownFunction:
    """A function that can be chosen.

    Attributes
    ----------
    key, title : str
    names : (str, str)
        Names of the axes.
    limits : (float, float)
        Range of the horizontal axis.
    curve : Curve
    is_concave : bool
        Whether the negative function is convex.
    """

    key: str
    title: str
    names: tuple[str, str]
    limits: Range
    curve: Curve
    is_concave: bool = False


# The exponent that is shown first.
SQUARE = 2.0
_LOSS_RANGE = (-2.0, 3.0)
FUNCTIONS: dict[str, ShownFunction] = {
    shown.key: shown
    for shown in (
        ShownFunction("hinge", "Hinge", ("z", "hinge"), _LOSS_RANGE, LossCurve(LOSSES["hinge"])),
        ShownFunction("zero-one", "0-1 loss", ("z", "0-1 loss"), _LOSS_RANGE,
                      LossCurve(LOSSES["zero-one"])),
        ShownFunction("sum", "Sum of hinge and square", ("z", "hinge + ¼ z²"), _LOSS_RANGE,
                      LossCurve(LOSSES["hinge"], 0.5)),
        ShownFunction("P", "P of 40 points along a line", ("t, along a line", "P"), (-0.3, 1.2),
                      example_slice()),
        ShownFunction("exp", "Exponential, eˣ", ("x", "eˣ"), (-2.0, 2.0),
                      SmoothCurve(np.exp, np.exp)),
        ShownFunction("minus-log", "Negative logarithm, −log x", ("x > 0", "−log x"), (0.05, 4.0),
                      SmoothCurve(lambda x: -np.log(x), lambda x: -1.0 / x)),
        ShownFunction("power", "Power, xᵃ", ("x > 0", "xᵃ"), (0.2, 2.0), power(SQUARE)),
        ShownFunction("log-sum-exp", "Log-sum-exp, log(eˣ + e⁰)", ("x", "log(eˣ + e⁰)"),
                      (-4.0, 4.0), SmoothCurve(
                          lambda x: np.logaddexp(x, 0.0), lambda x: 1 / (1 + np.exp(-x))
                      )),
        ShownFunction("log", "Logarithm, log x", ("x > 0", "log x"), (0.05, 4.0),
                      SmoothCurve(np.log, lambda x: 1.0 / x, False), True),
        ShownFunction("log-det", "Log det, log det (2 x; x 1)", ("x", "log det (2 x; x 1)"),
                      (-1.38, 1.38), SmoothCurve(
                          lambda x: np.log(2.0 - x * x), lambda x: -2.0 * x / (2.0 - x * x), False
                      ), True),
    )
}  # fmt: skip
