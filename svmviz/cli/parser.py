"""An argument parser whose errors are one sentence."""

from __future__ import annotations

import argparse
import contextlib
import math
import sys
from collections.abc import Callable
from textwrap import wrap
from typing import Any, NoReturn

from svmviz.cli.streams import print_error

# The option of the type `Names`.
LIST_OPTION = "--classes"


class HelpFormatter(argparse.RawDescriptionHelpFormatter):
    """A formatter that keeps the line ends of an option's help, and wraps each line at spaces.

    Names such as "working-set" are not broken at their hyphens.
    """

    def _split_lines(self, text: str, width: int) -> list[str]:
        lines = [" ".join(line.split()) for line in text.splitlines()]
        return [part for line in lines for part in wrap(line, width, break_on_hyphens=False)]


class Parser(argparse.ArgumentParser):
    """A parser that accepts only complete option names, and fails with one line and exit code 2."""

    def __init__(self, **options: Any) -> None:
        super().__init__(allow_abbrev=False, formatter_class=HelpFormatter, **options)
        self._words: list[str] = []

    def _print_message(self, message: str, file: Any = None) -> None:
        # argparse ignores errors on writing the help; here they are raised.
        (file or sys.stderr).write(message)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse as usual, and keep the arguments, which :meth:`error` shortens in messages."""
        self._words = [str(word) for word in args or ()]
        args = None if args is None else with_lists(self._words)
        return super().parse_known_args(args, namespace)

    def error(self, message: str) -> NoReturn:
        # Imported late, because help and the version must be printed without delay.
        from solvers.errors import short_repr, shorten, visible

        # argparse repeats values in full length, with or without quotation marks.
        for word in sorted(self._words, key=len, reverse=True):
            if shorten(word) != word:
                message = message.replace(repr(word), short_repr(word)).replace(word, shorten(word))
        message = visible(message)
        print_error(" ".join(f"{self.prog}: {message.rstrip('.')}; see {self.prog} --help".split()))
        self.exit(2)


class Names(argparse.Action):
    """The type of ``LIST_OPTION``: two names, or a list with commas."""

    def __call__(self, _parser: Any, namespace: Any, values: Any, _option: Any = None) -> None:
        first, second = values
        names = values if second else [name.strip() for name in first.split(",")]
        setattr(namespace, self.dest, names)


def with_lists(words: list[str]) -> list[str]:
    """Return words in which an empty one follows a list of names.

    An option of argparse has a fixed number of values, or takes all words up to the next option. A
    list of two names is one only if no other word follows, since a name may have a comma.
    """
    result: list[str] = []
    for word, after in zip(words, [*words, "-"][1:], strict=True):
        name, equals, value = word.partition("=")
        if name == LIST_OPTION and equals:
            result.append(name)
            word = value
        result.append(word)
        is_list = word.count(",") > 1 or ("," in word and after.startswith("-"))
        if is_list and result[-2:-1] == [LIST_OPTION]:
            result.append("")
    return result


def number(text: str) -> float:
    """Parse a number, "inf" included, but not "nan"."""
    with contextlib.suppress(ValueError):
        value = float(text)
        if math.isinf(value) and any(map(str.isdigit, text)):
            raise argparse.ArgumentTypeError(f"{text!r} is beyond double precision")
        if not math.isnan(value):
            return value
    raise argparse.ArgumentTypeError(f"{text!r} is not a number")


def whole_number(text: str) -> int:
    """Parse a whole number, which may be written as 1e5."""
    value = number(text)
    if not value.is_integer():
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number")
    return int(value)


def within(
    read: Callable[[str], float], low: float, high: float, refusal: str
) -> Callable[[str], Any]:
    """Return a reader that refuses numbers beyond the limits; ``refusal`` says what they are."""

    def read_within(text: str) -> float:
        value = read(text)
        if not low <= value <= high:
            raise argparse.ArgumentTypeError(refusal)
        return value

    return read_within
