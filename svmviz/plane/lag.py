"""How far the picture is behind the hand."""

from __future__ import annotations

from collections import deque

from svmviz.document import Document

# A frame may be behind for this long before the newest points are shown without it, s.
PATIENCE = 0.08


class Lag:
    """Remembers since when each document waits for its frame."""

    def __init__(self) -> None:
        self._waiting: deque[tuple[Document, float]] = deque()

    def ask(self, document: Document, now: float) -> None:
        """A document is shown, and its frame is to come."""
        self._waiting.append((document, now))

    def answer(self, document: Document) -> None:
        """A frame of a document came: nothing older is waited for."""
        known = [number for number, (asked, _) in enumerate(self._waiting) if asked is document]
        for _ in range(known[-1] + 1 if known else 0):
            self._waiting.popleft()

    def seconds(self, now: float) -> float:
        """How long the oldest document without a frame has waited; 0 if none does."""
        return now - self._waiting[0][1] if self._waiting else 0.0

    @property
    def behind(self) -> bool:
        """Whether any document waits."""
        return bool(self._waiting)
