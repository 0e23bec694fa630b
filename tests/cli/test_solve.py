"""``svmviz solve``: what scripts rely on, defaults, refusals, agreement with scikit-learn."""

import math

import numpy as np
import pytest

from solvers import METHODS, RBF, SMO, Linear, Pegasos, Perceptron, Polynomial, Problem, solve
from solvers.data.datasets import DATASETS, eight_points
from solvers.settings import settings_of
from svmviz.base.resources import path as asset
from svmviz.cli import model_options
from svmviz.cli import solve as solve_command
from svmviz.cli.parser import Parser
from svmviz.document.document import Penalty
from svmviz.io.open_and_save import open_scene
from tests.cli.common import strictly

KEYS = "reason steps seconds n alpha beta bias primal dual gap kkt support scaling".split()


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


def test_training_errors_are_counted(svmviz, solved, moons):
    options = moons, "--C", 0.05, "--kernel", "linear"
    data, answer = open_scene(moons).document.data, solved(*options)
    signed = data.labels * (data.points @ (data.points.T @ answer["beta"]) + answer["bias"])
    assert 0 < answer["errors"] == np.count_nonzero(signed < 0.0)
    assert f"{answer['errors']} of 60 training points decided" in svmviz("solve", *options).out


def test_defaults(solved, eight):
    answer = solved(eight)
    assert answer["solver"] == {"name": "smo", **SMO().values()}
    assert answer["solver"]["tol"] == 1e-3
    assert answer["kernel"] == {"name": "rbf", "gamma": 1.0}
    assert (answer["C"], answer["bias_mode"], answer["scaling"]) == (1.0, "free", "none")


def test_the_width_can_be_given_instead_of_gamma(solved, eight):
    assert solved(eight, "--sigma", "0.5")["kernel"] == {"name": "rbf", "gamma": 2.0}


def test_it_equals_the_library(solved, moons):
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


def test_smo_accepts_and_ignores_a_seed(solved, eight):
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
            assert model_options.option_of(name) in help


def test_a_setting_named_like_an_option_of_a_command_is_preceded_by_its_owner(solved, eight):
    assert model_options.option_of("size") == "--working-set-size"
    assert solved(eight, "--solver", "working-set", "--working-set-size", 9)["solver"]["size"] == 9


def test_numbers_that_are_not_finite_are_null(solved, tmp_path):
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
    assert lines[0].startswith("SMO        Converged after")
    assert "support    3 points (3 free, 0 at C)" in lines
    assert "C          inf (hard margin)" in lines
    done = svmviz("solve", eight, "--solver", "pegasos", "--scaling", "each")
    assert "axes scaled: each" in done.out
    assert "of a repaired α" in done.out


def test_hard_margin_of_the_eight_points_in_a_scene(solved, scene_of):
    scene = scene_of(kernel=Linear(), penalty=Penalty("C", math.inf))
    assert solved(scene)["support"] == [2, 4, 6]
    assert eight_points().labels[2] == 1


def test_kernels_are_typed(svmviz, moons, solved):
    options = "--kernel", "composed", "--expression", "rbf(sigma=0.5) + 2"
    answer = solved(moons, *options)
    assert answer["kernel"] == {"name": "composed", "expression": "rbf(sigma=0.5) + 2"}
    # A constant is a bias that is there twice: the same optimum.
    assert answer["dual"] == pytest.approx(solved(moons, "--gamma", "2")["dual"], rel=1e-3)
    assert 'composed expression="rbf(sigma=0.5) + 2"' in svmviz("solve", moons, *options).out
    answer = solved(moons, "--kernel", "custom", "--formula", "exp(-2*((x1-z1)^2 + (x2-z2)^2))")
    assert answer["dual"] == pytest.approx(solved(moons, "--gamma", "2")["dual"], rel=1e-3)


def test_reduced_hulls_are_judged_by_their_own_problem(solved, svmviz, moons):
    options = ("--solver", "hulls", "--algorithm", "wolfe", "--mu", 0.05, "--kernel", "linear")
    low, high = (solved(moons, *options, "--C", C) for C in (0.01, 100))
    assert low["reason"] == "converged"
    assert low["kkt"] <= low["solver"]["tol"]
    assert 0 <= low["gap"] <= 1e-3 * low["primal"]
    for key in ("primal", "dual", "gap", "kkt", "beta"):
        assert low[key] == high[key]
    points = DATASETS["moons"].generate(60, 0.2, 0)
    y, X = points.labels, points.points
    beta = np.array(low["beta"])
    weights = np.abs(beta) / np.abs(beta)[y > 0].sum()
    assert low["primal"] == pytest.approx(0.5 * np.sum(((y * weights) @ X) ** 2))
    text = svmviz("solve", moons, *options).out
    capped = int((weights >= 0.05 * (1 - 1e-12)).sum())
    assert f"{capped} at the cap μ" in text
    assert "not used by this method" in text


def test_the_perceptron_of_the_notes(solved, scene_of, eight):
    """A point with f(x) = 0 is no mistake in the class +1; options and scenes say which rule."""
    notes = solved(eight, "--solver", "perceptron", "--kernel", "linear")
    strict = solved(scene_of(kernel=Linear(), methods=(Perceptron(zero="mistake"),)))
    assert strict["solver"]["zero"] == "mistake"
    assert notes["solver"]["zero"] == "positive"
    # The other way round the first point is of the class +1, and f = 0 at the start.
    options = ("--solver", "perceptron", "--kernel", "linear", "--classes", "1", "-1")
    turned = [solved(eight, *options, "--zero", rule)["beta"] for rule in ("mistake", "positive")]
    assert turned[0][0] == 1.0
    assert turned[1][0] == 0.0
    assert "Novikoff's bound allows at most " in notes["sentence"]
