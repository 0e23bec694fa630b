"""Beats lead from step to step, forwards and backwards."""

import pytest

from svmviz.frames.beat_walk import BeatPosition, position_after

# Beats of steps 1 to 4; step 3 is shown as one.
COUNTS = {1: 3, 2: 2, 3: 1, 4: 3}
# All places in order.
PLACES = [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (2, 0), (3, 0), (3, 1), (3, 2), (4, 0)]


@pytest.mark.parametrize("step", range(5))
@pytest.mark.parametrize("beats", range(-12, 13))
def test_a_place_is_so_many_beats_away(step, beats):
    start = PLACES.index((step, 0))
    wanted = PLACES[min(max(start + beats, 0), len(PLACES) - 1)]
    assert position_after(COUNTS.__getitem__, 4, step, beats) == BeatPosition(*wanted)
