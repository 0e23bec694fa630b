"""The contract of every format of figures: a file is written whole, or stays as it was."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from solvers import BadInput
from solvers.cancelling import Cancelled, cancel_when
from svmviz.export import FORMATS
from tests.export.scenes import make


@pytest.fixture(scope="module")
def figure(qapp):
    return make("classification")


@pytest.mark.parametrize("ending", FORMATS)
def test_a_cancelled_or_failed_file_leaves_the_older_one(figure, tmp_path, ending):
    """`write_atomically` and `write_together` do all of this."""
    save, path = FORMATS[ending].save, tmp_path / f"figure{ending}"
    path.write_bytes(b"older")
    with cancel_when(lambda: True), pytest.raises(Cancelled):
        save(path, figure)
    assert path.read_bytes() == b"older"
    with pytest.raises(BadInput, match="No such folder"):
        save(tmp_path / "no" / path.name, figure)
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


@pytest.mark.parametrize("ending", FORMATS)
def test_a_file_is_written_outside_the_gui_thread(figure, tmp_path, ending):
    path = tmp_path / f"figure{ending}"
    with ThreadPoolExecutor(1) as pool:
        note = pool.submit(FORMATS[ending].save, path, figure).result()
    assert path.stat().st_size > 100
    assert note in (None, ""), "the file holds all of this figure"
