"""A typeset formula of one or more lines."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from PySide6.QtCore import QRectF, QSize, QTimer
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QSizePolicy, QWidget

from svmviz.base.delivery import delivering
from svmviz.base.latex import Typeset
from svmviz.base.typeset import typeset_later, typeset_lines
from svmviz.theme import TEXT, active, look_of
from svmviz.widgets.styling import StyleFollower

# Size of formulas relative to text. It is above 1, because subscripts must be legible from the last
# row of a lecture hall.
RELATIVE_SIZE = 1.25
# If the widest line does not fit, or the height, all lines are scaled down, but not below this
# factor.
MIN_SCALE = 0.6
# Space between two lines, relative to the text size of formulas.
LINE_GAP = 0.35
# Height that is assumed for a line until it is typeset, relative to the text size of formulas.
LINE_HEIGHT = 1.5


class FormulaView(StyleFollower, QWidget):
    """Widget with lines of LaTeX, typeset in another thread and drawn when they are ready.

    Until new lines are ready, the old lines stay visible in a paler colour, so nothing flickers.

    Parameters
    ----------
    lines : sequence of str
        LaTeX without dollars.
    min_lines : int
        Number of lines that fit at first. The widget grows if lines need more height. It does not
        shrink again, so that the layout does not jump.
    delay : int
        Lines are typeset when they have not changed for this time, ms. So lines that change with
        every frame are typeset only after they stop changing.
    fits_content : bool
        Whether the widget always has the size of the typeset lines. Then it does shrink.
    """

    def __init__(
        self,
        lines: Sequence[str] = (),
        min_lines: int = 1,
        delay: int = 0,
        fits_content: bool = False,
    ) -> None:
        super().__init__()
        # The newest lines, and the lines that are drawn now.
        self._lines: tuple[str, ...] = ()
        self._drawn_lines: tuple[str, ...] = ()
        self._typeset: tuple[Typeset, ...] = ()
        # One renderer per line, made when the lines are painted, and the colour of all of them.
        self._renderers: tuple[QSvgRenderer, ...] = ()
        self._colour = ""
        self._min_lines, self._fits_content = min_lines, fits_content
        # The lines that were requested last.
        self._requested: tuple[str, ...] = ()
        # The largest height that lines have needed, relative to the text size of formulas.
        self._highest = 0.0
        self._delay = QTimer(self, interval=delay, singleShot=True)
        self._delay.timeout.connect(self._request)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.set_lines(lines)
        self.follow_style(FormulaView.updateGeometry)

    def set_fits_content(self, fits_content: bool) -> None:
        """Change whether the widget always has the size of the typeset lines."""
        self._fits_content = fits_content
        # What lines needed before does not count any more.
        self._highest = self._height()
        self.updateGeometry()

    @property
    def lines(self) -> tuple[str, ...]:
        """The newest lines; they are drawn as soon as they are ready."""
        return self._lines

    @property
    def is_ready(self) -> bool:
        """Whether the newest lines are drawn."""
        return self._drawn_lines == self._lines

    def set_lines(self, lines: Sequence[str]) -> None:
        """Show other lines."""
        if tuple(lines) != self._lines:
            self._lines = tuple(lines)
            self.setAccessibleName(", ".join(self._lines))
            if self._delay.interval() and not active().printing:
                self._delay.start()
            else:
                self._request()
            self.update()

    def sizeHint(self) -> QSize:
        # Until new lines are ready, the size is that of the old ones, which are still drawn.
        if self._fits_content and self._typeset:
            return QSize(ceil(self._widest() * self._size()), ceil(self._height() * self._size()))
        return QSize(200, ceil(max(self._initial_height(), self._highest) * self._size()))

    def minimumSizeHint(self) -> QSize:
        width = ceil(MIN_SCALE * self._widest() * self._size()) if self._fits_content else 0
        return QSize(width, self.sizeHint().height())

    # The next three lengths are relative to the text size of formulas.

    def _initial_height(self) -> float:
        return max(self._min_lines, len(self._lines)) * LINE_HEIGHT * (1.0 + LINE_GAP / 2)

    def _height(self) -> float:
        gaps = LINE_GAP * max(len(self._typeset) - 1, 0)
        return sum(line.height for line in self._typeset) + gaps

    def _widest(self) -> float:
        """Return the width of the widest typeset line."""
        return max((line.width for line in self._typeset), default=0.0)

    def _size(self) -> float:
        """Return the text size of formulas, px."""
        return RELATIVE_SIZE * look_of(self).font(TEXT).pixelSize()

    def _request(self) -> None:
        """Let the other thread typeset the newest lines.

        Lines that are replaced before their turn comes are never typeset.
        """
        lines = self._lines
        if lines != self._requested:
            self._requested = lines
            typeset_later(self, delivering(lambda: (lines, typeset_lines(lines)), self._on_ready))

    def _on_ready(self, typeset: tuple[tuple[str, ...], tuple[Typeset, ...]]) -> None:
        self._drawn_lines, self._typeset = typeset
        self._renderers = ()
        # ``height()`` would not do as the earlier height: it means nothing before the first layout.
        # A widget that is painted for a file does not keep the height of earlier lines.
        before = 0.0 if active().printing else self._highest
        self._highest = max(before, self._initial_height(), self._height())
        if self._fits_content or self._highest != before:
            self.updateGeometry()
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        colour = look_of(self).theme.text
        if not self._renderers or colour != self._colour:
            self._renderers = tuple(QSvgRenderer(line.coloured(colour)) for line in self._typeset)
            self._colour = colour
        size, width = self._size(), self._widest()
        fit = min(1.0, self.height() / max(self._height() * size, 1.0))
        scale = size * max(MIN_SCALE, min(fit, self.width() / max(width * size, 1.0)))
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setOpacity(1.0 if self.is_ready else 0.35)
            y = 0.0
            for line, renderer in zip(self._typeset, self._renderers, strict=True):
                renderer.render(painter, QRectF(0.0, y, line.width * scale, line.height * scale))
                y += line.height * scale + LINE_GAP * size * fit
