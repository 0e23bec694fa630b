"""Extreme input for property tests, over many powers of ten, and what must hold at the end."""

import math

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from solvers import RBF, Linear, Polynomial, Reason, Run, Sigmoid
from solvers.data.coordinates import MAX_COORDINATE as LIMIT
from tests.solvers.problems import is_one_sentence, nothing_is_nan

# At the limit, next to it, tiny, and different in the last bit.
EXTREMES = [LIMIT, -LIMIT, 0.5 * LIMIT, 1e50, 1e-300, -1e-300, 5e-324, 0.0, 1.0]
EXTREMES += [float(np.nextafter(1.0, 2.0)), float(np.nextafter(LIMIT, 0.0)), 1e5, -1e5]
coordinates = st.sampled_from(EXTREMES)
point_lists = st.lists(st.tuples(coordinates, coordinates), min_size=2, max_size=6)


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


def ends_with_a_true_reason(run: Run):
    """Assert finite numbers, a point of the box, and a true reason."""
    problem, method = run.problem, run.method
    certificate, expansion = run.certificate, run.expansion
    assert is_one_sentence(run.stop.sentence)
    assert np.isfinite(expansion.beta).all()
    assert math.isfinite(expansion.bias)
    assert nothing_is_nan(certificate.primal, certificate.dual, certificate.gap, certificate.kkt)
    assert certificate.alpha.min() >= 0.0
    assert certificate.alpha.max() <= problem.C
    scale = np.abs(expansion.beta).max()
    box = 0.0 if problem.hard else problem.C
    assert abs(expansion.beta.sum()) <= 1e-9 * max(scale, box) * problem.n
    # With large numbers, f is only known up to the rounding error of its sum.
    K = problem.kernel(problem.X, problem.X)
    rounding = 1e-14 * (np.abs(K) @ np.abs(expansion.beta)).max()
    if run.reason is Reason.CONVERGED:
        # Either the rounding error is below the tolerance, or the certificate decided.
        assert certificate.kkt <= method.tol + min(rounding, method.tol)
    elif run.reason is Reason.NOT_SEPARABLE:
        assert problem.hard
    elif run.reason is Reason.STEP_LIMIT:
        assert run.steps == method.max_steps
    else:
        assert run.reason is Reason.STALLED
