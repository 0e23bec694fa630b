"""Replay reproduces every recorded step bit for bit, in any order and in any thread."""

import threading

import numpy as np
import pytest

from solvers import (
    RBF,
    SMO,
    Cursor,
    InteriorPoint,
    Linear,
    Problem,
    Reason,
    Run,
    Subgradient,
    solve,
)
from solvers.run.event import MAX_MARKED
from solvers.run.trace import Trace, copy_state
from tests.solvers.problems import cloud
from tests.solvers.run.short_segments import SIZE, every_method, problem_for
from tests.solvers.states import same_state
from tests.time_limits import TIME_LIMIT

every_kernel = pytest.mark.parametrize("kernel", [Linear(), RBF()], ids=["linear", "rbf"])


def step_by_step(problem: Problem, method) -> tuple[Run, list]:
    """Return a run that took one step per call, and all its states."""
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
def test_cached_rows_change_no_bit(monkeypatch, n):
    monkeypatch.setattr("solvers.run.cursor.REPLAY_BYTES", 0)  # now only the run keeps any
    run = solve(problem_for("free", n=n), SMO(tol=1e-4, max_steps=1500))
    cursor = Cursor(run)
    for k in (1, 700, 512, 1024, run.steps):
        k = min(k, run.steps)
        assert same_state(cursor.state(k), Cursor(run).state(k))
    assert same_state(cursor.state(run.steps), run._state)


@every_method
def test_a_cursor_with_a_cache_replays_the_same_bits(small_segments, monkeypatch, method, bias):
    run = solve(problem_for(bias), method)
    keeping, steps = Cursor(run), np.random.default_rng(0).integers(0, run.steps + 1, 40)
    states = [keeping.state(int(k)) for k in steps]
    monkeypatch.setattr("solvers.run.cursor.REPLAY_BYTES", 0)
    for k, state in zip(steps, states, strict=True):
        assert same_state(Cursor(run).state(int(k)), state)


@every_method
def test_a_step_that_ends_at_a_keyframe_is_copied_from_it(
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
def test_a_run_that_ends_at_a_segment_border(small_segments, method, bias, limit):
    problem = problem_for(bias)
    run = solve(problem, type(method)(**{**method.values(), "max_steps": limit}))
    assert (run.steps, run.reason) == (limit, Reason.STEP_LIMIT)
    assert same_state(Cursor(run).state(limit), run._state)
    assert run.at(limit + 1000).step == limit
    assert run.at(-5).step == 0


def test_convergence_at_a_segment_border(monkeypatch):
    problem = problem_for("free")
    steps = solve(problem, SMO()).steps
    for size in (steps, steps - 1, steps + 1, 1):
        monkeypatch.setattr(SMO, "segment_size", lambda self, problem, size=size: size)
        run = solve(problem, SMO())
        assert (run.steps, run.reason) == (steps, Reason.CONVERGED)
        assert same_state(Cursor(run).state(steps), run._state)
        assert run.at(steps).event.values["violation"] >= run.method.tol


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
        # Both run at the same time; neither may end before the other has begun.
        assert looked.wait(timeout=TIME_LIMIT)
        looked.clear()
    done.set()
    reader.join()
    assert len({step for step, _, _ in seen}) > 5
    for step, state, event in seen:
        assert same_state(state, Cursor(run).state(step))
        assert event == run.at(step).event


def test_a_snapshot_is_frozen():
    beta = solve(problem_for("free"), SMO()).expansion.beta
    with pytest.raises(ValueError, match="read-only"):
        beta[0] = 1.0


@pytest.mark.parametrize("method", [Subgradient(max_steps=60), InteriorPoint()], ids=repr)
def test_a_step_that_moves_all_points_marks_those_that_moved_most(method):
    X, y = cloud(40, 2)
    run = solve(Problem(X, y, RBF(0.8), C=2.0), method)
    cursor, many = Cursor(run), 0
    for step in range(1, run.steps + 1):
        before, here = cursor.seek(step - 1), cursor.seek(step)
        touched, marked = here.event.touched, here.event.marked
        if len(touched) <= MAX_MARKED:
            assert marked == touched
            continue
        many += 1
        change = np.abs(here.expansion.beta - before.expansion.beta)
        assert set(marked) <= set(touched)
        assert len(marked) == min(MAX_MARKED, np.count_nonzero(change[list(touched)]))
        others = change[sorted(set(touched) - set(marked))]
        assert len(marked) == 0 or change[list(marked)].min() >= others.max(initial=0.0)
    assert many
