"""The kernel panel draws the Gram matrix, its eigenvalues and Mercer's verdict, as they are."""

import numpy as np
import pytest
from PySide6.QtCore import QPointF

from solvers import RBF, CoordinateAscent, Custom, Linear, Sigmoid
from solvers.kernels.mercer import MAX_POINTS
from svmviz.panels.kernels.kernel_panel import KernelPanel
from svmviz.panels.kernels.kernel_study import study_kernel
from svmviz.theme import DARK, LIGHT, active, apply
from svmviz.widgets.charts.heat_map import matrix_image
from tests.stages import eight, moons, sine
from tests.waiting import go_to

ASCENT = (CoordinateAscent(max_steps=300),)
MINUS_SQUARE = Custom("1 - ((x1-z1)^2 + (x2-z2)^2)")
every_document = pytest.mark.parametrize(
    "document",
    [
        eight(),
        moons(),
        moons(kernel=Sigmoid(), methods=ASCENT, bias="augmented"),
        moons(500, kernel=RBF(30.0)),
    ],
    ids=["linear", "rbf", "sigmoid", "500"],
)


def shown(qtbot, show, stage, *size):
    panel = show(KernelPanel(stage), *size)
    qtbot.waitUntil(lambda: panel.shown is not None)
    return panel


@every_document
def test_the_matrix_is_that_of_the_points_sorted_by_class(qtbot, open_stage, show, document):
    stage = open_stage(document)
    panel = shown(qtbot, show, stage)
    study, problem = panel.shown, stage.session.runs[0].problem
    order = study.order
    assert len(set(order.tolist())) == len(order) == min(problem.n, 400)
    more = 1.0 if problem.bias == "augmented" else 0.0
    assert np.allclose(study.K, problem.kernel(problem.X[order], problem.X[order]) + more)
    assert (problem.y[order[: study.border]] == -1).all()
    assert (problem.y[order[study.border :]] == 1).all()
    assert np.array_equal(study.row_of[order], np.arange(len(order)))
    assert (study.row_of >= 0).sum() == len(order)
    # The eigenvalues are those of the matrix: trace and square sum, and they fall.
    assert (np.diff(study.values) <= 0).all()
    assert study.values.sum() == pytest.approx(np.trace(study.K), rel=1e-9)
    assert (study.values**2).sum() == pytest.approx((study.K**2).sum(), rel=1e-9)
    assert study.rank == np.linalg.matrix_rank(study.K, tol=study.tolerance, hermitian=True)
    assert ("+ 1" in panel.words.text()) == bool(more)
    assert ("sample of 400 of 500 points" in panel.words.text()) == (problem.n == 500)


def test_the_points_of_a_regression_are_sorted_along_x(qtbot, open_stage, show):
    stage = open_stage(sine(50))
    panel = shown(qtbot, show, stage)
    study, problem = panel.shown, stage.session.runs[0].problem
    assert study.border == 0
    x = problem.X[study.order, 0]
    assert len(x) == 50
    assert (np.diff(x) >= 0).all()
    assert np.allclose(study.K, problem.kernel(x[:, None], x[:, None]))
    for step in (3, 9, 2):
        go_to(qtbot, stage, step)
        touched = stage.feed.frame.lane.event.touched
        assert set(study.order[list(panel.map.step_rows)].tolist()) == set(touched)


@every_document
def test_the_rows_of_each_step_are_lit(qtbot, open_stage, show, document):
    stage = open_stage(document)
    panel = shown(qtbot, show, stage)
    run = stage.session.runs[0]
    steps = np.random.default_rng(4).integers(1, run.steps, 6).tolist()
    for step in [*steps, *steps[::-1], 0]:
        go_to(qtbot, stage, step)
        event = run.at(step).event
        points = [i for i in event.touched if panel.shown.row_of[i] >= 0] if event else []
        assert [panel.shown.order[row] for row in panel.map.step_rows] == sorted(points)
        if event and len(points) == len(event.touched) == 2:
            value = panel.shown.K[panel.map.step_rows]
            assert panel.reading.text().startswith("This step: k(")
            text = panel.reading.text().split("= ")[1]
            # Written without powers of ten, the number can be read back.
            if "·" not in text:
                assert float(text.replace("−", "-")) == pytest.approx(value, rel=1e-3, abs=1e-3)
        elif event and len(points) < len(event.touched):
            assert panel.reading.text() == "A point of this step is not in the sample."


