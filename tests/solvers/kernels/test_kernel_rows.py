"""Rows of the Gram matrix are those of the kernel, whatever else is computed or cached."""

import numpy as np
import pytest

from solvers import RBF, SMO, Linear, Polynomial, Problem, Sigmoid, WorkingSet, solve
from solvers.jit.compiled import compiled
from solvers.jit.signatures import Indices, Matrix, Vector
from solvers.kernels.kernel_rows import FOUR, PLAN, Rows, make_rows, slot_of, subtract_rows
from solvers.kernels.kernel_text import Composed
from solvers.kernels.standard import Laplacian

KERNELS = (
    Linear(),
    Polynomial(gamma=0.3, degree=3),
    RBF(gamma=0.1),
    Sigmoid(gamma=0.1, coef0=0.2),
    Laplacian(gamma=0.1),
    Composed("rbf(gamma=0.2) + 0.5*poly(2)"),
)
every_kernel = pytest.mark.parametrize("kernel", KERNELS, ids=repr)


@compiled
def read_rows(rows: Rows, indices: Indices, out: Matrix) -> None:
    """Copy rows of the Gram matrix, in the order in which they are requested."""
    for r in range(len(indices)):
        row = rows.cached[slot_of(rows, indices[r])]
        for k in range(out.shape[1]):
            out[r, k] = row[k]


@compiled
def subtract(rows: Rows, indices: Indices, weights: Vector, F: Vector) -> None:
    subtract_rows(rows, indices, weights, len(indices), F)


def rows_at(rows, indices):
    indices = np.asarray(indices, dtype=np.int64)
    out = np.empty((len(indices), len(rows.X)))
    read_rows(rows, indices, out)
    return out


@every_kernel
@pytest.mark.parametrize("d", [1, 4, 30])
def test_rows_are_those_of_the_kernel(kernel, d):
    X = np.random.default_rng(d).normal(size=(70, d))
    rows = make_rows(X, kernel.program(), 10**6)
    np.testing.assert_allclose(rows_at(rows, range(70)), kernel(X, X), rtol=1e-12, atol=1e-12)


@every_kernel
def test_a_row_does_not_depend_on_what_else_is_requested_or_cached(kernel):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(2100, 21))
    program = kernel.program()
    K = rows_at(make_rows(X, program, 10**9, in_blocks=False), range(0, 2100, 7))
    together = make_rows(X, program, 10**9)._replace(together=FOUR)
    for rows in (make_rows(X, program, 0), make_rows(X, program, 10**6), together):
        for _ in range(3):
            chosen = rng.choice(len(K), 50)
            assert (rows_at(rows, 7 * chosen) == K[chosen]).all()
    # A matrix of some of the points has the same entries.
    subset = np.sort(rng.choice(len(K), 90, replace=False))
    few = make_rows(X[7 * subset], program, 10**9)._replace(together=FOUR)
    assert (rows_at(few, range(90)) == K[np.ix_(subset, 7 * subset)]).all()
    assert (K[:, ::7] == K[:, ::7].T).all()


@every_kernel
def test_sums_of_rows_do_not_depend_on_the_cache(kernel):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(1500, 12))
    sizes = (0, 10**6, 4 * 10**6, 10**9)
    caches = [make_rows(X, kernel.program(), size) for size in sizes]
    sums, expected = [np.zeros(1500) for _ in caches], np.zeros(1500)
    for _ in range(4):
        indices = rng.choice(1500, 200, replace=False)
        weights = rng.normal(size=200)
        expected -= weights @ kernel(X[indices], X)
        for rows, F in zip(caches, sums, strict=True):
            rows.slots[PLAN, :200] = rng.integers(0, 2, 200)
            subtract(rows, indices, weights, F)
            assert (sums[0] == F).all()
    np.testing.assert_allclose(sums[0], expected, rtol=1e-10, atol=1e-10)
    for rows, size in zip(caches, sizes, strict=True):
        assert len(rows.cached) == 2 or rows.cached.nbytes <= size
        # The tables describe each cached row correctly.
        for slot in np.flatnonzero(rows.slots[1, : len(rows.cached)] >= 0)[:20]:
            i = rows.slots[1, slot]
            assert rows.slots[0, i] == slot
            assert (rows.cached[slot, :1500] == rows_at(caches[0], [i])[0]).all()


@pytest.mark.parametrize("method", [WorkingSet(), SMO()], ids=lambda method: method.name)
def test_a_run_is_the_same_within_any_memory_and_every_step_can_be_had_again(method):
    rng = np.random.default_rng(2)
    X = rng.normal(size=(700, 20))
    y = np.where(X[:, 0] + rng.normal(size=700) > 0, 1.0, -1.0)
    problem = Problem(X, y, kernel=RBF(gamma=0.05), C=2.0)
    run = solve(problem, method)
    small = solve(problem, method, cache_bytes=1_000_000)
    assert (small.steps, small.expansion.bias) == (run.steps, run.expansion.bias)
    assert (small.expansion.beta == run.expansion.beta).all()
    last = run.at(run.steps)
    assert (last.expansion.beta == run.expansion.beta).all()
    for step in (0, run.steps // 3, run.steps - 1):
        assert (run.at(step).expansion.beta == small.at(step).expansion.beta).all()
