"""Lanes of their own model: each has its problem, and an edit goes to what a lane has alone."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from solvers import RBF, SMO, BadInput, Hulls, Linear, Pegasos, Polynomial, Problem, solve
from svmviz.document.changes import Changes
from svmviz.document.document import Document, Penalty
from svmviz.document.lanes import solve_lanes, titles_of_lanes
from tests.stages import moons

SOFT, HARD = Penalty("C", 1.0), Penalty("C", 100.0)


def beside(document, **own):
    return document.with_lane(document.method, **own)


@pytest.fixture
def two():
    return beside(moons(30, penalty=SOFT), penalty=HARD)


def test_a_lane_has_its_own_penalty_and_the_document_is_seen_from_it(two):
    assert (two.lane, two.penalty, two.methods) == (1, HARD, (SMO(), SMO()))
    first = two.seen_from(0)
    assert (first.lane, first.penalty) == (0, SOFT)
    assert first.seen_from(1) is two
    assert first.seen_from(9) is two
    assert [problem.C for problem in first.problems()] == [1.0, 100.0]
    assert titles_of_lanes(two) == titles_of_lanes(first) == ["C = 1", "C = 100"]


def test_each_lane_is_solved_as_its_problem_alone(two):
    data = two.data
    for run, C in zip(solve_lanes(two), (1.0, 100.0), strict=True):
        alone = solve(Problem(data.points, data.labels, kernel=two.kernel, C=C), SMO())
        assert run.steps == alone.steps
        assert (run.expansion.beta == alone.expansion.beta).all()
        # The certificate, computed from beta with numpy alone.
        beta, y = run.expansion.beta, data.labels
        squares = ((data.points[:, None] - data.points[None]) ** 2).sum(2)
        K = np.exp(-two.kernel.gamma * squares)
        f, norm = K @ beta + run.expansion.bias, beta @ K @ beta
        primal = 0.5 * norm + C * np.maximum(0.0, 1.0 - y * f).sum()
        assert run.certificate.primal == pytest.approx(primal, rel=1e-9)
        assert run.certificate.dual == pytest.approx(np.abs(beta).sum() - 0.5 * norm, rel=1e-9)


def test_an_edit_goes_to_what_the_lane_has_of_its_own_and_otherwise_to_all(two):
    edited = replace(two, penalty=Penalty("C", 7.0))
    assert [problem.C for problem in edited.problems()] == [1.0, 7.0]
    edited = replace(edited.seen_from(0), kernel=Linear())
    assert [problem.kernel for problem in edited.problems()] == [Linear(), Linear()]
    # While a slider passes the value of the other lane, the lanes stay two.
    equal = replace(edited, penalty=Penalty("C", 7.0))
    assert equal.has_one_problem
    assert len({id(problem) for problem in equal.problems()}) == 1
    apart = replace(equal, penalty=SOFT)
    assert [problem.C for problem in apart.problems()] == [1.0, 7.0]


def test_titles_name_what_differs_only():
    document = moons(20, kernel=RBF(0.5))
    assert titles_of_lanes(beside(document, kernel=RBF(20.0))) == ["γ = 0.5", "γ = 20"]
    assert titles_of_lanes(beside(document, kernel=Linear())) == ["RBF", "Linear"]
    three = beside(beside(document, kernel=Linear()), kernel=RBF(20.0))
    assert titles_of_lanes(three) == ["RBF, γ = 0.5", "Linear", "RBF, γ = 20"]
    degrees = beside(moons(20, kernel=Polynomial(degree=2)), kernel=Polynomial(degree=5))
    assert titles_of_lanes(degrees) == ["d = 2", "d = 5"]
    hard = beside(moons(20, penalty=Penalty("lambda", 0.01)), penalty=Penalty("C", math.inf))
    assert titles_of_lanes(hard) == ["λ = 0.01", "C = ∞"]
    other = moons(20, penalty=SOFT).with_lane(Pegasos(), penalty=HARD)
    assert titles_of_lanes(other) == ["SMO, C = 1", "Pegasos, C = 100"]


def test_lanes_leave_with_what_they_have(two):
    three = two.with_lane(SMO(), penalty=Penalty("C", 5.0))
    assert [problem.C for problem in three.problems()] == [1.0, 100.0, 5.0]
    left = three.with_lanes([1, 2])
    assert [problem.C for problem in left.problems()] == [100.0, 5.0]
    alone = three.with_lanes([0])
    assert (alone.penalty, alone.changes, alone.lane) == (SOFT, (), 0)
    assert three.seen_from(1).with_lanes([0, 2]).penalty == SOFT


def test_a_method_that_joins_has_the_model_of_the_lane_shown(two):
    joined = two.seen_from(0).with_lane(Hulls())
    assert [problem.C for problem in joined.problems()] == [1.0, 100.0, 1.0]


def test_a_race_of_methods_has_no_changes():
    race = moons(20).with_lane(Pegasos())
    assert race.changes == ()
    assert race.seen_from(1) is race
    assert race.views == (race,)
    assert len({id(problem) for problem in race.problems()}) == 1
    assert titles_of_lanes(race) == ["SMO", "Pegasos"]


def test_in_a_regression_no_lane_has_a_hard_margin_and_epsilon_may_differ():
    two = beside(moons(20, penalty=Penalty("C", math.inf)), penalty=HARD)
    regression = two.with_task("regression", two.data)
    assert [problem.C for problem in regression.problems()] == [1.0, 100.0]
    tubes = regression.with_lane(SMO(), epsilon=0.5)
    assert [problem.epsilon for problem in tubes.problems()] == [0.1, 0.1, 0.5]
    assert titles_of_lanes(tubes)[2] == "C = 100, ε = 0.5"
    # Classes have no tube.
    assert not any(each.epsilon for each in tubes.with_task("classification", two.data).changes)


def test_the_runs_are_the_same_from_each_lane(two):
    assert two.has_runs_of(two.seen_from(0))
    assert not two.has_runs_of(replace(two, penalty=SOFT))


def test_changes_are_one_per_method():
    document = Document(methods=(SMO(), SMO()), changes=(Changes(penalty=SOFT),))
    assert document.changes == (Changes(penalty=SOFT), Changes(penalty=document.penalty))
    with pytest.raises(BadInput):
        Penalty("C", -1.0)
