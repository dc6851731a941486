"""Clients of Dask: that which is given, that of an address, or one of a cluster of its own."""

from __future__ import annotations

from typing import Any

from anonopt._registry import engine

CONNECT_SECONDS = 10
"""Time in which a scheduler has to answer."""


def connected(client: Any, what: str) -> tuple[Any, bool]:
    """A client, and whether it was made here, and is to be closed.

    Parameters
    ----------
    client : distributed.Client, str or None
        The address of a scheduler is connected to. None is the current client if there is one,
        else one of a new ``LocalCluster``.
    what : str
        What needs it, for the message.

    Raises
    ------
    ModuleNotFoundError
        If Dask is not installed (says how to install it).
    TypeError
        If it is no client.
    ConnectionError
        If no scheduler answers at the address.
    """
    distributed = engine("distributed", what)
    if isinstance(client, distributed.Client):
        return client, False
    if isinstance(client, str):
        try:
            found = distributed.Client(client, timeout=CONNECT_SECONDS, set_as_default=False)
        except OSError as error:
            raise ConnectionError(
                f"client: expected the address of a scheduler, found no answer at {client!r}"
            ) from error
        return found, True
    if client is not None:
        raise TypeError(
            f"client: expected a client of Dask or an address, found {type(client).__name__}"
        )
    try:
        return distributed.get_client(), False
    except ValueError:
        # Its web pages take any port, as the usual one may be taken.
        return distributed.Client(dashboard_address=":0", set_as_default=False), True
