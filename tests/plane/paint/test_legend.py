"""No mark is drawn whose entry was left out of the legend."""

from __future__ import annotations

from dataclasses import replace

import pytest

from solvers import SMO, Linear, Pegasos
from solvers.data.datasets import PointSet
from svmviz.document.splitting import Shares, split
from svmviz.document.user_line import UserLine
from svmviz.document.view_options import ViewOptions
from svmviz.frames.frame import Frame
from svmviz.plane.paint import legend as legend_module
from svmviz.plane.paint.canvas import Canvas
from svmviz.plane.paint.legend import lay_out, with_legend
from svmviz.plane.paint.legend_marks import BAND, CLASS, SLACK, SUPPORT, MarkEntry, entries
from svmviz.plane.paint.style import Style
from svmviz.plane.picture import Picture
from tests.plane.frames import fitted, solved
from tests.stages import moons, sine

LONG = ("a class with a long name", "another class with a long name")


def placed_and_all(document, size, scale):
    """The entries of a picture that are placed, and all that its marks need."""
    frame = solved(document, fitted(document))
    picture = Picture(frame, size, scale=scale)
    canvas = picture.canvas(picture.tiles()[0]).with_sizes()
    return lay_out(canvas), entries(canvas), canvas.camera


@pytest.mark.parametrize("scale", [1.0, 1.5, 2.0])
@pytest.mark.parametrize("width", [500, 640, 1016])
@pytest.mark.parametrize(
    "document",
    [
        moons(60),
        moons(60, kernel=Linear(), methods=(Pegasos(max_steps=50),)),
        sine(30),
        replace(moons(40), data=PointSet(moons(40).data.points, moons(40).data.labels, LONG)),
    ],
    ids=["moons", "pegasos", "sine", "long names"],
)
def test_every_mark_has_its_entry(qapp, document, width, scale):
    legend, needed, camera = placed_and_all(document, (width, 700), scale)
    assert [(one.entry.mark, one.entry.kind) for one in legend] == [
        (one.mark, one.kind) for one in needed
    ]
    assert all(0.0 <= one.left < camera.width for one in legend)
    assert all(one.middle < camera.top for one in legend)


def test_rows_do_not_depend_on_the_step(qapp):
    document = moons(60)
    last = placed_and_all(document, (560, 400), 1.0)[2]
    frame = replace(solved(document, fitted(document)), lanes=())
    picture = Picture(frame, (560, 400))
    assert picture.canvas(picture.tiles()[0]).camera.margins == last.margins


def test_a_wide_picture_has_one_row_and_counts(qapp):
    legend, _needed, _ = placed_and_all(moons(60), (1280, 960), 1.0)
    assert len({one.middle for one in legend}) == 1
    assert all(one.entry.count is not None for one in legend if one.entry.mark == SUPPORT)


@pytest.mark.parametrize("width", [500, 1280])
def test_the_marks_are_read_from_left_to_right_in_one_order(qapp, width):
    legend, needed, _ = placed_and_all(moons(60), (width, 700), 1.0)
    read = sorted(legend, key=lambda one: (one.middle, one.left))
    assert [one.entry.text for one in read] == [one.text for one in needed]


def test_the_start_has_no_margin_and_no_slack(qapp):
    document = moons(60)
    legend, *_ = placed_and_all(document, (1280, 700), 1.0)
    frame = solved(document, fitted(document), 0)
    picture = Picture(frame, (1280, 700))
    at_start = entries(picture.canvas(picture.tiles()[0]))
    assert {one.entry.mark for one in legend} >= {BAND, SLACK}
    assert not {one.mark for one in at_start} & {BAND, SLACK}


def test_the_line_of_the_user_has_its_entry(qapp):
    document = replace(moons(60), user_line=UserLine((1.0, 0.4), 0.3))
    legend, *_ = placed_and_all(document, (1280, 700), 1.0)
    assert "your line" in [one.entry.text for one in legend]


def test_without_a_legend_there_is_no_row(qapp):
    frame = solved(moons(60), fitted(moons(60)))
    picture = Picture(frame, (300, 200), options=ViewOptions(legend=False))
    assert picture.canvas(picture.tiles()[0]).camera.top == 22.0


