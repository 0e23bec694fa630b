"""A formula is broken where a line is full, and not inside brackets."""

import re

import pytest

from svmviz.lessons.derivations import derivations
from svmviz.widgets.latex_lines import pack_lines, width_of

LETTERS = [line.letters for found in derivations().values() for line in found.lines]


@pytest.mark.parametrize(
    ("latex", "width", "lines"),
    [
        (
            r"\alpha_i = 0 \quad \Rightarrow \quad C = 0 \quad \Rightarrow \quad y f \geq 1",
            9.0,
            (r"\alpha_i = 0", r"\Rightarrow\;C = 0", r"\Rightarrow\;y f \geq 1"),
        ),
        (r"a = 1, \quad b = 2", 20.0, (r"a = 1, \quad b = 2",)),
        (r"a = 1, \quad b = 2", 5.0, ("a = 1,", "b = 2")),
        (r"L = \|v - w\| - (a + b) - c", 9.0, (r"L = \|v - w\|", r"\quad - (a + b) - c")),
        (r"|p - q| = \langle w, p - s \rangle", 9.0,
         ("|p - q|", r"\quad = \langle w, p - s \rangle")),
        (r"\left(a + b\right)", 2.0, (r"\left(a + b\right)",)),
    ],
)  # fmt: skip
def test_a_line_is_as_full_as_it_can_be(latex, width, lines):
    assert pack_lines(latex, width) == lines


@pytest.mark.parametrize("width", [10.0, 14.0, 22.0])
def test_lines_of_derivations_lose_nothing_and_fit_the_view(width):
    def signs(text):
        return re.sub(r"\\q?quad|\\;|[, ]", "", text)

    for latex in LETTERS:
        lines = pack_lines(latex, width)
        assert signs("".join(lines)) == signs(latex)
        for line in lines:
            assert line.count("{") == line.count("}")
            assert line.count("(") == line.count(")")
            # A view makes lines smaller by up to 0.6; what is longer has nowhere to be broken.
            assert width_of(line) <= max(width, 14.0) / 0.6
