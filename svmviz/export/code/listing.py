"""A Python program in pieces, from which a script or a notebook is made."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

# Decision values agree if they differ by less than this fraction of their range.
MAX_DIFFERENCE = 1e-6


@dataclass(frozen=True)
class CodeCell:
    """A piece of code.

    Attributes
    ----------
    title : str
        The heading above the piece in a notebook.
    code : str
    is_definition : bool
        Whether the piece begins or ends with the definition of a function. Then two empty lines
        separate it from other pieces, as formatters require.
    """

    title: str
    code: str
    is_definition: bool = False


@dataclass(frozen=True)
class Listing:
    """A Python program.

    Attributes
    ----------
    title, about : str
        First line of the program's description, and the sentences after that line.
    imports : str
        The import statements.
    cells : tuple of CodeCell
        The last cell is :func:`checking_cell`, which assigns ``difference`` and ``spread``.
    """

    title: str
    about: str
    imports: str
    cells: tuple[CodeCell, ...]

    def script(self) -> str:
        """Return a script; it exits with 0 if the decision values are the expected ones, else 1."""
        parts = [f'"""{self.title}.\n\n{self.about}\n"""\n\n{self._imports()}\n']
        last_gap = "\n"
        for cell in self.cells:
            gap = "\n\n" if cell.is_definition else "\n"
            parts.append(max(last_gap, gap, key=len) + cell.code + "\n")
            last_gap = gap
        parts.append(
            "\n# plt.show() opens a window instead. The name leaves other pictures as they are.\n"
            'plt.savefig(f"{__file__}.png", dpi=150)\n'
            f"sys.exit(0 if difference < {MAX_DIFFERENCE!r} * spread else 1)\n"
        )
        return "".join(parts)

    def notebook(self) -> str:
        """Return the JSON of a Jupyter notebook, format 4.5."""
        about = f"# {self.title}\n\n{self.about}"
        cells = [_markdown(0, about), _code(1, self.imports)]
        for cell in self.cells:
            cells += [_markdown(len(cells), f"## {cell.title}"), _code(len(cells) + 1, cell.code)]
        assertion = f"assert difference < {MAX_DIFFERENCE!r} * spread"
        cells.append(_code(len(cells), assertion))
        kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
        metadata = {"kernelspec": kernel, "language_info": {"name": "python"}}
        notebook = {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
        return json.dumps(notebook, indent=1) + "\n"

    def _imports(self) -> str:
        return f"import sys\n\n{self.imports}"


def checking_cell(points: str) -> CodeCell:
    """Return the cell that compares f at the points with ``expected`` and prints the difference.

    ``points`` is the name of their array, in data units.
    """
    return CodeCell(
        "The comparison",
        f"difference = float(np.abs(decision({points}) - expected).max())\n"
        "spread = float(np.ptp(expected)) or 1.0\n"
        'print(f"largest difference of decision values: {difference:.3g}, range {spread:.3g}")',
    )


def _markdown(number: int, text: str) -> dict[str, Any]:
    return {
        "cell_type": "markdown",
        "id": f"cell-{number}",
        "metadata": {},
        "source": text.splitlines(keepends=True),
    }


def _code(number: int, text: str) -> dict[str, Any]:
    return {
        "cell_type": "code",
        "execution_count": None,
        "id": f"cell-{number}",
        "metadata": {},
        "outputs": [],
        "source": text.splitlines(keepends=True),
    }
