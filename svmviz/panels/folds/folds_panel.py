"""The Folds panel: parts of the points are left out in turn, and each is tested."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QToolButton

from svmviz.document.document import Document
from svmviz.frames.frame import Frame, Lane
from svmviz.panels.folds.fold_form import FoldForm
from svmviz.panels.folds.fold_words import (
    bounds_words,
    left_out_words,
    progress_words,
    summary,
)
from svmviz.panels.folds.left_out_player import LeftOutPlayer
from svmviz.panels.folds.left_out_view import LeftOutView
from svmviz.panels.folds.parts_view import PartsView
from svmviz.panels.frame_panel import FramePanel
from svmviz.panels.map.search_bar import SearchBar
from svmviz.selection.background_search import State
from svmviz.selection.fold_plan import FoldPlan
from svmviz.selection.part_pictures import LeftOutPart, camera_of, parts_job
from svmviz.stage.stage import Stage
from svmviz.theme import LEAD, active, look_of
from svmviz.theme.icons import icon
from svmviz.widgets.column import Column
from svmviz.widgets.plain_text import set_tip
from svmviz.widgets.still_text import StillText

# Width of the column of controls and sentences beside the pictures, px at scale 1.
SIDE_WIDTH = 270
# Qt's maximum width of a widget without a limit, px.
NO_LIMIT = 16_777_215
# In a panel with at least this ratio of width to height, and at least this width, px at scale 1,
# controls and sentences are beside the pictures. Otherwise they are below.
WIDE, MIN_WIDE = 1.35, 480
# Minimum height of the animation in a narrow panel: this fraction of its width, but at most
# MAX_HIGH px at scale 1.
LARGE, MAX_HIGH = 0.64, 300
TIP = "Leave out each part of the points once, and test the model trained on the others."
START = "Press Start to leave out the parts of the points and model shown."
NO_POINTS = "There are no points to leave out."
BUTTONS = (
    ("start", "go-start", "Leave out nothing (Home)"),
    ("back", "step-back", "The point before (Left)"),
    ("play", "play", "Leave out one point after the other (Space)"),
    ("forward", "step-forward", "The next point (Right)"),
    ("change", "next-change", "The next point that changes something"),
    ("end", "go-end", "The risk and its bounds (End)"),
)


class FoldsPanel(FramePanel):
    """Pictures and risks of the parts that are left out, or leave-one-out as an animation.

    Parameters
    ----------
    stage : Stage
    """

    name = "folds"
    may_stack = True

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage)
        self.search = stage.searches.make()
        self.player = LeftOutPlayer(self)
        self.full_fit: LeftOutPart | None = None
        # The document and the plan for which parts were computed last; None if there are no parts.
        self._computed_for: tuple[Document, FoldPlan] | None = None
        # The point that the panel has highlighted in all views.
        self._highlighted: int | None = None
        self._beside = self.add(Column(gap=2.0, across=True), 1)
        self._is_wide: bool | None = None
        self._make_controls()
        self._make_pictures()
        self._make_words()
        stage.session.document_changed.connect(self._on_document)
        stage.view.changed.connect(self._on_options)
        self.search.arrived.connect(self._on_arrived)
        self.search.changed.connect(self._show_state)
        self.player.moved.connect(self._show_words)
        self.player.moved.connect(self._highlight)

    def _make_controls(self) -> None:
        """Make the column of controls."""
        self._side = self._beside.add(Column(gap=1.0))
        self.form = FoldForm()
        self._side.add(self.form.procedure)
        self.bar = self._side.add(SearchBar(self.search, "Start", TIP))
        self.bar.started.connect(self.begin)
        self.form.changed.connect(self._on_plan)

    def _make_pictures(self) -> None:
        middle = self._middle = self._beside.add(Column(gap=1.0), 1)
        self.pictures = middle.add(PartsView(), 1)
        self.pictures.enlarged_changed.connect(self._lay_out)
        self.animation = middle.add(LeftOutView(self.player), 1)
        self.transport = middle.add(Column(gap=0.5, across=True))
        self.transport.box.addStretch(1)
        commands = {
            "start": lambda: self.player.go_to(0),
            "back": lambda: self.player.step(-1),
            "play": self.player.toggle,
            "forward": lambda: self.player.step(1),
            "change": lambda: self.player.go_to_change(1),
            "end": lambda: self.player.go_to(self.player.n + 1),
        }
        self.buttons: dict[str, QToolButton] = {}
        for key, picture, tip in BUTTONS:
            button = self.buttons[key] = self.transport.add(QToolButton())
            button.setIcon(icon(picture))
            button.setAccessibleName(tip)
            set_tip(button, tip)
            button.clicked.connect(commands[key])
        self.transport.box.addStretch(1)

    def _make_words(self) -> None:
        self._sentences = Column(gap=1.0)
        self.words = self._sentences.add(StillText(lines=2, size=LEAD))
        self.note = self._sentences.add(StillText(lines=1))

    # The search.

    @property
    def parts(self) -> dict[int, LeftOutPart]:
        """The parts that have arrived, by number."""
        return self.pictures.parts

    def begin(self) -> None:
        """Start to compute the parts of the session's document."""
        document, plan = self.stage.session.document, self.form.plan
        self._clear(document, plan)
        self._computed_for = document, plan
        self.search.start(parts_job(document, plan, self.pictures.camera))

    def _clear(self, document: Document, plan: FoldPlan) -> None:
        """Cancel the search, remove all results, and show empty pictures for those of a plan."""
        self.search.cancel()
        self._computed_for, self.full_fit = None, None
        options = self.stage.view.options
        camera = camera_of(document, options.aspect_for(document.task))
        count = 1 if plan.leaves_single_points else plan.count(document.n)
        self.pictures.begin(document, camera, count, options)
        self.animation.begin(document, camera, self.parts, options)
        self.player.begin(document.n, self.parts)
        self._lay_out()
        self._show_state()

    def _renew(self) -> None:
        """Remove results of another document or plan, and start again if that takes a second."""
        document, plan = self.stage.session.document, self.form.plan
        if (
            self._computed_for is not None
            and self._computed_for[1] == plan
            and _same(self._computed_for[0], document)
        ):
            return
        self.form.show_task(document.task)
        plan = self.form.plan
        begins_alone = document.n > 0 and (plan.is_cheap(document.n) or active().printing)
        if begins_alone and self.isVisible() and not self.stage.session.previewing:
            self.begin()
        else:
            self._clear(document, plan)

    def _on_document(self) -> None:
        if self.isVisible():
            self._renew()

    def _on_plan(self) -> None:
        self._lay_out()
        self._renew()

    def _on_options(self) -> None:
        """Paint the pictures with other options; for another aspect, compute the parts again."""
        options, document = self.stage.view.options, self.stage.session.document
        aspect = options.aspect_for(document.task)
        if camera_of(document, aspect) != self.pictures.camera:
            self._computed_for = None
            self._on_document()
        for view in (self.pictures, self.animation):
            view.options = options
            view.repaint_all()

    def _on_arrived(self, parts: list[LeftOutPart]) -> None:
        for part in parts:
            if part.is_full_fit:
                self.full_fit = part
                self.animation.show_full_fit(part)
        rest = [part for part in parts if not part.is_full_fit]
        self.pictures.add(rest)
        self.animation.add(rest)
        self._show_words()

    # Display.

    @property
    def is_busy(self) -> bool:
        """Whether not all pictures are computed yet."""
        return self.search.state is State.RUNNING

    def draw(self, lane: Lane | None, study: Any, frame: Frame) -> None:
        """Do nothing: the parts depend on the document, not on a frame."""

    def _show_state(self) -> None:
        """Show the sentences, and the buttons of the search if it takes more than a second."""
        document, plan = self.stage.session.document, self.form.plan
        begins_alone = plan.is_cheap(document.n) or active().printing
        self.bar.setVisible(document.n > 0 and not begins_alone)
        self._show_words()

    def _show_words(self) -> None:
        playing = self.player.playing
        self.buttons["play"].setIcon(icon("pause" if playing else "play"))
        words, note = self._words()
        self.words.setText(words)
        self.note.setText(note)

    def _highlight(self) -> None:
        """Highlight the point left out in the plane and in the other panels."""
        single = self.isVisible() and self.form.plan.leaves_single_points
        point = self.player.point if single else None
        if point != self._highlighted:
            self._highlighted = point
            self.stage.spotlight.highlight(point)

    def _words(self) -> tuple[str, str]:
        """Return the main sentence and the small one below."""
        document = self.stage.session.document
        if not document.n:
            return NO_POINTS, ""
        if self.search.state is State.FAILED:
            return self.search.trouble, ""
        if self._computed_for is None:
            return self._invitation(document), ""
        # The sentences are about the document of the results. The session may have a newer one,
        # since other receivers of its signal are called before this panel.
        document, plan = self._computed_for
        if plan.leaves_single_points:
            return self._left_out_words(document, plan)
        parts = self._in_order()
        words = summary(parts, plan, document, plan.count(document.n))
        done = self.search.state is State.DONE
        return words, plan.note([part.result for part in parts]) if done and parts else ""

    def _in_order(self) -> list[LeftOutPart]:
        return [self.parts[number] for number in sorted(self.parts)]

    def _invitation(self, document: Document) -> str:
        if self.stage.session.previewing:
            return "The parts are computed again when the change is complete."
        return f"{START} These are {document.n:,} points, so it takes a while."

    def _left_out_words(self, document: Document, plan: FoldPlan) -> tuple[str, str]:
        player, full_fit = self.player, self.full_fit
        if full_fit is None:
            return "The model of all points is computed.", ""
        if player.at_end:
            parts = self._in_order()
            results = [part.result for part in parts]
            return bounds_words(full_fit, parts, plan, document), plan.note(results)
        if player.point is None:
            return "All points are in: Play leaves out one after the other.", ""
        words = left_out_words(self.parts[player.point], document)
        return words, progress_words(player.shown, len(self.animation.errors()), document)

    def _lay_out(self) -> None:
        """Put controls and words beside the pictures, or below them if the panel is narrow."""
        single = self.form.plan.leaves_single_points
        self.pictures.setVisible(not single)
        self.animation.setVisible(single)
        printing = active().printing
        self.transport.setVisible(single and not printing)
        for control in (self.form, self.form.procedure):
            control.setVisible(not printing)
        look = look_of(self)
        wide = self.width() > max(WIDE * self.height(), look.metrics.px(MIN_WIDE))
        side = min(look.metrics.px(SIDE_WIDTH), round(0.45 * self.width()))
        self._side.setMinimumWidth(side if wide else 0)
        self._side.setMaximumWidth(side if wide else NO_LIMIT)
        needed = 0 if wide else self.pictures.needed_height(self.pictures.width())
        self.pictures.setMinimumHeight(needed)
        high = round(LARGE * self.animation.width())
        self.animation.setMinimumHeight(0 if wide else min(high, look.metrics.px(MAX_HIGH)))
        if wide == self._is_wide:
            return
        self._is_wide = wide
        self._beside.lay_across(wide)
        column = self._side if wide else self._middle
        for widget in (self.form, self._sentences) if wide else (self._sentences, self.form):
            column.add(widget)
        self._side.box.setAlignment(
            Qt.AlignmentFlag.AlignTop if wide else Qt.AlignmentFlag.AlignVCenter
        )

    # Events of Qt.

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._lay_out()
        self._renew()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.player.pause()
        self._highlight()
        if self.search.is_active:
            self.search.cancel()
            self._computed_for = None

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._lay_out()


def _same(one: Document, other: Document) -> bool:
    """Return whether two documents have the same problem and method."""
    names = ("kernel", "C", "bias", "method", "scaling", "task", "epsilon")
    same = all(getattr(one, name) == getattr(other, name) for name in names)
    return same and one.data is other.data
