"""Panels in figures: vectors like all else, in the colours and the size of the figure."""

import math
import re
from dataclasses import replace

import pytest
from PySide6.QtGui import QColor

from solvers import SMO, BadInput, Hulls, Linear, Pegasos
from svmviz.cli.render import figure_of
from svmviz.document.user_line import UserLine
from svmviz.export.figure import PlanePart
from svmviz.export.figure_settings import FigureSettings
from svmviz.export.page import Length
from svmviz.export.pdf import pdf_of
from svmviz.export.shapes import Pixels, Words, shapes_of
from svmviz.export.svg import svg_of
from svmviz.io.scene import Scene
from svmviz.panels.figure_panels import check_views, figure_with_panels
from svmviz.theme import DARK, LIGHT, active, apply
from tests import stages
from tests.export.renderers import apart, by_pdfium, by_resvg, text_of_pdf, to_array

MOONS = Scene(document=stages.moons(40), step=6)
RACE = Scene(document=stages.eight(methods=(SMO(), Pegasos(max_steps=50))), step=4)


@pytest.fixture(autouse=True)
def look(qapp):
    apply(qapp, LIGHT, 1.0)


def test_three_panels_are_alike_in_all_formats(qapp):
    settings = FigureSettings(views=("objective", "kkt", "alpha"))
    with figure_with_panels(settings, MOONS, 6) as figure:
        pixels = to_array(figure.image())
        others = by_resvg(svg_of(figure), 1280), by_pdfium(pdf_of(figure), 1280)
        words = [shape.text for shape in shapes_of(figure) if isinstance(shape, Words)]
        text = text_of_pdf(pdf_of(figure))
    for other in others:
        assert other.shape == pixels.shape
        assert apart(pixels, other) < 0.01
    for title in ("Objective", "KKT", "α values", "primal P"):
        assert title in words
        assert title in text


def test_panels_are_vectors(qapp):
    with figure_with_panels(
        FigureSettings(views=("kkt", "pair", "objective", "alpha")), MOONS, 6
    ) as figure:
        assert not [shape for shape in shapes_of(figure) if isinstance(shape, Pixels)]


def test_planes_and_panels_are_one_figure(qapp):
    settings = FigureSettings(views=("plane", "alpha"), caption=True)
    planes = figure_of(MOONS, 6, settings).parts
    with figure_with_panels(settings, MOONS, 6, planes) as figure:
        (_, plane), (panel, box) = figure.placed_parts()
        assert panel.title == "α values"
        assert plane[2] > box[2]
        assert figure.caption.startswith("Step 6.")
        words = [shape.text for shape in shapes_of(figure) if isinstance(shape, Words)]
        assert "x₁" in words
        assert any("points have a weight α > 0" in word for word in words)


def test_colours_and_size_of_the_figure_and_then_the_old_ones(qapp):
    settings = FigureSettings(
        views=("objective",), theme="dark", width=Length(86, "mm"), height=Length(60, "mm")
    )
    before = active()
    with figure_with_panels(settings, MOONS, None) as figure:
        image = figure.image()
        sizes = {shape.size for shape in shapes_of(figure) if isinstance(shape, Words)}
    assert (image.width(), image.height()) == (1016, 709)
    assert image.pixelColor(5, 700) == QColor(DARK.plane)
    # Letters of 8 pt at 300 px per inch.
    assert min(sizes) == pytest.approx(33, abs=1)
    assert active() == before


def test_the_chart_of_a_race(qapp):
    with figure_with_panels(FigureSettings(views=("race",)), RACE, 4) as figure:
        words = [shape.text for shape in shapes_of(figure) if isinstance(shape, Words)]
    assert {"SMO", "Pegasos", "P − its minimum"} <= set(words)
    # A button says nothing on paper.
    assert "Add a method or model" not in words


