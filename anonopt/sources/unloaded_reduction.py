"""The reduction of a table whose distinct tuples stay in the engine."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NoReturn

from anonopt.data.reduction import Reduction, ValuePairs


class UnloadedReduction(Reduction):
    """Number of rows and totals of values; what is of single tuples is refused.

    Parameters
    ----------
    order : tuple of int (n_quasi_identifiers,)
    n_rows : int
    n_tuples : callable
        Counts the distinct tuples.
    sensitive, target : ValuePairs, optional
        Whose totals are known, or found by the engine.
    content : callable
        Gives the bytes of :meth:`content`.
    """

    def __init__(
        self,
        order: tuple[int, ...],
        n_rows: int,
        n_tuples: Callable[[], int],
        sensitive: ValuePairs | None,
        target: ValuePairs | None,
        content: Callable[[], Iterator[bytes]],
    ) -> None:
        known = {"order": order, "sensitive": sensitive, "target": target, "tuple_of_row": None}
        self.__dict__.update(known, n_rows=n_rows, _counted=n_tuples, _content=content)

    @property
    def n_tuples(self) -> int:
        """Number of distinct tuples, counted by the engine."""
        count: Callable[[], int] = self.__dict__["_counted"]
        return count()

    @property
    def codes(self) -> NoReturn:  # type: ignore[override]
        """Refused.

        Raises
        ------
        ValueError
        """
        self._refuse()

    @property
    def sizes(self) -> NoReturn:  # type: ignore[override]
        """Refused; see `codes`."""
        self._refuse()

    def content(self) -> Iterator[bytes]:
        """See `Reduction.content`; the same bytes, from the engine."""
        found: Callable[[], Iterator[bytes]] = self.__dict__["_content"]
        return found()

    def without_rows(self) -> NoReturn:
        """Refused; see `codes`."""
        self._refuse()

    def _refuse(self) -> NoReturn:
        raise ValueError(
            "distinct tuples: expected in memory, found a table whose nodes are evaluated by the "
            "engine, as they are too many (max_tuples)"
        )
