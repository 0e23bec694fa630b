"""Chromium and Firefox for the slow tests of pages.

Without a browser or Playwright, which ``make test-slow`` installs, its tests are left out.
"""

from __future__ import annotations

import os
import shutil
import threading

import pytest

from solvers import solve
from svmviz.document.document import Document
from svmviz.export import RUN_FORMATS
from svmviz.export.runs.recording import Recording
from svmviz.export.runs.run_settings import RunSettings
from svmviz.io.scene import Scene
from svmviz.plane.sentences import caption

FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"]
# Names of the program, and options of Playwright. Debian's Firefox understands the WebDriver BiDi
# of this channel.
BROWSERS = {
    "chromium": (("chromium", "chromium-browser"), {"args": FLAGS}),
    "firefox": (("firefox-esr", "firefox"), {"channel": "moz-firefox"}),
}


@pytest.fixture(scope="module")
def launch():
    """Launches a browser by its name; a second time, the same is returned."""
    playwright = pytest.importorskip("playwright.sync_api")
    # Threads of Playwright end with its browsers, but their names are not of this program.
    before = set(threading.enumerate())
    environment = {k: v for k, v in os.environ.items() if not k.startswith("QT_")}
    with playwright.sync_playwright() as driver:
        launched = {}

        def launch_browser(name):
            if name not in launched:
                programs, options = BROWSERS[name]
                program = next(filter(None, map(shutil.which, programs)), None)
                if program is None:
                    pytest.skip(f"{name.title()} is not installed")
                kind = getattr(driver, name)
                launched[name] = kind.launch(executable_path=program, env=environment, **options)
            return launched[name]

        yield launch_browser
        for made in launched.values():
            made.close()
    for thread in set(threading.enumerate()) - before:
        thread.join(5.0)


@pytest.fixture(params=BROWSERS)
def browser(request, launch):
    return launch(request.param)


@pytest.fixture
def visited(browser):
    """Opens a page; whatever it reports as an error fails the test."""
    contexts, errors = [], []

    def visit(path, size=(1280, 900), **options):
        viewport = {"width": size[0], "height": size[1]}
        context = browser.new_context(viewport=viewport, offline=True, **options)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda message: errors.append(message.text))
        page.on("request", lambda request: _note_request(request, errors))
        page.goto(path.as_uri())
        page.wait_for_selector("body.ready")
        return page

    yield visit
    for context in contexts:
        context.close()
    assert errors == []


@pytest.fixture
def opened(visited, qapp, tmp_path):
    """Opens the page of a document."""

    def open_page(document: Document, size=(1280, 900), **options):
        runs = tuple(solve(document.problem(), method) for method in document.methods)
        path = tmp_path / "run.html"
        recording = Recording(Scene(document), runs, caption)
        RUN_FORMATS[".html"].save(path, recording, RunSettings())
        return visited(path, size, **options), runs

    return open_page


def _note_request(request, errors):
    if not request.url.startswith(("file:", "blob:")):
        errors.append(request.url)
