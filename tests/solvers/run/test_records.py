"""Records of states: new ones are zero, and copies share no memory."""

import numpy as np

from solvers.run.records import copy_array, new_record

KIND = np.dtype([("steps", "i8"), ("m", "f8")])


def test_a_new_record_is_zero_and_can_be_written():
    record = new_record(KIND)
    assert record.shape == (1,)
    assert record.flags.aligned
    assert record["steps"][0] == record["m"][0] == 0
    record["m"][0] = -2.5
    assert record["m"][0] == -2.5


def test_a_copy_is_equal_and_shares_no_memory():
    record = new_record(KIND)
    record["steps"][0] = 7
    for array in (record, np.arange(6.0).reshape(2, 3)):
        copied = copy_array(array)
        assert copied.dtype == array.dtype
        assert copied.shape == array.shape
        assert copied.tobytes() == array.tobytes()
        assert not np.shares_memory(copied, array)
        copied[...] = np.zeros(1, copied.dtype)
        assert copied.tobytes() != array.tobytes()
