"""The map: its cells are the estimates of the library, and belong to the points shown."""

import numpy as np
import pytest

from solvers import RBF, SMO, BadInput, Hulls, Linear
from solvers.selection.estimate import estimate
from solvers.selection.models import grid
from solvers.selection.procedures import PROCEDURES
from svmviz.document.document import Penalty
from svmviz.selection.axes import Axis
from svmviz.selection.background_search import Searches, State
from svmviz.selection.cells import NOT_SEPARABLE, coarse_to_fine
from svmviz.selection.map_model import MapModel, MapSettings, map_of
from svmviz.selection.plan import Plan
from svmviz.session.session import Session
from tests.stages import moons, sine

CS, GAMMAS = Axis("C", "C", 0.1, 100.0, 4), Axis("gamma", "γ", 0.1, 10.0, 3)


@pytest.fixture
def made(qapp):
    opened = []

    def make(document, settings=None):
        session, searches = Session(document), Searches()
        opened.append((session, searches))
        model = map_of(session, searches)
        assert map_of(session, searches) is model
        if settings:
            model.set_settings(settings)
        return session, model

    yield make
    for session, searches in opened:
        searches.close()
        session.close()


def fill(qtbot, model: MapModel) -> None:
    model.start()
    qtbot.waitUntil(lambda: model.search.state is State.DONE)


@pytest.mark.parametrize(
    "plan", [Plan(folds=4, seed=3), Plan("hold-out", test=0.3), Plan("leave-one-out")]
)
def test_cells_are_the_estimates_of_the_library(qtbot, made, plan):
    document = moons(40)
    _, model = made(document, MapSettings(CS, GAMMAS, plan))
    fill(qtbot, model)
    models = grid({"gamma": GAMMAS.values, "C": CS.values}, RBF(), SMO())
    procedure = PROCEDURES[plan.procedure]
    results = procedure(document.problem(), models, plan.seed, **plan.options)
    expected = estimate(plan.procedure, results)
    found = [model.cells.numbers(cell) for cell in range(12)]
    assert [c.risk for c in found] == pytest.approx([c.risk for c in expected.cells])
    assert [c.training for c in found] == pytest.approx([c.training_risk for c in expected.cells])
    assert [c.support for c in found] == pytest.approx([c.support for c in expected.cells])
    if plan.procedure == "hold-out":
        assert np.isnan([c.spread for c in found]).all()
    else:
        spreads = [c.spread for c in expected.cells]
        assert [c.spread for c in found] == pytest.approx(spreads, abs=1e-7)
    assert model.best == expected.best
    assert model.result_settings.values(expected.best) == models[expected.best].parameters


def test_cells_fill_from_coarse_to_fine():
    order = coarse_to_fine(5, 7)
    assert sorted(order) == list(range(35))
    assert order[:4] == [0, 4, 28, 32]


def test_a_search_that_was_cancelled_goes_on(qtbot, made):
    _, model = made(moons(60), MapSettings(CS, GAMMAS))
    model.search.arrived.connect(
        lambda _batch: model.search.n_arrived > 10 and model.search.cancel()
    )
    model.start()
    qtbot.waitUntil(lambda: model.search.state is State.CANCELLED)
    known = model.search.n_arrived
    solved = []
    model.search.arrived.disconnect()
    model.search.arrived.connect(lambda batch: solved.extend(found.solved for found in batch))
    fill(qtbot, model)
    assert sum(not one for one in solved) >= known


