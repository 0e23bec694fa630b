"""The runner drops old jobs, even before their first step."""

import importlib
import itertools
import threading

import numpy as np
import pytest

from solvers import RBF, Hulls, Problem, Run
from solvers.cancelling import Cancelled, cancel_when, check_cancelled
from solvers.data.datasets import DATASETS
from svmviz.document.document import Document
from svmviz.session.runner import Job, Runner
from tests.stages import eight
from tests.time_limits import TIME_LIMIT

# The package offers the function of this name.
separation = importlib.import_module("solvers.geometry.separation")


def tangled(n=100):
    """Points on which the test for meeting hulls takes thousands of steps."""
    data = DATASETS["gaussians"].generate(n, 1.0, 0)
    return Document(data=data, kernel=RBF(10.0), methods=(Hulls(algorithm="mdm"),))


def test_a_cancelled_search_ends():
    document, asked = tangled(), itertools.count()
    with cancel_when(lambda: next(asked) == 5), pytest.raises(Cancelled):
        Run(document.problem(), document.method)
    assert next(asked) == 6
    # Outside of the block nothing is cancelled.
    check_cancelled()
    assert Run(document.problem(), document.method).steps == 0


@pytest.mark.parametrize("how", ["cancel", "newer"])
def test_work_before_the_first_step_can_be_stopped(monkeypatch, how):
    begun, go, answers = threading.Event(), threading.Event(), []
    answered = threading.Condition()

    def answer(*what):
        with answered:
            answers.append(what)
            answered.notify()

    def wait_and_check():
        begun.set()
        assert go.wait(60.0)
        check_cancelled()

    monkeypatch.setattr(separation, "check_cancelled", wait_and_check)
    runner = Runner(answer, answer)
    try:
        runner.solve(first := Job(1, tangled()))
        assert begun.wait(120.0)
        if how == "cancel":
            runner.cancel()
        else:
            runner.solve(Job(2, eight()))
        go.set()
        with answered:
            assert answered.wait_for(lambda: answers, timeout=TIME_LIMIT)
    finally:
        go.set()
        runner.close()
    job, said = answers[0]
    if how == "cancel":
        assert (job, said) == (first, "Stopped by the user before the first step.")
    else:
        assert job.number == 2
        assert isinstance(said[0], Run)


def test_a_cancel_before_the_job_is_taken_is_not_lost():
    answers, answered = [], threading.Event()

    def answer(*what):
        answers.append(what)
        answered.set()

    runner = Runner(answer, answer)
    try:
        runner.hold()
        runner.solve(first := Job(1, eight()))
        runner.cancel()
        runner.release()
        assert answered.wait(TIME_LIMIT)
        assert answers == [(first, "Stopped by the user before the first step.")]
        # The next job is not cancelled.
        answered.clear()
        runner.solve(Job(2, eight()))
        assert answered.wait(TIME_LIMIT)
    finally:
        runner.close()
    job, runs = answers[1]
    assert job.number == 2
    assert isinstance(runs[0], Run)


def test_a_cancel_check_does_not_change_the_result():
    given = tangled(60).problem()
    problem = Problem(given.X, given.y, RBF(2.0))
    plain = separation.separation(problem, exact=True)
    with cancel_when(lambda: False):
        asked = separation.separation(problem, exact=True)
    assert np.array_equal(plain.weights, asked.weights)


def recording_runner():
    begun, reported = [], threading.Event()

    def started(job, runs):
        begun.append(job.number)
        reported.set()

    return Runner(started, lambda job, why: None), begun, reported


def test_a_held_runner_begins_only_the_newest_job_when_released():
    runner, begun, reported = recording_runner()
    runner.hold()
    for number in (1, 2, 3):
        runner.solve(Job(number, eight()))
    assert not reported.wait(0.2)
    runner.release()
    assert reported.wait(60.0)
    runner.close()
    assert begun == [3]


def test_a_held_runner_can_be_closed():
    runner, begun, _ = recording_runner()
    runner.hold()
    runner.solve(Job(1, eight()))
    runner.close()
    assert not begun
    assert "svmviz-runner" not in [thread.name for thread in threading.enumerate()]
