"""Edits of the split into training, validation and test part; each returns a new document.

The parts are drawn by :mod:`solvers.selection.splits`. So the same points, fractions and seed give
the same parts as ``svmviz select``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from solvers import BadInput
from solvers.data.datasets import PointSet
from solvers.selection.splits import Classes, Split, Targets, hold_out_split, three_part_split
from svmviz.document.document import Document
from svmviz.document.held_out import (
    TEST,
    TRAINING,
    VALIDATION,
    HeldOut,
    Shares,
    rows_of,
)
from svmviz.document.limits import check_number
from svmviz.document.many_classes import ManyClasses

# Minimum number of fresh test points: the standard error of their test error is then at most
# sqrt(0.25 / 200) = 0.035.
MIN_FRESH = 200


def joined(document: Document) -> Document:
    """Return the document with all points in the training part."""
    data = document.all_points
    return with_parts(document, data, np.zeros(len(data), dtype=np.int8), None)


def split(document: Document, shares: Shares) -> Document:
    """Return the document with all its points divided into new parts at random.

    Parameters
    ----------
    document : Document
    shares : Shares
        If both fractions are 0, no point is held out.

    Raises
    ------
    BadInput
        If a part would be empty, or the training part would have one class only.
    """
    unsplit, old, data = joined(document), document.held_out, document.all_points
    if not (shares.validation or shares.test):
        return unsplit
    drawn = _draw(unsplit, shares)
    parts = np.full(len(data), TRAINING, dtype=np.int8)
    parts[drawn.validation], parts[drawn.test] = VALIDATION, TEST
    if old:
        # ``seen`` is kept, because another split does not hide points that the user has seen.
        template = replace(old, at_opening=None, tuned=None)
    else:
        template = HeldOut.empty(data)
    return with_parts(document, data, parts, replace(template, shares=shares))


def split_alike(document: Document, before: Document) -> Document:
    """Return ``document``, which has new points, split with the same shares as ``before``.

    If the points cannot be split in this way, no point is held out.
    """
    if before.held_out is None:
        return document
    unsplit = replace(document, held_out=None)
    try:
        return split(unsplit, before.held_out.shares)
    except BadInput:
        return unsplit


def rows_of_points(
    document: Document, training: Iterable[int], held_out: Iterable[int]
) -> np.ndarray:
    """Return the indices of some points in ``Document.all_points``, training points first.

    The arguments are those of `moved_to`.
    """
    return np.concatenate(
        [
            document.editable_rows[np.array(sorted(training), dtype=int)],
            document.held_out_rows[np.array(sorted(held_out), dtype=int)],
        ]
    )


def moved_to(
    document: Document, part: int, training: Iterable[int], held_out: Iterable[int] = ()
) -> Document:
    """Return the document with some points in another part.

    Parameters
    ----------
    document : Document
    part : int
        TRAINING, VALIDATION or TEST.
    training, held_out : iterables of int
        Indices of points, which are numbered as in ``Document.editable_rows`` and
        ``Document.held_out_rows``.
    """
    moved = document.parts.copy()
    moved[rows_of_points(document, training, held_out)] = part
    data = document.all_points
    template = document.held_out or HeldOut.empty(data, shares=Shares(test=0.0))
    return with_parts(document, data, moved, template)


def with_fresh_test(document: Document, tuned: float | None) -> Document:
    """Return the document with fresh points of its source as its test part.

    The old test points are removed. The training points stay, and so does the solution.

    Parameters
    ----------
    document : Document
    tuned : float or None
        The error on the old test part, stored for comparison with the error on the new one.

    Raises
    ------
    BadInput
        If the source is unknown, or has no fresh points; or if the document would have more points
        than the window can show.
    """
    old = document.held_out
    if old is None or document.source is None:
        raise BadInput("New test points need a source: generate the points, and then split them.")
    if not document.source.is_random:
        raise BadInput(
            f"{document.source.title} has no new points: another seed draws from another "
            "distribution."
        )
    source = document.source.after()
    drawn = source.draw(max(len(old.test), MIN_FRESH))
    is_kept = document.parts != TEST
    check_number(int(is_kept.sum()) + len(drawn), "new test points")
    data = document.all_points
    all_points = replace(
        data,
        points=np.vstack([data.points[is_kept], drawn.points]),
        labels=np.concatenate([data.labels[is_kept], drawn.labels]),
    )
    parts = np.concatenate([document.parts[is_kept], np.full(len(drawn), TEST, dtype=np.int8)])
    template = replace(old, seen=False, used=False, at_opening=None, tuned=tuned)
    return with_parts(replace(document, source=source), all_points, parts, template)


def with_all_points(document: Document, data: PointSet) -> Document:
    """Return the document with other coordinates or labels of all its points, in the same parts."""
    return with_parts(document, data, document.parts, document.held_out)


def with_parts(
    document: Document, data: PointSet, parts: np.ndarray, template: HeldOut | None
) -> Document:
    """Return the document with new points and a new split.

    Parameters
    ----------
    document : Document
    data : PointSet
        All points.
    parts : int array, shape (n_all,)
        The part of each point: TRAINING, VALIDATION or TEST. If all are TRAINING, the document has
        no split.
    template : HeldOut or None
        All fields except the points and their rows are taken from this object. It may be None if
        the document has no split.
    """
    if not data.has_two_classes:
        many = document.many or ManyClasses(data, parts)
        return document.with_many(many.with_points(data, parts), template)
    if template is None:
        return replace(document, data=data, held_out=None)
    training, validation, test = (
        replace(data, points=data.points[parts == part], labels=data.labels[parts == part])
        for part in (TRAINING, VALIDATION, TEST)
    )
    held_out = replace(template, validation=validation, test=test, rows=rows_of(parts))
    return replace(document, data=training, held_out=held_out if held_out.n else None)


def _draw(unsplit: Document, shares: Shares) -> Split:
    data, seed, stratified = unsplit.all_points, shares.seed, shares.stratified
    problem: Targets = Classes(data.labels, data.class_names) if unsplit.many else unsplit.problem()
    if shares.validation and shares.test:
        return three_part_split(problem, shares.validation, shares.test, seed, stratified)
    # The held-out part of ``drawn`` is named test, even if it is to be the validation part.
    drawn = hold_out_split(problem, shares.validation or shares.test, seed, stratified)
    no_rows = np.zeros(0, dtype=np.int64)
    return Split(drawn.train, no_rows, drawn.test) if shares.validation else drawn
