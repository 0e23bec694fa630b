"""Events of the steps towards the nearest points of two hulls."""

import math

import numpy as np
import pytest

from solvers import Cursor, Hulls, Linear, Problem, solve
from solvers.methods.hulls.events import CorralMoved, OppositePairMoved, WeightMoved
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
    kinds = {"pairwise": OppositePairMoved, "mdm": WeightMoved, "wolfe": CorralMoved}
    cursor = Cursor(run)
    for step in range(1, run.steps + 1):
        before, after = cursor.state(step - 1), cursor.state(step)
        event = cursor.seek(step).event
        assert type(event) is kinds[algorithm]
        assert is_one_sentence(event.sentence)
        assert event.objective <= event.objective_before + 1e-12
        assert math.dist(event.p, event.q) == pytest.approx(event.distance)
        moved = set(np.flatnonzero(before.tau != after.tau))
        assert moved <= set(event.touched)
        if algorithm == "pairwise":
            assert event.low == max(-event.old[0], -event.old[1])
            assert event.delta == max(event.low, event.unclipped)
            assert event.clipped == (event.delta > event.unclipped)
        elif algorithm == "mdm":
            assert event.delta == min(event.max_delta, event.unclipped)
            assert problem.y[event.i] == problem.y[event.j]
        else:
            gained, lost = after.free & ~before.free, before.free & ~after.free
            assert set(np.flatnonzero(gained)) <= set(event.added)
            assert set(np.flatnonzero(lost)) <= set(event.dropped)
            stayed = np.flatnonzero(before.free & after.free)
            assert set(event.corral) == {*stayed, *event.added, *event.dropped}
            assert moved <= set(event.corral)


def test_an_event_names_both_points_that_join_an_empty_corral():
    run = solve(hard(*two_clouds(8, 2.0)), Hulls(algorithm="wolfe", mu=0.25))
    event = run.at(1).event
    assert event.sentence.startswith(
        "Points 4 and 7 join the corral, points 4 and 7 leave it on the way; "
    )
    assert event.added == event.dropped == event.corral == (3, 6)
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
    assert event.beats[0].sentence.startswith("The corral S is empty: ")
