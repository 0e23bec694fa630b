"""Edits of points by menu or key.

Each edit makes one undo entry (:mod:`svmviz.session.undo`).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from solvers import BadInput
from solvers.data.datasets import NO_PLACES, PointSet
from solvers.data.point_files import write_csv
from svmviz.base.words import class_titles
from svmviz.document.document import Document, no_points
from svmviz.document.limits import check_number
from svmviz.document.rescaling import rescale_kernel
from svmviz.document.splitting import rows_of_points
from svmviz.document.user_line import UserLine, line_between_means
from svmviz.io.target_files import write_targets
from svmviz.session.session import Session


def points_phrase(count: int) -> str:
    """Return ``"point"`` or ``"3 points"``, for the texts of undo entries."""
    return "point" if count == 1 else f"{count:,} points"


def draw_line(session: Session) -> None:
    """Draw the user's line between the means of the classes."""
    document = session.document
    line = line_between_means(document.data.points / document.factors, document.data.labels)
    user_line = UserLine((1.0, 0.0), 0.0).following(line, document.factors)
    session.edit(replace(document, user_line=user_line), "Draw line")


def select_all(session: Session) -> None:
    """Select every training point."""
    session.select(range(len(session.document.editable)))


def select_rows(session: Session, rows: np.ndarray, toggles: bool = False) -> None:
    """Select the points with these indices in ``Document.all_points``.

    If ``toggles`` and they are all that is selected, deselect them.
    """
    document = session.document
    orders = document.editable_rows, document.held_out_rows
    found = [frozenset(np.flatnonzero(np.isin(order, rows)).tolist()) for order in orders]
    is_chosen = found == [session.editable_selection, session.held_selection]
    session.select(*([], []) if toggles and is_chosen else found)


def delete_selection(session: Session) -> None:
    """Remove the selected training points, if there are any."""
    indices = sorted(session.editable_selection)
    if indices:
        session.select(())
        session.edit(session.document.removed(indices), f"Delete {points_phrase(len(indices))}")


def clear(session: Session) -> None:
    """Remove all points, including those held out, and the names of classes and axes."""
    if len(session.document.all_points):
        session.select(())
        cleared, note = rescale_kernel(
            replace(session.document, data=no_points(), held_out=None), session.document
        )
        session.edit(cleared, "Clear", note)


def flip_selection(session: Session) -> None:
    """Give the selected training points the other label; of several classes, the next one."""
    indices = sorted(session.editable_selection)
    if not indices:
        return
    document = session.document
    labels = document.editable.labels.copy()
    labels[indices] = next_label(document, labels[indices])
    changed = document.with_points(document.editable.points, labels)
    session.edit(changed, f"Swap class of {points_phrase(len(indices))}")
    # Points have other numbers once the machine leaves them out.
    select_rows(session, document.editable_rows[indices])


def next_label(document: Document, labels: Any) -> Any:
    """Return the label of the class after that of each label, as in ``Document.all_points``."""
    return -labels if document.many is None else (labels + 1) % document.many.k


def other_number(document: Document, number: int) -> int:
    """Return a class of the machine's other side; see ``Tool.number``.

    For a class that the machine leaves out, it is one of the positive side.
    """
    if document.many is None:
        return int(number == 0)
    positive, negative = document.sides
    return negative[0] if number in positive else positive[0]


def with_new_class(document: Document, number: int) -> Document:
    """Return the document with as many classes as the class ``number``, from 0, needs.

    Raises
    ------
    BadInput
        If there cannot be so many.
    """
    while len(document.class_names) <= number:
        document = document.with_another_class()
    return document


def label_of_number(document: Document, number: int) -> int:
    """Return the label, as in ``Document.all_points``, of a class; see ``Tool.number``."""
    return number if document.many else 1 - 2 * number


