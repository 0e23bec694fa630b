"""Icons: SVG files in the colours of a theme, painted afresh at whatever size is asked for.

The files draw in ``currentColor``; points of the two classes are drawn in the blue and the
vermilion of the light theme, white marks on them in white, and both follow the theme.
"""

from __future__ import annotations

from functools import cache, lru_cache

from PySide6.QtCore import QByteArray, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QIcon, QIconEngine, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from svmviz.resources import path
from svmviz.theme.colours import LIGHT, Theme


def names() -> list[str]:
    """Names of all icons, sorted."""
    return sorted(file.stem for file in path("icons").glob("*.svg"))


@cache
def icon(name: str, theme: Theme) -> QIcon:
    """Icon in the colours of a theme, for normal, disabled and checked widgets.

    Parameters
    ----------
    name : str
        One of `names`.
    theme : Theme

    Raises
    ------
    FileNotFoundError
        If there is no such icon.
    """
    path(f"icons/{name}.svg")
    return QIcon(_Engine(name, theme))


def render(name: str, theme: Theme, colour: str, side: float, ratio: float = 1.0) -> QPixmap:
    """Picture of an icon in one colour, for widgets that paint themselves.

    Parameters
    ----------
    name : str
    theme : Theme
        Gives the colours of the classes.
    colour : str
        ``"#rrggbb"`` for the strokes.
    side : float
        Side in px.
    ratio : float
        Device pixel ratio.
    """
    return _picture(name, theme, colour, QSize(round(side * ratio), round(side * ratio)), ratio)


@cache
def _source(name: str) -> str:
    return path(f"icons/{name}.svg").read_text(encoding="utf-8")


def _coloured(name: str, theme: Theme, colour: str) -> QByteArray:
    text = _source(name)
    if colour == theme.disabled:
        text = text.replace(LIGHT.positive, colour).replace(LIGHT.negative, colour)
    text = text.replace("#ffffff", theme.card).replace("currentColor", colour)
    text = text.replace(LIGHT.positive, theme.positive).replace(LIGHT.negative, theme.negative)
    return QByteArray(text.encode())


@lru_cache(maxsize=512)
def _picture(name: str, theme: Theme, colour: str, size: QSize, ratio: float) -> QPixmap:
    picture = QPixmap(size)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    side = min(size.width(), size.height())
    box = QRectF((size.width() - side) / 2, (size.height() - side) / 2, side, side)
    QSvgRenderer(_coloured(name, theme, colour)).render(painter, box)
    painter.end()
    picture.setDevicePixelRatio(ratio)
    return picture


class _Engine(QIconEngine):
    """Renders one SVG in one theme, for the size and the state that Qt asks for."""

    def __init__(self, name: str, theme: Theme) -> None:
        super().__init__()
        self._name = name
        self._theme = theme

    def _colour(self, mode: QIcon.Mode, state: QIcon.State) -> str:
        if mode == QIcon.Mode.Disabled:
            return self._theme.disabled
        return self._theme.accent if state == QIcon.State.On else self._theme.text

    def clone(self) -> QIconEngine:
        """Engine for a detached copy of the icon."""
        return _Engine(self._name, self._theme)

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        """Picture of ``size`` device px."""
        return _picture(self._name, self._theme, self._colour(mode, state), size, 1.0)

    def scaledPixmap(
        self, size: QSize, mode: QIcon.Mode, state: QIcon.State, ratio: float
    ) -> QPixmap:
        """Picture of ``size`` device px for a screen of the given pixel ratio."""
        return _picture(self._name, self._theme, self._colour(mode, state), size, ratio)

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        """Paint into ``rect``, in px of the painter."""
        ratio = painter.device().devicePixelRatio()
        size = QSize(round(rect.width() * ratio), round(rect.height() * ratio))
        painter.drawPixmap(rect.topLeft(), self.scaledPixmap(size, mode, state, ratio))
