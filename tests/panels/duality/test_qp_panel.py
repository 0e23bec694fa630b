"""The Quadratic program panel: rows are lit with points, and the copied code finds the optimum."""

import subprocess
import sys

import numpy as np
import pytest
from PySide6.QtCore import QPointF
from PySide6.QtGui import QGuiApplication

from solvers import RBF, InteriorPoint, Linear, solve
from svmviz.document.document import Penalty
from svmviz.export.code.qp_code import qp_script
from svmviz.panels.duality.qp_panel import MAX_SHOWN, QPPanel, row_order
from tests.stages import eight, moons, sine
from tests.time_limits import TIME_LIMIT
from tests.waiting import go_to

DOCUMENTS = {
    "hard": eight(penalty=Penalty("C", np.inf)),
    "soft": moons(30, kernel=RBF(2.0)),
    "no bias": moons(30, bias="none", methods=(InteriorPoint(),)),
    "augmented": moons(30, bias="augmented", methods=(InteriorPoint(),)),
    "scaled": moons(30, kernel=Linear(), scaling="each"),
    "regression": sine(20),
}


@pytest.mark.parametrize("name", DOCUMENTS)
def test_the_copied_code_finds_our_optimum(name):
    document = DOCUMENTS[name]
    done = subprocess.run(
        [sys.executable, "-c", qp_script(document)],
        capture_output=True, text=True, timeout=TIME_LIMIT, check=True,
    )  # fmt: skip
    dual = float(done.stdout.split("D =")[1].split()[0])
    best = solve(document.problem(), InteriorPoint(tol=1e-9)).certificate.dual
    assert dual == pytest.approx(best, rel=1e-5)


@pytest.fixture
def opened(open_stage, show, qtbot):
    stage = open_stage(eight())
    panel = show(QPPanel(stage), 560, 520)
    go_to(qtbot, stage, 2)
    qtbot.waitUntil(lambda: panel.program is not None)
    return stage, panel


def test_a_row_belongs_to_its_point_in_every_block(opened):
    stage, panel = opened
    order = row_order(stage.feed.panel_frame.lane, by_alpha=False).tolist()
    assert order == [0, 3, 4, 6, 1, 2, 5, 7]
    view = panel.view
    for name, block in view.blocks.items():
        if name == "b":
            continue
        place, size = block.place, block.cell_side
        for rank, point in enumerate(order):
            along, across = (rank + 0.5) * size, 0.4 * size
            at = (along, across) if name == "A" else (across, along)
            found = view.point_at(QPointF(place.left() + at[0], place.top() + at[1]))
            assert found == point
        if name == "G":
            lower = QPointF(place.left() + 1.0, place.top() + (len(order) + 2.5) * size)
            assert view.point_at(lower) == order[2]


def test_rows_can_be_ordered_by_alpha(opened, qtbot):
    stage, panel = opened
    lane = stage.feed.panel_frame.lane
    order = row_order(lane, by_alpha=True)
    alpha, y = lane.certificate.alpha[order], lane.problem.y[order]
    assert (np.diff(y) >= 0).all()
    for label in (-1, 1):
        assert (np.diff(alpha[y == label]) <= 0).all()
    panel.order.set_value("alpha")
    panel.order.chosen.emit("alpha")
    np.testing.assert_array_equal(panel.view._order, order)


def test_the_code_is_copied(opened):
    _, panel = opened
    panel.copy.click()
    assert QGuiApplication.clipboard().text().startswith("import numpy as np\nimport piqp")


def test_for_many_points_only_the_counts_are_shown(open_stage, show, qtbot):
    stage = open_stage(moons(MAX_SHOWN + 10))
    panel = show(QPPanel(stage), 560, 520)
    qtbot.waitUntil(lambda: "at most 300" in panel.words.text())
    assert panel.program is None
    assert not panel.copy.isEnabled()