@pytest.mark.parametrize(
    ("view", "document", "words"),
    [
        ("race", stages.moons(20), "needs two or more methods"),
        ("weight-space", stages.moons(20), "needs two classes and the linear kernel"),
        ("pair", stages.eight(kernel=Linear(), methods=(Pegasos(),)), "a method that moves pairs"),
        ("weight-space", stages.sine(20), "needs two classes"),
    ],
)
def test_panels_with_nothing_to_show(view, document, words):
    with pytest.raises(BadInput, match=words):
        check_views(FigureSettings(views=(view,)), Scene(document=document))


def test_charts_have_the_ground_of_the_page(qapp):
    settings = FigureSettings(views=("objective", "alpha"), theme="dark")
    with figure_with_panels(settings, MOONS, 6) as figure:
        image = figure.image()
        boxes = [box for _, box in figure.placed_parts()]
    ground = QColor(DARK.plane)
    for left, top, width, height in boxes:
        spots = [
            image.pixelColor(x, y) == ground
            for x in range(left, left + width, 7)
            for y in range(top, top + height, 7)
        ]
        assert sum(spots) > 0.8 * len(spots)


def test_charts_are_as_transparent_as_the_page(qapp):
    with figure_with_panels(
        FigureSettings(views=("objective",), transparent=True), MOONS, 6
    ) as figure:
        image = figure.image()
    spots = [
        image.pixelColor(x, y).alpha()
        for x in range(0, image.width(), 7)
        for y in range(0, image.height(), 7)
    ]
    assert spots.count(0) > 0.8 * len(spots)


def sizes_of_words(figure):
    """In px of the page."""
    words = [shape for shape in shapes_of(figure) if isinstance(shape, Words)]
    return {round(one.size * math.hypot(*one.matrix[:2]), 1) for one in words}


def column(*views, height=64.5):
    return FigureSettings(
        views=views, width=Length(86, "mm"), height=Length(height, "mm"), type_size=8.0
    )


@pytest.mark.parametrize("view", ["kkt", "model", "objective", "alpha", "kernel-matrix"])
def test_panels_with_much_text_have_the_size_of_type_of_the_page(qapp, view):
    with figure_with_panels(column(view, height=90), MOONS, 6) as figure:
        assert figure.note == ""
        # 8 pt at 300 px per inch, and nothing is smaller.
        assert min(sizes_of_words(figure)) == pytest.approx(33, abs=1)
        words = " ".join(shape.text for shape in shapes_of(figure) if isinstance(shape, Words))
    assert "…" not in words


def test_too_little_room_is_said_with_a_size_that_has_it(qapp):
    settings = column("plane", "kkt", "pair")
    planes = figure_of(MOONS, 6, settings).parts
    with figure_with_panels(settings, MOONS, 6, planes) as figure:
        found = re.fullmatch(
            r"There is too little room: the text of the panels has ([\d.]+) pt instead of 8 pt; "
            r"in a figure of (\d+) mm × (\d+) mm all would fit\.",
            figure.note,
        )
        assert found is not None
        smallest = min(sizes_of_words(figure)) * 72 / 300
        assert smallest == pytest.approx(float(found[1]), abs=0.4)
    larger = replace(
        settings, width=Length(float(found[2]), "mm"), height=Length(float(found[3]), "mm")
    )
    with figure_with_panels(larger, MOONS, 6, planes) as figure:
        assert figure.note == ""
        assert min(sizes_of_words(figure)) == pytest.approx(33, abs=1)


def test_a_table_ends_with_a_whole_row_and_says_which(qapp):
    settings = FigureSettings(views=("table",), width=Length(178, "mm"), height=Length(60, "mm"))
    with figure_with_panels(settings, MOONS, 6) as figure:
        (part,) = figure.parts
        found = re.fullmatch(r"Points 1 to (\d+) of 40", part.title)
        assert found is not None
        words = [shape.text for shape in shapes_of(figure) if isinstance(shape, Words)]
    rows = [int(word) for word in words if word.isdecimal()]
    assert max(rows) >= int(found[1]) > 5


def test_controls_are_left_out(qapp):
    hulls = Scene(document=stages.eight(methods=(Hulls(),)), step=3)
    with figure_with_panels(FigureSettings(views=("hulls",)), hulls, 3) as figure:
        words = [shape.text for shape in shapes_of(figure) if isinstance(shape, Words)]
    assert not [word for word in words if "Cap" in word]
    assert [word for word in words if "hulls" in word]


