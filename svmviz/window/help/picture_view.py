"""The picture of a page of the help, painted in another thread."""

from __future__ import annotations

from PySide6.QtCore import QSize, QTimer
from PySide6.QtGui import QImage, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from svmviz.base.background import Worker
from svmviz.base.delivery import delivering
from svmviz.theme import Theme, look_of
from svmviz.widgets.styling import StyleFollower
from svmviz.window.help.page_pictures import paint

# Height of the picture, px at scale 1.
HEIGHT = 230
# Maximum height of the picture, as a fraction of the height of the screen.
MAX_SHARE = 0.4
# Time without a change of size before the picture is painted, ms.
PAINT_DELAY = 60
# A picture to be painted: name, size, theme and scale.
PictureRequest = tuple[str, tuple[int, int], Theme, float]


class ConceptPicture(StyleFollower, QWidget):
    """The picture of a page. Until it is painted in a new size, the old one is stretched.

    Parameters
    ----------
    name : str
        Name of the page.
    title : str
        Description of the picture for screen readers.
    """

    def __init__(self, name: str, title: str) -> None:
        super().__init__()
        self._name = name
        # The picture that is shown, and the one that was requested last.
        self._painted: PictureRequest | None = None
        self._requested: PictureRequest | None = None
        self._worker = Worker("svmviz-pictures")
        self.image = QImage()
        self.setAccessibleName(f"Picture: {title}")
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._paint_timer = QTimer(self, interval=PAINT_DELAY, singleShot=True)
        self._paint_timer.timeout.connect(self._request_picture)
        self.follow_style(ConceptPicture._apply_style)

    def sizeHint(self) -> QSize:
        room = self.screen().availableGeometry().height()
        return QSize(200, min(look_of(self).metrics.px(HEIGHT), round(MAX_SHARE * room)))

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.sizeHint().height())

    @property
    def is_ready(self) -> bool:
        """Whether the picture has the current size and colours."""
        return self._painted == self._request()

    def _request(self) -> PictureRequest:
        ratio, look = self.devicePixelRatioF(), look_of(self)
        size = (max(1, round(self.width() * ratio)), max(1, round(self.height() * ratio)))
        return self._name, size, look.theme, look.metrics.scale * ratio

    def _request_picture(self) -> None:
        request = self._request()
        if request != self._requested and self.isVisible():
            self._requested = request
            self._worker.do(delivering(lambda: (request, paint(*request)), self._on_painted))

    def _on_painted(self, painted: tuple[PictureRequest, QImage]) -> None:
        self._painted, self.image = painted
        self.update()

    def _apply_style(self) -> None:
        self.updateGeometry()
        self._paint_timer.start()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._paint_timer.start()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.image.isNull():
            return
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, not self.is_ready)
            painter.drawImage(self.rect(), self.image)
