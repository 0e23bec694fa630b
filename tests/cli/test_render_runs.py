"""``svmviz render`` of whole runs: tables and arrays, read back by numpy."""

import csv
import errno
import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from solvers import SMO, Linear, Pegasos, solve
from solvers.data.datasets import DATASETS, PointSet
from svmviz.cli import render as render_command
from svmviz.document.changes import Changes
from svmviz.document.document import Document, Penalty
from svmviz.document.step_marks import StepMarks
from svmviz.io import atomic
from svmviz.io.open_and_save import open_scene, save
from svmviz.io.scene import Scene
from tests.cli.common import REFUSE_QT
from tests.cli.conftest import ROOT
from tests.time_limits import TIME_LIMIT

TRACE = ["step", "primal", "dual", "gap", "kkt", "seconds", "moved"]


@pytest.fixture
def render(svmviz, tmp_path):
    """Write a run by the command line, and return the file."""

    def call(*arguments, name):
        done = svmviz("render", *arguments, "-o", tmp_path / name)
        assert (done.code, done.out, done.err) == (0, "", "")
        return tmp_path / name

    return call


def read(path):
    with path.open(newline="", encoding="utf-8") as file:
        names, *rows = csv.reader(file)
    return names, rows


def test_the_trace_has_one_row_per_step(render, svmviz, moons):
    names, rows = read(render(moons, name="run.csv"))
    assert names == TRACE
    table = np.array([row[:-1] for row in rows], dtype=float)
    run = solve(open_scene(moons).document.problem(), SMO())
    assert table[:, 0].tolist() == list(range(run.steps + 1))
    assert (np.diff(table[:, 5]) >= 0).all()
    np.testing.assert_array_equal(table[:, 3], table[:, 1] - table[:, 2])
    solved = json.loads(svmviz("solve", moons, "--json").out)
    assert table[-1, 1:5].tolist() == [solved[key] for key in ("primal", "dual", "gap", "kkt")]
    before, after = run.at(6).expansion.beta, run.at(7).expansion.beta
    assert set(np.flatnonzero(before != after)) <= set(map(int, rows[7][-1].split()))
    assert rows[0][-1] == ""


def test_a_range_of_steps(render, moons):
    _, rows = read(render(moons, "--steps", "2:11:3", name="run.csv"))
    assert [int(row[0]) for row in rows] == [2, 5, 8, 11]
    whole = read(render(moons, name="whole.csv"))[1]
    assert [row[:5] for row in rows] == [whole[k][:5] for k in (2, 5, 8, 11)]


def test_the_solution_has_one_row_per_point(render, svmviz, moons):
    names, rows = read(render(moons, "--table", "solution", name="run.csv"))
    assert names == ["x", "y", "label", "alpha", "beta", "slack", "f", "kind"]
    table = np.array([row[:-1] for row in rows], dtype=float)
    data = open_scene(moons).document.data
    np.testing.assert_array_equal(table[:, :2], data.points)
    np.testing.assert_array_equal(table[:, 2], data.labels)
    solved = json.loads(svmviz("solve", moons, "--json").out)
    assert table[:, 3].tolist() == solved["alpha"]
    assert table[:, 4].tolist() == solved["beta"]
    assert [row[-1] for row in rows] == [
        "zero" if a == 0 else "bound" if a == 1 else "free" for a in solved["alpha"]
    ]
    hinge = np.maximum(0.0, 1.0 - table[:, 2] * table[:, 6])
    np.testing.assert_allclose(table[:, 5], hinge, atol=1e-9)


def test_the_solution_of_a_step(render, moons):
    _, rows = read(render(moons, "--table", "solution", "--step", 5, name="run.csv"))
    beta = solve(open_scene(moons).document.problem(), SMO()).at(5).expansion.beta
    assert [float(row[4]) for row in rows] == beta.tolist()


