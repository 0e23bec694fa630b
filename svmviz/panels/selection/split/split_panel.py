"""The split of the points: its parts, their errors, and the controls that make a split."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QCheckBox, QPushButton

from solvers import BadInput
from svmviz.document.document import Document
from svmviz.document.held_out import PARTS, TEST, VALIDATION, Shares
from svmviz.document.splitting import MIN_FRESH, moved_to, split, with_fresh_test
from svmviz.frames.frame import Frame, Lane
from svmviz.frames.part_risks import PartRisk, part_risks, risk_of_test
from svmviz.panels.frame_panel import FramePanel
from svmviz.panels.seed_box import SeedBox
from svmviz.panels.selection.share_buttons import THREE_PARTS, TWO_PARTS, ShareButtons
from svmviz.panels.selection.split.drawer import open_drawer, situation_words
from svmviz.panels.selection.split.part_table import PartTable
from svmviz.session.edits import points_phrase
from svmviz.stage.stage import Stage
from svmviz.theme import look_of
from svmviz.theme.icons import icon
from svmviz.widgets.column import Column
from svmviz.widgets.inputs.slider import ValueSlider
from svmviz.widgets.inputs.slider_scale import Track
from svmviz.widgets.plain_text import MutedLabel, set_tip
from svmviz.widgets.still_text import StillText

# Minimum width of the panel at which the buttons of a row are side by side, px at scale 1.
MIN_WIDTH_ACROSS = 280
OPEN_TIP = "Show the test points and their error. Do it once, when the model is chosen: no undo."
FRESH_TIP = (
    f"Replace the test part by at least {MIN_FRESH} new points of the same source, which are "
    "hidden again. The model stays."
)
NO_SOURCE = "New test points need a source: generate the points (Data), and then split them."
STRATIFIED_TIP = (
    "Stratified parts: each has the classes in the proportions of all points. In a regression the "
    "targets are sorted and cut into fifths, which take the role of the classes."
)
SIZE_TIPS = {
    VALIDATION: "A large part measures each model well, but leaves fewer points to train it. With "
    "a small one the risk is noisy: 10 % of 12 points has a standard deviation of 9 %.",
    TEST: "A large part leaves fewer points for training, and a small one makes the error noisy.",
}
SELECT_TIP = "Select points first, with a rectangle (S) or the lasso (Shift+S)"


class SplitPanel(FramePanel):
    """Panel of the parts of the split with their errors, and the controls that change the parts.

    The test points are in a "drawer": they are hidden until the user opens it.

    Parameters
    ----------
    stage : Stage
    """

    name = "split"
    may_stack = True

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage)
        self._session = stage.session
        self._rows: list[Column] = []
        self.table = self.add(PartTable())
        self.words = self.add(StillText(lines=3))
        self._add_drawer()
        self._add_shares()
        self._add_moves()
        self.setting_forms += [
            *self.usual,
            *self.sliders.values(),
            *self._rows[1:],
            self.stratified,
        ]
        self.setting_forms.append(self.chosen)
        self.box.addStretch(1)
        stage.session.document_changed.connect(self._show_document)
        self._show_document()

    # Widgets.

    def _add_row(self) -> Column:
        """Add a row of buttons. In a narrow panel, the buttons are one above the other."""
        self._rows.append(self.add(Column(across=True)))
        return self._rows[-1]

    def _add_drawer(self) -> None:
        row = self._add_row()
        self.drawer = row.add(QPushButton(icon("lock"), "Reveal test points"), 1)
        self.drawer.clicked.connect(lambda _checked: open_drawer(self.stage))
        self.fresh = row.add(QPushButton("New test points"), 1)
        self.fresh.clicked.connect(self._draw_fresh)

    def _add_shares(self) -> None:
        self.usual = [self.add(ShareButtons(shares)) for shares in (TWO_PARTS, THREE_PARTS)]
        for buttons in self.usual:
            buttons.chosen.connect(self._divide)
        self.sliders = {}
        for part in (VALIDATION, TEST):
            slider = ValueSlider(
                PARTS[part].capitalize(),
                Track(0.0, 80.0, logarithmic=False, whole=True),
                0.0,
                _check_share,
                unit="%",
                tip=f"Fraction of all points in the {PARTS[part]} part; 0 for none. "
                f"{SIZE_TIPS[part]}",
            )
            slider.moved.connect(lambda _value: self._preview())
            slider.released.connect(lambda _value: self._commit("Split"))
            self.sliders[part] = self.add(slider)
        row = self._add_row()
        self.again = row.add(QPushButton("Divide again"), 1)
        set_tip(self.again, "New random parts of the same sizes, with the next seed")
        self.again.clicked.connect(lambda: self.seed.dice.click())
        self.seed = row.add(SeedBox())
        self.seed.chosen.connect(partial(self._commit, "Divide again"))
        self.stratified = self.add(QCheckBox("Keep class shares"))
        self.stratified.setChecked(Shares().stratified)
        set_tip(self.stratified, STRATIFIED_TIP)
        self.stratified.clicked.connect(lambda _on: self._commit("Split"))

    def _add_moves(self) -> None:
        self.chosen = self.add(MutedLabel())
        row = self._add_row()
        self.moves = {}
        for part, name in enumerate(PARTS):
            button = self.moves[part] = row.add(QPushButton(name.capitalize()), 1)
            button.clicked.connect(partial(self._move, part))
            set_tip(button, f"Move the selected points to the {name} part")

    # Display.

    def _show_document(self) -> None:
        """Show the sizes, the seed and the options of the document's split."""
        document = self._session.document
        held_out = document.held_out
        # Without a split, both sliders are at 0, and the other controls keep their values.
        no_split = replace(self._shares_shown(), validation=0.0, test=0.0)
        shares = held_out.shares if held_out else no_split
        for part, share in ((VALIDATION, shares.validation), (TEST, shares.test)):
            self.sliders[part].set_value(round(100.0 * share, 6))
        for buttons in self.usual:
            buttons.show_split(held_out)
        self.seed.set_value(shares.seed)
        self.stratified.setChecked(shares.stratified)
        self.again.setEnabled(held_out is not None)
        self.words.setText(situation_words(document))
        self._show_drawer(document)

    def _show_drawer(self, document: Document) -> None:
        held_out = document.held_out
        has_test = held_out is not None and len(held_out.test) > 0
        is_open = has_test and held_out is not None and held_out.seen
        self.drawer.setText("Test points revealed" if is_open else "Reveal test points")
        self.drawer.setEnabled(has_test and not is_open)
        set_tip(self.drawer, OPEN_TIP)
        source = document.source if has_test else None
        self.fresh.setEnabled(source is not None and source.is_random)
        set_tip(self.fresh, FRESH_TIP if self.fresh.isEnabled() or not has_test else NO_SOURCE)

    def draw(self, lane: Lane | None, study: Any, frame: Frame) -> None:
        document, held_out = frame.document, frame.document.held_out
        sizes = document.n, 0, 0
        if held_out is not None:
            sizes = document.n, len(held_out.validation), len(held_out.test)
        risks: tuple[PartRisk, ...] = part_risks(document, lane) if lane and document.n else ()
        quantity = "mean |y − f|" if document.is_regression else "error"
        self.table.show_parts(quantity, sizes, risks)
        self.table.show_badge(held_out)

    def mark(self) -> None:
        session = self._session
        n = len(session.editable_selection) + len(session.held_selection)
        self.chosen.setText(
            f"Move {points_phrase(n)} to:" if n else f"{SELECT_TIP}. Then move them to:"
        )
        for button in self.moves.values():
            button.setEnabled(n > 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        is_wide = self.width() >= look_of(self).metrics.px(MIN_WIDTH_ACROSS)
        for row in self._rows:
            row.lay_across(is_wide)
        self.table.lay_across(is_wide)
        super().resizeEvent(event)

    # Edits.

    def _shares_shown(self) -> Shares:
        validation, test = (self.sliders[part].value / 100.0 for part in (VALIDATION, TEST))
        return Shares(validation, test, self.seed.value, self.stratified.isChecked())

    def _preview(self) -> None:
        self._split_and(lambda document: self._session.preview(document))

    def _commit(self, text: str) -> None:
        self._session.select(())
        self._split_and(lambda document: self._session.edit(document, text))

    def _divide(self, validation: float, test: float) -> None:
        """Draw parts of a usual size."""
        for part, share in ((VALIDATION, validation), (TEST, test)):
            self.sliders[part].set_value(100.0 * share)
        self._commit("Split")
        # The click has pressed its button, even if the points cannot be divided like this. So press
        # the button of the present split again.
        for buttons in self.usual:
            buttons.show_split(self._session.document.held_out)

    def _split_and(self, use: Callable[[Document], None]) -> None:
        """Split the points as the controls say, and call ``use`` with the new document.

        If the points cannot be split like this, show the reason.
        """
        committed = self._session.committed
        try:
            use(split(committed, self._shares_shown()))
        except BadInput as error:
            self._session.abandon()
            self._show_document()
            self.words.setText(str(error))

    def _draw_fresh(self) -> None:
        """Replace the test part by fresh points.

        If the old test part was seen, the document stores the error on it for comparison.
        """
        session, frame = self._session, self.stage.feed.panel_frame
        held_out, seen_risk = session.committed.held_out, None
        is_current = frame.lane is not None and frame.document.held_out == held_out
        if held_out is not None and held_out.seen and is_current and frame.lane is not None:
            seen_risk = risk_of_test(frame.document, frame.lane)
        try:
            fresh = with_fresh_test(session.committed, seen_risk)
        except BadInput as error:
            self.words.setText(str(error))
            return
        session.edit(fresh, "Draw new test points", generates=True)

    def _move(self, part: int, _checked: bool = False) -> None:
        session = self._session
        training, held_out = session.editable_selection, session.held_selection
        session.select(())
        document = moved_to(session.committed, part, training, held_out)
        points = points_phrase(len(training) + len(held_out))
        session.edit(document, f"Move {points} to {PARTS[part]}")


def _check_share(value: float) -> str:
    if not (math.isfinite(value) and 0.0 <= value < 100.0):
        return f"The part must be from 0 to below 100 %: got {value:g}."
    return ""
