"""An executor that was handed in, and what it was sent that its workers keep."""

from __future__ import annotations

import time
import weakref
from collections import Counter
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from dataclasses import dataclass
from importlib import import_module
from threading import current_thread
from typing import Any

from anonopt._registry import engine
from anonopt.evaluation.executors.given_executor import RUNNING, client_of, executor_of

UNKNOWN_WORKERS = 8
"""Taken for an executor that does not tell how many it has."""

MOST_ATTEMPTS = 10
SECONDS_BETWEEN = 0.1
"""How often workers of dask are sent a content of which some die, or meanwhile, and the pause."""

SECONDS_TO_COME = 120
"""Within which a cluster has to have a worker."""

PACKAGE = "anonopt"
"""What workers need to read a task."""


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
        self._client = client_of(executor)
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
            weakref.finalize(connection, client_of(found).close).atexit = False
        return connection

    def __reduce__(self) -> tuple[Callable[[], None], tuple[()]]:
        # What is copied to another process has no executor there.
        return _nothing, ()

    @property
    def is_dask(self) -> bool:
        """Whether tasks may hold what pickle cannot send, such as lambdas."""
        return self._client is not None

    @property
    def is_connected(self) -> bool:
        """Whether a client of dask, if it is one, has its scheduler."""
        return self._client is None or self._client.status == RUNNING

    @property
    def _is_inside(self) -> bool:
        """Whether this thread is one of those that do the tasks."""
        if self._client is None:
            # A pool learns of its threads only after they have begun.
            prefix = getattr(self._executor, "_thread_name_prefix", None)
            return bool(prefix) and current_thread().name.startswith(f"{prefix}_")
        try:
            return bool(engine("distributed", "an executor of dask").get_worker())
        except ValueError:
            return False

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
        ModuleNotFoundError
            If its workers lack this package.
        """
        if self._is_inside:
            # A task that waits for its own pool or cluster may wait for itself.
            packed = () if task.content is None else (self._packed[task.content],)
            with ThreadPoolExecutor(1) as another:
                return another.submit(task.function, *task.args, *packed), None
        if not self.is_connected:
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
            future = self._executor.submit(function, *args)
        except BrokenExecutor:
            raise
        except RuntimeError as error:
            # It was shut down meanwhile.
            raise BrokenExecutor(
                f"executor: expected one that takes tasks, found: {error}"
            ) from error
        if not isinstance(future, Future):
            raise TypeError(
                f"executor: expected a concurrent.futures.Future from submit, found {future!r} "
                f"from {type(self._executor).__name__}"
            )
        return future

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
            except OSError as error:
                # The scheduler is gone, or about to go.
                raise BrokenExecutor(f"the scheduler of dask does not answer ({error})") from error
            try:
                self._check_workers()
                return self._client.scatter([packed], broadcast=True, hash=False)[0]
            except (OSError, ValueError, KeyError, _async_timeout()) as error:
                # A worker died meanwhile, and the scheduler learns it in a moment.
                died = error
        raise BrokenExecutor(f"workers die while they are sent what they need ({died})") from died

    def _check_workers(self) -> None:
        """Refuse workers of dask that cannot read a task: they would die of it without a word.

        Raises
        ------
        ModuleNotFoundError
        """
        found = self._client.run(import_module, PACKAGE, on_error="return")
        lacking = [one for one, module in found.items() if isinstance(module, ImportError)]
        if lacking:
            raise ModuleNotFoundError(
                f"executor: expected workers that have {PACKAGE}, found none at {lacking[0]}: "
                f"pip install 'anonopt[scale]' there, the version that is here"
            )


def _async_timeout() -> type[Exception]:
    """What dask raises where it has waited for too long."""
    from asyncio import TimeoutError as AsyncTimeoutError

    return AsyncTimeoutError


def _nothing() -> None:
    """What a connection is in another process."""
