import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from svmviz.camera.camera import EMPTY_SPAN, MAX_PIXEL, Camera, Margins, has_equal_axes, span_ratio

sizes = st.floats(50, 4000)
pixels = st.floats(-500, 4500)


@st.composite
def cameras(draw):
    scale = 10.0 ** draw(st.integers(-9, 9))
    place = st.floats(-100, 100)
    return Camera(
        x=draw(place) * scale,
        y=draw(place) * scale,
        span_x=draw(st.floats(0.1, 100)) * scale,
        span_y=draw(st.floats(0.1, 100)) * scale,
        width=draw(sizes),
        height=draw(sizes),
        equal=draw(st.booleans()),
    )


@given(cameras(), pixels, pixels)
def test_pixels_to_data_and_back(camera, px, py):
    back = camera.to_pixels(np.array([camera.to_data(px, py)]))[0]
    assert back == pytest.approx((px, py), abs=1e-3)


@given(cameras(), pixels, pixels, st.floats(0.2, 5))
def test_zoom_keeps_what_is_under_the_pixel(camera, px, py, factor):
    before = camera.to_data(px, py)
    zoomed = camera.zoomed(factor, px, py)
    assert zoomed.to_pixels(np.array([before]))[0] == pytest.approx((px, py), abs=1e-2)
    assert zoomed.units == pytest.approx([factor * unit for unit in camera.units])


@given(cameras(), pixels, pixels)
def test_pan_pushes_the_picture(camera, right, down):
    before = camera.to_pixels(np.array([[camera.x, camera.y]]))[0]
    after = camera.panned(right, down).to_pixels(np.array([[camera.x, camera.y]]))[0]
    assert after - before == pytest.approx((right, down), abs=1e-2)


@given(cameras(), sizes, sizes)
def test_resize_keeps_centre_and_comes_back(camera, width, height):
    other = camera.resized(width, height)
    left, right, bottom, top = other.view
    slack = 1e-9 * (abs(camera.x) + abs(camera.y) + right - left + top - bottom)
    assert (0.5 * (left + right), 0.5 * (bottom + top)) == pytest.approx(
        (camera.x, camera.y), abs=slack
    )
    assert other.resized(camera.width, camera.height) == camera


@given(cameras(), sizes, sizes)
def test_the_wanted_part_is_visible_at_every_size(camera, width, height):
    left, right, bottom, top = camera.resized(width, height).view
    assert right - left >= camera.span_x * (1 - 1e-9)
    assert top - bottom >= camera.span_y * (1 - 1e-9)


@given(cameras())
def test_equal_axes_have_equal_units(camera):
    across, up = camera.with_equal(True).units
    assert across == up


@given(
    st.lists(st.tuples(st.floats(-1, 1), st.floats(-1, 1)), min_size=1, max_size=20),
    st.integers(-9, 9),
    st.sampled_from(["auto", "equal", "free"]),
)
def test_fit_shows_all_points_with_room(points, power, aspect):
    points = np.array(points) * 10.0**power
    ranges = np.ptp(points, axis=0)
    assume(ranges.max() == 0 or ranges.max() > 1e-6 * 10.0**power)
    camera = Camera(width=800, height=600).fitted(points, aspect)
    shown = camera.to_pixels(points)
    assert (shown >= (camera.left, camera.top)).all()
    assert (shown[:, 0] <= camera.left + camera.plot_width).all()
    assert (shown[:, 1] <= camera.top + camera.plot_height).all()
    left, right, _, _ = camera.view
    assert ranges[0] <= (right - left) / 1.2
    assert np.isfinite(camera.units).all()
    assert min(camera.units) > 0


