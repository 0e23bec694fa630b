"""Results of fits in a folder, so that a search that was cancelled or killed can continue.

Each result is a row of an SQLite database, under its key (:mod:`solvers.selection.keys`). A row is
written completely or not at all. So a killed program loses only results that it has not written
yet, and several programs may write at the same time.
"""

from __future__ import annotations

import json
import sqlite3
from dataclasses import fields
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np

from solvers.errors import BadInput, short_path
from solvers.problem.many_classes import AnyProblem
from solvers.run.method import Reason
from solvers.selection.fitting import Fit, FitRequest, WholeFit
from solvers.selection.keys import Keys

# Name of the database in the folder.
FILE = "results.sqlite"
# Time to wait while another program writes, in seconds.
TIMEOUT = 30.0
# The ``application_id`` in the header of the database: "SVMS" in ASCII. A database with another one
# belongs to another program.
APPLICATION_ID = 0x53564D53
# The tables of a store.
TABLES = {"about", "results"}
# The type of the results of each function that computes fits, by the function's name.
KINDS: dict[str, type[Fit]] = {"fit": Fit, "fit_whole": WholeFit}


class Store(Keys):
    """Results for one set of points.

    Parameters
    ----------
    folder : path
        Created if it does not exist.
    problem : Problem or ManyClassProblem
        All results in the folder are for the points of this problem.

    Raises
    ------
    BadInput
        If the folder cannot be used, or holds results for other points.
    """

    def __init__(self, folder: str | Path, problem: AnyProblem) -> None:
        super().__init__(problem)
        self._folder = Path(folder)
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            # A stream of results may be read in one thread and closed in another, so the database
            # must be usable in several threads.
            self._database = sqlite3.connect(
                self._folder / FILE, timeout=TIMEOUT, check_same_thread=False
            )
        except (OSError, ValueError, sqlite3.Error) as error:
            raise self._unusable_error(error) from None
        try:
            self._prepare()
        except BaseException:
            self.close()
            raise

    def _prepare(self) -> None:
        """Create the tables if there are none; refuse tables for other points."""
        try:
            # This is checked before anything is written.
            self._check_owner()
            # With a write-ahead log, SQLite does not wait for the disk at each result, and a crash
            # cannot damage the file.
            self._database.execute("PRAGMA journal_mode=WAL")
            self._database.execute("PRAGMA synchronous=NORMAL")
            with self._database as transaction:
                transaction.execute(f"PRAGMA application_id={APPLICATION_ID}")
                transaction.execute("CREATE TABLE IF NOT EXISTS about (points TEXT UNIQUE)")
                transaction.execute(
                    "CREATE TABLE IF NOT EXISTS results (key TEXT PRIMARY KEY, result TEXT)"
                )
                stored = transaction.execute("SELECT points FROM about").fetchone()
                if stored is None:
                    transaction.execute("INSERT INTO about VALUES (?)", [self.points])
        except (sqlite3.Error, UnicodeDecodeError) as error:
            raise self._unusable_error(error) from None
        if stored is not None and stored[0] != self.points:
            raise BadInput(
                f"The store {short_path(self._folder)} holds results for other points; give"
                " another folder."
            )

    def _check_owner(self) -> None:
        """Raise BadInput if the database is not a store."""
        # Tables are read first: another program that creates the store now sets its id before it
        # creates tables.
        names = self._database.execute("SELECT name FROM sqlite_master WHERE sql IS NOT NULL")
        tables = {name for (name,) in names}
        (owner,) = self._database.execute("PRAGMA application_id").fetchone()
        # A new database has no tables, and the stores of earlier versions have no application_id.
        if owner != APPLICATION_ID and not (owner == 0 and tables in (set(), TABLES)):
            raise BadInput(
                f"The store {short_path(self._folder)} cannot be used: its file {FILE} is a"
                " database of another program."
            )

    def _unusable_error(self, error: Exception) -> BadInput:
        reason = getattr(error, "strerror", None) or error
        if isinstance(error, FileExistsError | NotADirectoryError):
            reason = "a file is in its place"
        return BadInput(f"The store {short_path(self._folder)} cannot be used: {reason}.")

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
        """Close the database; results that were written stay in it."""
        self._database.close()

    def find(self, kind: str, key: str, request: FitRequest) -> Fit | None:
        """Return a stored result; None if there is none, or if it does not fit the request."""
        try:
            row = self._database.execute(
                "SELECT result FROM results WHERE key = ?", [key]
            ).fetchone()
            return None if row is None else _decode(KINDS[kind], row[0], request)
        except (sqlite3.Error, ValueError, KeyError, TypeError, RecursionError):
            return None

    def keep(self, key: str, result: Fit) -> None:
        """Write a result under its key.

        Raises
        ------
        BadInput
            If the result cannot be written.
        """
        try:
            with self._database as transaction:
                transaction.execute(
                    "INSERT OR REPLACE INTO results VALUES (?, ?)", [key, _encode(result)]
                )
        except sqlite3.Error as error:
            raise self._unusable_error(error) from None


def _encode(result: Fit) -> str:
    members = {field.name: getattr(result, field.name) for field in fields(result)}
    return json.dumps(
        {
            name: value.tolist() if isinstance(value, np.ndarray) else value
            for name, value in members.items()
        }
    )


def _decode(kind: type[Fit], text: str, request: FitRequest) -> Fit:
    """Return the result in a text; raise an error if it has none."""
    members = json.loads(text)
    lengths = {
        "decision": len(request.test),
        "beta": len(request.train),
        "slack": len(request.train),
    }
    values = {}
    for field in fields(kind):
        value = members[field.name]
        if field.name in lengths:
            value = _numbers(value, lengths[field.name])
        elif not _is_valid(field.name, value, len(request.train)):
            raise ValueError(field.name)
        values[field.name] = value
    return kind(**values)


def _numbers(values: Any, length: int) -> np.ndarray:
    """Return a list of ``length`` numbers as an array."""
    if not isinstance(values, list) or not all(type(value) is float for value in values):
        raise ValueError("a list of numbers is needed")
    return np.array(values, dtype=np.float64).reshape(length)


def _is_valid(name: str, value: Any, training_points: int) -> bool:
    """Return whether a value is possible for a field that is not an array."""
    if name == "is_unique":
        return isinstance(value, bool)
    if name == "support":
        return type(value) is int and 0 <= value <= training_points
    if name == "reason":
        return value in {reason.value for reason in Reason}
    return type(value) is float
