"""A worker does the newest job and can be cancelled, held and closed; frames continue meanwhile."""

import logging
import threading

import pytest

from solvers.cancelling import Cancelled
from svmviz.base.background import IDLE, Worker, finish_all
from tests.time_limits import TIME_LIMIT


@pytest.fixture(params=[False, True], ids=["normal", "low"])
def worker(request):
    made = Worker("svmviz-test", low_priority=request.param)
    yield made
    made.close()
    assert not find_threads()


def find_threads():
    return [thread for thread in threading.enumerate() if thread.name == "svmviz-test"]


class Gate:
    """A job that says when it has begun, and ends when it is told to."""

    def __init__(self):
        self.begun, self.end = threading.Event(), threading.Event()

    def __call__(self):
        self.begun.set()
        assert self.end.wait(TIME_LIMIT)


def test_a_worker_does_one_job_at_a_time_and_then_the_newest(worker):
    first, done = Gate(), []
    worker.do(first)
    assert first.begun.wait(TIME_LIMIT)
    for number in range(3):
        worker.do(lambda number=number: done.append(number))
    assert not worker.wait(0.05)
    assert done == []
    first.end.set()
    assert worker.wait(TIME_LIMIT)
    assert done == [2]
    worker.do(lambda: done.append(3))
    assert worker.wait(TIME_LIMIT)
    assert done == [2, 3]


def test_a_thread_without_a_job_is_used_again(worker):
    threads, other = [], Worker("svmviz-test")
    for _ in range(20):
        for each in (worker, other):
            each.do(lambda: threads.append(threading.current_thread()))
            assert each.wait(TIME_LIMIT)
            assert find_threads() == []
    assert len(threads) == 40
    # A worker is done shortly before its thread waits, so another one may have been started.
    assert len(set(threads)) <= 4
    assert {thread.name for thread in threads} == {IDLE}


def test_at_the_end_running_jobs_end_and_waiting_ones_are_dropped(worker):
    gate, done = Gate(), []
    worker.do(gate)
    assert gate.begun.wait(TIME_LIMIT)
    worker.do(lambda: done.append(1))
    assert not finish_all(0.001)
    assert worker.is_cancelled
    threading.Timer(0.05, gate.end.set).start()
    assert finish_all(TIME_LIMIT)
    assert gate.end.is_set()
    assert done == []


def test_a_job_is_unwanted_once_a_newer_one_waits_or_it_is_cancelled(worker):
    gate, seen = Gate(), []

    def job():
        seen.append(worker.is_unwanted())
        gate()
        seen.append((worker.is_unwanted(), worker.is_cancelled))

    worker.do(job)
    assert gate.begun.wait(TIME_LIMIT)
    worker.do(lambda: None)
    gate.end.set()
    assert worker.wait(TIME_LIMIT)
    assert seen == [False, (True, False)]
    gate.begun.clear()
    gate.end.clear()
    worker.do(job)
    assert gate.begun.wait(TIME_LIMIT)
    worker.cancel()
    gate.end.set()
    assert worker.wait(TIME_LIMIT)
    assert seen[2:] == [False, (True, True)]


def test_a_cancel_before_the_job_begins_is_not_lost_and_concerns_no_later_job(worker):
    first, seen = Gate(), []
    worker.do(first)
    assert first.begun.wait(TIME_LIMIT)
    worker.do(lambda: seen.append(worker.is_unwanted()))
    worker.cancel()
    first.end.set()
    assert worker.wait(TIME_LIMIT)
    worker.do(lambda: seen.append(worker.is_unwanted()))
    assert worker.wait(TIME_LIMIT)
    assert seen == [True, False]


def test_a_held_worker_begins_nothing_and_its_job_waits_where_it_asks(worker):
    done = []
    worker.hold()
    worker.do(lambda: done.append("begun"))
    assert not worker.wait(0.05)
    assert done == []
    worker.release()
    assert worker.wait(TIME_LIMIT)
    assert done == ["begun"]
    gate = Gate()

    def job():
        gate()
        done.append(worker.is_unwanted())

    for end, is_unwanted in ((worker.release, False), (worker.cancel, True)):
        worker.do(job)
        assert gate.begun.wait(TIME_LIMIT)
        worker.hold()
        gate.end.set()
        assert not worker.wait(0.05)
        end()
        assert worker.wait(TIME_LIMIT)
        worker.release()
        assert done.pop() is is_unwanted
        gate.begun.clear()
        gate.end.clear()


def test_a_pause_ends_when_it_is_over_when_woken_and_for_a_newer_job(worker):
    seen = []
    worker.do(lambda: seen.append(worker.pause(0.0)))
    assert worker.wait(TIME_LIMIT)
    worker.wake()
    worker.do(lambda: seen.append(worker.pause(TIME_LIMIT)))
    assert worker.wait(TIME_LIMIT)
    begun = threading.Event()

    def job():
        begun.set()
        seen.append(worker.pause(TIME_LIMIT))

    worker.do(job)
    assert begun.wait(TIME_LIMIT)
    worker.do(lambda: None)
    assert worker.wait(TIME_LIMIT)
    assert seen == [True, True, False]


def test_a_closed_worker_drops_what_has_not_begun_and_does_nothing_more(worker):
    first, done = Gate(), []
    worker.do(first)
    assert first.begun.wait(TIME_LIMIT)
    worker.do(lambda: done.append(1))
    threading.Timer(0.05, first.end.set).start()
    worker.close()
    worker.do(lambda: done.append(2))
    assert done == []


def test_a_held_worker_can_be_closed(worker):
    done = []
    worker.hold()
    worker.do(lambda: done.append(1))
    worker.close()
    assert done == []


def test_an_error_is_logged_and_the_next_job_is_done(worker, caplog):
    def fail(error):
        raise error

    done = []
    with caplog.at_level(logging.ERROR):
        worker.do(lambda: fail(Cancelled()))
        assert worker.wait(TIME_LIMIT)
        assert caplog.text == ""
        worker.do(lambda: fail(ValueError("no such thing")))
        assert worker.wait(TIME_LIMIT)
    assert "no such thing" in caplog.text
    worker.do(lambda: done.append(1))
    assert worker.wait(TIME_LIMIT)
    assert done == [1]
