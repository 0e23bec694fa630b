"""The Components panel: a click on the spectrum chooses, points are linked, and words are true."""

import numpy as np
import pytest

from solvers import RBF, Composed, Custom, Polynomial
from solvers.kernels.feature_geometry import components
from svmviz.panels.kernels.components_panel import ComponentsPanel, study_components, words
from tests.stages import eight, moons, sine


@pytest.fixture
def opened(open_stage, show, qtbot):
    stage = open_stage(moons(60, kernel=RBF(2.0)))
    panel = show(ComponentsPanel(stage), 560, 560)
    qtbot.waitUntil(lambda: panel.shown is not None)
    return stage, panel


def test_a_click_on_a_bar_draws_its_component(opened, qtbot):
    _, panel = opened
    first = panel.shown.field
    panel.spectrum.pressed.emit(3.2, 0.1)
    qtbot.waitUntil(lambda: panel.shown is not None and panel.shown.across == 2)
    assert not np.array_equal(panel.shown.field, first)
    assert (panel.across, panel.up) == (2, 0)
    qtbot.waitUntil(lambda: panel.scores._labels == ("component 3", "component 1"))


def test_the_field_is_the_component_of_its_nodes(opened):
    stage, panel = opened
    problem, shown = stage.feed.frame.lane.problem, panel.shown
    found = components(problem.kernel, problem.X)
    left, right, bottom, top = shown.box
    np.testing.assert_allclose(shown.field[0, 0], found.at(np.array([[left, bottom]]))[0, 0])
    np.testing.assert_allclose(shown.field[-1, 0], found.at(np.array([[left, top]]))[0, 0])
    np.testing.assert_allclose(shown.field[0, -1], found.at(np.array([[right, bottom]]))[0, 0])


def test_without_centring_other_components_are_shown(opened, qtbot):
    _, panel = opened
    before = panel.shown.values
    panel.matrix.chosen.emit("plain")
    qtbot.waitUntil(lambda: (panel.shown is not None and len(panel.shown.values) != len(before))
                    or not np.allclose(panel.shown.values, before))  # fmt: skip


def test_words_on_points_are_distances_in_both_spaces(opened):
    stage, panel = opened
    lane = stage.feed.frame.lane
    stage.session.select({2, 5})
    x, z = lane.problem.X[[2, 5]]
    text = panel.words.text()
    assert text.startswith("Points 3 and 6: ")
    assert f"{np.linalg.norm(x - z):.4g} apart in the plane" in text
    feature = np.sqrt(2.0 - 2.0 * np.exp(-2.0 * ((x - z) ** 2).sum()))
    assert f"{feature:.4g} in the feature space" in text
    assert "to the mean of class +1" in words(panel.shown, lane, (2,))


def test_what_is_no_kernel_is_refuted_by_few_points(open_stage, show, qtbot):
    stage = open_stage(eight(kernel=Composed("1 - 0.3*linear()")))
    panel = show(ComponentsPanel(stage), 560, 560)
    qtbot.waitUntil(lambda: panel.shown is not None)
    points = panel.shown.refuting
    problem = stage.feed.frame.lane.problem
    K = problem.kernel(problem.X, problem.X)
    assert 0 < len(points) <= 3
    assert np.linalg.eigvalsh(K[np.ix_(points, points)])[0] < 0.0
    assert "refute it" in panel.words.text()


@pytest.mark.parametrize("document", [sine(20), eight(kernel=Polynomial()), moons(500)])
def test_other_documents_are_drawn_too(document):
    problem = document.problem()
    for is_centred in (True, False):
        study = study_components(problem, is_centred, 0)
        assert study is not None
        assert study.scores.shape[0] == problem.n
        assert np.isfinite(study.field).all()


def test_points_that_refute_it_have_rings_in_the_plane_while_it_is_open(open_stage, show, qtbot):
    stage = open_stage(eight(kernel=Composed("1 - 0.3*linear()")))
    panel = show(ComponentsPanel(stage), 560, 560)
    qtbot.waitUntil(lambda: bool(stage.spotlight.named))
    assert stage.spotlight.named == panel.shown.refuting
    # They are not what the words are about, as a point under the mouse is.
    assert "refute it" in panel.words.text()
    panel.hide()
    assert stage.spotlight.named == ()


def test_a_negative_eigenvalue_that_centring_hides_is_found_by_a_hint(open_stage, show, qtbot):
    # 1 - ||x - z||^2, which is not positive semi-definite: centred it is 2 <x, z>, which is.
    stage = open_stage(eight(kernel=Custom(formula="1 - ((x1-z1)^2 + (x2-z2)^2)")))
    panel = show(ComponentsPanel(stage), 560, 560)
    qtbot.waitUntil(lambda: panel.shown is not None)
    assert panel.shown.refuting
    assert panel.shown.values.min() > 0.0
    assert panel.words.text().endswith("Choose K: its negative eigenvalue is a red bar.")
    panel.matrix.chosen.emit("plain")
    qtbot.waitUntil(lambda: panel.shown.values.min() < 0.0)
    qtbot.waitUntil(lambda: "Choose K" not in panel.words.text())