def test_fit_of_nothing_and_of_one_point():
    nothing = Camera().fitted(np.zeros((0, 2)))
    assert (nothing.x, nothing.y, nothing.span_x) == (0, 0, EMPTY_SPAN)
    assert Camera().fitted(np.zeros((1, 2))).span_x == EMPTY_SPAN
    one = Camera().fitted(np.array([[2e-9, 1e-9]]))
    assert (one.x, one.y) == (2e-9, 1e-9)
    assert one.span_x == pytest.approx(4e-9)
    far = Camera().fitted(np.array([[1e9, 1e9]]))
    assert far.contains(*far.to_pixels(np.array([[1e9, 1e9]]))[0])


def test_automatic_aspect():
    row = np.array([[0.0, 0.0], [10.0, 0.0]])
    assert has_equal_axes("auto", row)
    assert has_equal_axes("auto", np.array([[0.0, 0.0], [10.0, 2.0]]))
    assert not has_equal_axes("auto", np.array([[0.0, 0.0], [10.0, 1.9]]))
    assert not has_equal_axes("free", row)
    assert has_equal_axes("equal", np.array([[0.0, 0.0], [10.0, 1.9]]))


def test_zoom_stops_where_digits_end():
    camera = Camera(x=1.0, y=1.0)
    for _ in range(400):
        camera = camera.zoomed(0.5, 300, 200)
    assert camera.span_x >= 1e-10
    assert camera.zoomed(0.5, 300, 200) is camera


@given(cameras(), st.floats(0, 400), st.floats(0, 300))
def test_places_of_the_mouse_have_few_digits(camera, px, py):
    x, y = camera.to_round_data(px, py)
    back = camera.to_pixels(np.array([[x, y]]))[0]
    assert back == pytest.approx((px, py), abs=0.06)


def test_places_of_the_mouse_are_short():
    camera = Camera(width=800, height=600)
    x, y = camera.to_round_data(301.0, 207.0)
    assert max(len(repr(x)), len(repr(y))) <= 8


def test_plot_never_vanishes():
    tiny = Camera(width=5, height=5, margins=Margins())
    assert tiny.plot_width == tiny.plot_height == 1
    assert span_ratio(tiny) == 1
    assert np.isfinite(tiny.view).all()


# At the limits of float64.

anything = st.floats(allow_nan=False, allow_infinity=False)


def check_finite(camera):
    seen = (*camera.view, *camera.units, camera.x, camera.y, camera.span_x, camera.span_y)
    assert np.isfinite(seen).all()
    assert min(camera.span_x, camera.span_y) > 0.0


@given(st.lists(st.tuples(anything, anything), min_size=1, max_size=4), st.booleans(), st.data())
def test_any_points_have_a_camera_and_pixels(points, equal, data):
    aspect = data.draw(st.sampled_from(["equal", "free", "auto"]))
    camera = Camera().fitted(np.array(points), aspect)
    for move in data.draw(st.lists(st.sampled_from("zip"), max_size=30)):
        px, py = data.draw(pixels), data.draw(pixels)
        if move == "z":
            camera = camera.zoomed(data.draw(st.sampled_from([0.25, 4.0, 1e-9, 1e9])), px, py)
        elif move == "p":
            camera = camera.panned(px * data.draw(st.sampled_from([1.0, 1e12])), py)
        else:
            camera = camera.resized(data.draw(sizes), data.draw(sizes))
        check_finite(camera)
    found = camera.to_pixels(np.array(points))
    assert (np.abs(found) <= MAX_PIXEL).all()
    assert np.isfinite(camera.to_round_data(*data.draw(st.tuples(pixels, pixels)))).all()


@given(anything, anything, anything, anything)
def test_any_rectangle_has_a_camera(left, right, bottom, top):
    left, right = sorted((left, right))
    bottom, top = sorted((bottom, top))
    check_finite(Camera().showing(left, right, bottom, top))


@pytest.mark.parametrize("wrong", [{"x": np.nan}, {"span_y": np.inf}, {"span_x": 0.0}])
def test_a_camera_without_sense_cannot_be_made(wrong):
    with pytest.raises(ValueError, match="finite numbers"):
        Camera(**wrong)
