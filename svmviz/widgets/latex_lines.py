"""Lines of LaTeX: how wide they are, and where a long one is broken."""

from __future__ import annotations

import re

# Pattern of an argument of a LaTeX command, in braces. It may contain braces, but these may not
# contain others.
_ARGUMENT = r"\{((?:[^{}]|\{[^{}]*\})*)\}"
# An arrow, and the space behind it.
ARROW = re.compile(r"(\\(?:Leftr|R)ightarrow) \\quad ")
# Signs before which a line may be broken.
BREAK = re.compile(r" (?:=|\\leq|\\geq|\\approx|\\cdot|[+-]) ")
# The signs among these that are not relations. A break before a relation is preferred.
SIGNS = (" + ", " - ", r" \cdot ")
FRACTION = re.compile(rf"\\frac{_ARGUMENT}{_ARGUMENT}")


def break_lines(latex: str, width: float) -> tuple[str, ...]:
    r"""Break a formula at each ``\quad``, and pieces that are too long as `pack_lines` does.

    Parameters
    ----------
    latex : str
    width : float
        Maximum width of a line, in units of the font size.
    """
    pieces = re.split(r",? \\quad ", latex)
    return tuple(part for piece in pieces for part in _break_outside_brackets(piece, width))


def pack_lines(latex: str, width: float) -> tuple[str, ...]:
    r"""Break a formula where a line is full.

    A break is at a ``\quad`` if possible, otherwise before a relation, otherwise before a ``+`` or
    ``-``. It is never inside brackets, norms or absolute values. An arrow begins a line rather than
    ending one.

    Parameters
    ----------
    latex : str
    width : float
        Maximum width of a line, in units of the font size.
    """
    lines = [""]
    # The pieces are at the odd places, and what separates them at the even ones.
    parts = ["", *re.split(r"(,? \\q?quad )", ARROW.sub(r"\1\\;", latex))]
    for separator, piece in zip(parts[::2], parts[1::2], strict=True):
        longer = lines[-1] + separator + piece
        if not lines[-1] or width_of(longer) <= width:
            lines[-1] = longer
        else:
            lines[-1] += separator[:1].strip()
            lines.append(piece)
    return tuple(part for line in lines for part in _break_outside_brackets(line, width))


def _break_outside_brackets(latex: str, width: float) -> list[str]:
    """Break a line before the last relation that fits, else before the last ``+`` or ``-``."""
    if width_of(latex) <= width:
        return [latex]
    ranked = []
    for number, sign in enumerate(BREAK.finditer(latex)):
        head = latex[: sign.start()]
        length = width_of(head.removeprefix(r"\quad"))
        if length > 0.0 and _is_outside_brackets(head):
            # Prefer a break after a quarter of the width: a first line of only "L" would be too
            # short.
            rank = (length > 0.25 * width, sign.group() not in SIGNS, number)
            fits = width_of(head) <= width
            ranked.append((fits, rank if fits else (-number,), sign.start()))
    if not ranked:
        return [latex]
    start = max(ranked)[-1]
    return [latex[:start], *_break_outside_brackets(rf"\quad{latex[start:]}", width)]


def _is_outside_brackets(head: str) -> bool:
    """Return whether each bracket of the beginning of a formula is closed."""
    is_open = head.count("{") != head.count("}")
    # \langle and \rangle, and \left of \leftarrow, which opens nothing.
    for opening, closing in ((r"\(", r"\)"), (r"\[", r"\]"), (r"\\langle", r"\\rangle")):
        is_open |= len(re.findall(opening, head)) != len(re.findall(closing, head))
    # Norms and absolute values open and close with the same sign.
    return not (is_open or head.count("|") % 2)


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
