"""Traces: segments, marks, times, and their memory."""

import itertools

import numpy as np
import pytest

from solvers import (
    METHODS,
    RBF,
    SMO,
    Cursor,
    InteriorPoint,
    Pegasos,
    Problem,
    Regression,
    Run,
    solve,
)
from solvers.run.trace import SUPPORT_CHANGED, SWEEP_STARTED, Trace
from solvers.settings import settings_of
from tests.solvers.problems import cloud
from tests.solvers.run.short_segments import SIZE, every_method, problem_for
from tests.solvers.states import same_state


def test_beta_follows_from_events_alone(small_segments):
    # New values, not differences: assignment from the start gives the same bits.
    run = solve(problem_for("free"), SMO(tol=1e-6))
    beta = np.zeros(run.problem.n)
    for k in range(1, run.steps + 1):
        record = run.trace.event(k)
        beta[[record["i"], record["j"]]] = record["beta_i"], record["beta_j"]
    assert beta.tobytes() == run.expansion.beta.tobytes()


@pytest.mark.parametrize(("method", "sweep"), [(SMO(), 21), (Pegasos(batch_size=4), 5)])
def test_marks(small_segments, method, sweep):
    run = Run(problem_for("free"), method)
    while run.steps < 100 and run.advance(steps=1):
        pass
    marks = run.trace.marks(0, run.steps)
    assert len(marks) == run.steps
    assert [k for k, mark in enumerate(marks) if mark & SWEEP_STARTED] == list(
        range(0, run.steps, sweep)
    )
    for kind in (SUPPORT_CHANGED, SWEEP_STARTED):
        marked = [k + 1 for k, mark in enumerate(marks) if mark & kind]
        walked, step = [], 0
        while (step := run.trace.next_marked(step, kind)) is not None:
            walked.append(step)
        assert walked == marked
    assert run.trace.marks(run.steps, run.steps + 50).size == 0
    assert run.trace.marks(3, 5 * SIZE + 2).tobytes() == marks[3 : 5 * SIZE + 2].tobytes()


@every_method
def test_seconds_and_steps(small_segments, method, bias):
    run = solve(problem_for(bias), method)
    trace = run.trace
    at = [trace.seconds_at_step(step) for step in range(run.steps + 1)]
    assert at[0] == 0.0
    assert at[-1] == pytest.approx(trace.seconds)
    assert all(np.diff(at) >= 0)


def test_times_between_keyframes_are_interpolated():
    trace = Trace(np.dtype("f8"), size=4, keeps_events=True)
    for steps, seconds, evaluations in ((4, 1.0, 40), (4, 3.0, 80), (2, 1.0, 90)):
        trace.writable_segment((np.zeros(1),))
        trace.publish(steps, seconds, evaluations)
    at = (0, 2, 4, 6, 8, 9, 10)
    assert [trace.seconds_at_step(k) for k in at] == [0, 0.5, 1, 2.5, 4, 4.5, 5]
    assert [trace.evaluations_at_step(k) for k in at] == [0, 20, 40, 60, 80, 85, 90]
    assert trace.segments == 3


def test_trace_counts_its_bytes(small_segments):
    run = solve(problem_for("free"), SMO())
    segments = [run.trace.segment(k) for k in range(run.trace.segments)]
    keyframes = sum(array.nbytes for segment in segments for array in segment.state)
    rest = sum(segment.events.nbytes + segment.marks.nbytes for segment in segments)
    assert run.trace.bytes == keyframes + rest


