"""The picture of the plane in words, for people who cannot see it."""

from __future__ import annotations

from solvers.problem.certificate import BOUND, FREE
from svmviz.base.kinds import kinds_of
from svmviz.base.words import class_titles, count, number
from svmviz.frames.frame import Frame
from svmviz.frames.part_risks import error_sentence
from svmviz.plane.decision_study import machine_words
from svmviz.plane.sentences import street_width


def plane_in_words(frame: Frame, brief: bool = False) -> str:
    """Return points, step, boundary, margin, support vectors and errors as sentences.

    If ``brief``, return only points and step, because a lesson asks for the rest.
    """
    document, lane = frame.document, frame.lane
    sentences = [_points(frame)]
    if lane is None:
        return " ".join(sentences + [frame.trouble] * bool(frame.trouble))
    certificate = lane.certificate
    kernel = document.kernel.label
    shape = "Curve of the regression" if document.is_regression else "Boundary"
    sentences.append(
        f"Step {count(lane.step)} of {count(lane.length)}. {shape} of {lane.method.label} with the "
        f"kernel {kernel}."
    )
    if brief:
        return " ".join(sentences)
    width = street_width(document, lane)
    if width is not None:
        where = "" if lane.expansion.w is not None else " in the feature space"
        sentences.append(f"The street between f = −1 and f = +1 is {number(width)} wide{where}.")
    free, bound = (int((certificate.kinds == kind).sum()) for kind in (FREE, BOUND))
    kinds = kinds_of(lane.certified_problem)
    sentences.append(
        f"{count(free + bound)} support vectors, {count(bound)} of them {kinds.at_bound}."
    )
    sentences.append(error_sentence(document, lane, machine_words(frame, with_name=True)))
    return " ".join(sentences)


def _points(frame: Frame) -> str:
    data = frame.document.data
    if frame.document.is_regression or not len(data.labels):
        return f"{count(len(data.labels))} points."
    negative, positive = class_titles(data)
    left_out = len(frame.document.left_out)
    others = f" The machine leaves out {count(left_out)} points." if left_out else ""
    return (
        f"{count(len(data.labels))} points: {count(int((data.labels > 0).sum()))} of class "
        f"{positive}, {count(int((data.labels < 0).sum()))} of class {negative}.{others}"
    )
