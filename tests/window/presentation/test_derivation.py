"""Derivations in a presentation: their panel, and the panels they concern, are beside the plane."""

from __future__ import annotations

import pytest

from tests.window.presentation.conftest import present

pytestmark = pytest.mark.display


def test_a_derivation_is_read_in_a_presentation_too(user):
    screen = present(user)
    user.key("F7")
    user.until(lambda: screen.side.chosen == "derivation")
    reading = user.window.stage.reading
    user.until(lambda: reading.is_open)
    user.window.help.show_derivation("kkt")
    assert reading.derivation.name == "kkt"
    assert not user.window.isVisible()
    reading.panel_requested.emit("kkt")
    user.until(lambda: screen.side.chosen == "kkt")