@pytest.mark.parametrize(("height", "rows"), [(180, 1), (400, 2)])
def test_a_low_picture_saves_a_row_of_the_legend_before_its_plot_shrinks(qapp, height, rows):
    legend, needed, _ = placed_and_all(moons(60), (630, height), 1.0)
    assert len(legend) == len(needed)
    assert len({one.middle for one in legend}) == rows


@pytest.mark.parametrize(("lanes", "scale"), [(2, 3.05), (4, 3.05), (3, 1.0)])
def test_a_race_has_one_legend_above_its_planes(qapp, lanes, scale):
    """At 86 x 60 mm and 8 pt, too, each mark is explained once, and every plane shows points."""
    document = moons(40, methods=(SMO(),) * lanes)
    frame = solved(document, fitted(document))
    # A lane at its start has no support vectors and no margins.
    start = solved(document, fitted(document), step=0)
    lanes_of = (*start.lanes, *frame.lanes * (lanes - 1))
    picture = Picture(replace(frame, lanes=lanes_of), (1016, 709), scale=scale)
    strip = picture.strip()
    bottom = strip.camera.height
    placed = lay_out(strip)
    needed = entries(picture.canvas(picture.tiles()[-1]).with_sizes())
    assert [one.entry.text for one in placed] == [entry.text for entry in needed]
    assert all(0.0 < one.middle < bottom for one in placed)
    for tile in picture.tiles():
        canvas = picture.canvas(tile).with_sizes()
        assert not lay_out(canvas)
        assert tile.title[1] >= bottom
        assert min(canvas.camera.plot_width, canvas.camera.plot_height) > 25.0 * scale


def test_a_race_without_a_legend_has_no_strip(qapp):
    document = moons(40, methods=(SMO(), SMO(pair="platt")))
    frame = solved(document, fitted(document))
    picture = Picture(frame, (800, 400), options=ViewOptions(legend=False))
    assert picture.strip() is None
    assert picture.tiles()[0].title[1] == 0


def test_a_mark_that_no_point_has_is_not_explained_but_a_class_is(qapp):
    document = moons(60)
    at_start = solved(document, fitted(document), 0)
    picture = Picture(at_start, (1280, 700))
    shown = entries(picture.canvas(picture.tiles()[0]))
    assert [(one.mark, one.count) for one in shown] == [(CLASS, 30), (CLASS, 30)]
    data = document.data
    empty = replace(document, data=PointSet(data.points, 0 * data.labels + 1, data.class_names))
    picture = Picture(Frame(empty), (1280, 700))
    shown = entries(picture.canvas(picture.tiles()[0]))
    assert [(one.mark, one.count) for one in shown] == [(CLASS, 0), (CLASS, 60)]


@pytest.mark.parametrize("width", [300, 460, 820])
def test_before_an_audience_the_legend_has_two_rows_at_most(qapp, width):
    document = split(replace(moons(60), user_line=UserLine((1.0, 0.4), 0.3)), Shares(0.25, 0.25))
    style = Style(scale=1.5, in_hall=True, options=ViewOptions(alpha_area=True))
    camera = with_legend(document, fitted(document), width, 640.0, style)
    frame = solved(document, camera)
    placed = lay_out(Canvas(frame, camera, style).with_sizes())
    assert len({one.middle for one in placed}) <= 2
    assert [one.entry.mark for one in placed][:2] == [CLASS, CLASS]


def test_the_name_of_a_class_is_no_letter_of_a_formula(qapp):
    data = replace(moons(40).data, class_names=("b", "c"))
    document = replace(moons(40), data=data)
    picture = Picture(solved(document, fitted(document)), (700, 400))
    canvas = picture.canvas(picture.tiles()[0]).with_sizes()
    style = replace(canvas.style, on_screen=True)
    shown = [legend_module._letters(entry, style) for entry in entries(canvas)]
    assert shown[:2] == ["b", "c"]
    cap = MarkEntry(SUPPORT, "α at cap C")
    assert legend_module._letters(cap, style) != cap.text
