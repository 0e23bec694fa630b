"""The base class of panels that draw the frame while they are visible."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QGuiApplication, QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QGraphicsView, QScrollArea, QWidget

from svmviz.frames.frame import Frame, Lane
from svmviz.frames.studies import Study
from svmviz.stage.stage import Stage
from svmviz.theme import look_of
from svmviz.widgets.column import Column
from svmviz.widgets.inputs.choice_box import ChoiceBox
from svmviz.widgets.inputs.segmented import Segmented

if TYPE_CHECKING:
    # Charts import pyqtgraph, which takes 0.1 s; the first picture of a start does not wait for it.
    from svmviz.widgets.charts.chart import Chart

T = TypeVar("T")
# Minimum width of a panel with one chart, px at scale 1.
MIN_WIDTH = 190
# Space around the contents of a brief panel (see `set_brief`) and of one before an audience, in
# units of 4 px at scale 1.
BRIEF_MARGIN = 1.0


class FramePanel(Column):
    """A panel that draws each frame while it is visible.

    A subclass defines :attr:`name` and :meth:`draw`. If it needs more than the lanes of the frame,
    it also overrides :meth:`make_study`; the function that this returns runs in the frame thread.
    Subclasses highlight points through ``self.stage.spotlight`` and select them through
    ``self.stage.session.select``.

    Parameters
    ----------
    stage : Stage
    gap, margin : float
        Space between two widgets and around all widgets, in units of 4 px at scale 1.
    """

    # The name of the panel in the registry.
    name: str
    # The key of the study in `Frame.studies` if the panel shares it with other views; otherwise the
    # key is the name of the panel.
    study_key = ""
    # Whether the panel puts its charts one above the other if it is too narrow for them side by
    # side.
    may_stack = False
    # Whether the plane draws the hulls while the panel is visible, unless it never shall; and
    # whether it leaves out the user's line, until the line is moved.
    speaks_of_hulls, leaves_line_out = False, False

    def __init__(self, stage: Stage, gap: float = 1.0, margin: float = 2.0) -> None:
        super().__init__(gap=gap, margin=margin)
        self.stage = stage
        # The lane in focus of the frame that was drawn last; None if nothing is solved.
        self.lane: Lane | None = None
        self._usual_margin = margin
        # Whether the panel leaves out text that other panels show beside it (see `set_brief`).
        self.brief = False
        # Whether the panel, if not all fits, leaves out what matters least, because nobody scrolls
        # it.
        self.gives_way = False
        # Widgets that only change settings, which a presentation leaves out (see `present`).
        self.setting_forms: list[QWidget] = []
        # Functions that show a choice of the view state, by its key.
        self._shared: dict[str, Callable[[str], None]] = {}
        self._study = self.make_study()
        stage.feed.panel_frame_changed.connect(self._on_frame)
        stage.spotlight.changed.connect(self._on_marks)
        stage.session.selection_changed.connect(self._on_marks)
        stage.view.chosen.connect(self._on_shared)
        self.follow_style(FramePanel._on_style)

    def set_brief(self, brief: bool) -> None:
        """Leave out text that other panels show beside this one, and let charts be small."""
        self.brief = self.gives_way = brief
        self.set_margin(BRIEF_MARGIN if brief else self._usual_margin)
        # Only charts are graphics views.
        for chart in self.findChildren(QGraphicsView):
            least = 1 if brief else 0
            chart.setMinimumSize(least, least)
        if self.isVisible():
            self._on_frame(self.stage.feed.frame)

    def present(self) -> None:
        """Leave out what only changes settings, for good: an audience looks at the picture."""
        self.gives_way = True
        self.set_margin(BRIEF_MARGIN)
        # A panel may show its forms again, but not in a hidden parent.
        attic = QWidget(self)
        attic.hide()
        for form in self.setting_forms:
            form.setParent(attic)

    def fit_into(self, width: int, height: int) -> int:
        """Return the height for a width, px; a subclass may leave something out to need less."""
        return self.heightForWidth(width)

    # For subclasses.

    @property
    def is_busy(self) -> bool:
        """Whether the panel waits for background results, which an exported figure must contain."""
        return False

    def make_study(self) -> Study | None:
        """Return a function of frame and runs for the frame thread, or None.

        See ``svmviz.frames.studies``. The function must not be a method of the panel, since
        widgets belong to the GUI thread.
        """
        return None

    def draw(self, lane: Lane | None, study: Any, frame: Frame) -> None:
        """Show a frame.

        Parameters
        ----------
        lane : Lane or None
            The lane in focus; None if nothing is solved.
        study : object or None
            The result of the study (see :meth:`make_study`) for this frame; None if the panel has
            no study, and before the first result.
        frame : Frame
        """
        raise NotImplementedError

    def mark(self) -> None:
        """Mark the highlighted and the selected points.

        The base class calls this after each :meth:`draw`, and when other points are highlighted or
        selected.
        """

    def apply_style(self) -> None:
        """Apply the theme; called before ``draw`` when the panel is shown or the theme changes."""

    def link(
        self,
        chart: Chart,
        point_at: Callable[[float, float], int | None],
        *,
        selects: bool = True,
    ) -> None:
        """Highlight the point under the mouse in all views; a click selects it if ``selects``.

        ``point_at`` returns the index of the point at a position of the chart, or None.
        """
        chart.hovered.connect(lambda x, y: self.stage.spotlight.highlight(point_at(x, y)))
        if selects:
            chart.pressed.connect(lambda x, y: self.select_point(point_at(x, y)))
        chart.left.connect(lambda: self.stage.spotlight.highlight(None))

    def share_choice(
        self, control: str, widget: Segmented | ChoiceBox, apply: Callable[[str], object]
    ) -> None:
        """Let a control show and change a choice that all views of this panel share.

        ``apply(value)`` is called after each change.
        """

        def show(value: str) -> None:
            widget.set_value(value)
            apply(value)

        present = self.share_value(
            control, lambda text: text if text in widget.keys else None, show
        )
        if present is not None:
            widget.set_value(present)
        widget.chosen.connect(lambda value: self.keep_value(control, value))

    def share_value(
        self, control: str, read: Callable[[str], T | None], apply: Callable[[T], object]
    ) -> T | None:
        """Let ``apply`` follow a choice of the view state (`ViewState.choices`).

        So every view of this panel shows the same. ``read`` makes a value of the text that is kept
        there; None if it makes no sense. Return the present value.
        """

        def show(text: str) -> None:
            value = read(text)
            if value is not None:
                apply(value)

        key = f"{self.name}.{control}"
        self._shared[key] = show
        return read(self.stage.view.choices.get(key, ""))

    def keep_value(self, control: str, text: str) -> None:
        """Put a choice that was made in this panel into the view state."""
        self.stage.view.choose({f"{self.name}.{control}": text})

    def _on_shared(self, key: str) -> None:
        if key in self._shared:
            self._shared[key](self.stage.view.choices.get(key, ""))

    def select_point(self, index: int | None) -> None:
        """Select a point that was clicked; if Shift is held, add the point to the selection.

        Nothing happens if ``index`` is None or the document has no such point any more.
        """
        session = self.stage.session
        if index is None or index >= session.document.n:
            return
        extends = QGuiApplication.keyboardModifiers() & Qt.KeyboardModifier.ShiftModifier
        session.select(session.selection | {index} if extends else {index})

    def lies_across(self, min_width: float) -> bool:
        """Return whether to put two charts side by side, and not one above the other.

        They are side by side if the width of the panel is more than 1.1 times its height, and more
        than ``min_width``, px at scale 1.
        """
        min_px = look_of(self).metrics.px(min_width)
        return self.width() > max(1.1 * self.visible_height, min_px)

    @property
    def visible_height(self) -> int:
        """Height of the panel, px; if it scrolls, only the part that is in sight counts."""
        viewport = self.parentWidget()
        scrolls = viewport is not None and isinstance(viewport.parentWidget(), QScrollArea)
        return min(self.height(), viewport.height()) if viewport and scrolls else self.height()

    def renew_study(self) -> None:
        """Replace the study by a new one, after something changed that it depends on."""
        if self.isVisible() and self._study is not None:
            self.stage.feed.unsubscribe(self.study_key or self.name, self._study)
        self._study = self.make_study()
        if self.isVisible() and self._study is not None:
            self.stage.feed.subscribe(self.study_key or self.name, self._study)

    def redraw(self, _choice: object = None) -> None:
        """Draw the present frame again, after something was chosen in the panel."""
        self._on_frame(self.stage.feed.panel_frame)

    @property
    def marked_points(self) -> dict[str, list[int]]:
        """Points of the step, selected and highlighted points, by the colour of their rings."""
        lane, n = self.lane, self.lane.problem.n if self.lane else 0
        marked = {
            "highlight": () if lane is None or lane.at_end else lane.marked,
            "focus": sorted(self.stage.session.selection),
            "text": self.stage.spotlight.points,
        }
        return {colour: [i for i in points if i < n] for colour, points in marked.items()}

    @property
    def on_plane(self) -> Mapping[str, Any]:
        """Options of the plane that replace their defaults while the panel is visible."""
        if self.leaves_line_out:
            return {"without_line": self.stage.session.document.user_line}
        return {"hulls": "always"} if self.speaks_of_hulls else {}

    # Internals.

    def minimumSizeHint(self) -> QSize:
        """Return the minimum size; if :attr:`may_stack`, the width of one chart is enough."""
        hint = super().minimumSizeHint()
        width = look_of(self).metrics.px(MIN_WIDTH)
        return QSize(min(hint.width(), width) if self.may_stack else hint.width(), hint.height())

    def _on_frame(self, frame: Frame) -> None:
        if not self.isVisible():
            return
        self.lane = frame.lane
        self.draw(frame.lane, frame.studies.get(self.study_key or self.name), frame)
        self.mark()

    def _on_marks(self) -> None:
        if self.isVisible():
            self.mark()

    def _on_style(self) -> None:
        if self.isVisible():
            self.apply_style()
            self._on_frame(self.stage.feed.frame)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.apply_style()
        if self._study is not None:
            self.stage.feed.subscribe(self.study_key or self.name, self._study)
        self.stage.view.add(self, self.on_plane)
        self._on_frame(self.stage.feed.frame)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.stage.view.add(self, {})
        if self._study is not None:
            self.stage.feed.unsubscribe(self.study_key or self.name, self._study)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._on_frame(self.stage.feed.frame)


def reader_of(count: int) -> Callable[[str], tuple[float, ...] | None]:
    """Return a function that reads a text of ``count`` finite numbers."""

    def read(text: str) -> tuple[float, ...] | None:
        try:
            numbers = tuple(map(float, text.split()))
        except ValueError:
            return None
        return numbers if len(numbers) == count and all(map(math.isfinite, numbers)) else None

    return read


def text_of(numbers: Iterable[float]) -> str:
    """Return the text from which a function of `reader_of` reads the same numbers."""
    return " ".join(f"{x!r}" for x in map(float, numbers))
