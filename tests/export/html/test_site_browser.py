"""A site in browsers: pages with shared scripts solve, are linked, and mark what is done."""

from __future__ import annotations

import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest

from svmviz.cli import main
from svmviz.io.scene import Scene, write_scene
from tests import stages
from tests.export.html.chromium import CHROMIUM_ONLY, is_under_a_finger, wait_for

pytestmark = pytest.mark.slow
LESSON = """---
title: One card
about: A card with a question.
---
# A card

Words.

```show
scene budget
step end
```

```predict
ask How much is 1 + 1, if both are numbers, and not classes?
right Two
choice Three
choice Four
```
"""


@pytest.fixture
def site(qapp, tmp_path):
    source, out = tmp_path / "source", tmp_path / "public"
    source.mkdir()
    (source / "two-moons.svmviz").write_text(write_scene(Scene(stages.moons(20))))
    texts = '[two-moons]\nprompts = ["Raise C.", "Drag a point."]\nchapter = "Kernels"\n'
    (source / "scenes.toml").write_text(texts, encoding="utf-8")
    (source / "card.md").write_text(LESSON, encoding="utf-8")
    assert main(["site", str(source), "-o", f"{out}/"]) == 0
    return out


def test_the_free_plane_solves_its_presets(visited, site):
    page = visited(site / "plane.html")
    page.set_viewport_size({"width": 360, "height": 640})
    for name in ("C", "gamma"):
        assert is_under_a_finger(page.locator(f"#live-{name}"))
    titles = page.locator("#live-presets option").all_inner_texts()
    assert titles[0] == "Two moons"
    for title in titles:
        page.select_option("#live-presets", label=title)
        wait_for(page, "page.tools.solver.isBusy", False)
    stop = "page.run.lanes[0].result?.stop"
    page.select_option("#live-kernel", "polynomial")
    wait_for(page, "page.run.kernel_program.ops[0]", "polynomial")
    assert page.evaluate(stop) in ("optimal", None)
    for title in ("One card", "Two moons"):
        page.click("nav a[rel=next]")
        page.wait_for_selector("body.ready")
        assert page.inner_text("h1") == title
    page.evaluate("page.tools.solve()")
    wait_for(page, "page.run !== page.fileRun && !page.tools.solver.isBusy", True)
    assert page.evaluate(stop) == "optimal"
    assert page.locator("nav a[rel=next]").count() == 0


@CHROMIUM_ONLY
def test_what_is_done_is_marked_and_leads_on(visited, site):
    page = visited(site / "card.html", (360, 640), has_touch=True)
    page.tap(".choice:has-text('Two')")
    wait_for(page, "Object.keys(page.lesson.progress.state.done).length", 1)
    assert page.inner_text(".reward") == "✓ Lesson done: 1 of 1 task solved."
    (strongest,) = page.locator("#lesson-tasks .primary").all()
    assert strongest.inner_text() == "Next: Two moons\u00a0→"
    assert is_under_a_finger(page.locator(".reward"))
    assert is_under_a_finger(strongest)
    page.get_by_text("Hand in", exact=True).tap()
    copy = page.get_by_role("button", name="Copy the line")
    wait_for(page, "document.querySelector('.buttons details').open", True)
    page.wait_for_timeout(50)
    assert is_under_a_finger(copy)
    copy.tap()
    assert is_under_a_finger(page.get_by_label("The line to hand in"))
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
    assert shown == [f"{name}{ending}" for name in ("plane", "card", "two-moons")]


@CHROMIUM_ONLY
def test_the_gallery_is_a_grid(visited, site):
    page = visited(site / "plane.html")
    page.goto((site / "index.html").as_uri())
    page.set_viewport_size({"width": 1366, "height": 768})
    boxes = [each.bounding_box() for each in page.locator(".pages li").all()]
    assert len({box["y"] for box in boxes}) == 1
    assert all(300 <= box["width"] <= 400 for box in boxes)
    size = "(name) => parseFloat(getComputedStyle(document.querySelector(name)).fontSize)"
    assert page.evaluate(size, "h1") > 1.2 * page.evaluate(size, "h2")
    page.set_viewport_size({"width": 390, "height": 844})
    assert {each.bounding_box()["width"] for each in page.locator(".pages li").all()} == {374}


@CHROMIUM_ONLY
@pytest.mark.parametrize("name", ["card", "plane", "two-moons"])
def test_a_page_fits_a_laptop_and_has_an_icon(visited, site, name):
    page = visited(site / f"{name}.html", (1366, 768))
    page.wait_for_timeout(100)
    assert page.evaluate("document.documentElement.scrollHeight") <= 768
    icon = page.get_attribute("link[rel=icon]", "href")
    # The policy of the page allows it.
    loaded = "(src) => Object.assign(new Image(), { src }).decode().then(() => true)"
    assert page.evaluate(loaded, icon)


@CHROMIUM_ONLY
@pytest.mark.parametrize("size", [(390, 844), (360, 640)])
def test_what_to_try_comes_before_the_legend(visited, site, size):
    page = visited(site / "two-moons.html", size, has_touch=True, is_mobile=True)
    for name in ("C", "gamma"):
        assert is_under_a_finger(page.locator(f"#live-{name}"))
    tops = [page.locator(name).bounding_box()["y"] for name in ("#narrator", "#prompts", "#legend")]
    assert tops == sorted(tops)
    if size == (390, 844):
        assert is_under_a_finger(page.locator("#prompts li >> nth=1"))
    page.set_viewport_size({"width": 1366, "height": 768})
    page.locator("aside #prompts").wait_for()


@CHROMIUM_ONLY
def test_nothing_of_a_card_is_cut_on_a_small_telephone(visited, site):
    page = visited(site / "card.html", (360, 640), has_touch=True, is_mobile=True)
    for shown in page.locator("#lesson-tasks :is(.choice, .buttons button)").all():
        box = shown.bounding_box()
        assert box["y"] + box["height"] <= 640
        assert is_under_a_finger(shown)
    # Titles of other pages are long.
    title = "The boundary of a kernel with a small γ, and that of a line"
    link = "document.querySelector('nav a[rel=next]')"
    page.evaluate(f"(title) => {{ {link}.textContent = title; }}", title)
    assert page.evaluate(f"{link}.scrollWidth <= {link}.clientWidth")


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
            check_embedded(page, host)
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
            page.goto(f"{host}/card.html")
    finally:
        context.close()


def check_embedded(page, host):
    """Another page shows what this one does in the frame whose code is copied."""
    page.evaluate("page.tools.change(() => { page.tools.C = 3; })")
    page.get_by_role("button", name="Share", exact=True).click()
    page.get_by_role("button", name="Copy the code to embed").click()
    code = page.get_by_label("The text to copy").input_value()
    assert code.startswith(f'<iframe src="{host}/two-moons.html#svmviz:1:')
    other = page.context.new_page()
    other.set_content(code)
    frame = other.frame_locator("iframe")
    frame.get_by_text("RBF (Gaussian), γ 1 · C = 3").wait_for(state="attached")
    other.close()
