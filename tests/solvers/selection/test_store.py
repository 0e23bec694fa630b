"""A store returns what was stored, continues a search that was stopped, and confuses no results."""

import sqlite3

import numpy as np
import pytest

from solvers import RBF, SMO, BadInput, WorkingSet
from solvers.selection import fitting
from solvers.selection.estimate import estimate
from solvers.selection.models import Model, grid
from solvers.selection.procedures import PROCEDURES, k_fold, leave_one_out
from solvers.selection.store import FILE, Store
from tests.solvers.selection.sets import moons, sine

MODELS = grid({"C": [0.1, 1.0, 10.0]}, RBF(2.0))


def solved(results):
    return [result.solved for result in results]


@pytest.mark.parametrize("procedure", PROCEDURES)
def test_a_second_search_solves_nothing_and_gives_the_same(tmp_path, procedure):
    problem = moons(40)
    with Store(tmp_path, problem) as store:
        first = estimate(procedure, PROCEDURES[procedure](problem, MODELS, store=store))
    with Store(tmp_path, problem) as store:
        results = list(PROCEDURES[procedure](problem, MODELS, store=store))
        second = estimate(procedure, results)
    assert not any(solved(results))
    assert (first.risk, first.spread, first.best) == (second.risk, second.spread, second.best)
    for one, other in zip(first.cells, second.cells, strict=True):
        assert one.bounds == other.bounds
        for a, b in zip(one.parts, other.parts, strict=True):
            assert a.fit.decision.tolist() == b.fit.decision.tolist()
            assert (a.risk, a.fit.training_risk) == (b.risk, b.fit.training_risk)
            assert (a.fit.support, a.fit.reason) == (b.fit.support, b.fit.reason)


def test_a_search_that_was_closed_goes_on(tmp_path):
    problem = moons(40)
    with Store(tmp_path, problem) as store:
        stream = k_fold(problem, MODELS, store=store)
        for _ in range(6):
            next(stream)
        stream.close()
    with Store(tmp_path, problem) as store:
        results = list(k_fold(problem, MODELS, store=store))
    assert solved(results) == [False] * 6 + [True] * 9


@pytest.mark.parametrize(
    "other",
    [
        {"seed": 1},
        {"risk": "hinge"},
        {"models": [Model(SMO(tol=1e-4), RBF(2.0))]},
        {"models": [Model(WorkingSet(), RBF(2.0))]},
        {"models": [Model(SMO(), RBF(2.1))]},
        {"models": [Model(SMO(), RBF(2.0), {"C": 3.0})]},
        {"models": [Model(SMO(), RBF(2.0), {"bias": "none"})], "refused": True},
    ],
)
def test_what_differs_is_solved_again(tmp_path, other):
    problem = moons(40)
    refused = other.pop("refused", False)
    with Store(tmp_path, problem) as store:
        plain = {"models": [Model(SMO(), RBF(2.0))], "store": store}
        assert all(solved(k_fold(problem, **plain)))
        assert not any(solved(k_fold(problem, **plain)))
        if refused:
            with pytest.raises(BadInput):
                list(k_fold(problem, **{**plain, **other}))
            return
        assert all(solved(k_fold(problem, **{**plain, **other})))


def test_epsilon_is_part_of_the_key(tmp_path):
    problem = sine(30, kernel=RBF(1.0))
    with Store(tmp_path, problem) as store:
        for epsilon in (0.1, 0.2):
            model = Model(SMO(), changes={"epsilon": epsilon})
            assert all(solved(k_fold(problem, model, store=store)))


def test_other_versions_are_other_results(tmp_path, monkeypatch):
    problem = moons(40)
    with Store(tmp_path, problem) as store:
        list(k_fold(problem, store=store))
    monkeypatch.setattr("solvers.selection.keys._version", lambda name: "0")
    with Store(tmp_path, problem) as store:
        assert all(solved(k_fold(problem, store=store)))


def test_a_store_of_other_points_is_refused(tmp_path):
    Store(tmp_path, moons(40)).close()
    with pytest.raises(BadInput, match="holds results for other points"):
        Store(tmp_path, moons(41))
    Store(tmp_path, moons(40, kernel=RBF(9.0), C=3.0)).close()


def test_a_folder_that_cannot_be_used_is_refused(tmp_path):
    (tmp_path / "file").write_text("text")
    with pytest.raises(BadInput, match="a file is in its place"):
        Store(tmp_path / "file", moons(40))
    with pytest.raises(BadInput, match="a file is in its place"):
        Store(tmp_path / "file" / "below", moons(40))
    folder = tmp_path / "strange"
    folder.mkdir()
    (folder / FILE).write_bytes(b"not a database, but long enough to look at" * 50)
    with pytest.raises(BadInput, match="cannot be used"):
        Store(folder, moons(40))


def test_a_result_that_cannot_be_read_is_solved_again(tmp_path):
    problem = moons(40)
    with Store(tmp_path, problem) as store:
        expected = [result.risk for result in k_fold(problem, store=store)]
    with sqlite3.connect(tmp_path / FILE) as database:
        database.execute("UPDATE results SET result = '{\"risk\": 1'")
    database.close()
    with Store(tmp_path, problem) as store:
        results = list(k_fold(problem, store=store))
        assert all(solved(results))
        assert [result.risk for result in results] == expected
        assert not any(solved(k_fold(problem, store=store)))


def test_two_programs_may_write_at_once(tmp_path):
    problem = moons(40)
    with Store(tmp_path, problem) as first, Store(tmp_path, problem) as second:
        streams = [k_fold(problem, MODELS, store=store) for store in (first, second)]
        for results in zip(*streams, strict=True):
            assert results[0].risk == results[1].risk


def test_fits_of_all_points_keep_their_arrays(tmp_path):
    problem = moons(40)
    with Store(tmp_path, problem) as store:
        whole, *_ = leave_one_out(problem, store=store)
        again, *_ = leave_one_out(problem, store=store)
    assert isinstance(again.fit, fitting.WholeFit)
    assert isinstance(whole.fit, fitting.WholeFit)
    assert np.array_equal(again.fit.beta, whole.fit.beta)
    assert np.array_equal(again.fit.slack, whole.fit.slack)
