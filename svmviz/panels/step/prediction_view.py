"""The switch *Ask before each part* of Why?, the count of right answers, and the question."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QCheckBox, QPushButton, QWidget
from shiboken6 import isValid

from solvers.run.beats import BeatQuestion
from svmviz.base.words import tidied
from svmviz.stage.prediction import KINDS
from svmviz.stage.stage import Stage
from svmviz.theme import SIZED_BY_HEIGHT
from svmviz.widgets.answer_form import AnswerForm
from svmviz.widgets.column import Column
from svmviz.widgets.key_taker import KeyTaker
from svmviz.widgets.plain_text import Label, MutedLabel, set_tip
from svmviz.widgets.styling import set_style_property

TIP = (
    "Before each part of a step its outcome is asked for: type the number, click the point, or "
    "choose. Right asks; Esc shows the answer. While playing nothing is asked."
)
CLICK = "Click in the plane"
# The name under which points are marked.
NAME = "prediction"
# Choices with more characters in all are one below the other.
MAX_ACROSS = 44


class PredictionView(KeyTaker, Column):
    """The switch *Ask before each part*, and below it the question that waits, or the last reply.

    Parameters
    ----------
    stage : Stage
    """

    def __init__(self, stage: Stage) -> None:
        super().__init__(gap=1.0)
        self._stage, self._prediction = stage, stage.prediction
        self._question: BeatQuestion | None = None
        self.form: AnswerForm | None = None
        # The widget that had the focus before a question took it.
        self._focused_before: QWidget | None = None
        row = self.add(Column(gap=2.0, across=True))
        self.switch = row.add(QCheckBox("Ask before each part"))
        self.switch.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        set_tip(self.switch, TIP)
        self.switch.toggled.connect(self._prediction.set_on)
        self.tally = row.add(MutedLabel(), 4)
        set_tip(self.tally, "How many answers were right at first try, of how many questions.")
        row.box.addStretch(1)
        self.show_button = row.add(QPushButton("Show"))
        self.show_button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        set_tip(self.show_button, "Show the answer without one of your own (Esc)")
        self.show_button.clicked.connect(self._prediction.look)
        self.reply = self.add(Label(wraps=True))
        self._prediction.changed.connect(self.show_prediction)
        stage.picking.changed.connect(self._name_points)
        self.show_prediction()

    @property
    def is_asking(self) -> bool:
        """Whether a question waits."""
        return self._question is not None

    @property
    def is_empty(self) -> bool:
        """Whether nothing is shown: an audience does not need the switch while it is off."""
        return not (self._prediction.is_on or self.isAncestorOf(self.switch))

    def show_prediction(self) -> None:
        """Show the question that waits, the reply and the count."""
        prediction = self._prediction
        self.switch.setChecked(prediction.is_on)
        self.tally.setText(_count_in_words(prediction.tally) if prediction.is_on else "")
        self.tally.setVisible(prediction.question is None)
        self.show_button.setVisible(prediction.question is not None)
        if prediction.question is not self._question:
            self._replace_form(prediction.question)
        self.reply.say(tidied(prediction.reply))
        set_style_property(self.reply, "role", "good" if prediction.is_right else "error")
        if self.form is not None:
            self.form.mark_wrong(prediction.wrong)
        self._name_points()

    def _name_points(self) -> None:
        """Mark the points that the question names, and those that were clicked for it."""
        points = self._question.named if self._question is not None else ()
        picked = self._stage.picking.points if self._question is not None else ()
        self._stage.spotlight.name_points(NAME, (*points, *picked))

    def _replace_form(self, question: BeatQuestion | None) -> None:
        if self.form is None:
            self._focused_before = QApplication.focusWidget()
        else:
            # Give the focus back before the form is hidden. Otherwise Qt would give it to any other
            # field.
            self._give_focus_back()
            self.box.removeWidget(self.form)
            self.form.hide()
            self.form.deleteLater()
        self._question, self.form = question, None
        if question is None:
            return
        self.form = self._make_form(question)
        self.box.insertWidget(1, self.form)
        self._take_focus()

    def _make_form(self, question: BeatQuestion) -> AnswerForm:
        choices = [f"{k}  {text}" for k, text in enumerate(question.choices, 1)]
        is_short = sum(map(len, choices)) <= MAX_ACROSS
        form = AnswerForm(tidied(question.ask), choices, question.labels, across=is_short)
        form.chosen.connect(self._prediction.choose)
        form.answered.connect(self._prediction.answer)
        if question.candidates:
            form.add(MutedLabel(CLICK))
        for button in form.choices:
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        return form

    def fit(self, height: int) -> None:
        """Hide the question if it does not fit into a height, px; it is also below the plane."""
        if self.form is None:
            return
        question, needed = self.form.ask_label, self.heightForWidth(self.width())
        # A hidden question is not shown for the measurement, since each change asks for a new
        # layout.
        if question.isHidden():
            needed += question.heightForWidth(self.width()) + self.form.box.spacing()
        question.setVisible(needed <= height)

    def _take_focus(self) -> None:
        """Take the focus, so that the answer, or the number of a choice, can be typed at once.

        In a presentation the focus stays, so that the keys of a clicker show the answer.
        """
        is_presentation = self.window().property(SIZED_BY_HEIGHT)
        if self.form is None or not self.isVisible() or is_presentation:
            return
        for widget in (*self.form.fields, *self.form.choices)[:1]:
            widget.setFocus()

    def _give_focus_back(self) -> None:
        widget, present = self._focused_before, QApplication.focusWidget()
        if widget is not None and isValid(widget) and widget.isVisible():
            widget.setFocus()
        elif present is not None and self.isAncestorOf(present):
            present.clearFocus()

    def uses(self, event: QKeyEvent) -> bool:
        # Otherwise Esc would leave a presentation, and a digit would choose a tool.
        return self._action_of(event) is not None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        action = self._action_of(event)
        if action is None:
            super().keyPressEvent(event)
        elif action < 0:
            self._prediction.look()
        else:
            self._prediction.choose(action)

    def _action_of(self, event: QKeyEvent) -> int | None:
        """Return the choice that a key means, -1 for looking, or None."""
        if self._question is None:
            return None
        if event.key() == Qt.Key.Key_Escape:
            return -1
        digit = event.key() - Qt.Key.Key_1
        return digit if 0 <= digit < len(self._question.choices) else None


def _count_in_words(tally: dict[str, tuple[int, int]]) -> str:
    """Return how many answers of each kind were right at first try."""
    parts = [f"{KINDS[kind]} {right} of {asked}" for kind, (right, asked) in tally.items() if asked]
    return f"Right at first try: {', '.join(parts)}" if parts else ""
