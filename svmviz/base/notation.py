"""Formulas in running text: letters in the form that typeset formulas have.

Typeset formulas (:mod:`svmviz.base.typeset`) have italic letters with serifs. In text, `in_letters`
replaces the letters of formulas by characters that the fonts ``assets/fonts/Formulas-*.ttf`` draw
in the same form. Only what is painted is replaced: texts of files, of screen readers, and what is
copied keep their letters.
"""

from __future__ import annotations

import html
import re
from functools import lru_cache

_LATIN = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_GREEK = "αβγδεζηθικλμνξοπρςστυφχψω"

ITALICS = {
    **{letter: chr(0x1D434 + index) for index, letter in enumerate(_LATIN)},
    # The italic h is Planck's constant, outside its alphabet.
    "h": "ℎ",
    **{letter: chr(0x1D6FC + index) for index, letter in enumerate(_GREEK)},
}
"""The italic form of each letter."""

SUBSCRIPTS = {
    letters: chr(0xF0000 + index)
    for index, letters in enumerate(
        ("ᵢi", "ⱼj", "ₖk", "ₗl", "ₘm", "ₙn", "ₚp", "ₛs", "ₜt", "ᵣr", "ᵤu", "ᵥv", "ₓx", "ₕh")
    )
}
"""For each subscript with its letter, the character of its italic form in the fonts."""

CAPITALS = {letter: chr(0xF0040 + index) for index, letter in enumerate("ΓΔΘΛΞΠΣΦΨΩ")}
"""For each capital of Greek, the character of its form with serifs in the fonts."""

# After a letter: it is the name of a key or a class, and none of a formula. No line ends there.
_KEY = "\N{WORD JOINER}"
# A Latin letter alone is one of a formula, except the words "a", "A" and "I". It is none after
# an apostrophe or a sign of a key, an abbreviation or a path (Ctrl+K, e.g., steps/s, x.csv).
_ALONE = (
    rf"(?<![A-Za-z\d.'’+/\\_#&-])[B-HJ-Zb-z](?![A-Za-z\d'’_/\\{_KEY}]|\.[A-Za-z]|\. [A-Z]\.|:\\)"
)
# After a digit it is one if a subscript, an operator or a bracket follows: "2Kᵢⱼ", not "3D".
_AFTER_DIGIT = r"(?<=\d)[B-HJ-Zb-z](?=[ᵢⱼₖₘₙ(])"
# Keys in brackets after words: (S), (R or Home).
_KEYS = r"(?<= )\((?:[\w+]+ or )*[A-Z](?: or [\w+]+)*\)"
_FORMULA = re.compile(
    # Units such as 8 s and (g), and marks of parts such as (B), are left as they are.
    rf"(?P<unit>(?<=\d )[sgm](?![\w(])|\([sgm]\)|[µμ]s|(?<!\w)\([A-E]\)(?= [A-Z])|{_KEYS})"
    rf"|{_AFTER_DIGIT}|{_ALONE}|[α-ω]|[{''.join(CAPITALS)}]|[ᵢⱼₖₗₘₙₚₛₜᵣᵤᵥₓₕ]"
)
_CHARACTERS = ITALICS | CAPITALS | {name[0]: private for name, private in SUBSCRIPTS.items()}
_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
NO_BREAK = "\N{NO-BREAK SPACE}"
# Largest number of characters of a formula that stays in one line.
MAX_UNBROKEN = 28
_OPERATOR = re.compile(r" ([=≤≥<>≈≠±/+−·→]) ")
# Operators with their neighbours, which may be brackets; and ½ and ± with what follows.
_SIDE = r"(?:(?<=\w)\((?:[^()]|\([^()]*\)){1,24}\)|\S)+"
_CHAIN = re.compile(rf"(?<!\S)(?:[(|]?[½±] \S+|{_SIDE}(?:{_OPERATOR.pattern}{_SIDE})*)")
# Text layouts end lines after these, although the formula goes on: |y − f|, 2/‖w‖.
_STROKE = re.compile(r"\|(?=\S)|/(?=‖)")
_WORD = re.compile(r"[A-Za-z]{4}|: ·|\) ·")
_TAG = re.compile(r"(<[^>]*>|&#?\w+;)")


@lru_cache(maxsize=2000)
def in_letters(text: str) -> str:
    """Return a text in which the letters of formulas have the form of typeset formulas."""
    return _FORMULA.sub(lambda found: found["unit"] or _CHARACTERS[found[0]], unbroken(text))


def unbroken(text: str) -> str:
    """Return a text in which no line ends after an operator, nor within a short formula."""
    return _CHAIN.sub(_kept_together, _STROKE.sub(rf"\g<0>{_KEY}", text))


def _kept_together(found: re.Match[str]) -> str:
    chain = found[0]
    if " " not in chain or _WORD.search(chain):
        # Between words, such as names of menus, the sign is no operator.
        return chain
    if len(chain) <= MAX_UNBROKEN:
        return chain.replace(" ", NO_BREAK)
    return _OPERATOR.sub(rf" \1{NO_BREAK}", chain)


def of_keys(text: str) -> str:
    """Return names of keys or classes, such as ``Home or R``, with letters of no formula."""
    return _FORMULA.sub(lambda found: found[0] + _KEY, text)


@lru_cache(maxsize=500)
def html_in_letters(text: str) -> str:
    """Return HTML in which the letters of formulas have the form of typeset formulas."""
    parts = _TAG.split(text)
    # Tags and entities, which the group has caught, are every other part.
    parts[::2] = map(in_letters, parts[::2])
    return "".join(parts)


def plain(text: str) -> str:
    """Return a text in which ``^2`` is a superscript, for widgets that show no HTML."""
    return re.sub(r"\^(\d+)", lambda found: found[1].translate(_RAISED), text)


def rich(formula: str) -> str:
    """Return a formula as HTML, in which ``^d`` becomes a superscript d."""
    return re.sub(r"\^(\w+)", r"<sup>\1</sup>", html.escape(formula))
