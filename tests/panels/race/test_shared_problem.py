"""The sentence of a race about its problem is true for each set of methods."""

import math

import pytest

from solvers import SMO, Hulls, InteriorPoint, Perceptron, Sigmoid
from svmviz.document.document import Penalty
from svmviz.panels.race.shared_problem import problem_words
from tests.stages import eight, moons

HARD = {"penalty": Penalty("C", math.inf)}
SOLVED_BY = "The problem that P* belongs to is solved by"


@pytest.mark.parametrize(
    ("methods", "begin"),
    [
        ((SMO(), InteriorPoint()), "All solve one problem: C = 10, free bias"),
        ((SMO(), InteriorPoint(), Hulls()), "All but Convex hulls solve one problem: C = 10"),
        (
            (SMO(), InteriorPoint(), Hulls(), Perceptron()),
            "All but Convex hulls and Perceptron solve one problem",
        ),
        ((SMO(), Perceptron()), f"{SOLVED_BY} SMO only: C = 10"),
        ((Hulls(), Perceptron()), f"{SOLVED_BY} none of these"),
        ((Perceptron(), Perceptron(order="random")), f"{SOLVED_BY} none of these"),
    ],
)
def test_no_method_is_said_to_solve_what_it_does_not(methods, begin):
    assert problem_words(moons(methods=methods)).startswith(begin)


def test_hulls_solve_the_hard_margin_unless_they_are_reduced():
    both = eight(methods=(SMO(), Hulls()), **HARD)
    assert problem_words(both).startswith("All solve one problem: hard margin")
    alone = eight(methods=(Hulls(), Perceptron()), **HARD)
    assert problem_words(alone).startswith(f"{SOLVED_BY} Convex hulls only")
    reduced = eight(methods=(SMO(), Hulls(mu=0.4)), **HARD)
    assert problem_words(reduced).startswith(f"{SOLVED_BY} SMO only")
    methods = (SMO(), Hulls(algorithm="mdm"))
    assert problem_words(eight(kernel=Sigmoid(), methods=methods, **HARD)).startswith(
        f"{SOLVED_BY} SMO only"
    )
