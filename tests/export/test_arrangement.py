"""Where the parts of a figure stand: on the page, apart, and as large as they need to be."""

import pytest

from svmviz.export.arrangement import (
    arrangements,
    best_boxes,
    divide_length,
    place_parts,
    round_sizes,
)

ROOM, GAP = (0, 40, 1000, 700), 10


def nothing(*_):
    return 0.0, 0.0


@pytest.mark.parametrize("main", [True, False])
@pytest.mark.parametrize("above", [True, False])
@pytest.mark.parametrize("count", [1, 2, 3, 4, 7])
def test_parts_do_not_overlap_and_stay_on_the_page(main, above, count):
    for choice in arrangements(count, ROOM, main=main, above=above):
        boxes = place_parts(choice, ROOM, GAP, nothing)
        assert set(boxes) == set(range(count))
        taken = set()
        for left, top, width, height in boxes.values():
            assert left >= 0
            assert top >= 40
            assert left + width <= 1000
            assert top + height <= 740
            columns, rows = range(left, left + width, 5), range(top, top + height, 5)
            spots = {(x, y) for x in columns for y in rows}
            assert not spots & taken
            taken |= spots


@pytest.mark.parametrize("count", [2, 3, 4])
def test_the_main_part_is_the_largest(count):
    usual = arrangements(count, ROOM, main=True)[0]
    areas = [
        width * height for _, _, width, height in place_parts(usual, ROOM, GAP, nothing).values()
    ]
    assert areas[0] == max(areas)


def test_a_part_gets_the_height_that_it_needs():
    def needed_size(part, _width, _height):
        return 50.0, 400.0 if part == 2 else 100.0

    boxes, share = best_boxes(arrangements(3, ROOM, main=True), ROOM, GAP, needed_size)
    assert share == 1.0
    assert boxes[2][3] >= 400
    assert boxes[1][3] >= 100
    # Nothing less than the whole height is used.
    assert boxes[1][3] + GAP + boxes[2][3] == pytest.approx(700, abs=2)


def test_words_that_wrap_need_more_height_in_a_narrow_box():
    def needed_size(part, width, _height):
        return 100.0, 300_000.0 / width if part else 150.0

    # Beside the main part it would be at least 505 px high, below it 300.
    low = (0, 0, 1000, 470)
    boxes, share = best_boxes(arrangements(2, low, main=True), low, GAP, needed_size)
    assert share == 1.0
    assert boxes[1][2] == 1000
    assert boxes[1][3] >= 300


def test_what_lacks_least_if_nothing_fits():
    boxes, share = best_boxes(
        arrangements(2, ROOM, main=False), ROOM, GAP, lambda *_: (600.0, 700.0)
    )
    # Two columns give each 495 of 600 px, two rows 345 of 700.
    assert share == pytest.approx(495 / 600)
    assert boxes[0][3] == 700


def test_lengths_are_shared_by_need_and_then_by_want():
    assert divide_length([50, 50], [0, 0], 100) == [50, 50]
    assert divide_length([50, 50], [80, 10], 100) == pytest.approx([80, 20])
    assert divide_length([50, 50], [150, 50], 100) == pytest.approx([75, 25])
    assert round_sizes([33.4, 33.3, 33.3], 100) == [33, 34, 33]
    assert min(round_sizes([0.1, 0.1, 0.1], 5)) == 1
