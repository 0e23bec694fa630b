"""What the system wishes: light or dark, and high contrast."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication

from svmviz.colours.themes import similar_theme


def system_theme() -> str:
    """Return the name of the theme that the system wishes."""
    hints = QGuiApplication.styleHints()
    return similar_theme(
        is_dark=hints.colorScheme() == Qt.ColorScheme.Dark,
        has_high_contrast=hints.accessibility().contrastPreference()
        == Qt.ContrastPreference.HighContrast,
    ).name
