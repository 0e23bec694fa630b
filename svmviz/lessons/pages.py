r"""Pages of the help: the texts of concepts, methods, kernels and panels in ``assets/help``.

A page is a text file in Markdown. Its head has a ``title``, and for a concept the ``words`` that
link to it on other pages. Then come paragraphs, and blocks in any order::

    ```formula
    \xi_i = \max\left(0,\\ 1 - y_i f(x_i)\\right)
    ```

    ```symbols
    C
    ξ, ξᵢ | slack; that of point i
    ```

A line of a block ``formula`` is a formula in LaTeX. If the formulas for a regression differ, they
are in a block ``formula regression``. A line of a block ``symbols`` is a symbol and its meaning. If
the meaning is missing, it is that in ``assets/help/symbols.txt``, which all pages share. A block
``python`` is code to be copied.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from pathlib import Path

from solvers.errors import BadInput
from svmviz.base import resources
from svmviz.lessons.text import BLOCK, Form, Piece, read_text

FORM = Form("a page", ("words",), "paragraphs and blocks ```formula, ```symbols and ```python")
FORMULA, REGRESSION, SYMBOLS, PYTHON = "formula", "formula regression", "symbols", "python"


@dataclass(frozen=True)
class Page:
    """A page of the help.

    Attributes
    ----------
    name : str
        The name of its file, without the ending.
    title : str
    words : tuple of str
        Words that link to this page on other pages.
    paragraphs : tuple of str
    formula, regression_formula : tuple of str
        Lines of LaTeX; the second is empty if a regression has the same.
    symbols : tuple of (str, str)
        Each symbol, and its meaning.
    code : str
        Python code to be copied; may be empty.
    """

    name: str
    title: str
    words: tuple[str, ...] = ()
    paragraphs: tuple[str, ...] = ()
    formula: tuple[str, ...] = ()
    regression_formula: tuple[str, ...] = ()
    symbols: tuple[tuple[str, str], ...] = ()
    code: str = ""


@functools.cache
def page_of(kind: str, name: str) -> Page:
    """Return a page; an empty one if there is no file, as for a method of another package.

    Parameters
    ----------
    kind : str
        "concepts", "methods", "kernels" or "panels".
    name : str

    Raises
    ------
    BadInput
        If the file does not have the form of a page.
    """
    try:
        text = (_folder(kind) / f"{name}.md").read_text(encoding="utf-8")
    except OSError:
        return Page(name, name)
    try:
        return read_page(text, name)
    except BadInput as error:
        raise BadInput(f"assets/help/{kind}/{name}.md: {error}") from None


@functools.cache
def concepts() -> dict[str, Page]:
    """Return the pages of concepts by name, in the order of ``order.txt``."""
    names = resources.names_in_order(_folder("concepts"))
    return {name: page_of("concepts", name) for name in names}


def read_page(text: str, name: str) -> Page:
    """Return the page that a text contains.

    Raises
    ------
    BadInput
        If the text does not have the form of a page; the message names the line.
    """
    head, pieces = read_text(text, FORM)
    blocks: dict[str, Piece] = {}
    for piece in pieces:
        if piece.kind != BLOCK:
            continue
        if piece.word not in (FORMULA, REGRESSION, SYMBOLS, PYTHON) or piece.word in blocks:
            raise BadInput(f"Line {piece.row}: a page has one block of each kind: {FORM.pieces}.")
        blocks[piece.word] = piece
    words = (word.strip() for word in head["words"].split(","))
    return Page(
        name,
        head["title"],
        tuple(filter(None, words)),
        tuple(piece.text for piece in pieces if piece.kind != BLOCK),
        _lines_of(blocks.get(FORMULA)),
        _lines_of(blocks.get(REGRESSION)),
        tuple(_symbol(line, row) for row, line in _rows_of(blocks.get(SYMBOLS))),
        blocks[PYTHON].text if PYTHON in blocks else "",
    )


def _folder(kind: str) -> Path:
    return resources.path("help") / kind


def _rows_of(block: Piece | None) -> list[tuple[int, str]]:
    """Return the lines of a block with their numbers in the text."""
    lines = [] if block is None else enumerate(block.text.splitlines(), block.row + 1)
    return [(row, line.strip()) for row, line in lines if line.strip()]


def _lines_of(block: Piece | None) -> tuple[str, ...]:
    return tuple(line for _, line in _rows_of(block))


def _symbol(line: str, row: int) -> tuple[str, str]:
    symbol, bar, meaning = (part.strip() for part in line.partition(" | "))
    if not bar:
        if symbol not in _shared_symbols():
            raise BadInput(
                f"Line {row}: the symbol {symbol!r} needs a meaning, after a bar, since it is not"
                " in assets/help/symbols.txt."
            )
        meaning = _shared_symbols()[symbol]
    return symbol, meaning


@functools.cache
def _shared_symbols() -> dict[str, str]:
    text = (resources.path("help") / "symbols.txt").read_text(encoding="utf-8")
    pairs = (line.partition(" | ") for line in text.splitlines() if line.strip())
    return {symbol.strip(): meaning.strip() for symbol, _, meaning in pairs}
