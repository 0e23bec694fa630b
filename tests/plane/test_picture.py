"""A picture that is taken is of a step, also while the picture on screen glides to it."""

from dataclasses import replace

from PySide6.QtGui import QImage, QPainter

from solvers import solve
from svmviz.frames.frame import Frame
from svmviz.frames.lane_reader import LaneReader
from svmviz.frames.viewport import Grid
from svmviz.plane.draw import draw_plane
from svmviz.plane.paint.canvas import Canvas
from svmviz.plane.paint.style import Style
from svmviz.plane.picture import Picture
from svmviz.theme import LIGHT
from tests.plane.frames import fitted
from tests.stages import moons

SIZE = (400, 300)


def on_screen(frame, camera):
    image = QImage(*SIZE, QImage.Format.Format_RGB32)
    with QPainter(image) as painter:
        draw_plane(painter, Canvas(frame, camera, Style(LIGHT)))
    return image


def test_a_picture_shows_the_step_to_which_the_screen_glides(qapp):
    document = moons(40)
    run, camera = solve(document.problem(), document.method), fitted(document, *SIZE)
    grid, factors = Grid(*camera.view, 64, 48), document.factors
    reader = LaneReader(run)
    still, gliding = (
        Frame(document, (reader.read(3, grid, factors, share),)) for share in (1.0, 0.3)
    )
    assert on_screen(gliding, camera) != on_screen(still, camera)
    taken = Picture(gliding, SIZE, camera=camera)
    assert taken.image() == Picture(still, SIZE, camera=camera).image()
    for tile in taken.tiles():
        assert not taken.canvas(tile).frame.glides
    assert (
        Picture(replace(gliding, focus=0), SIZE, bands=True).image()
        == Picture(still, SIZE, bands=True).image()
    )
