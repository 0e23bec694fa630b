"""``svmviz solve``: what scripts rely on, defaults, refusals, agreement with scikit-learn."""

import json
import math
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from solvers import METHODS, RBF, SMO, Linear, Pegasos, Polynomial, Problem, Run, solve
from solvers.datasets import eight_points
from solvers.settings import settings_of
from svmviz.cli import model_options
from svmviz.cli import solve as solve_command
from svmviz.cli.parser import Parser
from svmviz.document import Penalty
from svmviz.files import open_scene
from svmviz.resources import path as asset
from tests.cli.common import REFUSE_QT

KEYS = "reason steps seconds n alpha beta bias primal dual gap kkt support scaling".split()


def strictly(text):
    """Parse JSON, refusing NaN and Infinity."""

    def refuse(word):
        raise AssertionError(f"{word} is not JSON")

    return json.loads(text, parse_constant=refuse)


@pytest.fixture
def solved(svmviz):
    """Solve a file by the command line and return the JSON object."""

    def call(*arguments):
        done = svmviz("solve", *arguments, "--json")
        assert (done.code, done.err) == (0, "")
        return strictly(done.out)

    return call


def test_the_keys_and_their_types(solved, moons):
    answer = solved(moons, "--C", 10)
    assert list(answer)[: len(KEYS) + 1] == [KEYS[0], "sentence", *KEYS[1:]]
    assert answer["reason"] == "converged"
    assert answer["n"] == 60
    assert [len(answer[key]) for key in ("alpha", "beta")] == [60, 60]
    assert answer["support"] == np.flatnonzero(answer["beta"]).tolist()
    assert answer["gap"] == answer["primal"] - answer["dual"]
    assert answer["scaling"] == "none"
    assert answer["seconds"] > 0


def test_defaults(solved, eight):
    answer = solved(eight)
    assert answer["solver"] == {"name": "smo", **SMO().values()}
    assert answer["solver"]["tol"] == 1e-3
    assert answer["kernel"] == {"name": "rbf", "gamma": 1.0}
    assert (answer["C"], answer["bias_mode"], answer["scaling"]) == (1.0, "free", "none")


def test_it_is_what_the_library_says(solved, moons):
    data = open_scene(moons).document.data
    problem = Problem(data.points, data.labels, kernel=RBF(gamma=0.5), C=10.0)
    run = solve(problem, SMO(tol=1e-4, pair="maximal-violation"))
    answer = solved(
        moons, *"--solver smo --kernel rbf --gamma 0.5 --C 10 --tol 1e-4".split(),
        "--pair", "maximal-violation",
    )  # fmt: skip
    assert answer["steps"] == run.steps
    assert answer["beta"] == run.expansion.beta.tolist()
    assert answer["alpha"] == run.certificate.alpha.tolist()
    assert answer["bias"] == run.expansion.bias
    assert answer["dual"] == run.certificate.dual


def test_the_eight_points_come_out_exactly(solved, eight):
    answer = solved(eight, "--kernel", "linear", "--C", "inf", "--tol", "1e-9")
    assert answer["support"] == [2, 4, 6]
    assert answer["alpha"] == pytest.approx([0, 0, 0.5, 0, 0.25, 0, 0.25, 0], abs=1e-6)
    assert answer["bias"] == pytest.approx(0, abs=1e-6)
    assert answer["C"] is None
    assert answer["lambda"] == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "reference"),
    [
        ("--kernel linear --C 0.1", {"kernel": "linear", "C": 0.1}),
        ("--kernel rbf --gamma 0.5 --C 10", {"kernel": "rbf", "gamma": 0.5, "C": 10}),
        (
            "--kernel polynomial --gamma 0.5 --coef0 1 --degree 2 --C 1",
            {"kernel": "poly", "gamma": 0.5, "coef0": 1, "degree": 2, "C": 1},
        ),
    ],
)
def test_penguins_agree_with_scikit_learn(solved, options, reference):
    from sklearn.svm import SVC

    file = asset("penguins.csv")
    answer = solved(file, *options.split(), "--tol", "1e-6", "--scaling", "each")
    data = open_scene(file).document.data
    X = data.points / data.points.std(axis=0)
    assert answer["factors"] == data.points.std(axis=0).tolist()
    machine = SVC(**reference, tol=1e-6).fit(X, data.labels)
    beta = np.zeros(len(X))
    beta[machine.support_] = machine.dual_coef_[0]
    kernel = {"linear": Linear, "rbf": RBF, "poly": Polynomial}[reference.pop("kernel")]
    C = reference.pop("C")
    K = kernel(**reference)(X, X)
    dual = np.abs(beta).sum() - 0.5 * beta @ K @ beta
    assert answer["dual"] == pytest.approx(dual, rel=1e-6)
    assert answer["primal"] == pytest.approx(dual, rel=1e-4)
    assert answer["support"] == sorted(machine.support_.tolist())
    assert answer["bias"] == pytest.approx(machine.intercept_[0], abs=1e-3)
    assert max(answer["alpha"]) <= C


