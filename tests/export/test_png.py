import os
import subprocess
import sys
import threading
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage

from solvers import RBF, SMO, BadInput, Pegasos
from solvers.cancelling import Cancelled, cancel_when
from solvers.data.datasets import DATASETS
from solvers.problem.certificate import ZERO
from svmviz.camera.camera import Camera
from svmviz.colours.contrast import mix
from svmviz.document.document import Document
from svmviz.document.view_options import ViewOptions
from svmviz.export import FORMATS
from svmviz.export.figure import Figure
from svmviz.export.png import save_png
from svmviz.frames.frame import Frame
from svmviz.plane.paint.roles import ROLES
from svmviz.plane.picture import NODES, Picture, refine
from svmviz.theme import DARK, LIGHT
from tests.plane.frames import fitted, lane_of, solved
from tests.plane.test_draw import to_array

DOCUMENT = Document(data=DATASETS["moons"].generate(60, 0.2, 1), kernel=RBF(1.0))


@pytest.fixture(scope="module")
def frame(qapp):
    return solved(DOCUMENT, fitted(DOCUMENT))


@pytest.mark.parametrize("size", [(640, 480), (481, 333), (1, 1), (30, 20)])
def test_size_is_exact(frame, size):
    image = Picture(frame, size).image()
    assert (image.width(), image.height()) == size


def test_four_times_as_large_is_the_same_picture(frame):
    small = Picture(frame, (500, 400)).image()
    large = Picture(frame, (2000, 1600), scale=4.0).image()
    again = large.scaled(
        500, 400, Qt.AspectRatioMode.IgnoreAspectRatio, Qt.TransformationMode.SmoothTransformation
    )
    apart = np.abs(to_array(small) - to_array(again)).max(axis=2)
    assert (apart > 70).mean() < 0.02
    assert apart.mean() < 6


def test_theme_is_that_of_the_picture(frame):
    assert Picture(frame, (200, 160), DARK).image().pixelColor(1, 1).name() == DARK.plane
    assert Picture(frame, (200, 160), LIGHT).image().pixelColor(1, 1).name() == LIGHT.plane


def fills_of(label: int) -> list[str]:
    """The colours in the middle of the points of a class, whatever their role."""
    fill = LIGHT.positive if label > 0 else LIGHT.negative
    pale = (mix(LIGHT.plane, fill, ROLES[ZERO].filling(size / 64.0)) for size in range(8, 65))
    return [fill, LIGHT.plane, *pale]


def test_points_are_where_the_camera_says(frame):
    camera = Camera(width=700, height=500).fitted(DOCUMENT.data.points[:8])
    picture = Picture(frame, (700, 500), camera=camera)
    places = picture._camera(700, 500).to_pixels(DOCUMENT.data.points)
    image = picture.image()
    seen = 0
    for (x, y), label in zip(places.tolist(), DOCUMENT.data.labels, strict=True):
        if picture._camera(700, 500).contains(x, y):
            seen += image.pixelColor(round(x), round(y)).name() in fills_of(label)
    assert seen >= 8


@pytest.mark.parametrize("lanes", [2, 3, 4])
def test_a_race_is_all_its_planes_with_their_titles(qapp, lanes):
    methods = (SMO(), SMO(pair="maximal-violation"), SMO(pair="platt"), Pegasos(max_steps=50))
    document = replace(DOCUMENT, methods=methods[:lanes])
    alone = [solved(replace(DOCUMENT, methods=(one,)), fitted(DOCUMENT)) for one in methods[:lanes]]
    frame = Frame(document, tuple(map(lane_of, alone)))
    size = (901, 603)
    # Only the outlines of support vectors tell the lanes; the legend is above all planes.
    options = ViewOptions(rings=False, legend=False)
    small = Picture(frame, size, options=options).image()
    large = Picture(frame, (4 * size[0], 4 * size[1]), scale=4.0, options=options).image()
    for tile in Picture(frame, size, options=options).tiles():
        plane = Picture(alone[tile.lane], tile.plane[2:], options=options).image()
        assert np.array_equal(to_array(small.copy(*tile.plane)), to_array(plane))
        title = to_array(small.copy(*tile.title))
        assert (np.abs(title - title[0, 0]).max(axis=2) > 60).sum() > 100
    shrunk = to_array(
        large.scaled(
            *size, Qt.AspectRatioMode.IgnoreAspectRatio, Qt.TransformationMode.SmoothTransformation
        )
    )
    assert np.abs(to_array(small) - shrunk).mean() < 6


