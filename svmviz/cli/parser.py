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
