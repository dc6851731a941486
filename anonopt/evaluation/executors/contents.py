"""What a worker keeps between its tasks, such as the reduced table: unpacked once a process."""

from __future__ import annotations

import pickle
from collections import OrderedDict
from enum import Enum
from threading import Lock
from typing import Any

MOST_KEPT = 4
"""Contents that a process keeps; of more than that, the one that was needed last is let go."""

_KEPT: OrderedDict[str, Any] = OrderedDict()
_LOCK = Lock()


class Reply(Enum):
    """Answers of a worker that are no results."""

    NOT_HERE = "the worker does not have the content of its task"


def content_of(digest: str, packed: bytes | None) -> Any:
    """Content of a task in this process; ``Reply.NOT_HERE`` if it was never sent, or let go.

    Parameters
    ----------
    digest : str
        Which content.
    packed : bytes or None
        The content itself, if it came with the task.

    Examples
    --------
    >>> content_of("a table", None)
    <Reply.NOT_HERE: 'the worker does not have the content of its task'>
    >>> content_of("a table", pickle.dumps([1, 2])), content_of("a table", None)
    ([1, 2], [1, 2])
    """
    with _LOCK:
        if digest not in _KEPT:
            if packed is None:
                return Reply.NOT_HERE
            _KEPT[digest] = unpacked(packed)
            while len(_KEPT) > MOST_KEPT:
                _KEPT.popitem(last=False)
        _KEPT.move_to_end(digest)
        return _KEPT[digest]


def unpacked(packed: bytes) -> Any:
    """What the program of this worker has packed itself; nothing that a user names comes here."""
    return pickle.loads(packed)
