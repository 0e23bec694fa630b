"""Extreme input for property tests: units, kernels and penalties over many powers of ten."""

import math

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from solvers import RBF, Linear, Polynomial, Sigmoid


def magnitudes(low: int, high: int):
    return st.floats(low, high).map(lambda power: 10.0**power)


@st.composite
def extreme_points(draw):
    n = draw(st.integers(2, 7))
    d = draw(st.integers(1, 3))
    shape = draw(st.sampled_from(["free", "equal", "collinear", "few"]))
    unit = draw(magnitudes(-9, 9))
    if shape == "free":
        X = draw(arrays(float, (n, d), elements=st.floats(-1, 1))) * unit
    elif shape == "equal":
        X = np.full((n, d), draw(st.floats(-1, 1)) * unit)
    elif shape == "collinear":
        along = draw(arrays(float, n, elements=st.floats(-1, 1)))
        X = np.outer(along, np.linspace(1, 2, d)) * unit + draw(st.sampled_from([0.0, 1.0, 1e6]))
    else:
        choice = st.sampled_from([0.0, 1.0, -1.0, 1e-9, 1e9])
        X = draw(arrays(float, (n, d), elements=choice))
    y = draw(arrays(float, n, elements=st.sampled_from([1.0, -1.0])))
    y[:2] = 1.0, -1.0
    return X, y


kernels = st.one_of(
    st.just(Linear()),
    st.builds(RBF, magnitudes(-9, 9)),
    st.builds(Sigmoid, magnitudes(-9, 9), st.floats(-5, 5)),
    st.builds(Polynomial, magnitudes(-9, 2), st.sampled_from([0.0, 1.0]), st.integers(1, 3)),
)
penalties = st.one_of(st.just(math.inf), magnitudes(-6, 6))
