"""The address of a page: it has what was changed, as a scene that Python reads, and back."""

from __future__ import annotations

import numpy as np
import pytest

from solvers import RBF, Polynomial
from svmviz.document.document import Penalty
from svmviz.io.scene import Scene
from svmviz.io.scene_line import read_scene_line, write_scene_line
from tests import stages
from tests.export.html.chromium import CHROMIUM_ONLY, wait_for

pytestmark = pytest.mark.slow


def address_of(page):
    page.evaluate("page.address.write()")
    return page.evaluate("location.hash.slice(1)")


def solved(page):
    wait_for(page, "page.run !== page.fileRun && !page.tools.solver.isBusy", True)
    return page.evaluate("[[...page.run.points], page.run.labels, page.run.lanes[0].problem.C]")


def reopened(page):
    page.reload()
    page.wait_for_selector("body.ready")
    return solved(page)


def test_what_is_changed_is_in_the_address_and_opens_again(opened):
    document = stages.moons(30)
    page, _ = opened(document)
    page.evaluate("page.tools.solve()")
    solved(page)
    assert address_of(page) == ""
    page.evaluate(
        """page.tools.change(() => {
          page.tools.points.splice(0, 2, 1.25, -0.5);
          page.tools.points.push(0.5, 0.75);
          page.tools.labels.push(-1);
          page.tools.C = 3;
          page.tools.kernel = { name: "polynomial", gamma: 0.5, coef0: 1, degree: 2 };
        })"""
    )
    wait_for(page, "page.run.n", 31)
    shown = solved(page)
    page.evaluate("page.goTo(3)")
    line = address_of(page)
    scene = read_scene_line(line)
    assert scene.document.kernel == Polynomial(0.5, 1.0, 2)
    assert (scene.document.C, scene.step, scene.document.n) == (3.0, 3, 31)
    assert page.input_value("#scene") == line
    page.click("#share")
    page.get_by_role("button", name="Copy the link").click()
    page.get_by_label("The text to copy").wait_for()
    assert page.get_by_label("The text to copy").input_value().endswith(f"#{line}")
    # No other page can show a file.
    page.click("#share")
    page.get_by_role("button", name="Copy the code to embed").click()
    wait_for(
        page, "document.querySelector('#note').innerText.startsWith('This page is a file')", True
    )
    again = reopened(page)
    assert again[1:] == shown[1:]
    # Points of a line are rounded to a ten-thousandth of their range.
    np.testing.assert_allclose(again[0], shown[0], atol=1e-3)
    np.testing.assert_array_equal(again[0], scene.document.data.points.ravel())
    assert page.evaluate("page.place") == 3
    page.click("#live-reset")
    wait_for(page, "page.run.n", 30)
    np.testing.assert_array_equal(solved(page)[0], document.data.points.ravel())


@CHROMIUM_ONLY
def test_a_line_of_the_program_opens_in_a_page(opened):
    page, _ = opened(stages.moons(20))
    other = stages.moons(25, kernel=RBF(0.25), penalty=Penalty("C", np.inf))
    line = write_scene_line(Scene(other))
    page.evaluate("line => { location.hash = line; }", line)
    wait_for(page, "page.run.n", 25)
    points, labels, C = solved(page)
    expected = read_scene_line(line).document
    np.testing.assert_array_equal(points, expected.data.points.ravel())
    assert labels == expected.data.labels.tolist()
    assert C is None or np.isinf(C)
    assert page.evaluate("page.run.kernel_program.args[0][0]") == 0.25


@CHROMIUM_ONLY
def test_a_damaged_line_is_refused_with_a_sentence(opened):
    page, _ = opened(stages.moons(20))
    line = write_scene_line(Scene(stages.moons(25)))
    sine = write_scene_line(Scene(stages.sine(25)))
    for text in (line[:-5], line.replace("1:", "2:"), "svmviz:1:", sine):
        page.evaluate(
            "text => { document.getElementById('note').textContent = ''; location.hash = text; }",
            text,
        )
        wait_for(
            page,
            "document.getElementById('note').textContent.startsWith('The link is damaged')",
            True,
        )
        assert page.evaluate("page.run === page.fileRun")


def test_the_step_is_in_the_address(opened):
    page, _ = opened(stages.moons(20))
    page.evaluate("page.goTo(4)")
    assert address_of(page) == "step=4"
    page.reload()
    page.wait_for_selector("body.ready")
    assert page.evaluate("page.place") == 4
