import re
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from solvers import RBF, BadInput
from solvers.cancelling import Cancelled, cancel_when
from solvers.data.datasets import PointSet
from svmviz import theme
from svmviz.base.resources import path as asset
from svmviz.cli.render import figure_of
from svmviz.export import FORMATS
from svmviz.export.figure import PlanePart
from svmviz.export.figure_settings import FigureSettings
from svmviz.export.page import Length
from svmviz.export.shapes import Circle, Outline, ShapeStyle
from svmviz.export.tex import tex_of
from svmviz.export.tex_shapes import Styles, page_coordinate, simplify, write_shapes
from svmviz.export.tex_words import tex
from svmviz.io.open_and_save import open_scene
from svmviz.io.scene import Scene
from tests import stages
from tests.export.renderers import apart, by_latex, has_latex, text_of_pdf, to_array
from tests.export.scenes import CASES, TITLE, make

SCENES = asset("scenes")
NEEDS_TEX = pytest.mark.skipif(
    not has_latex(), reason="needs pdflatex, standalone and pgfplots: texlive-latex-extra on Debian"
)


def compiled(figure, folder, width):
    FORMATS[".tex"].save(folder / "figure.tex", figure)
    return by_latex(folder, "figure.tex", width)


@NEEDS_TEX
@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_lines_coincide_within_a_pixel(qapp, tmp_path, name):
    # Letters of TeX are others, so that nothing is written in the plot.
    figure = make(name, caption=False, title="")
    pixels, others = to_array(figure.image()), compiled(figure, tmp_path, 1280)
    assert others.shape == pixels.shape
    for left, top, right, bottom in plots_of(figure):
        inside = np.s_[top + 2 : bottom - 2, left + 2 : right - 2]
        # What is left are the letters of labels and names, and marks that lie over each other: TeX
        # draws them by their kinds.
        assert apart(pixels[inside], others[inside]) < 0.035


def plots_of(figure):
    ((part, (left, top, width, height)),) = figure.placed_parts()
    picture = part.picture_of(width, height, figure.drawing)
    for tile in picture.tiles():
        camera = picture.canvas(tile).camera
        x, y = left + tile.plane[0] + camera.left, top + tile.plane[1] + camera.top
        yield tuple(map(int, (x, y, x + camera.plot_width, y + camera.plot_height)))


@NEEDS_TEX
@pytest.mark.slow
def test_whatever_is_written_compiles(qapp, tmp_path):
    wild = r'\end{document} 100% & #1_2 {x} $y$ ^ ~ " <>| äÖßñçšő αβξ −1 ≤ f 1.5·10⁻⁷ x₁ “a” 日本 ☃'
    points = PointSet(stages.EIGHT.points, stages.EIGHT.labels, class_names=("a_b", wild),
                      axis_names=("50% & more", wild))  # fmt: skip
    scene = Scene(document=stages.eight(data=points), step=2)
    figure = figure_of(scene, 2, FigureSettings(title=wild, caption=True))
    compiled(figure, tmp_path, 640)
    text = text_of_pdf((tmp_path / "figure.pdf").read_bytes())
    assert "100% & #1" in text
    assert "U+65E5" in text


@NEEDS_TEX
@pytest.mark.slow
@pytest.mark.parametrize("scene", sorted(SCENES.glob("*.svmviz")), ids=lambda path: path.stem)
def test_every_scene_compiles_at_the_size_of_a_page(qapp, tmp_path, scene):
    settings = FigureSettings(
        width=Length(86, "mm"), height=Length(60, "mm"), type_size=8.0, caption=True
    )
    compiled(figure_of(open_scene(scene), None, settings), tmp_path, 640)


@NEEDS_TEX
@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "looks"),
    [
        *((name, {}) for name in CASES),
        ("classification with bands", {"theme": "dark"}),
        ("race", {"transparent": True, "axes": False}),
    ],
)
def test_every_figure_compiles_at_its_step_and_at_the_end(qapp, tmp_path, name, looks):
    scene, settings = CASES[name]
    for step in {scene.step, None}:
        chosen = FigureSettings(caption=True, title=TITLE, **settings, **looks)
        compiled(figure_of(scene, step, chosen), tmp_path, 640)