def test_the_solution_of_a_regression_has_no_label(render, scene_of):
    scene = scene_of(task="regression")
    _, rows = read(render(scene, "--table", "solution", name="run.csv"))
    assert {row[2] for row in rows} == {""}
    assert {row[-1] for row in rows} <= {"zero", "free", "bound"}


def test_the_states(render, moons):
    with np.load(render(moons, "--steps", "0:20:5", name="run.npz"), allow_pickle=False) as found:
        assert set(found) == {"step", "beta", "bias"}
        assert found["step"].tolist() == [0, 5, 10, 15, 20]
        run = solve(open_scene(moons).document.problem(), SMO())
        for step, beta, bias in zip(found["step"], found["beta"], found["bias"], strict=True):
            shown = run.at(int(step)).expansion
            np.testing.assert_array_equal(beta, shown.beta)
            assert bias == shown.bias


def test_a_race_names_the_solver_of_each_row(render, scene_of):
    scene = scene_of(kernel=Linear(), bias="augmented", methods=(Pegasos(max_steps=50),) * 2)
    names, rows = read(render(scene, name="run.csv"))
    assert names == [*TRACE, "solver"]
    assert {row[-1] for row in rows} == {"pegasos"}
    assert len(rows) == 102
    with np.load(render(scene, name="run.npz"), allow_pickle=False) as found:
        assert found["solver"].shape == found["bias"].shape == (102,)


def test_a_race_of_models_names_what_differs_in_each_row(render, scene_of):
    changes = tuple(Changes(penalty=Penalty("C", C)) for C in (1.0, 100.0))
    for table in ("trace", "solution"):
        scene = scene_of(methods=(SMO(), SMO()), changes=changes)
        names, rows = read(render(scene, "--table", table, name="run.csv"))
        assert names[-2:] == ["solver", "model"]
        assert list(dict.fromkeys(tuple(row[-2:]) for row in rows)) == [
            ("smo", "C = 1"),
            ("smo", "C = 100"),
        ]
        # The rows of a model are those of a scene with this model alone.
        single = scene_of(penalty=Penalty("C", 100.0), methods=(SMO(),))
        alone = read(render(single, "--table", table, name="single.csv"))[1]
        own = [row[:-2] for row in rows if row[-1] == "C = 100"]
        assert [row[:5] for row in own] == [row[:5] for row in alone]


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (["-o", "a.csv", "--steps", "0:999999"], 1, "The run has"),
        (["-o", "a.npz", "--steps", "999999:"], 1, "are not all in it"),
        (["-o", "a.csv", "--steps", "9:3"], 2, "no range of steps"),
        (["-o", "a.csv", "--steps", "x"], 2, "not of the form"),
        (["-o", "a.csv", "--steps", "1:5:0"], 2, "no range of steps"),
        (["-o", "a.csv", "--step", "3"], 2, "--step is for --table solution"),
        (["-o", "a.csv", "--table", "solution", "--steps", "0:3"], 2, "--steps is for the trace"),
        (["-o", "a.npz", "--table", "trace"], 2, "--table is not for .npz"),
        (["-o", "a.png", "--steps", "0:3"], 2, "--steps is for whole runs"),
        (["-o", "no/a.csv"], 1, "No such folder"),
        (["-o", "no/a.gif", "--size", "40x30"], 1, "No such folder"),
        (["-o", "no/a/", "--size", "40x30"], 1, "No such folder"),
        (["-o", "a.gif", "--steps", "0:999999"], 1, "are not all in it"),
        (["-o", "a.gif", "--fps", "60"], 2, "at most 50 frames"),
        (["-o", "a.mp4", "--fps", "0"], 2, "0.1 to 60 frames"),
        (["-o", "a.mp4", "--hold", "-1"], 2, "0 to 60 s"),
        (["-o", "a.mp4", "--size", "41x30"], 1, "even sides"),
        (["-o", "a.mp4", "--view", "kkt"], 2, "--view is for pictures"),
        (["-o", "a/", "--fps", "3"], 2, "--fps is not for a folder"),
        (["-o", "a.csv", "--glide"], 2, "--glide is not for .csv"),
        (["-o", "a.png", "--changes"], 2, "--changes is for whole runs"),
    ],
)
@pytest.mark.usefixtures("qapp")
def test_bad_input_is_one_sentence_and_no_file(
    svmviz, moons, tmp_path, monkeypatch, arguments, code, sentence
):
    before = sorted(tmp_path.iterdir())
    monkeypatch.chdir(tmp_path)
    done = svmviz("render", moons, *arguments)
    assert done.code == code
    assert sentence in done.err
    assert done.err.count("\n") == 1
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize("ending", [".mp4", ".webm"])
def test_a_missing_codec_is_said_before_anything_is_solved(
    svmviz, moons, tmp_path, monkeypatch, ending
):
    monkeypatch.setitem(sys.modules, "av", None)
    monkeypatch.setattr(render_command, "solve_lanes", lambda _: pytest.fail("it was solved"))
    done = svmviz("render", moons, "-o", tmp_path / f"a{ending}")
    assert (done.code, done.err.count("\n")) == (1, 1)
    assert "pip install 'svmviz[movie]'" in done.err


