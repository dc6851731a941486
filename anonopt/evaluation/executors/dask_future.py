"""What a task on dask comes to, as a `Future` that is told when the task is lost.

The futures of dask's own executor wait for ever where a worker dies between the end of a task and
the moment its result is fetched.
"""

from __future__ import annotations

from asyncio import CancelledError as AsyncCancelledError
from concurrent.futures import CancelledError, Future
from typing import Any

ERROR = "error"
"""Status of a future of dask whose task raised."""


class DaskFuture(Future[Any]):
    """A future of dask as one of Python; of a lost task it raises `CancelledError`.

    Parameters
    ----------
    future : distributed.Future
    """

    def __init__(self, future: Any) -> None:
        super().__init__()
        self.set_running_or_notify_cancel()
        self._of_dask = future
        future.add_done_callback(self._pass_on)

    def cancel(self) -> bool:
        """Have dask forget the task."""
        if not self.done():
            self._of_dask.cancel()
        return False

    def _pass_on(self, future: Any) -> None:
        try:
            if future.status == ERROR:
                self.set_exception(future.exception())
            else:
                self.set_result(future.result())
        except (CancelledError, AsyncCancelledError, OSError) as error:
            lost = CancelledError(str(error))
            lost.__cause__ = error
            self.set_exception(lost)
        finally:
            # Nobody is to wait for ever, whatever went wrong when the result was fetched.
            if not self.done():
                self.set_exception(CancelledError("its result cannot be fetched"))
