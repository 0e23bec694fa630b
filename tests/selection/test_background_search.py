"""A search in the background: a stream in batches, pause, cancel, errors, and a clean end."""

import itertools
import threading
import time
from types import SimpleNamespace

import pytest

from solvers import RBF, BadInput
from solvers.cancelling import check_cancelled
from solvers.selection.estimate import estimate
from solvers.selection.models import grid
from solvers.selection.procedures import PROCEDURES, k_fold, result_count
from svmviz.selection import background_search
from svmviz.selection.background_search import MAX_WAITING, TURN, Searches, SearchJob, State
from tests.stages import moons

MODELS = grid({"C": [0.1, 1.0, 10.0, 100.0], "gamma": [0.1, 1.0, 10.0]}, RBF())


@pytest.fixture
def searches(qapp):
    made = Searches()
    yield made
    made.close()


class Receiver:
    """What arrived of a search, in which thread and in how large batches."""

    def __init__(self, search):
        self.search = search
        self.results = []
        self.batches = []
        self.threads = set()
        search.arrived.connect(self.take)

    def take(self, batch):
        self.results += batch
        self.batches.append(len(batch))
        self.threads.add(threading.current_thread())


def endless(begun, go_on=lambda k: None):
    """A job that never ends by itself."""

    def begin(_memory):
        for k in range(10**9):
            begun.append(k)
            go_on(k)
            yield k

    return SearchJob(begin, 10**9)


def procedure_job(name, problem, models, *seed, **options):
    """A job that yields the results of a procedure of the library."""

    def begin(memory):
        return PROCEDURES[name](problem, models, *seed, store=memory.store(problem), **options)

    return SearchJob(begin, result_count(name, problem.n, len(models), options.get("folds", 5)))


def test_results_arrive_in_the_gui_thread_and_are_those_of_the_library(qtbot, searches):
    problem = moons(60).problem()
    search = searches.make()
    receiver = Receiver(search)
    search.start(procedure_job("k-fold", problem, MODELS, 3, folds=4))
    assert search.state is State.RUNNING
    qtbot.waitUntil(lambda: search.state is State.DONE)
    assert search.n_arrived == search.count == len(MODELS) * 4 == len(receiver.results)
    assert receiver.threads == {threading.main_thread()}
    assert max(receiver.batches) <= 8
    expected = estimate("k-fold", k_fold(problem, MODELS, 3, folds=4))
    found = estimate("k-fold", receiver.results)
    assert [cell.risk for cell in found.cells] == [cell.risk for cell in expected.cells]
    assert search.seconds_left is None


def test_a_cancelled_search_goes_on_where_it_stood(qtbot, searches):
    problem = moons(60).problem()
    search = searches.make()
    receiver = Receiver(search)
    search.start(job := procedure_job("k-fold", problem, MODELS))
    search.arrived.connect(lambda _batch: search.n_arrived >= 5 and search.cancel())
    qtbot.waitUntil(lambda: search.state is State.CANCELLED)
    known, receiver.results = len(receiver.results), []
    other = searches.make()
    again = Receiver(other)
    other.start(job)
    qtbot.waitUntil(lambda: other.state is State.DONE)
    assert sum(not result.solved for result in again.results) >= known
    # Nothing arrives after a cancel.
    assert receiver.results == []


def test_a_pause_stops_the_thread_and_cancel_ends_it(qtbot, searches):
    begun = []
    search = searches.make()
    receiver = Receiver(search)
    search.start(endless(begun))
    qtbot.waitUntil(lambda: receiver.results)
    search.pause()
    assert search.state is State.PAUSED
    # The thread takes at most one more step before it waits; another search shows that time passes.
    paused_at = len(begun)
    other = searches.make()
    other.start(procedure_job("k-fold", moons(40).problem(), MODELS[:1]))
    qtbot.waitUntil(lambda: other.state is State.DONE)
    assert len(begun) <= paused_at + 1
    # What was computed still arrives.
    qtbot.waitUntil(lambda: len(receiver.results) == len(begun))
    search.resume()
    now = len(begun)
    qtbot.waitUntil(lambda: len(receiver.results) > now)
    search.cancel()
    qtbot.waitUntil(lambda: search._worker.wait(0.0))


def test_the_thread_waits_for_a_slow_receiver(qtbot, searches):
    begun = []
    search = searches.make()
    search.start(endless(begun))
    # Without an event loop nothing is delivered.
    while len(begun) < MAX_WAITING:
        assert not search._worker.wait(0.01)
    assert not search._worker.wait(0.05)
    assert len(begun) <= MAX_WAITING


