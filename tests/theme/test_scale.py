"""The scale of type: four sizes and two weights, which only the theme names."""

import ast
import itertools
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import svmviz
from svmviz import theme
from svmviz.base.resources import path
from svmviz.theme.fonts import WEIGHTS

PACKAGE = Path(svmviz.__file__).parent
SIZES = (theme.LABEL, theme.TEXT, theme.TITLE, theme.SENTENCE)
# Modules that copy the fonts of pictures, and a font of the system that has to be given a size.
COPIES = {"export/shapes.py", "export/svg.py"}
SETTERS = {"setPixelSize", "setPointSize", "setPointSizeF", "setWeight", "setBold", "QFont"}


def test_sizes_grow_by_one_ratio() -> None:
    ratios = [larger / smaller for smaller, larger in itertools.pairwise(SIZES)]
    assert len(SIZES) == 4
    assert max(ratios) - min(ratios) < 0.06
    assert min(ratios) > 1.14


def test_two_weights_have_files() -> None:
    assert sorted(WEIGHTS) == [theme.REGULAR, theme.STRONG]
    assert {file.name for file in path("fonts").glob("*.otf")} == set(WEIGHTS.values())


@pytest.mark.parametrize(
    ("width", "height", "factor"),
    [
        (1024, 700, 1.0),
        (1280, 720, 1.0),
        (1440, 900, 1.15),
        (1920, 1080, 1.25),
        (1100, 1080, 1.0),
        (2560, 1440, 1.5),
        (3840, 2160, 2.5),
    ],
)
def test_a_large_window_has_large_type(width: int, height: int, factor: float) -> None:
    assert theme.room_of(width, height) == factor
    sizes = theme.Metrics(1.5, 1.25).in_room(factor)
    usual = theme.Metrics(1.5, 1.25)
    assert sizes.scale == pytest.approx(factor * usual.scale)
    assert sizes.controls == pytest.approx(factor * usual.controls)
    assert sizes.controls * 640 <= max(height, 700) * 1.5


def test_a_window_at_a_limit_keeps_its_factor() -> None:
    factor, changes = 1.0, 0
    for height in (830, 850, 830, 845, 835, 805, 850):
        before, factor = factor, theme.room_of(1600, height, factor)
        changes += factor != before
    assert (factor, changes) == (1.15, 1)
    assert theme.room_of(1600, 799, factor) == 1.0


def own_fonts(tree: ast.AST) -> Iterator[str]:
    """Yield the calls that set a size or weight of type as a number, or make a font."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        values = [*node.args, *(word.value for word in node.keywords if word.arg != "scale")]
        parts = [part for value in values[:2] for part in ast.walk(value)]
        # Smaller numbers are indices, factors and lower limits.
        constants = [part.value for part in parts if isinstance(part, ast.Constant)]
        has_size = any(isinstance(value, int) and value > 5 for value in constants)
        if name in SETTERS or (name in ("font", "_font", "font_of") and has_size):
            yield f"line {node.lineno}: {ast.unparse(node)}"


def test_own_fonts_are_found() -> None:
    found = ["font(12)", "look.font(TEXT, 500)", "style.font(TEXT, weight=600)", "f.setBold(True)"]
    allowed = ["font()", "look.font(TITLE, STRONG)", "font(size, scale=1.0)", "font(TEXT * share)"]
    assert all(list(own_fonts(ast.parse(code))) for code in found)
    assert not any(list(own_fonts(ast.parse(code))) for code in allowed)


@pytest.mark.parametrize("room", sorted(p.name for p in PACKAGE.iterdir() if p.is_dir()))
def test_no_module_names_a_size_or_weight_of_its_own(room: str) -> None:
    if room == "theme":
        return
    for file in (PACKAGE / room).rglob("*.py"):
        if file.relative_to(PACKAGE).as_posix() in COPIES:
            continue
        text = file.read_text(encoding="utf-8")
        assert not list(own_fonts(ast.parse(text))), file
        assert not re.search(r"font-(size|weight): ?\d", text), file


def test_style_sheet_names_sizes_and_weights() -> None:
    sheet = path("qss/window.qss").read_text(encoding="utf-8")
    used = re.findall(r"font(?:-size|-weight)?: *([^;}]+)", sheet)
    assert set(used) == {"@type_label", "@type_text", "@type_title", "@strong"}
    filled = theme.stylesheet(theme.LIGHT, 2.0)
    sizes = {int(size) for size in re.findall(r"font-size: (\d+)px", filled)}
    assert sizes == {2 * theme.LABEL, 2 * theme.TEXT, 2 * theme.TITLE}


def test_pages_have_the_same_scale() -> None:
    sheets = {file.name: file.read_text(encoding="utf-8") for file in path("page").glob("*.css")}
    stated = dict(re.findall(r"--([a-z]+): ([\d.]+)(?:rem|px)?;", sheets["style.css"]))
    sizes = {"label": theme.LABEL, "title": theme.TITLE, "sentence": theme.SENTENCE}
    for name, size in sizes.items():
        assert float(stated[name]) == pytest.approx(size / theme.TEXT, abs=1e-3)
    weights = int(stated["regular"]), int(stated["strong"]), int(stated["unit"])
    assert weights == (theme.REGULAR, theme.STRONG, theme.GRID)
    for name, sheet in sheets.items():
        rules = re.sub(r":root \{[^}]*\}", "", sheet)
        values = re.findall(r"font-(?:size|weight): *([^;}]+)", rules)
        assert all(value.strip().startswith(("var(--", "inherit")) for value in values), name
    scripts = [file.read_text(encoding="utf-8") for file in path("page").glob("*.js")]
    fonts = [font for script in scripts for font in re.findall(r"\.font = ([^;]+);", script)]
    assert set(fonts) == {"LABEL_FONT", "NAME_FONT"}


def test_spaces_are_multiples_of_one_unit() -> None:
    units = set()
    for file in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                name = getattr(node.func, "attr", getattr(node.func, "id", ""))
                values = node.args if name == "space" else []
                values += [word.value for word in node.keywords if word.arg in ("gap", "margin")]
                units |= {v.value for v in values if isinstance(v, ast.Constant)}
    numbers = {unit for unit in units if isinstance(unit, int | float)}
    assert numbers <= {0.0, 0.5, 1, 2, 3, 4, 5, 6}
