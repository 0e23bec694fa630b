"""Events of the steps towards the nearest points of two hulls."""

import math

import numpy as np
import pytest

from solvers import Cursor, Hulls, Linear, Problem, solve
from tests.solvers.problems import is_one_sentence, separated


def hard(X, y):
    return Problem(X, y, Linear(), math.inf)


def two_clouds(m, distance, seed=0):
    """Return m points of each class around ``[distance, 0]`` and ``[-distance, 0]``."""
    rng = np.random.default_rng(seed)
    y = np.repeat([1.0, -1.0], m)
    return rng.normal(size=(2 * m, 2)) + np.outer(y, [distance, 0.0]), y


@pytest.mark.parametrize(
    ("algorithm", "mu", "points"),
    [(algorithm, 1.0, separated(18, 9, gap=0.5)) for algorithm in ("pairwise", "mdm", "wolfe")]
    + [(algorithm, 0.25, two_clouds(8, 2.0)) for algorithm in ("mdm", "wolfe")]
    + [("wolfe", 0.5, two_clouds(7, 3.0, seed)) for seed in range(8)],
)
def test_events_contain_the_numbers_of_a_step(algorithm, mu, points):
    problem = hard(*points)
    run = solve(problem, Hulls(algorithm=algorithm, mu=mu, tol=1e-6))
    kinds = {"pairwise": "opposite-pair", "mdm": "pair-in-class", "wolfe": "corral"}
    cursor = Cursor(run)
    for step in range(1, run.steps + 1):
        before, after = cursor.state(step - 1), cursor.state(step)
        event = cursor.seek(step).event
        values = event.values
        assert event.kind == kinds[algorithm]
        assert is_one_sentence(event.sentence)
        assert values["objective"] <= values["objective_before"] + 1e-12
        if values["p_before"] is not None:
            assert math.dist(values["p"], values["q"]) == pytest.approx(values["distance"])
        if values["distance"] is not None:
            # R, S and T are sums of inner products of the points, with weights of sum 1.
            y, tau = problem.y, after.tau
            G = problem.X @ problem.X.T
            plus, minus = (
                np.where(y == side, tau, 0.0) / tau[y == side].sum() for side in (1.0, -1.0)
            )
            expected = plus @ G @ plus, plus @ G @ minus, minus @ G @ minus
            assert [values[name] for name in "RST"] == pytest.approx(expected, abs=1e-9)
            if not values.get("idle"):
                assert event.formulas[-1].letters.startswith(r"\|p - q\|^2 = R - 2 S + T")
        moved = set(np.flatnonzero(before.tau != after.tau))
        assert moved <= set(event.touched)
        if algorithm == "pairwise":
            assert values["low"] == max(-values["old_i"], -values["old_j"])
            assert values["delta"] == max(values["low"], values["unclipped"])
            assert values["clipped"] == (values["delta"] > values["unclipped"])
        elif algorithm == "mdm":
            assert values["delta"] == min(values["low"], values["unclipped"])
            assert problem.y[values["i"]] == problem.y[values["j"]]
        else:
            gained, lost = after.free & ~before.free, before.free & ~after.free
            assert set(np.flatnonzero(gained)) <= set(values["added"])
            assert set(np.flatnonzero(lost)) <= set(values["dropped"])
            stayed = np.flatnonzero(before.free & after.free)
            assert set(values["corral"]) == {*stayed, *values["added"], *values["dropped"]}
            assert moved <= set(values["corral"])


def test_an_event_names_both_points_that_join_an_empty_corral():
    run = solve(hard(*two_clouds(8, 2.0)), Hulls(algorithm="wolfe", mu=0.25))
    event = run.at(1).event
    values = event.values
    assert event.sentence.startswith("Points 4 and 7 join the corral and leave it again; ")
    assert values["added"] == values["dropped"] == values["corral"] == [3, 6]
    assert event.formulas[0].numbers.startswith(r"S = \{4, 7\}")
    joined, solved, moved = (beat.sentence for beat in event.beats)
    assert joined.startswith("Points 4 and 7 violate optimality most, by their positions along")
    assert "the corral S of 2 points" in solved
    assert moved.startswith("2 τ move until points 4 and 7 are at their bounds")
    # All points have left the corral, so the second step has no weight to change.
    event = run.at(2).event
    assert event.sentence == "The corral is empty, so a point joins it next."
    (formula,) = event.formulas
    assert "S =" not in formula.numbers
    assert event.beats[0].sentence.startswith("The corral S is empty, so a point")
