"""Random edits of documents of three to six classes: nothing is lost, and scenes keep it all."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

import numpy as np
import pytest

from solvers import RBF, BadInput, Linear
from solvers.data.datasets import MAX_CLASSES, PointSet
from solvers.problem.machines import REDUCTIONS, Machine, machines_of
from svmviz.document.document import Document, Penalty
from svmviz.document.held_out import TEST, TRAINING, VALIDATION, Shares
from svmviz.document.rescaling import rescale_kernel
from svmviz.document.splitting import joined, moved_to, split
from svmviz.frames.solved_machines import confusion_tables, decision_at, solve_machines
from svmviz.io.open_and_save import read_pasted
from svmviz.io.scene import Scene, read_scene, write_scene
from svmviz.io.scene_line import read_scene_line, round_points, write_scene_line
from svmviz.session import edits
from svmviz.session.session import Session


def random_document(rng: np.random.Generator) -> Document:
    """Return a document of three to six classes, some of which may be small."""
    k, n = int(rng.integers(3, MAX_CLASSES + 1)), int(rng.integers(6, 40))
    labels = rng.integers(0, k, n)
    points = rng.normal(size=(n, 2)) * rng.choice([1.0, 300.0]) + labels[:, None]
    names = tuple(rng.permutation(["the rest", "-1", "a,b", "ü", "Adelie", "+1"])[:k].tolist())
    document = Document(
        data=PointSet(points, labels, names, ("x", "y")),
        kernel=RBF(0.5) if rng.random() < 0.6 else Linear(),
        penalty=Penalty("C", 2.0) if rng.random() < 0.5 else Penalty("lambda", 0.02),
        scaling=str(rng.choice(["none", "common", "each"])),
    )
    if rng.random() < 0.5:
        return document
    return document.with_many(document.many.with_machines(machines_of(REDUCTIONS[1], k)))


def code(rng: np.random.Generator, k: int) -> list[Machine]:
    """Return up to four random rows of a code matrix."""
    rows = {tuple(rng.integers(-1, 2, k).tolist()) for _ in range(4)}
    return [Machine(row) for row in rows if {-1, 1} <= set(row)]


def pasted(session: Session) -> None:
    text = edits.text_of(edits.points_to_copy(session), session.document.task)
    edits.paste(session, read_pasted(text))


def changes(session: Session, rng: np.random.Generator) -> dict[str, Callable[[], object]]:
    """Return the edits, with random arguments; a document may refuse them."""
    document = session.document
    many = document.many
    assert many is not None
    chosen = rng.choice(document.n, min(document.n, 3), replace=False).tolist()
    session.select(chosen)
    shown, labels = int(rng.integers(len(many.machines))), rng.integers(0, many.k, 2)
    part, seed = int(rng.choice([TRAINING, VALIDATION, TEST])), int(rng.integers(9))
    reduction = machines_of(str(rng.choice(REDUCTIONS)), many.k)
    matrix, places = code(rng, many.k) or reduction, rng.normal(size=(2, 2))
    scaled = replace(document, scaling=str(rng.choice(["none", "common", "each"])))

    def make(edited: Callable[[], Document]) -> Callable[[], object]:
        return lambda: session.edit(edited(), "Change")

    return {
        "look": make(lambda: document.looking_at(shown)),
        "code": make(lambda: document.with_many(many.with_machines(matrix))),
        "reduction": make(lambda: document.with_many(many.with_machines(reduction))),
        "swap": lambda: edits.flip_selection(session),
        "delete": lambda: edits.delete_selection(session),
        "jitter": lambda: edits.jitter(session),
        "add": make(lambda: document.added(places, labels)),
        "class": make(document.with_another_class),
        "split": make(lambda: split(document, Shares(0.2, 0.2, seed))),
        "part": make(lambda: moved_to(document, part, chosen, ())),
        "join": make(lambda: joined(document)),
        "paste": lambda: pasted(session),
        "scaling": make(lambda: rescale_kernel(scaled, document)[0]),
    }


def check(document: Document) -> None:
    """Assert what must hold of every document."""
    many = document.many
    assert many is not None
    seen = many.labels != 0
    assert document.n == int((seen & (many.parts == TRAINING)).sum())
    assert (document.data.labels == many.labels[many.rows(TRAINING)]).all()
    assert (document.data.points == many.data.points[many.rows(TRAINING)]).all()
    held = 0 if document.held_out is None else document.held_out.n
    assert document.n + held + int((~seen).sum()) == len(document.all_points)
    scene = Scene(document)
    again = read_scene(write_scene(scene), "scene").document
    assert again == document
    assert read_scene_line(write_scene_line(scene)).document == round_points(scene).document


@pytest.mark.parametrize("seed", range(12))
def test_random_edits_and_undo(qapp, seed):
    rng = np.random.default_rng(seed)
    session = Session(random_document(rng))
    try:
        shown = [session.document]
        for _ in range(12):
            before = session.undo_stack.index()
            possible = changes(session, rng)
            with suppress(BadInput):
                possible[str(rng.choice(list(possible)))]()
            check(session.document)
            if session.undo_stack.index() > before:
                shown.append(session.document)
        while session.undo_stack.canUndo():
            session.undo_stack.undo()
            shown.pop()
            # Undo does not hide that points were used.
            hidden = [replace(each, held_out=None) for each in (session.document, shown[-1])]
            assert hidden[0] == hidden[1]
        if any(session.document.many.looked_at(0).labels):
            solved = list(solve_machines(session.document))
            expansions = [machine.expansion for machine in solved]
            if any(expansions):
                many, points = session.document.many, session.document.solver_points
                decided = decision_at(many.machines, expansions, points).classes
                table = confusion_tables(session.document, decided)[TRAINING]
                assert table.sum() == (session.document.parts == TRAINING).sum()
    finally:
        session.close()


def test_pasting_keeps_the_points_that_a_machine_without_points_leaves_out(qapp):
    data = PointSet([[0.0, 1.0], [2.0, 3.0]], [2, 2], ("a", "b", "c"))
    session = Session(Document(data=data))
    try:
        assert session.document.n == 0
        edits.paste(session, read_pasted("x,y,class\n5,5,a\n6,6,b\n"))
        assert session.document.class_names == ("a", "b", "c")
        assert session.document.all_points.labels.tolist() == [2, 2, 0, 1]
        assert session.selection == {0, 1}
    finally:
        session.close()
