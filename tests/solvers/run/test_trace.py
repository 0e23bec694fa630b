"""Time travel: every recorded step is had again, bit by bit, from any side and in any thread."""

import itertools
import threading

import numpy as np
import pytest

from solvers import (
    METHODS,
    RBF,
    SMO,
    Cursor,
    InteriorPoint,
    Linear,
    Pegasos,
    Problem,
    Reason,
    Regression,
    Run,
    solve,
)
from solvers.run.trace import SUPPORT_CHANGED, SWEEP_STARTED, Trace, copy_state, same_state
from solvers.settings import settings_of
from tests.solvers.problems import cloud

SIZE = 7  # steps in a segment: small, so that there are many borders

METHOD_CASES = [
    pytest.param(SMO(tol=1e-5, max_steps=400), "free", id="smo"),
    pytest.param(SMO(pair="maximal-violation", max_steps=60), "free", id="smo-maximal"),
    pytest.param(Pegasos(max_steps=60), "free", id="pegasos"),
    pytest.param(
        Pegasos(batch_size=3, project=True, average=True, max_steps=100),
        "augmented",
        id="pegasos-all",
    ),
]
every_method = pytest.mark.parametrize(("method", "bias"), METHOD_CASES)
every_kernel = pytest.mark.parametrize("kernel", [Linear(), RBF()], ids=["linear", "rbf"])


@pytest.fixture
def small_segments(monkeypatch):
    for kind in METHODS.values():
        monkeypatch.setattr(kind, "segment_size", lambda self, problem: SIZE)


def problem_for(bias: str, n: int = 21, **options) -> Problem:
    X, y = cloud(n, 4, noise=1.0)
    return Problem(X, y, C=20.3, bias=bias, **options)


def step_by_step(problem: Problem, method) -> tuple[Run, list]:
    """A run that was never asked for more than one step, and all its states."""
    run = Run(problem, method)
    states = [copy_state(run._state)]
    while run.advance(steps=1):
        states.append(copy_state(run._state))
    if run.steps == len(states):
        states.append(copy_state(run._state))
    assert len(states) == run.steps + 1
    return run, states


@every_method
@every_kernel
def test_replay_is_bitwise(small_segments, method, bias, kernel):
    problem = problem_for(bias, kernel=kernel)
    run = solve(problem, method)
    slow, states = step_by_step(problem, method)
    assert (slow.steps, slow.stop) == (run.steps, run.stop)
    rng = np.random.default_rng(0)
    cursor = Cursor(run)
    borders = [*range(0, run.steps, SIZE), run.steps]
    for k in [*borders, *rng.integers(0, run.steps + 1, 150), *reversed(borders)]:
        assert same_state(cursor.state(k), states[k])
    for k in rng.integers(0, run.steps + 1, 40):
        beta, bias_there = method.expand(problem, states[k])
        snapshot = run.at(int(k))
        assert snapshot.step == k
        assert snapshot.expansion.beta.tobytes() == beta.tobytes()
        assert snapshot.expansion.bias == bias_there
        assert snapshot.evaluations == method.evaluations(states[k])


@pytest.mark.parametrize("n", [50, 201, 260])
def test_kept_rows_change_no_bit(monkeypatch, n):
    monkeypatch.setattr("solvers.run.cursor.REPLAY_BYTES", 0)  # now only the run keeps any
    run = solve(problem_for("free", n=n), SMO(tol=1e-4, max_steps=1500))
    cursor = Cursor(run)
    for k in (1, 700, 512, 1024, run.steps):
        k = min(k, run.steps)
        assert same_state(cursor.state(k), Cursor(run).state(k))
    assert same_state(cursor.state(run.steps), run._state)


@every_method
def test_a_cursor_that_keeps_rows_replays_the_same_bits(small_segments, monkeypatch, method, bias):
    run = solve(problem_for(bias), method)
    keeping, steps = Cursor(run), np.random.default_rng(0).integers(0, run.steps + 1, 40)
    states = [keeping.state(int(k)) for k in steps]
    monkeypatch.setattr("solvers.run.cursor.REPLAY_BYTES", 0)
    for k, state in zip(steps, states, strict=True):
        assert same_state(Cursor(run).state(int(k)), state)


@every_method
def test_a_step_that_ends_at_a_keyframe_is_read_and_not_taken(
    small_segments, monkeypatch, method, bias
):
    run = solve(problem_for(bias), method)
    borders = range(SIZE, run.steps + 1, SIZE)
    assert all(run.trace.has_keyframe(k) for k in borders)
    read = [run.at(k) for k in borders]
    monkeypatch.setattr(Trace, "has_keyframe", lambda self, step: False)
    for k, snapshot in zip(borders, read, strict=True):
        taken = run.at(k)
        assert snapshot.event == taken.event
        assert snapshot.expansion.beta.tobytes() == taken.expansion.beta.tobytes()


@pytest.mark.parametrize("limit", [SIZE - 1, SIZE, SIZE + 1, 3 * SIZE])
@every_method
def test_end_at_a_border(small_segments, method, bias, limit):
    problem = problem_for(bias)
    run = solve(problem, type(method)(**{**method.values(), "max_steps": limit}))
    assert (run.steps, run.reason) == (limit, Reason.STEP_LIMIT)
    assert same_state(Cursor(run).state(limit), run._state)
    assert run.at(limit + 1000).step == limit
    assert run.at(-5).step == 0


def test_convergence_at_a_border(monkeypatch):
    problem = problem_for("free")
    steps = solve(problem, SMO()).steps
    for size in (steps, steps - 1, steps + 1, 1):
        monkeypatch.setattr(SMO, "segment_size", lambda self, problem, size=size: size)
        run = solve(problem, SMO())
        assert (run.steps, run.reason) == (steps, Reason.CONVERGED)
        assert same_state(Cursor(run).state(steps), run._state)
        assert run.at(steps).event.violation >= run.method.tol


