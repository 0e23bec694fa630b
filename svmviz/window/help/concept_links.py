"""Links from the words of a page to the pages of concepts."""

from __future__ import annotations

import functools
import re

from svmviz.base.notation import rich
from svmviz.window.help.concepts import CONCEPTS


def linked(text: str, page: str = "") -> str:
    """Return text as HTML; for each concept, the first word on it links to its page.

    Parameters
    ----------
    text : str
        Plain text; ``^d`` becomes a raised d.
    page : str
        Name of the page that contains the text; no link to this page is made.
    """
    seen = {page}

    def link(found: re.Match[str]) -> str:
        word = found.group()
        target = _targets()[word.lower()]
        if target in seen:
            return word
        seen.add(target)
        return f"<a href='{target}'>{word}</a>"

    return _pattern().sub(link, rich(text))


@functools.cache
def _targets() -> dict[str, str]:
    """Return the page of each word, in lower case."""
    return {word.lower(): f"concept:{one.name}" for one in CONCEPTS for word in one.words}


@functools.cache
def _pattern() -> re.Pattern[str]:
    words = "|".join(sorted(map(re.escape, _targets()), key=len, reverse=True))
    # The symbols of formulas have indices, which are letters: only whole words are found.
    return re.compile(rf"(?<![\w&])(?:{words})(?!\w)", re.IGNORECASE)
