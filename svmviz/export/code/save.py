"""Scripts and notebooks: the files ``.py`` and ``.ipynb``."""

from __future__ import annotations

from pathlib import Path

from solvers.cancelling import Report, no_report
from svmviz.colours.themes import theme_of, with_sides
from svmviz.export.code.sklearn_code import sklearn_listing
from svmviz.export.code.solvers_code import solvers_listing
from svmviz.export.runs.recording import Recording
from svmviz.export.runs.run_settings import RunSettings
from svmviz.io.atomic import write_atomically


def save_code(
    path: str | Path, recording: Recording, settings: RunSettings, report: Report = no_report
) -> None:
    """Write a notebook if the ending is ``.ipynb``, otherwise a script. The write is atomic.

    For a race, the code is that of the first solver.

    Raises
    ------
    BadInput
        If scikit-learn does not solve such a problem, or the file cannot be written.
    """
    document = recording.scene.document
    colours = with_sides(theme_of("light", settings.picture.palette), *document.sides)
    if settings.code == "solvers":
        listing = solvers_listing(document, recording.runs[0], colours)
    else:
        listing = sklearn_listing(document, colours)
    is_notebook = Path(path).suffix.lower() == ".ipynb"
    text = listing.notebook() if is_notebook else listing.script()
    write_atomically(path, text)