def test_recorded_events_are_the_replayed_values(small_segments):
    run = solve(problem_for("free"), SMO(tol=1e-6))
    cursor = Cursor(run)
    before = cursor.state(0)
    for k in range(1, run.steps + 1):
        after, record = cursor.state(k), run.trace.event(k)
        i, j = record["i"], record["j"]
        assert (after.beta[i], after.beta[j]) == (record["beta_i"], record["beta_j"])
        assert record["m"] == before.F[i]
        moved = set(np.flatnonzero(after.beta != before.beta))
        assert moved <= {i, j}
        before = after


def test_beta_is_had_from_events_alone(small_segments):
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


def test_between_keyframes_by_proportion():
    trace = Trace(np.dtype("f8"), size=4, records=True)
    for steps, seconds, evaluations in ((4, 1.0, 40), (4, 3.0, 80), (2, 1.0, 90)):
        trace.room((np.zeros(1),))
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


@every_method
def test_cursor_in_another_thread(small_segments, method, bias):
    run = Run(problem_for(bias), method)
    run.advance(steps=1)  # compiles
    seen, done, looked = [], threading.Event(), threading.Event()

    def look():
        cursor, rng = Cursor(run), np.random.default_rng(1)
        while True:
            last = done.is_set()
            step = int(rng.integers(0, run.steps + 1))
            seen.append((step, cursor.state(step), cursor.seek(step).event))
            looked.set()
            if last:
                return

    reader = threading.Thread(target=look)
    reader.start()
    while run.advance(steps=1):
        # Both go on at once, but neither may be done before the other has begun.
        assert looked.wait(timeout=10)
        looked.clear()
    done.set()
    reader.join()
    assert len({step for step, _, _ in seen}) > 5
    for step, state, event in seen:
        assert same_state(state, Cursor(run).state(step))
        assert event == run.at(step).event


def test_live_beta_is_the_last_recorded():
    run = Run(problem_for("free"), SMO())
    run.advance(seconds=60.0, steps=9)
    assert run.live_beta().tobytes() == run.at(9).expansion.beta.tobytes()


def test_a_snapshot_is_frozen():
    beta = solve(problem_for("free"), SMO()).expansion.beta
    with pytest.raises(ValueError, match="read-only"):
        beta[0] = 1.0


def test_advance_takes_at_most_what_it_is_asked():
    run = Run(problem_for("free"), Pegasos(max_steps=10_000))
    run.advance(seconds=60.0, steps=17)
    assert run.steps == 17
    run.advance(seconds=0.0)
    assert run.steps == 18
    while run.advance(seconds=float("inf")):
        pass
    assert run.steps == 10_000


def test_the_first_step_of_a_segment_is_right_after_its_keyframe():
    trace = Trace(np.dtype("f8"), 10, True)
    for _ in range(3):
        trace.room((np.zeros(1),))
        trace.publish(10, 1.0, 10)
    firsts = [trace.first_of_segment(step) for step in (0, 1, 2, 10, 11, 20, 21)]
    assert firsts == [0, 1, 1, 1, 11, 11, 21]


COSTLY_CASES = [
    pytest.param(METHODS["subgradient"](max_steps=3000), id="subgradient"),
    pytest.param(Pegasos(batch_size=64, max_steps=30_000), id="pegasos"),
]


@pytest.mark.parametrize("method", COSTLY_CASES)
def test_segments_of_costly_steps_are_shorter(method, monkeypatch):
    monkeypatch.setattr("solvers.run.trace.COSTLY", 2_000_000)
    X, y = cloud(600, 3, noise=2.0)
    problem = Problem(X, y, kernel=RBF(1.0), C=100.0)
    run, again = solve(problem, method), Run(problem, method)
    while again.advance(steps=97):
        pass
    segments = [run.trace.segment(k) for k in range(run.trace.segments)]
    firsts = [segment.first for segment in segments]
    # The pauses of whoever drives do not matter.
    assert firsts == [again.trace.segment(k).first for k in range(again.trace.segments)]
    ends = [*firsts[1:], run.steps]
    sizes = [end - first for first, end in itertools.pairwise([*firsts, run.steps])]
    assert min(sizes[1:-2]) < run.trace.size
    values = [
        run.at(end).evaluations - segment.evaluations
        for segment, end in zip(segments, ends, strict=True)
    ]
    # Costs change slowly from one segment to the next; an eighth is as short as any gets.
    least = run.trace.size // 8
    assert all(v <= 4_000_000 or s <= least for v, s in zip(values, sizes, strict=True))
    for k in (*ends, *np.random.default_rng(0).integers(0, run.steps, 20).tolist()):
        assert same_state(Cursor(run).state(k), Cursor(again).state(k))
    assert same_state(Cursor(run).state(run.steps), run._state)
    marks = np.concatenate([s.marks[: e - s.first] for s, e in zip(segments, ends, strict=True)])
    assert (run.trace.marks(0, run.steps) == marks).all()


def test_costly_steps_leave_the_memory_of_a_million():
    # Every step asks for far too much; the segments get longer as the memory is used up.
    trace, state = Trace(np.dtype("f8"), 512, True), (np.zeros(4000),)
    values, sizes = 0, set()
    while trace.length < 1_000_000:
        segment, place = trace.room(state)
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
        record = method.event_dtype.itemsize if method.records else 0
        # A mark is one byte.
        assert 1e6 * (keyframe / steps + record + 1) <= 1e8
