"""The active theme and sizes, and their application to all widgets."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QPalette
from PySide6.QtWidgets import QApplication, QWidget

from svmviz.base.notation import in_letters
from svmviz.colours.themes import LIGHT, Theme, with_sides
from svmviz.theme.fonts import load_fonts
from svmviz.theme.metrics import REGULAR, TEXT, Metrics
from svmviz.theme.qss import stylesheet

# Properties of widgets whose sizes are not those of the active look: of windows of presentations,
# of a window that a presentation hides, and of widgets with long texts. See `look_of`.
SIZED_BY_HEIGHT, DIALOGS_BY_HEIGHT, SIZED_BY_TYPE = (
    "sized-by-height", "dialogs-by-height", "sized-by-type",
)  # fmt: skip
# Property of widgets with a style sheet of their own, because their sizes are not those of the
# active look.
OWN_SIZES = "own-sizes"


@dataclass(frozen=True)
class Look:
    """Colours and sizes of the window.

    Attributes
    ----------
    theme : Theme
    metrics : Metrics
    printing : bool
        Whether widgets are painted for a file: without cached pictures, and with plain letters
        (`font_of`).
    """

    theme: Theme
    metrics: Metrics
    printing: bool = False

    def font(self, size: float = TEXT, weight: int = REGULAR) -> QFont:
        """Return the font of controls of this look."""
        return font(size, weight, self.metrics.controls)

    def letters(self, text: str) -> str:
        """Return a text with the letters of formulas as typeset ones, except in a file."""
        return text if self.printing else in_letters(text)


# The sizes that the user has chosen, without the factor of the main window.
_chosen = Metrics(1.0)
_active = Look(LIGHT, _chosen)
# The classes of both sides of the machine that the window looks at; see `show_sides`.
_sides: tuple[tuple[int, ...], tuple[int, ...]] = (0,), (1,)
# Whether the style sheet of the active look has not been set yet.
_waits_for_sheet = False


def active() -> Look:
    """Return the look that was made active last; at first it is light, at scale 1.

    Widgets that paint themselves call this function in ``paintEvent``. Exports and the plane get a
    theme as an argument, since a dark window may export a light picture.
    """
    return _active


def chosen() -> Metrics:
    """Return the sizes that the user has chosen, without the factor of the main window."""
    return _chosen


def look_of(widget: QWidget) -> Look:
    """Return the look of a widget: the active one, unless it is inside a widget with a property.

    In a window with the property SIZED_BY_HEIGHT, as in a presentation, sizes depend on the height
    of the window; so they do in dialogs of this window, and of one whose property DIALOGS_BY_HEIGHT
    is such a height. In a widget with the property SIZED_BY_TYPE, text and controls have the same
    factor: the larger one of ``scale`` and ``controls`` of the active `Metrics`. So a large text
    size applies to all text of the widget.
    """
    window, metrics = widget.window(), _active.metrics
    if height := _presented_height(window):
        return replace(_active, metrics=_chosen.at_height(height))
    ancestor: QWidget | None = widget
    while ancestor is not None and not ancestor.property(SIZED_BY_TYPE):
        ancestor = None if ancestor is window else ancestor.parentWidget()
    if ancestor is None:
        return _active
    largest = max(metrics.scale, metrics.controls)
    return replace(_active, metrics=Metrics(largest, even=True))


def _presented_height(window: QWidget) -> int:
    """Return the height of the presentation that a window is or belongs to, px; 0 without one."""
    if window.property(SIZED_BY_HEIGHT):
        return window.height()
    above = window.parentWidget()
    if above is None:
        return 0
    owner = above.window()
    return owner.property(DIALOGS_BY_HEIGHT) or _presented_height(owner)


def apply(
    app: QApplication,
    theme: Theme,
    scale: float = 1.0,
    base: float = 1.0,
    *,
    room: float = 1.0,
    printing: bool = False,
) -> Look:
    """Style the application: Fusion, font, palette, style sheet.

    Every widget gets a ``QEvent.StyleChange``, and repaints.

    Parameters
    ----------
    app : QApplication
    theme : Theme
    scale, base : float
        Factors on text and on controls; see `Metrics`.
    room : float
        Factor of the main window on all sizes; see `room_of`.
    printing : bool
        See `Look`. If true, all sizes are multiplied by ``scale``.
    """
    _activate(theme, scale, base, room, printing=printing)
    _clear_style(app)
    apply_style(app)
    return _active


def show_sides(positive: tuple[int, ...], negative: tuple[int, ...]) -> bool:
    """Give both sides the colours of these classes; return whether any colour has changed.

    No style sheet needs to be set, since none has colours of classes.
    """
    global _active, _sides
    _sides, before = (positive, negative), _active.theme
    _active = replace(_active, theme=with_sides(before, *_sides))
    return _active.theme is not before


def _activate(
    theme: Theme, scale: float, base: float, room: float, *, printing: bool = False
) -> None:
    """Make a look active, before its style sheet is set."""
    global _active, _chosen, _waits_for_sheet
    _chosen = Metrics(scale, base, printing)
    _active = Look(with_sides(theme, *_sides), _chosen.in_room(room), printing)
    _waits_for_sheet = True


def _clear_style(app: QApplication) -> None:
    """Remove all style sheets, those of widgets with sizes of their own too.

    If the application or a widget has a style sheet, Qt applies a new one to each widget inside
    once per ancestor. For the application this takes 110 ms instead of 40, and for 170 widgets
    inside such a widget 250 ms instead of 15.
    """
    for widget in app.allWidgets():
        if widget.property(OWN_SIZES) and widget.styleSheet():
            widget.setStyleSheet("")
    app.setStyleSheet("")


def waits_for_sheet() -> bool:
    """Return whether the style sheet of the active look is not set yet.

    Until it is set, each `StyleFollower` (``svmviz.widgets.styling``) ignores changes of the style.
    """
    return _waits_for_sheet


def prepare(
    app: QApplication, theme: Theme, scale: float, base: float = 1.0, room: float = 1.0
) -> None:
    """Make a look active, with its palette; `apply_style` sets the style sheet later."""
    _activate(theme, scale, base, room)
    _clear_style(app)
    _set_palette(app)


def apply_style(app: QApplication) -> None:
    """Set the style sheet of the active look."""
    global _waits_for_sheet
    _waits_for_sheet = False
    _set_palette(app)
    app.setStyleSheet(stylesheet(_active.theme, _active.metrics.controls))


def resize_type(scale: float) -> bool:
    """Change the text size if controls then keep their size; return whether it was changed.

    If so, the caller notifies each `TypeFollower` (``svmviz.widgets.styling``). The style sheet
    need not be set again, since it depends on the size of controls alone.
    """
    global _active, _chosen
    wanted = replace(_chosen, scale=scale)
    if wanted.controls != _chosen.controls:
        return False
    _chosen = wanted
    _active = replace(_active, metrics=wanted.in_room(_active.metrics.room))
    return True


def _set_palette(app: QApplication) -> None:
    """Set Fusion, font and palette of the active look."""
    # Menus have no icons: entries with an icon would not line up with entries without one.
    app.setAttribute(Qt.ApplicationAttribute.AA_DontShowIconsInMenus)
    # The style returns its name only while no style sheet is set.
    if app.style().name().lower() != "fusion":
        app.setStyle("Fusion")
    app.setFont(font(TEXT))
    app.setPalette(palette(_active.theme))


def font(size: float = TEXT, weight: int = REGULAR, scale: float | None = None) -> QFont:
    """Return the font of a size and weight in the active look; see `font_of`.

    Parameters
    ----------
    size : float
        Size at scale 1, in px: LABEL, TEXT, TITLE or SENTENCE.
    weight : int
        REGULAR or STRONG.
    scale : float, optional
        Factor on the size; by default that of controls.
    """
    factor = _active.metrics.controls if scale is None else scale
    return QFont(font_of(max(1, int(size * factor + 0.5)), weight, _active.printing))


# Fonts are cached, since a font object stores what Qt has looked up for it. Callers must not change
# the returned font.
@lru_cache(maxsize=64)
def font_of(pixels: int, weight: int, plain: bool = False) -> QFont:
    """Return the font of a size in px and a weight.

    Unless ``plain``, all digits have the same width, so that changing numbers do not jump, and the
    letters of formulas are in the font (`Look.letters`). A plain font uses only the usual form of
    each letter, because other forms cannot be found by a search in a PDF.
    """
    result = QFont()
    result.setFamilies(load_fonts()[: 1 if plain else 2])
    result.setPixelSize(pixels)
    result.setWeight(QFont.Weight(weight))
    # A new font has the features of the application's font.
    result.clearFeatures()
    if plain:
        result.setFeature(QFont.Tag("calt"), 0)
    else:
        result.setFeature(QFont.Tag("tnum"), 1)
    return result


def palette(theme: Theme) -> QPalette:
    """Return the palette for the parts of widgets that the style sheet does not draw."""
    role = QPalette.ColorRole
    colours = {
        role.Window: theme.window,
        role.WindowText: theme.text,
        role.Base: theme.sunken,
        role.AlternateBase: theme.panel,
        role.Text: theme.text,
        role.PlaceholderText: theme.muted,
        role.Button: theme.card,
        role.ButtonText: theme.text,
        role.BrightText: theme.bad,
        role.Highlight: theme.accent,
        role.HighlightedText: theme.on_accent,
        role.Accent: theme.accent,
        role.Link: theme.focus,
        role.LinkVisited: theme.focus,
        role.ToolTipBase: theme.text,
        role.ToolTipText: theme.window,
        role.Light: theme.card,
        role.Midlight: theme.hover,
        role.Mid: theme.line,
        role.Dark: theme.line_strong,
        role.Shadow: theme.pressed,
    }
    result = QPalette()
    for name, colour in colours.items():
        result.setColor(name, QColor(colour))
    for name in (role.WindowText, role.Text, role.ButtonText):
        result.setColor(QPalette.ColorGroup.Disabled, name, QColor(theme.disabled))
    return result
