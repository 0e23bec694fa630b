"""Lists, grids and random draws of models."""

import math

import pytest

from solvers import RBF, SMO, BadInput, Linear, Polynomial, WorkingSet
from solvers.selection.models import Model, as_models, grid, random_models
from tests.solvers.selection.sets import moons, sine


def test_a_grid_has_all_combinations_the_last_axis_fastest():
    models = grid({"C": [0.1, 1.0], "gamma": [2.0, 3.0, 4.0]}, RBF())
    assert [m.parameters for m in models] == [
        {"C": C, "gamma": gamma} for C in (0.1, 1.0) for gamma in (2.0, 3.0, 4.0)
    ]
    problem = models[4].on(moons(20, C=7.0))
    assert (problem.C, problem.kernel) == (1.0, RBF(3.0))


def test_settings_of_the_method_and_twins():
    [model] = grid({"tol": [1e-5], "sigma": [0.5], "pair": ["platt"]}, RBF(), SMO(seed=3))
    assert model.method == SMO(tol=1e-5, pair="platt", seed=3)
    assert model.kernel == RBF(2.0)


def test_a_setting_applies_where_a_kernel_has_it():
    models = grid({"kernel": [Linear(), RBF()], "gamma": [0.1, 1.0], "C": [1.0]}, RBF())
    assert [m.parameters for m in models] == [
        {"kernel": "linear", "C": 1.0},
        {"kernel": "rbf", "gamma": 0.1, "C": 1.0},
        {"kernel": "rbf", "gamma": 1.0, "C": 1.0},
    ]


def test_a_value_given_twice_makes_two_models():
    assert len(grid({"C": [1.0, 1.0]}, RBF())) == 2


def test_methods_are_an_axis():
    models = grid({"method": [SMO(), WorkingSet()]}, Polynomial(1.0, 1.0, 2))
    assert [m.method for m in models] == [SMO(), WorkingSet()]
    assert {m.kernel for m in models} == {Polynomial(1.0, 1.0, 2)}


def test_random_models_lie_in_the_ranges_and_follow_the_seed():
    axes = {"C": [0.01, 100.0], "gamma": [1e-3, 1e3]}
    first, again, other = (random_models(axes, 200, seed, RBF()) for seed in (1, 1, 2))
    assert [m.parameters for m in first] == [m.parameters for m in again]
    assert [m.parameters for m in first] != [m.parameters for m in other]
    Cs = [m.parameters["C"] for m in first]
    assert all(0.01 <= C <= 100 for C in Cs)
    # Evenly in the logarithm: half of them are below the geometric mean.
    assert sum(C < 1 for C in Cs) == pytest.approx(100, abs=30)
    assert len(first) == 200


def test_a_random_choice_of_whole_numbers_is_one_of_those_given():
    models = random_models({"degree": [2, 5]}, 20, 0, Polynomial())
    assert {m.parameters["degree"] for m in models} == {2, 5}


@pytest.mark.parametrize(
    ("axes", "sentence"),
    [
        ({"degree": [2]}, "has the setting 'degree'"),
        ({"gamma": [-1.0]}, "gamma must be"),
        ({"sigma": [0.0]}, "sigma must be"),
        ({"sigma": [1e-200]}, "sigma must be above 0 and neither tiny nor huge: got 1e-200"),
        ({"sigma": [1e200]}, "sigma must be above 0 and neither tiny nor huge"),
        ({"sigma": ["wide"]}, "sigma must be above 0 .* got 'wide'"),
        ({"C": []}, "There is no value of C to choose from"),
    ],
)
def test_refusals(axes, sentence):
    with pytest.raises(BadInput, match=sentence):
        grid(axes, RBF())


@pytest.mark.parametrize(
    ("axes", "sentence"),
    [
        ({"C": [1.0, math.inf]}, "No random C can be drawn between 1 and inf: "),
        ({"C": [math.nan, 1.0]}, "No random C"),
        ({"coef0": [-1e308, 1e308]}, "No random coef0 can be drawn between -1e\\+308 and 1e\\+308"),
        ({"C": []}, "There is no value of C to choose from"),
    ],
)
def test_ranges_without_random_numbers_are_refused(axes, sentence):
    with pytest.raises(BadInput, match=sentence):
        random_models(axes, 3, 0, Polynomial())


def test_models_that_cannot_solve_the_problem_are_refused():
    from solvers import Perceptron

    with pytest.raises(BadInput, match="Perceptron is a method for classification"):
        as_models([SMO(), Perceptron()], sine())
    with pytest.raises(BadInput, match="C must be above 0"):
        as_models(Model(changes={"C": -1.0}), moons())


def test_a_model_without_changes_is_the_problem():
    problem = moons(20, kernel=RBF(3.0), C=2.0, bias="augmented")
    same = Model().on(problem)
    assert (same.C, same.kernel, same.bias) == (2.0, RBF(3.0), "augmented")
    assert (same.X == problem.X).all()
