"""The scene of the first start: what is being learnt is seen at once."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from solvers import Linear, solve
from svmviz.base.resources import path
from svmviz.document.examples import FIRST_SCENE, examples
from svmviz.io.open_and_save import open_scene

ROOT = Path(__file__).parents[2]


def test_a_line_separates_two_clouds_in_a_few_seconds():
    scene = open_scene(path(f"scenes/{FIRST_SCENE}.svmviz"))
    document = scene.document
    assert isinstance(document.kernel, Linear)
    assert 20 <= document.n <= 60
    run = solve(document.problem(), document.method)
    f = run.expansion(document.data.points)
    assert (document.data.labels * f > 0).all()
    # Support vectors of both classes, on the margins: the street ends where they are.
    support = np.abs(run.expansion.beta) > 1e-9
    assert set(document.data.labels[support]) == {-1, 1}
    np.testing.assert_allclose(np.abs(f[support]), 1.0, atol=0.01)
    assert scene.speed
    assert 3.0 < run.steps / scene.speed < 15.0


def test_it_is_the_first_example_and_set_up_compiles_what_it_needs():
    assert examples()[0].path.stem == FIRST_SCENE
    assert f"assets/scenes/{FIRST_SCENE}.svmviz" in (ROOT / "scripts" / "setup.sh").read_text()
