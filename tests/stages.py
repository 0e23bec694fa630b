"""Documents and sessions that several tests start from."""

from __future__ import annotations

import numpy as np

from solvers import RBF, SMO, Linear
from solvers.data.datasets import DATASETS, PointSet
from solvers.data.regression_datasets import CURVES
from svmviz.document.document import Document, Penalty

EIGHT = PointSet(
    np.array(
        [
            (0.2, -1.4),
            (-2.1, 1.7),
            (0.9, 1.0),
            (-1.0, -3.1),
            (-0.2, -1.0),
            (-0.2, 1.3),
            (2.0, -1.0),
            (0.5, 2.1),
        ]
    ),
    np.array([-1, 1, 1, -1, -1, 1, -1, 1]),
)


def eight(**changes):
    """The eight points with a linear kernel."""
    return Document(**{"data": EIGHT, "kernel": Linear(), "penalty": Penalty("C", 10.0), **changes})


def moons(n=80, **changes):
    """Two moons with an RBF kernel."""
    data = DATASETS["moons"].generate(n, 0.2, 0)
    base = {"data": data, "kernel": RBF(1.0), "penalty": Penalty("C", 10.0), "methods": (SMO(),)}
    return Document(**{**base, **changes})


def sine(n=60, **changes):
    """A noisy sine to be fitted, with an RBF kernel."""
    data = CURVES["noisy_sine"].generate(n, 0.2, 1)
    base = {"data": data, "kernel": RBF(1.0), "penalty": Penalty("C", 5.0), "methods": (SMO(),)}
    return Document(**{**base, "task": "regression", "epsilon": 0.15, **changes})


def clouds(k=3, n=60, seed=0, **changes):
    """Clouds of k classes, with an RBF kernel, one against one."""
    rng = np.random.default_rng(seed)
    labels = np.arange(n) % k
    points = rng.uniform(-2, 2, (k, 2))[labels] + rng.normal(0, 0.6, (n, 2))
    data = PointSet(points, labels, tuple("abcdef"[:k]), ("x", "y"))
    return Document(**{"data": data, "kernel": RBF(1.0), **changes})