@pytest.mark.parametrize("method", [SMO(), Pegasos(max_steps=3000), METHODS["interior-point"]()])
def test_a_run_that_is_not_recorded_has_the_same_steps_in_constant_memory(method, small_segments):
    run, other = (solve(problem_for("free"), method, record=record) for record in (True, False))
    assert other.steps == run.steps > other.trace.size
    assert other.trace.segments == 1
    assert other.trace.bytes < run.trace.bytes
    for step in (run.steps, 1, run.steps // 2):
        ours, theirs = run.at(step), other.at(step)
        assert ours.event is not None
        assert ours.event == theirs.event
        assert (ours.expansion.beta == theirs.expansion.beta).all()
    assert same_state(run._state, other._state)
    assert other.trace.next_marked(0, 1) is None
    assert not other.trace.marks(0, other.steps).any()
    assert other.trace.seconds_at_step(other.steps) == other.trace.seconds


def test_the_first_step_of_a_segment_is_right_after_its_keyframe():
    trace = Trace(np.dtype("f8"), 10, True)
    for _ in range(3):
        trace.writable_segment((np.zeros(1),))
        trace.publish(10, 1.0, 10)
    firsts = [trace.first_of_segment(step) for step in (0, 1, 2, 10, 11, 20, 21)]
    assert firsts == [0, 1, 1, 1, 11, 11, 21]


COSTLY_CASES = [
    pytest.param(METHODS["subgradient"](max_steps=3000), id="subgradient"),
    pytest.param(Pegasos(batch_size=64, max_steps=30_000), id="pegasos"),
]


@pytest.mark.parametrize("method", COSTLY_CASES)
def test_segments_of_costly_steps_are_shorter(method, monkeypatch):
    monkeypatch.setattr("solvers.run.trace.MAX_SEGMENT_EVALUATIONS", 2_000_000)
    X, y = cloud(600, 3, noise=2.0)
    problem = Problem(X, y, kernel=RBF(1.0), C=100.0)
    run, again = solve(problem, method), Run(problem, method)
    while again.advance(steps=97):
        pass
    segments = [run.trace.segment(k) for k in range(run.trace.segments)]
    firsts = [segment.first for segment in segments]
    # Pauses between calls do not matter.
    assert firsts == [again.trace.segment(k).first for k in range(again.trace.segments)]
    ends = [*firsts[1:], run.steps]
    sizes = [end - first for first, end in itertools.pairwise([*firsts, run.steps])]
    assert min(sizes[1:-2]) < run.trace.size
    values = [
        run.at(end).evaluations - segment.evaluations
        for segment, end in zip(segments, ends, strict=True)
    ]
    # Costs change slowly between segments, which are at least an eighth of the usual length.
    least = run.trace.size // 8
    assert all(v <= 4_000_000 or s <= least for v, s in zip(values, sizes, strict=True))
    for k in (*ends, *np.random.default_rng(0).integers(0, run.steps, 20).tolist()):
        assert same_state(Cursor(run).state(k), Cursor(again).state(k))
    assert same_state(Cursor(run).state(run.steps), run._state)
    marks = np.concatenate([s.marks[: e - s.first] for s, e in zip(segments, ends, strict=True)])
    assert (run.trace.marks(0, run.steps) == marks).all()


def test_costly_steps_leave_the_memory_of_a_million():
    # Every step needs too many kernel values; segments get longer as the memory is used up.
    trace, state = Trace(np.dtype("f8"), 512, True), (np.zeros(4000),)
    values, sizes = 0, set()
    while trace.length < 1_000_000:
        segment, place = trace.writable_segment(state)
        sizes.add(len(segment.marks))
        values += 10**6 * (len(segment.marks) - place)
        trace.publish(len(segment.marks) - place, 1.0, values)
    assert sizes == {64, 512}
    assert 0.99e8 < trace.bytes <= 1.001e8


@pytest.mark.parametrize("kind", [k for k in METHODS.values() if k is not InteriorPoint])
@pytest.mark.parametrize("regression", [False, True], ids=["classification", "regression"])
def test_a_million_steps_of_1000_points_take_at_most_100_megabytes(kind, regression):
    # An interior point takes tens of steps, each a keyframe.
    X, y = cloud(1000, 3)
    changes: list[dict] = [{}]
    for name, spec in settings_of(kind).items():
        changes += [{name: value} for value, _ in spec.choices] if spec.scale == "choice" else []
        changes += [{name: not getattr(kind(), name)}] if spec.scale == "switch" else []
    for method in (kind(**change) for change in changes):
        problem = (Regression if regression else Problem)(X, y, bias=method.biases[0])
        if problem.task not in method.tasks:
            continue
        state, steps = method.start(problem), method.segment_size(problem)
        keyframe = sum(array.nbytes for array in state)
        record = method.event_dtype.itemsize if method.keeps_events else 0
        # A mark is one byte.
        assert 1e6 * (keyframe / steps + record + 1) <= 1e8
