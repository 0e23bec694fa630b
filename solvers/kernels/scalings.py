"""The functions f of ``f(x) k(x, z) f(z)``, a kernel for every f if k is one.

``norm`` is ``||x||`` and ``squared_norm`` its square; ``inverse_norm`` is ``1 / ||x||``, and 0 at
the origin (with the linear kernel: the cosine of the angle); ``gaussian`` is ``exp(-g ||x||^2)``,
g = 1/2 unless given, so that ``scale(gaussian, exp(linear()))`` is the RBF kernel, gamma = 1/2.
"""

from __future__ import annotations

import numpy as np

from solvers.kernels.programs import INVERSE_NORM, NORM, SQUARED_NORM


def scaling(kind: int, g: float, X: np.ndarray) -> np.ndarray:
    """Return ``f(x_i)``, shape (n,)."""
    with np.errstate(over="ignore", divide="ignore"):
        squared = np.einsum("ij,ij->i", X, X)
        if kind == SQUARED_NORM:
            return squared
        if kind == NORM:
            return np.sqrt(squared)
        if kind == INVERSE_NORM:
            return np.where(squared > 0.0, 1.0 / np.sqrt(squared), 0.0)
        return np.exp(-g * squared)
