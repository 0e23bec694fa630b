"""The machines of a document against the classifier, which has code of its own for the rows."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from sklearn.metrics import confusion_matrix

from solvers import BadInput
from solvers.data.datasets import PointSet
from solvers.problem.machines import REDUCTIONS, machines_of
from solvers.sklearn import SVMClassifier
from svmviz.document.document import Document, Penalty
from svmviz.document.held_out import TRAINING
from svmviz.frames.solved_machines import confusion_tables, decision_at, solve_machines


def clouds(k: int, n: int = 60, seed: int = 0) -> PointSet:
    rng = np.random.default_rng(seed)
    labels = np.arange(n) % k
    points = rng.uniform(-2, 2, (k, 2))[labels] + rng.normal(0, 0.6, (n, 2))
    return PointSet(points, labels, tuple("abcdef"[:k]), ("x", "y"))


@pytest.mark.parametrize("k", [3, 5])
@pytest.mark.parametrize("reduction", REDUCTIONS)
@pytest.mark.parametrize("scaling", ["none", "each"])
def test_the_decision_is_that_of_the_classifier(k, reduction, scaling):
    document = Document(data=clouds(k), penalty=Penalty("C", 5.0), scaling=scaling)
    document = document.with_many(document.many.with_machines(machines_of(reduction, k)))
    solved = list(solve_machines(document))
    scaled = clouds(k).points / document.factors
    model = SVMClassifier(
        method="smo",
        C=5.0,
        gamma=document.kernel.gamma,
        tol=document.method.tol,
        multi_class="ovo" if reduction == "one-against-one" else "ovr",
    ).fit(scaled, clouds(k).labels)
    expansions = [machine.expansion for machine in solved]
    places = np.random.default_rng(1).uniform(-4, 4, (3000, 2))
    decision = decision_at(document.many.machines, expansions, places)
    assert (decision.classes == model.predict(places)).all()
    decided = decision_at(document.many.machines, expansions, scaled).classes
    table = confusion_tables(document, decided)[TRAINING]
    assert (table == confusion_matrix(clouds(k).labels, model.predict(scaled))).all()


def test_a_machine_without_points_on_one_side_takes_no_part():
    data = clouds(3).at(clouds(3).labels != 2)
    document = Document(data=replace(data))
    solved = list(solve_machines(document))
    assert [machine.run is None for machine in solved] == [False, True, True]
    assert "at least one of each class" in solved[1].trouble
    decision = decision_at(document.many.machines, [m.expansion for m in solved], data.points)
    assert set(decision.classes.tolist()) == {0, 1}
    with pytest.raises(BadInput, match="nothing decides"):
        decision_at(document.many.machines, [None] * 3, data.points)
