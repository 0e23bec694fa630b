"""The recording of a run: fixed segments, each a keyframe and the steps that follow it.

One thread writes, any number read. A segment is allocated once and never moves; the writer fills
it and then publishes the new length, and readers look only below the length. The state at any
step is the keyframe of its segment and the same deterministic steps again: bitwise what the
solver had, because it is the same compiled code on the same bits. Nothing is ever undone by
subtracting, which would lose the exact zeros.
"""

from __future__ import annotations

from typing import Any

import numpy as np

# Marks of a step, one byte each, written by the step itself.
SUPPORT_CHANGED = 1
SWEEP_STARTED = 2


class Segment:
    """A keyframe and room for ``size`` steps after it.

    Attributes
    ----------
    state : NamedTuple of arrays
        The method's raw state before the first step; never written again.
    events : structured array, shape (size,), or (1,) for methods that are re-run instead
    marks : uint8 array, shape (size,)
    seconds : float
        Solving time, without compiling, when the segment began.
    evaluations : int
        Kernel values asked for until then.
    """

    def __init__(
        self, state: Any, events: np.ndarray, size: int, seconds: float, evaluations: int
    ) -> None:
        self.state = state
        self.events = events
        self.marks = np.zeros(size, dtype=np.uint8)
        self.seconds = seconds
        self.evaluations = evaluations


class Trace:
    """Steps of one run, append-only.

    Parameters
    ----------
    event_dtype : numpy dtype
        One record a step.
    size : int
        Steps in a segment.
    records : bool
        Whether each step's event is kept (else it is had again by re-running).
    """

    def __init__(self, event_dtype: np.dtype, size: int, records: bool) -> None:
        self.size = size
        self._dtype = event_dtype
        self._records = records
        self._segments: list[Segment] = []
        self._length = 0
        self._seconds = 0.0
        self._evaluations = 0
        self.bytes = 0

    @property
    def length(self) -> int:
        """Number of published steps."""
        return self._length

    @property
    def segments(self) -> int:
        """Number of segments, each with a keyframe."""
        return len(self._segments)

    @property
    def seconds(self) -> float:
        """Solving time of the published steps."""
        return self._seconds

    def room(self, state: Any) -> tuple[Segment, int]:
        """The segment to write next and the first free place in it.

        A full (or the first) segment makes a new one, with a copy of ``state`` as its keyframe.
        """
        place = self._length % self.size
        if self._length == len(self._segments) * self.size:
            events = np.zeros(self.size if self._records else 1, dtype=self._dtype)
            segment = Segment(
                copy_state(state), events, self.size, self._seconds, self._evaluations
            )
            self._segments.append(segment)
            self.bytes += events.nbytes + segment.marks.nbytes
            self.bytes += sum(array.nbytes for array in segment.state)
        return self._segments[-1], place

    def publish(self, steps: int, seconds: float, evaluations: int) -> None:
        """Let readers see ``steps`` more steps that took ``seconds``.

        ``evaluations`` is the number of kernel values asked for since the start.
        """
        self._seconds += seconds
        self._evaluations = evaluations
        self._length += steps

    def segment(self, index: int) -> Segment:
        """Segment number ``index``; its keyframe is the state after ``index * size`` steps."""
        return self._segments[index]

    def has_keyframe(self, step: int) -> bool:
        """Whether the state after ``step`` steps is kept as it was."""
        return step % self.size == 0 and step // self.size < len(self._segments)

    def first_of_segment(self, step: int) -> int:
        """The first step of the segment that a step is in: right after its keyframe; 0 for 0."""
        return (step - 1) // self.size * self.size + 1 if step > 0 else 0

    def event(self, step: int) -> np.void | None:
        """The record of step ``step`` (1 is the first), if records are kept."""
        if not self._records:
            return None
        return self._segments[(step - 1) // self.size].events[(step - 1) % self.size]

    def marks(self, start: int, stop: int) -> np.ndarray:
        """Marks of steps ``start + 1`` to ``stop``, shape (stop - start,)."""
        stop = min(stop, self._length)
        pieces = []
        while start < stop:
            place = start % self.size
            count = min(self.size - place, stop - start)
            pieces.append(self._segments[start // self.size].marks[place : place + count])
            start += count
        return np.concatenate(pieces) if pieces else np.zeros(0, dtype=np.uint8)

    def next_marked(self, step: int, mark: int) -> int | None:
        """The first step after ``step`` that carries a mark, or None if none has so far."""
        start = step
        while start < self._length:
            stop = min(self._length, (start // self.size + 1) * self.size)
            found = np.flatnonzero(self.marks(start, stop) & mark)
            if len(found):
                return start + int(found[0]) + 1
            start = stop
        return None

    def seconds_at_step(self, step: int) -> float:
        """Solving time up to a step, between keyframes by proportion."""
        index, part = self._place(step)
        begin = self._segments[index].seconds
        later = index + 1 < len(self._segments)
        end = self._segments[index + 1].seconds if later else self._seconds
        return begin + (end - begin) * part

    def evaluations_at_step(self, step: int) -> int:
        """Kernel values asked for up to a step, between keyframes by proportion."""
        index, part = self._place(step)
        begin = self._segments[index].evaluations
        later = index + 1 < len(self._segments)
        end = self._segments[index + 1].evaluations if later else self._evaluations
        return begin + int((end - begin) * part)

    def _place(self, step: int) -> tuple[int, float]:
        """The segment of a step, and which part of its steps have been taken there."""
        index = min(step // self.size, len(self._segments) - 1)
        first = index * self.size
        last = min(self._length, first + self.size)
        return index, (step - first) / max(1, last - first)


def copy_state(state: Any) -> Any:
    """A copy of a NamedTuple of arrays."""
    return type(state)(*(array.copy() for array in state))


def same_state(a: Any, b: Any) -> bool:
    """Whether two states are bitwise equal."""
    return all(x.tobytes() == y.tobytes() for x, y in zip(a, b, strict=True))
