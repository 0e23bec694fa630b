"""Theme, palette, motion and sizes of the window, which are kept for the next start."""

from __future__ import annotations

from PySide6.QtCore import QObject, QSize, QTimer, Signal
from PySide6.QtGui import QGuiApplication

from svmviz import theme
from svmviz.theme import TYPE_SIZES, motion
from svmviz.theme.system import MotionWish, system_theme
from svmviz.window.memory import WindowMemory
from svmviz.window.theme_change import ThemeChange

# Choices and their names for people.
THEME_CHOICES = {"system": "As the system"} | {t.name: t.label for t in theme.THEMES.values()}
MOTIONS = {"system": "As the system", "full": "Full", "reduced": "Reduced"}
# Time from the last change of size until the sizes are written to the settings file, ms.
WRITE_DELAY = 600
# Time from the last change of the window's size until its factor on all sizes is applied, ms. A new
# style sheet takes 0.1 s to 0.2 s, so none is set while the window is being resized.
RESIZE_DELAY = 300


class Appearance(QObject):
    """Theme, palette of the classes, motion, text size, and size of controls.

    Parameters
    ----------
    memory : WindowMemory
    change : ThemeChange
    parent : QObject

    Signals
    -------
    motion_changed(bool)
        Whether pictures move from one state to the next, or change at once.
    """

    motion_changed = Signal(bool)

    def __init__(self, memory: WindowMemory, change: ThemeChange, parent: QObject) -> None:
        super().__init__(parent)
        self._memory = memory
        self._change = change
        self.motion_wish = MotionWish(self)
        self.motion_wish.changed.connect(self.apply_motion)
        # Writing is delayed: a turn of the wheel makes many changes, and each write waits for the
        # disk.
        self._write_timer = QTimer(self, singleShot=True, interval=WRITE_DELAY)
        self._write_timer.timeout.connect(self._remember)
        self._window_size = QSize()
        self._resize_timer = QTimer(self, singleShot=True, interval=RESIZE_DELAY)
        self._resize_timer.timeout.connect(self._fit_window)
        hints = QGuiApplication.styleHints()
        hints.colorSchemeChanged.connect(self._follow_system)
        hints.accessibility().contrastPreferenceChanged.connect(self._follow_system)

    @property
    def is_dark(self) -> bool:
        """Whether the dark theme is on."""
        return theme.active().theme.is_dark

    @property
    def scale(self) -> float:
        """Factor on text in the plane and in the sentence of the step."""
        return theme.chosen().scale

    @property
    def base(self) -> float:
        """Factor on controls, without the slight growth of controls with the text size."""
        return theme.chosen().base

    @property
    def theme_choice(self) -> str:
        """The theme chosen, a key of THEME_CHOICES."""
        return self._memory.values.theme

    def choose_theme(self, choice: str) -> None:
        """Use a theme, a key of THEME_CHOICES, and keep it for the next start."""
        self._memory.set(theme=choice)
        self._use(theme_named(choice), self.palette)

    def toggle_dark(self) -> None:
        """Switch between light and dark; high contrast stays."""
        now = theme.active().theme
        self.choose_theme(
            theme.similar_theme(
                is_dark=not now.is_dark, has_high_contrast=now.has_high_contrast
            ).name
        )

    @property
    def palette(self) -> str:
        """The palette of the classes, a key of PALETTES."""
        return theme.active().theme.palette

    def choose_palette(self, palette: str) -> None:
        """Use a palette of the classes, a key of PALETTES, and keep it for the next start."""
        self._memory.set(palette=palette)
        self._use(theme.active().theme.name, palette)

    @property
    def motion_choice(self) -> str:
        """The choice about motion, a key of MOTIONS."""
        return self._memory.motion

    @property
    def has_motion(self) -> bool:
        """Whether pictures move from one state to the next."""
        return not motion.is_reduced()

    def choose_motion(self, choice: str) -> None:
        """Use a choice about motion, a key of MOTIONS, and keep it for the next start."""
        self._memory.remember_motion(choice)
        self.apply_motion()

    def toggle_motion(self) -> None:
        """Reduce motion, or undo that."""
        self.choose_motion("reduced" if self.has_motion else "full")

    def apply_motion(self) -> None:
        """Apply the choice about motion."""
        wish = self.motion_choice == "system" and self.motion_wish.is_reduced
        motion.reduce(wish or self.motion_choice == "reduced")
        self.motion_changed.emit(self.has_motion)

    def _follow_system(self) -> None:
        """Use the system's present theme, if the user chose to follow the system."""
        if self.theme_choice == "system" and (name := system_theme()) != theme.active().theme.name:
            self._use(name, self.palette)

    def _use(self, name: str, palette: str) -> None:
        self._change.apply(theme.theme_of(name, palette), self.scale, self.base)

    def set_scale(self, scale: float) -> None:
        """Set the text size; marks grow with it, and controls slightly."""
        if scale != self.scale:
            self._change.apply(theme.active().theme, scale, self.base)
            self._write_timer.start()

    def set_base(self, base: float) -> None:
        """Set the size of controls."""
        self._change.apply(theme.active().theme, self.scale, base)
        self._write_timer.start()

    def note_size(self, size: QSize) -> None:
        """Apply the factor for a window of this size, once the size stays."""
        self._window_size = size
        self._resize_timer.start()

    def _fit_window(self) -> None:
        before = theme.active().metrics.room
        room = theme.room_of(self._window_size.width(), self._window_size.height(), before)
        if room != before:
            self._change.apply(theme.active().theme, self.scale, self.base, room)

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
        self._memory.set(scale=self.scale, controls=self.base)


def theme_named(choice: str) -> str:
    """Return the name of the theme that a key of THEME_CHOICES stands for."""
    return system_theme() if choice == "system" else choice


def next_size(size: float, *, larger: bool) -> float:
    """Return the next larger or smaller one of TYPE_SIZES; at its end, the last or first one."""
    if larger:
        return min((step for step in TYPE_SIZES if step > size + 1e-9), default=TYPE_SIZES[-1])
    return max((step for step in TYPE_SIZES if step < size - 1e-9), default=TYPE_SIZES[0])