def verdict(qtbot, show, stage):
    panel = shown(qtbot, show, stage)
    return panel, panel.words.text()


def test_functions_that_are_no_kernels_are_named(qtbot, open_stage, show):
    bad = open_stage(moons(kernel=Sigmoid()))
    panel, words = verdict(qtbot, show, bad)
    assert words.startswith(f"This is no kernel: {panel.shown.negative} eigenvalues are negative")
    assert (panel.heights(panel.shown) < 0).sum() == panel.shown.negative > 1
    worse = open_stage(moons(kernel=MINUS_SQUARE, bias="none", methods=ASCENT))
    panel, words = verdict(qtbot, show, worse)
    # <x, x> - |x|^2 ...: of rank 4, with one eigenvalue below 0.
    assert words.startswith("This is no kernel: 1 eigenvalue is negative")
    assert panel.shown.rank == 4


def test_kernels_are_named(qtbot, open_stage, show):
    panel, words = verdict(qtbot, show, open_stage(eight()))
    assert words == "This is a kernel: positive semi-definite by construction. Rank 2 (8 points)."
    assert (panel.heights(panel.shown) > 0).sum() == 2
    # Points that only know themselves, and points that are all alike.
    panel, _ = verdict(qtbot, show, open_stage(moons(40, kernel=RBF(1e6))))
    assert np.allclose(panel.shown.K, np.eye(40))
    assert panel.shown.rank == 40
    panel, _ = verdict(qtbot, show, open_stage(moons(40, kernel=RBF(1e-6))))
    assert np.allclose(panel.shown.K, 1.0, atol=1e-4)
    assert panel.shown.rank < 10
    _, words = verdict(qtbot, show, open_stage(moons(40, kernel=Custom("x1*z1 + 1"))))
    assert "other points may have one" in words


def test_hover_reads_and_highlights_and_click_selects(qtbot, open_stage, show):
    stage = open_stage(eight())
    panel = shown(qtbot, show, stage)
    study, square = panel.shown, panel.map.square
    size = square.width() / 8
    assert panel.map.cell(square.topLeft() + QPointF(5.5 * size, 2.5 * size)) == (2, 5)
    assert panel.map.cell(square.topLeft() - QPointF(3, 3)) is None
    panel.map.hovered.emit(2, 5)
    i, j = int(study.order[2]), int(study.order[5])
    assert stage.spotlight.index == i
    assert panel.map.cross == (2, 5)
    exact = float(stage.session.runs[0].problem.X[i] @ stage.session.runs[0].problem.X[j])
    assert panel.reading.text().endswith(f"= {exact:.4g}".replace("-", "−"))
    panel.map.hovered.emit(2, 6)
    assert panel.map.cross == (2, 6)
    panel.map.pressed.emit(2, 6)
    assert stage.session.selection == {i, int(study.order[6])}
    assert set(panel.map.selected_rows) == {2, 6}
    panel.map.left.emit()
    assert stage.spotlight.index is None
    assert panel.map.cross is None
    # Lit elsewhere: its row and its column.
    stage.spotlight.highlight(j)
    assert panel.map.cross == (5, 5)


def test_colours_have_a_sign(qapp):
    for theme in (LIGHT, DARK):
        apply(qapp, theme, 1.0)
        image = matrix_image(np.array([[-1.0, -0.5, 0.0, 0.5, 1.0]]), (-1.0, 1.0))
        seen = [image.pixelColor(k, 0).name() for k in range(5)]
        assert seen[2] == active().theme.card
        assert seen[4] == active().theme.series[0]
        assert seen[0] == active().theme.series[1]
        assert len(set(seen)) == 5
    apply(qapp, LIGHT, 1.0)


def test_a_study_of_many_points_is_one_of_a_sample():
    study = study_kernel(moons(2000, kernel=Sigmoid()).problem())
    assert study.K.shape == (MAX_POINTS, MAX_POINTS)
    assert np.count_nonzero(study.row_of >= 0) == MAX_POINTS


def test_linear_rank_and_negative_part_of_the_scale(qtbot, open_stage, show):
    panel = shown(qtbot, show, open_stage(moons(kernel=Linear())), 300, 260)
    assert panel.shown.rank == 2
    low, high = panel.map.limits
    assert low == panel.shown.K.min() < 0 < high == panel.shown.K.max()
    for width, height in ((300, 260), (700, 500)):
        panel.resize(width, height)
        assert panel.map.rect().toRectF().contains(panel.map.square)
        assert panel.map.square.width() > 0.35 * min(width, height)
