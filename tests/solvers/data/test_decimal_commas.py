"""Files with decimal commas, and files without two axes."""

import pytest

from solvers.data.point_files import UnclearColumns, parse_points
from solvers.errors import BadInput


def test_decimal_commas_are_points_where_no_number_has_a_point():
    text = "x;y;label\n1,5;2,25;a\n\N{MINUS SIGN}0,5;3;b\n,5;1,0e1;a\n"
    found = parse_points(text)
    assert found.points.tolist() == [[1.5, 2.25], [-0.5, 3.0], [0.5, 10.0]]
    quoted = parse_points('x,y,label\n"1,5",2,a\n3,"2,5",b\n')
    assert quoted.points.tolist() == [[1.5, 2.0], [3.0, 2.5]]
    # In a file with decimal points, a comma is not decimal.
    with pytest.raises(BadInput, match="1,5"):
        parse_points("x;y;label\n1,5;2.25;a\n3;4.5;b\n7;8;b\n")


def test_without_two_axes_there_is_no_choice():
    with pytest.raises(BadInput, match='"p" is not a number') as caught:
        parse_points("x,y,label\np,q,a\nr,s,b\nt,u,c\n")
    assert not isinstance(caught.value, UnclearColumns)
