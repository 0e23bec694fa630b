"""The picture of a concept in the help, painted in another thread."""

from __future__ import annotations

import contextlib
import logging

from PySide6.QtCore import QObject, QRunnable, QSize, QThreadPool, QTimer, Signal
from PySide6.QtGui import QImage, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from solvers.cancelling import Cancelled
from svmviz.base.background import lower_thread_priority
from svmviz.theme import Theme, look_of
from svmviz.widgets.styling import StyleFollower
from svmviz.window.help.concept_pictures import paint

# Height of the picture, px at scale 1.
HEIGHT = 230
# Maximum height of the picture, as a fraction of the height of the screen.
MAX_SHARE = 0.4
# Time without a change of size before the picture is painted, ms.
PAINT_DELAY = 60
# A picture to be painted: name, size, theme and scale.
PictureRequest = tuple[str, tuple[int, int], Theme, float]
log = logging.getLogger(__name__)


class _Notifier(QObject):
    """Holds the signal that a picture is painted. Qt disconnects a widget that is deleted."""

    ready = Signal(object, object)


class _PaintTask(QRunnable):
    """Task that paints a picture in a thread of the pool."""

    def __init__(self, request: PictureRequest, notifier: _Notifier) -> None:
        super().__init__()
        self._request, self._notifier = request, notifier

    def run(self) -> None:
        image = None
        try:
            lower_thread_priority()
            image = paint(*self._request)
        except Cancelled:
            # The window is closing.
            pass
        except Exception:
            log.exception("A picture of the help failed")
        # If the application has ended since, Qt has deleted the notifier.
        with contextlib.suppress(RuntimeError):
            self._notifier.ready.emit(self._request, image)
            # ``deleteLater`` deletes the notifier in the thread that made it.
            self._notifier.deleteLater()


class ConceptPicture(StyleFollower, QWidget):
    """The picture of a concept. Until it is painted in a new size, the old one is stretched.

    Parameters
    ----------
    name : str
        Name of the concept.
    title : str
        Description of the picture for screen readers.
    parent : QWidget, optional
    """

    def __init__(self, name: str, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name = name
        self._is_painting = False
        self._painted: PictureRequest | None = None
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
        # One picture is painted at a time. Of the sizes requested meanwhile, only the last counts.
        if self._is_painting or self.is_ready or not self.isVisible():
            return
        self._is_painting = True
        notifier = _Notifier()
        notifier.ready.connect(self._on_ready)
        QThreadPool.globalInstance().start(_PaintTask(self._request(), notifier))

    def _on_ready(self, request: PictureRequest, image: QImage | None) -> None:
        self._is_painting = False
        self._painted = request
        if image is not None:
            self.image = image
        self._request_picture()
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
