"""The functions f of kernels ``f(x) k(x, z) f(z)``.

If k is positive semi-definite, so is ``f(x) k(x, z) f(z)``, for every function f.

* ``norm`` is ``||x||``, and ``squared_norm`` is ``||x||^2``.
* ``inverse_norm`` is ``1 / ||x||``, and 0 at the origin. With the linear kernel as k, the result is
  the cosine of the angle of x and z.
* ``gaussian`` is ``exp(-g ||x||^2)``, with g = 1/2 by default. So ``scale(gaussian,
  exp(linear()))`` is the RBF kernel with gamma = 1/2.
"""

from __future__ import annotations

import numpy as np

from solvers.kernels.programs import INVERSE_NORM, NORM, SQUARED_NORM


def scaling(kind: int, g: float, X: np.ndarray) -> np.ndarray:
    """Return ``f(x_i)``, shape (n,); ``kind`` is the number of f, and g is its parameter."""
    with np.errstate(over="ignore", divide="ignore"):
        squared = np.einsum("ij,ij->i", X, X)
        if kind == SQUARED_NORM:
            return squared
        if kind == NORM:
            return np.sqrt(squared)
        if kind == INVERSE_NORM:
            return np.where(squared > 0.0, 1.0 / np.sqrt(squared), 0.0)
        return np.exp(-g * squared)
