"""One call from a problem to its solution."""

from solvers import SMO, Problem, Reason, solve
from tests.solvers.problems import cloud


def test_smo_is_the_default():
    problem = Problem(*cloud(40, 1))
    run, same = solve(problem), solve(problem, SMO())
    assert run.method == SMO()
    assert run.reason is Reason.CONVERGED
    assert run.steps == same.steps
    assert run.expansion.beta.tobytes() == same.expansion.beta.tobytes()


def test_a_guess_begins_a_warm_run():
    problem = Problem(*cloud(40, 1))
    cold = solve(problem)
    warm = solve(problem, guess=cold.expansion.beta)
    assert warm.warm
    assert not cold.warm
    assert warm.steps < cold.steps
