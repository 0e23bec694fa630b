"""An argument parser that refuses in one sentence."""

from __future__ import annotations

import argparse
import contextlib
import math
import sys
from typing import Any, NoReturn

from svmviz.cli.streams import complain


class Parser(argparse.ArgumentParser):
    """Takes whole option names only, and tells what is wrong in one line with exit code 2."""

    def __init__(self, **options: Any) -> None:
        super().__init__(
            allow_abbrev=False, formatter_class=argparse.RawDescriptionHelpFormatter, **options
        )

    def _print_message(self, message: str, file: Any = None) -> None:
        # argparse keeps it to itself if the help cannot be written.
        (file or sys.stderr).write(message)

    def error(self, message: str) -> NoReturn:
        # On one line, whatever was typed.
        complain(" ".join(f"{self.prog}: {message.rstrip('.')}; see {self.prog} --help".split()))
        self.exit(2)


def number(text: str) -> float:
    """A number, "inf" included, but not "nan"."""
    with contextlib.suppress(ValueError):
        value = float(text)
        if not math.isnan(value):
            return value
    raise argparse.ArgumentTypeError(f"{text!r} is not a number")


def whole(text: str) -> int:
    """A whole number, also written as 1e5."""
    value = number(text)
    if not value.is_integer():
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number")
    return int(value)
