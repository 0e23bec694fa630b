"""The curve that gives the probability of a class from f, for the shades of the plane."""

from __future__ import annotations

from dataclasses import dataclass

from solvers import BadInput, Method, Problem, Run
from solvers.selection.probability import Sigmoid, held_out_sigmoid
from svmviz.base.words import class_titles
from svmviz.document.document import Document
from svmviz.document.view_options import PROBABILITY, ViewOptions
from svmviz.frames.frame import Frame
from svmviz.frames.studies import Pending, SlowResult

# The key of the results in ``frame.studies``.
KEY = "plane:probability"
PENDING, FAILED = "Fitting the probability …", "The probability could not be fitted."


@dataclass(frozen=True)
class ProbabilityStudy:
    """The curve of a lane.

    Attributes
    ----------
    sigmoid : Sigmoid or None
    words : str
        Why there is no curve; empty if there is one.
    """

    sigmoid: Sigmoid | None
    words: str = ""


class ProbabilityStudyMaker:
    """A study (:mod:`svmviz.frames.studies`) that returns a :class:`ProbabilityStudy` per lane.

    The curve of a problem and a method is the same at all steps. While a point is dragged, it is
    that of before.
    """

    def __init__(self) -> None:
        self._slow = SlowResult()
        self._known: dict[tuple[Problem, Method], ProbabilityStudy] = {}
        self._last: tuple[ProbabilityStudy | Pending, ...] = ()

    def __call__(
        self, frame: Frame, _runs: tuple[Run, ...]
    ) -> tuple[ProbabilityStudy | Pending, ...]:
        if frame.temporary and len(self._last) == len(frame.lanes):
            return self._last
        names = class_titles(frame.document.data)
        keys = [(lane.problem, lane.method) for lane in frame.lanes]
        self._known = {key: self._known[key] for key in keys if key in self._known}
        missing = next((key for key in keys if key not in self._known), None)
        if missing is not None:
            found = self._slow.find(missing, lambda: _study_of(*missing, names), PENDING)
            if not isinstance(found, Pending):
                self._known[missing] = found or ProbabilityStudy(None, FAILED)
        self._last = tuple(self._known.get(key, Pending(PENDING)) for key in keys)
        return self._last


def _study_of(problem: Problem, method: Method, names: tuple[str, ...]) -> ProbabilityStudy:
    try:
        return ProbabilityStudy(held_out_sigmoid(problem, method, (names[0], names[1])))
    except BadInput as error:
        return ProbabilityStudy(None, str(error))


def is_shown(document: Document, options: ViewOptions) -> bool:
    """Return whether the plane is shaded by the probability."""
    is_binary = not document.is_regression and document.many is None
    is_chosen = options.field and options.shading == PROBABILITY
    return is_chosen and is_binary and document.has_coordinates


def probability_of(frame: Frame) -> ProbabilityStudy | None:
    """Return the result for the lane in focus, or None if it is not known yet."""
    results = frame.studies.get(KEY) or ()
    result = results[min(frame.focus, len(results) - 1)] if results else None
    return result if isinstance(result, ProbabilityStudy) else None
