"""The words on the model, the progress line and the sentence of the step, below the planes."""

from __future__ import annotations

from math import ceil

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QProgressBar, QWidget

from svmviz.base.words import axis_units
from svmviz.frames.part_risks import wrong_words
from svmviz.lessons.shows import GAP as HIDDEN_GAP
from svmviz.panels.controls.transport.narrator import MAX_TYPE_SHARE, Narrator
from svmviz.panels.objective.badge_panel import verdict_words
from svmviz.plane.decision_study import machine_words
from svmviz.stage.stage import Stage
from svmviz.theme import LABEL, SENTENCE, active, font, look_of
from svmviz.widgets.styling import TypeFollower
from svmviz.window.planes import Planes
from svmviz.window.quick_changes import model_words

# Space around the words on the model, px at scale 1.
GAP = 9.0
# Largest size of the sentence, as a fraction of SENTENCE in a presentation, so that two lines take
# little of the height; and smallest size, as a fraction of the height of the window.
SHARE, MIN_SHARE = 8.0 / 9.0, 1.0 / 36.0


class Caption(Narrator):
    """The sentence of the step in at most two lines, as large as the screen allows."""

    @property
    def sizes(self) -> tuple[int, ...]:
        """Text sizes, px, largest first; the first one at which the sentence fits is used."""
        height, metrics = self.window().height(), look_of(self).metrics
        largest = max(round(SHARE * SENTENCE * metrics.scale), round(MAX_TYPE_SHARE * height))
        return tuple(range(largest, ceil(MIN_SHARE * height) - 1, -1))


class ModelCaption(TypeFollower, QWidget):
    """Method, kernel and penalty below the plot, left of the name of its axis; the verdict right.

    The verdict is that of the badge of the window. What does not fit is left out. Clicks go to the
    widget behind it.

    Parameters
    ----------
    stage : Stage
    planes : Planes
    parent : QWidget
        Contains the planes, or will contain them.
    """

    def __init__(self, stage: Stage, planes: Planes, parent: QWidget) -> None:
        super().__init__(parent)
        self._session, self._planes, self._feed = stage.session, planes, stage.feed
        self._view = stage.view
        self.text = self.verdict = ""
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        stage.session.document_changed.connect(self.place)
        stage.feed.panel_frame_changed.connect(self._show_verdict)
        stage.view.hiding_changed.connect(self.place)
        planes.main.navigation.camera_changed.connect(self.place)
        self.follow_style(ModelCaption.place)

    def place(self) -> None:
        """Move to the place for the words, or hide."""
        document, look, view = self._session.document, look_of(self), self._planes.views[-1]
        parent = self.parentWidget()
        if parent is None or not parent.isAncestorOf(view) or not view.isVisibleTo(parent):
            self.hide()
            return
        scale, camera = look.metrics.scale, view.camera
        measure = QFontMetricsF(self._font)
        name = QFontMetricsF(look.font(LABEL)).horizontalAdvance(
            axis_units(document.data, document.is_regression)[0][0]
        )
        left = GAP * scale
        half = 0.5 * (camera.plot_width - name)
        room = camera.left + half - 2.0 * left
        # Without the weights of the classes and the numbers of the kernel if they have no room.
        for words in (
            model_words(document),
            model_words(document, is_short=True),
            model_words(document, has_numbers=False, is_short=True),
            "",
        ):
            self.text = look.letters(words)
            if measure.horizontalAdvance(self.text) <= room:
                break
        has_axes = camera.margins.bottom >= 2.0 * measure.height()
        # A race has its verdicts above the planes.
        is_shown = not self._planes.is_race and HIDDEN_GAP not in self._view.hidden
        verdicts = self._verdicts if is_shown else ()
        fitting = (v for v in verdicts if measure.horizontalAdvance(v) <= half - left)
        self.verdict = next(fitting, "")
        size = QSize(ceil(camera.left + camera.plot_width - left), ceil(measure.height()))
        corner = QPoint(round(left), view.height() - size.height() - round(0.3 * left))
        self.setGeometry(QRect(view.mapTo(parent, corner), size))
        self.setVisible(has_axes and bool(self.text or self.verdict))
        self.setAccessibleName(" · ".join(filter(None, (words, self.verdict))))
        self.update()

    def _show_verdict(self) -> None:
        """Show the verdict on another step, if it is another one."""
        if self.verdict not in self._verdicts:
            self.place()

    @property
    def _verdicts(self) -> tuple[str, ...]:
        """The texts of the badge, before them how many training and validation points are wrong."""
        frame = self._feed.panel_frame
        verdicts = verdict_words(frame)
        wrong = wrong_words(frame.document, frame.lane) if frame.lane and verdicts else ""
        machine = machine_words(frame)
        return (
            (f"{verdicts[-1]} · {machine}{wrong}", machine + wrong, *verdicts)
            if wrong
            else verdicts
        )

    @property
    def _font(self) -> QFont:
        metrics = look_of(self).metrics
        return font(metrics.label, scale=metrics.scale)

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setPen(QColor(active().theme.muted))
            painter.setFont(self._font)
            flags = Qt.AlignmentFlag
            painter.drawText(self.rect(), flags.AlignVCenter, self.text)
            painter.drawText(self.rect(), flags.AlignVCenter | flags.AlignRight, self.verdict)


class ProgressLine(QProgressBar):
    """A thin line, filled up to the step shown.

    Parameters
    ----------
    stage : Stage
    """

    def __init__(self, stage: Stage) -> None:
        super().__init__()
        self._feed, self._playback = stage.feed, stage.playback
        self.setProperty("role", "line")
        self.setTextVisible(False)
        stage.feed.panel_frame_changed.connect(self._show)
        stage.playback.moved.connect(self._show)
        self._show()

    def _show(self) -> None:
        # With a maximum of 0, Qt would show that something is being done.
        self.setMaximum(max(1, self._playback.length))
        self.setValue(self._feed.reading)