def test_a_scene_brings_its_own_settings_and_options_change_them(solved, scene_of):
    scene = scene_of(
        kernel=Polynomial(gamma=0.5, degree=2),
        penalty=Penalty("lambda", 0.01),
        methods=(SMO(tol=1e-2), Pegasos(max_steps=500, batch_size=3)),
        scaling="common",
    )
    answer = solved(scene)
    assert answer["kernel"] == {"name": "polynomial", "gamma": 0.5, "coef0": 1.0, "degree": 2}
    assert answer["solver"]["tol"] == 1e-2
    assert answer["lambda"] == pytest.approx(0.01)
    assert answer["scaling"] == "common"
    answer = solved(scene, "--degree", 3, "--scaling", "none", "--C", 5)
    assert answer["kernel"] == {"name": "polynomial", "gamma": 0.5, "coef0": 1.0, "degree": 3}
    assert (answer["C"], answer["scaling"], answer["factors"]) == (5.0, "none", [1.0, 1.0])
    answer = solved(scene, "--solver", "pegasos", "--kernel", "rbf")
    assert answer["kernel"] == {"name": "rbf", "gamma": 1.0}
    assert answer["solver"]["batch_size"] == 3
    assert answer["reason"] == "step-limit"
    assert answer["steps"] == 500


def test_settings_of_pegasos(solved, eight):
    options = "--solver pegasos --kernel linear --lambda 0.1 --bias augmented --seed 3"
    options += " --batch-size 2 --max-steps 1e3 --average --project"
    answer = solved(eight, *options.split())
    assert answer["solver"] == {
        "name": "pegasos",
        **Pegasos(batch_size=2, project=True, average=True, max_steps=1000, seed=3).values(),
    }
    assert answer["lambda"] == pytest.approx(0.1)
    assert answer["bias_mode"] == "augmented"
    assert solved(eight, *options.split(), "--no-average")["solver"]["average"] is False
    again = solved(eight, *options.split())
    assert {**again, "seconds": 0} == {**answer, "seconds": 0}


def test_smo_takes_a_seed_and_makes_nothing_of_it(solved, eight):
    assert solved(eight, "--seed", 7)["beta"] == solved(eight)["beta"]


@pytest.mark.parametrize("name", METHODS)
def test_every_method_solves_by_its_name_alone(solved, eight, name):
    assert solved(eight, "--solver", name)["solver"]["name"] == name


def test_every_setting_has_an_option():
    parser = Parser(prog="x")
    solve_command.add_arguments(parser)
    help = parser.format_help()
    for owner in (*METHODS.values(), *model_options.KERNELS.values()):
        for name in settings_of(owner):
            assert f"--{name.replace('_', '-')}" in help


def test_what_is_not_finite_is_null(solved, tmp_path):
    # Inseparable, and a hard margin: the primal is infinite.
    (tmp_path / "a.csv").write_text("0,0,1\n1,0,-1\n2,0,1\n3,0,-1\n")
    answer = solved(tmp_path / "a.csv", *"--kernel linear --C inf --max-steps 1000".split())
    assert answer["reason"] != "converged"
    assert answer["primal"] is None
    assert answer["gap"] is None


