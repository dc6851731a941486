"""What is handed in to do tasks: an Executor, a client of dask, or the address of its scheduler."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from typing import Any, cast

from anonopt.sources.arrow.dask_clients import client_at

RUNNING = "running"
"""What a dask client says of itself while it is connected."""


def check_executor(executor: object) -> None:
    """Check that something takes tasks: an Executor, a connected dask client, or an address.

    Raises
    ------
    TypeError
        If it is none of them.
    ValueError
        If it was shut down.
    ConnectionError
        If it is a client of dask, or its executor, that is closed or has lost its scheduler.
    """
    if executor is None or isinstance(executor, str):
        return
    if isinstance(executor, type) or not callable(getattr(executor, "submit", None)):
        raise TypeError(
            f"executor: expected an Executor, a dask client or its address, found {executor!r}"
        )
    # As those of the standard library call it, of threads and of processes.
    if any(getattr(executor, name, False) is True for name in ("_shutdown", "_shutdown_thread")):
        raise ValueError(
            f"executor: expected one that takes tasks, found {type(executor).__name__} that was "
            "shut down (after its with block?)"
        )
    client = client_of(executor)
    if client is not None and client.status != RUNNING:
        raise ConnectionError(
            f"executor: expected a dask client that is connected, found one that is {client.status}"
        )


@contextmanager
def opened(executor: Any) -> Iterator[Executor | None]:
    """The executor of what was handed in; a client that is made for an address ends with it.

    Parameters
    ----------
    executor : Executor, dask client, address, or None

    Raises
    ------
    TypeError, ValueError, ConnectionError, ModuleNotFoundError
        As :func:`executor_of`.
    """
    found = executor_of(executor)
    try:
        yield found
    finally:
        if isinstance(executor, str):
            client_of(found).close()


def executor_of(executor: Any) -> Executor | None:
    """The Executor of a dask client or of an address; any other as it is.

    Parameters
    ----------
    executor : Executor, dask client, address such as ``"tcp://10.0.0.1:8786"``, or None

    Raises
    ------
    TypeError
        If it is none of them.
    ValueError
        If the address is none.
    ConnectionError
        If no cluster answers there, or a client is not connected.
    ModuleNotFoundError
        If there is an address, and dask is not installed (says how to install it).
    """
    check_executor(executor)
    thing = client_at(executor, "executor") if isinstance(executor, str) else executor
    if thing is None or client_of(thing) is not thing:
        return cast("Executor | None", thing)
    found: Executor = thing.get_executor()
    return found


def client_of(executor: Any) -> Any:
    """The dask client of an executor, or the client itself; None of any other executor."""
    distributed = sys.modules.get("distributed")
    if distributed is not None and isinstance(executor, distributed.Client):
        return executor
    return getattr(executor, "_client", None)
