"""The dialog of pictures: multiples, a free size, colours, and a preview of all that."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QFileDialog

from svmviz.theme import DARK
from svmviz.window.files.export_dialog import ExportDialog
from svmviz.window.files.preview import shrunk

pytestmark = pytest.mark.display


@pytest.fixture
def dialog(hand):
    window = hand.window
    made = ExportDialog(window, Path("here"), window.plane.picture(window.plane.theme, 1.0))
    made.show()
    yield made
    made.reject()
    made.deleteLater()


def test_multiples_and_a_free_size(hand, dialog):
    width, height = hand.window.plane.width(), hand.window.plane.height()
    assert dialog.picture().size == (2 * width, 2 * height)
    dialog.factor.set_value("3")
    dialog.factor.chosen.emit("3")
    assert dialog.picture().size == (3 * width, 3 * height)
    assert dialog.picture().scale == pytest.approx(3.0)
    dialog.sides[0].setValue(4 * width)
    assert dialog.factor.value == "free"
    assert dialog.picture().size == (4 * width, 3 * height)
    assert dialog.picture().scale == pytest.approx(3.0)


def test_the_preview_is_the_picture_in_small(hand, dialog):
    hand.until(lambda: not dialog.preview.pixmap().isNull())
    light = dialog.preview.pixmap().toImage()
    across, up = dialog.picture().size
    assert light.width() / light.height() == pytest.approx(across / up, rel=0.02)
    dialog.theme.set_value("dark")
    dialog.theme.chosen.emit("dark")
    hand.until(lambda: dialog.preview.pixmap().toImage() != light)
    corner = dialog.preview.pixmap().toImage().pixelColor(2, 2).name()
    assert corner == DARK.plane
    small = shrunk(dialog.picture(), 100, 100)
    assert max(small.size) == 100


def test_the_file_has_the_size_that_was_typed(hand, answer, tmp_path):
    path = tmp_path / "figure.png"
    proposed: list[str] = []

    def fill(dialog: ExportDialog) -> None:
        dialog.sides[0].setValue(700)
        dialog.sides[1].setValue(400)
        answer(save, QFileDialog)
        hand.key("Return")

    def save(files: QFileDialog) -> None:
        proposed.extend(files.selectedFiles())
        hand.key("ctrl+a")
        hand.type(str(path))
        hand.key("Return")

    answer(fill, ExportDialog)
    hand.key("ctrl+e")
    hand.until(path.exists)
    image = QImage(str(path))
    assert (image.width(), image.height()) == (700, 400)
    assert [Path(name).name for name in proposed] == [f"{hand.window.files.name}.png"]
