"""Threads and processes give the same results, as they come, and leave nothing behind."""

import threading

import pytest

from solvers import RBF
from solvers.selection.estimate import estimate
from solvers.selection.models import grid
from solvers.selection.pools import SERIAL, Local, batches
from solvers.selection.procedures import PROCEDURES, k_fold, result_count
from tests.solvers.selection.sets import moons


def risks_of(procedure, pool):
    models = grid({"C": [0.1, 10.0], "gamma": [0.1, 1.0, 10.0]}, RBF())
    found = estimate(procedure, PROCEDURES[procedure](moons(40), models, 2, pool=pool))
    return [[part.risk for part in cell.parts] for cell in found.cells], found.risk, found.best


@pytest.mark.parametrize("procedure", PROCEDURES)
def test_threads_give_the_same_results(procedure):
    assert risks_of(procedure, Local(2)) == risks_of(procedure, SERIAL)


@pytest.mark.slow
def test_processes_give_the_same_results():
    from joblib.externals.loky import get_reusable_executor

    try:
        assert risks_of("k-fold", Local(2, processes=True)) == risks_of("k-fold", SERIAL)
    finally:
        get_reusable_executor().shutdown(wait=True)


def test_closing_a_stream_ends_its_threads():
    before = set(threading.enumerate())
    models = grid({"C": [float(C) for C in range(1, 200)]}, RBF())
    stream = k_fold(moons(60), models, pool=Local(2))
    for _ in range(20):
        next(stream)
    stream.close()
    left = set(threading.enumerate()) - before
    for thread in left:
        thread.join(timeout=60)
    assert not any(thread.is_alive() for thread in left)


def test_an_error_in_a_worker_arrives():
    def fail(shared, item):
        raise ZeroDivisionError(item)

    with pytest.raises(ZeroDivisionError):
        list(Local(2).run(fail, None, [1, 2, 3]))


@pytest.mark.parametrize("count", [0, 1, 7, 100, 1125])
@pytest.mark.parametrize("workers", [1, 2, 8])
def test_batches_cover_all_items_once(count, workers):
    parts = batches(count, workers)
    covered = [index for part in parts for index in range(count)[part]]
    assert covered == list(range(count))


@pytest.mark.parametrize("procedure", PROCEDURES)
@pytest.mark.parametrize("several", [False, True])
def test_the_number_of_results_is_known_before(procedure, several):
    models = grid({"C": [1.0, 10.0] if several else [1.0]}, RBF())
    results = list(PROCEDURES[procedure](moons(30), models))
    assert len(results) == result_count(procedure, 30, len(models))
