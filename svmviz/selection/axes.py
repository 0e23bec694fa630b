"""Axes of a map of risks: each is a parameter of the model, with the values to train with."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from solvers import BadInput, Kernel
from solvers.settings import Setting, settings_of
from svmviz.base.words import number
from svmviz.camera.ticks import linear_ticks, log_ticks
from svmviz.document.document import Document, Penalty

# Maximum number of values of an axis.
MAX_VALUES = 41
# Default number of values of a logarithmic axis and of an axis of integers.
DEFAULT_COUNT = 15
# Default number of values of other linear axes.
DEFAULT_LINEAR_COUNT = 11
# Default first and last value of the axis of C; then those of the axis of epsilon.
C_RANGE = 1e-2, 1e4
EPSILON_RANGE = 1e-3, 1.0


@dataclass(frozen=True)
class Axis:
    """A parameter and its values on the map.

    Attributes
    ----------
    name : str
        "C", "epsilon" or a setting of the kernel.
    label : str
        The symbol of the parameter.
    low, high : float
        First and last value.
    count : int
        Number of values.
    logarithmic : bool
        Whether the ratio of neighbouring values is constant. If not, their difference is constant.
    is_integer : bool
        Whether the values are integers.
    """

    name: str
    label: str
    low: float
    high: float
    count: int = DEFAULT_COUNT
    logarithmic: bool = True
    is_integer: bool = False

    def check(self) -> None:
        """Raise BadInput if the first or last value or the number of values is not valid."""
        name = self.label
        if not (math.isfinite(self.low) and math.isfinite(self.high)):
            raise BadInput(f"The first and the last {name} must be finite.")
        if self.low > self.high:
            raise BadInput(f"The first {name} is above the last: {self.low:g} and {self.high:g}.")
        if self.logarithmic and self.low <= 0.0:
            raise BadInput(f"The first {name} must be above 0: got {self.low:g}.")
        if not 1 <= self.count <= MAX_VALUES:
            raise BadInput(
                f"The number of values of {name} must be from 1 to {MAX_VALUES}:"
                f" got {self.count:,}."
            )
        if self.is_integer and (self.low != round(self.low) or self.high != round(self.high)):
            raise BadInput(
                f"The first and the last {name} must be whole numbers: got {self.low:g} and"
                f" {self.high:g}."
            )

    @cached_property
    def values(self) -> list[float]:
        """The values, ascending."""
        if self.count == 1 or self.low == self.high:
            return [self.low]
        if self.logarithmic:
            # Rounding to 6 digits makes powers of ten exact, such as 0.1 instead of 0.09999999.
            powers = np.linspace(math.log10(self.low), math.log10(self.high), self.count)
            inner = [float(f"{10.0**power:.6g}") for power in powers[1:-1].tolist()]
            return [self.low, *inner, self.high]
        values = np.linspace(self.low, self.high, self.count)
        if self.is_integer:
            return sorted({float(round(value)) for value in values.tolist()})
        return [float(f"{value:.6g}") for value in values.tolist()]

    def ticks(self, most: float) -> list[tuple[float, str]]:
        """Return about ``most`` ticks, each as its :meth:`position` and its text."""
        if self.low == self.high:
            return [(0.0, number(self.low, 3))]
        if self.logarithmic:
            powers = log_ticks(math.log10(self.low), math.log10(self.high), int(most))
            ticks = [(10.0**power, text) for power, text in powers.pairs if text]
        else:
            ticks = linear_ticks(self.low, self.high, int(most), whole=self.is_integer).pairs
        positions = [(self.position(value), text) for value, text in ticks]
        return [(position, text) for position, text in positions if position is not None]

    def position(self, value: float) -> float | None:
        """Return the position of a value on the axis, or None if the value is not on the map.

        The position is the index in ``values``, with fractions between two values. Each value is in
        the middle of a cell of the map, so the first and the last cell extend half a cell beyond
        the first and the last value. Positions from -0.5 to ``len(values) - 0.5`` are on the map.
        """
        nodes = self.values
        if self.logarithmic:
            if not 0.0 < value < math.inf:
                return None
            value, nodes = math.log(value), [math.log(node) for node in nodes]
        # The logarithms of two values may be equal.
        if nodes[0] == nodes[-1]:
            return 0.0 if value == nodes[0] else None
        step = (nodes[-1] - nodes[0]) / (len(nodes) - 1)
        if not -0.5 <= (value - nodes[0]) / step <= len(nodes) - 0.5:
            return None
        clipped = min(max(value, nodes[0]), nodes[-1])
        return float(np.interp(clipped, nodes, range(len(nodes)))) + (value - clipped) / step


def axes_of(document: Document) -> dict[str, Axis]:
    """Return the axes of all parameters of a document's model that can be varied, by name.

    The axes have default ranges.
    """
    axes = [Axis("C", "C", *C_RANGE)]
    for name, spec in settings_of(document.kernel).items():
        if (axis := _axis_of(name, spec)) is not None:
            axes.append(axis)
    if document.is_regression:
        axes.append(Axis("epsilon", "ε", *EPSILON_RANGE))
    return {axis.name: axis for axis in axes}


def _axis_of(name: str, spec: Setting) -> Axis | None:
    """Return the axis of a setting of the kernel, or None if the setting is not a number."""
    if spec.scale == "integer":
        count = min(DEFAULT_COUNT, round(spec.high - spec.low) + 1)
        return Axis(
            name, spec.label, spec.low, spec.high, count, logarithmic=False, is_integer=True
        )
    if spec.scale == "linear":
        count = DEFAULT_LINEAR_COUNT
        return Axis(name, spec.label, spec.low, spec.high, count, logarithmic=False)
    return Axis(name, spec.label, spec.low, spec.high) if spec.scale == "log" else None


def value_of(document: Document, name: str) -> float:
    """Return the value of a parameter of a document's model."""
    if name == "C":
        return document.C
    return document.epsilon if name == "epsilon" else float(getattr(document.kernel, name))


def with_values(document: Document, values: Mapping[str, float]) -> Document:
    """Return the document with other values of parameters; raise BadInput if one is refused."""
    changes: dict[str, Any] = {}
    kernel = document.kernel
    for name, value in values.items():
        if name == "C":
            changes["penalty"] = Penalty("C", value)
        elif name == "epsilon":
            changes["epsilon"] = value
        else:
            kernel = _with_setting(kernel, name, value)
    return replace(document, kernel=kernel, **changes)


def _with_setting(kernel: Kernel, name: str, value: float) -> Kernel:
    value = int(value) if settings_of(kernel)[name].scale == "integer" else value
    # The type checker does not know that every kernel is a dataclass.
    dataclass_kernel: Any = kernel
    return replace(dataclass_kernel, **{name: value})


def without_parameters(document: Document, names: tuple[str, ...]) -> Document:
    """Return the document with the parameters ``names`` set to fixed values, for a comparison.

    Held-out points and all methods but the first are removed, since no search uses them. If two
    documents are equal after this, a search differs at most in these parameters.
    """
    axes = axes_of(document)
    values = {name: axes[name].low for name in names if name in axes}
    changed = with_values(document, values)
    return replace(changed, methods=document.methods[:1], held_out=None)
