"""Named generators for regression: the first coordinate is x, the second is the target.

A new generator is one function ``name(n, noise, seed) -> PointSet`` and one line in :data:`CURVES`.
All labels are +1, since a regression has no classes.
"""

from __future__ import annotations

import numpy as np

from solvers.data.datasets import Dataset, PointSet, check_arguments, make_dataset

# Maximum of |x|; generators draw x from -MAX_X to MAX_X.
MAX_X = 3.0


def noisy_sine(n: int, noise: float, seed: int) -> PointSet:
    """sin(1.5 x) from -3 to 3; noise is the standard deviation of the targets around it."""
    n, noise, rng = check_arguments(n, noise, seed)
    x = _random_x(n, rng)
    return _point_set(x, np.sin(1.5 * x) + noise * rng.standard_normal(n))


def sinc(n: int, noise: float, seed: int) -> PointSet:
    """1.5 sin(πx)/(πx), one high wave among low ones; noise is the standard deviation around it."""
    n, noise, rng = check_arguments(n, noise, seed)
    x = _random_x(n, rng)
    return _point_set(x, 1.5 * np.sinc(x) + noise * rng.standard_normal(n))


def line_with_outliers(n: int, noise: float, seed: int) -> PointSet:
    """A line with every tenth target 2.5 above it; noise is the standard deviation around it."""
    n, noise, rng = check_arguments(n, noise, seed)
    x = _random_x(n, rng)
    y = 0.5 * x + noise * rng.standard_normal(n)
    y[4::10] += 2.5
    return _point_set(x, y)


def _random_x(n: int, rng: np.random.Generator) -> np.ndarray:
    """Return n ascending numbers: one random x from each of n equal parts of [-MAX_X, MAX_X]."""
    return MAX_X * (2.0 * (np.arange(n) + rng.random(n)) / n - 1.0)


def _point_set(x: np.ndarray, y: np.ndarray) -> PointSet:
    return PointSet(np.stack([x, y], axis=1), np.ones(len(x)), axis_names=("x", "y"))


# The data sets for regression, by name.
CURVES: dict[str, Dataset] = {
    dataset.name: dataset
    for dataset in (
        make_dataset("Noisy sine", noisy_sine, 0.15, "regression"),
        make_dataset("Sinc", sinc, 0.08, "regression"),
        make_dataset("Line with outliers", line_with_outliers, 0.15, "regression"),
    )
}
