"""The scenes that come with the program: they open, they solve, they are what the script makes."""

import importlib.util
from pathlib import Path

import pytest

from solvers import solve
from svmviz.base.resources import path as asset
from svmviz.base.resources import root
from svmviz.io.files import open_scene
from svmviz.io.scene import write_scene

NAMES = ["demo", "eight-points", "noisy-sine", "penguins", "race", "two-moons"]
SCRIPT = Path(__file__).parents[2] / "scripts" / "make_scenes.py"


def test_these_are_all():
    assert sorted(path.stem for path in (root() / "scenes").iterdir()) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_a_scene_is_solved_in_a_watchable_number_of_steps(name):
    document = open_scene(asset(f"scenes/{name}.svmviz")).document
    run = solve(document.problem(), document.method)
    assert run.reason == "converged"
    assert 5 <= run.steps <= 100


@pytest.mark.parametrize("name", ["demo", "penguins"])
def test_penguins_are_in_mm_and_200_g(name):
    data = open_scene(asset(f"scenes/{name}.svmviz")).document.data
    assert data.class_names == ("Adelie", "Gentoo")
    assert data.axis_names == ("bill depth (mm)", "body mass (× 200 g)")
    assert data.points[0].tolist() == [18.7, 18.75]


def test_the_script_makes_these():
    spec = importlib.util.spec_from_file_location("make_scenes", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    made = script.make_scenes()
    assert sorted(made) == NAMES
    for name, scene in made.items():
        text = asset(f"scenes/{name}.svmviz").read_text(encoding="utf-8")
        assert text == write_scene(scene)
