"""Results in memory are found again for the same points, and the oldest are dropped."""

from itertools import count

import pytest

from solvers import RBF, solve
from solvers.cancelling import Cancelled, cancel_when
from solvers.selection.memory import OVERHEAD, Memory
from solvers.selection.models import grid
from solvers.selection.procedures import k_fold, leave_one_out
from tests.solvers.selection.sets import moons

MODELS = grid({"C": [0.1, 1.0, 10.0]}, RBF(2.0))


def solved(problem, memory, procedure=k_fold, **options):
    results = procedure(problem, MODELS, store=memory.store(problem), **options)
    return [result.solved for result in results]


def test_results_are_found_again_for_the_same_points_only():
    memory, problem = Memory(), moons(40)
    assert all(solved(problem, memory))
    # A problem with the same points; another seed has other parts.
    assert not any(solved(moons(40), memory))
    assert all(solved(problem, memory, seed=1))
    assert all(solved(moons(42), memory))
    again = [leave_one_out(problem, MODELS, store=memory.store(problem)) for _ in range(2)]
    first, second = (list(results) for results in again)
    assert not any(result.solved for result in second)
    assert [r.risk for r in first] == [r.risk for r in second]


def test_the_oldest_are_dropped():
    memory, problem = Memory(max_bytes=10 * OVERHEAD), moons(40)
    assert all(solved(problem, memory))
    # Of 15 results of 700 and 64 bytes, the nine of the last models are kept.
    again = k_fold(problem, MODELS[2:], store=memory.store(problem))
    assert not any(result.solved for result in again)
    assert all(solved(problem, Memory(max_bytes=0)))
    assert sum(solved(problem, memory)) >= 5


def test_a_solution_can_be_cancelled_on_the_way():
    asked = count()
    problem = moons(200, kernel=RBF(0.01), C=1e8)
    with cancel_when(lambda: next(asked) == 0), pytest.raises(Cancelled):
        solve(problem)
    assert next(asked) == 1
