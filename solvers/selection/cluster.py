"""Fits on the workers of a Dask cluster, for searches that outgrow one machine.

Needs the optional extra ``dask``; the workers need svmviz in the same version. joblib has a backend
for Dask, too. But it stores the data that all fits share on one worker, and if that worker is
killed, the data are lost. Here they are the result of a task: the scheduler computes a lost result
again, as it does with every lost fit.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import CancelledError
from typing import Any

from solvers.errors import BadInput, quote
from solvers.selection.pools import Function, batches, run_batch

# Time to wait for the scheduler, and for its first worker, s.
TIMEOUT = 5
MISSING = "Dask is not installed; install it by pip install 'svmviz[dask]'."


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
            # Imported here, because the import takes most of a second, and Dask is optional.
            from distributed import Client  # pyright: ignore[reportMissingImports]
        except ImportError:
            raise BadInput(MISSING) from None
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
        """End the connection; the cluster goes on."""
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
        material = client.submit(_same, shared, pure=False)
        futures = [
            client.submit(run_batch, function, material, part.start, items[part], pure=False)
            for part in batches(len(items), workers)
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
            client.cancel([*futures, material])


def _same(shared: Any) -> Any:
    return shared
