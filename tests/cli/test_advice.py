"""Advice on scales on the command line: notes on stderr with the options that follow them."""

import numpy as np
import pytest

from svmviz.base.resources import path as asset


@pytest.fixture
def curve(tmp_path):
    """Write a curve whose targets have a given scale."""

    def write(scale):
        x = np.linspace(0.0, 6.0, 30)
        path = tmp_path / "curve.csv"
        rows = [f"{a!r},{b!r}" for a, b in zip(x.tolist(), (scale * np.sin(x)).tolist())]
        path.write_text("\n".join(["x,y", *rows]))
        return path

    return write


def options_of(err):
    """The options that the note on stderr gives."""
    [line] = [line for line in err.splitlines() if "Better for these points: " in line]
    return line.partition("points: ")[2].rstrip(".").split()


@pytest.mark.parametrize("scale", [1e-6, 1e7])
@pytest.mark.parametrize("task", [(), ("--task", "regression")])
def test_the_options_of_a_note_are_what_it_asks_for(svmviz, curve, scale, task):
    path = curve(scale)
    options = options_of(svmviz("solve", path, *task).err)
    assert options[::2] == ["--epsilon", "--C", "--tol"]
    assert "Better" not in svmviz("solve", path, *task, *options).err
    # Whoever gives one of the options has decided.
    for k in (0, 2, 4):
        assert "Better" not in svmviz("solve", path, *task, *options[k : k + 2]).err
    assert "Better" in svmviz("solve", path, *task, "--gamma", "0.5").err


def test_points_of_two_scales(svmviz, tmp_path):
    options = options_of(svmviz("solve", asset("penguins.csv")).err)
    assert options[:2] == ["--scaling", "each"]
    # The same as in the window: the kernel's width comes second.
    assert "--gamma" in options_of(svmviz("solve", asset("penguins.csv"), "--scaling", "none").err)
    assert svmviz("solve", asset("penguins.csv"), *options).err == ""


def test_a_grid_a_scene_and_suitable_points_have_no_note(svmviz, curve, tmp_path, moons):
    assert svmviz("solve", moons).err == ""
    grid = ("--procedure", "k-fold", "--grid", "C=1e-6,1e-5")
    assert "Better" not in svmviz("select", curve(1e-6), *grid).err
    assert "Better" in svmviz("select", curve(1e-6), *grid[:2]).err
    scene = tmp_path / "a.svmviz"
    scene.write_text(svmviz("scene", curve(1e-6)).out, encoding="utf-8")
    assert svmviz("solve", scene).err == ""
