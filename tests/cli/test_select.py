"""``svmviz select``: what scripts rely on, rows of the file, refusals, the library's results."""

import os
import socket
import sqlite3
import subprocess
import sys
import time

import numpy as np
import pytest

from solvers import RBF, SMO, Linear, Problem
from solvers.data.datasets import DATASETS
from solvers.selection.estimate import estimate
from solvers.selection.models import grid
from solvers.selection.procedures import PROCEDURES
from solvers.selection.store import FILE
from svmviz.document.document import Document, Penalty
from svmviz.document.held_out import TRAINING, Shares
from svmviz.document.splitting import split
from svmviz.io.open_and_save import open_scene, save
from svmviz.io.scene import Scene
from tests.cli.common import strictly
from tests.cli.conftest import ROOT
from tests.time_limits import TIME_LIMIT

GRID = ["--grid", "C=0.1,1,10", "--grid", "gamma=0.1,1"]


@pytest.fixture
def selected(svmviz):
    """Call the command, which must say nothing else than ``said``, and return the JSON object."""

    def call(*arguments, said=""):
        done = svmviz("select", *arguments, "--json")
        assert (done.code, done.err) == (0, said)
        return strictly(done.out)

    return call


def keys_of(answer):
    return set(answer) - {"note"}


@pytest.mark.parametrize("procedure", PROCEDURES)
def test_the_keys_and_their_types(selected, moons, procedure):
    answer = selected(moons, "--procedure", procedure, "--folds", 4)
    assert keys_of(answer) - {"bounds"} == {"procedure", "risk", "spread", "parts"}
    assert answer["procedure"] == procedure
    risks = [part["risk"] for part in answer["parts"]]
    assert answer["risk"] == pytest.approx(np.mean(risks))
    if len(risks) == 1:
        assert answer["spread"] is None
    else:
        assert answer["spread"] == pytest.approx(np.std(risks, ddof=1))
    for part in answer["parts"]:
        middle = {"validation"} if procedure == "validation" else set()
        assert set(part) == {"train", "test", "risk", *middle}
        rows = [row for key in ("train", "validation", "test") for row in part.get(key, [])]
        assert sorted(rows) == list(range(60))


@pytest.mark.parametrize("procedure", PROCEDURES)
def test_a_grid_adds_cells_on_the_same_splits(selected, moons, procedure):
    answer = selected(moons, "--procedure", procedure, *GRID, "--seed", 3, "--folds", 3)
    cells = answer["cells"]
    expected = [(C, gamma) for C in (0.1, 1, 10) for gamma in (0.1, 1)]
    assert [(cell["C"], cell["gamma"]) for cell in cells] == expected
    for cell in cells:
        assert set(cell) == {"C", "gamma", "risk", "spread", "parts"}
        assert cell["risk"] == pytest.approx(np.mean([part["risk"] for part in cell["parts"]]))
        for part, other in zip(cell["parts"], answer["parts"], strict=True):
            assert (part["train"], part["test"]) == (other["train"], other["test"])
    assert answer["best"] == int(np.argmin([cell["risk"] for cell in cells]))
    if procedure in ("hold-out", "k-fold", "leave-one-out", "5x2"):
        assert answer["parts"] == cells[answer["best"]]["parts"]
    if procedure == "5x2":
        assert [test["cells"][1] for test in answer["tests"]] == [answer["best"]] * 5
    if procedure == "nested":
        for number, part in enumerate(answer["parts"]):
            assert part["risk"] == cells[part["cell"]]["parts"][number]["risk"]


@pytest.mark.parametrize("procedure", PROCEDURES)
def test_it_equals_the_library(selected, moons, procedure):
    data = open_scene(moons).document.data
    problem = Problem(data.points, data.labels, RBF(0.5), 3.0)
    models = grid({"tol": [1e-3, 1e-5]}, RBF(0.5), SMO(seed=5))
    found = estimate(procedure, PROCEDURES[procedure](problem, models, 5, risk="hinge"))
    words = "--gamma 0.5 --C 3 --seed 5 --risk hinge --grid tol=1e-3,1e-5".split()
    answer = selected(moons, "--procedure", procedure, *words)
    assert (answer["risk"], answer["spread"]) == (found.risk, found.spread)
    assert [part["risk"] for part in answer["parts"]] == [part.risk for part in found.parts]
    assert [cell["risk"] for cell in answer["cells"]] == [cell.risk for cell in found.cells]


