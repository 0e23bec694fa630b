"""The one exception a caller of this library has to expect, and how it quotes foreign text.

Whatever a file, a clipboard or a command line holds may stand in a sentence: made visible, on one
line, and no longer than a sentence can bear.
"""

from __future__ import annotations

from pathlib import PurePath
from typing import Any

# Most characters of one quotation, and of the path of a file.
MAX_QUOTED, MAX_PATH = 60, 200


class BadInput(ValueError):
    """Input that cannot be used; the message is one sentence that says what is wrong and where.

    Whatever the message is made of, it is on one line and has no control characters.
    """

    def __init__(self, message: str) -> None:
        super().__init__(visible(message))


def visible(text: str) -> str:
    r"""Text on one line, with an escape such as ``\x1b`` for each character that does not print."""
    if text.isprintable():
        return text
    # The representation escapes what does not print; backslashes and quotes are meant as they are.
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def shorten(text: str, most: int = MAX_QUOTED) -> str:
    """Visible text of at most ``most`` characters, cut at its end."""
    # What is beyond cannot be seen, and escaping it may take long.
    shown = visible(text[: most + 1])
    return shown if len(shown) <= most else shown[: most - 3] + "..."


def quote(text: str) -> str:
    """Foreign text between quotation marks, as a sentence can bear it."""
    return f'"{shorten(text)}"'


def shown(value: Any) -> str:
    """Any value as Python writes it, cut to what a sentence can bear."""
    # The representation of a long text is long, too.
    return shorten(repr(value[: MAX_QUOTED + 1] if isinstance(value, str) else value))


def shown_path(path: str | PurePath) -> str:
    """The path of a file: its end, where it is too long, for there stands the name."""
    text = visible(str(path)[-MAX_PATH - 1 :])
    return text if len(text) <= MAX_PATH else "..." + text[3 - MAX_PATH :]
