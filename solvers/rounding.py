"""Limits of double precision, against which results are judged."""

from __future__ import annotations

import sys

EPS = sys.float_info.epsilon
"""Machine epsilon: the distance from 1 to the next number, 2^-52."""

NOISE = 4.0 * EPS
"""Relative rounding error of a sum of products."""
