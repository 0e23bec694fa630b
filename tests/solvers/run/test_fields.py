"""Numbers in the texts of steps."""

import pytest

from solvers.run.fields import Index, fill


@pytest.mark.parametrize(
    ("value", "text"), [(7, "7"), (1024, "1,024"), (Index(1023), "1024"), (0.5, "0.5"), ("a", "a")]
)
def test_whole_numbers_have_commas_and_numbers_of_points_have_none(value, text):
    assert fill("k = $k", {"k": value}) == f"k = {text}"
