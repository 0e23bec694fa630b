"""Texts with a head, Markdown and fenced blocks, as derivations and lessons are written.

A text begins with its *head*: lines ``key: value`` between two lines ``---``. Then come paragraphs,
headings and blocks fenced by three backticks, each with a word that says what it is. A line of a
block is a key and a value; a line that begins with four or more blanks continues the line before.
Every error is one sentence that names the line.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from solvers.errors import BadInput, shorten
from svmviz.base.strict_json import suggest
from svmviz.lessons.expressions import Expression, read

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

# The kinds of a :class:`Piece`.
PARAGRAPH, HEADING, BLOCK = "paragraph", "heading", "block"
# The beginning of a line of a block that continues the line before.
CONTINUED = 4 * " "
# A number of the scene within a text: an expression, or a condition and two words.
PLACE = re.compile(r"@\{([^{}]*)\}")
# The keys that the head of every text may have; it must have a title.
COMMON_HEAD = ("title", "source")


@dataclass(frozen=True)
class Piece:
    """A paragraph, a heading or a fenced block.

    Attributes
    ----------
    kind : str
        PARAGRAPH, HEADING or BLOCK.
    text : str
        The words, with single blanks between them; for a block, its lines.
    word : str
        The word beside the fence of a block, otherwise empty.
    row : int
        Number of its first line in the text, from 1.
    """

    kind: str
    text: str
    word: str
    row: int


@dataclass(frozen=True)
class Entry:
    """A line of a fenced block: its key, its value, and its number in the text, from 1."""

    key: str
    text: str
    row: int


@dataclass(frozen=True)
class Form:
    """The form of a kind of text.

    Attributes
    ----------
    noun : str
        Name of the kind with its article, such as "a derivation".
    head : tuple of str
        The keys of its head besides COMMON_HEAD.
    pieces : str
        The allowed pieces, in words that can follow "has only".
    has_headings : bool
    max_size : int
        Maximum number of characters.
    """

    noun: str
    head: tuple[str, ...]
    pieces: str
    has_headings: bool = False
    max_size: int = 100_000


@dataclass(frozen=True, kw_only=True)
class TaskTexts:
    """The texts that all tasks of a card have.

    Attributes
    ----------
    ask : str
    hint, because : str
        Sentences that are shown after a wrong answer, and at the end; may be empty.
    row : int
        Number of its line in the text.
    """

    ask: str
    hint: str = ""
    because: str = ""
    row: int = 0


def read_text(text: str, form: Form) -> tuple[dict[str, str], list[Piece]]:
    """Return the head of a text, with "" for missing keys, and its pieces in their order.

    Raises
    ------
    BadInput
        If the text does not have the form; the message names the line.
    """
    if len(text) > form.max_size:
        raise BadInput(f"{_begun(form.noun)} has at most {form.max_size:,} characters.")
    head, body, first = _split(text, form)
    pieces = list(_pieces(body, first, form))
    if not head["title"]:
        raise BadInput(f"{_begun(form.noun)} begins with a head that has a title.")
    return head, pieces


def entries_of(block: Piece, keys: Sequence[str], repeated: Sequence[str] = ()) -> list[Entry]:
    """Return the lines of a block; only keys of ``repeated`` may occur more than once."""
    found: list[Entry] = []
    for row, line in enumerate(block.text.splitlines(), start=block.row + 1):
        key, _, value = line.strip().partition(" ")
        if not key:
            continue
        if found and line.startswith(CONTINUED):
            found[-1] = replace(found[-1], text=f"{found[-1].text} {line.strip()}".strip())
            continue
        is_again = key not in repeated and any(entry.key == key for entry in found)
        if key not in keys or is_again:
            if is_again:
                raise BadInput(f"Line {row}: the block ```{block.word} has {key} already.")
            raise BadInput(
                f"Line {row}: a block ```{block.word} has no line {shorten(key)!r}; "
                f"{suggest(key, keys, 'it has ' + ', '.join(keys) + '.')}"
            )
        found.append(Entry(key, value.strip(), row))
    return found


def read_expression(text: str, row: int) -> Expression:
    """Return the expression in a text; an error names the line ``row``."""
    try:
        return read(text)
    except BadInput as error:
        raise BadInput(f"Line {row}: {error}") from None


def check_places(text: str, row: int) -> None:
    """Raise BadInput if a number of the scene in a text is no expression."""
    for place in PLACE.findall(text):
        expression, *words = place.split("|")
        if len(words) not in (0, 2):
            raise BadInput(f"Line {row}: @{{condition|words|other words}} has two bars.")
        read_expression(expression, row)


def task_texts(block: Piece, texts: Mapping[str, Entry]) -> dict[str, Any]:
    """Return the fields of :class:`TaskTexts` of a block; it must have a line ask."""
    said = {key: texts[key].text for key in ("ask", "hint", "because") if key in texts}
    if not said.get("ask"):
        raise BadInput(f"Line {block.row}: a block ```{block.word} has a line ask.")
    return {**said, "row": block.row}


def _split(text: str, form: Form) -> tuple[dict[str, str], str, int]:
    """Return the head, the body, and the number of the first line of the body."""
    rows = text.splitlines()
    if not rows or rows[0].strip() != "---":
        raise BadInput(f"Line 1: {form.noun} begins with its head, between two lines ---.")
    keys = (*COMMON_HEAD, *form.head)
    head = dict.fromkeys(keys, "")
    for number, row in enumerate(rows[1:], start=2):
        if row.strip() == "---":
            return head, "\n".join(rows[number:]), number + 1
        key, colon, value = row.partition(":")
        if not colon or key.strip() not in keys:
            raise BadInput(
                f"Line {number}: the head has lines {', '.join(keys)}, each with a colon; this "
                f"line is {shorten(row)!r}."
            )
        head[key.strip()] = value.strip()
    raise BadInput(f"The head of {form.noun} ends with a line ---.")


@functools.cache
def _parser() -> MarkdownIt:
    """Return the parser of blocks; its import takes 20 ms, so it is made with the first text."""
    from markdown_it import MarkdownIt

    # Marks within a paragraph are not read. For some texts this would take a time proportional to
    # the square of their length, and definitions of links would vanish.
    return MarkdownIt("commonmark").disable(["inline", "reference"])


def _pieces(body: str, first: int, form: Form) -> Iterator[Piece]:
    kind = ""
    for token in _parser().parse(body):
        row = first + (token.map[0] if token.map else 0)
        if token.type == "fence":
            yield Piece(BLOCK, token.content, shorten(token.info.strip()), row)
        elif token.type == "inline":
            yield Piece(kind, " ".join(token.content.split()), "", row)
        elif token.type == "paragraph_open":
            kind = PARAGRAPH
        elif token.type == "heading_open" and form.has_headings:
            kind = HEADING
        elif token.nesting >= 0:
            raise BadInput(f"Line {row}: {form.noun} has only {form.pieces}.")


def _begun(noun: str) -> str:
    return noun[0].upper() + noun[1:]
