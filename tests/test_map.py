"""Documentation and docstrings mention every part of the library."""

import inspect
import re
from pathlib import Path

import pytest

import solvers
from solvers import KERNELS, METHODS, SMO
from svmviz.panels.registry import PANELS

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize("kind", [*METHODS.values(), *KERNELS.values()])
def test_what_is_registered_can_be_imported_from_the_library(kind):
    assert getattr(solvers, kind.__name__) is kind


def test_a_new_method_is_offered_once_it_is_registered(monkeypatch):
    class Newest(SMO):
        name = "newest"

    with pytest.raises(AttributeError, match="'Newest'"):
        _ = solvers.Newest  # pyright: ignore
    monkeypatch.setitem(METHODS, "newest", Newest)
    assert solvers.Newest is Newest  # pyright: ignore


def test_the_tour_names_panels_as_the_window_does():
    tour = (ROOT / "docs" / "tour.md").read_text(encoding="utf-8")
    asked = tour.partition("**Ask why.**")[2].partition("**Compare.**")[0]
    named = re.findall(r"\*([^*\n]+)\*", asked)
    assert named
    assert set(named) <= {spec.title for spec in PANELS.values()}


@pytest.mark.parametrize("name", solvers.__all__)
def test_what_the_library_offers_is_documented(name):
    offered = getattr(solvers, name)
    if isinstance(offered, dict):
        return
    assert inspect.getdoc(offered)
    # The generated one of a dataclass says nothing.
    assert not str(offered.__doc__).startswith(f"{name}(")
    if inspect.isclass(offered):
        public = {k: v for k, v in vars(offered).items() if inspect.isroutine(v) and k[0] != "_"}
        assert [k for k in public if not inspect.getdoc(getattr(offered, k))] == []


@pytest.mark.parametrize("kind", [*METHODS.values(), *KERNELS.values()])
def test_methods_and_kernels_say_what_they_are(kind):
    assert kind.label
    assert kind.help.endswith(".")
    if kind in METHODS.values():
        assert re.search(r"\b(19|20)\d\d\b", kind.source)
