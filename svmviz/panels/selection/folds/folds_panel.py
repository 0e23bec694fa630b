"""The Folds panel: parts of the points are left out in turn, to test the model of the others."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent

from svmviz.document.document import Document
from svmviz.frames.frame import Frame, Lane
from svmviz.panels.frame_panel import FramePanel
from svmviz.panels.search_bar import SearchBar
from svmviz.panels.selection.folds.fold_form import FoldForm
from svmviz.panels.selection.folds.fold_words import (
    bounds_words,
    comparison_words,
    left_out_words,
    progress_words,
    summary,
)
from svmviz.panels.selection.folds.left_out import LeftOutPlayer, LeftOutView
from svmviz.panels.selection.folds.parts_view import PartsView
from svmviz.selection.background_search import State
from svmviz.selection.fold_plan import FIVE_BY_TWO, FoldPlan
from svmviz.selection.part_pictures import LeftOutPart, camera_of, parts_job
from svmviz.selection.plan import held_words
from svmviz.stage.stage import Stage
from svmviz.theme import active, look_of
from svmviz.theme.icons import icon
from svmviz.widgets.column import NO_LIMIT, Column
from svmviz.widgets.icon_button import IconButton
from svmviz.widgets.still_text import StillText

# Width of the column of controls and sentences beside the pictures, px at scale 1.
SIDE_WIDTH = 270
# If the panel has more than this ratio of width to height, and more than this width, px at scale 1,
# controls and sentences are beside the pictures. Otherwise only the procedure, what it is compared
# with, the buttons of the search and the sentences are above the pictures; all else is below.
MIN_RATIO_BESIDE, MIN_WIDTH_BESIDE = 1.35, 480
# If controls are below the animation, its minimum height is
# min(ANIMATION_SHAPE * its width, MAX_ANIMATION_HEIGHT). MAX_ANIMATION_HEIGHT is in px at scale 1.
ANIMATION_SHAPE, MAX_ANIMATION_HEIGHT = 0.64, 300
TIP = "Leave out each part of the points once, and test the model trained on the others."
START = "Press Start to train the model without each part of the points."
NO_POINTS = "There are no points to leave out."
BUTTONS = (
    ("start", "go-start", "Leave out nothing (Home)"),
    ("back", "step-back", "The previous point (Left)"),
    ("play", "play", "Leave out one point after the other (Space)"),
    ("forward", "step-forward", "The next point (Right)"),
    ("change", "next-change", "The next point whose removal changes f"),
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
        # The parts of the model that is compared with that of the document, by number.
        self.rival_parts: dict[int, LeftOutPart] = {}
        # The document and the plan of the last search; None if its results are not valid any more.
        self._searched_for: tuple[Document, FoldPlan] | None = None
        # Index of the point that this panel has highlighted in all views, or None.
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
        """Make the controls that choose and start the procedure."""
        self._side = self._beside.add(Column(gap=1.0))
        self.form = FoldForm()
        self._side.add(self.form.procedure)
        self._side.add(self.form.rival)
        self.bar = self._side.add(SearchBar(self.search, "Start", TIP))
        self.bar.started.connect(self.begin)
        self.form.changed.connect(self._on_plan)
        self.form.show_document(self.stage.session.document)
        self.share_choice("procedure", self.form.procedure, self._on_shared_plan)
        self.share_choice("rival", self.form.rival, self._on_shared_plan)
        self.form.show_used_controls()

    def _make_pictures(self) -> None:
        """Make the pictures of the parts, and the animation with its buttons."""
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
        self.buttons: dict[str, IconButton] = {}
        for key, picture, tip in BUTTONS:
            button = self.buttons[key] = self.transport.add(IconButton(picture, tip))
            button.clicked.connect(commands[key])
        self.transport.box.addStretch(1)

    def _make_words(self) -> None:
        self._sentences = Column(gap=1.0)
        self.words = self._sentences.add(StillText(lines=2))
        self.note = self._sentences.add(StillText(lines=1))

    # The search.

    @property
    def parts(self) -> dict[int, LeftOutPart]:
        """The parts that have arrived, by number."""
        return self.pictures.parts

    def begin(self) -> None:
        """Start the search: leave out each part of the session's document."""
        document, plan = self.stage.session.document, self.form.plan
        self._clear(document, plan)
        self._searched_for = document, plan
        self.search.start(parts_job(document, plan, self.pictures.camera))

    def _clear(self, document: Document, plan: FoldPlan) -> None:
        """Cancel the search, remove all results, and show one empty picture per part of a plan."""
        self.search.cancel()
        self._searched_for, self.full_fit, self.rival_parts = None, None, {}
        options = self.stage.view.options
        camera = camera_of(document, options.aspect_for(document.task))
        count = 1 if plan.leaves_single_points else plan.count(document.n)
        # The two halves of one division are beside each other.
        self.pictures.begin(document, camera, count, options, plan.procedure == FIVE_BY_TWO)
        self.animation.begin(document, camera, 1, options)
        self.animation.clear()
        self.player.begin(document, self.parts)
        self._lay_out()
        self._show_state()

    def _update_search(self) -> None:
        """If the results are of another document or plan, remove them, and perhaps search again.

        A new search starts if its fits take at most about a second, or if this panel is in an
        exported figure.
        """
        document = self.stage.session.document
        self.form.show_document(document)
        plan = self.form.plan
        if (
            self._searched_for is not None
            and self._searched_for[1] == plan
            and _have_same_problem(self._searched_for[0], document)
        ):
            return
        starts_itself = document.n > 0 and (plan.is_cheap(document.n) or active().printing)
        if starts_itself and self.isVisible() and not self.stage.session.previewing:
            self.begin()
        else:
            self._clear(document, plan)

    def _on_document(self) -> None:
        if self.isVisible():
            self._update_search()

    def _on_plan(self) -> None:
        self._lay_out()
        self._update_search()

    def _on_options(self) -> None:
        """Paint the pictures with the new view options.

        If the camera changes, do as for another document: remove the results and perhaps search.
        """
        options, document = self.stage.view.options, self.stage.session.document
        aspect = options.aspect_for(document.task)
        if camera_of(document, aspect) != self.pictures.camera:
            self._searched_for = None
            self._on_document()
        for view in (self.pictures, self.animation):
            view.options = options
            view.repaint_all()

    def _on_arrived(self, parts: list[LeftOutPart]) -> None:
        for part in parts:
            if part.is_full_fit:
                self.full_fit = part
                self.animation.show_full_fit(part)
            elif part.result.model:
                self.rival_parts[part.result.part] = part
        left_out_parts = [p for p in parts if not (p.is_full_fit or p.result.model)]
        self.pictures.add(left_out_parts)
        self.animation.add(left_out_parts)
        self._show_words()

    # Display.

    @property
    def is_busy(self) -> bool:
        """Whether results of parts are still being computed."""
        return self.search.state is State.RUNNING

    def _on_shared(self, key: str) -> None:
        # The models that are offered depend on the document. A hidden form does not follow it, so
        # it is updated here.
        if key == f"{self.name}.rival":
            self.form.show_document(self.stage.session.document)
        super()._on_shared(key)

    def _on_shared_plan(self, _value: str) -> None:
        self.form.show_used_controls()
        self._on_plan()

    def draw(self, lane: Lane | None, study: Any, frame: Frame) -> None:
        """Do nothing: the parts depend on the document, not on a frame."""

    def _show_state(self) -> None:
        """Show the sentences, and the buttons of the search if it does not start by itself."""
        document, plan = self.stage.session.document, self.form.plan
        starts_itself = plan.is_cheap(document.n) or active().printing
        self.bar.setVisible(document.n > 0 and not starts_itself)
        self._show_words()

    def _show_words(self) -> None:
        playing = self.player.playing
        self.buttons["play"].setIcon(icon("pause" if playing else "play"))
        words, note = self._words()
        self.words.setText(words)
        self.note.setText(note)

    def _highlight(self) -> None:
        """Highlight the point left out in the plane and in the other panels."""
        shows_animation = self.isVisible() and self.form.plan.leaves_single_points
        point = self.player.point if shows_animation else None
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
        if self._searched_for is None:
            return self._invitation(document), ""
        # The sentences are about the document of the results. The session may already have a newer
        # document, if this is called before `_on_document`.
        document, plan = self._searched_for
        if plan.leaves_single_points:
            return self._left_out_words(document, plan)
        parts = self._in_order()
        words = summary(parts, plan, document, plan.count(document.n))
        is_done = self.search.state is State.DONE
        if not (is_done and parts):
            return words, ""
        if len(self.rival_parts) == len(parts):
            rivals = [self.rival_parts[number] for number in sorted(self.rival_parts)]
            words = f"{words} {comparison_words(parts, rivals, plan, document)}"
        return words, _with_held(plan.note([part.result for part in parts]), document)

    def _in_order(self) -> list[LeftOutPart]:
        return [self.parts[number] for number in sorted(self.parts)]

    def _invitation(self, document: Document) -> str:
        if self.stage.session.previewing:
            return "The parts are computed again when the change is complete."
        return f"{START} There are {document.n:,} points, so this takes a while."

    def _left_out_words(self, document: Document, plan: FoldPlan) -> tuple[str, str]:
        player, full_fit = self.player, self.full_fit
        if full_fit is None:
            return "The model of all points is being computed.", ""
        if player.at_end:
            parts = self._in_order()
            results = [part.result for part in parts]
            return bounds_words(full_fit, parts, plan, document), _with_held(
                plan.note(results), document
            )
        if player.point is None:
            return "No point is left out yet. Play leaves out one point after the other.", ""
        words = left_out_words(self.parts[player.point], document)
        return words, progress_words(player.shown, len(self.animation.errors()), document)

    def _lay_out(self) -> None:
        """Put controls and sentences beside the pictures; in a narrow panel, above and below."""
        is_animation = self.form.plan.leaves_single_points
        self.pictures.setVisible(not is_animation)
        self.animation.setVisible(is_animation)
        printing = active().printing
        self.transport.setVisible(is_animation and not printing)
        self.form.setVisible(not (printing or self.gives_way))
        self.form.procedure.setVisible(not printing)
        self.form.rival.setVisible(self.form.plan.procedure == FIVE_BY_TWO and not printing)
        look = look_of(self)
        is_wide = self.width() > max(
            MIN_RATIO_BESIDE * self.height(), look.metrics.px(MIN_WIDTH_BESIDE)
        )
        side_width = min(look.metrics.px(SIDE_WIDTH), round(0.45 * self.width()))
        self._side.setMinimumWidth(side_width if is_wide else 0)
        self._side.setMaximumWidth(side_width if is_wide else NO_LIMIT)
        # Before an audience all pictures are in sight, however small.
        fits = is_wide or self.gives_way
        needed_height = 0 if fits else self.pictures.needed_height(self.pictures.width())
        self.pictures.setMinimumHeight(needed_height)
        animation_height = round(ANIMATION_SHAPE * self.animation.width())
        self.animation.setMinimumHeight(
            0 if fits else min(animation_height, look.metrics.px(MAX_ANIMATION_HEIGHT))
        )
        if is_wide == self._is_wide:
            return
        self._is_wide = is_wide
        self._beside.lay_across(is_wide)
        (self._side if is_wide else self._middle).add(self.form)
        self._side.add(self._sentences)
        self._side.box.setAlignment(
            Qt.AlignmentFlag.AlignTop if is_wide else Qt.AlignmentFlag.AlignVCenter
        )

    # Events of Qt.

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._lay_out()
        self._update_search()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.player.pause()
        self._highlight()
        if self.search.is_active:
            self.search.cancel()
            self._searched_for = None

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._lay_out()


def _have_same_problem(first: Document, second: Document) -> bool:
    names = ("kernel", "C", "bias", "method", "scaling", "task", "epsilon")
    settings_agree = all(getattr(first, name) == getattr(second, name) for name in names)
    return settings_agree and first.data is second.data


def _with_held(note: str, document: Document) -> str:
    """Return a note, followed by a sentence on the penalty if that is not the one set."""
    return f"{note} {held_words(document)}".strip()
