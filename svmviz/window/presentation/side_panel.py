"""One panel of a presentation: beside the planes, or below those of a race that needs the width."""

from __future__ import annotations

from dataclasses import replace
from enum import Enum

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from svmviz.panels.frame_panel import FramePanel
from svmviz.panels.registry import LESSON, PANELS, panel_named
from svmviz.plane.race_tiles import lane_count, shape_of, size_of_points
from svmviz.stage.stage import Stage
from svmviz.theme import look_of
from svmviz.widgets.column import Column
from svmviz.widgets.plain_text import Label
from svmviz.widgets.scroller import Scroller
from svmviz.window.docks.docks import Docks
from svmviz.window.layouts.arrangement import Arrangement, Place
from svmviz.window.layouts.layout import EXPLAIN, SETTINGS
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
# Width of the card of a lesson with a panel below it, as a fraction of the width of the
# presentation; the place of the card, as high as that of the panel.
CARD_SHARE, CARD = 0.42, Place((LESSON.name,))
# Qt's value of a maximum size that sets no limit (QWIDGETSIZE_MAX).
NO_LIMIT = 16_777_215
# Title of the column of settings, which can be shown although it is not a panel.
SETTINGS_TITLE = "Settings"


class Room(Enum):
    """The place that the panel has: beside large planes, beside small ones, or alone."""

    SMALL = "small"
    LARGE = "large"
    ALL = "all"


