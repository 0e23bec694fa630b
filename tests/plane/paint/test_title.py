"""Titles of lanes in narrow boxes."""

from dataclasses import replace

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage, QPainter

from svmviz.plane.paint.style import Style
from svmviz.plane.paint.title import Title, draw_title, titles_of, worded_alike
from svmviz.theme import LIGHT
from tests.plane.frames import fitted, solved
from tests.stages import eight


def test_a_narrow_title_drops_words_and_cuts_none(qapp):
    document = eight()
    frame = solved(document, fitted(document))
    title = titles_of(frame)[0]
    assert frame.lane is not None
    steps = frame.lane.length
    wide, narrow = f"step {steps} of {steps}, converged", f"{steps} of {steps}, converged"
    error, brief = "training error 0\N{NO-BREAK SPACE}%", "train 0\N{NO-BREAK SPACE}%"
    whole = f"{wide}, {error}"
    assert title.longest_fitting(len, 100) == title.words == whole
    assert title.longest_fitting(len, len(whole) - 1) == f"{wide}, {brief}"
    short = f"{narrow}, {brief}"
    assert title.longest_fitting(len, len(short)) == short
    # The errors are said as long as there is room, and "converged" never without them.
    assert title.longest_fitting(len, len("converged")) == brief
    assert all(brief[-3:] in words for words in title.shorter if "converged" in words)
    assert title.longest_fitting(len, len(str(steps))) == str(steps)
    assert title.longest_fitting(len, 0) == ""


def test_lanes_say_alike_what_fits_in_all_of_them(qapp):
    style = Style(LIGHT)
    words = "training error 0 %", ("train 0 %", "step 12", "12")
    titles = [Title(name, *words, rank=1) for name in ("SMO", "Working set", "Interior point")]
    seen = set()
    for width in range(120, 600, 10):
        alike = worded_alike(titles, width, style)
        assert len({title.skipped for title in alike}) == 1
        # As painted alone, the longest name has the shortest words.
        said = alike[2].longest_fitting(len, 1000)
        assert painted(titles[2], width) == painted(replace(titles[2], words=said), width)
        seen.add(said)
    assert seen == {words[0], *words[1]}
    running = Title("SMO", "step 3 of 12", ("step 3", "3"))
    assert worded_alike([running, *titles], 600, style)[0].skipped == 0


def painted(title, width):
    image = QImage(width, 30, QImage.Format.Format_RGB32)
    with QPainter(image) as painter:
        draw_title(painter, title, QRectF(0, 0, width, 30), Style(LIGHT))
    return image


def test_a_lane_that_has_arrived_has_a_flag_however_long_its_name_is(qapp):
    colour = QColor(LIGHT.series[1]).name()

    def coloured(title, width):
        image = painted(title, width)
        # The square of the lane at the left has the same colour.
        return [
            x
            for x in range(30, width)
            for y in range(30)
            if image.pixelColor(x, y).name() == colour
        ]

    for name in ("SMO", "SMO with a very long name that is elided"):
        for width in (200, 400):
            assert coloured(Title(name, "step 3", series=1, rank=2), width)
            assert not coloured(Title(name, "step 3", series=1, leads=True), width)
    assert Title("SMO", "step 3", leads=True).text == "SMO: step 3, leads"
    assert Title("SMO", "step 3", rank=2).text == "SMO: step 3, done 2nd"
    assert painted(Title("SMO", leads=True), 200) != painted(Title("SMO"), 200)


def test_in_a_narrow_title_a_lane_is_named_by_its_difference(qapp):
    whole, brief = Title("SMO (second order)", series=1), Title("Second order", series=1)
    assert painted(whole, 150) == painted(brief, 150)
    assert painted(whole, 400) != painted(brief, 400)
