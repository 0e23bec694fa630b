"""Symbols in the words of methods, and their meanings, which the help of a method lists.

A method takes those that it shares with others from here, and adds its own.
"""

from __future__ import annotations

SYMBOLS = {
    "i, j": "numbers of points",
    "xᵢ, yᵢ": "point i, and its class, +1 or −1; in a regression its target",
    "n": "number of points",
    "f": "decision function; f(x) = ⟨w, x⟩ + b with the linear kernel",
    "w, b": "weight vector and bias of f; with a kernel, w is in its feature space",
    "φ": "map into the feature space of the kernel",
    "Kᵢⱼ": "value of the kernel for points i and j",
    "C": "penalty of slack; C = ∞ is the hard margin",
    "λ": "regulariser, another form of C: λ = 1 / (C n)",
    "P, D": "primal, which is minimised, and dual, which is maximised",
    "αᵢ": "dual variable of point i, from 0 to C",
    "αᵢ*, αᵢ": "in a regression, the dual variables that raise and that lower f at point i",
    "βᵢ": "coefficient of point i in f: αᵢyᵢ, in a regression αᵢ* − αᵢ",
    "ε": "in a regression, half the width of the tube",
    "s": "in a regression, the sign of a variable: +1 for α*, −1 for α",
    "Eᵢ": "error f(xᵢ) − yᵢ; in a regression also + ε for αᵢ*, and − ε for αᵢ",
    "Fᵢ": "the b for which Eᵢ would be 0: b − Eᵢ",
    "Δ": "change of what follows it",
    "Σ": "sum",
}


def symbols_of(names: str) -> tuple[tuple[str, str], ...]:
    """Return pairs of a symbol and its meaning; ``names`` are separated by semicolons."""
    return tuple((name, SYMBOLS[name]) for name in names.split("; "))


# Those of methods that solve the dual.
DUAL_SYMBOLS = symbols_of("i, j; xᵢ, yᵢ; f; w, b; Kᵢⱼ; C; P, D; αᵢ; αᵢ*, αᵢ; βᵢ; ε; Σ")