def test_a_map_of_earlier_points_is_stale_until_undo(qtbot, made):
    session, model = made(moons(40), MapSettings(CS, GAMMAS))
    fill(qtbot, model)
    assert not model.is_stale
    model.load(cell := model.best)
    assert session.undo_stack.count() == 1
    values = model.result_settings.values(cell)
    assert (session.document.C, session.document.kernel.gamma) == (values["C"], values["gamma"])
    # Only the parameters of the axes have changed.
    assert not model.is_stale
    place = model.position_of(session.document)
    assert place == pytest.approx((cell % 4, cell // 4))
    session.edit(session.document.removed([0]), "Erase")
    assert model.is_stale
    model.load(cell)
    assert session.undo_stack.count() == 2
    session.undo_stack.undo()
    assert not model.is_stale
    session.edit(session.document.with_method(SMO(tol=1e-5)), "Tolerance")
    assert model.is_stale


def test_another_set_of_points_ends_the_search(qtbot, made):
    session, model = made(moons(300))
    model.start()
    session.preview(session.document.removed([0]))
    assert model.search.is_active
    session.commit("Erase")
    assert model.search.state is State.CANCELLED
    assert model.is_stale


def test_a_regression_has_its_own_axes_and_risks(qtbot, made):
    session, model = made(moons(40))
    model.set_settings(MapSettings(CS, GAMMAS, Plan(risk="hinge")))
    session.reset(sine(30))
    assert model.settings.plan.risk == ""
    epsilon = Axis("epsilon", "ε", 0.01, 1.0, 3)
    model.set_settings(MapSettings(CS, epsilon, Plan(risk="squared")))
    fill(qtbot, model)
    assert np.isfinite(model.cells.risk).all()
    assert model.risk_label == "squared"
    assert not model.is_fraction


def test_cells_that_cannot_be_solved_say_why(qtbot, made):
    tangled = moons(40, kernel=Linear(), methods=(Hulls(),), penalty=Penalty("C", 1.0))
    _, model = made(tangled, MapSettings(Axis("C", "C", 1.0, 10.0, 2), None))
    fill(qtbot, model)
    assert [model.cells.refusal(cell) for cell in (0, 1)] == [NOT_SEPARABLE] * 2
    assert model.best is None
    # A value that the kernel refuses.
    _, model = made(moons(40), MapSettings(CS, Axis("gamma", "γ", -1.0, 1.0, 3, logarithmic=False)))
    fill(qtbot, model)
    assert "gamma must be above 0" in model.cells.refusal(0)
    assert np.isfinite(model.cells.risk[2]).all()


@pytest.mark.parametrize(
    ("n", "plan", "sentence"),
    [
        (40, Plan(folds=30), "There are 30 folds, but only 20 points of class -1."),
        (40, Plan(folds=1), "There must be at least two folds: got 1."),
        (40, Plan(folds=2000), "There can be 1,000 folds at most: got 2,000."),
        (40, Plan("hold-out", test=0.001), "The test part would be empty"),
        (40, Plan(seed=-1), "The seed must be at least 0 and below 2^31: got -1."),
        (
            2000,
            Plan("leave-one-out"),
            "Leave-one-out of 2,000 points in 12 cells would train 24,012 times: choose k folds,"
            " fewer cells or fewer points.",
        ),
    ],
)
def test_what_cannot_be_searched_is_said_before(made, n, plan, sentence):
    _, model = made(moons(n), MapSettings(CS, GAMMAS, plan))
    with pytest.raises(BadInput) as error:
        model.start()
    assert str(error.value).startswith(sentence)
    assert model.result_settings is None


def test_settings_have_the_axes_of_the_document_for_listeners_that_are_told_first(made):
    session, searches = made(moons(40))[0], Searches()
    told = []
    # Connected before the model is made, and so told before it.
    session.document_changed.connect(lambda: told.append(later.settings.names))
    later = MapModel(session, searches.make())
    session.reset(moons(40, kernel=Linear()))
    searches.close()
    assert told == [("C",)]


def test_axes_are_there_again_after_another_kernel(made):
    session, model = made(moons(30, kernel=RBF(1.0)), MapSettings(CS, GAMMAS))
    session.edit(moons(30, kernel=Linear()), "Kernel")
    assert model.settings.y is None
    session.edit(moons(30, kernel=RBF(3.0)), "Kernel")
    assert (model.settings.x, model.settings.y) == (CS, GAMMAS)


def test_one_model_is_not_told_to_have_fewer_cells():
    problem = moons(6000).problem()
    with pytest.raises(BadInput, match="would train 6,001 times: choose k folds or fewer points"):
        Plan("leave-one-out").check(problem, 1)