def test_columns(solved, tmp_path):
    (tmp_path / "a.csv").write_text("a,b,c,kind\n1,2,3,p\n4,5,6,q\n7,8,9,r\n2,3,4,p\n")
    options = "--x c --y 1 --labels kind --classes q p".split()
    answer = solved(tmp_path / "a.csv", *options)
    assert answer["n"] == 3
    assert answer["class_names"] == ["q", "p"]
    assert answer["axis_names"] == ["c", "a"]


def test_numbers_as_classes(solved, tmp_path):
    (tmp_path / "a.csv").write_text("0,0,-1\n1,1,1\n2,2,0\n")
    answer = solved(tmp_path / "a.csv", "--classes", "1", "-1")
    assert answer["class_names"] == ["1", "-1"]


def test_a_summary_for_people(svmviz, eight):
    done = svmviz("solve", eight, "--kernel", "linear", "--C", "inf")
    assert done.code == 0
    lines = done.out.splitlines()
    assert lines[0].startswith("SMO        Optimal after")
    assert "support    3 points (3 free, 0 at C)" in lines
    assert "C          inf (hard margin)" in lines
    done = svmviz("solve", eight, "--solver", "pegasos", "--scaling", "each")
    assert "axes scaled: each" in done.out
    assert "of a repaired α" in done.out


def refused(done, code):
    """The one line on stderr."""
    assert done.code == code
    assert done.out == ""
    assert done.err.endswith("\n")
    assert done.err.count("\n") == 1
    assert "Traceback" not in done.err
    return done.err.strip()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "there are no points"),
        ("x,y,label\n", "there are no points"),
        ("0,0,1\n1,1,1\n", "at least one of each class"),
        ("0,0,a\n1,1,b\n2,2,c\n", "has 3 labels, not two"),
        ("1,2,3,4,a\n1,2,3,4,b\n", "x and y may be any of"),
        ("0,0,a\n1,oops,b\n2,2,b\n", 'line 2, column "2": "oops" is not a number'),
        ("{", "this is not JSON"),
        ('{"svmviz": 1, "points": [[0, 0]], "labels": [1], "karnel": 3}', 'did you mean "kernel"?'),
        ('{"svmviz": 1, "points": [], "labels": []}', "There are no points yet"),
    ],
)
def test_bad_input_is_one_sentence(svmviz, tmp_path, text, told):
    (tmp_path / "a.csv").write_text(text)
    assert told in refused(svmviz("solve", tmp_path / "a.csv", "--json"), 1)


def test_unclear_columns_name_the_options(svmviz, tmp_path):
    (tmp_path / "a.csv").write_text("1,2,3,4,a\n1,2,3,4,b\n")
    assert "--x, --y" in refused(svmviz("solve", tmp_path / "a.csv"), 1)


def test_a_file_that_is_not_there(svmviz, tmp_path):
    told = refused(svmviz("solve", tmp_path / "a.csv"), 1)
    assert told == f"svmviz: No such file: {tmp_path / 'a.csv'}"
    assert "folder" in refused(svmviz("solve", tmp_path), 1)


