"""Theme and projector scale of the window: their values, and changing and remembering them."""

from __future__ import annotations

from svmviz import theme
from svmviz.window.memory import Memory
from svmviz.window.theme_change import ThemeChange


class Appearance:
    """Theme and scale.

    Parameters
    ----------
    memory : Memory
    change : ThemeChange
    """

    def __init__(self, memory: Memory, change: ThemeChange) -> None:
        self._memory = memory
        self._change = change

    @property
    def is_dark(self) -> bool:
        """Whether the dark theme is on."""
        return theme.active().theme.is_dark

    @property
    def scale(self) -> float:
        """Projector scale."""
        return theme.active().metrics.scale

    def toggle_dark(self) -> None:
        """Change between light and dark."""
        colours = theme.LIGHT if self.is_dark else theme.DARK
        self._memory.remember_theme(colours.name)
        self._change.apply(colours, self.scale)

    def set_scale(self, scale: float) -> None:
        """Set the projector scale."""
        self._memory.remember_scale(scale)
        self._change.apply(theme.active().theme, scale)
