"""The process that compiles for another one."""

from __future__ import annotations

from collections.abc import Sequence


def wait_for(names: Sequence[str], cancellable: bool = True) -> None:
    """Return when the machine code of these functions is kept; at once where no helper is used."""
