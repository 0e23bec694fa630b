"""Everything made from a document works for all coordinates within the limits of arithmetic."""

import contextlib

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from solvers import KERNELS, RBF, BadInput
from solvers.data.datasets import PointSet
from svmviz.document.advice import about_spreads, about_width
from svmviz.document.document import SCALINGS, Document
from svmviz.document.rescaling import rescale_kernel
from svmviz.io.scene import Scene, read_scene, write_scene
from tests.solvers.extremes import point_lists


@st.composite
def extreme_documents(draw):
    points = np.array(draw(point_lists))
    labels = np.where(np.arange(len(points)) % 2, 1, -1)
    kernel = KERNELS[draw(st.sampled_from(sorted(KERNELS)))]()
    if isinstance(kernel, RBF):
        kernel = RBF(draw(st.sampled_from([5e-324, 1e-300, 1.0, 1.7e308])))
    task = draw(st.sampled_from(["classification", "regression"]))
    scaling = draw(st.sampled_from(sorted(SCALINGS)))
    return Document(PointSet(points, labels), kernel, task=task, scaling=scaling)


@given(extreme_documents(), extreme_documents())
def test_documents_survive_the_limits(document, before):
    assert np.isfinite(document.factors).all()
    assert (document.factors > 0.0).all()
    rescaled, _ = rescale_kernel(document, before)
    for one in (document, rescaled):
        for ask in (about_spreads, about_width):
            advice = ask(one)
            assert advice is None or advice.sentence.endswith(".")
        with contextlib.suppress(BadInput):
            assert np.isfinite(one.problem().X).all()
    assert read_scene(write_scene(Scene(document))).document == document
