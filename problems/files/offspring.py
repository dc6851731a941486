"""What is known of the parents of long genomes, so that children need not be measured anew."""

from __future__ import annotations

from collections import OrderedDict
from typing import Generic, TypeVar

State = TypeVar("State")

MEMORY_BYTES = 128 * 2**20
MAX_STATES = 256
"""As many states are held as fit into the first, by the size of a genome, but not more."""


class OffspringMemory(Generic[State]):
    """States of the genomes used last, and which genome came from which.

    Parameters
    ----------
    genome_bytes : int
        Size of a genome, or of its state where that is much larger.

    Attributes
    ----------
    n_states : int
        Most states that are held.

    Examples
    --------
    >>> memory = OffspringMemory(genome_bytes=1000)
    >>> memory.keep(b"parent", "tables of the parent")
    >>> memory.note(b"crossed", b"parent", 3, 7)
    >>> memory.note(b"mutated", b"crossed", 9, 9)
    >>> memory.parent(b"mutated")
    ('tables of the parent', 3, 9)
    """

    def __init__(self, *, genome_bytes: int) -> None:
        self._genome_bytes = genome_bytes
        self.n_states = max(2, min(MAX_STATES, MEMORY_BYTES // max(genome_bytes, 1)))
        self._states: OrderedDict[bytes, State] = OrderedDict()
        self._origins: OrderedDict[bytes, tuple[bytes, int, int]] = OrderedDict()

    def emptied(self) -> OffspringMemory[State]:
        """A memory like this one that knows nothing."""
        return OffspringMemory(genome_bytes=self._genome_bytes)

    def keep(self, key: bytes, state: State) -> None:
        """Hold the state of a genome; the ones used least recently make room."""
        self._states[key] = state
        self._origins.pop(key, None)
        while len(self._states) > self.n_states:
            self._states.popitem(last=False)

    def state(self, key: bytes) -> State | None:
        """State of a genome, None if it is not held."""
        found = self._states.get(key)
        if found is not None:
            self._states.move_to_end(key)
        return found

    def states(self) -> list[State]:
        """All states that are held, the ones used least recently first."""
        return list(self._states.values())

    def knows(self, key: bytes) -> bool:
        """Whether the state of a genome is held, or which one it came from."""
        return key in self._states or key in self._origins

    def note(self, child: bytes, parent: bytes, first: int, last: int) -> None:
        """Learn that a child differs from its parent in the genes first..last at most.

        A parent that was not measured hands on its own parent. The first word on a child counts.
        """
        if child in self._states or child in self._origins or child == parent:
            return
        if parent not in self._states:
            origin = self._origins.get(parent)
            if origin is None:
                return
            parent, first, last = origin[0], min(first, origin[1]), max(last, origin[2])
        self._origins[child] = (parent, first, last)
        while len(self._origins) > 2 * self.n_states:
            self._origins.popitem(last=False)

    def parent(self, child: bytes) -> tuple[State, int, int] | None:
        """State of the nearest ancestor that was measured, and the genes that can differ."""
        origin = self._origins.get(child)
        state = None if origin is None else self.state(origin[0])
        return None if origin is None or state is None else (state, origin[1], origin[2])
