"""The exception that the library raises for bad input, and functions that quote foreign text.

The message of the exception may quote foreign text: from a file, the clipboard or the command line.
The functions of this module put such text on one line, shorten it, and escape its unprintable
characters.
"""

from __future__ import annotations

from pathlib import PurePath
from typing import Any

# In a message, the maximum lengths of quoted text and of the path of a file, in characters.
MAX_QUOTED, MAX_PATH = 60, 200


class BadInput(ValueError):
    """Input that cannot be used; the message is one sentence that says what is wrong and where.

    The message is always on one line and has no control characters.
    """

    def __init__(self, message: str) -> None:
        super().__init__(visible(message))


def visible(text: str) -> str:
    r"""Return text on one line, with an escape such as ``\x1b`` for unprintable characters."""
    if text.isprintable():
        return text
    # Only unprintable characters are passed to repr, since it also escapes backslashes and quotes.
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def shorten(text: str, max_length: int = MAX_QUOTED) -> str:
    """Return :func:`visible` text; if it has over ``max_length`` characters, its end is cut off."""
    # The text is cut before it is escaped, since escaping a long text takes long.
    result = visible(text[: max_length + 1])
    return result if len(result) <= max_length else result[: max_length - 3] + "..."


def quote(text: str) -> str:
    """Return foreign text in quotation marks, visible and shortened."""
    return f'"{shorten(text)}"'


def short_repr(value: Any) -> str:
    """Return the repr of a value, shortened."""
    # A long text is cut before repr is called, since the repr of a long text takes long.
    return shorten(repr(value[: MAX_QUOTED + 1] if isinstance(value, str) else value))


def short_path(path: str | PurePath) -> str:
    """Return the path of a file; a long path is cut at its start, since the name is at its end."""
    text = visible(str(path)[-MAX_PATH - 1 :])
    return text if len(text) <= MAX_PATH else "..." + text[3 - MAX_PATH :]
