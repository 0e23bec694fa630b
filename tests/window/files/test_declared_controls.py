"""The controls that dialogs of exports make of declared settings."""

import pytest

from svmviz.export.figure_settings import FigureSettings
from svmviz.export.runs.run_settings import RunSettings
from svmviz.window.files.declared_controls import DeclaredControls
from svmviz.window.files.export_form import LOOKS

MOVIE = ("changes", "fps", "hold", "glide")


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize(
    ("owner", "names", "remembered"),
    [
        (
            FigureSettings,
            LOOKS,
            {
                "theme": "dark", "field": "bands", "svg_text": "embedded", "legend": False,
                "axes": False, "titles": False, "caption": True, "transparent": True,
            },
        ),
        (RunSettings, MOVIE, {"changes": True, "fps": 3.5, "hold": 0.5, "glide": True}),
    ],
)  # fmt: skip
def test_values_are_shown_and_invalid_ones_are_the_defaults(owner, names, remembered):
    calls = []
    controls = DeclaredControls(owner, names, lambda *_: calls.append(1))
    controls.fill(remembered)
    assert controls.values() == remembered
    assert calls
    for invalid in (None, "no", [1], float("nan")):
        controls.fill(dict.fromkeys(names, invalid))
        assert controls.values() == {name: getattr(owner(), name) for name in names}
    controls.fill({}, **remembered)
    assert controls.values() == remembered
