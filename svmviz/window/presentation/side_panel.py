"""One panel of a presentation: beside the planes, or below those of a race that needs the width."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from svmviz.panels.frame_panel import FramePanel
from svmviz.panels.registry import LESSON, PANELS, panel_named
from svmviz.plane.race_tiles import lane_count, shape_of, size_of_points
from svmviz.stage.stage import Stage
from svmviz.theme import look_of
from svmviz.widgets.plain_text import Label
from svmviz.widgets.scroller import Scroller
from svmviz.window.presentation.presentation_frame import PresentationFrame

# Width of a panel beside the planes, as a fraction of the width of the presentation: the usual
# width, and the maximum width of a panel that needs more.
SHARE, MAX_SHARE = 0.36, 0.46
# The panel of a race is below the planes only if this makes their points larger by at least this
# factor, because a panel beside the planes is higher and shows more.
GAIN = 1.5
# Height of a panel below the planes, as a fraction of the height of the presentation.
HEIGHT_SHARE = 0.34
# Qt's value of a maximum size that sets no limit (QWIDGETSIZE_MAX).
NO_LIMIT = 16_777_215
# Names of the panels that are shown when the user switches the side panel on for the first time, in
# a race and otherwise.
FIRST_IN_RACE, FIRST = "race", "objective"
# Name and title of the column of settings, which can be shown although it is not a panel.
SETTINGS = ("settings", "Settings")


class SidePanel(PresentationFrame):
    """The chosen panel with its title; hidden if there is none, or if it does not fit the document.

    Parameters
    ----------
    stage : Stage
    make_settings : callable() -> QWidget
        Makes a column of settings.
    parent : QWidget

    Attributes
    ----------
    chosen : str
        Name of the panel that the user has chosen; empty while the side panel is off.
    last : str
        Name of the panel that is shown when the side panel is switched on again; empty if none was
        shown yet.
    is_below : bool
        Whether the panel is below the planes; otherwise it is at their right.

    Signals
    -------
    moved : bool
        The new value of ``is_below``.
    """

    moved = Signal(bool)

    def __init__(self, stage: Stage, make_settings: Callable[[], QWidget], parent: QWidget) -> None:
        super().__init__(parent)
        self._stage, self._make_settings = stage, make_settings
        self.chosen, self.last = "", ""
        self.is_below = False
        # Name of the panel that is shown: ``chosen``, or empty if that does not fit the document.
        self._name = ""
        self._scroller: Scroller | None = None
        self.setProperty("role", "side-panel")
        self._title = Label()
        self._title.setProperty("role", "section")
        self._box = QVBoxLayout(self)
        self._box.addWidget(self._title)
        self.hide()
        # Whether the panel of the open lesson can be chosen.
        self.offers_lesson = False
        stage.session.document_changed.connect(self._follow_document)
        stage.lesson.changed.connect(self._follow_document)
        self.follow_style(SidePanel._apply_style)

    @property
    def offered(self) -> dict[str, str]:
        """Titles, by name, of the panels that fit the document and of the settings."""
        document = self._stage.session.document
        fitting = {
            name: spec.title_for(document.task)
            for name, spec in PANELS.items()
            if spec.fits(document)
        }
        has_lesson = self.offers_lesson and self._stage.lesson.lesson is not None
        lesson = {LESSON.name: LESSON.title} if has_lesson else {}
        return {**lesson, **fitting, SETTINGS[0]: SETTINGS[1]}

    @property
    def title(self) -> str:
        """Title of the panel that is shown, or empty."""
        return "" if self.isHidden() else self._title.text()

    def choose(self, name: str) -> None:
        """Show a panel, or none if the name is empty."""
        self.chosen, self.last = name, name or self.last
        self._follow_document()

    @property
    def proposed(self) -> str:
        """Name of the panel to show when the side panel is switched on."""
        is_race = len(self._stage.session.document.methods) > 1
        return self.last or (FIRST_IN_RACE if is_race else FIRST)

    def adapt_to(self, width: int) -> None:
        """Adapt position and size of the panel to a presentation that is ``width`` px wide."""
        below = self._is_better_below(width, self.window().height())
        if below != self.is_below:
            self.is_below = below
            self.setMinimumSize(0, 0)
            self.setMaximumSize(NO_LIMIT, NO_LIMIT)
            self.moved.emit(below)
        if below:
            self.setFixedHeight(round(HEIGHT_SHARE * self.window().height()))
        elif self._scroller is not None:
            margins = self._box.contentsMargins()
            min_width = self._scroller.minimumSizeHint().width() + margins.left() + margins.right()
            usual = round(SHARE * width)
            self.setFixedWidth(min(max(usual, min_width), round(MAX_SHARE * width)))

    def scroll(self, pages: int) -> bool:
        """Scroll the panel by pages, upwards if negative; return False if nothing is out of sight.

        The settings are never scrolled, since they are used with the mouse.
        """
        if self._scroller is None or self._name == SETTINGS[0]:
            return False
        bar = self._scroller.verticalScrollBar()
        before = bar.value()
        bar.setValue(before + pages * bar.pageStep())
        return bar.value() != before

    def _is_better_below(self, width: int, height: int) -> bool:
        """Return whether the points of a race are much larger with the panel below its planes."""
        document = self._stage.session.document
        lanes, scale = lane_count(document), look_of(self).metrics.scale
        shape = shape_of(document, self._stage.view.options)
        above = size_of_points(lanes, width, round((1 - HEIGHT_SHARE) * height), scale, shape)
        beside = size_of_points(lanes, round((1 - SHARE) * width), height, scale, shape)
        return lanes > 1 and above > GAIN * max(beside, 1.0)

    def close_panel(self) -> None:
        """Hide the panel, which ends its studies, and then delete it."""
        if self._scroller is not None:
            self._scroller.hide()
            self._scroller.deleteLater()
        self._scroller, self._name = None, ""

    def _follow_document(self) -> None:
        """Show the chosen panel if it fits the document."""
        offered = self.offered
        name = self.chosen if self.chosen in offered else ""
        if name != self._name:
            self.close_panel()
            if name:
                self._open(name)
        self._title.setText(offered.get(name, ""))
        self.setVisible(bool(name))
        self.adapt_to(self.window().width())

    def _open(self, name: str) -> None:
        self._name = name
        if name == SETTINGS[0]:
            self._scroller = Scroller(self._make_settings(), parent=self)
        else:
            spec = panel_named(name)
            panel = spec.make(self._stage)
            if isinstance(panel, FramePanel):
                panel.gives_way = True
            self._scroller = Scroller(panel, spec.scrolls, self)
        self._scroller.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self._box.addWidget(self._scroller, 1)

    def _apply_style(self) -> None:
        space = look_of(self).metrics.space
        self._box.setContentsMargins(space(1), space(2), space(1), space(1))
        self._title.setContentsMargins(space(2), 0, 0, 0)
        self.adapt_to(self.window().width())
