"""Procedures against scikit-learn's refits, and against their definitions."""

from itertools import pairwise

import numpy as np
import pytest

from solvers import RBF, SMO, BadInput, Linear, WorkingSet, solve
from solvers.problem.losses import misclassified
from solvers.selection.estimate import estimate
from solvers.selection.models import Model, grid
from solvers.selection.procedures import (
    PROCEDURES,
    curve_sizes,
    five_by_two,
    hold_out,
    k_fold,
    learning_curve,
    nested,
    repeated_hold_out,
    validation,
)
from tests.solvers.selection.sets import PAIRS, decision_of, iris, moons, penguins, refit, sine

EXACT = {"kernel": RBF(0.5), "C": 5.0}
SETS = {
    **{f"iris {pair}": (lambda pair=pair: iris(pair, **EXACT)) for pair in PAIRS},
    "penguins": lambda: penguins(**EXACT),
    "moons": lambda: moons(**EXACT),
    "regression": lambda: sine(**EXACT, epsilon=0.2),
}
# A point may be on the other side only if |f| is below this.
CLOSE = 1e-3


@pytest.mark.parametrize("method", [SMO(tol=1e-6), WorkingSet(tol=1e-6)], ids=lambda m: m.name)
@pytest.mark.parametrize("name", ["hold-out", "validation", "leave-one-out", "k-fold", "5x2"])
@pytest.mark.parametrize("points", SETS)
def test_every_part_equals_scikit_learns_refit(points, name, method):
    problem = SETS[points]()
    parts = estimate(name, PROCEDURES[name](problem, method, 1)).parts
    for part in parts:
        rows = part.split.test
        theirs = decision_of(refit(problem, part.split.train), problem.X[rows])
        assert part.fit.decision == pytest.approx(theirs, abs=CLOSE)
        if problem.task == "classification":
            differ = np.sign(theirs) != np.sign(part.fit.decision)
            assert differ.sum() <= 1
            assert (np.abs(theirs[differ]) < CLOSE).all()
            assert part.risk == misclassified(problem.y[rows], part.fit.decision).mean()
        else:
            assert part.risk == np.abs(problem.y[rows] - part.fit.decision).mean()


@pytest.mark.parametrize("risk", ["hinge", "zero-one"])
def test_the_training_risk_is_that_of_the_training_part(risk):
    problem = moons(**EXACT)
    for result in k_fold(problem, SMO(), risk=risk):
        train = result.split.train
        run = solve(Model().on(problem, train), SMO())
        margins = problem.y[train] * run.expansion(problem.X[train])
        losses = np.maximum(0, 1 - margins) if risk == "hinge" else margins <= 0
        assert result.fit.training_risk == pytest.approx(losses.mean(), abs=1e-12)
        assert result.fit.support == len(run.expansion.support)


def test_mean_and_spread_are_unweighted():
    found = estimate("k-fold", k_fold(moons(**EXACT), folds=7))
    risks = [part.risk for part in found.parts]
    assert (found.risk, found.spread) == (np.mean(risks), np.std(risks, ddof=1))
    assert estimate("hold-out", hold_out(moons(**EXACT))).spread is None


def test_validation_chooses_by_the_validation_part_alone():
    problem, models = moons(**EXACT), grid({"C": [0.01, 1.0, 100.0]}, RBF(2.0))
    found = estimate("validation", validation(problem, models, 4, validation=0.3, test=0.3))
    risks = [cell.risk for cell in found.cells]
    assert found.best == int(np.argmin(risks))
    [part] = found.parts
    assert part.model == found.best
    split = part.split
    for k, model in enumerate(models):
        run = solve(model.on(problem, split.train), model.method)
        f = run.expansion(problem.X[split.validation])
        assert risks[k] == misclassified(problem.y[split.validation], f).mean()
    run = solve(models[found.best].on(problem, split.train), SMO())
    assert part.fit.decision == pytest.approx(run.expansion(problem.X[split.test]))


def test_retraining_takes_the_validation_part_as_well():
    problem = moons(**EXACT)
    [part] = estimate("validation", validation(problem, seed=2, retrain=True)).parts
    split = part.split
    rows = np.union1d(split.train, split.validation)
    run = solve(Model().on(problem, rows), SMO())
    assert part.fit.decision == pytest.approx(run.expansion(problem.X[split.test]), abs=1e-12)
    [other] = estimate("validation", validation(problem, seed=2)).parts
    assert other.split.test.tolist() == split.test.tolist()
    assert np.abs(other.fit.decision - part.fit.decision).max() > 1e-3


def test_nested_tests_what_the_inner_folds_choose():
    problem = moons(60, kernel=RBF(1.0), C=1.0)
    models = grid({"C": [0.1, 1.0, 100.0], "gamma": [0.1, 10.0]}, RBF())
    results = list(nested(problem, models, 3, folds=4))
    found = estimate("nested", results)
    for number, part in enumerate(found.parts):
        inner = [r for r in results if r.outer == number]
        assert len(inner) == 4 * len(models)
        for result in inner:
            rows = np.concatenate([result.split.train, result.split.validation])
            assert np.array_equal(np.sort(rows), part.split.train)
            assert not np.isin(part.split.test, rows).any()
        sums = [sum(r.risk for r in inner if r.model == k) for k in range(len(models))]
        assert part.model == int(np.argmin(sums))
    # The cells are those of k folds on all points.
    plain = estimate("k-fold", k_fold(problem, models, 3, folds=4))
    assert [cell.risk for cell in found.cells] == [cell.risk for cell in plain.cells]
    assert found.best == plain.best
    assert found.risk == np.mean([found.cells[p.model].parts[p.part].risk for p in found.parts])


