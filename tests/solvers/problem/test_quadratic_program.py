"""The dual as a quadratic program: a library that solves it finds our optimum."""

import numpy as np
import piqp
import pytest

from solvers import RBF, BadInput, InteriorPoint, Linear, Problem, Regression, solve
from solvers.problem.quadratic_program import MAX_VARIABLES, quadratic_program
from tests.solvers.problems import cloud, separated

PROBLEMS = {
    "soft": Problem(*cloud(40, 1), RBF(0.5), C=2.0),
    "linear": Problem(*cloud(40, 2), Linear(), C=0.5),
    "hard": Problem(*separated(30, 3), Linear(), C=np.inf),
    "no bias": Problem(*cloud(40, 4), RBF(1.0), C=2.0, bias="none"),
    "augmented": Problem(*cloud(40, 5), RBF(1.0), C=2.0, bias="augmented"),
    "regression": Regression(
        np.linspace(0, 3, 30)[:, None], np.sin(np.linspace(0, 3, 30)), RBF(1.0), C=2.0, epsilon=0.1
    ),
}


@pytest.mark.parametrize("name", PROBLEMS)
def test_a_library_finds_our_optimum(name):
    problem = PROBLEMS[name]
    qp = quadratic_program(problem)
    library = piqp.DenseSolver()
    library.settings.eps_abs = library.settings.eps_rel = 1e-9
    A, b = (qp.A, qp.b) if len(qp.A) else (None, None)
    library.setup(np.asfortranarray(qp.P), qp.q, A, b, qp.G, None, qp.h)
    assert library.solve() == piqp.PIQP_SOLVED
    dual = solve(problem, InteriorPoint(tol=1e-9)).certificate.dual
    assert -qp.value(library.result.x) == pytest.approx(dual, rel=1e-6)


@pytest.mark.parametrize("name", PROBLEMS)
def test_its_value_is_minus_the_dual_of_the_certificate(name):
    problem = PROBLEMS[name]
    run = solve(problem, InteriorPoint(tol=1e-9))
    qp = quadratic_program(problem)
    alpha = problem.sign * problem.variables_of(run.expansion.beta)
    assert -qp.value(alpha) == pytest.approx(run.certificate.dual, rel=1e-6)
    assert (qp.G @ alpha <= qp.h + 1e-9).all()
    np.testing.assert_allclose(qp.A @ alpha, qp.b, atol=1e-6)


def test_more_variables_than_a_matrix_is_made_for_are_refused():
    X, y = cloud(MAX_VARIABLES + 2, 1)
    with pytest.raises(BadInput, match="2,000 variables"):
        quadratic_program(Problem(X, y, Linear(), C=1.0))
