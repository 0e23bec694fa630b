"""What a concept of the help is, and the symbols that the pages of several concepts share."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Concept:
    """A term of support vector machines, and its page in the help.

    Attributes
    ----------
    name, title : str
    words : tuple of str
        Words that link to this page on the other pages.
    paragraphs : tuple of str
    formula : tuple of str
        Lines of LaTeX.
    symbols : tuple of (str, str)
        Each symbol of text, formula and picture, and its meaning.
    """

    name: str
    title: str
    words: tuple[str, ...]
    paragraphs: tuple[str, ...]
    formula: tuple[str, ...]
    symbols: tuple[tuple[str, str], ...]


X = ("x, xᵢ", "any point; point number i")
Y = ("y, yᵢ", "the class of a point, +1 or −1; that of point i")
F = ("f, f(x)", "decision function; f(x) ≥ 0 predicts the class +1, f(x) < 0 the class −1")
W = ("w, ‖w‖", "weight vector, and its length")
B = ("b", "bias, the constant of f")
N = ("n", "number of points")
I = ("i, j", "numbers of points")  # noqa: E741 - the symbol
XI = ("ξ, ξᵢ", "slack; that of point i")
C = ("C", "penalty of slack; C = ∞ is the hard margin")
LAM = ("λ", "regulariser, another form of C: λ = 1 / (C n)")
ALPHA = ("α, αᵢ", "dual variable; that of point i, from 0 to C")
K = ("k, K", "kernel, and its values for all pairs of points: Kᵢⱼ = k(xᵢ, xⱼ)")
P = ("P", "primal: what is minimised")
D = ("D", "dual: what is maximised")
