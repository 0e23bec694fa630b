"""The Machines panel: code matrix, tally and confusion matrix of more than two classes."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from PySide6.QtCore import QTimer
from PySide6.QtGui import QCursor, QResizeEvent
from PySide6.QtWidgets import QPushButton

from solvers import BadInput
from solvers.problem.machines import (
    ONE_AGAINST_ONE,
    ONE_AGAINST_REST,
    Decision,
    equal_classes,
    machines_of,
    number_wrong,
)
from svmviz.base.words import class_titles, count, number, percent
from svmviz.colours.contrast import mix
from svmviz.document.document import Document
from svmviz.document.held_out import PARTS, TRAINING
from svmviz.document.many_classes import ManyClasses
from svmviz.frames.frame import Frame, Lane
from svmviz.frames.machines_study import MachinesStudy, MachinesStudyMaker, MachineState
from svmviz.frames.solved_machines import decision_at
from svmviz.frames.studies import Pending, Study
from svmviz.frames.tally_words import tally_sentence
from svmviz.panels.controls.machines.codes import (
    SIGNS,
    with_new_row,
    with_next_code,
    without_row,
    words_on_skip,
)
from svmviz.panels.controls.machines.grid import Cell, Grid
from svmviz.panels.frame_panel import FramePanel, reader_of
from svmviz.session.edits import look_at, select_rows
from svmviz.stage.stage import Stage
from svmviz.theme import look_of
from svmviz.widgets.column import Column
from svmviz.widgets.icon_button import IconButton
from svmviz.widgets.inputs.segmented import Segmented
from svmviz.widgets.plain_text import Label, set_tip, show_tip
from svmviz.widgets.still_text import StillText

# Fractions of the colour of a class in its cells, by code, and on the diagonal of errors.
SHARES = {1: 0.5, -1: 0.16}
# Minimum width of the panel at which its buttons are side by side, px at scale 1.
MIN_WIDTH_ACROSS = 300
INVITATION = "Move the mouse over the plane: each machine's f and its vote are shown here."
REDUCTIONS = (
    (
        ONE_AGAINST_ONE,
        "1 against 1",
        "One against one: a machine for each pair of classes, on their points.",
    ),
    (
        ONE_AGAINST_REST,
        "1 against rest",
        "One against the rest: a machine for each class, on all points.",
    ),
)


class MachinesPanel(FramePanel):
    """Panel of the code matrix with the state of each machine, of the votes, and of the errors.

    Parameters
    ----------
    stage : Stage
    """

    name = "machines"
    may_stack = True

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage, gap=2.0)
        self._result: MachinesStudy | None = None
        self._place = self.share_value("place", reader_of(2), self._on_place)
        head = self.add(Column(gap=0.0, across=True))
        row = head.add(Column(across=True), 1)
        self.reductions = {
            name: row.add(QPushButton(title), len(title)) for name, title, _ in REDUCTIONS
        }
        for name, _, tip in REDUCTIONS:
            self.reductions[name].setCheckable(True)
            set_tip(self.reductions[name], tip)
            self.reductions[name].clicked.connect(partial(self._reduce, name))
        self._buttons = row
        # Above the matrix, these keep their place when it grows.
        self.new_row = head.add(IconButton("plus", "Add a machine; click its cells to any code."))
        self.new_row.clicked.connect(lambda: self._edit(with_new_row, "Add a machine"))
        self.drop_row = head.add(IconButton("minus", "Remove the machine that is looked at."))
        self.drop_row.clicked.connect(lambda: self._edit(without_row, "Remove a machine"))
        self.setting_forms = [head]
        self.matrix = self.add(Grid("Code matrix"))
        self.matrix.pressed.connect(self._on_pressed)
        self.words = self.add(Label(wraps=True))
        self.tally = self.add(StillText(lines=2))
        self.state = self.add(StillText(lines=2))
        self.part = self.add(Segmented([(name, name.capitalize()) for name in PARTS]))
        self.part.chosen.connect(lambda _part: self._show())
        self.errors = self.add(Grid("Confusion matrix"))
        self.errors.pressed.connect(self._on_error_pressed)
        self.error_words = self.add(StillText(lines=1))
        self.box.addStretch(1)
        # The points that the place belongs to.
        self._points = stage.session.document.all_points
        stage.spotlight.place_changed.connect(self._on_place)
        stage.session.document_changed.connect(self._on_document)

    def make_study(self) -> Study | None:
        return MachinesStudyMaker()

    def draw(self, lane: Lane | None, study: Any, frame: Frame) -> None:
        newest = self.stage.session.document.many
        if newest and frame.document.many and newest.machines != frame.document.many.machines:
            # The frame is that of other codes, which are no longer shown.
            return
        # While machines are being solved, a table of the codes alone is shown.
        self._result = study if isinstance(study, MachinesStudy) else None
        self._pending = study.words if isinstance(study, Pending) else ""
        self._document = frame.document
        self._show()

    def _on_document(self) -> None:
        """Show other codes at once, before they are solved, and forget a place of other points."""
        document, many = self.stage.session.document, self._document.many
        self._said = ""
        old, new = self._points, document.all_points
        if new is not old and not self.stage.session.previewing:
            self._points = new
            # As in `must_fit`: edits by hand leave some points where they were.
            if not np.isin(new.points.view(complex), old.points.view(complex)).any():
                self._place = None
        if document.many and (many is None or many.machines != document.many.machines):
            self._document, self._result = document, None
            if self.isVisible():
                self._show()

    def mark(self) -> None:
        index = self.stage.spotlight.index
        if index is not None and index < self._document.n:
            self._on_place(self._document.data.points[index].tolist())

    # Contents.

    _document = Document()
    _pending = ""
    # What is said of the last click, until the document changes.
    _said = ""

    def _show(self) -> None:
        many = self._document.many
        if many is None:
            return
        for name, button in self.reductions.items():
            button.setChecked(many.reduction == name)
        names = class_titles(many.data)
        decision, values = self._decision_here()
        self._show_matrix(many, names, decision, values)
        state = self._result.states[many.shown] if self._result else None
        title = many.machine.name(names)
        self.state.setText(f"Machine {many.shown + 1}, {title}: {_state_words(state)}")
        self.tally.setText(self._tally_words(names, decision))
        self.words.say(self._trouble_words(names))
        self._show_errors(names)

    def _decision_here(self) -> tuple[Decision | None, list[float | None]]:
        """Return the decision at the place, and f of each machine there."""
        result, many = self._result, self._document.many
        assert many is not None
        if result is None or self._place is None:
            return None, [None] * len(many.machines)
        at = np.array([self._place]) / self._document.factors
        values = [None if f is None else float(f(at)[0]) for f in result.expansions]
        return decision_at(many.machines, result.expansions, at), values

    def _show_matrix(
        self,
        many: ManyClasses,
        names: tuple[str, ...],
        decision: Decision | None,
        values: list[float | None],
    ) -> None:
        look = look_of(self)
        theme = look.theme
        states = self._result.states if self._result else [None] * len(many.machines)
        heads = [Cell("", tip="Rows are machines: each separates some classes from others.")]
        heads += [Cell(name, theme.classes[k], tip=f"Class {name}") for k, name in enumerate(names)]
        heads += [Cell(text, tip=tip) for text, tip in COLUMNS]
        rows = []
        for index, (machine, state, f) in enumerate(
            zip(many.machines, states, values, strict=True)
        ):
            title = machine.name(names)
            voted = 0 if f is None else 1 if f >= 0.0 else -1
            cells = [Cell(str(index + 1), tip=f"{title}: {_state_words(state)}")]
            for k, code in enumerate(machine.code):
                share = SHARES.get(code)
                fill = mix(theme.panel, theme.classes[k], share) if share else ""
                is_vote = code * voted > 0
                tip = "The machine votes for this class here." if is_vote else ""
                cells.append(Cell(SIGNS[code], fill, is_vote, not code, tip))
            tip = "" if f is None else f"f = {number(f)}"
            rows.append([*cells, Cell(_short(f), tip=tip), *_state_cells(state)])
        if decision is not None:
            votes, sums = decision.votes[0].tolist(), decision.sums[0].tolist()
            decided = int(decision.classes[0])
            for head, tip, numbers in (
                ("votes", "Number of machines that vote for each class", map(str, votes)),
                ("Σ f", SUM_TIP, map(_short, sums)),
            ):
                fills = [theme.classes[k] if k == decided else "" for k in range(many.k)]
                rows.append(
                    [
                        Cell(head, tip=tip),
                        *(
                            Cell(text, mix(theme.panel, fill, 0.5) if fill else "")
                            for text, fill in zip(numbers, fills, strict=True)
                        ),
                    ]
                )
        self.matrix.show_cells(heads, rows, many.shown, many.k + 2)

    def _tally_words(self, names: tuple[str, ...], decision: Decision | None) -> str:
        many = self._document.many
        assert many is not None
        if self._pending:
            return self._pending
        if decision is None or self._place is None:
            return INVITATION
        x, y = (number(value, 3) for value in self._place)
        return f"At ({x}, {y}): {tally_sentence(many.machines, decision, names)}"

    def _trouble_words(self, names: tuple[str, ...]) -> str:
        many = self._document.many
        assert many is not None
        sentences = [self._said] if self._said else []
        equal = equal_classes(many.machines)
        if equal is not None:
            first, second = (names[k] for k in equal)
            sentences.append(f"No machine separates {first} from {second}, so no vote does.")
        for state in self._result.states if self._result else ():
            if state.trouble:
                sentences.append(f"{state.name} takes no part: {state.trouble}")
        return " ".join(sentences)

    @property
    def _part(self) -> int:
        """The part whose errors are shown."""
        part = PARTS.index(self.part.value)
        return part if self._result and part in self._result.tables else TRAINING

    def _show_errors(self, names: tuple[str, ...]) -> None:
        tables = self._result.tables if self._result else {}
        self.part.setVisible(len(tables) > 1)
        table = tables.get(self._part)
        self.errors.setVisible(table is not None)
        self.error_words.setVisible(table is not None)
        if table is None:
            return
        theme = look_of(self).theme
        heads = [Cell("true", tip="Rows: the true class. Columns: the class decided for.")]
        heads += [Cell(name, theme.classes[k]) for k, name in enumerate(names)]
        rows = [
            [
                Cell(names[true]),
                *(
                    Cell(
                        count(n),
                        mix(theme.panel, theme.classes[k], 0.3 if k == true else 0.12) if n else "",
                        muted=not n,
                        tip=f"{count(n)} of {names[true]} are decided for {names[k]}."
                        + (SELECT_TIP if n else ""),
                    )
                    for k, n in enumerate(row)
                ),
            ]
            for true, row in enumerate(table.tolist())
        ]
        self.errors.show_cells(heads, rows)
        wrong, n = number_wrong(table), int(table.sum())
        name = PARTS[self._part]
        share = f" ({percent(wrong / n)})" if n else ""
        self.error_words.setText(f"{count(wrong)} of {count(n)} {name} points wrong{share}.")

    # Mouse and buttons.

    def _on_place(self, place: object) -> None:
        if isinstance(place, (tuple, list)):
            self._place = tuple(place)
            if self.isVisible():
                self._show()

    def _on_pressed(self, row: int, column: int) -> None:
        many = self.stage.session.document.many
        if many is None or row >= len(many.machines):
            return
        if row != many.shown:
            look_at(self.stage.session, row)
        elif 1 <= column <= many.k:
            edit = partial(with_next_code, row=row, column=column - 1)
            note = words_on_skip(many, row, column - 1)
            self._edit(edit, "Change the code of a machine", note)

    def _on_error_pressed(self, row: int, column: int) -> None:
        """Select the points of a cell of the confusion matrix; the second time, none."""
        session, result, many = self.stage.session, self._result, self._document.many
        is_current = session.document.all_points == self._document.all_points
        if not (many and result and column and is_current) or result.decided is None:
            return
        chosen = (many.parts == self._part) & (many.data.classes == row)
        rows = np.flatnonzero(chosen & (result.decided == column - 1))
        select_rows(session, rows, toggles=True)

    def _reduce(self, name: str, _checked: bool = False) -> None:
        text = name.replace("-", " ").capitalize()
        self._edit(lambda many: many.with_machines(machines_of(name, many.k)), text)
        self._show()

    def _edit(
        self, change: Callable[[ManyClasses], ManyClasses], text: str, note: str = ""
    ) -> None:
        """Change the machines, and say the note, or why they cannot change."""
        session = self.stage.session
        document = session.committed
        if document.many is None:
            return
        try:
            changed = document.with_many(change(document.many))
        except BadInput as error:
            note = str(error)
        else:
            session.select(())
            session.edit(changed, text)
        self._said = note
        self._show()
        if note:
            # Later, when the layout has placed the words.
            QTimer.singleShot(0, self, self._say_in_sight)

    def _say_in_sight(self) -> None:
        """Show what is said at the mouse as well if it is not in sight below the matrix."""
        if self._said and self.words.visibleRegion().boundingRect() != self.words.rect():
            show_tip(QCursor.pos(), self._said, self)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._buttons.lay_across(self.width() >= look_of(self).metrics.px(MIN_WIDTH_ACROSS))
        super().resizeEvent(event)


SELECT_TIP = " Click to select them in the plane, and again to deselect them."
COLUMNS = (
    ("f", "f at the place under the mouse"),
    ("SV", "Support vectors"),
    ("err.", "Misclassified training points of the machine"),
    ("step", "Steps of its run; of the machine looked at, the step shown"),
    ("gap", "Duality gap"),
)
SUM_TIP = (
    "For each class the sum of the f in its favour; with one machine per class against the rest, "
    "the f of that machine"
)


def _short(value: float | None) -> str:
    """Return a number that fits a narrow cell: two digits, of a small one the first."""
    if value is None or abs(value) < 1e-12:
        return "" if value is None else "0"
    return number(value, 2 if abs(value) >= 0.1 else 1)


def _state_cells(state: MachineState | None) -> list[Cell]:
    if state is None or state.trouble:
        return [Cell("–", muted=True) for _ in COLUMNS[1:]]
    texts = count(state.support), count(state.errors), count(state.step), number(state.gap, 2)
    return [Cell(text, muted=True) for text in texts]


def _state_words(state: MachineState | None) -> str:
    if state is None:
        return "being solved."
    if state.trouble:
        return state.trouble
    return (
        f"{count(state.n)} points, step {count(state.step)} of {count(state.length)}, gap "
        f"{number(state.gap, 3)}, {count(state.errors)} misclassified, "
        f"{count(state.support)} support vectors."
    )
