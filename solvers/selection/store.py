"""Results of fits in a folder, so that a search that was cancelled or killed can go on.

A result is kept under the hash of what it is a function of: the points, the rows, the model, the
risk and the versions of what computes it. So another grid, other folds or another version find
those results that are theirs, and no others. The results are rows of an SQLite database, each
written as a whole: a kill loses those that were not written yet, and several programs may write.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from dataclasses import fields
from importlib import metadata
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np

from solvers.errors import BadInput, shown_path
from solvers.problem.problem import Problem
from solvers.selection.fitting import Fit, Material, Order, WholeFit
from solvers.selection.models import Model

FILE = "results.sqlite"
# Time to wait for another program that writes, s.
TIMEOUT = 30.0
KINDS: dict[str, type[Fit]] = {"fit": Fit, "fit_whole": WholeFit}
PACKAGES = ("svmviz", "numpy", "numba", "scipy")


class Store:
    """Results for one set of points.

    Parameters
    ----------
    folder : path
        Made if it is not there.
    problem : Problem
        Whose points the results are for.

    Raises
    ------
    BadInput
        If the folder cannot be used, or holds results for other points.
    """

    def __init__(self, folder: str | Path, problem: Problem) -> None:
        self._folder = Path(folder)
        self._points = _hash(problem.task, problem.X, problem.y)
        self._versions = [f"{name} {_version(name)}" for name in PACKAGES]
        # Descriptions of models, which have many results.
        self._texts: dict[tuple[Model, str, str], str] = {}
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            # A stream of results may be read in one thread and closed in another.
            self._database = sqlite3.connect(
                self._folder / FILE, timeout=TIMEOUT, check_same_thread=False
            )
        except (OSError, ValueError, sqlite3.Error) as error:
            raise self._unusable(error) from None
        try:
            self._prepare()
        except BaseException:
            self.close()
            raise

    def _prepare(self) -> None:
        """Make the tables if they are not there; refuse those for other points."""
        try:
            # A result is on the disk some time after it is written, and the file stays whole.
            self._database.execute("PRAGMA journal_mode=WAL")
            self._database.execute("PRAGMA synchronous=NORMAL")
            with self._database as writing:
                writing.execute("CREATE TABLE IF NOT EXISTS about (points TEXT UNIQUE)")
                writing.execute(
                    "CREATE TABLE IF NOT EXISTS results (key TEXT PRIMARY KEY, result TEXT)"
                )
                known = writing.execute("SELECT points FROM about").fetchone()
                if known is None:
                    writing.execute("INSERT INTO about VALUES (?)", [self._points])
        except (sqlite3.Error, UnicodeDecodeError) as error:
            raise self._unusable(error) from None
        if known is not None and known[0] != self._points:
            raise BadInput(
                f"The store {shown_path(self._folder)} holds results for other points; give"
                " another folder."
            )

    def _unusable(self, error: Exception) -> BadInput:
        reason = getattr(error, "strerror", None) or error
        if isinstance(error, FileExistsError | NotADirectoryError):
            reason = "a file is in its place"
        return BadInput(f"The store {shown_path(self._folder)} cannot be used: {reason}.")

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; what was written is kept."""
        self._database.close()

    def key(self, kind: str, material: Material, order: Order) -> str:
        """Return the hash of all that a result is a function of."""
        model = material.models[order.model]
        name = (model, kind, material.risk)
        if name not in self._texts:
            self._texts[name] = self._described(kind, material, model)
        warm = "" if order.guess is None else "warm"
        return _hash(self._points, self._texts[name], warm, order.train, order.test)

    def _described(self, kind: str, material: Material, model: Model) -> str:
        problem = model.on(material.problem)
        described = {
            "kind": kind,
            "risk": material.risk,
            "kernel": [problem.kernel.name, problem.kernel.values()],
            "method": [model.method.name, model.method.values()],
            "C": problem.C,
            "bias": problem.bias,
            "epsilon": getattr(problem, "epsilon", None),
            "versions": self._versions,
        }
        return json.dumps(described, sort_keys=True)

    def find(self, kind: str, key: str) -> Fit | None:
        """Return a result, or None if it is not there or cannot be read."""
        try:
            row = self._database.execute(
                "SELECT result FROM results WHERE key = ?", [key]
            ).fetchone()
            return None if row is None else _decoded(KINDS[kind], row[0])
        except (sqlite3.Error, ValueError, KeyError, TypeError):
            return None

    def keep(self, key: str, found: Fit) -> None:
        """Write a result.

        Raises
        ------
        BadInput
            If it cannot be written.
        """
        try:
            with self._database as writing:
                writing.execute(
                    "INSERT OR REPLACE INTO results VALUES (?, ?)", [key, _encoded(found)]
                )
        except sqlite3.Error as error:
            raise self._unusable(error) from None


def _hash(*parts: Any) -> str:
    """Return the hash of texts and arrays, in this order."""
    total = hashlib.sha256()
    for part in parts:
        data = part.encode() if isinstance(part, str) else np.ascontiguousarray(part).tobytes()
        kind = "text" if isinstance(part, str) else f"{part.dtype} {part.shape}"
        total.update(f"{kind} {len(data)}:".encode() + data)
    return total.hexdigest()


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "unknown"


def _encoded(found: Fit) -> str:
    members = {field.name: getattr(found, field.name) for field in fields(found)}
    return json.dumps(
        {
            name: value.tolist() if isinstance(value, np.ndarray) else value
            for name, value in members.items()
        }
    )


def _decoded(kind: type[Fit], text: str) -> Fit:
    members = json.loads(text)
    arrays: dict[str, Any] = {
        name: np.array(value, dtype=np.float64) if isinstance(value, list) else value
        for name, value in members.items()
    }
    return kind(**arrays)
