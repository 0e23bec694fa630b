"""The page of a scene with weights of the classes knows the C of each point, and does not solve."""

from __future__ import annotations

from dataclasses import replace

import pytest

from solvers import certify
from svmviz.document.document import Document
from svmviz.export.html.contents import model_line
from tests.document.test_class_weights import unbalanced
from tests.export.html.engine import Engine
from tests.export.html.test_html import contents, recording, write

STATE = """(() => {
  const run = new RunOfPage(contents);
  const state = stateOf(run, lane.caps, Float64Array.from(beta), bias);
  const { lines, places } = kktPlaces(run, lane, state);
  return [[...state.kinds], lines.map((line) => line[0][1]), places];
})()"""


def test_kinds_and_staircases_are_those_of_the_window(qapp, tmp_path):
    document: Document = replace(unbalanced(), class_weights=(0.5, 3.0))
    made = recording(document)
    page = contents(write(tmp_path / "a.html", made))
    run = made.runs[0]
    assert page["lanes"][0]["caps"] == run.problem.bounds.tolist()
    assert page["live"] is None
    assert page["model"].endswith("C = 2, class weights 0.5 : 3")
    engine = Engine("numbers.js", "kernels.js", "run.js", "kkt.js")
    (lane,), page["lanes"] = page["lanes"], []
    for step in (0, run.steps // 2, run.steps):
        expansion = run.at(step).expansion
        found = certify(run.problem, expansion)
        values = {"beta": expansion.beta.tolist(), "bias": expansion.constant}
        kinds, levels, places = engine.call(STATE, contents=page, lane=lane, **values)
        assert kinds == found.kinds.tolist()
        assert sorted(levels) == [1.0, 6.0]
        assert [y for _, y in places] == pytest.approx(found.alpha)


def test_a_page_without_weights_has_one_C(qapp, tmp_path):
    page = contents(write(tmp_path / "a.html", recording(unbalanced())))
    assert "caps" not in page["lanes"][0]
    assert page["live"]["C"] == 2.0
    assert model_line(unbalanced()).endswith("C = 2")
