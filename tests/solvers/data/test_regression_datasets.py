"""Generators of regressions give the curves that their help names."""

import numpy as np
import pytest

from solvers.data.regression_datasets import CURVES

CURVES_IN_HELP = {
    "noisy_sine": ("sin(1.5 x)", lambda x: np.sin(1.5 * x)),
    "sinc": ("1.5 sin(πx)/(πx)", lambda x: 1.5 * np.sin(np.pi * x) / (np.pi * x)),
}


@pytest.mark.parametrize("name", CURVES_IN_HELP)
def test_without_noise_the_targets_are_on_the_curve_of_the_help(name):
    text, curve = CURVES_IN_HELP[name]
    assert CURVES[name].help.startswith(text)
    x, y = CURVES[name].generate(40, 0.0, 3).points.T
    assert y == pytest.approx(curve(x), abs=1e-12)


def test_every_tenth_target_of_the_line_is_above_it():
    assert "every tenth target 2.5 above" in CURVES["line_with_outliers"].help
    x, y = CURVES["line_with_outliers"].generate(40, 0.0, 3).points.T
    above = y - 0.5 * x
    assert np.count_nonzero(above > 1.0) == 4
    assert above[above > 1.0] == pytest.approx(2.5)
