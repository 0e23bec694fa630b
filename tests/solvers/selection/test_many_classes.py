"""Selection among several classes against scikit-learn's, on the same splits."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.model_selection import cross_val_score
from sklearn.multiclass import OneVsRestClassifier
from sklearn.svm import SVC

from solvers import RBF, SMO, BadInput
from solvers.problem.machines import ONE_AGAINST_ONE, REDUCTIONS, machines_of
from solvers.problem.many_classes import ManyClassProblem
from solvers.selection.estimate import estimate
from solvers.selection.models import Model
from solvers.selection.pools import Local
from solvers.selection.procedures import PROCEDURES, k_fold, leave_one_out
from solvers.selection.search import TEST
from solvers.selection.store import Store

METHOD = SMO(tol=1e-7)


def iris(reduction: str = ONE_AGAINST_ONE, n: int = 150, **model) -> ManyClassProblem:
    """Return the first two columns of Fisher's irises, where many decisions are wrong."""
    X, y = load_iris(return_X_y=True)
    rows = np.random.default_rng(0).permutation(150)[:n]
    options = {"kernel": RBF(0.7), "C": 3.0, **model}
    names = ("setosa", "versicolor", "virginica")
    return ManyClassProblem(X[rows, :2], y[rows], machines_of(reduction, 3), names, **options)


def scikit(reduction: str) -> SVC | OneVsRestClassifier:
    svc = SVC(C=3.0, gamma=0.7, tol=1e-7, break_ties=True)
    return svc if reduction == ONE_AGAINST_ONE else OneVsRestClassifier(svc)


@pytest.mark.parametrize("reduction", REDUCTIONS)
@pytest.mark.parametrize("name", ["hold-out", "k-fold", "5x2"])
def test_the_risk_of_each_part_is_scikit_learns(reduction, name):
    problem = iris(reduction)
    options = {} if name == "hold-out" else {"stratified": True}
    results = list(PROCEDURES[name](problem, METHOD, 3, **options))
    splits = [(result.split.train, result.split.test) for result in results]
    scores = cross_val_score(scikit(reduction), problem.X, problem.y, cv=splits)
    assert [result.risk for result in results] == pytest.approx((1.0 - scores).tolist(), abs=1e-12)
    assert 0.1 < np.mean([result.risk for result in results]) < 0.4
    for result in results:
        machine = scikit(reduction).fit(
            problem.X[result.split.train], problem.y[result.split.train]
        )
        test = problem.X[result.split.test]
        assert result.fit.decision.tolist() == machine.predict(test).tolist()


@pytest.mark.parametrize("reduction", REDUCTIONS)
def test_leave_one_out_skips_points_that_no_machine_needs(reduction):
    problem = iris(reduction, 60)
    results = [part for part in leave_one_out(problem, METHOD) if part.measured_on == TEST]
    assert {part.part for part in results} == set(range(60))
    assert 0 < sum(part.solved for part in results) < 60
    for part in results:
        model = scikit(reduction).fit(problem.X[part.split.train], problem.y[part.split.train])
        wrong = model.predict(problem.X[part.split.test]) != problem.y[part.split.test]
        assert part.risk == float(wrong[0])


def test_a_choice_takes_the_model_with_the_fewest_wrong_decisions():
    models = [Model(METHOD, changes={"C": C}, parameters={"C": C}) for C in (1e-3, 3.0)]
    for name in ("nested", "validation"):
        outcome = estimate(name, PROCEDURES[name](iris(), models, 0))
        assert outcome.best == 1
        assert outcome.cells[0].risk > outcome.cells[1].risk


def test_each_machine_may_have_its_own_penalty():
    equal = [part.risk for part in k_fold(iris(C=(3.0,) * 3), METHOD)]
    assert equal == [part.risk for part in k_fold(iris(), METHOD)]
    other = [part.risk for part in k_fold(iris(C=(3.0, 1e-4, 1e-4)), METHOD)]
    assert other != equal


def test_pools_processes_and_stores_give_the_same(tmp_path):
    problem = iris()
    expected = [part.risk for part in k_fold(problem, METHOD)]
    results = sorted(k_fold(problem, METHOD, pool=Local(2)), key=lambda part: part.part)
    assert [part.risk for part in results] == expected
    copy = pickle.loads(pickle.dumps(problem))
    assert [part.risk for part in k_fold(copy, METHOD)] == expected
    with Store(tmp_path, problem) as store:
        list(k_fold(problem, METHOD, store=store))
        again = list(k_fold(problem, METHOD, store=store))
        assert not any(part.solved for part in again)
        assert [part.risk for part in again] == expected
        # The machines of the other reduction are other fits of the same points.
        assert all(part.solved for part in k_fold(iris("one-against-rest"), METHOD, store=store))


def test_a_class_without_points_takes_no_part():
    problem = iris()
    present = problem.y != 2
    lacking = ManyClassProblem(
        problem.X[present], problem.y[present], problem.machines, problem.names, RBF(0.7), 3.0
    )
    assert len(lacking.binary_problems()) == 1
    assert np.mean([part.risk for part in k_fold(lacking, METHOD)]) < 0.1
    alone = problem.y == 0
    single = ManyClassProblem(problem.X[alone], problem.y[alone], problem.machines, problem.names)
    with pytest.raises(BadInput, match="nothing decides"):
        single.binary_problems()


def test_refusals_name_the_classes():
    few = np.flatnonzero(np.cumsum(iris().y == 0) * (iris().y == 0) <= 3)
    problem = iris()
    problem = ManyClassProblem(problem.X[few], problem.y[few], problem.machines, problem.names)
    with pytest.raises(BadInput, match=r"5 folds, but only 3 points of class setosa\."):
        next(k_fold(problem, METHOD))
    with pytest.raises(BadInput, match="The risk hinge is for two classes; for 3 it is zero-one"):
        next(k_fold(problem, METHOD, risk="hinge"))
    with pytest.raises(BadInput, match="Only a regression has an epsilon"):
        next(k_fold(problem, Model(changes={"epsilon": 0.1})))
