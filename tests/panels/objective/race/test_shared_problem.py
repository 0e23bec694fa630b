"""The sentence of a race about its problem is true for each set of methods."""

import math

import pytest

from solvers import SMO, Hulls, InteriorPoint, Perceptron, Sigmoid
from svmviz.document.document import Penalty
from svmviz.panels.objective.race.shared_problem import problem_words
from tests.stages import eight, moons

HARD = {"penalty": Penalty("C", math.inf)}
OF_OPTIMUM = "solves the problem of P*:"
NO_METHOD = f"None of these methods {OF_OPTIMUM}"


@pytest.mark.parametrize(
    ("methods", "begin"),
    [
        ((SMO(), InteriorPoint()), "All solve one problem: C = 10, free bias"),
        ((SMO(), InteriorPoint(), Hulls()), "All but Convex hulls solve one problem: C = 10"),
        (
            (SMO(), InteriorPoint(), Hulls(), Perceptron()),
            "All but Convex hulls and Perceptron solve one problem",
        ),
        ((SMO(), Perceptron()), f"Only SMO {OF_OPTIMUM} C = 10"),
        ((Hulls(), Perceptron()), NO_METHOD),
        ((Perceptron(), Perceptron(order="random")), NO_METHOD),
    ],
)
def test_no_method_is_said_to_solve_what_it_does_not(methods, begin):
    assert problem_words(moons(methods=methods)).startswith(begin)


def test_hulls_solve_the_hard_margin_unless_they_are_reduced():
    both = eight(methods=(SMO(), Hulls()), **HARD)
    assert problem_words(both).startswith("All solve one problem: hard margin")
    alone = eight(methods=(Hulls(), Perceptron()), **HARD)
    assert problem_words(alone).startswith(f"Only Convex hulls {OF_OPTIMUM}")
    reduced = eight(methods=(SMO(), Hulls(mu=0.4)), **HARD)
    assert problem_words(reduced).startswith(f"Only SMO {OF_OPTIMUM}")
    methods = (SMO(), Hulls(algorithm="mdm"))
    assert problem_words(eight(kernel=Sigmoid(), methods=methods, **HARD)).startswith(
        f"Only SMO {OF_OPTIMUM}"
    )