def test_the_field_is_computed_for_the_picture(frame):
    camera = Picture(frame, (900, 300))._camera(900, 300)
    field = lane_of(refine(frame, camera)).field
    assert field.values.shape[1] == NODES
    grid = field.grid
    assert (grid.left, grid.right, grid.bottom, grid.top) == camera.view


def test_frames_without_a_run_can_be_painted(qapp):
    image = Picture(Frame(DOCUMENT, (), "nothing is solved"), (300, 200)).image()
    assert image.width() == 300
    assert Picture(Frame(Document()), (300, 200)).image().height() == 200


def test_png_is_written_and_read_back(frame, tmp_path):
    path = tmp_path / "picture.png"
    FORMATS[".png"].save(path, Figure.of(Picture(frame, (320, 240))))
    read = QImage(str(path))
    assert (read.width(), read.height()) == (320, 240)
    assert [file.name for file in tmp_path.iterdir()] == ["picture.png"]


def test_same_picture_same_pixels(frame):
    assert Picture(frame, (320, 240)).image() == Picture(frame, (320, 240)).image()


def test_a_file_that_cannot_be_written_raises_bad_input(frame, tmp_path):
    with pytest.raises(BadInput, match="No such folder"):
        save_png(tmp_path / "nowhere" / "picture.png", Figure.of(Picture(frame, (32, 24))))
    assert list(tmp_path.iterdir()) == []


def test_an_older_file_survives_a_failure(frame, tmp_path, monkeypatch):
    path = tmp_path / "picture.png"
    path.write_bytes(b"older")
    monkeypatch.setattr(Figure, "image", lambda self: QImage())
    with pytest.raises(BadInput, match="not enough memory"):
        save_png(path, Figure.of(Picture(frame, (32, 24))))
    assert path.read_bytes() == b"older"
    assert [file.name for file in tmp_path.iterdir()] == ["picture.png"]


@pytest.mark.parametrize("answers", [[True, True], [False, True]])
def test_a_cancelled_picture_leaves_the_older_file(frame, tmp_path, answers):
    path = tmp_path / "picture.png"
    path.write_bytes(b"older")
    asked = iter(answers)
    with cancel_when(lambda: next(asked)), pytest.raises(Cancelled):
        save_png(path, Figure.of(Picture(frame, (32, 24))))
    assert path.read_bytes() == b"older"
    assert [file.name for file in tmp_path.iterdir()] == ["picture.png"]


def test_pictures_can_be_painted_in_another_thread(frame):
    painted = []
    picture = Picture(frame, (320, 240))
    thread = threading.Thread(target=lambda: painted.append(picture.image()))
    thread.start()
    thread.join()
    assert painted[0] == picture.image()


def test_a_picture_without_pixels_is_refused(frame):
    with pytest.raises(ValueError, match="1x1"):
        replace(Picture(frame, (10, 10)), size=(0, 10))


def test_formats_are_known_by_their_endings():
    for ending, kind in FORMATS.items():
        assert ending == kind.ending == kind.ending.lower()
        assert ending.startswith(".")


def test_works_without_a_display(tmp_path):
    script = (
        "import sys; from PySide6.QtGui import QGuiApplication, QImage\n"
        "app = QGuiApplication([])\n"
        "from svmviz.document.document import Document; from svmviz.frames.frame import Frame\n"
        "from svmviz.export import FORMATS; from svmviz.plane.picture import Picture\n"
        "from svmviz.export.figure import Figure\n"
        "FORMATS['.png'].save(sys.argv[1], Figure.of(Picture(Frame(Document()), (200, 150))))\n"
        "assert not QImage(sys.argv[1]).isNull()\n"
    )
    path = tmp_path / "out.png"
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    environment.pop("DISPLAY", None)
    subprocess.run([sys.executable, "-c", script, str(path)], check=True, env=environment)
    assert path.exists()
