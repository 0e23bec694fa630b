"""The dialog of pictures: parts, sizes, colours, and a preview of all that."""

from __future__ import annotations

import threading
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtGui import QImage
from PySide6.QtPrintSupport import QPrintDialog
from PySide6.QtWidgets import QFileDialog, QLineEdit

from svmviz.export.figure import Figure
from svmviz.export.figure_settings import FigureSettings
from svmviz.export.page import Length
from svmviz.theme import DARK
from svmviz.window.files import files as files_module
from svmviz.window.files.export_dialog import ExportDialog, PrintDialog
from svmviz.window.files.preview import PreviewRequest, shrink
from svmviz.window.files.process_figure import ProcessFigure
from tests.export.renderers import by_pdfium, points_of_pdf, to_array
from tests.time_limits import TIME_LIMIT

pytestmark = pytest.mark.display


@pytest.fixture
def dialog(user):
    made = open_dialog(user)
    yield made
    made.reject()
    made.deleteLater()


def open_dialog(user, remembered=None):
    window = user.window
    shown = window.planes.picture(window.plane.theme, 1.0)
    made = ExportDialog(window, Path("here"), shown, window.files.scene(), remembered)
    made.show()
    return made


def choose(box, value):
    box.setCurrentIndex(box.findData(value))
    box.activated.emit(box.currentIndex())


def test_the_first_picture_is_a_light_pdf_for_one_column(dialog):
    settings = dialog.form.settings()
    assert dialog.form.ending == ".pdf"
    assert (settings.width, settings.height) == (Length(86, "mm"), Length(64.5, "mm"))
    assert (settings.type_size, settings.theme, settings.views) == (8.0, "light", ("plane",))


def test_as_in_the_window_and_a_free_size(user, dialog):
    width, height = user.window.planes.width(), user.window.planes.height()
    choose(dialog.form.preset, "window")
    assert dialog.figure().size == (2 * width, 2 * height)
    assert dialog.figure().drawing.scale == pytest.approx(2.0)
    dialog.form.sides[0].setValue(700)
    assert dialog.form.preset.currentData() == "free"
    assert dialog.figure().size == (700, 2 * height)
    dialog.form.unit.setCurrentText("cm")
    dialog.form.unit.activated.emit(dialog.form.unit.currentIndex())
    dialog.form.sides[0].setValue(17.8)
    assert dialog.form.settings().width == Length(17.8, "cm")


def test_a_size_that_no_picture_has_is_said_and_not_saved(user, dialog):
    choose(dialog.form.preset, "free")
    dialog.form.sides[0].setValue(90_000)
    assert "32,000 pixels per side" in dialog.preview.text()
    assert not dialog.save.isEnabled()
    choose(dialog.form.preset, "column")
    assert dialog.save.isEnabled()
    for action in dialog.form._views.values():
        action.setChecked(False)
    assert "Choose the plane or a panel" in dialog.preview.text()
    assert not dialog.save.isEnabled()


def test_the_preview_is_the_picture_in_small(user, dialog):
    user.until(lambda: not dialog.preview.pixmap().isNull())
    light = dialog.preview.pixmap().toImage()
    across, up = dialog.figure().size
    assert light.width() / light.height() == pytest.approx(across / up, rel=0.02)
    dialog.form.theme.set_value("dark")
    dialog.form.theme.chosen.emit("dark")
    user.until(lambda: dialog.preview.pixmap().toImage() != light)
    corner = dialog.preview.pixmap().toImage().pixelColor(2, 2).name()
    assert corner == DARK.plane
    small = shrink(dialog.figure(), 100, 100)
    assert max(small.size) == 100
    assert small.page.millimetres == pytest.approx(dialog.figure().page.millimetres, rel=0.02)


def test_closing_does_not_wait_for_the_preview(user, dialog, monkeypatch):
    begun, released = threading.Event(), threading.Event()
    image = PreviewRequest.image

    def slow(request):
        begun.set()
        released.wait(TIME_LIMIT)
        return image(request)

    user.until(lambda: not dialog.preview.pixmap().isNull())
    monkeypatch.setattr(PreviewRequest, "image", slow)
    shown = []
    dialog.preview.preview_changed.connect(lambda: shown.append(1))
    dialog.form.theme.set_value("dark")
    dialog.form.theme.chosen.emit("dark")
    user.until(begun.is_set)
    dialog.reject()
    # Closed while the picture is being painted, which is not shown any more.
    assert not dialog.isVisible()
    released.set()
    user.until(lambda: dialog.preview._worker.wait(0.0))
    user.rest()
    assert not shown


def test_panels_are_drawn_by_another_process(user, dialog, tmp_path):
    dialog.form._views["objective"].setChecked(True)
    figure = dialog.figure()
    assert isinstance(figure, ProcessFigure)
    assert dialog.form.views.text() == "Plane, Objective"
    shown = []
    dialog.preview.preview_changed.connect(lambda: shown.append(1))
    user.until(lambda: shown)
    assert not dialog.preview.pixmap().isNull()
    dialog.path = tmp_path / "a.pdf"
    dialog.export().write()
    assert points_of_pdf((tmp_path / "a.pdf").read_bytes())[0] == pytest.approx(243.78, abs=0.01)


def test_all_of_it_is_remembered(user, dialog):
    form = dialog.form
    choose(form.preset, "slide")
    choose(form.format, ".svg")
    form.switches["caption"].setChecked(True)
    form.switches["legend"].setChecked(False)
    form.field.set_value("bands")
    again = open_dialog(user, dialog.values())
    assert again.form.settings() == form.settings()
    assert again.form.ending == ".svg"
    again.reject()
    again.deleteLater()


