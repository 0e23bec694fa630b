"""The interior point against PIQP, a library for quadratic programs in general."""

import numpy as np
import piqp
import pytest

from solvers import InteriorPoint, Reason, solve
from tests.solvers.problems import random_problem


@pytest.mark.parametrize("seed", range(40))
def test_agrees_with_piqp(seed):
    problem = random_problem(seed)
    y, n = problem.y, problem.n
    Q = problem.kernel(problem.X, problem.X) * np.outer(y, y)
    library = piqp.DenseSolver()
    library.settings.eps_abs = library.settings.eps_rel = 1e-10
    empty = np.zeros((0, n)), np.zeros(0), np.zeros(0)
    library.setup(
        Q, -np.ones(n), y[None, :], np.zeros(1), *empty, np.zeros(n), np.full(n, problem.C)
    )
    library.solve()
    a = library.result.x
    run = solve(problem, InteriorPoint(tol=1e-8))
    assert run.reason is Reason.CONVERGED
    mine, size = run.certificate, 1.0 + np.abs(a).max()
    assert mine.dual == pytest.approx(a.sum() - 0.5 * a @ Q @ a, rel=1e-6, abs=1e-9)
    # With a kernel of low rank only f is unique, not alpha.
    theirs = Q @ (a - mine.alpha)
    assert np.abs(theirs - theirs @ y / n * y).max() <= 1e-5 * size
