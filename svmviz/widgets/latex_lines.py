"""Lines of LaTeX: how wide they are, and where a long one is broken."""

from __future__ import annotations

import re

# Pattern of an argument of a LaTeX command, in braces. It may contain braces, but these may not
# contain others.
_ARGUMENT = r"\{((?:[^{}]|\{[^{}]*\})*)\}"
FRACTION = re.compile(rf"\\frac{_ARGUMENT}{_ARGUMENT}")


def break_lines(latex: str, width: float) -> tuple[str, ...]:
    r"""Break a formula into pieces at each ``\quad``, and pieces that are too long further.

    If a piece that is too long has several ``=``, or an arrow and a ``=``, it is broken before the
    last ``=``; other such pieces, and a first half that is still too long, before a ``+`` or ``-``.

    Parameters
    ----------
    latex : str
    width : float
        Maximum width of a line, in units of the font size.
    """
    lines: list[str] = []
    for piece in re.split(r",? \\quad ", latex):
        left, equals, result = piece.rpartition(" = ")
        if width_of(piece) <= width:
            lines.append(piece)
        elif not left or not re.search(r" = |arrow ", left):
            lines += _break_at_sign(piece, width)
        else:
            lines += [*_break_at_sign(left, width), rf"\quad{equals}{result}"]
    return tuple(lines)


def _break_at_sign(latex: str, width: float) -> list[str]:
    """If a line is too long, break it in two before its last ``+`` or ``-`` outside brackets."""
    if width_of(latex) <= width:
        return [latex]
    for sign in reversed(list(re.finditer(r" [+-] ", latex))):
        head = latex[: sign.start()]
        # \leftarrow opens no bracket.
        opening, closing = (
            len(re.findall(rf"\\{side}(?![a-z])", head)) for side in ("left", "right")
        )
        if opening == closing and head.count("{") == head.count("}"):
            return [head, r"\quad" + latex[sign.start() :]]
    return [latex]


def width_of(latex: str) -> float:
    """Return the approximate width of a line of LaTeX, in units of the font size.

    Each letter, digit or symbol counts as 0.56.
    """
    # Of a fraction only the longer of numerator and denominator counts. Indices are not counted.
    plain = FRACTION.sub(lambda m: max(m.groups(), key=len), latex)
    plain = plain.replace(r"\quad", "mm")
    plain = re.sub(r"_\{?\w*\}?|\\(?:left|right|[,! ])", "", plain)
    plain = re.sub(r"\\[a-zA-Z]+", "m", plain)
    return 0.56 * len(re.sub(r"[{}]", "", plain))
