"""The map panel: filling, words of cells, loading one, bad input, and hiding old numbers."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QScrollArea

from solvers import RBF, Linear
from solvers.data.datasets import DATASETS
from solvers.problem.certificate import BOUND, FREE, ZERO
from svmviz.colours.contrast import luminance
from svmviz.document.document import Document, Penalty
from svmviz.panels.search_bar import time_words
from svmviz.panels.selection.map.layers import SHADES, colour_of, ramp_image
from svmviz.panels.selection.map.map_panel import MapPanel
from svmviz.panels.selection.risk.risk_panel import RiskPanel
from svmviz.selection.background_search import State
from svmviz.theme import DARK, LIGHT, active
from tests.stages import moons


def type_into(field, text):
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, text)
    QTest.keyClick(field, Qt.Key.Key_Return)


@pytest.fixture
def opened(qtbot, open_stage, show):
    """A map panel of some moons, with a small grid."""
    stage = open_stage(moons(60))
    panel = show(MapPanel(stage), 420, 900)
    for form, count in ((panel.across, "4"), (panel.up, "3")):
        type_into(form.count.field, count)
    return stage, panel


def fill(qtbot, panel):
    panel.bar.button.click()
    qtbot.waitUntil(lambda: panel.model.search.state is State.DONE)


def hover(view, cell):
    QTest.mouseMove(view.viewport(), QPoint(2, 2))
    QTest.mouseMove(view.viewport(), view.cell_rect(cell).center().toPoint())


def test_in_a_low_panel_a_card_shows_the_cell_under_the_mouse(qtbot, opened):
    _, panel = opened
    fill(qtbot, panel)
    hover(panel.map, 3)
    assert panel.thumbnail.isVisible()
    assert not panel.hover_card.isVisible()
    scroller = QScrollArea()
    qtbot.addWidget(scroller)
    scroller.setWidgetResizable(True)
    scroller.setWidget(panel)
    scroller.resize(320, 360)
    scroller.show()
    qtbot.waitUntil(lambda: panel.thumbnail.visibleRegion().isEmpty())
    card = panel.hover_card
    hover(panel.map, 5)
    qtbot.waitUntil(card.isVisible)
    qtbot.waitUntil(lambda: panel.thumbnail.picture is not None)
    assert card.words.text() == panel.reading.text()
    assert card.picture.pixmap().toImage() == panel.thumbnail.grab().toImage()
    QTest.mouseMove(panel.map.viewport(), QPoint(2, 2))
    qtbot.waitUntil(card.isHidden)
    scroller.takeWidget()


def test_a_thumbnail_has_the_marks_of_the_plane(qtbot, opened):
    _, panel = opened
    fill(qtbot, panel)
    thumbnail = panel.thumbnail
    data = DATASETS["moons"].generate(60, 0.4, 2)
    thumbnail.show_document(Document(data, RBF(2.0), Penalty("C", 1.0)))

    def is_pictured():
        # The layout of the panel may take the size back.
        thumbnail.resize(600, 600)
        return thumbnail.picture is not None

    qtbot.waitUntil(is_pictured)
    picture, image = thumbnail.picture, thumbnail.grab().toImage()
    # Of points that lie apart, the middle of the mark tells the role.
    pixels = thumbnail._camera(picture.document).to_pixels(data.points)
    apart = [np.sort(np.hypot(*(pixels - pixel).T))[1] > 20.0 for pixel in pixels]
    colours = {}
    for kind in (ZERO, FREE, BOUND):
        rows = np.flatnonzero((picture.certificate.kinds == kind) & apart)
        centres = pixels[rows].round().astype(int).tolist()
        colours[kind] = {image.pixelColor(*centre).name() for centre in centres}
    theme = active().theme
    assert colours[FREE] == {theme.negative, theme.positive}
    assert colours[BOUND] == {theme.plane}
    assert len(colours[ZERO]) == 2
    assert not colours[ZERO] & (colours[FREE] | colours[BOUND])


def test_a_resized_thumbnail_is_filled_to_its_edges(qtbot, opened):
    _, panel = opened
    fill(qtbot, panel)
    thumbnail = panel.thumbnail
    qtbot.waitUntil(lambda: thumbnail.picture is not None)
    first, size = thumbnail.picture, thumbnail.size()
    panel.resize(900, 900)
    qtbot.waitUntil(lambda: thumbnail.size() != size and not thumbnail.is_busy)
    picture = thumbnail.picture
    assert picture is not None
    left, right, bottom, top = thumbnail._camera(picture.document).view
    grid = picture.field.grid
    assert (grid.left, grid.right, grid.bottom, grid.top) == (left, right, bottom, top)
    assert picture.document is first.document
    # The document was not solved again.
    assert picture.expansion is first.expansion


def test_a_map_fills_and_a_click_loads_a_cell(qtbot, opened):
    stage, panel = opened
    assert not panel.map.isVisible()
    assert "Search estimates the risk" in panel.reading.text()
    fill(qtbot, panel)
    model, view = panel.model, panel.map
    assert view.isVisible()
    assert model.cells.shape == (3, 4)
    assert np.isfinite(model.cells.risk).all()
    assert panel.bar.words.text() == "60 models tested"
    assert "lowest risk" in panel.reading.text()
    assert "correlated" in panel.notes.text()
    # Every cell of the picture is found under its own middle.
    assert [
        view.cell_at(*view.area.to_data(view.cell_rect(cell).center())) for cell in range(12)
    ] == list(range(12))
    cell = (model.best + 5) % 12
    hover(view, cell)
    values = model.result_settings.values(cell)
    qtbot.waitUntil(lambda: panel.reading.text().startswith("C = "))
    # Its boundary is that of a run of its own.
    qtbot.waitUntil(lambda: panel.thumbnail.picture is not None)
    assert values["C"] == panel.thumbnail.picture.document.C
    assert panel.thumbnail.picture.document.kernel == RBF(values["gamma"])
    row = cell // 4
    assert np.array_equal(panel.chart.curves[0].mean, 100.0 * model.cells.risk[row])
    assert np.array_equal(panel.chart.curves[1].mean, 100.0 * model.cells.training[row])
    panel.along.button("y").click()
    hover(view, cell)
    assert np.array_equal(panel.chart.curves[0].mean, 100.0 * model.cells.risk[:, cell % 4])
    before = stage.session.undo_stack.count()
    QTest.mouseClick(
        view.viewport(), Qt.MouseButton.LeftButton, pos=view.cell_rect(cell).center().toPoint()
    )
    assert stage.session.undo_stack.count() == before + 1
    assert values["C"] == stage.session.document.C
    assert stage.session.document.kernel == RBF(values["gamma"])
    qtbot.waitUntil(lambda: view.picture.here is not None)
    assert view.picture.here == pytest.approx((cell % 4, cell // 4))


def test_numbers_of_earlier_points_are_not_shown(qtbot, opened):
    stage, panel = opened
    fill(qtbot, panel)
    panel.numbers.click()
    stage.session.edit(stage.session.document.removed([0]), "Erase")
    assert panel.map.picture.stale
    assert panel.map.picture.best is None
    assert "have changed since this map" in panel.reading.text()
    assert not panel.thumbnail.isVisible()
    assert not panel.notes.isVisible()
    hover(panel.map, 3)
    assert "have changed" in panel.reading.text()
    stage.session.undo_stack.undo()
    assert "lowest risk" in panel.reading.text()
    assert panel.map.picture.best is not None


def test_a_search_can_be_paused_and_cancelled(qtbot, open_stage, show):
    panel = show(MapPanel(open_stage(moons(300))), 420, 900)
    search = panel.model.search
    panel.bar.button.click()
    qtbot.waitUntil(lambda: search.n_arrived > 0)
    panel.bar.button.click()
    assert search.state is State.PAUSED
    assert panel.bar.words.text().startswith("Paused at")
    assert panel.bar.button.text() == "Go on"
    panel.bar.button.click()
    assert search.state is State.RUNNING
    panel.bar.cancel.click()
    assert panel.bar.words.text().startswith("Cancelled at")
    assert panel.bar.button.text() == "Search"
    assert not panel.bar.cancel.isEnabled()


def test_bad_input_is_one_sentence_and_loses_nothing(qtbot, opened):
    _, panel = opened
    fill(qtbot, panel)
    risks = panel.model.cells.risk.copy()
    for field, text, sentence in (
        (panel.plan.folds.field, "five", "The number of folds must be a whole number: got 'five'."),
        (panel.plan.folds.field, "2.5", "The number of folds must be a whole number: got '2.5'."),
        (panel.plan.folds.field, "inf", "The number of folds must be a whole number: got 'inf'."),
        (panel.plan.folds.field, "50", "There are 50 folds, but only 30 points of class -1."),
        (panel.plan.folds.field, "5", ""),
        (panel.across.low.field, "-1", "The first C must be above 0: got -1."),
        (panel.across.low.field, "1e9", "The first C is above the last: 1e+09 and 10000."),
        (panel.across.low.field, "0.01", ""),
    ):
        type_into(field, text)
        if sentence:
            panel.bar.button.click()
        assert panel.error_label.text() == sentence
        assert panel.error_label.isVisible() == bool(sentence)
    assert np.array_equal(panel.model.cells.risk, risks)


def test_without_points_there_is_a_sentence(open_stage, show):
    stage = open_stage(Document())
    for panel, button, label in (
        (made := show(MapPanel(stage), 420, 900), made.bar.button, made.error_label),
        (other := show(RiskPanel(stage), 420, 900), other.view.bar.button, other.view.error_label),
    ):
        button.click()
        assert label.text().endswith(".")
        assert label.isVisible()
        assert panel.isVisible()


def test_two_panels_show_one_map(qtbot, opened, show):
    stage, panel = opened
    other = show(MapPanel(stage), 900, 500)
    fill(qtbot, panel)
    assert other.map.picture.cells is panel.map.picture.cells
    assert other.bar.words.text() == panel.bar.words.text()


def test_a_model_with_one_parameter_has_one_row(qtbot, open_stage, show):
    panel = show(MapPanel(open_stage(moons(60, kernel=Linear()))), 420, 900)
    assert panel.model.settings.y is None
    fill(qtbot, panel)
    assert panel.model.cells.shape == (1, 15)
    assert not panel.along.isVisible()
    # It looks like a row: a strip on its axis, with nothing to press above it.
    view = panel.map
    assert view.cell_rect(0).height() < 0.3 * view.area.rect.height()
    assert view.cell_rect(0).bottom() == pytest.approx(view.area.rect.bottom(), abs=1.0)
    assert view.cell_at(3, 0) == 3
    assert view.cell_at(3, 1) is None


def test_colours_differ_in_grey():
    for theme in (LIGHT, DARK):
        lights = [luminance(colour_of(theme, k / 20)) for k in range(21)]
        steps = np.diff(lights)
        assert (steps > 0).all() or (steps < 0).all()
        assert abs(lights[-1] - lights[0]) > 0.5
        assert ramp_image(theme).width() == SHADES


def test_the_time_left_is_read_at_a_glance():
    texts = [time_words(seconds) for seconds in (0.2, 12.4, 100.0, 4000.0)]
    assert texts == ["less than 1 s", "12 s", "2 min", "1 h 7 min"]
