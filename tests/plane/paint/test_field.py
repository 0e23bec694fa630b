"""The band differs from the plane around it, also in grey."""

import pytest

from svmviz.plane.paint.field import band_tints, shades
from svmviz.theme import DARK, LIGHT
from svmviz.theme.contrast import contrast

BOTH = pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
# Place of f = 1 among the colours: f / (0.3 + f).
MARGIN = round(127.5 + 127.5 / 1.3)


def colour(theme, shading, place):
    return f"#{int(shades(theme, shading)[place]) & 0xFFFFFF:06x}"


@BOTH
@pytest.mark.parametrize("shading", ["sure", "band"])
def test_the_band_differs_from_the_plane_in_brightness_alone(theme, shading):
    below, above = band_tints(theme, shading)
    for place in range(MARGIN, 256, 6):
        assert contrast(above, colour(theme, shading, place)) > 1.09
        assert contrast(below, colour(theme, shading, 255 - place)) > 1.09


@BOTH
def test_strong_is_far_from_0_or_in_the_band(theme):
    for shading in ("sure", "band"):
        for tint, place in zip(band_tints(theme, shading), (255 - MARGIN, MARGIN), strict=True):
            outside = contrast(theme.plane, colour(theme, shading, place))
            assert (outside > contrast(theme.plane, tint)) == (shading == "sure")


@BOTH
@pytest.mark.parametrize("shading", ["sure", "band"])
def test_shades_rise_from_the_plane_to_either_side(theme, shading):
    distances = [contrast(theme.plane, colour(theme, shading, place)) for place in range(256)]
    assert distances[:128] == sorted(distances[:128], reverse=True)
    assert distances[128:] == sorted(distances[128:])
    assert max(distances[127:129]) < 1.05


@BOTH
def test_the_tube_has_one_tint_whatever_the_shading(theme):
    tints = {band_tints(theme, shading, "regression") for shading in ("sure", "band")}
    ((below, above),) = tints
    assert below == above
