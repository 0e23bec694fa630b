"""The weights of the classes: C is multiplied by the weight of a point's class.

They are a number per class, in the order of the names of the classes; ``BALANCED``; or (), which
means 1 for each class.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from solvers import BadInput
from solvers.errors import short_repr
from svmviz.base.words import number

BALANCED = "balanced"
ClassWeights = tuple[float, ...] | str


def checked_weights(weights: Any, k: int) -> ClassWeights:
    """Return weights of k classes; () if all of them are 1.

    Raises
    ------
    BadInput
        If they are neither BALANCED nor k finite numbers above 0.
    """
    if weights in ("", BALANCED):
        return weights or ()
    if len(weights) not in (0, k):
        raise BadInput(f"There must be {k} weights, one per class: got {len(weights)}.")
    for weight in weights:
        if not 0.0 < weight < math.inf:
            raise BadInput(
                f"The weight of a class must be a finite number above 0: got {short_repr(weight)}."
            )
    return () if all(weight == 1.0 for weight in weights) else tuple(map(float, weights))


def weight_per_class(weights: ClassWeights, classes: np.ndarray, k: int) -> np.ndarray:
    """Return the weight of each of k classes, shape (k,), for points of these classes.

    BALANCED is ``n / (k' n_c)`` for the class c, where k' counts the classes that have points: all
    of them have the same sum of weights. A class without points has the weight 1.
    """
    if not isinstance(weights, str):
        return np.array(weights) if weights else np.ones(k)
    counts = np.bincount(classes, minlength=k)
    present = counts > 0
    return np.where(present, len(classes) / (present.sum() * np.maximum(counts, 1)), 1.0)


def weights_words(weights: np.ndarray) -> str:
    """Return words such as "class weights 1 : 5"."""
    return "class weights " + " : ".join(number(weight) for weight in weights.tolist())
