"""Edits of the split into training, validation and test part; each returns a new document.

The same points, shares and seed give the same parts as :mod:`solvers.selection.splits`, and hence
as ``svmviz select``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from solvers import BadInput
from solvers.data.datasets import PointSet
from solvers.selection.splits import Split, hold_out_split, three_part_split
from svmviz.document.document import Document
from svmviz.document.held_out import (
    TEST,
    TRAINING,
    VALIDATION,
    HeldOut,
    Shares,
    Source,
    rows_of,
)

# Minimum number of fresh test points, so that their error has a small spread.
MIN_FRESH = 200


def joined(document: Document) -> Document:
    """Return the document with all points in the training part."""
    return replace(document, data=document.all_points, held_out=None)


def split(document: Document, shares: Shares, source: Source | None = None) -> Document:
    """Return the document with all its points divided into new parts at random.

    Parameters
    ----------
    document : Document
    shares : Shares
        If both fractions are 0, no point is held out.
    source : Source, optional
        The generator of the points, if the document does not know it.

    Raises
    ------
    BadInput
        If a part would be empty, or the training part would have one class only.
    """
    whole, old = joined(document), document.held_out
    if not (shares.validation or shares.test):
        return whole
    drawn = _draw(whole, shares)
    parts = np.full(whole.n, TRAINING, dtype=np.int8)
    parts[drawn.validation], parts[drawn.test] = VALIDATION, TEST
    begun = replace(old, at_opening=None, tuned=None) if old else None
    held_out = begun or HeldOut.empty(whole.data, source=source)
    return with_parts(document, whole.data, parts, replace(held_out, shares=shares))


def split_alike(document: Document, before: Document, source: Source | None) -> Document:
    """Return a document with new points, split as those of ``before`` were.

    If they cannot be split in this way, no point is held out.
    """
    if before.held_out is None:
        return document
    whole = replace(document, held_out=None)
    try:
        return split(whole, before.held_out.shares, source)
    except BadInput:
        return whole


def moved_to(
    document: Document, part: int, training: Iterable[int], held_out: Iterable[int] = ()
) -> Document:
    """Return the document with some points in another part.

    Parameters
    ----------
    document : Document
    part : int
        TRAINING, VALIDATION or TEST.
    training : iterable of int
        Indices of training points.
    held_out : iterable of int
        Indices of held-out points: those of validation, then those of test.
    """
    parts = document.parts
    chosen = np.flatnonzero(parts == TRAINING)[np.array(sorted(training), dtype=int)]
    held_rows = np.concatenate([np.flatnonzero(parts == one) for one in (VALIDATION, TEST)])
    moved = parts.copy()
    moved[chosen] = moved[held_rows[np.array(sorted(held_out), dtype=int)]] = part
    data = document.all_points
    begun = document.held_out or HeldOut.empty(data, shares=Shares(test=0.0))
    return with_parts(document, data, moved, begun)


def with_fresh_test(document: Document, tuned: float | None) -> Document:
    """Return the document with fresh points of its source as its test part.

    The old test points leave the document. The training part stays, and with it the model.

    Parameters
    ----------
    document : Document
    tuned : float or None
        The error on the old test part, to be compared with that on the new one.

    Raises
    ------
    BadInput
        If the source is unknown, or has no fresh points.
    """
    old = document.held_out
    if old is None or old.source is None:
        raise BadInput("Fresh points need a source: generate the points, and then split them.")
    if not old.source.is_random:
        raise BadInput(f"{old.source.title}: another seed draws from another distribution.")
    source = old.source.after()
    drawn = source.draw(max(len(old.test), MIN_FRESH))
    kept = document.parts != TEST
    data = document.all_points
    every = replace(
        data,
        points=np.vstack([data.points[kept], drawn.points]),
        labels=np.concatenate([data.labels[kept], drawn.labels]),
    )
    parts = np.concatenate([document.parts[kept], np.full(len(drawn), TEST, dtype=np.int8)])
    begun = replace(old, source=source, seen=False, at_opening=None, tuned=tuned)
    return with_parts(document, every, parts, begun)


def with_all_points(document: Document, data: PointSet) -> Document:
    """Return the document with other coordinates or labels of all its points; the parts stay."""
    if document.held_out is None:
        return replace(document, data=data)
    return with_parts(document, data, document.parts, document.held_out)


def with_parts(document: Document, data: PointSet, parts: np.ndarray, begun: HeldOut) -> Document:
    """Return the document with these points, shape (n_all, 2), in these parts, shape (n_all,).

    ``begun`` has everything else of the split. If all points are for training, there is no split.
    """
    training, validation, test = (
        replace(data, points=data.points[parts == part], labels=data.labels[parts == part])
        for part in (TRAINING, VALIDATION, TEST)
    )
    held_out = replace(begun, validation=validation, test=test, rows=rows_of(parts))
    return replace(document, data=training, held_out=held_out if held_out.n else None)


def _draw(whole: Document, shares: Shares) -> Split:
    problem, seed, stratified = whole.problem(), shares.seed, shares.stratified
    if shares.validation and shares.test:
        return three_part_split(problem, shares.validation, shares.test, seed, stratified)
    drawn = hold_out_split(problem, shares.validation or shares.test, seed, stratified)
    none = np.zeros(0, dtype=np.int64)
    return Split(drawn.train, none, drawn.test) if shares.validation else drawn
