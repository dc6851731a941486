"""Clients of Dask: that which is given, that of an address, or one of a cluster of its own."""

from __future__ import annotations

from typing import Any

from anonopt._registry import engine

SECONDS_TO_ANSWER = 5
"""Within which a cluster has to answer that is given by its address."""


def client_at(address: str, what: str, **options: Any) -> Any:
    """A new client of the cluster at an address.

    Parameters
    ----------
    address : str
        Such as ``"tcp://10.0.0.1:8786"``.
    what : str
        The parameter that it was given for, for messages.
    **options
        Of ``distributed.Client``.

    Raises
    ------
    ModuleNotFoundError
        If Dask is not installed (says how to install it).
    ValueError
        If the address is none.
    ConnectionError
        If no scheduler answers there.
    """
    client_class = engine("distributed", f"{what}={address!r}").Client
    try:
        return client_class(address, timeout=SECONDS_TO_ANSWER, **options)
    except ValueError as error:
        raise ValueError(
            f"{what}: expected the address of a dask scheduler such as 'tcp://10.0.0.1:8786', "
            f"found {address!r} ({error})"
        ) from error
    except (OSError, MemoryError) as error:
        # What answers but is no scheduler may tell of messages larger than any memory.
        raise ConnectionError(
            f"{what}: expected the address of a dask scheduler, found {address!r}, where none "
            f"answers within {SECONDS_TO_ANSWER} seconds ({error})"
        ) from error


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
    ValueError, ConnectionError
        As `client_at`.
    """
    distributed = engine("distributed", what)
    if isinstance(client, distributed.Client):
        return client, False
    if isinstance(client, str):
        return client_at(client, "client", set_as_default=False), True
    if client is not None:
        raise TypeError(
            f"client: expected a client of Dask or an address, found {type(client).__name__}"
        )
    try:
        return distributed.get_client(), False
    except ValueError:
        # Its web pages take any port, as the usual one may be taken.
        return distributed.Client(dashboard_address=":0", set_as_default=False), True
