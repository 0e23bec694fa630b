"""Marks counted while a run grows, against marks counted at the end."""

from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pytest

from solvers import RBF, SMO, Problem, Run
from solvers.run.trace import SUPPORT_CHANGED
from svmviz.playback import tally
from svmviz.playback.tally import BLOCK, Tally


@pytest.fixture(scope="module")
def run(rng_points):
    X, y = rng_points
    run = Run(Problem(X, y, RBF(2.0), 1e6), SMO(tol=1e-12, pair="random"))
    run.advance(seconds=60.0, steps=40_000)
    assert run.steps > 30_000
    return run


@pytest.fixture(scope="module")
def rng_points():
    rng = np.random.default_rng(3)
    return rng.normal(size=(60, 2)), np.where(np.arange(60) % 2, 1, -1)


def counted(run, length, parts):
    """Marked steps of each part, one by one."""
    marks = (run.trace.marks(0, length) & SUPPORT_CHANGED) != 0
    edges = np.arange(parts + 1) * length // parts
    return np.array([marks[a:b].sum() for a, b in pairwise(edges)])


@pytest.mark.parametrize("length", [1, 7, 300, 16 * BLOCK])
def test_short_runs_are_counted_step_by_step(run, length):
    density, of = Tally(run, SUPPORT_CHANGED).density(length, 16)
    assert of == length
    parts = min(length, 16)
    steps = np.diff(np.arange(parts + 1) * length // parts)
    assert np.array_equal(density * steps, counted(run, length, parts))


def test_no_steps_have_no_parts(run):
    assert Tally(run, SUPPORT_CHANGED).density(0, 16)[0].size == 0


def test_a_growing_run_is_counted_to_within_a_block(run):
    found = Tally(run, SUPPORT_CHANGED)
    for length in (17 * BLOCK, 20_000, 20_001, run.steps):
        density, of = found.density(length, 16)
        assert of == length
        edges = np.arange(17) * length // 16
        assert np.abs(density * np.diff(edges) - counted(run, length, 16)).max() <= BLOCK
        assert density.min() >= 0.0
        assert density.max() <= 1.0


@pytest.mark.parametrize("length", [64_000, 64_001, 64_063, 64_064])
def test_steps_after_the_last_whole_block_are_counted(length):
    trace = SimpleNamespace(marks=lambda a, b: np.full(b - a, SUPPORT_CHANGED, np.uint8))
    density, _ = Tally(SimpleNamespace(trace=trace), SUPPORT_CHANGED).density(length, 1000)
    assert density == pytest.approx(np.ones(1000))


def test_a_long_run_is_looked_at_in_pieces(run, monkeypatch):
    monkeypatch.setattr(tally, "MAX_NEW", 128 * BLOCK)
    found, whole = Tally(run, SUPPORT_CHANGED), Tally(run, SUPPORT_CHANGED)
    covered = [found.density(run.steps, 16)[1]]
    while covered[-1] < run.steps:
        density, of = found.density(run.steps, 16)
        covered.append(of)
    assert covered[0] == 128 * BLOCK
    assert len(covered) > 2
    assert covered == sorted(covered)
    monkeypatch.undo()
    assert np.array_equal(density, whole.density(run.steps, 16)[0])
