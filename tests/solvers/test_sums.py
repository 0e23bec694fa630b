"""Kernel sums that keep kernel values: the same sums, whatever was asked before."""

from __future__ import annotations

import numpy as np
import pytest

from solvers import RBF, SMO, Linear, Problem, certify, solve
from solvers import sums as module
from solvers.expansion import kernel_sums
from solvers.sums import KernelSums
from tests.solvers.problems import cloud


@pytest.mark.parametrize("kernel", [RBF(0.7), Linear()])
@pytest.mark.parametrize("most", [2000, 100], ids=["kept", "too many to keep"])
def test_every_call_gives_the_sums(kernel, most, monkeypatch):
    monkeypatch.setattr(module, "MOST", most)
    monkeypatch.setattr(module, "ROWS", 64)
    X, _ = cloud(150, 1)
    rng = np.random.default_rng(2)
    sums = KernelSums(kernel, X)
    for turn in range(6):
        weights = rng.normal(size=(1 + turn % 2, len(X))) * (rng.random(len(X)) < 0.5)
        expected = kernel_sums(kernel, X, weights, X)
        np.testing.assert_allclose(sums(weights), expected, rtol=0, atol=1e-12)


def test_a_certificate_is_the_same_with_kept_values():
    problem = Problem(*cloud(120, 3), RBF(1.0), 10.0)
    run = solve(problem, SMO())
    sums = KernelSums(problem.kernel, problem.X)
    for step in (0, 3, run.steps // 2, run.steps):
        expansion = run.at(step).expansion
        kept, fresh = certify(problem, expansion, sums), certify(problem, expansion)
        np.testing.assert_allclose(kept.decision, fresh.decision, rtol=0, atol=1e-12)
        assert kept.gap == pytest.approx(fresh.gap, rel=1e-9, abs=1e-12)
        assert kept.kkt == pytest.approx(fresh.kkt, rel=1e-9, abs=1e-12)
