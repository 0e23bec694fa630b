"""Words and kernel matrices on the command line."""

import json
from pathlib import Path

import pytest

WORDS = "singing,verb\nringing,verb\nsinger,noun\nringer,noun\n"
MATRIX = "2,1,0,a\n1,2,1,b\n0,1,2,a\n"


@pytest.fixture
def words(tmp_path):
    path = tmp_path / "words.csv"
    path.write_text(WORDS)
    return path


def test_words_are_solved_by_both_kernels(svmviz, words):
    for options, kernel in (
        ((), {"name": "spectrum", "p": 2}),
        (("--p", "3"), {"name": "spectrum", "p": 3}),
        (("--kernel", "edit-distance", "--gamma", "2"), {"name": "edit-distance", "gamma": 2.0}),
    ):
        done = svmviz("solve", words, "--json", *options)
        assert (done.code, done.err) == (0, "")
        found = json.loads(done.out)
        assert found["kernel"] == kernel
        assert found["reason"] == "converged"
        assert found["class_names"] == ["noun", "verb"]
    assert "spectrum p=2" in svmviz("solve", words).out


def test_a_matrix_is_solved(svmviz, tmp_path):
    path = tmp_path / "m.csv"
    path.write_text(MATRIX)
    found = json.loads(svmviz("solve", path, "--json", "--C", "1").out)
    assert found["kernel"] == {"name": "given"}
    assert found["alpha"] == pytest.approx([0.5, 1.0, 0.5])


def test_a_negative_eigenvalue_is_said(svmviz, tmp_path):
    path = tmp_path / "m.csv"
    path.write_text("1,2,0,a\n2,1,0,b\n0,0,1,a\n")
    assert "the smallest eigenvalue of K is −1." in svmviz("solve", path).out
    path.write_text(MATRIX)
    assert "Mercer" not in svmviz("solve", path).out


def test_a_scene_of_words_is_printed_and_read(svmviz, words, tmp_path):
    scene = tmp_path / "a.svmviz"
    scene.write_text(svmviz("scene", words).out, encoding="utf-8")
    line = svmviz("scene", words, "--text").out.strip()
    expected = json.loads(svmviz("solve", words, "--json").out)
    for file in (scene, line):
        found = json.loads(svmviz("solve", file, "--json").out)
        assert found["alpha"] == expected["alpha"]


@pytest.mark.parametrize(
    ("command", "part"),
    [
        (("solve", "--kernel", "rbf"), "cannot compare"),
        (("solve", "--kernel", "given"), "cannot compare"),
        (("render", "-o", "a.png", "--view", "map"), "needs points with coordinates"),
    ],
)
def test_what_needs_coordinates_is_refused(svmviz, words, command, part):
    done = svmviz(command[0], words, *command[1:])
    assert done.code in (1, 2)
    assert part in done.err
    assert not Path("a.png").exists()


def test_points_have_no_kernel_of_words(svmviz, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("0,0,-1\n1,1,1\n0,1,-1\n")
    done = svmviz("solve", path, "--kernel", "spectrum")
    assert done.code == 2
    assert "cannot compare" in done.err
    path.write_text("x,y\n0,0\n1,1\n2,1\n")
    done = svmviz("solve", path, "--task", "regression", "--kernel", "spectrum")
    assert done.code == 1
    assert "compares words" in done.err
