"""Axes of a map: values, places, and the documents that they make."""

import math
from dataclasses import replace

import numpy as np
import pytest

from solvers import RBF, BadInput, Linear, Polynomial
from svmviz.document.document import Penalty
from svmviz.selection.axes import Axis, axes_of, value_of, with_values, without_parameters
from tests.stages import moons, sine


def test_values_are_evenly_spaced_and_end_where_they_should():
    axis = Axis("C", "C", 1e-2, 1e4, 13)
    assert axis.values[0] == 1e-2
    assert axis.values[-1] == 1e4
    assert 1.0 in axis.values
    assert np.allclose(np.diff(np.log10(axis.values)), 0.5, atol=1e-5)
    degrees = Axis("degree", "degree d", 1, 4, 10, logarithmic=False, is_integer=True)
    assert degrees.values == [1.0, 2.0, 3.0, 4.0]
    assert Axis("C", "C", 3.0, 3.0, 1).values == [3.0]


def test_the_place_of_a_value_is_that_of_its_cell():
    axis = Axis("C", "C", 1e-2, 1e4, 7)
    assert [axis.position(value) for value in axis.values] == pytest.approx(list(range(7)))
    assert axis.position(10**0.5) == pytest.approx(2.5)
    # Half a step beyond an end is the cell there.
    assert axis.position(10**4.4) == pytest.approx(6.4)
    assert [axis.position(value) for value in (10**4.6, 1e-3, math.inf, 0.0)] == [None] * 4


@pytest.mark.parametrize("logarithmic", [True, False])
def test_an_axis_whose_ends_are_equal_has_one_value(logarithmic):
    axis = Axis("C", "C", 3.0, 3.0, 15, logarithmic=logarithmic)
    axis.check()
    assert axis.values == [3.0]
    assert axis.position(3.0) == 0.0
    assert axis.position(3.1) is None


def test_a_place_on_an_axis_whose_ends_have_one_logarithm():
    axis = Axis("C", "C", 1e4, math.nextafter(1e4, math.inf), 2)
    assert axis.position(1e4) == 0.0
    assert axis.position(2e4) is None


@pytest.mark.parametrize(
    ("axis", "sentence"),
    [
        (Axis("C", "C", 10.0, 1.0), "The first C is above the last: 10 and 1."),
        (Axis("C", "C", 0.0, 1.0), "The first C must be above 0: got 0."),
        (Axis("C", "C", 1.0, 2.0, 0), "The number of values of C must be from 1 to 41: got 0."),
        (Axis("C", "C", 1.0, math.inf), "The first and the last C must be finite."),
        (
            Axis("d", "degree d", 1.5, 3.0, 3, logarithmic=False, is_integer=True),
            "The first and the last degree d must be whole numbers: got 1.5 and 3.",
        ),
    ],
)
def test_what_cannot_be_an_axis_is_said_in_a_sentence(axis, sentence):
    with pytest.raises(BadInput) as error:
        axis.check()
    assert str(error.value) == sentence


def test_a_document_has_the_parameters_of_its_model():
    assert list(axes_of(moons())) == ["C", "gamma"]
    assert list(axes_of(moons(kernel=Linear()))) == ["C"]
    assert list(axes_of(sine(kernel=Polynomial()))) == ["C", "gamma", "coef0", "degree", "epsilon"]
    document = sine(kernel=Polynomial())
    values = {"C": 3.0, "degree": 4.0, "epsilon": 0.5}
    changed = with_values(document, values)
    assert {name: value_of(changed, name) for name in values} == values
    assert isinstance(changed.kernel.degree, int)
    assert without_parameters(changed, tuple(values)) == without_parameters(document, tuple(values))
    other = replace(changed, penalty=Penalty("C", 7.0), kernel=RBF())
    assert without_parameters(other, tuple(values)) != without_parameters(document, tuple(values))
    with pytest.raises(BadInput):
        with_values(document, {"degree": 40.0})
