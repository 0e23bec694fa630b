"""A small picture of the model of one cell of a map, trained on all training points."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from solvers import solve
from solvers.problem.expansion import freeze
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
    field : Field
        The decision function f on a grid, with its contours.
    support : bool array, shape (n,)
        Whether a point is a support vector.
    sentence : str
        A sentence on how the run ended.
    """

    document: Document
    field: Field
    support: np.ndarray
    sentence: str


def picture_job(document: Document, viewport: Viewport) -> Job:
    """Return the job that solves a document; its only result is a :class:`CellPicture`."""

    def begin(_memory: Memory) -> Iterator[CellPicture]:
        problem = document.problem()
        with np.errstate(all="ignore"):
            run = solve(problem, document.method)
            field = make_field(problem, run.expansion, document.factors, viewport.grid(NODES))
        sentence = run.stop.sentence if run.stop else ""
        yield CellPicture(document, field, freeze(run.expansion.beta != 0.0), sentence)

    return Job(begin, 1)
