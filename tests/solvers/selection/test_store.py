"""A store returns what was stored, continues a search that was stopped, and confuses no results."""

import json
import sqlite3

import numpy as np
import pytest

from solvers import RBF, SMO, BadInput, WorkingSet
from solvers.selection import fitting
from solvers.selection.estimate import estimate
from solvers.selection.models import Model, grid
from solvers.selection.procedures import PROCEDURES, k_fold, leave_one_out
from solvers.selection.store import APPLICATION_ID, FILE, Store
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


TAMPERED = [
    *({"risk": value} for value in ("x", None, {}, [1.0], True)),
    *({"decision": value} for value in ([1.0], "x", [[1.0]] * 8, [None] * 8, [10**400] * 8)),
    *({"support": value} for value in (-1, 1000, 1.5, "x")),
    *({"reason": value} for value in ("x", [], {})),
]


@pytest.mark.parametrize("change", TAMPERED, ids=str)
def test_a_tampered_result_is_solved_again(tmp_path, change):
    problem = moons(40)
    with Store(tmp_path, problem) as store:
        expected = estimate("k-fold", k_fold(problem, store=store))
    _write_results(tmp_path, lambda text: json.dumps(json.loads(text) | change))
    with Store(tmp_path, problem) as store:
        results = list(k_fold(problem, store=store))
    assert all(solved(results))
    assert estimate("k-fold", results).risk == expected.risk


@pytest.mark.parametrize("text", ["[" * 5000, "[]", "1", "null", "{}", None, 7, b"\xff"], ids=str)
def test_a_text_that_is_no_result_is_solved_again(tmp_path, text):
    problem = moons(40)
    with Store(tmp_path, problem) as store:
        list(k_fold(problem, store=store))
    _write_results(tmp_path, lambda _: text)
    with Store(tmp_path, problem) as store:
        assert all(solved(k_fold(problem, store=store)))


def _write_results(folder, change):
    """Change every result in the store by a function of its text."""
    with sqlite3.connect(folder / FILE) as database:
        for key, text in database.execute("SELECT key, result FROM results").fetchall():
            values = [change(text), key]
            database.execute("UPDATE results SET result = ? WHERE key = ?", values)
    database.close()


@pytest.mark.parametrize("own_id", [0, 1])
def test_the_database_of_another_program_is_left_as_it_is(tmp_path, own_id):
    theirs = tmp_path / "theirs.sqlite"
    with sqlite3.connect(theirs) as database:
        database.execute("CREATE TABLE about (their_column)")
        database.execute(f"PRAGMA application_id={own_id}")
    database.close()
    before = theirs.read_bytes()
    folder = tmp_path / "store"
    folder.mkdir()
    (folder / FILE).symlink_to(theirs)
    with pytest.raises(BadInput, match="database of another program"):
        Store(folder, moons(40))
    assert theirs.read_bytes() == before


def test_a_store_without_an_id_is_one_of_an_earlier_version(tmp_path):
    problem = moons(40)
    with Store(tmp_path, problem) as store:
        list(k_fold(problem, store=store))
    with sqlite3.connect(tmp_path / FILE) as database:
        assert database.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)
        database.execute("PRAGMA application_id=0")
    database.close()
    with Store(tmp_path, problem) as store:
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
