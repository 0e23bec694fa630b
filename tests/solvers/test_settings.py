"""Settings as data: declarations are complete, and values are checked."""

import math
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers import KERNELS, METHODS, RBF, SMO, BadInput, Pegasos, Polynomial
from solvers.settings import Checked, setting, settings_of
from tests.solvers.problems import is_one_sentence

OWNERS = [*KERNELS.values(), *METHODS.values()]
SPECS = [
    pytest.param(owner, name, spec, id=f"{owner.name}-{name}")
    for owner in OWNERS
    for name, spec in settings_of(owner).items()
]
every_setting = pytest.mark.parametrize(("owner", "name", "spec"), SPECS)


@dataclass(frozen=True)
class Example(Checked):
    size: float = setting(1.0, "size", "A number.", low=0.5, high=2.0, hard_low=0.0, open_low=True)
    count: int = setting(3, "count", "A number.", low=1, high=9, hard_low=1, hard_high=99)
    free: float = setting(0.0, "free", "A number.")
    flag: bool = setting(False, "flag", "Yes or no.", scale="switch")
    way: str = setting("a", "way", "Which.", scale="choice", choices=(("a", "A"), ("b", "B")))


@every_setting
def test_settings_are_declared_completely(owner, name, spec):
    default = getattr(owner(), name)
    assert spec.label
    # A choice may have a line for each way.
    assert all(map(is_one_sentence, spec.help.replace("<", "").splitlines()))
    if spec.scale == "choice":
        assert default in [key for key, _ in spec.choices]
        assert all(shown for _, shown in spec.choices)
    elif spec.scale == "switch":
        assert isinstance(default, bool)
    elif spec.scale == "text":
        assert isinstance(default, str)
        assert all(bool(piece) == bool(what) for piece, what in spec.inserts)
        for piece, _ in spec.inserts:
            owner(**{name: piece.replace("…", default) or default})
    else:
        assert spec.scale in ("log", "linear", "integer")
        assert spec.hard_low <= spec.low <= default <= spec.high <= spec.hard_high
        assert spec.low < spec.high
        assert spec.scale != "log" or spec.low > 0
        # Both ends of the control's range are accepted.
        owner(**{name: spec.low})
        owner(**{name: spec.high})


@every_setting
def test_values_out_of_range_are_refused_in_a_sentence(owner, name, spec):
    wrong = [None, "many" if spec.scale != "text" else 1, [], math.nan, math.inf, -math.inf]
    if spec.scale in ("log", "linear", "integer"):
        wrong += [True, spec.hard_low - 1, spec.hard_high * 2, 10**400]
        wrong += [spec.hard_low] if spec.open_low else []
        wrong += [spec.low + 0.5] if spec.scale == "integer" else []
    for value in wrong:
        with pytest.raises(BadInput) as refusal:
            owner(**{name: value})
        message = str(refusal.value)
        assert is_one_sentence(message)
        assert message.startswith(f"{owner.__name__}: {name} must be ")
        assert "got " in message


def test_messages_name_the_range():
    for values, said in (
        ({"size": 0.0}, "Example: size must be above 0: got 0.0."),
        ({"size": -1}, "Example: size must be above 0: got -1."),
        ({"count": 100}, "Example: count must be at least 1 and at most 99: got 100."),
        ({"count": 2.5}, "Example: count must be a whole number: got 2.5."),
        ({"free": math.inf}, "Example: free must be finite: got inf."),
        ({"free": "1"}, "Example: free must be a number: got '1'."),
        ({"flag": 1}, "Example: flag must be true or false: got 1."),
        ({"way": "c"}, "Example: way must be one of a, b: got 'c'."),
    ):
        with pytest.raises(BadInput) as refusal:
            Example(**values)
        assert str(refusal.value) == said


@given(st.floats(allow_nan=False, allow_infinity=False), st.integers(-10, 110))
def test_numbers_are_accepted_or_refused(size, count):
    if size > 0 and 1 <= count <= 99:
        example = Example(size=size, count=count)
        assert (example.size, example.count) == (size, count)
    else:
        with pytest.raises(BadInput):
            Example(size=size, count=count)


def test_numbers_become_python_numbers():
    example = Example(size=np.float32(0.5), count=np.int64(7), free=3)
    assert example == Example(size=0.5, count=7, free=3.0)
    assert [type(value) for value in example.values().values()] == [float, int, float, bool, str]
    assert type(Example(count=4.0).count) is int


def test_values_reproduce_the_owner():
    for owner in (RBF(gamma=3), Polynomial(degree=2), SMO(tol=1e-5), Pegasos(project=True)):
        assert type(owner)(**owner.values()) == owner
        assert list(owner.values()) == list(settings_of(owner))
        assert hash(type(owner)(**owner.values())) == hash(owner)


def test_settings_are_frozen():
    with pytest.raises(AttributeError):
        RBF().gamma = 2.0  # type: ignore[misc]
