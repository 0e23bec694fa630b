"""The recording of a run: segments, each with a keyframe and the records of the following steps.

A keyframe is a copy of the state before the first step of its segment. A replay computes any later
state of the segment by taking the same steps again. The result equals the solver's state bit for
bit, because the same compiled code works on the same bits. Steps are never undone by subtraction,
because rounding would turn exact zeros into small numbers.

One thread writes, and any number of threads read. A segment is allocated once and never moves. The
writer writes steps into it, and then publishes the new number of steps, the length of the trace.
Readers read only published steps.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import Any

import numpy as np

from solvers.run.records import copy_array

# Memory budget for a million steps, in bytes.
MILLION_STEPS_BYTES = 100_000_000
# If a segment of full length would need more kernel evaluations than this, the next segment is
# shorter, unless that would exceed the memory budget. This bounds the time of a replay, which takes
# half the steps of a segment on average. The limit is not a time, so that a run has the same
# segments on every machine.
MAX_SEGMENT_EVALUATIONS = 25_000_000
# Marks of a step: the bits of one byte, which the compiled step sets. SUPPORT_CHANGED: a point
# became a support vector or ceased to be one. SWEEP_STARTED: a sweep over the points began.
SUPPORT_CHANGED = 1
SWEEP_STARTED = 2


@dataclass(eq=False)
class Segment:
    """Up to ``size`` successive steps: their records, and the state before them as a keyframe.

    Attributes
    ----------
    first : int
        Number of steps before the segment.
    state : NamedTuple of arrays
        The method's raw state before the first step; never written again.
    events : structured array, shape (size,), or (1,) if records are not kept
        The records of the steps: what :meth:`solvers.run.method.Method.advance` writes per step.
    marks : uint8 array, shape (size,)
        The marks of each step: sums of SUPPORT_CHANGED and SWEEP_STARTED.
    seconds : float
        Solving time before the segment, in seconds, without compiling.
    evaluations : int
        Kernel evaluations before the segment.
    """

    first: int
    state: Any
    events: np.ndarray
    marks: np.ndarray
    seconds: float
    evaluations: int


class Trace:
    """The recorded steps of one run; new steps are appended.

    Parameters
    ----------
    event_dtype : numpy dtype
        Type of the record of one step.
    size : int
        Maximum number of steps per segment; segments of expensive steps are shorter.
    keeps_events : bool
        Whether each step's record is kept. Otherwise a replay computes it again.
    """

    def __init__(self, event_dtype: np.dtype, size: int, keeps_events: bool) -> None:
        self.size = size
        # Minimum number of steps per segment. The first segment has this number, so that the cost
        # of a step is known early.
        self._min_size = size // 8 if size >= 512 else size
        # The attribute `first` of each segment.
        self._firsts: list[int] = []
        self._dtype = event_dtype
        self._keeps_events = keeps_events
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
        """Solving time of the published steps, in seconds."""
        return self._seconds

    def writable_segment(self, state: Any) -> tuple[Segment, int]:
        """Return the segment for the next steps, and the number of steps already written into it.

        If there is no segment, or the last one is full, a new segment begins, with a copy of
        ``state`` as its keyframe.
        """
        last = self._segments[-1] if self._segments else None
        if last is None or self._length == last.first + len(last.marks):
            keyframe = copy_state(state)
            size = self._next_size(sum(array.nbytes for array in keyframe))
            events = np.zeros(size if self._keeps_events else 1, dtype=self._dtype)
            marks = np.zeros(size, dtype=np.uint8)
            last = Segment(self._length, keyframe, events, marks, self._seconds, self._evaluations)
            self.bytes += events.nbytes + last.marks.nbytes
            self.bytes += sum(array.nbytes for array in keyframe)
            self._segments.append(last)
            # Appended last, since readers look segments up in this list.
            self._firsts.append(last.first)
        return last, self._length - last.first

    def _next_size(self, keyframe_bytes: int) -> int:
        """Return the number of steps of the next segment.

        It depends on the mean number of kernel evaluations of a step in the last segment, and on
        the memory that is left. ``keyframe_bytes`` is the size of a state in bytes.
        """
        if not self._segments:
            return self._min_size
        last, event_bytes = self._segments[-1], self._dtype.itemsize if self._keeps_events else 0
        bytes_per_step = keyframe_bytes / self.size + event_bytes + 1
        remaining_bytes = MILLION_STEPS_BYTES * max(1.0, self._length / 1e6) - self.bytes
        # Reserve memory for the steps up to a million, in segments of full length.
        remaining_bytes -= bytes_per_step * max(0.0, 1e6 - self._length)
        evaluations_per_step = (self._evaluations - last.evaluations) / len(last.marks)
        if (
            remaining_bytes < 2 * keyframe_bytes
            or evaluations_per_step * self.size <= MAX_SEGMENT_EVALUATIONS
        ):
            return self.size
        return max(self._min_size, int(MAX_SEGMENT_EVALUATIONS / evaluations_per_step))

    def publish(self, steps: int, seconds: float, evaluations: int) -> None:
        """Publish ``steps`` more steps, which took ``seconds``.

        ``evaluations`` is the number of kernel evaluations since the start of the run.
        """
        self._seconds += seconds
        self._evaluations = evaluations
        self._length += steps

    def scale_seconds(self, factor: float) -> None:
        """Multiply all recorded times by a factor."""
        for segment in self._segments:
            segment.seconds *= factor
        self._seconds *= factor

    def segment(self, index: int) -> Segment:
        """Return segment number ``index``."""
        return self._segments[index]

    def segment_of(self, step: int) -> Segment:
        """Return the segment from whose keyframe the state after ``step`` steps is replayed.

        It is the last segment with at most ``step`` steps before it.
        """
        return self._segments[bisect_right(self._firsts, step) - 1]

    def has_keyframe(self, step: int) -> bool:
        """Return whether the state after ``step`` steps is a keyframe."""
        return self.segment_of(step).first == step

    def first_of_segment(self, step: int) -> int:
        """Return the first step of the segment that contains a step; 0 for step 0.

        This step is the cheapest to replay, since it follows a keyframe. While a run advances at
        full speed, the window shows this step instead of the newest step.
        """
        return self.segment_of(step - 1).first + 1 if step > 0 else 0

    def event(self, step: int) -> np.void | None:
        """Return the record of step ``step`` (1 is the first); None if records are not kept."""
        if not self._keeps_events:
            return None
        segment = self.segment_of(step - 1)
        return segment.events[step - 1 - segment.first]

    def marks(self, start: int, stop: int) -> np.ndarray:
        """Return the marks of steps ``start + 1`` to ``stop``, shape (stop - start,)."""
        stop = min(stop, self._length)
        pieces = []
        while start < stop:
            segment = self.segment_of(start)
            piece = segment.marks[start - segment.first : stop - segment.first]
            pieces.append(piece)
            start += len(piece)
        return np.concatenate(pieces) if pieces else np.zeros(0, dtype=np.uint8)

    def next_marked(self, step: int, mark: int) -> int | None:
        """Return the first step after ``step`` that has a mark, or None."""
        start = step
        while start < self._length:
            segment = self.segment_of(start)
            stop = min(self._length, segment.first + len(segment.marks))
            marked = np.flatnonzero(self.marks(start, stop) & mark)
            if len(marked):
                return start + int(marked[0]) + 1
            start = stop
        return None

    def seconds_at_step(self, step: int) -> float:
        """Return the solving time up to a step in seconds, interpolated between keyframes."""
        index, fraction = self._locate(step)
        begin = self._segments[index].seconds
        has_next = index + 1 < len(self._segments)
        end = self._segments[index + 1].seconds if has_next else self._seconds
        return begin + (end - begin) * fraction

    def evaluations_at_step(self, step: int) -> int:
        """Return the kernel evaluations up to a step, interpolated between keyframes."""
        index, fraction = self._locate(step)
        begin = self._segments[index].evaluations
        has_next = index + 1 < len(self._segments)
        end = self._segments[index + 1].evaluations if has_next else self._evaluations
        return begin + int((end - begin) * fraction)

    def _locate(self, step: int) -> tuple[int, float]:
        """Return the index of the segment that contains step ``step + 1``, and a fraction.

        Of the segment's recorded steps, this fraction belongs to the first ``step`` steps of the
        run.
        """
        index = bisect_right(self._firsts, step) - 1
        first = self._firsts[index]
        last = min(self._length, first + len(self._segments[index].marks))
        return index, (step - first) / max(1, last - first)


class StartOnly(Trace):
    """A trace of the start and the number of steps, for runs whose steps are hardly ever read.

    New steps overwrite the old ones in the only segment, so the trace does not grow with the run,
    and no step has marks. A replay takes all steps from the start again.
    """

    def writable_segment(self, state: Any) -> tuple[Segment, int]:
        """Return the only segment, to be written from its beginning."""
        return (self._segments[0] if self._segments else super().writable_segment(state)[0]), 0

    def event(self, step: int) -> np.void | None:
        """Return None, since no records are kept."""
        return None

    def marks(self, start: int, stop: int) -> np.ndarray:
        """Return zeros, shape (stop - start,)."""
        return np.zeros(max(0, min(stop, self._length) - start), dtype=np.uint8)

    def next_marked(self, step: int, mark: int) -> int | None:
        """Return None, since no step has marks."""
        return None

    def _next_size(self, keyframe_bytes: int) -> int:
        return self.size

    def _locate(self, step: int) -> tuple[int, float]:
        return 0, step / max(1, self._length)


def copy_state(state: Any) -> Any:
    """Return a copy of a NamedTuple of arrays."""
    return type(state)(*map(copy_array, state))
