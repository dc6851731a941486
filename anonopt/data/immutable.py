"""What never changes and is shared: tables, hierarchies, columns and matrices of codes."""

from __future__ import annotations

from typing import Any, ClassVar, TypeVar

Self = TypeVar("Self", bound="Immutable")


class Immutable:
    """Base class: copies are the object itself, and its arrays are read-only.

    Searches copy problems and keep what they evaluated; the data must not multiply.
    """

    _arrays: ClassVar[tuple[str, ...]] = ()
    """Names of the attributes that are arrays, or None."""

    def _lock(self) -> None:
        for name in self._arrays:
            array = getattr(self, name)
            if array is not None:
                array.flags.writeable = False

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        # Pickling forgets that an array is read-only.
        self._lock()

    def __copy__(self: Self) -> Self:
        return self

    def __deepcopy__(self: Self, memo: dict[int, object]) -> Self:
        return self
