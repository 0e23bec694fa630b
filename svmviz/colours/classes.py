"""The colour of a class among three to six."""

from __future__ import annotations

from svmviz.colours.themes import Theme

# After Okabe and Ito; the first two are those of the palette of the theme.
_FURTHER = ("#1b9e77", "#b5329b", "#8a6a00", "#4d4f57")


def class_fill(theme: Theme, index: int) -> str:
    """Return the colour of the class with this index."""
    return (theme.positive, theme.negative, *_FURTHER)[index]
