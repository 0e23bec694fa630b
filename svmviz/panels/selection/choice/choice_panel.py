"""The Model choice panel: the procedure of training, validation and test as one form."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Generic, TypeVar

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QCheckBox, QPushButton

from solvers import Kernel, Method
from svmviz.document.document import Document
from svmviz.document.held_out import TRAINING, Shares
from svmviz.document.splitting import moved_to, split
from svmviz.frames.frame import Frame, Lane
from svmviz.panels.frame_panel import FramePanel
from svmviz.panels.search_bar import SearchBar
from svmviz.panels.selection.choice.choice_words import (
    RETRAIN,
    TAKE,
    TEST,
    model_words,
    next_step,
    sizes_words,
    step_words,
)
from svmviz.panels.selection.share_buttons import THREE_PARTS, ShareButtons
from svmviz.panels.selection.split.drawer import open_drawer
from svmviz.selection.background_search import State
from svmviz.selection.choice_model import (
    Candidate,
    ChoiceSettings,
    choice_of,
    kernels_for,
    methods_for,
)
from svmviz.selection.map_model import map_of
from svmviz.selection.plan import MAX_EXPORT_EFFORT
from svmviz.stage.stage import Stage
from svmviz.theme import look_of
from svmviz.widgets.column import Column
from svmviz.widgets.plain_text import ErrorLabel, Label, set_tip
from svmviz.widgets.still_text import StillText
from svmviz.widgets.value_rows import ValueRows

# Minimum width of the panel at which the buttons of a row are side by side, px at scale 1.
MIN_WIDTH_ACROSS = 280
SEARCH_TIP = "Train every candidate on the training part, and test it on the validation part."
TAKE_TIP = (
    "Give the document this kernel, method and parameters, and fill the Parameter map around them."
)
RETRAIN_TIP = "Move the validation points to the training part; the chosen model stays."
TEST_TIP = "Reveal the test points (panel Split) and their error. Do it once: no undo."
Offer = TypeVar("Offer", Kernel, Method)


class CandidateBoxes(Column, Generic[Offer]):
    """A column of boxes; a box keeps its state if it is offered again with other settings.

    Parameters
    ----------
    offers : sequence of Kernel, or of Method
    only_first : bool
        Whether at first only the first box is checked; otherwise all are.
    """

    def __init__(self, offers: Sequence[Offer], *, only_first: bool = False) -> None:
        super().__init__(gap=0.5)
        self.box.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._offers: tuple[Offer, ...] = ()
        self.boxes: dict[str, QCheckBox] = {}
        self._only_first = only_first
        self.show_choices(offers)

    @property
    def chosen(self) -> list[Offer]:
        """The kernels or methods whose boxes are checked."""
        return [one for one in self._offers if self.boxes[one.name].isChecked()]

    def show_choices(self, offers: Sequence[Offer]) -> None:
        """Offer other kernels or methods."""
        offered = tuple(offers)
        if offered == self._offers:
            return
        is_first_time = not self.boxes
        self._offers = offered
        for number, one in enumerate(offered):
            if one.name not in self.boxes:
                box = self.boxes[one.name] = self.add(QCheckBox(one.label))
                set_tip(box, one.help)
                box.setChecked(is_first_time and (number == 0 or not self._only_first))
        names = {one.name for one in offered}
        for name, box in self.boxes.items():
            box.setVisible(name in names)


class ChoicePanel(FramePanel):
    """The steps of the procedure, each with its buttons; a sentence names the next one.

    Parameters
    ----------
    stage : Stage
    """

    name = "model-choice"
    may_stack = True

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage)
        self.model = choice_of(stage.session, stage.searches)
        self.words = self.add(StillText(lines=3))
        self._heads: list[Label] = []
        self._head("Parts")
        self.shares = self.add(ShareButtons(THREE_PARTS))
        self.shares.chosen.connect(self._divide)
        self.sizes = self.add(Label())
        self._head("Candidates")
        document = stage.session.document
        self._boxes = self.add(Column(gap=1.0, across=True))
        self.kernels = self._boxes.add(CandidateBoxes(kernels_for(document)), 1)
        self.methods = self._boxes.add(CandidateBoxes(methods_for(document), only_first=True), 1)
        self._head("Validation")
        self.bar = self.add(SearchBar(self.model.search, "Search", SEARCH_TIP))
        self.bar.started.connect(self._search)
        self.error_label = self.add(ErrorLabel())
        self.results = self.add(ValueRows())
        self.best = self.add(StillText(lines=2))
        self._head("Chosen model")
        self._row = self.add(Column(gap=1.0, across=True))
        self.take = self._button("Take the best", TAKE_TIP, self._take)
        self.retrain = self._button("Retrain", RETRAIN_TIP, self._retrain)
        self.test = self._button("Test once", TEST_TIP, lambda: open_drawer(stage))
        self.setting_forms += [self.shares, self.sizes, self._boxes, *self._heads[:2]]
        self.box.addStretch(1)
        self.model.changed.connect(self._refresh)
        stage.session.document_changed.connect(self._refresh)

    def _head(self, words: str) -> None:
        self._heads.append(self.add(Label(words, role="heading")))

    def _button(self, words: str, tip: str, act: Any) -> QPushButton:
        button = self._row.add(QPushButton(words), 1)
        set_tip(button, tip)
        button.clicked.connect(lambda _checked: act())
        return button

    # Display.

    @property
    def is_busy(self) -> bool:
        """Whether models are still being trained."""
        return self.model.search.is_active

    def draw(self, lane: Lane | None, study: Any, frame: Frame) -> None:
        # A figure has no buttons, so it shows the results alone.
        printing = look_of(self).printing
        for control in (self.shares, self._boxes, self.bar, self._row, *self._heads):
            control.setVisible(not printing)
        if printing and self.model.result_settings is None:
            self._start_for_figure()
        self._refresh()

    def _start_for_figure(self) -> None:
        """Start the search for an exported figure, unless it would take too long."""
        document = self.stage.session.document
        count = len(self._settings().models(document))
        if document.held_out is not None and count * document.n <= MAX_EXPORT_EFFORT:
            self._search()

    def _refresh(self) -> None:
        if not self.isVisible():
            return
        document = self.stage.session.document
        self.kernels.show_choices(kernels_for(document))
        self.methods.show_choices(methods_for(document))
        step = next_step(document, self.model)
        self.words.setText(step_words(step, document))
        self.shares.show_split(document.held_out)
        self.sizes.setText(sizes_words(document))
        for button, its_step in ((self.take, TAKE), (self.retrain, RETRAIN), (self.test, TEST)):
            button.setEnabled(step == its_step)
        # The user may leave out the retraining and test the chosen model at once.
        self.test.setEnabled(step in (RETRAIN, TEST))
        if self.model.search.state is State.FAILED:
            self.error_label.say(self.model.search.trouble)
        self._show_results(document)
        # Before an audience the results say it, and the buttons below need the room.
        self.best.setHidden(self.gives_way)

    def _show_results(self, document: Document) -> None:
        model, settings = self.model, self.model.result_settings
        found = [] if settings is None else [model.best_of.get(c) for c in settings.candidates]
        searched = model.document or document
        has_one_method = settings and len({one.method for one in settings.candidates}) == 1
        self.results.set_rows(
            tuple(
                (
                    result.candidate.kernel_label if has_one_method else result.candidate.label,
                    model_words(result, searched, model.is_fraction),
                )
                for result in found
                if result is not None
            )
        )
        best = model.best
        words = "" if best is None else f"Lowest validation risk: {best.candidate.label}: "
        if best is not None:
            words += f"{model_words(best, searched, model.is_fraction)}."
        self.best.setText(words)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._row.lay_across(self.width() >= look_of(self).metrics.px(MIN_WIDTH_ACROSS))
        super().resizeEvent(event)

    # Steps.

    def _divide(self, validation: float, test: float) -> None:
        session = self.stage.session
        old = session.committed.held_out
        shares = replace(old.shares if old else Shares(), validation=validation, test=test)
        session.select(())
        self.error_label.attempt(lambda: session.edit(split(session.committed, shares), "Split"))
        self._refresh()

    def _search(self) -> None:
        """Begin the search, or show why it cannot begin."""
        self.model.set_settings(self._settings())
        self.error_label.attempt(self.model.start)

    def _settings(self) -> ChoiceSettings:
        return ChoiceSettings(
            tuple(
                Candidate(kernel, method)
                for method in self.methods.chosen
                for kernel in self.kernels.chosen
            )
        )

    def _take(self) -> None:
        """Give the document the chosen model, and fill the map with the models around it."""
        settings = self.model.take()
        if settings is None:
            return
        the_map = map_of(self.stage.session, self.stage.searches)
        the_map.set_settings(settings)
        self.error_label.attempt(the_map.start)

    def _retrain(self) -> None:
        """Move all validation points to the training part."""
        session = self.stage.session
        held_out = session.committed.held_out
        if held_out is None:
            return
        session.select(())
        retrained = moved_to(session.committed, TRAINING, (), range(len(held_out.validation)))
        session.edit(retrained, "Retrain on training and validation part")
