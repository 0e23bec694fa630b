"""``svmviz [FILE]``: the window, or a picture if there is no display."""

import os
import sys
from types import SimpleNamespace

import pytest
from PySide6.QtGui import QImage

from svmviz.base.resources import path as asset
from svmviz.base.versions import versions
from svmviz.cli import COMMANDS, window
from tests.cli.common import NO_DISPLAY


@pytest.fixture
def opened(monkeypatch):
    """Files for which a window was opened."""
    files = []
    app = SimpleNamespace(
        run_window=lambda *path, **task: files.extend([*path, *task.values()]) or 7
    )
    monkeypatch.setitem(sys.modules, "svmviz.app.app", app)
    monkeypatch.setattr(window, "has_display", lambda: True)
    return files


def test_the_window(svmviz, opened):
    assert svmviz().code == 7
    assert svmviz("a.csv").code == 7
    assert opened == [None, "a.csv"]
    assert svmviz("a.csv", "--task", "regression").code == 7
    assert opened[2:] == ["a.csv", "regression"]


@pytest.mark.parametrize("arguments", [["--no"], ["a.csv", "b.csv"]])
def test_bad_usage(svmviz, opened, arguments):
    done = svmviz(*arguments)
    assert (done.code, done.out) == (2, "")
    assert done.err.count("\n") == 1
    assert opened == []


def test_version_and_help(process):
    done = process("--version")
    assert (done.code, done.out, done.err) == (0, f"{versions()}\n", "")
    for arguments in (["--help"], ["solve", "--help"], ["render", "-h"], ["list", "--help"]):
        done = process(*arguments)
        assert (done.code, done.err) == (0, "")
        assert done.out.startswith("usage: svmviz")


def test_without_a_display_the_demo_is_drawn(process, tmp_path):
    done = process(**NO_DISPLAY)
    assert (done.code, done.err) == (0, "")
    assert done.out == (
        "There is no display for a window, so the first scene was drawn to "
        "svmviz-two-clouds.png instead.\n"
    )
    assert os.listdir(tmp_path) == ["svmviz-two-clouds.png"]
    assert QImage(str(tmp_path / "svmviz-two-clouds.png")).width() == 1280


def test_without_a_display_no_picture_is_replaced(process, tmp_path):
    (tmp_path / "svmviz-two-clouds.png").write_bytes(b"mine")
    assert "svmviz-two-clouds-2.png" in process(**NO_DISPLAY).out
    assert (tmp_path / "svmviz-two-clouds.png").read_bytes() == b"mine"


def test_without_a_display_a_file_is_drawn(process, tmp_path):
    done = process(asset("scenes/two-moons.svmviz"), **NO_DISPLAY)
    assert (done.code, done.err) == (0, "")
    assert os.listdir(tmp_path) == ["svmviz-two-moons.png"]
    done = process("no.csv", **NO_DISPLAY)
    assert (done.code, done.err) == (1, "svmviz: No such file: no.csv\n")


def test_a_word_that_is_no_command_and_no_file_is_said_to_be_so(svmviz):
    for words, hint in (
        (["solv", "x.csv"], " (did you mean solve?)"),
        (["lessons"], " (did you mean lesson?)"),
        (["help"], ""),
    ):
        done = svmviz(*words)
        sentence = f"svmviz: there is no command and no file {words[0]}{hint}; see svmviz --help\n"
        assert (done.code, done.err) == (2, sentence)


def test_the_help_lists_all_commands(svmviz):
    for name, (_module, about) in COMMANDS.items():
        assert f"  {name:<8}{about}\n" in svmviz("--help").out
