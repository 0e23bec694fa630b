"""The decision in a browser: its switch, and regions that are right to a px."""

from __future__ import annotations

import numpy as np
import pytest

from svmviz.document.held_out import TRAINING
from svmviz.frames.solved_machines import decision_at, solve_machines
from tests.export.html.chromium import wait_for
from tests.export.html.test_decision import DOCUMENTS

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("name", ["three", "six, rest", "code"])
def test_regions_are_right_to_a_px(browser, opened, name):
    document = DOCUMENTS[name]
    page, _ = opened(document)
    before = page.evaluate("page.views[0].canvas.toDataURL()")
    page.click("#decision-choice label:first-child")
    wait_for(page, "Boolean(page.views[0].decision?.image)", True)
    assert page.evaluate("page.views[0].canvas.toDataURL()") != before
    legend = page.inner_text("#legend")
    assert all(class_name in legend for class_name in document.class_names)
    rows, ends = document.many.parts == TRAINING, list(solve_machines(document))
    classes = decision_at(
        [end.machine for end in ends], [end.expansion for end in ends], document.solver_points[rows]
    ).classes
    wrong = (classes != document.many.data.classes[rows]).sum()
    assert f" together: {wrong} of {rows.sum()} points" in page.inner_text("#narrator")
    # No step of one machine is shown beside the decision of all.
    assert not page.is_visible("#how")
    assert not page.is_visible("#transport")
    width, height, view, classes = page.evaluate(
        "((view) => { const { width, height, regions } = view.decision.machines.regions(view);"
        " return [width, height, view.view, regions.map((each) => each.best)]; })(page.views[0])"
    )
    left, right, bottom, top = view
    # A px is right if the library decides so somewhere within 1 px of its middle.
    shifts = [(a, b) for a in (-1, 0, 1) for b in (-1, 0, 1)]
    x = left + (np.arange(width) + 0.5) / width * (right - left)
    y = top - (np.arange(height) + 0.5) / height * (top - bottom)
    expansions = [machine.expansion for machine in solve_machines(document)]
    found = np.array(classes).reshape(height, width)
    is_right = np.zeros(found.shape, dtype=bool)
    for across, down in shifts:
        places = np.stack(
            np.meshgrid(x + across * (right - left) / width, y - down * (top - bottom) / height),
            axis=-1,
        ).reshape(-1, 2)
        decided = decision_at(document.many.machines, expansions, places / document.factors)
        is_right |= decided.classes.reshape(found.shape) == found
    assert is_right.mean() == 1.0
    page.click("#decision-choice label:last-child")
    wait_for(page, "document.getElementById('legend').innerText.includes('support vector')", True)
    many = document.many
    name = many.machine.name(document.class_names)
    wait_for(
        page, f"document.querySelector('#narrator b').innerText === 'The machine {name}.'", True
    )
    left = [many.data.class_names[k] for k, side in enumerate(many.machine.code) if side == 0]
    legend = page.inner_text("#legend")
    assert [f"{each}, left out" in legend for each in left] == [True] * len(left)


def test_the_switch_leaves_when_the_reader_changes_points(browser, opened):
    page, _ = opened(DOCUMENTS["three"])
    assert page.is_visible("#decision-choice")
    page.click("#decision-choice label:first-child")
    page.click("#live")
    page.locator("#live-C").fill("2")
    wait_for(page, "document.getElementById('decision-choice').hidden", True)
    assert page.is_visible("#transport") or page.is_visible("#how")