def test_what_the_method_cannot_solve(svmviz, eight):
    told = refused(svmviz("solve", eight, *"--solver pegasos --C inf".split()), 1)
    assert "Pegasos needs a finite C" in told
    assert "bias" in refused(svmviz("solve", eight, "--bias", "none"), 1)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ("--gama 1", "unrecognized arguments: --gama 1"),
        ("--gam 1", "unrecognized arguments: --gam 1"),
        ("--gamma 1 --kernel linear", "--gamma is a setting of polynomial, rbf, sigmoid"),
        ("--degree 2", "--degree is a setting of polynomial, not of rbf or smo"),
        ("--batch-size 2", "--batch-size is a setting of pegasos, not of rbf or smo"),
        ("--tol 1e-3 --solver pegasos", "--tol is a setting of smo"),
        ("--gamma x", "'x' is not a number"),
        ("--gamma nan", "'nan' is not a number"),
        ("--gamma -1", "gamma must be above 0: got -1.0"),
        ("--gamma inf", "gamma must be finite"),
        ("--C 0", "C must be above 0: got 0"),
        ("--C -1", "C must be above 0: got -1"),
        ("--lambda inf", "lambda must be above 0: got inf"),
        ("--C 1 --lambda 1", "not allowed with"),
        ("--max-steps 1.5", "'1.5' is not a whole number"),
        ("--max-steps inf", "'inf' is not a whole number"),
        ("--solver smoo", "invalid choice: 'smoo'"),
        ("--kernel rbff", "invalid choice: 'rbff'"),
        ("--scaling all", "invalid choice: 'all'"),
        ("--pair best", "invalid choice: 'best'"),
        ("extra", "unrecognized arguments: extra"),
        ("--classes a", "expected 2 arguments"),
    ],
)
def test_bad_usage_is_one_sentence(svmviz, eight, options, told):
    assert told in refused(svmviz("solve", eight, *options.split()), 2)


def test_columns_are_not_for_scenes(svmviz, scene_of):
    assert "--x is for tables" in refused(svmviz("solve", scene_of(), "--x", "a"), 2)


def test_no_file_at_all(svmviz):
    assert "required: FILE" in refused(svmviz("solve"), 2)


def test_qt_is_not_needed(process, moons):
    done = process("solve", moons, "--json", before=REFUSE_QT)
    assert (done.code, done.err) == (0, "")
    assert strictly(done.out)["n"] == 60


@pytest.mark.parametrize(("module", "threads"), [("svmviz.__main__", "1"), ("solvers", "None")])
def test_one_blas_thread_in_the_program_only(module, threads):
    code = f"import {module}, os; print(os.environ.get('OPENBLAS_NUM_THREADS'))"
    environment = {k: v for k, v in os.environ.items() if k != "OPENBLAS_NUM_THREADS"}
    told = subprocess.check_output([sys.executable, "-c", code], env=environment, text=True)
    assert told.strip() == threads


def test_ascii_terminals(process, eight):
    done = process("solve", eight, PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert (done.code, done.err) == (0, "")
    assert "(? = " in done.out


def test_interrupting_is_quiet(svmviz, eight, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(Run, "advance", interrupted)
    done = svmviz("solve", eight)
    assert (done.code, done.out, done.err) == (130, "", "")


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
def test_ctrl_c(tmp_path):
    from solvers.datasets import DATASETS
    from svmviz.files import save

    save(tmp_path / "hard.csv", DATASETS["blobs"].generate(2000, 3.0, 0))
    options = "--kernel linear --C 1e6 --tol 1e-12 --max-steps 1e9".split()
    command = [sys.executable, "-m", "svmviz", "solve", str(tmp_path / "hard.csv"), *options]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    time.sleep(3)
    assert process.poll() is None
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert (process.returncode, out, err) == (130, "", "")


@pytest.mark.skipif(os.name == "nt", reason="POSIX pipes")
def test_a_reader_that_goes_away(eight):
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "svmviz", "solve", str(eight), "--json"],
            stdout=writer,
            stderr=subprocess.PIPE,
            text=True,
            timeout=60,
        )
    finally:
        os.close(writer)
    assert (done.returncode, done.stderr) == (141, "")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_a_full_disk_is_told_in_words(eight):
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "svmviz", "solve", str(eight), "--json"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=60,
        )
    assert (done.returncode, done.stderr) == (1, "svmviz: No space left on device.\n")


def test_hard_margin_of_the_eight_points_in_a_scene(solved, scene_of):
    scene = scene_of(kernel=Linear(), penalty=Penalty("C", math.inf))
    assert solved(scene)["support"] == [2, 4, 6]
    assert eight_points().labels[2] == 1