def test_fits_that_did_not_converge_are_counted():
    models = [SMO(), SMO(max_steps=3), SMO(max_steps=2)]
    found = estimate("k-fold", k_fold(moons(**EXACT), models, folds=4))
    assert found.note.endswith("8 of 12 fits did not converge (step-limit).")
    assert "converge" not in estimate("k-fold", k_fold(moons(**EXACT))).note


def test_nested_with_one_model_solves_the_outer_folds_only():
    assert len(list(nested(moons(**EXACT), SMO(), folds=4))) == 4


def test_the_first_of_equals_is_best():
    models = grid({"C": [3.0, 3.0 + 1e-12, 1e-6]}, RBF(0.5))
    found = estimate("k-fold", k_fold(moons(**EXACT), models))
    assert found.best == 0
    assert found.cells[0].risk == found.cells[1].risk < found.cells[2].risk


def test_the_halves_of_five_by_two_are_in_pairs():
    parts = estimate("5x2", five_by_two(moons(**EXACT), seed=5)).parts
    assert len(parts) == 10
    for first, second in zip(parts[::2], parts[1::2]):
        assert first.split.test.tolist() == second.split.train.tolist()
    assert len({tuple(part.split.test) for part in parts}) == 10


def test_results_come_as_a_stream():
    stream = k_fold(moons(**EXACT), [SMO(), WorkingSet()], folds=5)
    first = next(stream)
    assert (first.model, first.part) == (0, 0)
    stream.close()


@pytest.mark.parametrize("name", PROCEDURES)
def test_the_same_seed_gives_the_same_results(name):
    first, second = (
        estimate(name, PROCEDURES[name](moons(40, **EXACT), SMO(), 7)) for _ in range(2)
    )
    assert first.risk == second.risk
    for one, other in zip(first.parts, second.parts, strict=True):
        assert one.split.test.tolist() == other.split.test.tolist()


def test_models_of_any_kind_can_be_compared():
    models = [Model(SMO(), Linear()), Model(WorkingSet(), RBF(3.0), {"C": 10.0}), SMO()]
    found = estimate("k-fold", k_fold(moons(**EXACT), models))
    assert len(found.cells) == 3
    assert found.cells[0].risk != found.cells[1].risk


def test_what_cannot_be_estimated_is_refused_before_anything_is_solved():
    with pytest.raises(BadInput, match="hinge is for classification"):
        next(k_fold(sine(**EXACT), risk="hinge"))
    with pytest.raises(BadInput, match="no model"):
        next(k_fold(moons(**EXACT), []))
    with pytest.raises(BadInput, match="must be one of"):
        next(k_fold(moons(**EXACT), risk="cost"))


@pytest.mark.parametrize("risk", ["absolute", "squared", "epsilon"])
def test_the_risks_of_a_regression(risk):
    problem = sine(**EXACT, epsilon=0.2)
    for part in estimate("k-fold", k_fold(problem, risk=risk)).parts:
        error = np.abs(problem.y[part.split.test] - part.fit.decision)
        losses = {"absolute": error, "squared": error**2, "epsilon": np.maximum(0, error - 0.2)}
        assert part.risk == pytest.approx(losses[risk].mean(), rel=1e-12)


def test_each_repeat_is_a_hold_out_of_its_seed():
    problem = moons(60, kernel=RBF(2.0))
    found = list(repeated_hold_out(problem, SMO(), 3, repeats=4, test=0.3))
    for r, result in enumerate(found):
        [alone] = hold_out(problem, SMO(), 3 + r, test=0.3)
        assert (result.part, result.risk) == (r, alone.risk)


@pytest.mark.parametrize("problem", [moons(60, kernel=RBF(2.0)), sine(40, kernel=RBF(1.0))])
def test_a_learning_curve_trains_on_more_and_more_of_a_part(problem):
    sizes = [4, 10, 30]
    found = list(learning_curve(problem, SMO(), 1, sizes=sizes, repeats=3))
    assert [len(result.split.train) for result in found] == sizes * 3
    for r in range(3):
        parts = [result.split for result in found[3 * r : 3 * r + 3]]
        [alone] = hold_out(problem, SMO(), 1 + r)
        assert all(np.array_equal(part.test, alone.split.test) for part in parts)
        assert set(parts[0].train) < set(parts[1].train) < set(parts[2].train)
        assert set(parts[2].train) <= set(alone.split.train)
        if problem.task == "classification":
            assert len(set(problem.y[parts[0].train])) == 2


def test_sizes_grow_by_about_the_same_factor():
    sizes = curve_sizes(240)
    assert (sizes[0], sizes[-1], len(sizes)) == (4, 240, 12)
    assert max(b / a for a, b in pairwise(sizes)) < 1.7
    assert curve_sizes(3) == [2, 3]
    with pytest.raises(BadInput, match="Sizes must be from 2 to 48, the training part"):
        list(learning_curve(moons(60), sizes=[1, 5]))
