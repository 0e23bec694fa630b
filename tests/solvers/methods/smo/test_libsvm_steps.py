"""With the rules of LIBSVM, SMO takes exactly its number of steps."""

import dataclasses

import numpy as np
import pytest
from sklearn.svm import SVC

from solvers import RBF, SMO, Cursor, Kernel, Linear, Polynomial, Problem, Reason, solve
from tests.solvers.methods.smo.test_smo import in_words_of_libsvm
from tests.solvers.problems import cloud, separated

CUBIC = Polynomial(gamma=0.7, coef0=1.0, degree=3)
# Kernel, C, points.
PROBLEMS: list[tuple[Kernel, float, tuple[np.ndarray, np.ndarray]]] = [
    (Linear(), 1.0, cloud(40, 0, noise=1.0)),
    (Linear(), 100.0, cloud(80, 1, noise=0.5)),
    (Linear(), 0.01, cloud(300, 2, noise=1.0, d=5)),
    (RBF(0.5), 1.0, cloud(60, 3, noise=1.0)),
    (RBF(3.0), 1000.0, cloud(150, 4, noise=0.5)),
    (RBF(0.05), 10.0, cloud(500, 5, noise=0.8)),
    (CUBIC, 1.0, cloud(100, 6, noise=1.0)),
    (CUBIC, 10.0, cloud(200, 7, noise=0.3)),
    (Polynomial(gamma=1.0, coef0=0.0, degree=2), 0.1, cloud(120, 8, noise=1.0, d=3)),
    (RBF(1.0), 1e6, separated(100, 9)),
]


def ordered_as_libsvm(problem: Problem) -> Problem:
    """Return the problem in LIBSVM's order: points of label -1 first; all labels negated.

    On this problem ``SMO(as_libsvm=True)`` takes the same steps as LIBSVM without shrinking, if the
    pair is chosen by second order. To achieve this, ``as_libsvm`` makes SMO compute kernel rows in
    single precision, and take the last of equally good candidates.
    """
    order = np.argsort(problem.y, kind="stable")
    return dataclasses.replace(problem, X=problem.X[order], y=-problem.y[order])


@pytest.mark.parametrize(("kernel", "C", "points"), PROBLEMS)
def test_as_many_steps_as_libsvm(kernel, C, points):
    X, y = points
    model = SVC(C=C, tol=1e-3, shrinking=False, **in_words_of_libsvm(kernel)).fit(X, y)
    problem = ordered_as_libsvm(Problem(X, y, kernel=kernel, C=C))
    run = solve(problem, SMO(tol=1e-3, shrinking=False, as_libsvm=True))
    assert run.reason is Reason.CONVERGED
    assert run.steps == model.n_iter_[0]


def test_order_of_libsvm():
    X, y = cloud(30, 0)
    ordered = ordered_as_libsvm(Problem(X, y))
    assert (np.diff(ordered.y) <= 0).all()
    np.testing.assert_array_equal(ordered.X[: (y < 0).sum()], X[y < 0])
    # Other names for the classes, the same problem.
    run, same = solve(Problem(X, y), SMO(tol=1e-8)), solve(ordered, SMO(tol=1e-8))
    assert same.certificate.dual == pytest.approx(run.certificate.dual)
    assert Cursor(same).seek(0).expansion.bias == 0.0
