"""The Feature map panel: lifted points are separated by the plane, and T cuts the RBF map off."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest

from solvers import RBF, Custom, HomogeneousQuadratic, Laplacian, Polynomial, Quadratic, certify
from solvers.data.datasets import PointSet
from solvers.kernels.feature_maps import feature_map
from svmviz.document.document import Penalty
from svmviz.lessons.shipped import LESSONS
from svmviz.panels.kernels.axes_choice import plain
from svmviz.panels.kernels.feature_panel import FeaturePanel, sentence
from svmviz.panels.kernels.feature_solids import chosen_coordinates, lift, polar, surface
from svmviz.panels.kernels.feature_study import map_points
from svmviz.panels.kernels.solid_view import CuttingPlane, Solid, SolidView
from tests.choosing import choose
from tests.stages import eight, moons
from tests.waiting import go_to


@pytest.mark.parametrize("kernel", [Quadratic(), HomogeneousQuadratic()])
def test_f_is_the_height_over_the_plane_in_feature_space(open_stage, kernel):
    lane = open_stage(moons(40, kernel=kernel)).feed.frame.lane
    mapped = feature_map(kernel, 2)
    solid = lift(lane, mapped, chosen_coordinates(mapped)).solid(1.0)
    for plane, level in zip(solid.planes, (0.0, 1.0, -1.0), strict=True):
        f = solid.points @ plane.normal - plane.offset + level
        np.testing.assert_allclose(f, lane.certificate.decision, atol=1e-9)
        # The part that is drawn lies in the plane, and in the box.
        corners = plane.corners()
        np.testing.assert_allclose(corners @ plane.normal, plane.offset, atol=1e-9)
        assert np.abs(corners).max(initial=0.0) <= 1.0 + 1e-12
    assert np.abs(solid.points).max() <= 1.0 + 1e-12
    # The points use the box: 0.1 of their range is left above and below, whatever the grid does.
    np.testing.assert_allclose(np.abs(solid.points).max(axis=0), 1.0 / 1.2)
    assert all(np.abs(line).max() <= 1.0 + 1e-2 for line, *_ in solid.lines)
    flat = lift(lane, mapped, chosen_coordinates(mapped)).solid(0.0)
    assert (flat.points[:, 2] == -1.0).all()
    assert not flat.planes


def test_three_of_many_coordinates_have_no_plane(open_stage):
    kernel = Polynomial(gamma=1.0, coef0=1.0, degree=3)
    lane = open_stage(eight(kernel=kernel)).feed.frame.lane
    mapped = feature_map(kernel, 2)
    assert chosen_coordinates(mapped) == (1, 2, 3)
    assert not lift(lane, mapped, (1, 2, 3)).planes


def test_the_surface_carries_the_points_and_the_levels(open_stage):
    stage = open_stage(moons(40))
    lane = stage.feed.frame.lane
    solid = surface(lane, stage.session.document.factors)
    np.testing.assert_allclose(
        solid.points[:, 2], np.clip(lane.certificate.decision, -2.5, 2.5) / 2.5
    )
    levels = {float(line[0, 2]) for line, _, width in solid.lines if width > 2.0}
    assert levels <= {-0.4, 0.0, 0.4}


@pytest.fixture
def opened(open_stage, show, qtbot):
    stage = open_stage(moons(40, kernel=Quadratic()))
    panel = show(FeaturePanel(stage), 480, 640)
    qtbot.waitUntil(lambda: len(panel.solid.solid.points) > 0)
    return stage, panel


def test_it_is_turned_by_mouse_and_keys_and_back_by_a_double_click(opened, qtbot):
    _, panel = opened
    view = panel.solid
    before, middle = view.grab().toImage(), view.rect().center()
    QTest.mousePress(view, Qt.MouseButton.LeftButton, pos=middle)
    QTest.mouseMove(view, middle + QPointF(60, 20).toPoint())
    QTest.mouseRelease(view, Qt.MouseButton.LeftButton, pos=middle)
    turned = (view.yaw, view.pitch)
    assert view.grab().toImage() != before
    QTest.keyClick(view, Qt.Key.Key_Left)
    assert (view.yaw, view.pitch) != turned
    QTest.mouseDClick(view, Qt.MouseButton.LeftButton, pos=middle)
    assert view.grab().toImage() == before


def test_an_upright_plane_is_looked_along_at_first(open_stage, show, qtbot):
    # phi = (x1^2, x2^2, sqrt(2) x1 x2), in which f = 0 is the upright plane phi1 = phi2.
    card = LESSONS["three-features"].cards[3]
    panel = show(FeaturePanel(open_stage(card.show.read_scene().document)), 480, 640)
    qtbot.waitUntil(lambda: bool(panel.solid.solid.planes))
    view = panel.solid
    x, labels = view.to_pixels(view.solid.points)[:, 0], view.solid.labels
    sides = x[labels > 0], x[labels < 0]
    assert sides[0].max() < sides[1].min() or sides[1].max() < sides[0].min()
    first = view.yaw, view.pitch
    view.turn(40.0, 10.0)
    view.see_between(view.solid.planes[0])
    assert (view.yaw, view.pitch) != first
    QTest.mouseDClick(view, Qt.MouseButton.LeftButton, pos=view.rect().center())
    assert (view.yaw, view.pitch) == first


def test_it_glides_from_flat_to_lifted(opened, qtbot):
    _, panel = opened
    panel.view.chosen.emit("flat")
    qtbot.waitUntil(lambda: (panel.solid.solid.points[:, 2] == -1.0).all())
    panel.view.chosen.emit("lifted")
    qtbot.waitUntil(lambda: bool(panel.solid.solid.planes))


def test_a_point_is_found_and_lit_and_the_words_check_its_inner_product(opened, qtbot):
    stage, panel = opened
    problem = stage.feed.frame.lane.problem
    x, y = panel.solid.to_pixels(panel.solid.solid.points[[7]])[0].tolist()
    assert panel.solid.point_at(QPointF(x, y)) is not None
    stage.session.select({3, 8})
    k = float(problem.kernel(problem.X[[3]], problem.X[[8]])[0, 0])
    assert panel.words.text().count(f"{k:.4g}".replace("-", "−")) == 2
    step = stage.session.runs[0].steps // 2
    solid = panel.solid.solid
    go_to(qtbot, stage, step)
    qtbot.waitUntil(lambda: panel.solid.solid is not solid)


def test_with_more_terms_the_boundary_of_the_rbf_kernel_is_reached(open_stage, show, qtbot):
    stage = open_stage(moons(40, kernel=RBF(0.5)))
    panel = show(FeaturePanel(stage), 480, 640)
    qtbot.waitUntil(lambda: panel.shown is not None and bool(panel.shown.boundaries.exact))
    lane = stage.feed.frame.lane
    errors = []
    for terms in (1, 6, 25):
        mapped = feature_map(RBF(0.5), 2, terms)
        f = mapped(lane.problem.X) @ (lane.expansion.beta @ mapped(lane.problem.X))
        errors.append(np.abs(f + lane.expansion.bias - lane.certificate.decision).max())
    assert errors[0] > errors[1] > errors[2]
    assert errors[2] < 1e-4
    panel.terms.released.emit(type(panel._terms)(terms=25))
    cut_before = panel.shown.boundaries.cut
    qtbot.waitUntil(lambda: len(panel.shown.mapped.map.coordinates) == 26 * 27 // 2)
    assert panel.shown.mapped.error < 1e-3
    bounds = panel.shown.boundaries
    assert len(bounds.exact) == len(bounds.cut)
    for exact, cut in zip(bounds.exact, bounds.cut, strict=True):
        np.testing.assert_allclose(cut, exact, atol=1e-3)
    assert [len(line) for line in cut_before] != [len(line) for line in bounds.cut]
    assert certify(lane.problem, lane.expansion).gap == lane.certificate.gap


def test_a_kernel_without_a_map_here_shows_f_as_a_height(open_stage, show, qtbot):
    stage = open_stage(moons(40, kernel=Laplacian(1.0)))
    panel = show(FeaturePanel(stage), 480, 640)
    qtbot.waitUntil(lambda: panel.solid.solid.names[2] == "f")
    assert "is not written out" in panel.words.text()


def test_a_plane_beside_the_box_has_no_corners(qapp):
    assert not len(CuttingPlane(np.array([0.0, 0.0, 1.0]), 5.0, "text", 0.2).corners())
    assert SolidView().solid.points.shape == Solid().points.shape


def test_three_of_many_coordinates_are_chosen(open_stage, show, qtbot):
    stage = open_stage(moons(40, kernel=Polynomial(gamma=1.0, coef0=1.0, degree=3)))
    panel = show(FeaturePanel(stage), 480, 640)
    qtbot.waitUntil(panel.axes.isVisible)
    assert [box.combo.currentText() for box in panel.axes.boxes] == [
        "φ₂", "φ₃", "φ₄",
    ]  # fmt: skip
    problem, third = stage.feed.frame.lane.problem, panel.axes.boxes[2]
    third.combo.setCurrentIndex(third.keys.index("7"))
    third.combo.activated.emit(third.combo.currentIndex())
    qtbot.waitUntil(lambda: panel.solid.solid.names == ("φ₂", "φ₃", "φ₈"))
    heights = problem.X[:, 1] ** 3
    drawn = panel.solid.solid.points[:, 2]
    assert np.corrcoef(heights, drawn)[0, 1] == pytest.approx(1.0)
    # A coordinate that is on another axis changes places with the one that was here.
    third.set_value("1")
    third.chosen.emit("1")
    qtbot.waitUntil(lambda: panel.solid.solid.names == ("φ₈", "φ₃", "φ₂"))
    stage.session.edit(replace(stage.session.document, kernel=Quadratic()), "Change kernel")
    qtbot.waitUntil(lambda: not panel.axes.isVisible())
    assert panel.solid.solid.names == ("φ₁", "φ₂", "φ₃")


def test_coordinates_are_written_as_plain_text():
    mapped = feature_map(RBF(1.0), 2, 2)
    texts = [plain(c.letters, mapped.factor) for c in mapped.coordinates]
    written = ["", "√2 x₁ ", "√2 x₂ ", "√2 x₁² ", "2 x₁ x₂ ", "√2 x₂² "]
    assert texts == [f"{text}exp(−γ‖x‖²)" for text in written]
    assert mapped.varying == (0, 1, 2, 3, 4, 5)
    for kernel in (Quadratic(), HomogeneousQuadratic(), Polynomial(degree=10), RBF(0.3)):
        for coordinate in feature_map(kernel, 2, 30).coordinates:
            assert not set(plain(coordinate.letters)) & set("\\{}_")


@pytest.mark.parametrize("gamma", [0.3, 1.0, 2.0])
def test_the_map_may_be_cut_off_well_above_the_number_that_the_words_name(gamma):
    problem = moons(60, kernel=RBF(gamma)).problem()
    mean = 2.0 * gamma * float((problem.X**2).sum(axis=1).max())
    words = sentence(problem, map_points(problem, 4), (0, 1), 0.5)
    assert f"at most {mean:.3g} here." in words
    # Four standard deviations above the mean of a Poisson distribution, and at half the mean.
    enough = map_points(problem, round(mean + 4.0 * np.sqrt(mean)))
    assert enough.error < 1e-3
    assert map_points(problem, round(0.5 * mean)).error > 0.05


def test_mercers_series_is_summed_term_by_term_until_it_is_the_kernel(open_stage, show, qtbot):
    stage = open_stage(moons(40))
    panel = show(FeaturePanel(stage), 480, 640)
    panel.series.button("mercer").click()
    qtbot.waitUntil(lambda: panel.shown is not None and panel.shown.mapped.series is not None)
    problem = stage.feed.frame.lane.problem
    K = problem.kernel(problem.X, problem.X)
    values, vectors = np.linalg.eigh(K)
    for terms in (4, 9, 400):
        panel.terms.released.emit(type(panel._terms)(terms=terms))
        qtbot.waitUntil(lambda t=terms: abs(panel.shown.mapped.phi.shape[1] - min(t, 40)) <= 2)
        mapped = panel.shown.mapped
        m = mapped.phi.shape[1]
        summed = (vectors[:, -m:] * values[-m:]) @ vectors[:, -m:].T
        assert mapped.error == pytest.approx(np.abs(summed - K).max(), abs=1e-9)
        assert mapped.share == pytest.approx(values[-m:].sum() / 40.0)
        np.testing.assert_allclose((mapped.phi**2).sum(axis=0), values[::-1][:m], atol=1e-9)
    assert mapped.error < 1e-7
    bounds = panel.shown.boundaries
    assert len(bounds.exact) == len(bounds.cut) > 0
    for exact, cut in zip(bounds.exact, bounds.cut, strict=True):
        np.testing.assert_allclose(cut, exact, atol=1e-3)
    assert "Σ λₖ ψₖ(x) ψₖ(z)" in panel.words.text()
    panel.series.button("taylor").click()
    qtbot.waitUntil(lambda: panel.shown.mapped.series is None)


def test_a_kernel_whose_map_is_not_written_out_has_eigenfunctions(open_stage, show, qtbot):
    stage = open_stage(moons(40, kernel=Laplacian(1.0)))
    panel = show(FeaturePanel(stage), 480, 640)
    qtbot.waitUntil(panel.series.isVisible)
    assert not panel.terms.isVisible()
    panel.series.button("mercer").click()
    qtbot.waitUntil(lambda: panel.terms.isVisible() and panel.solid.solid.names[2] == "φ₃")
    assert 0.0 < panel.shown.mapped.error < 1.0


def test_the_series_of_a_function_that_is_no_kernel_stops_short_of_it():
    problem = moons(40, kernel=Custom("1 - ((x1-z1)^2 + (x2-z2)^2)")).problem()
    mapped = map_points(problem, 400, is_mercer=True)
    values = np.linalg.eigvalsh(problem.kernel(problem.X, problem.X))
    assert mapped.phi.shape[1] == (values > 1e-8).sum() < 4
    assert mapped.error > 0.1


# Two rings of eight points each, at the radii 1 and 2.
RINGS = PointSet(
    np.concatenate(
        [
            r * np.column_stack([np.cos(a), np.sin(a)])
            for r, a in ((1.0, np.arange(8) * np.pi / 4.0), (2.0, np.arange(8) * np.pi / 4.0))
        ]
    ),
    np.repeat([1, -1], 8),
)


def test_in_polar_coordinates_a_circle_is_a_straight_line(open_stage, show, qtbot):
    stage = open_stage(
        eight(data=RINGS, kernel=HomogeneousQuadratic(), penalty=Penalty("C", 1000.0))
    )
    panel = show(FeaturePanel(stage), 480, 640)
    choose(panel.view, "polar")
    qtbot.waitUntil(lambda: panel.shown is not None and panel.shown.radii is not None)
    # f = a r^2 + b is 1 at r = 1 and -1 at r = 2, so it is 0 at r^2 = 2.5.
    np.testing.assert_allclose(panel.shown.radii, np.sqrt(2.5), rtol=2e-3)
    assert "between r = 1.58 and r = 1.58" in panel.words.text()
    lifted, radii = polar(stage.feed.frame.lane)
    assert radii == panel.shown.radii
    reach = 2.0 * 1.1
    np.testing.assert_allclose(lifted.up[:, 0], 2.0 * np.repeat([1.0, 2.0], 8) / reach - 1.0)
    np.testing.assert_allclose(lifted.flat[:, :2] * reach, RINGS.points, atol=1e-12)
    boundary = [line.up for line in lifted.lines if line.colour == "text"]
    assert sum(len(line) for line in boundary) > 20
    assert np.ptp(np.concatenate(boundary)[:, 0]) < 4e-3
    # Unrolled, the boundary goes all around.
    assert np.ptp(np.concatenate(boundary)[:, 1]) > 1.9
    qtbot.waitUntil(lambda: panel.solid.solid.names[1] == "θ")