def test_rows_are_those_of_the_file(selected, tmp_path):
    # Rows of a third class, and with missing values, are left out but counted.
    lines = ["# a comment", "x,y,kind", ""]
    rng = np.random.default_rng(0)
    kinds = ["a", "b", "c"]
    used = []
    for k in range(60):
        x, y = rng.normal(size=2)
        kind = kinds[k % 3]
        missing = k % 7 == 0
        lines.append(f"{'' if missing else x},{y},{kind}")
        if kind != "c" and not missing:
            used.append(k)
    path = tmp_path / "kinds.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    words = "--procedure k-fold --folds 3 --classes a b --skip-missing".split()
    said = "svmviz: kinds.csv: 6 rows with missing values were left out.\n"
    answer = selected(path, *words, said=said)
    assert sorted(row for part in answer["parts"] for row in part["test"]) == used
    for part in answer["parts"]:
        assert sorted(part["train"] + part["test"]) == used


def test_rows_of_a_regression_are_those_of_the_file(selected, tmp_path):
    rows = [f"{k},{'' if k in (2, 9) else k * k / 100}" for k in range(20)]
    path = tmp_path / "squares.csv"
    path.write_text("\n".join(["x,y", *rows]) + "\n", encoding="utf-8")
    words = "--task regression --procedure leave-one-out --skip-missing --risk squared".split()
    said = "svmviz: squares.csv: 2 rows with missing values were left out.\n"
    answer = selected(path, *words, said=said)
    expected = [k for k in range(20) if k not in (2, 9)]
    assert [part["test"] for part in answer["parts"]] == [[k] for k in expected]
    assert answer["risk"] > 0


def test_scenes_are_read_with_their_model(selected, scene_of):
    answer = selected(scene_of(kernel=Linear()), "--procedure", "leave-one-out")
    assert [part["test"] for part in answer["parts"]] == [[k] for k in range(8)]
    assert set(answer["bounds"]) == {"support", "xi_alpha"}


def test_held_out_points_take_no_part_and_it_is_said(svmviz, tmp_path):
    document = split(Document(DATASETS["moons"].generate(60, 0.3, 1)), Shares(0.1, 0.2))
    file, said = tmp_path / "a.svmviz", "The scene holds out 6 validation and 12 test points: only"
    save(file, Scene(document))
    done = svmviz("select", file, "--procedure", "k-fold", "--folds", 3, "--json")
    assert (done.code, done.err.startswith(said)) == (0, True)
    training = np.flatnonzero(document.parts == TRAINING).tolist()
    for part in strictly(done.out)["parts"]:
        assert sorted(part["train"] + part["test"]) == training
    done = svmviz("solve", file, "--json")
    assert (strictly(done.out)["n"], done.err.startswith(said)) == (42, True)


def test_libsvm_files_are_counted_by_point(selected, tmp_path):
    path = tmp_path / "points.libsvm"
    made = DATASETS["blobs"].generate(30, 0.5, 0)
    save(path, made)
    answer = selected(path, "--procedure", "hold-out", "--test", 10)
    [part] = answer["parts"]
    assert sorted(part["train"] + part["test"]) == list(range(30))
    assert len(part["test"]) == 10


def test_kernels_and_solvers_are_axes(selected, moons):
    words = "--procedure k-fold --grid kernel=linear,rbf --grid gamma=0.5,2".split()
    cells = selected(moons, *words, "--grid", "solver=smo,working-set")["cells"]
    named = [
        {k: v for k, v in cell.items() if k in ("kernel", "gamma", "solver")} for cell in cells
    ]
    assert {"kernel": "linear", "solver": "smo"} in named
    assert {"kernel": "rbf", "gamma": 2.0, "solver": "working-set"} in named
    assert len(named) == 6


