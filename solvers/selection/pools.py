"""Where fits run: in the calling thread, or in threads or processes of a pool."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

Function = Callable[[Any, Any], Any]


class Pool(Protocol):
    """Runs a function on many items; all pools give the same results, in another order."""

    def run(
        self, function: Function, shared: Any, items: Sequence[Any]
    ) -> Iterator[tuple[int, Any]]:
        """Yield index and ``function(shared, item)`` of each item as it is done.

        Closing the iterator drops what has not begun.
        """
        ...


class Serial:
    """The calling thread, one item after the other."""

    def run(
        self, function: Function, shared: Any, items: Sequence[Any]
    ) -> Iterator[tuple[int, Any]]:
        for index, item in enumerate(items):
            yield index, function(shared, item)


SERIAL = Serial()
