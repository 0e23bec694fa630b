"""Comparison of states of methods."""

from typing import Any


def same_state(a: Any, b: Any) -> bool:
    """Return whether two states are bitwise equal."""
    return all(x.tobytes() == y.tobytes() for x, y in zip(a, b, strict=True))
