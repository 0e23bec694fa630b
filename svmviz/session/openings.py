"""The test parts that the user has opened, which shows their points.

Undo does not close a test part, since the user cannot unsee its points.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from solvers.data.datasets import PointSet
from svmviz.document.document import Document


class Openings:
    """The test parts that the user has opened, each with all points of its document.

    A model that is chosen after a test part was opened may depend on these points. So the error on
    any other test part that contains one of these points may be biased. Such a test part counts as
    seen, too.

    Parameters
    ----------
    document : Document
        The document at the start; its test part may have been seen already.
    """

    def __init__(self, document: Document) -> None:
        # All points of each document whose test part was opened.
        self._seen_points: list[PointSet] = []
        # For each opened test part, the test error at the moment when it was opened.
        self._errors: dict[PointSet, float | None] = {}
        held_out = document.held_out
        if held_out is not None and held_out.seen:
            self._record(document, held_out.at_opening)

    def open(self, document: Document, risk: float | None) -> Document:
        """Return the document with its test part marked as seen, if it has one.

        ``risk`` is the test error of the model at this moment; None if it is not known.
        """
        held_out = document.held_out
        if held_out is None or held_out.seen or not len(held_out.test):
            return document
        self._record(document, risk)
        return self.mark_seen(document)

    def mark_seen(self, document: Document) -> Document:
        """Return the document, with its test part marked as seen if one of its points was seen."""
        held_out = document.held_out
        if held_out is None or not len(held_out.test):
            return document
        test = held_out.test
        seen = held_out.seen or any(_share_a_point(test, data) for data in self._seen_points)
        at_opening = self._errors.get(test) if seen else None
        if (seen, at_opening) == (held_out.seen, held_out.at_opening):
            return document
        return replace(document, held_out=replace(held_out, seen=seen, at_opening=at_opening))

    def _record(self, document: Document, risk: float | None) -> None:
        assert document.held_out is not None
        self._seen_points.append(document.all_points)
        self._errors[document.held_out.test] = risk


def _share_a_point(first: PointSet, second: PointSet) -> bool:
    """Return whether a point is in both sets."""
    # ``np.isin`` compares single numbers, so each point is made one complex number.
    x, z = (data.points[:, 0] + 1j * data.points[:, 1] for data in (first, second))
    return bool(np.isin(x, z).any())
