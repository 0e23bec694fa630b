"""The slips of the lecture notes: what a formula reads there, what is right, and why.

A student has the note in hand, so each slip is named on the pages of the help where its formula is
met. ``docs/notes.md`` has all of them in one table.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass

from svmviz.base import resources
from svmviz.lessons.text import BLOCK, Form, Piece, entries_of, read_text

NOTES = {
    "A": "the slides on SVMs (A)",
    "B": "the slides on SVMs and kernels (B)",
    "C": "the chapter on hulls (C)",
    "D": "the short chapter (D)",
    "E": "the slides with derivations (E)",
}
FORM = Form("a list of slips", (), "paragraphs and blocks ```slip")
KEYS = ("notes", "pages", "has", "right", "because")


@dataclass(frozen=True)
class Slip:
    """One slip of the notes.

    Attributes
    ----------
    notes : str
        Keys of NOTES: the notes that have it; empty if it is met in several.
    pages : tuple of str
        Pages of the help that concern it.
    printed : str
        What it reads there, as the object of "has".
    right : str
        What is right.
    reason : str
        A clause that can follow "because".
    """

    notes: str
    pages: tuple[str, ...]
    printed: str
    right: str
    reason: str

    @property
    def sentence(self) -> str:
        """Return the slip in words: the note, its formula, what is right, and why."""
        where = " and ".join(NOTES[note] for note in self.notes) or "some notes"
        where, has = where[0].upper() + where[1:], "has" if self.is_of_a_chapter else "have"
        return f"{where} {has} {self.printed}. Right: {self.right}, because {self.reason}."

    @property
    def is_of_a_chapter(self) -> bool:
        """Return whether one note has it that is a chapter, not slides."""
        return self.notes in ("C", "D")


def slips_of(page: str) -> tuple[str, ...]:
    """Return the sentences on the slips that concern a page of the help."""
    return tuple(slip.sentence for slip in slips() if page in slip.pages)


@functools.cache
def slips() -> tuple[Slip, ...]:
    """Return the slips in ``assets/help/slips.md``."""
    text = (resources.path("help") / "slips.md").read_text(encoding="utf-8")
    _, pieces = read_text(text, FORM)
    return tuple(_slip(piece) for piece in pieces if piece.kind == BLOCK)


def _slip(block: Piece) -> Slip:
    found = dict.fromkeys(KEYS, "") | {e.key: e.text for e in entries_of(block, KEYS)}
    pages = tuple(page.strip() for page in found["pages"].split(","))
    return Slip(found["notes"], pages, found["has"], found["right"], found["because"])
