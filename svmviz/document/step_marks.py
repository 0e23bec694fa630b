"""What the user marks in a run: a range of steps to play round and round, and names of steps."""

from __future__ import annotations

from dataclasses import dataclass, replace

from solvers.errors import BadInput

# Maximum number of named steps, and of characters of a name.
MAX_BOOKMARKS, MAX_NAME = 100, 60


@dataclass(frozen=True)
class StepMarks:
    """A loop and bookmarks. A race counts them in the steps of its lanes.

    Attributes
    ----------
    loop : (int, int) or None
        First and last step of the range.
    bookmarks : tuple of (int, str)
        Steps and their names, ascending.
    """

    loop: tuple[int, int] | None = None
    bookmarks: tuple[tuple[int, str], ...] = ()

    def __post_init__(self) -> None:
        if self.loop is not None and not 0 <= self.loop[0] < self.loop[1]:
            raise BadInput("A loop begins before the step at which it ends.")
        if len(self.bookmarks) > MAX_BOOKMARKS:
            raise BadInput(f"There are at most {MAX_BOOKMARKS} bookmarks.")

    def looped_from(self, step: int, length: int) -> StepMarks:
        """Return the marks with a loop that begins at a step of a run with ``length`` steps."""
        end = self.loop[1] if self.loop is not None and self.loop[1] > step else length
        return replace(self, loop=(step, end))

    def looped_to(self, step: int) -> StepMarks:
        """Return the marks with a loop that ends at a step."""
        begin = self.loop[0] if self.loop is not None and self.loop[0] < step else 0
        return replace(self, loop=(begin, step))

    def loop_within(self, length: int) -> tuple[int, int] | None:
        """Return the part of the loop that a run of ``length`` steps has; None without one."""
        if self.loop is None or self.loop[0] >= length:
            return None
        return self.loop[0], min(self.loop[1], length)

    def named(self, step: int, name: str) -> StepMarks:
        """Return the marks with a name for a step; an empty one removes it."""
        names = dict(self.bookmarks)
        names.pop(step, None)
        name = " ".join(name.split())[:MAX_NAME].strip()
        return replace(
            self, bookmarks=tuple(sorted((names | ({step: name} if name else {})).items()))
        )

    def name_of(self, step: int) -> str:
        """Return the name of a step, or an empty text."""
        return dict(self.bookmarks).get(step, "")

    def beside(self, step: int, direction: int) -> int | None:
        """Return the next named step, or the one before (``direction`` -1); None without one."""
        ahead = [named for named, _ in self.bookmarks if (named - step) * direction > 0]
        return min(ahead, key=lambda named: abs(named - step), default=None)
