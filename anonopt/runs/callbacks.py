"""Several callbacks as one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from pymoo.core.algorithm import Algorithm

AnyCallback = Callable[[Algorithm], Any]
"""A pymoo ``Callback``, or any function of the algorithm."""


class CallbackList:
    """Call each of several callbacks after every generation, in order.

    pymoo's ``CallbackCollection`` calls ``update`` only, so callbacks written with ``notify``
    (as its documentation teaches) and plain functions never run in it; here all do.

    Parameters
    ----------
    callbacks : sequence of callables
        Each takes the algorithm.

    Raises
    ------
    TypeError
        If one of them cannot be called.

    Examples
    --------
    >>> seen = []
    >>> CallbackList([seen.append, seen.append])("generation 1")
    >>> seen
    ['generation 1', 'generation 1']
    """

    def __init__(self, callbacks: Sequence[AnyCallback]) -> None:
        self.callbacks = tuple(callbacks)
        for callback in self.callbacks:
            if not callable(callback):
                raise TypeError(
                    f"callback: expected functions of the algorithm, found {callback!r}"
                )

    def __call__(self, algorithm: Algorithm) -> None:
        """Call each with the algorithm."""
        for callback in self.callbacks:
            callback(algorithm)