@pytest.mark.usefixtures("qapp")
def test_a_folder_with_other_files_is_refused_before_anything_is_solved(
    svmviz, moons, tmp_path, monkeypatch
):
    (tmp_path / "frames").mkdir()
    (tmp_path / "frames" / "notes.txt").write_text("mine")
    monkeypatch.setattr(render_command, "solve_lanes", lambda _: pytest.fail("it was solved"))
    done = svmviz("render", moons, "-o", f"{tmp_path}/frames/")
    assert (done.code, done.err.count("\n")) == (1, 1)
    assert "holds other files" in done.err


@pytest.mark.parametrize("name", ["a.gif", "a.mp4", "a.csv", "a.npz", "a.py", "frames/"])
@pytest.mark.usefixtures("qapp")
def test_a_full_disk_is_one_sentence_and_no_file(svmviz, moons, tmp_path, monkeypatch, name):
    before = sorted(tmp_path.iterdir())

    def fill(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(atomic, "_fill", fill)
    monkeypatch.setattr(Path, "write_bytes", fill)
    some = () if name == "a.py" else ("--steps", "0:2")
    size = ("--size", "80x60") if name in ("a.gif", "a.mp4", "frames/") else ()
    done = svmviz("render", moons, "-o", f"{tmp_path}/{name}", *some, *size)
    assert (done.code, done.err.count("\n")) == (1, 1)
    assert "No space left on device" in done.err
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.usefixtures("qapp")
def test_a_movie_of_some_steps(render, moons):
    size = ("--size", "320x240")
    words = render(moons, *size, "--steps", "2:11:3", "--fps", 4, "--hold", 2, name="a.gif")
    bare = render(moons, *size, "--steps", "2:11:3", "--no-caption", name="b.gif")
    with Image.open(words) as movie, Image.open(bare) as other:
        assert (movie.size, movie.n_frames) == ((320, 240), 4)
        assert movie.info["duration"] == 2000
        movie.seek(1)
        other.seek(1)
        assert movie.info["duration"] == 250
        assert movie.convert("RGB").tobytes() != other.convert("RGB").tobytes()


@pytest.mark.usefixtures("qapp")
def test_a_folder_of_images(svmviz, moons, tmp_path):
    done = svmviz("render", moons, "-o", f"{tmp_path}/out/", "--size", "40x30", "--steps", "0:2")
    assert (done.code, done.out, done.err) == (0, "", "")
    names = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert names == ["frame-00001.png", "frame-00002.png", "frame-00003.png"]


def test_an_interrupted_movie_leaves_nothing(moons, tmp_path):
    command = [sys.executable, "-m", "svmviz", "render", moons, "-o", "out/", "--size", "640x480"]
    before = sorted(tmp_path.iterdir())
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "QT_QPA_PLATFORM": "offscreen"}
    with subprocess.Popen(command, cwd=tmp_path, env=environment) as process:
        while not list(tmp_path.glob(".out.*/frame-*")) and process.poll() is None:
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        assert process.wait(TIME_LIMIT) == 130
    assert sorted(tmp_path.iterdir()) == before


