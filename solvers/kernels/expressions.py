"""The parser of typed expressions: a tokenizer and precedence climbing (Pratt 1973).

The parser reads kernel expressions (:mod:`solvers.kernels.kernel_text`) and formulas
(:mod:`solvers.kernels.custom`). Both give the same kind of tree, with different meanings. No text
is ever passed to ``eval``.

    expression = number | name | name "(" arguments ")" | "(" expression ")"
               | "-" expression | expression ("+" "-" "*" "/" "^") expression
    arguments  = (expression | name "=" expression), ...

The operators, from the tightest to the loosest, are ``^``, the minus sign before an operand, ``*``
and ``/``, ``+`` and ``-``. ``**`` is another spelling of ``^``, and ``2^3^2`` is ``2^(3^2)``.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NoReturn

from solvers.errors import BadInput, shorten

# Maximum number of characters of a text, and maximum depth of nested expressions.
MAX_LENGTH = 400
MAX_DEPTH = 40
# The pattern of a token. The names of the groups are the kinds of tokens; "other" is a character
# without meaning.
TOKENS = re.compile(
    r"(?P<number>(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?)|(?P<name>[A-Za-z_]\w*)"
    r"|(?P<mark>\*\*|[-+*/^(),=·×−])|(?P<other>\S)",
    re.ASCII,
)
# Other spellings of operators, and the operator that each of them means.
SYNONYMS = {"**": "^", "·": "*", "×": "*", "−": "-"}
# How tightly each operator binds, and how tightly the minus sign before an operand binds.
STRENGTH = {"+": 10, "-": 10, "*": 20, "/": 20, "^": 40}
SIGN_STRENGTH = 30


class Misread(BadInput):
    """Raised if a text cannot be read; ``at`` is the position of the error in the text, from 1."""

    def __init__(self, at: int, reason: str) -> None:
        super().__init__(f"At character {at}: {reason}.")
        self.at = at
        self.reason = reason


@dataclass(frozen=True)
class Tree:
    """A node of the tree of an expression.

    ``at`` is its position in the text, from 1: that of its first character, or of its operator.
    """

    at: int = field(default=1, compare=False, kw_only=True)

    def fail(self, reason: str) -> NoReturn:
        """Raise :class:`Misread` at the position of this node."""
        raise Misread(self.at, reason)


@dataclass(frozen=True)
class Number(Tree):
    """A number."""

    value: float


@dataclass(frozen=True)
class Name(Tree):
    """A name without arguments, such as ``x1`` or ``pi``."""

    name: str


@dataclass(frozen=True)
class Call(Tree):
    """``name(argument, key=argument)``; the key of an argument without a key is empty."""

    name: str
    arguments: tuple[tuple[str, Tree], ...]


@dataclass(frozen=True)
class Minus(Tree):
    """``-operand``."""

    operand: Tree


@dataclass(frozen=True)
class Binary(Tree):
    """``left sign right``."""

    sign: str
    left: Tree
    right: Tree


@dataclass(frozen=True)
class Token:
    """A token of the text; its kind is "number", "name", "mark" or "end"."""

    kind: str
    text: str
    at: int


def parse(text: str) -> Tree:
    """Return the tree of a text.

    Raises
    ------
    Misread
        If the text is no expression; ``at`` of this exception is the position of the first error.
    """
    return _Parser(_tokens(text), len(text.rstrip())).parse_all()


def make_text_check(read: Callable[[str], Any]) -> Callable[[str], str]:
    """Return the check of a setting whose text is parsed by ``read``.

    The check returns why ``read`` refuses a text, or an empty string if it accepts the text.
    """

    def check(text: str) -> str:
        try:
            read(text)
        except Misread as error:
            return f"cannot be read at character {error.at}: {error.reason}"
        return ""

    return check


def _tokens(text: str) -> list[Token]:
    if len(text) > MAX_LENGTH:
        limit = f"at most {MAX_LENGTH} characters can be read"
        raise Misread(MAX_LENGTH + 1, f"that is too long; {limit}")
    tokens = []
    for match in TOKENS.finditer(text):
        kind, at = str(match.lastgroup), match.start() + 1
        if kind == "other":
            raise Misread(at, f"{match.group()!r} has no meaning here")
        tokens.append(Token(kind, SYNONYMS.get(match.group(), match.group()), at))
    return tokens


class _Parser:
    """Recursive descent over the tokens of one text."""

    def __init__(self, tokens: list[Token], length: int) -> None:
        self._tokens = tokens
        self._end = Token("end", "", length + 1)
        self._next = 0
        self._depth = 0

    def parse_all(self) -> Tree:
        tree = self._parse_expression(0)
        if self._peek().kind != "end":
            self._fail("an operator such as + or *")
        return tree

    def _peek(self, ahead: int = 0) -> Token:
        """Return the next token, or the token ``ahead`` tokens after it; take none."""
        index = self._next + ahead
        return self._tokens[index] if index < len(self._tokens) else self._end

    def _take(self) -> Token:
        token = self._peek()
        self._next += 1
        return token

    def _expect(self, mark: str) -> None:
        """Take the next token, which must be this mark."""
        if self._peek().text != mark:
            self._fail(f"'{mark}'")
        self._take()

    def _fail(self, expected: str) -> NoReturn:
        token = self._peek()
        actual = f"found '{shorten(token.text)}'" if token.kind != "end" else "the text ends"
        raise Misread(token.at, f"expected {expected}, but {actual}")

    def _parse_expression(self, min_strength: int) -> Tree:
        """Parse an expression; end before an operator of strength ``min_strength`` or less."""
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise Misread(self._peek().at, "that is nested too deeply")
        left = self._parse_operand()
        while STRENGTH.get(self._peek().text, 0) > min_strength:
            token = self._take()
            strength = STRENGTH[token.text]
            # 2^3^2 is 2^(3^2), but 1 - 2 - 3 is (1 - 2) - 3.
            right = self._parse_expression(strength - 1 if token.text == "^" else strength)
            left = Binary(token.text, left, right, at=token.at)
        self._depth -= 1
        return left

    def _parse_operand(self) -> Tree:
        token = self._peek()
        if token.kind == "number":
            self._take()
            value = float(token.text)
            if math.isinf(value):
                raise Misread(token.at, f"{shorten(token.text)} is too large")
            return Number(value, at=token.at)
        if token.kind == "name":
            self._take()
            return (
                self._parse_call(token)
                if self._peek().text == "("
                else Name(token.text, at=token.at)
            )
        if token.text == "(":
            self._take()
            inner = self._parse_expression(0)
            self._expect(")")
            return inner
        if token.text == "-":
            self._take()
            return Minus(self._parse_expression(SIGN_STRENGTH), at=token.at)
        self._fail("a number, a name or '('")

    def _parse_call(self, token: Token) -> Call:
        self._expect("(")
        arguments: list[tuple[str, Tree]] = []
        while self._peek().text != ")":
            if arguments:
                if self._peek().text != ",":
                    self._fail("',' or ')'")
                self._take()
            key = ""
            if self._peek().kind == "name" and self._peek(1).text == "=":
                key = self._take().text
                self._take()
            arguments.append((key, self._parse_expression(0)))
        self._take()
        return Call(token.text, tuple(arguments), at=token.at)


def write(tree: Tree, min_strength: int = 0) -> str:
    """Return a text with few parentheses from which :func:`parse` returns this tree.

    The whole text is in parentheses if its operator does not bind more tightly than
    ``min_strength``.
    """
    if isinstance(tree, Number):
        return f"{tree.value!r}".removesuffix(".0")
    if isinstance(tree, Name):
        return tree.name
    if isinstance(tree, Call):
        arguments = (
            f"{key}={write(value)}" if key else write(value) for key, value in tree.arguments
        )
        return f"{tree.name}({', '.join(arguments)})"
    if isinstance(tree, Minus):
        return _parenthesise(
            f"-{write(tree.operand, SIGN_STRENGTH)}", min_strength >= SIGN_STRENGTH
        )
    assert isinstance(tree, Binary)
    strength = STRENGTH[tree.sign]
    is_right_associative = tree.sign == "^"
    left = write(tree.left, strength if is_right_associative else strength - 1)
    right = write(tree.right, strength - 1 if is_right_associative else strength)
    gap = "" if is_right_associative else " "
    return _parenthesise(f"{left}{gap}{tree.sign}{gap}{right}", strength <= min_strength)


def _parenthesise(text: str, is_needed: bool) -> str:
    return f"({text})" if is_needed else text
