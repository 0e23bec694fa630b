"""A site in browsers: pages with shared scripts solve, are linked, and mark what is done."""

from __future__ import annotations

import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest

from svmviz.cli import main
from svmviz.io.scene import Scene, write_scene
from tests import stages
from tests.export.html.chromium import CHROMIUM_ONLY, wait_for

pytestmark = pytest.mark.slow
LESSON = """---
title: One card
about: A card with a question.
---
# A card

Words.

```predict
ask What is 1 + 1?
right Two
choice Three
```
"""


@pytest.fixture
def site(qapp, tmp_path):
    source, out = tmp_path / "source", tmp_path / "public"
    source.mkdir()
    (source / "two-moons.svmviz").write_text(write_scene(Scene(stages.moons(20))))
    (source / "words.md").write_text(LESSON, encoding="utf-8")
    assert main(["site", str(source), "-o", f"{out}/"]) == 0
    return out


def test_the_free_plane_solves_its_presets(visited, site):
    page = visited(site / "plane.html")
    titles = page.locator("#live-presets option").all_inner_texts()
    assert titles[0] == "Two moons"
    for title in titles:
        page.select_option("#live-presets", label=title)
        wait_for(page, "page.tools.solver.isBusy", False)
    stop = "page.run.lanes[0].result?.stop"
    page.select_option("#live-kernel", "polynomial")
    wait_for(page, "page.run.kernel_program.ops[0]", "polynomial")
    assert page.evaluate(stop) in ("optimal", None)
    page.click("nav a[rel=next]")
    page.wait_for_selector("body.ready")
    assert page.inner_text("h1") == "Two moons"
    page.evaluate("page.tools.solve()")
    wait_for(page, "page.run !== page.fileRun && !page.tools.solver.isBusy", True)
    assert page.evaluate(stop) == "optimal"
    page.click("nav a[rel=next]")
    page.wait_for_selector("body.ready")
    assert page.inner_text("h1") == "One card"
    assert page.locator("nav a[rel=next]").count() == 0


def test_what_is_done_is_marked(visited, site):
    page = visited(site / "words.html")
    page.click(".choice:has-text('Two')")
    wait_for(page, "Object.keys(page.lesson.progress.state.done).length", 1)
    page.goto((site / "index.html").as_uri())
    assert page.locator(".done").all_inner_texts() == ["✓ Done"]


@CHROMIUM_ONLY
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_gallery_is_light_or_dark(visited, site, scheme):
    page = visited(site / "plane.html", color_scheme=scheme)
    page.goto((site / "index.html").as_uri())
    images = "[...document.images]"
    wait_for(page, f"{images}.every((each) => each.complete && each.naturalWidth > 0)", True)
    shown = page.evaluate(f"{images}.map((each) => each.currentSrc.split('/').pop())")
    ending = "~dark.png" if scheme == "dark" else ".png"
    assert shown == [f"{name}{ending}" for name in ("plane", "two-moons")]


@CHROMIUM_ONLY
def test_pages_that_were_open_open_without_network(browser, site):
    # Firefox that is driven from outside does not let workers answer.
    handler = partial(SimpleHTTPRequestHandler, directory=site)
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        context = browser.new_context()
        try:
            page, host = context.new_page(), f"http://127.0.0.1:{server.server_port}"
            page.goto(f"{host}/two-moons.html")
            page.wait_for_selector("body.ready")
            kept = "caches.keys().then((keys) => keys.length)"
            wait_for(page, kept, 1)
            page.evaluate("navigator.serviceWorker.ready.then(() => null)")
        finally:
            server.shutdown()
            thread.join()
    try:
        for name in ("two-moons.html", "index.html", "plane.html"):
            page.goto(f"{host}/{name}")
            assert page.locator("nav a, ul.pages a").count() > 0
        page.wait_for_selector("body.ready")
        page.select_option("#live-presets", label="XOR")
        wait_for(page, "page.tools.solver.isBusy", False)
        with pytest.raises(Exception, match="ERR_FAILED"):
            page.goto(f"{host}/words.html")
    finally:
        context.close()
