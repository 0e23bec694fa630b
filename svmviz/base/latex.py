"""LaTeX formulas as SVG, made by ziamath, a Python package with its own mathematical font.

As a program (``python -m svmviz.base.latex``), this module typesets formulas for another process. A
request is a formula in LaTeX; the answer has the fields of a `Typeset`, or is null if ziamath
cannot typeset the formula (:mod:`solvers.processes`).
"""

from __future__ import annotations

import contextlib
import re
import threading
from typing import NamedTuple

from solvers.errors import shorten
from solvers.processes import answer_requests

# The text size at which formulas are typeset, px. Coordinates in the SVG have three decimals.
SIZE = 64.0
# The caches of ziamath are not safe for two threads.
_one_at_a_time = threading.Lock()


class Typeset(NamedTuple):
    """A typeset formula, for any text size and any colour.

    Attributes
    ----------
    svg : str
        The SVG file, in the colour ``currentColor``.
    width, height : float
        Size of the formula, relative to the text size.
    """

    svg: str
    width: float
    height: float

    def coloured(self, colour: str) -> bytes:
        """Return the SVG file in a colour such as ``"#202020"``."""
        return self.svg.replace("<svg ", f'<svg color="{colour}" ', 1).encode()


def typeset_line(latex: str) -> Typeset:
    """Typeset one line of LaTeX, without dollar signs. This takes some tens of milliseconds."""
    import ziamath

    with _one_at_a_time:
        # In the older form of SVG each glyph is a path. Qt draws only this form reliably.
        ziamath.config.svg2 = False
        line = ziamath.Latex(latex, size=SIZE, color="currentColor")
        width, height = line.getsize()
        return Typeset(line.svg(), width / SIZE, height / SIZE)


def fault_in(latex: str) -> str:
    """Return what is wrong with a line of LaTeX; "" if it can be typeset.

    The libraries accept braces that do not match, and print commands that they do not know.
    """
    from ziamath.tex import tex2mml

    depth = 0
    for brace in re.findall(r"(?<!\\)[{}]", latex):
        depth += 1 if brace == "{" else -1
        if depth < 0:
            break
    if depth:
        return "a } is missing" if depth > 0 else "a { is missing"
    try:
        unknown = re.search(r"<mi>(\\[^<]*)</mi>", tex2mml(latex))
        if unknown is None:
            typeset_line(latex)
    except Exception:  # the libraries that read LaTeX raise errors of many kinds
        return shorten(latex)
    return f"there is no command {shorten(unknown[1])}" if unknown else ""


def main() -> None:
    """Typeset formulas for another process."""
    answer_requests(lambda latex, _report: _typeset_or_none(latex))


def _typeset_or_none(latex: str) -> Typeset | None:
    # After an error the other process typesets the formula itself, and reports the error.
    with contextlib.suppress(Exception):
        return typeset_line(latex)
    return None


if __name__ == "__main__":
    main()
