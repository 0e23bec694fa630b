"""Finding entries of a list by words that the user types."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from PySide6.QtCore import Qt

# Keys that move in the list while the focus is in the field above it.
LIST_KEYS = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)


def words_of(text: str) -> list[str]:
    """Return the words of a typed text in the form that :func:`rank_of` compares."""
    return _simplified(text).split()


def rank_of(title: str, note: str, content: str, words: Sequence[str]) -> int | None:
    """Return how well an entry fits words, less is better; None if a word does not occur in it.

    A word counts most in the title, less in the note, and least in the content. A title that is
    just these words fits best.
    """
    if _simplified(title).split() == list(words):
        return -1
    text = _simplified(_spelled(title))
    rest = _simplified(note)
    content = _simplified(_spelled(content))
    rank = 0
    for word in words:
        if text.startswith(word):
            continue
        if any(part.startswith(word) for part in text.split()):
            rank += 1
        elif word in text:
            rank += 2
        elif word in rest:
            rank += 3
        elif word in content:
            rank += 10
        else:
            return None
    return rank


def _spelled(text: str) -> str:
    """Return a text, followed by the names of its Greek letters, such as alpha."""
    greek = "GREEK SMALL LETTER "
    # Unicode spells lambda without b.
    letters = (unicodedata.name(letter, "") for letter in dict.fromkeys(text))
    names = (name.replace("LAMDA", "LAMBDA") for name in letters)
    return " ".join([text, *(name.removeprefix(greek) for name in names if name.startswith(greek))])


def _simplified(text: str) -> str:
    """Return a text in lower case, with products such as ``5 × 2`` as one types them: 5x2."""
    return text.casefold().replace(" × ", "x").replace("×", "x")
