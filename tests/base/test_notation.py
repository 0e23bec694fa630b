"""Letters of formulas in running text."""

import itertools
import unicodedata

import pytest
from PySide6.QtGui import QRawFont, QTextLayout

from svmviz.base.notation import (
    CAPITALS,
    ITALICS,
    NO_BREAK,
    SUBSCRIPTS,
    html_in_letters,
    in_letters,
    unbroken,
)
from svmviz.base.resources import path
from svmviz.theme.fonts import FORMULA_FILES
from svmviz.theme.look import font_of

WORD_JOINER = "\N{WORD JOINER}"


def letters_of(text: str) -> str:
    """Return the letters that were replaced, in their usual form."""
    usual = {shown: letter for letter, shown in (ITALICS | CAPITALS).items()}
    usual |= {private: subscript[0] for subscript, private in SUBSCRIPTS.items()}
    return "".join(usual.get(character, "") for character in in_letters(text))


@pytest.mark.parametrize(
    ("text", "letters"),
    [
        ("With point 3, f(x) = Σ βᵢ k(xᵢ, x) + b rises.", "fxΣβᵢkxᵢxb"),
        ("η ← Kᵢᵢ + Kⱼⱼ − 2Kᵢⱼ", "ηKᵢᵢKⱼⱼKᵢⱼ"),
        ("The dual D is at most P. The gap is P − D.", "DPPD"),
        ("‖w‖ = 2 and αy may rise", "wαy"),
        ("k folds, n points, C = 1", "knC"),
        ("A point, a pair, and I", ""),
        ("Ctrl+K, e.g. 3D, i.e. 8 s at 5 steps/s, in 12 μs or µs", ""),
        ("don't, point's, points.csv, x.csv, C:\\data, --C, data_x", ""),
        ("body mass (g), bill depth (mm)", ""),
        ("Exercise (B) The same line", ""),
        ("a rectangle (S), the lasso (Shift+S), the start (R or Home)", ""),
        ("KKT, SMO, RBF, exp, max, x1", ""),
    ],
)
def test_letters_of_formulas_are_found(text: str, letters: str) -> None:
    assert letters_of(text) == letters


def test_nothing_else_changes() -> None:
    text = "ΔD = 3 of (Eᵢ − Eⱼ)² / 2η"
    shown = in_letters(text)
    assert len(shown) == len(text)
    assert unicodedata.normalize("NFKC", in_letters("f(x) = γ")) == "f(x) = γ"


@pytest.mark.parametrize("text", ["mean |y − f|: training", "the street is 2/‖w‖ wide"])
def test_no_line_ends_inside_a_formula(qapp, text: str) -> None:
    layout, starts = QTextLayout(unbroken(text)), []
    layout.beginLayout()
    while (line := layout.createLine()).isValid():
        line.setLineWidth(1.0)
        starts.append(line.textStart())
    layout.endLayout()
    shown = unbroken(text)
    words = [shown[a:b].strip() for a, b in itertools.pairwise([*starts, len(shown)])]
    assert [word.replace(WORD_JOINER, "").replace(NO_BREAK, " ") for word in words] == {
        "m": ["mean", "|y − f|:", "training"],
        "t": ["the", "street", "is", "2/‖w‖", "wide"],
    }[text[0]]


def test_tags_and_entities_stay() -> None:
    assert html_in_letters("<p>a &lt; <b>b</b></p>") == "<p>a &lt; <b>𝑏</b></p>"
    assert html_in_letters("<b>Select</b> (S)<br>C") == "<b>Select</b> (S)<br>𝐶"
    assert html_in_letters("<a href='x'>x</a>") == "<a href='x'>𝑥</a>"


@pytest.mark.parametrize("file", FORMULA_FILES)
def test_fonts_have_all_letters(qapp, file: str) -> None:
    raw = QRawFont(str(path(f"fonts/{file}")), 100)
    usual = QRawFont(str(path("fonts/Inter-Regular.otf")), 100)
    for letter in (*ITALICS.values(), *SUBSCRIPTS.values(), *CAPITALS.values()):
        assert raw.supportsCharacter(ord(letter))
    assert raw.ascent() == pytest.approx(usual.ascent(), abs=1)
    assert raw.descent() == pytest.approx(usual.descent(), abs=1)
    # Glyphs of letters, as those of Inter, are as high as 0.55 of the text size.
    (glyph,) = raw.glyphIndexesForString("𝑥")
    assert -raw.boundingRect(glyph).top() == pytest.approx(usual.xHeight(), abs=3)


def test_files_have_plain_letters(qapp) -> None:
    assert len(font_of(13, 400, plain=True).families()) == 1
    assert len(font_of(13, 400).families()) == 2


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("min ½ ‖w‖² with b = 0", "min ½~‖w‖² with b~=~0"),
        ("to |y − f| ≤ ε (± 0.001)", "to |y~−~f|~≤~ε (±~0.001)"),
        ("File > Examples > Two moons", "File > Examples > Two moons"),
        # A long formula may be broken before an operator.
        ("1 + 22 + 333 + 4444 + 55555 + 666666", "1 +~22 +~333 +~4444 +~55555 +~666666"),
    ],
)
def test_no_line_ends_within_a_short_formula(text: str, kept: str) -> None:
    shown = unbroken(text).replace("\N{NO-BREAK SPACE}", "~")
    assert shown.replace(WORD_JOINER, "") == kept