@pytest.mark.parametrize(
    "remembered",
    [
        {"ending": 3, "preset": "huge", "views": ["nothing"], "theme": None, "legend": "no"},
        {"preset": "free", "sides": ["a", None], "unit": "miles", "type_size": float("nan")},
        {"sides": [1], "views": "plane", "field": ["image"]},
    ],
)
def test_what_makes_no_sense_is_not_remembered(user, remembered):
    dialog = open_dialog(user, remembered)
    assert isinstance(dialog.figure(), Figure)
    assert dialog.form.trouble() == ""
    dialog.reject()
    dialog.deleteLater()


def test_three_actions_make_a_figure_for_a_paper(user, answer, tmp_path, monkeypatch):
    path = tmp_path / "figure.pdf"
    proposed: list[str] = []
    opened: list[Path] = []
    monkeypatch.setattr(files_module, "show_in_folder", opened.append)

    def save(files: QFileDialog) -> None:
        proposed.extend(files.selectedFiles())
        user.key("ctrl+a")
        user.type(str(path))
        user.key("Return")

    def accept(_dialog: ExportDialog) -> None:
        answer(save, QFileDialog)
        user.key("Return")

    answer(accept, ExportDialog)
    user.key("ctrl+e")
    user.until(path.exists)
    assert points_of_pdf(path.read_bytes()) == pytest.approx((243.78, 182.83), abs=0.01)
    assert [Path(name).name for name in proposed] == [f"{user.window.files.name}.pdf"]
    # And then where it is.
    notice = user.window.notice
    user.until(lambda: str(path) in notice.text)
    assert [button.text() for button in notice.buttons] == ["Open", "Show in folder"]
    user.click_on(notice.buttons[1])
    user.until(lambda: opened == [path])
    assert notice.text == ""
    assert user.window.memory.get("export")["preset"] == "column"


def test_pixels_have_the_size_that_was_typed(user, answer, tmp_path):
    path = tmp_path / "figure.png"

    def fill(dialog: ExportDialog) -> None:
        choose(dialog.form.format, ".png")
        choose(dialog.form.preset, "window")
        dialog.form.sides[0].setValue(700)
        dialog.form.sides[1].setValue(400)
        answer(
            lambda _: (user.key("ctrl+a"), user.type(str(path)), user.key("Return")), QFileDialog
        )
        user.click_on(dialog.save)

    answer(fill, ExportDialog)
    user.key("ctrl+e")
    user.until(path.exists)
    image = QImage(str(path))
    assert (image.width(), image.height()) == (700, 400)
    assert FigureSettings(width=Length(700, "px"), height=Length(400, "px")).page.width == 700


def print_to(path, proposed):
    """Return what answers the dialog of printers: to a file, whose proposed name is noted."""

    def to_file(dialog: QPrintDialog) -> None:
        # Qt's dialog, which has no way to set the file but its field.
        field = next(f for f in dialog.findChildren(QLineEdit) if f.text().endswith(".pdf"))
        proposed.append(Path(field.text()).name)
        field.setText(str(path))
        dialog.accept()

    return to_file


@pytest.mark.slow
def test_panels_are_printed_as_they_are_in_the_preview(user, answer, tmp_path):
    path, previews = tmp_path / "page.pdf", []

    def use(dialog: PrintDialog) -> None:
        dialog.form._views["objective"].setChecked(True)
        # The picture differs from the paper up to its edges.
        dialog.form.theme.set_value("dark")
        dialog.form.theme.chosen.emit("dark")
        user.until(lambda: not dialog.preview.pixmap().isNull())
        user.until(lambda: to_array(dialog.preview.pixmap().toImage())[2, 2].max() < 128)
        previews.append(to_array(dialog.preview.pixmap().toImage()))
        answer(print_to(path, []), QPrintDialog)
        user.key("Return")

    answer(use, PrintDialog)
    user.key("ctrl+p")
    user.until(lambda: "printed" in user.window.notice.text)
    page = by_pdfium(path.read_bytes(), 1600)
    rows, columns = (np.flatnonzero((page.min(axis=2) < 128).any(axis=k)) for k in (1, 0))
    picture = page[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    (preview,) = previews
    for k in (0, 1):
        assert picture.shape[k] / picture.shape[1 - k] == pytest.approx(
            preview.shape[k] / preview.shape[1 - k], rel=0.02
        )
    # The mean colours of a grid of cells, with the plane and the panel.
    found, wanted = (cell_means(image.astype(float), 12) for image in (picture, preview))
    assert np.abs(found - wanted).max() < 14
    assert np.abs(wanted - wanted.mean(axis=(0, 1))).max() > 24


def cell_means(image, n):
    """The mean colours of n x n cells of an image."""
    strips = np.array_split(image, n)
    return np.array([[c.mean(axis=(0, 1)) for c in np.array_split(s, n, axis=1)] for s in strips])


def test_a_picture_is_printed_on_one_page_which_it_fits(user, answer, tmp_path):
    path, rows, proposed = tmp_path / "page.pdf", [], []

    def use(dialog: PrintDialog) -> None:
        rows.append((dialog.form.format.isVisible(), dialog.form.preset.isVisible()))
        choose(dialog.form.preset, "free")
        dialog.form.unit.setCurrentText("mm")
        for side, length in zip(dialog.form.sides, (400.0, 200.0), strict=True):
            side.setValue(length)
        answer(print_to(path, proposed), QPrintDialog)
        user.key("Return")

    answer(use, PrintDialog)
    user.key("ctrl+p")
    user.until(lambda: "printed" in user.window.notice.text)
    assert rows == [(False, True)]
    assert proposed == [f"{user.window.files.name}.pdf"]
    assert "made smaller to fit the paper" in user.window.notice.text
    content = path.read_bytes()
    assert content.count(b"/Type /Page\n") == 1
    width, height = points_of_pdf(content)
    assert width > height
