"""Shrinking changes the steps but not the optimum, and the sentences stay true."""

import numpy as np
import pytest

from solvers import RBF, SMO, Cursor, Linear, Polynomial, Problem, Reason, certify, solve
from tests.solvers.problems import cloud, contradictory, define_gram, random_problem
from tests.solvers.states import same_state

PAIRS = ["second-order", "maximal-violation"]
LONG = Problem(*cloud(150, 3, noise=0.7), kernel=Polynomial(), C=30.0)


@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize("seed", range(30))
def test_shrinking_leads_to_the_same_optimum(seed, pair):
    problem = random_problem(seed)
    plain = solve(problem, SMO(tol=1e-6, pair=pair, shrinking=False))
    shrunk = solve(problem, SMO(tol=1e-6, pair=pair, shrink_from=2))
    assert shrunk.reason is Reason.CONVERGED
    assert shrunk.certificate.kkt <= 1e-6 * (1 + 1e-6)
    assert shrunk.certificate.dual == pytest.approx(plain.certificate.dual, rel=1e-6)


@pytest.mark.parametrize("kernel", [Linear(), RBF()], ids=["linear", "rbf"])
def test_points_are_shrunk_and_reactivated(kernel):
    problem = Problem(*cloud(300, 1, noise=0.7), kernel=kernel, C=30.0)
    run = solve(problem, SMO(shrink_from=2, tol=1e-5))
    cursor = Cursor(run)
    active = [int(cursor.state(k).active.sum()) for k in range(0, run.steps + 1, 20)]
    assert active[0] == 300
    assert min(active) < 150
    end = cursor.state(run.steps)
    assert end.active.all()
    assert 1 <= end.scalars["unshrinks"][0] < 60


def test_F_of_active_points_is_up_to_date_at_every_step():
    run = solve(LONG, SMO(shrink_from=2, max_steps=3000))
    K = define_gram(LONG.kernel, LONG.X, LONG.X)
    cursor = Cursor(run)
    shrunk = 0
    for k in range(0, run.steps + 1, 37):
        state = cursor.state(k)
        active = state.active == 1
        F = LONG.y - K @ state.beta
        scale = np.abs(K).max() * np.abs(state.beta).sum()
        np.testing.assert_allclose(state.F[active], F[active], atol=1e-13 * scale)
        np.testing.assert_array_equal(state.beta[~active], state.reference[~active])
        shrunk += not active.all()
    assert shrunk > 5


def test_replay_is_bitwise_from_anywhere():
    run = solve(LONG, SMO(shrink_from=2, max_steps=3000))
    forward = Cursor(run)
    for k in (2999, 17, 1500, 151, 150, 149, 2048, 600):
        forward = forward if k % 2 else Cursor(run)
        assert same_state(forward.state(k), Cursor(run).state(k))


def test_the_dual_rises_when_points_are_reactivated():
    X, y = contradictory(80, 1)
    problem = Problem(X, y, kernel=RBF(0.5), C=20.0)
    run = solve(problem, SMO(shrink_from=2, tol=1e-6))
    duals = [certify(problem, run.at(k).expansion).dual for k in range(0, run.steps, 3)]
    assert (np.diff(duals) > -1e-9).all()
