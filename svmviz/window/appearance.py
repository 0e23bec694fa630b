"""Theme and sizes of the window: changing them, and keeping them for the next start."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer

from svmviz import theme
from svmviz.theme import TYPE_SIZES
from svmviz.window.memory import Memory
from svmviz.window.theme_change import ThemeChange

# Time from the last change of size until the sizes are written to the settings file, ms.
WRITE_DELAY = 600


class Appearance:
    """Theme, text size, and size of controls.

    Parameters
    ----------
    memory : Memory
    change : ThemeChange
    parent : QObject
    """

    def __init__(self, memory: Memory, change: ThemeChange, parent: QObject) -> None:
        self._memory = memory
        self._change = change
        # Writing is delayed: a turn of the wheel makes many changes, and each write waits for the
        # disk.
        self._write_timer = QTimer(parent)
        self._write_timer.setSingleShot(True)
        self._write_timer.setInterval(WRITE_DELAY)
        self._write_timer.timeout.connect(self._remember)

    @property
    def is_dark(self) -> bool:
        """Whether the dark theme is on."""
        return theme.active().theme.is_dark

    @property
    def scale(self) -> float:
        """Factor on text in the plane and in the sentence of the step."""
        return theme.active().metrics.scale

    @property
    def base(self) -> float:
        """Factor on controls, without the slight growth of controls with the text size."""
        return theme.active().metrics.base

    def toggle_dark(self) -> None:
        """Switch between the light and the dark theme."""
        colours = theme.LIGHT if self.is_dark else theme.DARK
        self._memory.remember_theme(colours.name)
        self._change.apply(colours, self.scale, self.base)

    def set_scale(self, scale: float) -> None:
        """Set the text size; marks grow with it, and controls slightly."""
        if scale != self.scale:
            self._change.apply(theme.active().theme, scale, self.base)
            self._write_timer.start()

    def set_base(self, base: float) -> None:
        """Set the size of controls."""
        self._change.apply(theme.active().theme, self.scale, base)
        self._write_timer.start()

    def step_type(self, steps: int) -> None:
        """Go ``steps`` text sizes up in TYPE_SIZES, or down if ``steps`` is negative."""
        size = self.scale
        for _ in range(abs(steps)):
            size = next_size(size, larger=steps > 0)
        self.set_scale(size)

    def reset_type(self) -> None:
        """Return to a text size of 100 %."""
        self.set_scale(1.0)

    def finish(self) -> None:
        """Write the sizes to the settings file now, if a delayed write is waiting."""
        if self._write_timer.isActive():
            self._write_timer.stop()
            self._remember()

    def _remember(self) -> None:
        self._memory.remember_sizes(self.scale, self.base)


def next_size(size: float, *, larger: bool) -> float:
    """Return the next larger or smaller one of TYPE_SIZES; if there is none, its last or first."""
    if larger:
        return min((step for step in TYPE_SIZES if step > size + 1e-9), default=TYPE_SIZES[-1])
    return max((step for step in TYPE_SIZES if step < size - 1e-9), default=TYPE_SIZES[0])
