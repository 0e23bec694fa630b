"""Counter-based random numbers: each number is a function of seed, step and index.

There is no generator with a state, so a replay that takes a step again gets the same numbers.
"""

from __future__ import annotations

import numpy as np

from solvers.jit.compiled import compiled


@compiled
def draw(seed: int, t: int, r: int, n: int) -> int:
    """Return the r-th random index of step t, between 0 and n - 1: a hash of (seed, t, r).

    For the shuffle of a sweep, t is the number of the sweep. The mixing is that of SplitMix64
    (Steele, Lea and Flood 2014).
    """
    z = np.uint64(seed) * np.uint64(0xD1342543DE82EF95) + np.uint64(r)
    z = z * np.uint64(0x2545F4914F6CDD1D) + np.uint64(t) * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z = z ^ (z >> np.uint64(31))
    z = ((z >> np.uint64(32)) * np.uint64(n)) >> np.uint64(32)
    return np.int64(z)  # type: ignore[return-value] - compiled code has no Python int