@pytest.mark.parametrize("name", CASES)
def test_every_colour_and_style_is_defined(qapp, name):
    text, _ = tex_of(make(name), "figure")
    defined = set(re.findall(r"\\definecolor\{(\w+)\}", text))
    used = set(re.findall(r"\b(svm\w+)", text.partition(r"\begin{document}")[2]))
    used |= set(re.findall(r"(?:fill|draw|text)=(svm\w+)", text))
    assert used
    assert used <= defined


def test_a_panel_is_refused(qapp):
    figure = make("classification")
    panel = SimpleNamespace(title="KKT")
    with pytest.raises(BadInput, match="holds planes alone: save KKT as PDF or SVG"):
        tex_of(replace(figure, parts=(*figure.parts, panel)), "figure")


@NEEDS_TEX
@pytest.mark.slow
def test_points_far_from_the_origin_compile(qapp, tmp_path):
    points = PointSet(1e7 + 1e-2 * stages.EIGHT.points, stages.EIGHT.labels)
    scene = Scene(document=stages.eight(data=points, kernel=RBF(1e3)), step=1)
    figure = figure_of(scene, 1, FigureSettings())
    pixels, others = to_array(figure.image()), compiled(figure, tmp_path, 1280)
    ((left, top, right, bottom),) = plots_of(figure)
    inside = np.s_[top + 2 : bottom - 2, left + 2 : right - 2]
    assert apart(pixels[inside], others[inside]) < 0.03


def test_the_file_can_be_edited(qapp):
    text, images = tex_of(make("classification"), "my figure")
    # Points are tables, each class with one style; contours are paths.
    assert re.search(r"\\addplot\[point positive\] table \{\n  x y\n  -?[\d.]+ -?[\d.]+\n", text)
    assert text.count(r"\addplot[point positive]") == 1
    assert text.count(r"\addplot[point negative]") == 1
    assert r"\path[contour boundary] (" in text
    for role in ("point positive", "point negative", "contour boundary", "contour margin", "band"):
        assert text.count(f"  {role}/.style={{") == 1
        assert text.index(f"{role}/.style") < text.index(r"\begin{document}")
    assert list(images) == ["my-figure-field.png"]
    assert r"{my-figure-field.png};" in text
    assert images["my-figure-field.png"].startswith(b"\x89PNG")


def test_letters_that_latex_lacks_are_named(qapp, tmp_path):
    figure = replace(make("classification"), title="日本 α Ж", caption="日")
    assert FORMATS[".tex"].save(tmp_path / "a.tex", figure) == (
        "A plain LaTeX cannot set some letters, so the file has 日 as U+65E5, 本 as U+672C, "
        "Ж as U+0416."
    )
    assert FORMATS[".tex"].save(tmp_path / "a.tex", make("classification")) == ""


def test_tables_hold_the_points(qapp):
    figure = make("classification")
    (plane,) = figure.parts
    assert isinstance(plane, PlanePart)
    data = plane.picture.frame.document.data
    text, _ = tex_of(figure, "a")
    for label, name in ((1, "positive"), (-1, "negative")):
        # Points without a support vector's alpha are pale.
        table = rf"\\addplot\[point {name}(?: pale)?\] table {{\n  x y\n(.*?)}};"
        found = re.findall(table, text, re.DOTALL)
        assert len(found) == 2
        rows = np.array([line.split() for line in "".join(found).splitlines()], float)
        points = data.points[data.labels == label]
        assert len(rows) == len(points)
        apart = np.abs(rows[:, None] - points[None]).max(axis=2).min(axis=0)
        # To a hundredth of a px, which is what shapes are written to.
        assert apart.max() < 1e-4 * np.ptp(data.points)


def test_bands_need_no_image(qapp):
    text, images = tex_of(make("classification with bands"), "a")
    assert images == {}
    assert "addplot graphics" not in text
    assert text.count(r"\path[field") >= 8


def test_images_are_written_beside_the_file_and_before_it(qapp, tmp_path):
    figure = make("race")
    FORMATS[".tex"].save(tmp_path / "a b.tex", figure)
    names = {"a b.tex", "a-b-field-1.png", "a-b-field-2.png"}
    assert {file.name for file in tmp_path.iterdir()} == names


