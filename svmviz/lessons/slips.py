"""The slips of the lecture notes: the formula as printed, the right one, and the reason.

Students read the notes, so each slip is named on the pages of the help that concern its formula.
``docs/notes.md`` has all slips in one table.
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
        Keys of NOTES, for the notes that contain the slip; empty for "some notes".
    pages : tuple of str
        Pages of the help that concern it.
    printed : str
        The formula as printed, in words that can follow "has".
    right : str
        The right formula.
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
        """The slip in words: the note, its formula, the right formula, and the reason."""
        where = " and ".join(NOTES[note] for note in self.notes) or "some notes"
        where, has = where[0].upper() + where[1:], "has" if self.is_of_a_chapter else "have"
        return f"{where} {has} {self.printed}. Right: {self.right}, because {self.reason}."

    @property
    def is_of_a_chapter(self) -> bool:
        """Whether the slip is in one note only, and that is a chapter, not slides."""
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
