"""The player is arithmetic: no window, no clock."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers import Pegasos, solve
from solvers.run.trace import SUPPORT_CHANGED
from svmviz.playback.player import MAX_SPEED, Player, fitting_speed, next_support_change, next_sweep
from tests.stages import moons


def test_plays_at_its_speed_and_stops_at_the_end():
    player = Player(speed=10.0)
    player.play(length=100, finished=True)
    for _ in range(10):
        player.tick(0.1, 100, True)
    assert player.reading == 10
    for _ in range(200):
        player.tick(0.1, 100, True)
    assert player.reading == 100
    assert not player.playing


def test_waits_for_the_solver_and_goes_on():
    player = Player(speed=1000.0)
    player.seek(0, 5)
    player.play(length=5, finished=False)
    player.tick(1.0, 5, False)
    assert player.reading == 5
    assert player.playing
    player.tick(1.0, 20, False)
    assert player.reading == 20


def test_flat_out_shows_the_newest():
    player = Player(speed=math.inf)
    player.play(10, False)
    player.tick(0.001, 123_456, False)
    assert player.reading == 123_456


def test_play_at_the_end_starts_over():
    player = Player()
    player.tick(0.1, 50, True)
    assert player.reading == 50
    player.play(50, True)
    assert player.reading == 0


def test_following_stays_at_the_growing_end():
    player = Player()
    player.follow()
    for length in (3, 10, 400):
        player.tick(0.01, length, False)
        assert player.reading == length


def test_a_shorter_recording_pulls_the_position_back():
    player = Player()
    player.seek(90, 100)
    player.tick(0.01, 10, True)
    assert player.reading == 10


@given(
    st.lists(
        st.one_of(
            st.tuples(st.just("tick"), st.floats(0, 2)),
            st.tuples(st.just("seek"), st.integers(-10, 500)),
            st.tuples(st.just("play"), st.just(0)),
            st.tuples(st.just("pause"), st.just(0)),
            st.tuples(st.just("follow"), st.just(0)),
            st.tuples(st.just("grow"), st.integers(0, 100)),
        ),
        max_size=40,
    )
)
def test_the_step_is_always_one_that_is_recorded(commands):
    player, length = Player(speed=37.0), 0
    for name, value in commands:
        if name == "tick":
            player.tick(value, length, False)
        elif name == "seek":
            player.seek(value, length)
        elif name == "play":
            player.play(length, False)
        elif name == "grow":
            length += value
        else:
            getattr(player, name)()
        assert 0 <= player.reading <= length


def test_jumps_go_to_marked_steps():
    document = moons()
    run = solve(document.problem(), document.method)
    step = 0
    support = run.at(0).expansion.support
    while (found := next_support_change(run, step)) is not None:
        for between in range(step + 1, found):
            assert list(run.at(between).expansion.support) == list(support)
        changed = run.at(found).expansion.support
        assert list(changed) != list(support)
        support, step = changed, found
    assert step > 0
    assert not (run.trace.marks(step, run.steps) & SUPPORT_CHANGED).any()


def test_next_sweep_of_pegasos_is_n_draws_later():
    document = moons()
    run = solve(document.problem(), Pegasos(max_steps=500))
    assert next_sweep(run, 1) == document.n + 1
    assert next_sweep(run, document.n + 1) == 2 * document.n + 1
    assert next_sweep(run, 499) is None


@pytest.mark.parametrize("step", [0, 1, 7])
def test_pause_keeps_the_step(step):
    player = Player()
    player.seek(step, 10)
    player.play(10, False)
    player.pause()
    assert (player.reading, player.playing) == (step, False)


def test_the_usual_speed_plays_any_run_in_half_a_minute():
    assert fitting_speed(50) == fitting_speed(200) == 8.0
    for steps in (300, 966, 20_000, 1_234_567):
        assert 18.0 <= steps / fitting_speed(steps) <= 40.0
    assert fitting_speed(10**9) == MAX_SPEED


@pytest.mark.parametrize("speed", [1.0, 8.0, 60.0, 1e5, math.inf])
def test_a_loop_is_played_round_and_round_and_each_step_as_long_as_any_other(speed):
    player, seen = Player(speed=speed), []
    player.seek(3, 50)
    player.play(50, True, (10, 14))
    assert player.reading == 10
    for _ in range(5000):
        player.tick(0.016, 50, True, (10, 14))
        seen.append(player.reading)
    assert player.playing
    assert set(seen) == {10, 11, 12, 13, 14}
    counts = [seen.count(step) for step in range(10, 15)]
    if speed < 100.0:
        assert max(counts) - min(counts) <= 63 / speed + 15


def test_a_loop_waits_for_steps_that_are_not_recorded_yet():
    player = Player(speed=100.0)
    player.play(5, False, (3, 20))
    assert player.reading == 3
    player.tick(1.0, 5, False, (3, 20))
    assert player.reading == 5
    player.tick(0.04, 40, False, (3, 20))
    assert player.reading == 9
    # The run ended before the end of the loop.
    player.tick(0.1, 8, True, (3, 20))
    assert 3 <= player.reading <= 8
