"""Motion: whether it is reduced, and the time that a movement of a picture takes.

Pictures that move from one state to another ask `duration` for the time, or do not move if
`is_reduced` says so. Nothing else in the window moves by itself.
"""

from __future__ import annotations

_is_reduced = False


def is_reduced() -> bool:
    """Return whether pictures change at once."""
    return _is_reduced


def reduce(on: bool) -> None:
    """Set whether pictures change at once."""
    global _is_reduced
    _is_reduced = on


def duration(milliseconds: int) -> int:
    """Return the duration of a movement in ms: 0 if motion is reduced."""
    return 0 if _is_reduced else milliseconds
