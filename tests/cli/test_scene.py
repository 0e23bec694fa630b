"""``svmviz scene``, and scenes as text in place of a file."""

import json

import pytest
from PySide6.QtGui import QImage

from solvers import Linear
from svmviz.io.open_and_save import open_scene
from svmviz.io.scene_line import round_points
from tests.cli.common import NO_DISPLAY, REFUSE_QT


@pytest.fixture
def line(svmviz, scene_of):
    done = svmviz("scene", scene_of(kernel=Linear(), step=2), "--text")
    assert (done.code, done.err) == (0, "")
    assert done.out.count("\n") == 1
    return done.out.strip()


def test_the_line_is_the_scene(svmviz, line, scene_of):
    assert open_scene(line) == round_points(open_scene(scene_of(kernel=Linear(), step=2)))
    shown = svmviz("scene", line)
    assert json.loads(shown.out)["kernel"] == {"name": "linear"}


def test_options_change_the_scene(svmviz, moons):
    done = svmviz("scene", moons, "--text", "--kernel", "polynomial", "--degree", 4)
    assert open_scene(done.out.strip()).document.kernel.degree == 4


def test_the_classes_of_a_table_are_said(svmviz, moons, tmp_path):
    assert svmviz("scene", moons).err == ""
    table = tmp_path / "beans.csv"
    table.write_text("1,2,ripe\n2,1,raw\n3,1,ripe\n", encoding="utf-8")
    done = svmviz("scene", table)
    sentence = "svmviz: Labels are read as a classification: raw is −1, ripe is +1.\n"
    assert done.err == sentence
    scene = tmp_path / "beans.svmviz"
    scene.write_text(done.out, encoding="utf-8")
    assert svmviz("scene", scene).err == svmviz("solve", table, "--json").err == ""
    assert open_scene(scene).document.data.labels.tolist() == [1, -1, 1]


def test_every_command_takes_the_line(svmviz, line, qapp, tmp_path):
    solved = svmviz("solve", line, "--json")
    assert json.loads(solved.out)["n"] == 8
    assert svmviz("render", line, "-o", tmp_path / "a.png").code == 0
    assert not QImage(str(tmp_path / "a.png")).isNull()
    assert svmviz("render", line, "-o", tmp_path / "a.csv").code == 0


def test_damaged_text_is_one_sentence(svmviz, line):
    for arguments in (["solve", line[:-5]], ["--text", line[:-5]], [line[:-5]]):
        done = svmviz(*arguments)
        assert (done.code, done.out) == (1, "")
        assert "damaged or incomplete" in done.err
        assert done.err.count("\n") == 1


def test_names_cannot_command_a_terminal(svmviz, moons, tmp_path):
    names = ["a\x1b[31m\x9b\x7f", "b\u202e\ud800\U000e0001"]
    scene = json.loads(svmviz("scene", moons).out)
    file = tmp_path / "a.svmviz"
    file.write_text(json.dumps({**scene, "class_names": names}), encoding="utf-8")
    printed = svmviz("scene", str(file)).out
    assert all(line.isprintable() for line in printed.splitlines())
    assert json.loads(printed)["class_names"] == names
    assert all(line.isprintable() for line in svmviz("solve", str(file)).out.splitlines())


def test_text_and_a_file_are_bad_usage(svmviz, line, moons):
    assert svmviz(moons, "--text", line).code == 2


def test_a_scene_has_its_task(svmviz, line):
    done = svmviz("solve", line, "--task", "regression")
    assert (done.code, done.out) == (1, "")
    assert "contains its task" in done.err


def test_without_a_display_the_text_is_drawn(process, line, tmp_path):
    done = process("--text", line, **NO_DISPLAY)
    assert done.code == 0
    assert "svmviz-scene.png" in done.out
    assert not QImage(str(tmp_path / "svmviz-scene.png")).isNull()


def test_it_needs_no_qt(process, moons):
    done = process("scene", moons, "--text", before=REFUSE_QT)
    assert done.out.startswith("svmviz:1:")
