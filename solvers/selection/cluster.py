"""Fits on the workers of a Dask cluster, for searches that take too long on one machine.

This module needs the optional extra ``dask``. The workers need the same version of svmviz.

The data that all fits share are passed through a task that only returns them. If the worker that
stores the result of this task is killed, the scheduler runs the task again. joblib has a backend
for Dask as well, but it stores these data on one worker only, and they are lost if that worker is
killed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import CancelledError
from typing import Any

from solvers.errors import BadInput, quote
from solvers.selection.pools import Function, batches, run_batch

# Maximum time to wait for the scheduler, and again for its first worker, in seconds.
TIMEOUT = 5
# The message if Dask cannot be imported.
NOT_INSTALLED = "Dask is not installed; install it by pip install 'svmviz[dask]'."


class Cluster:
    """A connection to a scheduler of Dask.

    Parameters
    ----------
    address : str
        ``HOST:PORT`` of the scheduler.

    Raises
    ------
    BadInput
        If Dask is not installed, or no scheduler or no worker answers.
    """

    def __init__(self, address: str) -> None:
        try:
            # Dask is imported here, because it is optional, and its import takes most of a second.
            from distributed import Client  # pyright: ignore[reportMissingImports]
        except ImportError:
            raise BadInput(NOT_INSTALLED) from None
        self._address = address
        try:
            self._client: Any = Client(address, timeout=TIMEOUT, set_as_default=False)
        except (OSError, ValueError):
            raise BadInput(
                f"No Dask scheduler answers at {quote(address)} within {TIMEOUT} s."
            ) from None
        try:
            self._client.wait_for_workers(1, timeout=TIMEOUT)
        except OSError:
            self.close()
            raise BadInput(
                f"The Dask scheduler at {quote(address)} has no worker within {TIMEOUT} s."
            ) from None

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """End the connection. The cluster keeps running."""
        self._client.close()

    def run(
        self, function: Function, shared: Any, items: Sequence[Any]
    ) -> Iterator[tuple[int, Any]]:
        """Yield index and result of each item; see :class:`solvers.selection.pools.Pool`.

        Raises
        ------
        BadInput
            If the connection to the scheduler is lost.
        """
        from distributed import as_completed  # pyright: ignore[reportMissingImports]

        client = self._client
        workers = sum(client.ncores().values())
        shared_data = client.submit(_return_shared, shared, pure=False)
        futures = [
            client.submit(run_batch, function, shared_data, batch.start, items[batch], pure=False)
            for batch in batches(len(items), workers)
        ]
        try:
            for _, results in as_completed(futures, with_results=True, loop=client.loop):
                yield from results
        except (CancelledError, OSError) as error:
            raise BadInput(
                f"The connection to the Dask scheduler at {quote(self._address)} was lost:"
                f" {type(error).__name__}."
            ) from None
        finally:
            client.cancel([*futures, shared_data])


def _return_shared(shared: Any) -> Any:
    """Return the argument. This is the task through which the shared data are passed."""
    return shared
