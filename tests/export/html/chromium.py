"""Waiting for what a page shows, and the mark of tests that Chromium alone can do."""

import time

import pytest

# Playwright touches, prints, and sets a colour scheme in Chromium only.
CHROMIUM_ONLY = pytest.mark.parametrize("browser", ["chromium"], indirect=True)


def wait_for_place(page, place):
    wait_for(page, "page.place", place)


def wait_for(page, expression, value):
    """Wait until an expression has a value."""
    # Playwright's own way to wait evaluates a text in the page, which the page's policy forbids.
    deadline = time.monotonic() + 30.0
    while page.evaluate(expression) != value:
        assert time.monotonic() < deadline
        page.wait_for_timeout(20)


def is_under_a_finger(element):
    """Whether the middle of an element is on the screen, and nothing lies over it."""
    return element.evaluate(
        """(shown) => {
          const box = shown.getBoundingClientRect();
          return shown === document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
        }"""
    )
