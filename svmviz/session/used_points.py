"""The points that the models of this session have used, and the test parts that were opened.

Undo takes neither back, since models and the user cannot unsee points.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace

from solvers.data.datasets import PointSet
from svmviz.document.document import Document
from svmviz.document.held_out import TEST


class UsedPoints:
    """The points that models of this session have used, which a test part must not have.

    The models of each shown document are trained on its training points. The user compares them on
    its validation points, and on its test points once they are shown. If such a point is in a test
    part later, or in one that undo restores, the error on that part may be biased.

    Parameters
    ----------
    document : Document
        The document at the start.
    """

    def __init__(self, document: Document) -> None:
        self._used: set[complex] = set()
        # For each opened test part, the test error at the moment when it was opened.
        self._errors: dict[Hashable, float | None] = {}
        # The test parts that were opened, with the points that a machine leaves out.
        self._opened: set[Hashable] = set()
        self._recorded: PointSet | None = None
        held_out = document.held_out
        if held_out is not None and held_out.seen:
            self._errors[key_of(held_out.test)] = held_out.at_opening
            self._opened.add(_test_part(document))
        self.record(document)

    def record(self, document: Document) -> None:
        """Remember the points that the models of a document use."""
        if document.data is not self._recorded:
            self._recorded = document.data
            self._used |= _places(document.data)
        held_out = document.held_out
        if held_out is not None:
            self._used |= _places(held_out.validation)
            if held_out.seen or held_out.used:
                self._used |= _places(held_out.test)

    def mark(self, document: Document) -> Document:
        """Return the document, with its test part marked as seen or used if it is."""
        held_out = document.held_out
        if held_out is None or not len(held_out.test):
            return document
        test = held_out.test
        at_opening = self._errors.get(key_of(test))
        seen = held_out.seen or _test_part(document) in self._opened
        used = held_out.used or (not seen and self._has_used(document, test))
        if (seen, used, at_opening) == (held_out.seen, held_out.used, held_out.at_opening):
            return document
        marked = replace(held_out, seen=seen, used=used, at_opening=at_opening)
        return replace(document, held_out=marked)

    def open(self, document: Document, risk: float | None) -> Document:
        """Return the document with its test part marked as seen, if it has one.

        ``risk`` is the test error of the model at this moment; None if it is not known.
        """
        held_out = document.held_out
        if held_out is None or held_out.seen or not len(held_out.test):
            return document
        self._errors[key_of(held_out.test)] = None if held_out.used else risk
        self._opened.add(_test_part(document))
        opened = self.mark(document)
        self.record(opened)
        return opened

    def _has_used(self, document: Document, test: PointSet) -> bool:
        """Return whether a model has used a test point.

        A test point that equals a training point of the same document does not count.
        """
        used = self._used & _places(test)
        return bool(used) and not used <= _places(document.data)


def _test_part(document: Document) -> Hashable:
    """Return the key of the test points of all classes."""
    return key_of(document.all_points.at(document.parts == TEST))


def key_of(data: PointSet) -> Hashable:
    """Return what two sets of points share if they differ in their names alone."""
    return data.points.tobytes(), data.labels.tobytes(), data.items


def _places(data: PointSet) -> set[complex]:
    return set((data.points[:, 0] + 1j * data.points[:, 1]).tolist())
