"""Figures that another process draws: the same settings, its refusals, and Cancel."""

import argparse
import os
import threading
from pathlib import Path

import pytest

from solvers import BadInput
from solvers.cancelling import Cancelled, cancel_when
from svmviz.cli import export_options
from svmviz.cli.parser import Parser
from svmviz.export.figure_settings import FigureSettings
from svmviz.export.page import Length
from svmviz.io.scene import Scene
from svmviz.window.files.process_figure import Drawer, ProcessFigure, arguments
from tests import stages
from tests.time_limits import wait_for

SCENE = Scene(document=stages.moons(30), step=3)
ORDERS = [
    FigureSettings(views=("plane", "kkt")),
    FigureSettings(
        views=("objective",), width=Length(86, "mm"), height=Length(60.5, "mm"), type_size=7.5,
        theme="dark", legend=False, axes=False, titles=False, title="--title <b>", caption=True,
        transparent=True, field="bands", svg_text="embedded",
    ),
    FigureSettings(width=Length(700, "px"), height=Length(300, "px"), scale=2.25),
    FigureSettings(views=("race",), clock="evaluations", lane=1),
    FigureSettings(views=("loss",), choices=(("loss.source", "run"), ("slice.line", "best"))),
]  # fmt: skip


@pytest.mark.parametrize("settings", ORDERS)
def test_the_order_arrives_as_it_was_given(settings):
    parser = Parser()
    export_options.add_figure_options(parser)
    given = parser.parse_args(["-o", "a.pdf", *arguments(settings)])
    assert isinstance(given, argparse.Namespace)
    assert export_options.read_figure_settings(given, parser) == settings


@pytest.fixture
def drawer():
    made = Drawer(SCENE)
    yield made
    made.close()
    wait_for_threads()


def wait_for_threads():
    names = {"svmviz-drawer", "svmviz-answers"}
    wait_for(lambda: not names & {thread.name for thread in threading.enumerate()})


def test_a_refusal_is_its_sentence(drawer, tmp_path):
    with pytest.raises(BadInput, match=r"^The chart of a race needs two or more methods"):
        ProcessFigure(FigureSettings(views=("race",)), drawer).write(tmp_path / "a.svg")
    with pytest.raises(BadInput, match=r"^No such folder"):
        ProcessFigure(FigureSettings(views=("kkt",)), drawer).write(tmp_path / "b" / "a.svg")
    assert os.listdir(tmp_path) == []


def test_one_process_draws_several_figures_and_reports_its_progress(drawer, tmp_path):
    shares, notes, processes = [], [], set()
    settings = FigureSettings(
        views=("plane", "kkt"), width=Length(86, "mm"), height=Length(50, "mm")
    )
    drawer.prepare(settings)
    for name in ("a.svg", "b.pdf"):
        given = ProcessFigure(settings, drawer)
        notes.append(given.write(tmp_path / name, shares.append))
        processes.add(drawer._child.process.pid)
    small = ProcessFigure(FigureSettings(views=("kkt",)), drawer)
    image, note = small.image(size=(300.0, 300.0))
    assert note == ""
    assert processes == {drawer._child.process.pid}
    assert max(image.size().toTuple()) == 300
    assert (tmp_path / "a.svg").read_bytes().startswith(b"<?xml")
    assert (tmp_path / "b.pdf").read_bytes().startswith(b"%PDF")
    assert all("There is too little room" in note for note in notes)
    half = len(shares) // 2
    assert shares[:half] == sorted(shares[:half])
    assert len(set(shares)) > 3


def test_cancel_ends_the_process_and_leaves_the_older_file(drawer, tmp_path):
    path = tmp_path / "a.svg"
    path.write_text("older")
    given = ProcessFigure(FigureSettings(views=("kkt",)), drawer)
    with cancel_when(lambda: True), pytest.raises(Cancelled):
        given.write(path)

    def cancel(_share):
        raise Cancelled

    with pytest.raises(Cancelled):
        given.write(path, cancel)
    assert path.read_text() == "older"
    assert os.listdir(tmp_path) == ["a.svg"]
    # Another figure can still be drawn.
    given.write(path)
    assert path.read_text().startswith("<?xml")


def test_a_process_that_has_died_is_said(drawer, tmp_path):
    given = ProcessFigure(FigureSettings(views=("kkt",)), drawer)
    given.write(tmp_path / "a.svg")
    drawer._child.process.kill()
    with pytest.raises(BadInput, match="ended early"):
        given.write(tmp_path / "b.svg")
    assert os.listdir(tmp_path) == ["a.svg"]


def test_the_process_and_its_folder_are_gone_when_it_is_closed(tmp_path):
    drawer = Drawer(SCENE)
    ProcessFigure(FigureSettings(views=("kkt",)), drawer).write(tmp_path / "a.svg")
    process, folder = drawer._child.process, drawer._folder
    assert process is not None
    assert folder is not None
    drawer.close()
    wait_for_threads()
    assert process.poll() is not None
    assert not Path(folder.name).exists()