def test_random_search_draws_from_the_ranges(selected, moons):
    words = "--procedure hold-out --grid C=0.1,100 --random 12 --seed 4".split()
    cells = selected(moons, *words)["cells"]
    assert len(cells) == 12
    assert all(0.1 <= cell["C"] <= 100 for cell in cells)
    assert len({cell["C"] for cell in cells}) == 12


def test_the_seed_draws_the_parts(selected, moons):
    answers = [selected(moons, "--procedure", "hold-out", "--seed", seed) for seed in (0, 0, 1)]
    tests = [answer["parts"][0]["test"] for answer in answers]
    assert tests[0] == tests[1] != tests[2]
    assert selected(moons, "--procedure", "hold-out")["parts"][0]["test"] == tests[0]


def test_options_that_a_procedure_does_not_use_are_ignored(selected, moons):
    words = "--folds 9999 --validation 0 --retrain --stratified --test 0.5".split()
    plain = selected(moons, "--procedure", "leave-one-out")
    assert selected(moons, "--procedure", "leave-one-out", *words) == plain


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        ("--procedure k-fold --folds 31", 1, "only 30 points of class -1"),
        ("--procedure k-fold --folds 1", 1, "at least two folds"),
        ("--procedure hold-out --test 0.001", 1, "test part would be empty"),
        ("--procedure hold-out --test 60", 1, "training part would be empty"),
        ("--procedure validation --validation 0.001", 1, "validation part would be empty"),
        ("--procedure hold-out --test many", 2, "'many' is not a number"),
        ("--procedure guess", 2, "invalid choice: 'guess'"),
        ("", 2, "--procedure"),
        ("--procedure k-fold --risk squared", 2, "squared is for regression"),
        ("--procedure k-fold --grid C", 2, "not of the form"),
        ("--procedure k-fold --grid C=1,,2", 2, "not of the form"),
        ("--procedure k-fold --grid C=1,much", 2, "'much' is not a number"),
        ("--procedure k-fold --grid C=-1", 2, "C must be above 0"),
        ("--procedure k-fold --grid gamma=-1", 2, "gamma must be"),
        ("--procedure k-fold --grid sigma=1e-200", 2, "sigma must be above 0 and neither tiny"),
        ("--procedure k-fold --grid sigma=1,1e200", 2, "neither tiny nor huge: got 1e+200"),
        ("--procedure k-fold --grid C=1,inf --random 2", 2, "No random C can be drawn between 1"),
        ("--procedure k-fold --grid degree=2", 2, "has the setting 'degree'"),
        ("--procedure k-fold --grid size=2.5", 2, "'2.5' is not a whole number"),
        ("--procedure k-fold --grid nonsense=2", 2, "There is no 'nonsense'"),
        ("--procedure k-fold --grid kernel=cubic", 2, "kernel must be one of"),
        ("--procedure k-fold --grid C=1 --grid C=2", 2, "given twice"),
        ("--procedure k-fold --random 5", 2, "--random needs a --grid"),
        ("--procedure k-fold --backend dask", 2, "needs the --address HOST:PORT"),
        ("--procedure k-fold --address nowhere", 2, "not of the form HOST:PORT"),
        ("--procedure k-fold --solver interior-point --seed -1", 2, "seed must be at least 0"),
        ("--procedure hold-out --test 1e300", 1, "training part would be empty"),
        ("--procedure hold-out --test inf", 1, "above 0"),
        ("--procedure k-fold --folds 1e9", 1, "1,000,000,000 folds"),
        ("--procedure k-fold --jobs 0", 2, "between 1 and 1000 threads"),
        ("--procedure k-fold --grid bias=none", 2, "needs the bias to be free"),
    ],
)
def test_refusals_are_one_sentence(svmviz, moons, words, code, sentence):
    done = svmviz("select", moons, *words.split())
    assert (done.code, done.out) == (code, "")
    assert sentence in done.err
    assert len(done.err.strip().splitlines()) == 1


def test_text_names_the_best_model_and_what_the_numbers_do_not_say(svmviz, moons):
    done = svmviz("select", moons, "--procedure", "5x2", *GRID)
    assert (done.code, done.err) == (0, "")
    marked = [line for line in done.out.splitlines() if line.startswith("*")]
    assert len(marked) == 1
    assert "correlated" in done.out
    assert "nested" in done.out
    answer = strictly(svmviz("select", moons, "--procedure", "5x2", *GRID, "--json").out)
    assert f"{answer['risk']:.4g} ± {answer['spread']:.4g}" in done.out


