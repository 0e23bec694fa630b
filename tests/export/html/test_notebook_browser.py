"""The frame of a run in a page of another origin: it steps, and follows a point that is dragged."""

import pytest

from solvers import RBF
from svmviz.notebook import show
from tests import stages
from tests.export.html.chromium import wait_for

pytestmark = pytest.mark.slow


def test_the_frame_of_a_notebook_steps_and_drags(browser, qapp, tmp_path):
    data = stages.eight().data
    frame = show(data.points, data.labels, kernel=RBF(0.5), C=10.0)._repr_html_()
    file = tmp_path / "cell.html"
    file.write_text(f"<!doctype html><meta charset=utf-8><body>{frame}", encoding="utf-8")
    page = browser.new_page(viewport={"width": 1100, "height": 820}, offline=True)
    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(file.as_uri())
    inner = page.frames[1]
    inner.wait_for_selector("body.ready")
    inner.click("#how")
    wait_for(inner, "page.place", 0)
    inner.click("#next")
    wait_for(inner, "page.place", 1)
    canvas = inner.locator("#planes canvas")
    box = canvas.bounding_box()
    x, y = inner.evaluate("page.views[0].pointPixels(0)")
    before = inner.evaluate("page.run.points[0]")
    page.mouse.move(box["x"] + x, box["y"] + y)
    page.mouse.down()
    page.mouse.move(box["x"] + x + 40, box["y"] + y + 10, steps=4)
    page.mouse.up()
    wait_for(inner, f"page.run.points[0] > {before}", True)
    assert errors == []
    page.close()