def test_a_long_solution_can_be_cancelled(qtbot, searches):
    """A fit that takes minutes ends within a chunk of its run."""
    document = moons(1500, kernel=RBF(100.0))
    hard = grid({"C": [1e8], "tol": [1e-8]}, RBF(1e-3), document.method)
    search = searches.make()
    search.start(procedure_job("hold-out", document.problem(), hard))
    search.cancel()
    qtbot.waitUntil(lambda: search._worker.wait(0.0))


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (BadInput("There are 50 folds, but only 40 points."), "There are 50 folds, but only 40"),
        (ZeroDivisionError("division by zero"), "The search failed: division by zero (the log"),
    ],
)
def test_an_error_is_a_sentence(qtbot, searches, error, sentence):
    def begin(_memory):
        yield 1
        raise error

    search = searches.make()
    receiver = Receiver(search)
    search.start(SearchJob(begin, 2))
    qtbot.waitUntil(lambda: search.state is State.FAILED)
    assert search.trouble.startswith(sentence)
    assert receiver.results == [1]
    # Another search can be started.
    search.start(procedure_job("k-fold", moons(40).problem(), MODELS[:1]))
    qtbot.waitUntil(lambda: search.state is State.DONE)
    assert search.trouble == ""


def test_a_receiver_may_start_another_search(qtbot, searches):
    search = searches.make()
    seen = []

    def take(batch):
        seen.append(batch)
        if len(seen) == 1:
            search.start(SearchJob(lambda _memory: iter(["new"]), 1))

    search.arrived.connect(take)
    search.start(endless([]))
    qtbot.waitUntil(lambda: search.state is State.DONE)
    assert seen[1:] == [["new"]]


def test_closing_ends_running_and_paused_searches(qtbot, searches):
    begun = [], []
    for k, mine in enumerate(begun):
        search = searches.make()
        search.start(endless(mine))
        qtbot.waitUntil(lambda mine=mine: mine)
        if k:
            search.pause()
    searches.close()
    assert not any(thread.name == "svmviz-search" for thread in threading.enumerate())
    search.start(endless([]))
    assert search._worker.wait(0.0)


def test_the_time_left_falls_and_does_not_count_pauses(qtbot, searches):
    search = searches.make()
    search.start(procedure_job("k-fold", moons(60).problem(), MODELS, folds=10))
    qtbot.waitUntil(lambda: search.seconds_left is not None or search.state is State.DONE)
    if search.is_active:
        search.pause()
        qtbot.waitUntil(lambda: not search._stream.results)
        left = search.seconds_left
        assert left > 0.0
        search.resume()
    qtbot.waitUntil(lambda: search.state is State.DONE)


def test_a_result_that_arrives_during_a_pause_adds_no_time(monkeypatch):
    now = 0.0
    monkeypatch.setattr(background_search, "time", SimpleNamespace(perf_counter=lambda: now))
    clock = background_search._Clock()
    clock.count(1)
    now = 2.0
    clock.count(1)
    now = 3.0
    clock.stop()
    now = 50.0
    clock.count(1)
    # One result in 2 s.
    assert clock.estimate_seconds(10) == pytest.approx(20.0)
    now = 100.0
    clock.stop()
    now = 103.0
    clock.count(1)
    now = 104.0
    clock.count(2)
    # Three results in 3 s.
    assert clock.estimate_seconds(10) == pytest.approx(10.0)


def working(spans):
    """A job that never ends by itself, with the times at which it worked, s."""

    def begin(_memory):
        while True:
            check_cancelled()
            start = time.monotonic()
            time.sleep(0.001)
            spans.append((start, time.monotonic()))
            yield None

    return SearchJob(begin, 10**9)


def test_two_searches_take_turns(qtbot, searches):
    first, second = searches.make(), searches.make()
    spans = [], []
    for search, its_spans in zip((first, second), spans, strict=True):
        search.start(working(its_spans))
    # Each has the turn again after the other one.
    qtbot.waitUntil(lambda: all(its and its[-1][0] - its[0][0] > 3 * TURN for its in spans))
    in_order = sorted([*spans[0], *spans[1]])
    assert all(end <= start for (_, end), (start, _) in itertools.pairwise(in_order))
    # A search that is paused or has ended leaves its turn to the other one.
    for search, others in ((first, spans[1]), (second, spans[0])):
        search.pause()
        count = len(others)
        qtbot.waitUntil(lambda others=others, count=count: len(others) > count + 300)
        search.resume()
    first.cancel()
    count = len(spans[1])
    qtbot.waitUntil(lambda: len(spans[1]) > count + 300)
    second.cancel()
