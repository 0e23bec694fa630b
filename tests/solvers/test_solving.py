"""One call from a problem to its solution, for any number of points and any kind of array."""

import copy
import functools
import pickle

import numpy as np
import pytest

from solvers import METHODS, RBF, SMO, Linear, Problem, Reason, Regression, certify, solve
from solvers.kernels.evaluator import BLOCK
from solvers.problem.reduced_hulls import ReducedHulls
from tests.solvers.problems import cloud, separated, wave

# Where the last block of points holds one point, or the first one is full.
BORDERS = (1, 2, BLOCK, BLOCK + 1, 2 * BLOCK + 1)
DATA = {
    "classification": lambda n: Problem(*separated(n, 1), kernel=Linear()),
    "regression": lambda n: Regression(*wave(n, 1), kernel=Linear()),
}
PAIRS = [
    pytest.param(kind, task, bias, id=f"{kind.name}-{task}-{bias}")
    for kind in METHODS.values()
    for task in kind.tasks
    for bias in kind.biases
]


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


@pytest.mark.parametrize("n", BORDERS)
@pytest.mark.parametrize(("kind", "task", "bias"), PAIRS)
def test_every_method_takes_any_number_of_points(kind, task, bias, n):
    if task == "classification":
        n = max(n, 2)
    made = DATA[task](n)
    problem = type(made)(made.X, made.y, kernel=Linear(), bias=bias)
    # The usual algorithm of hulls is for fewer points.
    usual = {"algorithm": "wolfe"} if kind.name == "hulls" else {}
    run = solve(problem, kind(**usual, max_steps=5))
    assert run.steps > 0 or n <= 2
    f = problem.kernel(problem.X, problem.X) @ run.expansion.beta + run.expansion.bias
    assert np.abs(run.certificate.decision - f).max() <= 1e-9 * max(1.0, np.abs(f).max())
    # A single point, read-only as a problem holds it.
    one = run.expansion(problem.X[-1:])
    assert one.tobytes() == run.certificate.decision[-1:].tobytes()


@pytest.mark.parametrize(("kind", "task", "bias"), PAIRS)
def test_every_method_takes_every_layout_of_arrays(kind, task, bias):
    made = DATA[task](11)
    make = functools.partial(type(made), kernel=RBF(0.7), bias=bias)
    twice = np.repeat(np.repeat(made.X, 2, axis=0), 2, axis=1)
    fixed, labels, guess = np.array(made.X), np.array(made.y), 0.1 * made.y
    for array in (fixed, labels, guess):
        array.setflags(write=False)
    X = made.X
    usual = solve(make(X, made.y), kind(max_steps=5), guess=0.1 * made.y).expansion
    for points in (fixed, np.asfortranarray(X), twice[::2, ::2]):
        found = solve(make(points, labels), kind(max_steps=5), guess=guess).expansion
        assert (found.beta.tobytes(), found.bias) == (usual.beta.tobytes(), usual.bias)
        assert found(points).tobytes() == usual(X).tobytes()


def _sent(problem):
    """Return what another process gets: arrays over bytes, which cannot be written to."""
    buffers = []
    data = pickle.dumps(problem, protocol=5, buffer_callback=buffers.append)
    return pickle.loads(data, buffers=[bytes(buffer) for buffer in buffers])


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, _sent])
@pytest.mark.parametrize(("kind", "task", "bias"), PAIRS)
def test_every_method_takes_a_copied_problem(kind, task, bias, copied):
    made = DATA[task](11)
    problem = type(made)(made.X, made.y, kernel=RBF(0.7), bias=bias)
    usual, found = (solve(p, kind(max_steps=5)) for p in (problem, copied(problem)))
    assert found.expansion.beta.tobytes() == usual.expansion.beta.tobytes()


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, _sent])
def test_reduced_hulls_are_copied_with_a_bound_beyond_any_penalty(copied):
    hulls = ReducedHulls(*cloud(9, 1), kernel=Linear(), mu=0.5, scale=1e90)
    same = copied(hulls)
    assert (same.C, same.mu, same.scale) == (hulls.C, 0.5, 1e90)
    assert same.X.tobytes() == hulls.X.tobytes()


def test_decision_values_do_not_depend_on_the_block():
    problem = Problem(*cloud(2 * BLOCK + 1, 3), kernel=RBF(1.0))
    run = solve(problem, SMO(max_steps=40))
    at_once = certify(problem, run.expansion).decision
    parts = [run.expansion(problem.X[k : k + 1]) for k in (0, BLOCK - 1, BLOCK, 2 * BLOCK)]
    assert [float(part[0]) for part in parts] == at_once[[0, BLOCK - 1, BLOCK, 2 * BLOCK]].tolist()
