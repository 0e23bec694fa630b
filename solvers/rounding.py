"""The relative rounding error of double precision, and a bound for a few operations."""

from __future__ import annotations

import sys

EPS = sys.float_info.epsilon
"""Machine epsilon, 2^-52: the distance from 1 to the next larger number."""

NOISE = 4.0 * EPS
"""Bound on the relative rounding error of a few operations, such as a sum of few products."""
