"""What a finger does on a slider: sideways it moves it, up and down it scrolls the page."""

from __future__ import annotations

import pytest

from tests import stages
from tests.export.html.chromium import CHROMIUM_ONLY, is_under_a_finger, wait_for

pytestmark = pytest.mark.slow


def finger(page, *places):
    """Lay a finger on the first place, move it along the others, and lift it."""
    client = page.context.new_cdp_session(page)
    for k, (x, y) in enumerate(places):
        kind = "touchMove" if k else "touchStart"
        client.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})
        page.wait_for_timeout(30)
    client.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


@CHROMIUM_ONLY
def test_a_scroll_that_begins_on_a_slider_changes_nothing(opened):
    page, _ = opened(stages.moons(30), size=(390, 844), has_touch=True, is_mobile=True)
    assert page.evaluate("page.tools.isOn")
    slider, undo = page.locator("#live-C"), page.locator("#live-undo")
    box, state = slider.bounding_box(), "[page.tools.C, page.tools.history.length]"
    left, y = box["x"] + 0.1 * box["width"], box["y"] + box["height"] / 2
    before, value = page.evaluate(state), slider.input_value()
    finger(page, *((left + k, y - 20 * k) for k in range(10)))
    wait_for(page, "scrollY > 50", True)
    assert page.evaluate(state) == before
    assert slider.input_value() == value
    page.evaluate("scrollTo(0, 0)")
    # A slide and a tap count, and each is one change to undo.
    finger(page, *((left + 20 * k, y - k) for k in range(5)))
    wait_for(page, "page.tools.history.length", 1)
    slid = page.evaluate("page.tools.C")
    assert slid != before[0]
    finger(page, (left, y))
    wait_for(page, "page.tools.history.length", 2)
    tapped = page.evaluate("page.tools.C")
    assert tapped < slid
    # To undo all changes is a change, too.
    page.get_by_role("button", name="Undo all changes").tap()
    assert page.evaluate("page.tools.C") == before[0]
    for C in (tapped, slid, before[0]):
        undo.tap()
        assert page.evaluate("page.tools.C") == C
    assert undo.is_disabled()


@CHROMIUM_ONLY
@pytest.mark.parametrize("size", [(390, 844), (360, 640), (844, 390)])
def test_C_is_on_the_first_screen(opened, size):
    page, _ = opened(stages.moons(30), size=size, has_touch=True, is_mobile=True)
    about = (
        "A line is too stiff for two moons; an RBF kernel bends the boundary. Points far from it do"
    )
    page.evaluate(
        "about => { byId('about').prepend(about); page.draw(); }", f"{about} not hold it."
    )
    for name in ("C", "gamma"):
        assert is_under_a_finger(page.locator(f"#live-{name}"))
