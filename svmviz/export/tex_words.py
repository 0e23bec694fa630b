"""Conversion of any text to TeX that a plain pdfLaTeX compiles."""

from __future__ import annotations

import re
import unicodedata
from itertools import groupby

# Signs and Greek letters in the program's texts, as formulas.
_SIGNS = {
    "−": "-", "≤": r"\leq", "≥": r"\geq", "×": r"\times", "·": r"\cdot", "±": r"\pm",
    "∞": r"\infty",
    "≠": r"\neq", "→": r"\to", "←": r"\leftarrow", "√": r"\surd", "∑": r"\sum", "Σ": r"\Sigma",
    "Δ": r"\Delta", "⟨": r"\langle", "⟩": r"\rangle", "‖": r"\|", "∈": r"\in", "≈": r"\approx",
    "½": r"\frac12", "⋆": r"\star", "′": r"'", "°": r"^\circ", "|": "|", "<": "<", ">": ">",
}  # fmt: skip
_GREEK = {
    "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "varepsilon", "η": "eta",
    "λ": "lambda", "μ": "mu", "ν": "nu", "ξ": "xi", "π": "pi", "ρ": "rho", "σ": "sigma",
    "τ": "tau", "φ": "varphi", "ω": "omega", "θ": "theta", "κ": "kappa", "ζ": "zeta",
}  # fmt: skip
_MATHS = {**_SIGNS, **{letter: "\\" + name for letter, name in _GREEK.items()}}
# For each raised or lowered character, the plain character that TeX raises or lowers instead.
_RAISED = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+", strict=True))
_LOWERED = dict(zip("₀₁₂₃₄₅₆₇₈₉ᵢⱼ", "0123456789ij", strict=True))
# Characters that TeX would read as commands, and signs that it writes in another way.
_PLAIN = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#",
    "_": r"\_", "%": r"\%", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "…": r"\dots{}",
    "“": "``", "”": "''", "‘": "`", "’": "'", "–": "--", "—": "---", "\u00a0": "~",
    "\u202f": r"\,", "\t": " ", "\n": " ", '"': "''",
}  # fmt: skip
# Combining accents, and the commands that set them on a letter.
_ACCENTS = {
    "\u0300": "`", "\u0301": "'", "\u0302": "^", "\u0303": "~", "\u0308": '"', "\u030a": "r",
    "\u0327": "c", "\u030c": "v", "\u0306": "u", "\u0304": "=", "\u0307": ".",
    "\u030b": "H",
}  # fmt: skip
# Letters without a decomposition into a letter and an accent.
_LETTERS = {
    "ß": r"\ss{}", "æ": r"\ae{}", "Æ": r"\AE{}", "ø": r"\o{}", "Ø": r"\O{}", "œ": r"\oe{}",
    "Œ": r"\OE{}", "ł": r"\l{}", "Ł": r"\L{}", "ı": r"\i{}",
}  # fmt: skip
# A letter that :func:`tex` has written as its number, because LaTeX cannot set it.
_NUMBERED = re.compile(r"\\texttt\{U\+([0-9A-F]{4,6})\}")
# The end of a formula with the beginning of the next one; ``\$`` is a dollar sign of the text.
_JUNCTION = re.compile(r"(?<!\\)\$\$")


def tex(text: str) -> str:
    """Return TeX for a text; a character that LaTeX cannot set is written as its number."""
    pieces = []
    for script, run in groupby(text, _script):
        letters = list(run)
        if script:
            sign, plain = script
            pieces.append(f"${sign}{{{''.join(plain[letter] for letter in letters)}}}$")
        else:
            pieces += map(_letter, letters)
    # Consecutive formulas are joined.
    return _JUNCTION.sub("", "".join(pieces))


def _script(letter: str) -> tuple[str, dict[str, str]] | None:
    """Return "^" and _RAISED for a raised letter, "_" and _LOWERED for a lowered one, or None."""
    if letter in _RAISED:
        return "^", _RAISED
    return ("_", _LOWERED) if letter in _LOWERED else None


def _letter(letter: str) -> str:
    if letter in _PLAIN:
        return _PLAIN[letter]
    if letter in _MATHS:
        return f"${_MATHS[letter]}{{}}$" if letter in _GREEK else f"${_MATHS[letter]}$"
    if letter in _LETTERS:
        return _LETTERS[letter]
    if " " <= letter <= "~":
        return letter
    base, *marks = unicodedata.normalize("NFD", letter)
    if "A" <= base.upper() <= "Z" and len(marks) == 1 and marks[0] in _ACCENTS:
        return f"\\{_ACCENTS[marks[0]]}{{{base}}}"
    # A plain installation has no such letter, so its number is written instead.
    return rf"\texttt{{U+{ord(letter):04X}}}"


def unknown_letters(text: str) -> list[str]:
    """Return the letters that `tex` has written as numbers, in the order of their first use."""
    return [chr(int(number, 16)) for number in dict.fromkeys(_NUMBERED.findall(text))]
