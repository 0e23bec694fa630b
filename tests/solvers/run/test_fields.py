"""Numbers in the texts of steps."""

import pytest

from solvers.run.fields import Index, fill


@pytest.mark.parametrize(
    ("value", "text"), [(7, "7"), (1024, "1,024"), (Index(1023), "1024"), (0.5, "0.5"), ("a", "a")]
)
def test_whole_numbers_have_commas_and_numbers_of_points_have_none(value, text):
    assert fill("k = $k", {"k": value}) == f"k = {text}"


def test_numbers_with_an_arrow_between_them_show_that_they_differ():
    values = {"old": 1.26012, "new": 1.26031, "same": 1.26012, "tiny": 1.26012 * (1.0 + 1e-15)}
    assert fill("x $old → $new", values) == "x 1.2601 → 1.2603"
    assert fill("from $old to $new.", values) == "from 1.2601 to 1.2603."
    assert fill("x $old → $same, $old → $tiny", values) == "x 1.26 → 1.26, 1.26 → 1.26"
    assert fill("$old, $new", values) == "1.26, 1.26"
    assert fill("[[a $old → $new]]", values) == "a 1.2601 → 1.2603"