def words_on_new_class(before: Document, after: Document) -> str:
    """Return a sentence on the class that ``after`` has and ``before`` has not; "" if none."""
    if len(after.class_names) == len(before.class_names):
        return ""
    negative, positive = class_titles(after.data)
    words = (
        f"“{class_titles(after.all_points)[-1]}” is a new class. A machine separates some classes "
        f"from others: this one, {positive} against {negative}, leaves it out."
    )
    if before.many is not None and before.many.reduction is None:
        words += " One against one has replaced your code matrix."
    return words


def look_at(session: Session, machine: int) -> None:
    """Look at another machine of more than two classes; its run begins at step 0."""
    many = session.committed.many
    if many is None or machine == many.shown:
        return
    # Selected points have other numbers in another machine.
    session.select(())
    name = many.machines[machine].name(class_titles(many.data))
    session.edit(session.committed.looking_at(machine), f"Look at {name}")


def jitter(session: Session, amount: float = 0.02, seed: int = 0) -> None:
    """Move the selected training points by normally distributed random vectors.

    If no point is selected, all training points are moved. Held-out points are never moved.

    Parameters
    ----------
    session : Session
    amount : float
        Standard deviation along each axis, as a fraction of the range of all training points on
        that axis.
    seed : int
        The same seed gives the same vectors.
    """
    document = session.document
    indices = _chosen_training_points(session)
    if not indices:
        return
    ranges = np.ptp(document.editable.points, axis=0)
    ranges = np.where(ranges > 0.0, ranges, ranges.max() or 1.0)
    offsets = np.random.default_rng(seed).standard_normal((len(indices), 2)) * ranges * amount
    session.edit(document.moved(indices, offsets), f"Jitter {points_phrase(len(indices))}")


def points_to_copy(session: Session) -> PointSet:
    """Return the selected points, training points first.

    If no point is selected, all training points are returned.
    """
    training, held_out = _chosen_training_points(session), session.held_selection
    rows = rows_of_points(session.document, training, held_out)
    return session.document.all_points.at(rows)


def _chosen_training_points(session: Session) -> list[int]:
    """Return the indices of the selected training points, or of all if no point is selected."""
    selection = session.editable_selection
    is_any_selected = selection or session.held_selection
    return sorted(selection) if is_any_selected else list(range(len(session.document.editable)))


def text_of(points: PointSet, task: str) -> str:
    """Return points as CSV, as the clipboard holds them: with targets in a regression."""
    return write_targets(points) if task == "regression" else write_csv(points)


def paste(session: Session, pasted: PointSet) -> None:
    """Add points and select them.

    If a pasted class has the name of a class of the document, its points join that class, whatever
    label they have in the text. Points of other classes keep their place among the classes; if this
    would merge pasted classes, all of them do. A document without training points takes the
    names of classes and axes from the text.

    Raises
    ------
    BadInput
        If the document would have more points than the window can show, or if points with and
        without coordinates would mix.
    """
    document, note = session.document, ""
    if document.n and not (document.has_coordinates and pasted.items is None):
        raise BadInput(NO_PLACES)
    check_number(len(document.all_points) + len(pasted), "the pasted ones")
    if not document.n and document.many is None:
        pasted_document, note = rescale_kernel(replace(document, data=pasted), document)
    else:
        document = with_new_class(document, len(pasted.class_names) - 1)
        pasted_document = document.added(pasted.points, _labels_by_name(pasted, document))
    session.edit(pasted_document, f"Paste {points_phrase(len(pasted))}", note)
    if pasted_document.many is None:
        session.select(range(document.n, pasted_document.n))
    else:
        select_rows(session, np.arange(len(pasted_document.all_points))[-len(pasted) :])


def _labels_by_name(pasted: PointSet, document: Document) -> np.ndarray:
    """Return the labels of pasted points, shape (m,), as :func:`paste` describes."""
    names, classes = list(document.class_names), pasted.classes
    matches = {
        k: names.index(name) if name in names else k
        for k, name in enumerate(pasted.class_names)
        if (classes == k).any()
    }
    # If matching by names would merge classes, they stay as in the text.
    if len(set(matches.values())) < len(matches):
        matches = {k: k for k in matches}
    return np.array([document.label_of(matches[k]) for k in classes.tolist()], dtype=np.int8)
