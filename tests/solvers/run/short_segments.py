"""Runs of some methods in segments of a few steps."""

import pytest

from solvers import SMO, Pegasos, Problem
from tests.solvers.problems import cloud

SIZE = 7  # steps in a segment: small, so that there are many borders
METHOD_CASES = [
    pytest.param(SMO(tol=1e-5, max_steps=400), "free", id="smo"),
    pytest.param(SMO(pair="maximal-violation", max_steps=60), "free", id="smo-maximal"),
    pytest.param(Pegasos(max_steps=60), "free", id="pegasos"),
    pytest.param(
        Pegasos(batch_size=3, project=True, average=True, max_steps=100),
        "augmented",
        id="pegasos-all",
    ),
]
every_method = pytest.mark.parametrize(("method", "bias"), METHOD_CASES)


def problem_for(bias: str, n: int = 21, **options) -> Problem:
    X, y = cloud(n, 4, noise=1.0)
    return Problem(X, y, C=20.3, bias=bias, **options)
