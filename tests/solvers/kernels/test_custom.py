from dataclasses import replace

from solvers import SMO, Linear, Problem, solve
from solvers.data.datasets import eight_points
from solvers.kernels.custom import Custom
from solvers.kernels.mercer import check_mercer


def test_the_default_formula_is_no_kernel_and_fails_visibly():
    """It violates Mercer's condition and misclassifies separable points; sentences say so."""
    points = eight_points()
    kernel = Custom()
    assert check_mercer(kernel, points.points).refuted
    problem = Problem(points.points, points.labels.astype(float), kernel=kernel, C=1.0)
    run = solve(problem, SMO())
    wrong = problem.y * run.certificate.decision <= 0.0
    assert wrong.sum() >= 4
    assert run.stop is not None
    assert "not positive semi-definite" in run.stop.sentence
    straight = solve(replace(problem, kernel=Linear()), SMO())
    assert (problem.y * straight.certificate.decision > 0.0).all()