class SidePanel(PresentationFrame):
    """The panel in front of the window, with its title; hidden if there is none.

    While a step is explained, it has the panels of that layout. While a lesson is open, its card is
    above the panel.

    Parameters
    ----------
    stage : Stage
    docks : Docks
        The panels of the window; they make a column of settings.
    parent : QWidget

    Attributes
    ----------
    chosen : str
        Name of the panel: the one in front of the window, or the one that the user has chosen since
        another came to the front; empty if there is none.
    is_off : bool
        Whether the user has hidden the panel.
    room : Room
    is_below : bool
        Whether the panel is below the planes; otherwise it is beside them.

    Signals
    -------
    moved()
        ``room``, ``is_below`` or the visibility of the panel has changed.
    """

    moved = Signal()

    def __init__(self, stage: Stage, docks: Docks, parent: QWidget) -> None:
        super().__init__(parent)
        self._stage, self._docks = stage, docks
        self.chosen, self._seen = stage.view.panel, (stage.view.layout, stage.view.panel)
        # A panel that was chosen here since the window showed another layout or panel.
        self._asked = ""
        self.is_off = self.is_below = False
        self.room = Room.SMALL
        # What is shown: the name of a panel, or panels at the right of the planes; None if nothing
        # is.
        self._shown: str | Arrangement | None = None
        self._content: QWidget | None = None
        # What a clicker scrolls: the panel, or the card above it.
        self._scroller: Scroller | None = None
        self.setProperty("role", "side-panel")
        self._title = Label(role="section")
        self._box = QVBoxLayout(self)
        self._box.addWidget(self._title)
        self.hide()
        # Whether the card of a lesson is shown here: a second picture is beside the window's.
        self.has_card = False
        stage.session.document_changed.connect(self.follow)
        stage.lesson.changed.connect(self.follow)
        stage.view.panels_changed.connect(self._follow_window)
        self.follow_style(SidePanel._apply_style)

    @property
    def title(self) -> str:
        """Title of the panel that is shown, or empty."""
        return "" if self.isHidden() else self._title.text()

    def choose(self, name: str) -> None:
        """Show a panel if it fits the document."""
        self.chosen = self._asked = name
        self.is_off = False
        self.follow()

    def _adapt(self) -> None:
        """Adapt position and size of the panel to those of the presentation."""
        width, height = self.window().width(), self.window().height()
        self.is_below = below = self._is_better_below(width, height)
        self.setMinimumSize(0, 0)
        self.setMaximumSize(NO_LIMIT, NO_LIMIT)
        if self.room is Room.LARGE:
            self.setFixedWidth(width - round(SHARE * width))
        elif self.room is Room.ALL:
            self.setFixedWidth(width)
        elif isinstance(self._shown, Arrangement):
            self.setFixedWidth(round(self._shown.shares["right"] * width))
        elif below:
            self.setFixedHeight(round(HEIGHT_SHARE * height))
        elif self._content is not None:
            margins = self._box.contentsMargins()
            min_width = self._content.minimumSizeHint().width() + margins.left() + margins.right()
            usual = round(SHARE * width)
            self.setFixedWidth(min(max(usual, min_width), round(MAX_SHARE * width)))
        self.moved.emit()

    def scroll(self, pages: int) -> bool:
        """Scroll the panel by pages, upwards if negative; return False if nothing is out of sight.

        The settings are never scrolled, since they are used with the mouse.
        """
        if self._scroller is None or self._shown == SETTINGS:
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
        is_one = not isinstance(self._shown, Arrangement) and self.room is Room.SMALL
        return is_one and lanes > 1 and above > GAIN * max(beside, 1.0)

    def close_panel(self) -> None:
        """Hide the panel, which ends its studies, and then delete it."""
        if self._content is not None:
            self._content.hide()
            self._content.deleteLater()
        self._content, self._scroller, self._shown = None, None, None

    def follow(self) -> None:
        """Show what is chosen if it fits the document, or what explains a step and fits."""
        shown = self._wanted
        if shown != self._shown:
            self.close_panel()
            if shown is not None:
                self._open(shown)
        self._title.setText("" if isinstance(shown, Arrangement) else self._title_of(shown or ""))
        self._title.setHidden(isinstance(shown, Arrangement))
        self.setVisible(shown is not None)
        self._adapt()

    def _follow_window(self) -> None:
        """Show the panel that has come to the front of the window."""
        view = self._stage.view
        if (view.layout, view.panel) != self._seen:
            self._seen, self.chosen, self._asked = (view.layout, view.panel), view.panel, ""
            self.is_off = False
        self.follow()

    @property
    def _wanted(self) -> str | Arrangement | None:
        """What to show, as in ``_shown``."""
        if self.is_off:
            return None
        document = self._stage.session.document
        if self._stage.view.layout == EXPLAIN.name:
            metrics, window = look_of(self).metrics, self.window()
            height = (1.0 - CAPTION_SHARE) * window.height()
            size = window.width() / metrics.scale, height / metrics.scale
            fitting = [name for name, spec in PANELS.items() if spec.fits(document)]
            explaining = EXPLAIN.arrangement_for(document, *size).only(fitting)
            if not self._asked or self._asked in explaining.names:
                return explaining
        name = self.chosen or LESSON.name
        if not self._title_of(name):
            return None
        if self._title_of(LESSON.name) and name in PANELS:
            return Arrangement((CARD, replace(CARD, names=(name,))), {"right": CARD_SHARE})
        return name

    def _title_of(self, name: str) -> str:
        """Return the title of a panel; empty if it does not fit the document."""
        document = self._stage.session.document
        if name == SETTINGS:
            return SETTINGS_TITLE
        if name == LESSON.name:
            has_card = self.has_card and self._stage.lesson.lesson is not None
            return LESSON.title if has_card else ""
        spec = PANELS.get(name)
        return spec.title_for(document.task) if spec and spec.fits(document) else ""

    def _open(self, shown: str | Arrangement) -> None:
        self._shown = shown
        if isinstance(shown, Arrangement):
            self._content = self._composed(shown)
        else:
            self._content = self._scroller = self._scrolled(shown)
        self._box.addWidget(self._content, 1)

    def _scrolled(self, name: str) -> Scroller:
        """Return a panel that is scrolled if it is too large."""
        if name == SETTINGS:
            scroller = Scroller(self._docks.make_settings(), parent=self)
        else:
            spec = panel_named(name)
            panel = spec.make(self._stage)
            if isinstance(panel, FramePanel):
                panel.gives_way = True
            scroller = Scroller(panel, spec.scrolls, self)
        scroller.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        return scroller

    def _composed(self, arrangement: Arrangement) -> QWidget:
        """Return the panels of an arrangement, in their brief form."""
        whole = Column(gap=0.0, across=True)
        for places in arrangement.columns["right"]:
            column = whole.add(Column(gap=0.0), round(100 * places[0].width))
            for place in places:
                if place.front == LESSON.name:
                    panel = self._scroller = self._scrolled(place.front)
                else:
                    panel = PANELS[place.front].make(self._stage)
                    if isinstance(panel, FramePanel):
                        panel.set_brief(True)
                column.add(panel, round(100 * place.height))
                for widget in (panel, column, whole):
                    widget.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
        return whole

    def _apply_style(self) -> None:
        space = look_of(self).metrics.space
        self._box.setContentsMargins(space(1), space(2), space(1), space(1))
        self._title.setContentsMargins(space(2), 0, 0, 0)
        self._adapt()
