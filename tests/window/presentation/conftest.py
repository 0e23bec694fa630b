"""A window whose presentation can be begun."""

from __future__ import annotations

import pytest

from tests.stages import moons


@pytest.fixture
def user(open_window):
    return open_window(moons())


def present(user):
    """Begin a presentation by its key, and return its window."""
    user.key("F5")
    user.until(lambda: user.window.presentation.is_on)
    screen = user.window.presentation.screen
    user.until(screen.isActiveWindow)
    user.until_still(screen)
    return screen


def leave(user):
    """End the presentation by its key, and wait for the window."""
    user.key("Escape")
    user.until(lambda: not user.window.presentation.is_on)
    user.until(user.window.isActiveWindow)
    user.until_still(user.window.plane)
