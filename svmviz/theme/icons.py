"""Icons: SVG files in the colours of a theme, rendered for each size.

The files draw lines in ``currentColor``, points in the class colours of the light theme, and marks
on points in white. All these are replaced by colours of the theme. An icon made without a theme
uses the active theme whenever it is painted, so actions need no new icon when the theme changes.
"""

from __future__ import annotations

from functools import cache, lru_cache

from PySide6.QtCore import QByteArray, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QIcon, QIconEngine, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from svmviz.base.resources import path
from svmviz.colours.themes import LIGHT, Theme
from svmviz.theme.look import active


def names() -> list[str]:
    """Return the names of all icons, sorted."""
    return sorted(file.stem for file in path("icons").glob("*.svg"))


@cache
def icon(name: str, theme: Theme | None = None, *, on_accent: bool = False) -> QIcon:
    """Return an icon in the colours of a theme, for normal, disabled and checked widgets.

    Parameters
    ----------
    name : str
        One of `names`.
    theme : Theme, optional
        By default, the theme that is active when the icon is painted.
    on_accent : bool
        Whether the widget is filled with the accent colour, as the primary button is.

    Raises
    ------
    FileNotFoundError
        If there is no such icon.
    """
    path(f"icons/{name}.svg")
    return QIcon(_Engine(name, theme, on_accent))


def render(name: str, theme: Theme, colour: str, side: float, ratio: float = 1.0) -> QPixmap:
    """Return a picture of an icon in one colour, for widgets that paint themselves.

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
    pixels = round(side * ratio)
    return _picture(name, theme, colour, pixels, pixels, ratio)


@cache
def _source(name: str) -> str:
    return path(f"icons/{name}.svg").read_text(encoding="utf-8")


def _coloured(name: str, theme: Theme, colour: str) -> QByteArray:
    text = _source(name)
    if colour == theme.disabled:
        for fill in LIGHT.classes:
            text = text.replace(fill, colour)
    text = text.replace("#ffffff", theme.card).replace("currentColor", colour)
    for fill, own in zip(LIGHT.classes, theme.classes, strict=True):
        text = text.replace(fill, own)
    return QByteArray(text.encode())


@lru_cache(maxsize=512)
def _picture(
    name: str, theme: Theme, colour: str, width: int, height: int, ratio: float
) -> QPixmap:
    picture = QPixmap(width, height)
    # A button of size 0 asks for a picture of size 0, into which Qt cannot paint.
    if picture.isNull():
        return picture
    picture.fill(Qt.GlobalColor.transparent)
    with QPainter(picture) as painter:
        side = min(width, height)
        box = QRectF((width - side) / 2, (height - side) / 2, side, side)
        QSvgRenderer(_coloured(name, theme, colour)).render(painter, box)
    picture.setDevicePixelRatio(ratio)
    return picture


# The engines that `_Engine.clone` has returned, stored so that Python does not free them.
_clones: list[QIconEngine] = []


class _Engine(QIconEngine):
    """Renderer of one SVG in one theme or the active one, for the size and state that Qt needs."""

    def __init__(self, name: str, theme: Theme | None, on_accent: bool) -> None:
        super().__init__()
        self._name = name
        self._theme = theme
        self._on_accent = on_accent

    def clone(self) -> QIconEngine:
        """Return an engine for a detached copy of the icon.

        WORKAROUND: PySide6 does not pass the ownership of the result to C++. Without a reference,
        Python would free the engine at once, and Qt would paint with freed memory (seen with
        6.11.3).
        """
        twin = _Engine(self._name, self._theme, self._on_accent)
        _clones.append(twin)
        return twin

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        """Return a picture of ``size`` px for a screen with one device px per px."""
        return self.scaledPixmap(size, mode, state, 1.0)

    def scaledPixmap(
        self, size: QSize, mode: QIcon.Mode, state: QIcon.State, ratio: float
    ) -> QPixmap:
        """Return a picture of ``size`` px for a screen with ``ratio`` device px per px."""
        theme = self._theme or active().theme
        colour = theme.accent if state == QIcon.State.On else theme.text
        if self._on_accent:
            colour = theme.on_accent
        if mode == QIcon.Mode.Disabled:
            colour = theme.disabled
        width, height = round(size.width() * ratio), round(size.height() * ratio)
        return _picture(self._name, theme, colour, width, height, ratio)

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        """Paint into ``rect``, in px of the painter."""
        ratio = painter.device().devicePixelRatio()
        painter.drawPixmap(rect.topLeft(), self.scaledPixmap(rect.size(), mode, state, ratio))
