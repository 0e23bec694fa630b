"""The test parts that the user has opened. Undo does not close them, since they were seen."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from solvers.data.datasets import PointSet
from svmviz.document.document import Document


class Openings:
    """The test parts that were opened, each with all points from which it was drawn.

    If a test part contains one of these points, its error may be biased, since the model may have
    been chosen by that point. So a test part drawn from the same points counts as seen, too.

    Parameters
    ----------
    document : Document
        The document at the start; its test part may have been seen already.
    """

    def __init__(self, document: Document) -> None:
        self._seen: list[PointSet] = []
        # The test error at the opening of each test part.
        self._risks: dict[PointSet, float | None] = {}
        held_out = document.held_out
        if held_out is not None and held_out.seen:
            self._note(document, held_out.at_opening)

    def open(self, document: Document, risk: float | None) -> Document:
        """Return the document with its test part marked as seen, if it has one.

        ``risk`` is the test error of the model at this moment; None if it is not known.
        """
        held_out = document.held_out
        if held_out is None or held_out.seen or not len(held_out.test):
            return document
        self._note(document, risk)
        return self.marked(document)

    def marked(self, document: Document) -> Document:
        """Return the document, with its test part marked as seen if one of its points was seen."""
        held_out = document.held_out
        if held_out is None or not len(held_out.test):
            return document
        test = held_out.test
        seen = held_out.seen or any(_have_common(test, data) for data in self._seen)
        at_opening = self._risks.get(test) if seen else None
        if (seen, at_opening) == (held_out.seen, held_out.at_opening):
            return document
        return replace(document, held_out=replace(held_out, seen=seen, at_opening=at_opening))

    def _note(self, document: Document, risk: float | None) -> None:
        assert document.held_out is not None
        self._seen.append(document.all_points)
        self._risks[document.held_out.test] = risk


def _have_common(one: PointSet, other: PointSet) -> bool:
    """Return whether a point is in both sets."""
    # As complex numbers, because ``np.isin`` compares single numbers.
    here, there = (data.points[:, 0] + 1j * data.points[:, 1] for data in (one, other))
    return bool(np.isin(here, there).any())
