"""Numbers of a page as text: arrays as base64, and the coefficients of all steps as changes."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Sequence
from typing import Any

import numpy as np

# Maximum difference between a coefficient that a step does not list and the one that the page
# computes, as a fraction of the largest coefficient. The difference arises if a step multiplies all
# coefficients by one factor, as Pegasos does, and the method and the page round differently.
ROUNDING = 1e-13
# Replacements of the digits of base 85 that have a meaning in HTML.
INTO_HTML = bytes.maketrans(b"<>&", b",.:")
# A factor is tried only if a step changed more coefficients than this.
MIN_CHANGES = 4


def array_text(values: Any, dtype: str = "<f8") -> str:
    """Return an array as base64, in little-endian order; by default as float64."""
    return base64.b64encode(np.ascontiguousarray(values, dtype=dtype).tobytes()).decode()


def packed(contents: Any) -> str:
    """Return a value of JSON as its text, compressed by zlib and written in base 85.

    For 4 bytes, base 85 takes 5 letters, and base 64 takes 5.33.
    """
    text = json.dumps(contents, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    # Bytes of a file name that are not UTF-8 are halves of surrogate pairs in Python. They become
    # escapes of JSON.
    data = text.encode("utf-8", "backslashreplace")
    return base64.b85encode(zlib.compress(data, 9)).translate(INTO_HTML).decode()


def changes_of(betas: Sequence[np.ndarray]) -> dict[str, Any]:
    """Return the coefficients of all steps as changes from step to step.

    ``betas`` has an array of shape (n,) for each step. At each step, all coefficients are
    multiplied by a factor, and then the listed coefficients get new values. Before the first step,
    all are 0. The factor is 1 or, if fewer values are then listed, the ratio of a large coefficient
    after and before the step.
    """
    current = np.zeros(len(betas[0]))
    factors, counts, indices, values = [], [], [], []
    for beta in betas:
        factor, changed = _smallest_change(current, beta)
        current = np.where(changed, beta, current * factor)
        factors.append(factor)
        counts.append(np.count_nonzero(changed))
        indices.append(np.flatnonzero(changed))
        values.append(beta[changed])
    return {
        "n": len(betas[0]),
        "factors": array_text(factors),
        "counts": array_text(counts, "<u4"),
        "indices": array_text(np.concatenate(indices), "<u4"),
        "values": array_text(np.concatenate(values)),
    }


def _smallest_change(current: np.ndarray, beta: np.ndarray) -> tuple[float, np.ndarray]:
    """Return a factor, and a mask of the coefficients that need another value."""
    best = 1.0, current != beta
    if np.count_nonzero(best[1]) <= MIN_CHANGES:
        return best
    largest = np.argsort(-np.abs(current))[:3]
    for i in largest[current[largest] != 0.0].tolist():
        factor = float(beta[i] / current[i])
        tolerance = ROUNDING * float(np.abs(beta).max())
        differs = np.abs(current * factor - beta) > tolerance
        differs |= (current == 0.0) != (beta == 0.0)
        if np.count_nonzero(differs) < np.count_nonzero(best[1]):
            best = factor, differs
    return best
