"""Files that are not code: fonts, icons and pictures.

In a checkout they are in ``assets/`` beside the package; in an installed wheel the same folder
is mapped into the package as ``svmviz/assets/``.
"""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent.parent


@cache
def root() -> Path:
    """Return the folder of the assets.

    Returns
    -------
    Path
        ``svmviz/assets`` if it exists (installed), otherwise ``assets`` beside the package.

    Raises
    ------
    FileNotFoundError
        If neither folder exists.
    """
    for folder in (_PACKAGE / "assets", _PACKAGE.parent / "assets"):
        if os.path.isdir(folder / "icons"):
            return folder
    raise FileNotFoundError(f"no assets folder in or beside {_PACKAGE}")


def names_in_order(folder: Path) -> list[str]:
    """Return the names in a folder's ``order.txt``, without endings; empty if there is none."""
    try:
        lines = (folder / "order.txt").read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError):
        return []
    return list(filter(None, map(str.strip, lines)))


def path(name: str) -> Path:
    """Return the path of an asset.

    Parameters
    ----------
    name : str
        Path inside the assets, with forward slashes, such as ``"icons/play.svg"``.

    Raises
    ------
    FileNotFoundError
        If there is no such file.
    """
    file = root() / name
    if not os.path.exists(file):
        raise FileNotFoundError(f"no asset named {name!r} in {root()}")
    return file
