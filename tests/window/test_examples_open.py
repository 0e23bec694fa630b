"""Examples of the menu: they open at a step that is worth a word, and the user plays them."""

import pytest

from svmviz.document.examples import scenes
from svmviz.document.ready_races import READY_RACES


@pytest.mark.parametrize("name", ["losses", "perceptron"])
def test_an_example_waits_at_the_step_that_it_names(user, name):
    user.window._open_example(scenes()[name])
    playback = user.window.stage.playback
    user.until(lambda: playback.finished and not user.window.stage.session.waiting)
    user.rest(0.3)
    assert not playback.player.playing
    assert playback.step == (0 if name == "perceptron" else playback.run.steps)


def test_a_race_waits_at_its_start(user):
    user.window._open_race(scenes()[READY_RACES[0].name])
    playback = user.window.stage.playback
    user.until(lambda: playback.finished and not user.window.stage.session.waiting)
    user.rest(0.3)
    assert (playback.player.playing, playback.player.reading) == (False, 0)