def test_a_long_table_shows_the_best_models(svmviz, moons):
    values = ",".join(map(str, np.logspace(-2, 2, 50)))
    done = svmviz("select", moons, "--procedure", "hold-out", "--grid", f"C={values}")
    assert "and 10 more models" in done.out
    assert sum(line.startswith("*") for line in done.out.splitlines()) == 1


def test_threads_and_a_store_change_nothing(selected, moons, tmp_path):
    plain = selected(moons, "--procedure", "nested", *GRID, "--jobs", 1)
    for _ in range(2):
        words = ["--jobs", 2, "--store", f"{tmp_path / 'store'}/"]
        assert selected(moons, "--procedure", "nested", *GRID, *words) == plain


@pytest.mark.slow
def test_a_search_that_was_killed_goes_on(selected, tmp_path):
    made = DATASETS["moons"].generate(150, 0.3, 0)
    save(tmp_path / "many.csv", made)
    values = ",".join(f"{C:.4g}" for C in np.logspace(-2, 3, 12))
    words = ["--procedure", "leave-one-out", "--grid", f"C={values}", "--gamma", "20"]
    folder = tmp_path / "store"
    arguments = [tmp_path / "many.csv", *words, "--store", folder]
    command = [sys.executable, "-m", "svmviz", "select", *map(str, arguments)]
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    killed = subprocess.Popen(
        command, env={**os.environ, "PYTHONPATH": path}, stdout=subprocess.DEVNULL
    )
    deadline = time.monotonic() + TIME_LIMIT
    try:
        while count(folder) < 50:
            assert killed.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.01)
    finally:
        killed.kill()
        killed.wait()
    kept = rows(folder)
    assert 50 <= len(kept) < 12 * 151
    resumed = selected(*arguments)
    # What was there was not solved again, and the answer is that of a search without a store.
    assert kept.items() <= rows(folder).items()
    assert resumed == selected(tmp_path / "many.csv", *words)


def rows(folder):
    """The numbers of all rows of a store by key; a row that is written again gets a new one."""
    database = sqlite3.connect(folder / FILE)
    try:
        return dict(database.execute("SELECT key, rowid FROM results").fetchall())
    finally:
        database.close()


def count(folder):
    """How many results a store has; 0 before it is there."""
    try:
        return len(rows(folder))
    except sqlite3.OperationalError:
        return 0


def test_a_store_of_other_points_is_bad_input(svmviz, moons, eight, tmp_path):
    words = ["--procedure", "hold-out", "--store", tmp_path / "store"]
    assert svmviz("select", moons, *words).code == 0
    done = svmviz("select", eight, *words)
    assert (done.code, done.out) == (1, "")
    assert "holds results for other points" in done.err
    assert len(done.err.strip().splitlines()) == 1


@pytest.mark.slow
def test_an_address_where_nobody_listens_is_bad_input(process, moons):
    pytest.importorskip("distributed", reason="make test installs it")
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port = listener.getsockname()[1]
    words = ["--procedure", "hold-out", "--backend", "dask", "--address", f"127.0.0.1:{port}"]
    done = process("select", moons, *words)
    assert (done.code, done.out) == (1, "")
    assert f'No Dask scheduler answers at "127.0.0.1:{port}"' in done.err
    assert len(done.err.strip().splitlines()) == 1


def test_the_text_says_how_the_points_are_divided_and_which_penalty_is_held(svmviz, scene_of):
    scene = scene_of(penalty=Penalty("lambda", 0.01))
    for words, division in (([], "not stratified"), (["--stratified"], "stratified")):
        done = svmviz("select", scene, "--procedure", "k-fold", "--folds", 3, *words)
        assert f"k-fold, 3 parts, {division}\n" in done.out
        assert done.err.startswith("Every fit keeps C = ")
    done = svmviz("select", scene, "--procedure", "leave-one-out", "--C", 1.0)
    assert "parts\n" in done.out
    assert done.err == ""
