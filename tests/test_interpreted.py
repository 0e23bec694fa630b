"""Interpreted, the methods take the steps of compiled code."""

import subprocess
import sys

import pytest

from solvers import METHODS, RBF, Problem, solve
from tests.solvers.problems import cloud

INTERPRETED = """
import sys
from tests.interpreted import interpret
from tests.test_interpreted import runs

interpret()
print(runs())
assert "numba" not in sys.modules
"""


def runs():
    """The number of steps and the dual at the end, by method and bias."""
    return {
        (name, bias): (int(run.steps), float(run.certificate.dual))
        for name, kind in METHODS.items()
        for bias in kind.biases
        for run in [solve(Problem(*cloud(20, 1), RBF(0.5), C=3.0, bias=bias), kind(max_steps=60))]
    }


def test_interpreted_methods_take_the_same_steps_without_numba():
    done = subprocess.run(
        [sys.executable, "-c", INTERPRETED], capture_output=True, text=True, check=True
    )
    found, expected = eval(done.stdout), runs()
    assert found.keys() == expected.keys()
    for case, (steps, dual) in expected.items():
        assert found[case] == (steps, pytest.approx(dual, rel=1e-9)), case
