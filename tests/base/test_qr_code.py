"""QR codes, which a reader that is not ours reads back."""

import numpy as np
import pytest

from svmviz.base.qr_code import MAX_BYTES, MAX_VERSION, qr_rows, too_long


def test_the_longest_text_has_the_largest_code_and_a_longer_one_none():
    rows = qr_rows("x" * MAX_BYTES)
    assert len(rows) == 17 + 4 * MAX_VERSION
    assert qr_rows("x" * (MAX_BYTES + 1)) == []
    assert "1,004 characters" in too_long("x" * (MAX_BYTES + 1))


@pytest.mark.slow
@pytest.mark.parametrize("text", ["https://example.org/kurs/lektion-1.html", "svmviz:1:wyE" * 50])
def test_a_code_is_read_back(text):
    zxingcpp = pytest.importorskip("zxingcpp")
    modules = np.array([[int(module) for module in row] for row in qr_rows(text)], dtype=np.uint8)
    image = np.kron(1 - np.pad(modules, 4), np.full((3, 3), 255, dtype=np.uint8))
    (found,) = zxingcpp.read_barcodes(image)
    assert found.text == text