def test_images_of_other_files_are_not_replaced(qapp, tmp_path):
    (tmp_path / "a-field.png").write_text("foreign")
    # Another program's file does not own what it includes.
    (tmp_path / "a.tex").write_text(r"\includegraphics{a-field.png}")
    figure = make("classification")
    for _ in range(2):
        FORMATS[".tex"].save(tmp_path / "a.tex", figure)
        assert "{a-field-2.png}" in (tmp_path / "a.tex").read_text()
        names = {file.name for file in tmp_path.iterdir()}
        assert names == {"a.tex", "a-field.png", "a-field-2.png"}
    assert (tmp_path / "a-field.png").read_text() == "foreign"


def test_the_own_image_is_replaced(qapp, tmp_path):
    FORMATS[".tex"].save(tmp_path / "a.tex", make("classification"))
    before = (tmp_path / "a-field.png").read_bytes()
    FORMATS[".tex"].save(tmp_path / "a.tex", make("hulls"))
    assert {file.name for file in tmp_path.iterdir()} == {"a.tex", "a-field.png"}
    assert (tmp_path / "a-field.png").read_bytes() != before


@pytest.mark.parametrize("answers", [[False, True], [True]])
def test_of_a_cancelled_file_nothing_is_left(qapp, tmp_path, answers):
    asked = iter([*answers, *[True] * 9])
    with cancel_when(lambda: next(asked)), pytest.raises(Cancelled):
        FORMATS[".tex"].save(tmp_path / "a.tex", make("classification"))
    assert list(tmp_path.iterdir()) == []


def test_an_image_that_was_there_stays_if_the_file_cannot_be_written(qapp, tmp_path):
    (tmp_path / "a.tex").mkdir()
    (tmp_path / "a-field.png").write_text("older")
    (tmp_path / "b.tex").mkdir()
    for name in ("a.tex", "b.tex"):
        with pytest.raises(BadInput):
            FORMATS[".tex"].save(tmp_path / name, make("classification"))
    left = {file.name for file in tmp_path.iterdir()}
    assert left == {"a.tex", "a-field.png", "b.tex"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("bill depth (mm)", "bill depth (mm)"),
        ("50% & #1_a", r"50\% \& \#1\_a"),
        ("α ≥ C", r"$\alpha{}$ $\geq$ C"),
        ("−1", "$-$1"),
        ("10⁻⁷", "10$^{-7}$"),
        ("α≤C", r"$\alpha{}\leq$C"),
        ("US$²", r"US\$$^{2}$"),
        ("ä", r"\"{a}"),
        ("\\", r"\textbackslash{}"),
        ("日", r"\texttt{U+65E5}"),
    ],
)
def test_words(text, expected):
    assert tex(text) == expected


def test_simplified_lines_stay_near():
    angle = np.linspace(0.0, 2.0 * np.pi, 2001)
    circle = 300.0 * np.column_stack([np.cos(angle), np.sin(angle)])
    fewer = simplify(circle, 0.1)
    assert 20 < len(fewer) < 200
    assert (fewer[0] == circle[0]).all()
    assert (fewer[-1] == circle[-1]).all()
    # Between its corners a chord is nearest to the centre.
    middles = 0.5 * (fewer[1:] + fewer[:-1])
    assert np.hypot(*middles.T).min() > 300.0 - 0.11
    assert len(simplify(np.array([(0, 0), (1, 0), (2, 0), (3, 0.0)]), 0.1)) == 2


def test_marks_above_a_line_stay_above_it():
    styles, look = Styles(theme.LIGHT, 0.75), ShapeStyle(fill="#0000ff")
    dots = [Circle(look, None, float(x), 0.0, 4.0) for x in range(4)]
    path = ("M", ((0.0, 0.0),)), ("L", ((9.0, 9.0),))
    cross = Outline(ShapeStyle(stroke="#ff0000", width=1.0), None, path)
    lines = write_shapes([*dots, cross, dots[1]], "point", styles, page_coordinate, tables=True)
    at = next(k for k, line in enumerate(lines) if "-- (9,9)" in line)
    # The dots below are a table.
    assert any("addplot" in line for line in lines[:at])
    assert "(1,0) circle" in lines[-1]
