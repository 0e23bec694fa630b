"""One panel of a presentation: beside the planes, or below those of a race that needs the width."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from svmviz.panels.frame_panel import FramePanel
from svmviz.panels.registry import LESSON, PANELS, panel_named
from svmviz.plane.race_tiles import lane_count, shape_of, size_of_points
from svmviz.stage.stage import Stage
from svmviz.theme import look_of
from svmviz.widgets.plain_text import Label
from svmviz.widgets.scroller import Scroller
from svmviz.window.layouts.arrangement import Area, Part, Tabs
from svmviz.window.layouts.layout import EXPLAIN, SETTINGS, arrangement_of
from svmviz.window.presentation.presentation_frame import PresentationFrame

# Width of a panel beside the planes, as a fraction of the width of the presentation: the usual
# width, and the maximum width of a panel that needs more.
SHARE, MAX_SHARE = 0.36, 0.46
# The panel of a race is below the planes only if this makes their points larger by at least this
# factor, because a panel beside the planes is higher and shows more.
GAIN = 1.5
# Height of a panel below the planes, as a fraction of the height of the presentation.
HEIGHT_SHARE = 0.34
# Height of the sentence below planes and panels, roughly, as such a fraction.
CAPTION_SHARE = 0.12
# Qt's value of a maximum size that sets no limit (QWIDGETSIZE_MAX).
NO_LIMIT = 16_777_215
# Names of the panels that are shown when the user switches the side panel on for the first time, in
# a race and otherwise.
FIRST_IN_RACE, FIRST = "race", "objective"
# Title of the column of settings, which can be shown although it is not a panel.
SETTINGS_TITLE = "Settings"


class SidePanel(PresentationFrame):
    """The chosen panel with its title; hidden if there is none, or if it does not fit the document.

    While a step is explained, it has the panels of that layout.

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
        # What is shown: the name of a panel, or the area of the layout that explains a step; None
        # if the chosen panel does not fit the document.
        self._shown: str | Area | None = None
        self._content: QWidget | None = None
        self.setProperty("role", "side-panel")
        self._title = Label()
        self._title.setProperty("role", "section")
        self._box = QVBoxLayout(self)
        self._box.addWidget(self._title)
        self.hide()
        # Whether the panel of the open lesson can be chosen.
        self.offers_lesson = False
        stage.session.document_changed.connect(self.follow)
        stage.lesson.changed.connect(self.follow)
        stage.view.panels_changed.connect(self.follow)
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
        return {**lesson, **fitting, SETTINGS: SETTINGS_TITLE}

    @property
    def title(self) -> str:
        """Title of the panel that is shown, or empty."""
        return "" if self.isHidden() else self._title.text()

    def choose(self, name: str) -> None:
        """Show a panel, or none if the name is empty."""
        self.chosen, self.last = name, name or self.last
        self.follow()

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
        if isinstance(self._shown, Area):
            self.setFixedWidth(round(self._shown.share * width))
        elif below:
            self.setFixedHeight(round(HEIGHT_SHARE * self.window().height()))
        elif self._content is not None:
            margins = self._box.contentsMargins()
            min_width = self._content.minimumSizeHint().width() + margins.left() + margins.right()
            usual = round(SHARE * width)
            self.setFixedWidth(min(max(usual, min_width), round(MAX_SHARE * width)))

    def scroll(self, pages: int) -> bool:
        """Scroll the panel by pages, upwards if negative; return False if nothing is out of sight.

        The settings are never scrolled, since they are used with the mouse.
        """
        if not isinstance(self._content, Scroller) or self._shown == SETTINGS:
            return False
        bar = self._content.verticalScrollBar()
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
        is_one = not isinstance(self._shown, Area)
        return is_one and lanes > 1 and above > GAIN * max(beside, 1.0)

    def close_panel(self) -> None:
        """Hide the panel, which ends its studies, and then delete it."""
        if self._content is not None:
            self._content.hide()
            self._content.deleteLater()
        self._content, self._shown = None, None

    def follow(self) -> None:
        """Show the chosen panel if it fits the document, or what explains a step and fits."""
        offered = self.offered
        shown: str | Area | None = self.chosen if self.chosen in offered else None
        if self._stage.view.layout == EXPLAIN.name:
            metrics, window = look_of(self).metrics, self.window()
            height = (1.0 - CAPTION_SHARE) * window.height()
            size = window.width() / metrics.scale, height / metrics.scale
            document = self._stage.session.document
            fitting = [name for name, spec in PANELS.items() if spec.fits(document)]
            shown = arrangement_of(EXPLAIN, document, *size).only(fitting).areas["right"]
        if shown != self._shown:
            self.close_panel()
            if shown is not None:
                self._open(shown)
        self._title.setText(offered.get(shown, "") if isinstance(shown, str) else "")
        self._title.setHidden(isinstance(shown, Area))
        self.setVisible(shown is not None)
        self.adapt_to(self.window().width())

    def _open(self, shown: str | Area) -> None:
        self._shown = shown
        if isinstance(shown, Area):
            self._content = self._composed(shown.part)
            self._box.addWidget(self._content, 1)
            return
        if shown == SETTINGS:
            scroller = Scroller(self._make_settings(), parent=self)
        else:
            spec = panel_named(shown)
            panel = spec.make(self._stage)
            if isinstance(panel, FramePanel):
                panel.gives_way = True
            scroller = Scroller(panel, spec.scrolls, self)
        scroller.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self._content = scroller
        self._box.addWidget(scroller, 1)

    def _composed(self, part: Part) -> QWidget:
        """Return the panels of a part of a layout, in their brief form."""
        if isinstance(part, Tabs):
            panel = PANELS[part.front].make(self._stage)
            if isinstance(panel, FramePanel):
                panel.set_brief(True)
        else:
            panel = QWidget()
            directions = QBoxLayout.Direction
            box = QBoxLayout(
                directions.LeftToRight if part.across else directions.TopToBottom, panel
            )
            box.setContentsMargins(0, 0, 0, 0)
            box.setSpacing(0)
            for child, share in zip(part.parts, part.shares, strict=True):
                box.addWidget(self._composed(child), round(100 * share))
        panel.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
        return panel

    def _apply_style(self) -> None:
        space = look_of(self).metrics.space
        self._box.setContentsMargins(space(1), space(2), space(1), space(1))
        self._title.setContentsMargins(space(2), 0, 0, 0)
        self.adapt_to(self.window().width())
