"""One panel of a presentation: beside the planes, or below those of a race that needs the width."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from svmviz.panels.frame_panel import FramePanel
from svmviz.panels.registry import LESSON, PANELS, panel_named, views_of
from svmviz.plane.race_tiles import lane_count, shape_of, size_of_points
from svmviz.stage.stage import Stage
from svmviz.theme import look_of
from svmviz.widgets.column import NO_LIMIT, Column
from svmviz.widgets.plain_text import Label
from svmviz.widgets.scroller import Scroller
from svmviz.window.docks.docks import Docks
from svmviz.window.docks.view_row import ViewRow
from svmviz.window.layouts.arrangement import Arrangement
from svmviz.window.layouts.layout import EXPLAIN, SETTINGS
from svmviz.window.presentation.presentation_frame import PresentationFrame

# Width of a panel beside the planes, as a fraction of the width of the presentation: the usual
# width, and the maximum width of a panel that needs more.
SHARE, MAX_SHARE = 0.36, 0.46
# The same for the panel beside the planes of a race.
RACE_SHARE = 0.28
# The panel of a race is below the planes only if this makes their points larger by at least this
# factor, because a panel beside the planes is higher and shows more.
GAIN = 1.5
# Height of a panel below the planes, as a fraction of the height of the presentation.
HEIGHT_SHARE = 0.33
# Height of the sentence below planes and panels, roughly, as such a fraction.
CAPTION_SHARE = 0.12
# Width of the card of a lesson, as a fraction of the width of the presentation. A panel is below it
# only if the card is whole, and the panel has at least this fraction of the height.
CARD_SHARE, MIN_PANEL_SHARE = 0.46, 0.3
# Title of the column of settings, which can be shown although it is not a panel.
SETTINGS_TITLE = "Settings"


class Room(Enum):
    """The place that the panel has: beside large planes, beside small ones, or alone."""

    SMALL = "small"
    LARGE = "large"
    ALL = "all"


class CardWith(NamedTuple):
    """The card of a lesson, with a panel if its name is not empty: below the card, or beside it."""

    panel: str
    is_beside: bool = False


class SidePanel(PresentationFrame):
    """The panel in front of the window, with its title; hidden if there is none.

    While a step is explained, it has the panels of that layout. While a lesson is open, its card is
    always whole: the panel is below it if there is room for both, and in place of the planes if it
    is to be large.

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
        # What is shown: the name of a panel, the panels that explain a step, or a card with or
        # without a panel; None if nothing is.
        self._shown: str | Arrangement | CardWith | None = None
        self._content: QWidget | None = None
        self._card: Scroller | None = None
        # The card of the lesson that was shown last.
        self._seen_card: object = None
        self.setProperty("role", "side-panel")
        self._title = Label(role="section")
        self._box = QVBoxLayout(self)
        self._box.addWidget(self._title)
        # The views of the panel, in place of its title.
        self._views: ViewRow | None = None
        # Card and panel.
        self._parts = QBoxLayout(QBoxLayout.Direction.TopToBottom)
        self._box.addLayout(self._parts, 1)
        self._card_timer = QTimer(self, singleShot=True, interval=0)
        self._card_timer.timeout.connect(self._adapt)
        self.hide()
        # Whether the card of a lesson is shown here: a second picture is beside the window's.
        self.has_card = False
        stage.session.document_changed.connect(self.follow)
        stage.lesson.changed.connect(self._follow_lesson)
        stage.view.panels_changed.connect(self._follow_window)
        self.follow_style(SidePanel._apply_style)

    @property
    def title(self) -> str:
        """Title of the panel that is shown, or empty."""
        shown = self._shown
        if self.isHidden() or shown is None or isinstance(shown, Arrangement):
            return ""
        if isinstance(shown, CardWith):
            has_panel = self._content is not None and not self._content.isHidden()
            return self._title_of(shown.panel) if has_panel else LESSON.title
        return self._title_of(shown)

    @property
    def panel(self) -> QWidget | None:
        """The panel that is shown by itself, or with a card."""
        return self._content.content if isinstance(self._content, Scroller) else None

    @property
    def covers(self) -> bool:
        """Whether the panel takes the place of the planes."""
        beside = isinstance(self._shown, CardWith) and self._shown.is_beside
        return not self.isHidden() and (self.room is Room.ALL or beside)

    @property
    def has_open_card(self) -> bool:
        """Whether the card of a lesson is shown, or hidden by a panel that fills the screen."""
        return bool(self._title_of(LESSON.name))

    @property
    def single(self) -> str:
        """Name of the panel that is shown by itself, or large beside a card; empty if none is."""
        shown = self._shown
        if isinstance(shown, CardWith):
            return shown.panel if shown.is_beside else ""
        return shown if isinstance(shown, str) and not self.isHidden() else ""

    @property
    def panels(self) -> list[str]:
        """Name of the panel that is chosen by itself or with a card, in a list; empty if none."""
        shown = self._shown.panel if isinstance(self._shown, CardWith) else self._shown
        return [shown] if isinstance(shown, str) and shown in PANELS else []

    def end_single(self) -> None:
        """Return to the card, or to what explains a step; without these, hide the panel."""
        if self.has_open_card:
            self.room = Room.SMALL
            self.follow()
        elif self._stage.view.layout == EXPLAIN.name:
            self.choose("")
        else:
            self.is_off = True
            self.follow()

    def choose(self, name: str) -> None:
        """Show a panel if it fits the document."""
        self.chosen = self._asked = name
        self.is_off = False
        self.follow()

    def _adapt(self) -> None:
        """Adapt position and size of the panel to those of the presentation."""
        width, height = self.window().width(), self.window().height()
        self.is_below = below = self._is_better_below(width, height)
        space = look_of(self).metrics.space
        above, around = (0, 0) if below else (space(2), space(1))
        self._box.setContentsMargins(space(1), above, space(1), around)
        # Below the planes, the height is the chart's.
        has_views = self._views is not None
        self._title.setHidden(below or has_views or not self._title.text())
        if self._views is not None:
            self._views.setHidden(below)
        self.setMinimumSize(0, 0)
        self.setMaximumSize(NO_LIMIT, NO_LIMIT)
        if self.covers:
            self.setFixedWidth(width)
        elif self.room is Room.LARGE:
            self.setFixedWidth(width - round(SHARE * width))
        elif self._card is not None:
            self.setFixedWidth(round(CARD_SHARE * width))
        elif isinstance(self._shown, Arrangement):
            self.setFixedWidth(round(self._shown.shares["right"] * width))
        elif below:
            self.setFixedHeight(round(HEIGHT_SHARE * height))
        elif self._content is not None:
            margins = self._box.contentsMargins()
            views = self._views.sizeHint().width() if self._views is not None else 0
            min_width = max(self._content.minimumSizeHint().width(), views)
            min_width += margins.left() + margins.right()
            is_race = lane_count(self._stage.session.document) > 1
            usual = round((RACE_SHARE if is_race else SHARE) * width)
            self.setFixedWidth(min(max(usual, min_width), round(MAX_SHARE * width)))
        self.moved.emit()
        # Last, because Qt lays the window out at once if a panel is shown in it.
        if self._card is not None:
            self._fit_card(self._card, width)

    def _fit_card(self, card: Scroller, width: int) -> None:
        """Show the panel below the card if both fit; beside it, the card keeps its width."""
        panel, margins = self._content, self._box.contentsMargins()
        inside = round(CARD_SHARE * width) - margins.left() - margins.right()
        height = (1.0 - CAPTION_SHARE) * self.window().height() - margins.top() - margins.bottom()
        content = card.content
        needed = content.fit_into(inside, int(height)) if isinstance(content, FramePanel) else 0
        card.setMinimumSize(0, 0)
        card.setMaximumSize(NO_LIMIT, NO_LIMIT)
        if panel is None:
            return
        if isinstance(self._shown, CardWith) and self._shown.is_beside:
            card.setFixedWidth(inside)
            panel.show()
        elif isinstance(panel, Scroller):
            least = max(panel.content.minimumSizeHint().height(), MIN_PANEL_SHARE * height)
            panel.setVisible(needed + least <= height)
            if not panel.isHidden():
                card.setFixedHeight(needed)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        # The card is higher after an answer, or when its formulas are typeset.
        if event.type() == QEvent.Type.LayoutRequest:
            self._card_timer.start()
        return super().eventFilter(watched, event)

    def scroll(self, pages: int) -> bool:
        """Scroll panel or card by pages, upwards if negative; return False if all is in sight.

        The settings are never scrolled, since they are used with the mouse.
        """
        scroller = self._card or self._content
        if not isinstance(scroller, Scroller) or self._shown == SETTINGS:
            return False
        bar = scroller.verticalScrollBar()
        before = bar.value()
        hidden = bar.maximum() - before if pages > 0 else before - bar.minimum()
        if hidden < 0.5 * scroller.fontMetrics().lineSpacing():
            # Only a margin is out of sight, so the key is for a step.
            return False
        bar.setValue(before + pages * bar.pageStep())
        return bar.value() != before

    def _is_better_below(self, width: int, height: int) -> bool:
        """Return whether the points of a race are much larger with the panel below its planes."""
        document = self._stage.session.document
        lanes, scale = lane_count(document), look_of(self).metrics.scale
        shape = shape_of(document, self._stage.view.options)
        height = round((1.0 - CAPTION_SHARE) * height)
        low = height - round(HEIGHT_SHARE * self.window().height())
        above = size_of_points(lanes, width, low, scale, shape)
        beside = size_of_points(lanes, round((1 - RACE_SHARE) * width), height, scale, shape)
        is_one = isinstance(self._shown, str) and self.room is Room.SMALL
        return is_one and lanes > 1 and above > GAIN * max(beside, 1.0)

    def close_panel(self) -> None:
        """Hide panel and card, which ends their studies, and then delete them."""
        self._replace(None)

    def _replace(self, shown: str | Arrangement | CardWith | None) -> None:
        """Show something else; a card or panel that stays is the same widget, with its focus."""
        before, self._shown = self._shown, shown
        directions = QBoxLayout.Direction
        is_beside = isinstance(shown, CardWith) and shown.is_beside
        self._parts.setDirection(directions.RightToLeft if is_beside else directions.TopToBottom)
        old_card = self._card if isinstance(before, CardWith) else None
        if isinstance(before, CardWith) and isinstance(shown, CardWith):
            if before.panel == shown.panel:
                return
            old_card = None
        for old in (self._content, old_card):
            if old is not None:
                old.hide()
                old.deleteLater()
        self._content = None
        if isinstance(shown, CardWith):
            if self._card is None:
                self._card = self._scrolled(LESSON.name)
                self._card.content.installEventFilter(self)
                self._parts.insertWidget(0, self._card, 1)
            self._content = self._scrolled(shown.panel) if shown.panel else None
        else:
            self._card = None
            if isinstance(shown, Arrangement):
                self._content = self._composed(shown)
            elif shown is not None:
                self._content = self._scrolled(shown)
        if self._content is not None:
            self._parts.addWidget(self._content, 1)

    def follow(self) -> None:
        """Show what is chosen if it fits the document, or what explains a step and fits."""
        shown = self._wanted
        if shown != self._shown:
            self._replace(shown)
        # A card names its lesson itself.
        title = self._title_of(shown) if isinstance(shown, str) else ""
        self._title.setText(title)
        self.setVisible(shown is not None)
        self._show_views()
        self._adapt()

    def _show_views(self) -> None:
        """Show the views of the panel that fit the document, if there are several."""
        document, name = self._stage.session.document, self.single
        fitting = [v for v in views_of(name) if v in PANELS and PANELS[v].fits(document)]
        old = self._views
        if old is not None and (old.value, list(old.keys)) == (name, fitting):
            return
        self._views = None
        if old is not None:
            old.hide()
            old.deleteLater()
        if len(fitting) > 1:
            self._views = ViewRow(name, document, self, fitting)
            self._views.chosen.connect(self.choose)
            self._box.insertWidget(1, self._views)

    def _follow_lesson(self) -> None:
        """Show the card of the lesson; a new one with the planes, which it may ask about."""
        card = self._stage.lesson.card
        if card is not self._seen_card:
            self._seen_card = card
            if card is not None and self.has_card:
                self.room = Room.SMALL
        self.follow()

    def _follow_window(self) -> None:
        """Show the panel that has come to the front of the window."""
        view = self._stage.view
        if (view.layout, view.panel) != self._seen:
            self._seen, self.chosen, self._asked = (view.layout, view.panel), view.panel, ""
            self.is_off = False
        self.follow()

    @property
    def _wanted(self) -> str | Arrangement | CardWith | None:
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
        name = self.chosen if self._title_of(self.chosen) else ""
        if not self._title_of(LESSON.name):
            return name or None
        panel = "" if name == LESSON.name else name
        if panel and self.room is Room.ALL:
            return panel
        return CardWith(panel, bool(panel) and self.room is Room.LARGE)

    def _title_of(self, name: str) -> str:
        """Return the title of a panel; empty if it does not fit the document."""
        document = self._stage.session.document
        if name == SETTINGS:
            return SETTINGS_TITLE
        if name == LESSON.name:
            # Without a lesson it is the list of lessons. A stop of a lecture may have no text.
            card = self._stage.lesson.card
            has_text = card is not None and bool(card.body or card.tasks or card.show.controls)
            is_wanted = has_text or (card is None and self.chosen == name)
            # The window shows the stops of a lecture, and not their text.
            shows_card = self.has_card or self._stage.lecture.is_open
            return LESSON.title if shows_card and is_wanted else ""
        spec = PANELS.get(name)
        return spec.title_for(document) if spec and spec.fits(document) else ""

    def _scrolled(self, name: str) -> Scroller:
        """Return a panel that is scrolled if it is too large."""
        if name == SETTINGS:
            scroller = Scroller(self._docks.make_settings(), parent=self)
        else:
            spec = panel_named(name)
            panel = spec.make(self._stage)
            if isinstance(panel, FramePanel):
                panel.present()
            scroller = Scroller(panel, spec.scrolls, self)
        policies = Qt.ScrollBarPolicy
        wraps = name == LESSON.name
        scroller.setHorizontalScrollBarPolicy(
            policies.ScrollBarAlwaysOff if wraps else policies.ScrollBarAsNeeded
        )
        return scroller

    def _composed(self, arrangement: Arrangement) -> QWidget:
        """Return the panels of an arrangement, in their brief form."""
        whole = Column(gap=0.0, across=True)
        for places in arrangement.columns["right"]:
            column = whole.add(Column(gap=0.0), round(100 * places[0].width))
            for place in places:
                panel = PANELS[place.front].make(self._stage)
                if isinstance(panel, FramePanel):
                    panel.set_brief(True)
                    panel.present()
                column.add(panel, round(100 * place.height))
                for widget in (panel, column, whole):
                    widget.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
        return whole

    def _apply_style(self) -> None:
        space = look_of(self).metrics.space
        self._title.setContentsMargins(space(2), 0, 0, 0)
        self._adapt()