def test_the_chart_of_a_race_and_its_planes_follow_the_clock(qapp):
    texts, steps = [], []
    for clock in ("steps", "evaluations"):
        settings = FigureSettings(views=("plane", "race"), clock=clock)
        plane = figure_of(RACE, 4, settings)
        (part,) = plane.parts
        assert isinstance(part, PlanePart)
        steps.append([lane.step for lane in part.picture.frame.lanes])
        with figure_with_panels(settings, RACE, 4, plane.parts) as figure:
            texts.append({s.text for s in shapes_of(figure) if isinstance(s, Words)})
    assert "step" in texts[0]
    assert "kernel values" in texts[1]
    assert steps[0] == [4, 4]
    # The same number of kernel evaluations, and another one of steps.
    assert steps[1][0] == 4 != steps[1][1]


def test_panels_show_the_lane_that_is_asked_for(qapp):
    sentences = []
    for lane in (0, 1):
        settings = FigureSettings(views=("step",), lane=lane, caption=True)
        with figure_with_panels(settings, RACE, 4) as figure:
            sentences.append(figure.caption)
    assert sentences[0].startswith("SMO: Step 4")
    assert sentences[1].startswith("Pegasos: Step 4")


def test_a_map_and_a_learning_curve_are_computed_for_the_figure(qapp):
    few = Scene(stages.moons(24))
    with figure_with_panels(FigureSettings(views=("map", "risk")), few, None) as figure:
        words = " ".join(shape.text for shape in shapes_of(figure) if isinstance(shape, Words))
    for text in (
        "lowest risk",
        "this model",
        "With 19 training points (20\xa0% left out, class shares kept): validation",
    ):
        assert text in words
    # Buttons and progress say nothing on paper.
    assert "results" not in words
    none = Scene(stages.moons(3))
    with figure_with_panels(FigureSettings(views=("map", "risk")), none, None) as figure:
        words = " ".join(shape.text for shape in shapes_of(figure) if isinstance(shape, Words))
    assert "There are 5 folds, but only 3 points" in words


@pytest.mark.parametrize("size", [(1280, 960), (600, 400)])
def test_no_line_of_a_derivation_covers_another(qapp, size):
    width, height = (Length(side, "px") for side in size)
    settings = FigureSettings(
        views=("plane", "derivation"), width=width, height=height, derivation="pair"
    )
    planes = figure_of(MOONS, 6, settings).parts
    with figure_with_panels(settings, MOONS, 6, planes) as figure:
        panel = figure.parts[1].panel
        views = [view for view in panel.lines if view.isVisible()]
        assert len(views) == len(panel.lines)
        for view in views:
            assert view.sentence.height() >= view.sentence.heightForWidth(view.sentence.width())
            for formula in (view.letters, view.numbers):
                assert formula.is_ready
                assert formula.height() >= formula.sizeHint().height()
        assert views[-1].geometry().bottom() <= panel.height()


@pytest.mark.parametrize(
    ("view", "choices", "words"),
    [
        ("slice", {"slice.line": "step"}, "before"),
        ("loss", {"loss.classification": "zero-one"}, "C Σ loss = 80"),
        ("loss", {"loss.source": "run"}, "step"),
        ("folds", {"folds.procedure": "5x2", "folds.rival": "rbf"}, "Paired test: t = "),
        # What a panel does not offer is left out.
        ("folds", {"folds.procedure": "unknown"}, "5 folds, class shares kept"),
    ],
)
def test_what_is_chosen_in_a_panel_is_in_its_figure(qapp, view, choices, words):
    document = stages.moons(40, kernel=Linear(), user_line=UserLine((0.0, 1.0), -0.4))
    settings = FigureSettings(views=(view,), choices=tuple(choices.items()))
    with figure_with_panels(settings, Scene(document=document), 2) as figure:
        shown = " ".join(shape.text for shape in shapes_of(figure) if isinstance(shape, Words))
    assert words in shown
