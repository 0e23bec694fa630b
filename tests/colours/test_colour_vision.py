"""The measure of the distance of two colours, by the table of its authors."""

import numpy as np
import pytest

from tests.colour_vision import ciede2000, lab_of

# From table 1 of Sharma, Wu and Dalal (2005): L, a, b of two colours, and their difference.
# The pairs try the mean hue, hues 180 degrees apart, greys, and large differences.
PAIRS = [
    (50.0000, 2.6772, -79.7751, 50.0000, 0.0000, -82.7485, 2.0425),
    (50.0000, -1.3802, -84.2814, 50.0000, 0.0000, -82.7485, 1.0000),
    (50.0000, -1.0000, 2.0000, 50.0000, 0.0000, 0.0000, 2.3669),
    (50.0000, 2.4900, -0.0010, 50.0000, -2.4900, 0.0010, 7.1792),
    (50.0000, 2.4900, -0.0010, 50.0000, -2.4900, 0.0011, 7.2195),
    (50.0000, -0.0010, 2.4900, 50.0000, 0.0010, -2.4900, 4.8045),
    (50.0000, -0.0010, 2.4900, 50.0000, 0.0011, -2.4900, 4.7461),
    (50.0000, 2.5000, 0.0000, 50.0000, 0.0000, -2.5000, 4.3065),
    (50.0000, 2.5000, 0.0000, 73.0000, 25.0000, -18.0000, 27.1492),
    (50.0000, 2.5000, 0.0000, 56.0000, -27.0000, -3.0000, 31.9030),
    (60.2574, -34.0099, 36.2677, 60.4626, -34.1751, 39.4387, 1.2644),
    (35.0831, -44.1164, 3.7933, 35.0232, -40.0716, 1.5901, 1.8645),
    (22.7233, 20.0904, -46.6940, 23.0331, 14.9730, -42.5619, 2.0373),
    (90.9257, -0.5406, -0.9208, 88.6381, -0.8985, -0.7239, 1.5381),
    (2.0776, 0.0795, -1.1350, 0.9033, -0.0636, -0.5514, 0.9082),
]


@pytest.mark.parametrize("row", PAIRS)
def test_difference_is_that_of_the_table(row):
    first, second = np.array(row[:3]), np.array(row[3:6])
    assert ciede2000(first, second) == pytest.approx(row[6], abs=5e-5)
    assert ciede2000(second, first) == pytest.approx(row[6], abs=5e-5)


def test_lightness_and_white_are_those_of_the_standard():
    assert lab_of("#ffffff") == pytest.approx([100, 0, 0], abs=0.01)
    assert lab_of("#ff0000") == pytest.approx([53.24, 80.09, 67.20], abs=0.02)


@pytest.mark.parametrize("vision", ["protanopia", "deuteranopia", "tritanopia", "grey"])
def test_greys_look_the_same_to_every_eye(vision):
    assert lab_of("#808080", vision) == pytest.approx(lab_of("#808080"), abs=0.1)
