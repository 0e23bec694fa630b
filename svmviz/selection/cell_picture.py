"""A small picture of the model of one cell of a map, trained on all training points."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from solvers import solve
from solvers.problem.expansion import Expansion
from solvers.selection.memory import Memory
from svmviz.document.document import Document
from svmviz.frames.decision_field import make_field
from svmviz.frames.frame import Field
from svmviz.frames.viewport import Viewport
from svmviz.selection.background_search import Job

# Number of nodes along the longer side of the grid on which f is evaluated.
NODES = 96


@dataclass(frozen=True, eq=False)
class CellPicture:
    """The solution of the document of a cell: the window's document with the cell's parameters.

    Attributes
    ----------
    document : Document
        The document of the cell.
    viewport : Viewport
        The section of the plane in which f is computed.
    field : Field
        The decision function f on a grid, with its contours.
    expansion : Expansion
        The solution.
    sentence : str
        A sentence on how the run ended.
    """

    document: Document
    viewport: Viewport
    field: Field
    expansion: Expansion
    sentence: str

    @property
    def support(self) -> np.ndarray:
        """Whether each point is a support vector, shape (n,)."""
        return self.expansion.beta != 0.0


def picture_job(document: Document, viewport: Viewport, earlier: CellPicture | None = None) -> Job:
    """Return the job that solves a document; its only result is a :class:`CellPicture`.

    ``earlier`` is a picture of the same document in another viewport, if there is one. The job then
    uses its solution.
    """

    def begin(_memory: Memory) -> Iterator[CellPicture]:
        problem = document.problem()
        with np.errstate(all="ignore"):
            if earlier is None:
                run = solve(problem, document.method)
                expansion, sentence = run.expansion, run.stop.sentence if run.stop else ""
            else:
                expansion, sentence = earlier.expansion, earlier.sentence
            field = make_field(problem, expansion, document.factors, viewport.grid(NODES))
        yield CellPicture(document, viewport, field, expansion, sentence)

    return Job(begin, 1)
