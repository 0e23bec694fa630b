"""Dietterich's 5 x 2 cross-validated paired t test of two models.

Twofold cross-validation is repeated five times. Let ``p_r1`` and ``p_r2`` be the differences of the
two models' risks on the two halves of replication r, ``p_r`` the mean of these two differences, and
``s_r^2 = (p_r1 - p_r)^2 + (p_r2 - p_r)^2``. If both models have the same risk, then
``t = p_11 / sqrt(mean of s_r^2)`` has about Student's distribution with 5 degrees of freedom.

Source: Dietterich 1998, Approximate statistical tests for comparing supervised classification
learning algorithms.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from scipy.special import stdtr

# Number of times that the points are divided into halves.
REPLICATIONS = 5


class PairedTest(NamedTuple):
    """Student's t and the two-sided p-value; both are None if the differences do not vary."""

    t: float | None
    p: float | None


def five_by_two_test(first: np.ndarray, second: np.ndarray) -> PairedTest:
    """Return the test of two models from the risks of each, shape (5, 2).

    The rows are the replications, and the columns are the two halves.
    """
    difference = first - second
    variance = ((difference - difference.mean(axis=1, keepdims=True)) ** 2).sum(axis=1)
    scale = math.sqrt(float(variance.mean()))
    if scale == 0.0:
        return PairedTest(None, None)
    t = float(difference[0, 0]) / scale
    return PairedTest(t, float(2.0 * stdtr(REPLICATIONS, -abs(t))))
