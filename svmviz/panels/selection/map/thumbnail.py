"""Small pictures of the models of cells: in the Map panel, and on a card beside it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from PySide6.QtCore import QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPixmap, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QSizePolicy, QVBoxLayout, QWidget

from solvers import solve
from solvers.problem.certificate import Certificate
from solvers.problem.expansion import Expansion
from solvers.selection.memory import Memory
from svmviz.camera.camera import Camera, Margins
from svmviz.document.document import Document
from svmviz.frames.decision_field import make_field
from svmviz.frames.frame import Field
from svmviz.frames.viewport import Viewport
from svmviz.panels.selection.small_plane import (
    SmallCanvas,
    draw_boundary,
    draw_ground,
)
from svmviz.plane.paint.crowd import round_size
from svmviz.plane.paint.points import draw_quiet_points, draw_support_vectors
from svmviz.plane.paint.style import Style
from svmviz.selection.background_search import BackgroundSearch, SearchJob
from svmviz.theme import look_of
from svmviz.widgets.plain_text import Label

# Maximum number of pictures in the cache.
MAX_CACHED = 400
# Factor on the size that marks have in a plane as crowded as the picture.
MARK_SIZE = 0.6
# Number of nodes along the longer side of the grid on which f is evaluated.
NODES = 96


@dataclass(frozen=True, eq=False)
class CellPicture:
    """The solution of the document of a cell: the window's document with the cell's parameters.

    Attributes
    ----------
    document : Document
        The document of the cell.
    viewport : Viewport
        The section of the plane in which f is computed.
    field : Field
        The decision function f on a grid, with its contours.
    expansion : Expansion
        The solution.
    certificate : Certificate
        Which points are support vectors, and which are misclassified.
    sentence : str
        A sentence on how the run ended.
    """

    document: Document
    viewport: Viewport
    field: Field
    expansion: Expansion
    certificate: Certificate
    sentence: str


def picture_job(
    document: Document, viewport: Viewport, earlier: CellPicture | None = None
) -> SearchJob:
    """Return the job that solves a document; its only result is a :class:`CellPicture`.

    ``earlier`` is a picture of the same document in another viewport, if there is one. The job then
    uses its solution.
    """

    def begin(_memory: Memory) -> Iterator[CellPicture]:
        problem = document.problem()
        with np.errstate(all="ignore"):
            if earlier is None:
                run = solve(problem, document.method)
                solution = run.expansion, run.certificate, run.stop.sentence if run.stop else ""
            else:
                solution = earlier.expansion, earlier.certificate, earlier.sentence
            field = make_field(problem, solution[0], document.factors, viewport.grid(NODES))
        yield CellPicture(document, viewport, field, *solution)

    return SearchJob(begin, 1)


class Thumbnail(QWidget):
    """A small picture of the boundary of a document's model; a search trains it in the background.

    Parameters
    ----------
    search : BackgroundSearch

    Signals
    -------
    pictured()
        A picture has arrived.
    """

    pictured = Signal()

    def __init__(self, search: BackgroundSearch) -> None:
        super().__init__()
        self._search = search
        search.arrived.connect(self._on_arrived)
        search.changed.connect(self.update)
        self._document: Document | None = None
        # Pictures by the id of their document. A picture holds a reference to its document, so that
        # the id is not used again.
        self._cache: dict[int, CellPicture] = {}
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    @property
    def picture(self) -> CellPicture | None:
        """The picture of the document shown, or None if it is not computed yet for this size."""
        document, picture = self._document, self._newest_picture
        if document is None or picture is None or picture.viewport != self._viewport(document):
            return None
        return picture

    @property
    def _newest_picture(self) -> CellPicture | None:
        """The picture of the document shown, which may be computed for another size."""
        return self._cache.get(id(self._document))

    @property
    def is_busy(self) -> bool:
        """Whether a picture is being made."""
        return self._search.is_active

    def show_document(self, document: Document | None) -> None:
        """Show the boundary of a document as soon as its problem is solved; None shows nothing.

        Pictures are cached by the identity of the document, so the caller should pass the same
        object again.
        """
        if document is self._document:
            return
        self._document = document
        self._request()
        self.update()

    def forget(self) -> None:
        """Remove all pictures from the cache."""
        self._cache.clear()

    def sizeHint(self) -> QSize:
        px = look_of(self).metrics.px
        return QSize(px(150), px(160))

    def minimumSizeHint(self) -> QSize:
        px = look_of(self).metrics.px
        return QSize(px(110), px(140))

    def _camera(self, document: Document) -> Camera:
        no_margins = Margins(0.0, 0.0, 0.0, 0.0)
        size = max(8.0, float(self.width())), max(8.0, float(self.height()))
        return Camera(width=size[0], height=size[1], margins=no_margins).fitted(
            document.data.points
        )

    def _viewport(self, document: Document) -> Viewport:
        camera = self._camera(document)
        return Viewport(*camera.view, camera.width / camera.height)

    def _request(self) -> None:
        document = self._document
        if document is None or self.picture is not None or not self.isVisible():
            return
        self._search.start(picture_job(document, self._viewport(document), self._newest_picture))

    def _on_arrived(self, batch: list[CellPicture]) -> None:
        for picture in batch:
            while len(self._cache) >= MAX_CACHED:
                self._cache.pop(next(iter(self._cache)))
            self._cache[id(picture.document)] = picture
        self.update()
        self.pictured.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._request()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._request()

    def paintEvent(self, event: QPaintEvent) -> None:
        look = look_of(self)
        with QPainter(self) as painter:
            frame = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
            painter.fillRect(self.rect(), QColor(look.theme.plane))
            document, picture = self._document, self._newest_picture
            if document is not None:
                self._paint_picture(painter, document, picture)
            if picture is None and document is not None and self._search.trouble:
                painter.setPen(QColor(look.theme.text))
                painter.setFont(look.font())
                flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
                painter.drawText(frame.adjusted(4, 4, -4, -4), flags, self._search.trouble)
            painter.setPen(QPen(QColor(look.theme.line_strong), look.metrics.stroke(1.0)))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(frame)

    def _paint_picture(
        self, painter: QPainter, document: Document, picture: CellPicture | None
    ) -> None:
        look, camera = look_of(self), self._camera(document)
        style = Style(look.theme, look.metrics.controls, ratio=self.devicePixelRatioF())
        canvas = SmallCanvas.of(document, camera, style, look, document.n)
        canvas = replace(canvas, certificate=picture.certificate if picture else None)
        canvas = canvas.with_style(size=round_size(MARK_SIZE * canvas.style.size))
        painter.save()
        draw_ground(painter, canvas, picture.field if picture else None)
        draw_quiet_points(painter, canvas)
        draw_support_vectors(painter, canvas)
        if picture is not None:
            draw_boundary(painter, canvas, picture.field.contours[0.0])
        painter.restore()


class HoverCard(QFrame):
    """A small window with the picture of a cell and its text. It takes no input.

    Parameters
    ----------
    panel : QWidget
        The panel beside which the card is shown.
    """

    def __init__(self, panel: QWidget) -> None:
        super().__init__(panel, Qt.WindowType.ToolTip)
        self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        self.setProperty("role", "popup")
        self._panel = panel
        self.picture, self.words = Label(), Label()
        self.words.setWordWrap(True)
        layout = QVBoxLayout(self)
        layout.setSizeConstraint(QVBoxLayout.SizeConstraint.SetFixedSize)
        layout.addWidget(self.picture)
        layout.addWidget(self.words)

    def show_cell(self, picture: QPixmap, words: str, top: int) -> None:
        """Show a cell left of the panel or, if there is no room, right of the panel.

        ``top`` is the preferred position of the card's upper edge on the screen, px.
        """
        gap = look_of(self).metrics.space(2)
        self.picture.setPixmap(picture)
        self.words.setText(words)
        self.words.setFixedWidth(round(picture.deviceIndependentSize().width()))
        self.adjustSize()
        screen = self._panel.screen().availableGeometry()
        panel_corner = self._panel.mapToGlobal(QPoint(0, 0))
        left = panel_corner.x() - self.width() - gap
        if left < screen.left():
            left = min(panel_corner.x() + self._panel.width() + gap, screen.right() - self.width())
        y = max(screen.top(), min(top, screen.bottom() - self.height()))
        self.move(left, y)
        self.show()
