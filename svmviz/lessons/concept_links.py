"""Links from the words of a page to the pages of concepts."""

from __future__ import annotations

import functools
import re

from svmviz.base.notation import rich
from svmviz.lessons.pages import concepts


def link_concepts(text: str, page: str = "") -> str:
    """Return text as HTML, in which the first mention of each concept links to its page.

    Parameters
    ----------
    text : str
        Plain text; ``^d`` becomes a superscript d.
    page : str
        Name of the page that contains the text; no link to this page is made.
    """
    linked_pages = {page}

    def link(match: re.Match[str]) -> str:
        word = match.group()
        target = _targets()[word.lower()]
        if target in linked_pages:
            return word
        linked_pages.add(target)
        return f"<a href='{target}'>{word}</a>"

    return _pattern().sub(link, rich(text))


@functools.cache
def _targets() -> dict[str, str]:
    """Return the page of each word, in lower case."""
    return {word.lower(): f"concept:{c.name}" for c in concepts().values() for word in c.words}


@functools.cache
def _pattern() -> re.Pattern[str]:
    words = "|".join(sorted(map(re.escape, _targets()), key=len, reverse=True))
    # Only whole words match, so symbols with an index, such as αᵢ, are not linked.
    return re.compile(rf"(?<![\w&])(?:{words})(?!\w)", re.IGNORECASE)