def test_too_many_states_are_refused(svmviz, tmp_path, monkeypatch, moons):
    from svmviz.export.runs import states

    monkeypatch.setattr(states, "MAX_BYTES", 1000)
    done = svmviz("render", moons, "-o", tmp_path / "run.npz")
    assert (done.code, done.err.count("\n")) == (1, 1)
    assert "choose fewer" in done.err


def test_a_file_that_cannot_be_written_stays(svmviz, moons, tmp_path):
    (tmp_path / "run.csv").mkdir()
    assert svmviz("render", moons, "-o", tmp_path / "run.csv").code == 1


def test_tables_need_no_qt(process, moons):
    done = process("render", moons, "-o", "run.csv", before=REFUSE_QT)
    assert (done.code, done.err) == (0, "")


def test_data_sets_of_a_hard_margin_have_an_infinite_primal_before_they_are_separated(
    svmviz, tmp_path
):
    from svmviz.io.open_and_save import save

    save(tmp_path / "a.csv", DATASETS["blobs"].generate(40, 0.05, 0))
    done = svmviz(
        *("render", tmp_path / "a.csv", "-o", tmp_path / "run.csv"),
        *("--kernel", "linear", "--C", "inf"),
    )
    assert (done.code, done.err) == (0, "")
    table = np.genfromtxt(
        tmp_path / "run.csv", delimiter=",", names=True, usecols=range(6), filling_values=0.0
    )
    assert np.isinf(table["primal"][0])
    assert np.isfinite(table["primal"][-1])


def test_the_solution_of_a_machine_names_classes_and_has_points_left_out(render, tmp_path):
    rng = np.random.default_rng(0)
    data = PointSet(rng.normal(size=(12, 2)), np.arange(12) % 3, ("a", "b", "c"))
    document = Document(data=data).looking_at(1)
    save(tmp_path / "three.svmviz", Scene(document))
    path = render(tmp_path / "three.svmviz", "--table", "solution", name="run.csv")
    names, rows = read(path)
    assert names[-2:] == ["kind", "class"]
    assert [row[-1] for row in rows] == ["a", "b", "c"] * 4
    assert [row[2] for row in rows] == ["1", "0", "-1"] * 4
    is_left_out = np.array([row[-2] == "left-out" for row in rows])
    assert (is_left_out == (data.labels == 1)).all()
    run = solve(document.problem(), SMO())
    f = np.array([float(row[6]) for row in rows])
    np.testing.assert_allclose(f, run.expansion(data.points), rtol=1e-12)
    beta = np.array([float(row[4]) for row in rows])
    assert (beta[~is_left_out] == run.expansion.beta).all()
    assert not beta[is_left_out].any()


@pytest.mark.usefixtures("qapp")
def test_a_movie_has_the_loop_and_a_table_all_steps(svmviz, moons, tmp_path):
    scene = open_scene(moons)
    looped = tmp_path / "looped.svmviz"
    save(looped, replace(scene, marks=StepMarks((3, 7))))
    assert svmviz("render", looped, "-o", f"{tmp_path}/frames/", "--size", "80x60").code == 0
    assert len(list((tmp_path / "frames").glob("*.png"))) == 5
    some = ("--steps", "1:3", "--size", "80x60")
    assert svmviz("render", looped, "-o", f"{tmp_path}/some/", *some).code == 0
    assert len(list((tmp_path / "some").glob("*.png"))) == 3
    assert svmviz("render", looped, "-o", tmp_path / "a.csv").code == 0
    steps = solve(scene.document.problem(), scene.document.method).steps
    assert len((tmp_path / "a.csv").read_text().splitlines()) == steps + 2
