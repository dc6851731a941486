"""An executor that was handed in, and what it was sent that its workers keep."""

from __future__ import annotations

import sys
import time
import weakref
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, cast

from anonopt._registry import engine

UNKNOWN_WORKERS = 8
"""Taken for an executor that does not tell how many it has."""

SECONDS_TO_ANSWER = 5
"""Within which a cluster has to answer that is given by its address."""

MOST_ATTEMPTS = 10
SECONDS_BETWEEN = 0.1
"""How often workers of dask are sent a content of which some die, or meanwhile, and the pause."""

SECONDS_TO_COME = 120
"""Within which a cluster has to have a worker."""

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
    client = _client_of(executor)
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
            _client_of(found).close()


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
    thing = _client_at(executor) if isinstance(executor, str) else executor
    if thing is None or _client_of(thing) is not thing:
        return cast("Executor | None", thing)
    found: Executor = thing.get_executor()
    return found


def _client_at(address: str) -> Any:
    client_of = engine("distributed", f"executor={address!r}").Client
    try:
        return client_of(address, timeout=SECONDS_TO_ANSWER)
    except ValueError as error:
        raise ValueError(
            f"executor: expected the address of a dask scheduler such as 'tcp://10.0.0.1:8786', "
            f"found {address!r} ({error})"
        ) from error
    except (OSError, MemoryError) as error:
        # What answers but is no scheduler may tell of messages larger than any memory.
        raise ConnectionError(
            f"executor: expected the address of a dask scheduler, found {address!r}, where none "
            f"answers within {SECONDS_TO_ANSWER} seconds ({error})"
        ) from error


def _client_of(executor: Any) -> Any:
    """The dask client of an executor, or the client itself; None of any other executor."""
    distributed = sys.modules.get("distributed")
    if distributed is not None and isinstance(executor, distributed.Client):
        return executor
    return getattr(executor, "_client", None)


@dataclass(frozen=True)
class Task:
    """Work for a worker.

    Attributes
    ----------
    function : callable
        Of the arguments, and of the packed content or None: it answers ``Reply.NOT_HERE`` then,
        where the worker does not have the content from another task.
    args : tuple
    content : str or None
        Digest of what the task needs; None if that is nothing, and the function of `args` alone.
    """

    function: Callable[..., Any]
    args: tuple[Any, ...]
    content: str | None


class Connection:
    """An executor, and what its workers keep.

    dask keeps a content on its workers, which were sent it once. To other executors it goes with
    as many tasks as there are workers, and with each that a worker has answered it lacks it.

    Parameters
    ----------
    executor : Executor

    Attributes
    ----------
    is_dask : bool
    """

    def __init__(self, executor: Executor) -> None:
        self._executor = executor
        self._client = _client_of(executor)
        self._packed: dict[str, bytes] = {}
        self._on_workers: dict[str, Any] = {}
        self._n_sent: Counter[str] = Counter()

    @classmethod
    def to(cls, executor: Any) -> Connection | None:
        """A connection to what was handed in, see :func:`executor_of`; None to nothing.

        A client that is made for an address is closed when the connection is forgotten.
        """
        found = executor_of(executor)
        if found is None:
            return None
        connection = cls(found)
        if isinstance(executor, str):
            # At the end of the program dask closes its clients itself.
            weakref.finalize(connection, _client_of(found).close).atexit = False
        return connection

    def __reduce__(self) -> tuple[Callable[[], None], tuple[()]]:
        # What is copied to another process has no executor there.
        return _nothing, ()

    @property
    def is_dask(self) -> bool:
        """Whether tasks may hold what pickle cannot send, such as lambdas."""
        return self._client is not None

    @property
    def n_workers(self) -> int:
        """Tasks that the executor does at a time; a guess if it does not tell.

        Examples
        --------
        >>> from concurrent.futures import ThreadPoolExecutor
        >>> Connection(ThreadPoolExecutor(3)).n_workers
        3
        """
        if self._client is not None:
            return max(1, int(sum(self._client.ncores().values())))
        # The second is that of mpi4py.
        told = getattr(self._executor, "_max_workers", None)
        return int(told or getattr(self._executor, "num_workers", None) or UNKNOWN_WORKERS)

    def keep(self, digest: str, packed: bytes) -> None:
        """Have a content at hand for tasks."""
        self._packed[digest] = packed

    def submit(self, task: Task, *, is_lacking: bool = False) -> tuple[Future[Any], Any]:
        """Hand in a task.

        Parameters
        ----------
        task : Task
        is_lacking : bool
            Whether a worker has answered that it lacks the content.

        Returns
        -------
        future : Future
        sent : object
            What was sent with it, for :meth:`send_again`.

        Raises
        ------
        BrokenExecutor
            If the executor takes no further tasks.
        TimeoutError
            If a dask cluster has no worker for two minutes.
        """
        if self._client is not None and self._client.status != RUNNING:
            raise BrokenExecutor(f"the client of dask is {self._client.status}")
        sent = None if task.content is None else self._sent(task.content, is_lacking)
        args = task.args if task.content is None else (*task.args, sent)
        if self._client is None:
            return self._submit(task.function, args), sent
        # Of two equal tasks with random numbers dask would do one.
        options = {**getattr(self._executor, "_kwargs", {}), "pure": False}
        # As asyncio below: every process would wait for the import, and in few there is dask.
        from anonopt.evaluation.executors.dask_future import DaskFuture

        return DaskFuture(self._client.submit(task.function, *args, **options)), sent

    def _submit(self, function: Callable[..., Any], args: tuple[Any, ...]) -> Future[Any]:
        try:
            return self._executor.submit(function, *args)
        except BrokenExecutor:
            raise
        except RuntimeError as error:
            # It was shut down meanwhile.
            raise BrokenExecutor(
                f"executor: expected one that takes tasks, found: {error}"
            ) from error

    def send_again(self, digest: str | None, sent: Any) -> None:
        """Forget that the workers have something: it dies with them."""
        if digest is not None and self._on_workers.get(digest) is sent:
            self._on_workers.pop(digest, None)

    def _sent(self, digest: str, is_lacking: bool) -> Any:
        if self._client is None:
            if not is_lacking and self._n_sent[digest] >= self.n_workers:
                return None
            self._n_sent[digest] += 1
            return self._packed[digest]
        if digest not in self._on_workers:
            self._on_workers[digest] = self._scattered(self._packed[digest])
        return self._on_workers[digest]

    def _scattered(self, packed: bytes) -> Any:
        """A content on all workers, as dask knows it."""
        died: Exception | None = None
        for attempt in range(MOST_ATTEMPTS):
            time.sleep(SECONDS_BETWEEN * attempt)
            try:
                self._client.wait_for_workers(1, timeout=SECONDS_TO_COME)
            except _async_timeout() as error:
                raise TimeoutError(
                    f"executor: expected a dask cluster with workers, found none in "
                    f"{SECONDS_TO_COME} seconds"
                ) from error
            try:
                return self._client.scatter([packed], broadcast=True, hash=False)[0]
            except (OSError, ValueError, KeyError, _async_timeout()) as error:
                # A worker died meanwhile, and the scheduler learns it in a moment.
                died = error
        raise BrokenExecutor(f"workers die while they are sent what they need ({died})") from died


def _async_timeout() -> type[Exception]:
    """What dask raises where it has waited for too long."""
    from asyncio import TimeoutError as AsyncTimeoutError

    return AsyncTimeoutError


def _nothing() -> None:
    """What a connection is in another process."""
