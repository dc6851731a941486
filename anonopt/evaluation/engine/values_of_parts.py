"""Values of a node whose classes are looked at part by part, as they are too many for memory."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from anonopt.measures.lattice.class_table import ClassTable
from anonopt.measures.lattice.statistics import TARGET
from anonopt.measures.lattice.worst_column import WorstColumn, node_value
from anonopt.measures.measure import Measure


class ValueOfParts(ABC):
    """The value of a node by a measure, of parts of its classes."""

    looks_at_all: bool
    """Whether parts of suppressed classes are to be taken in as well."""

    @abstractmethod
    def add(self, part: ClassTable) -> None:
        """Take in some classes of the node, of which it is known whether they are kept."""

    @property
    @abstractmethod
    def value(self) -> float:
        """Value of the node, once each of its classes is in."""


class OfOneColumn(ValueOfParts):
    """The worst value of the parts, or the sum of their values.

    Examples
    --------
    >>> from anonopt.measures import get_measure
    >>> OfOneColumn(get_measure("t")).looks_at_all, OfOneColumn(get_measure("S_l")).looks_at_all
    (False, True)
    """

    def __init__(self, measure: Measure) -> None:
        self._measure, self._found = measure, list[float]()
        self._of_none = measure.worst
        # The values of kept classes tell nothing of others, nor does a function that needs them.
        is_of_kept = measure.per_class is not None or (
            measure.from_classes is not None and measure.needs_kept
        )
        self.looks_at_all = not is_of_kept

    def add(self, part: ClassTable) -> None:
        """See `ValueOfParts.add`."""
        if not self.looks_at_all and not part.kept.any():
            # What is said where no class is kept holds if that is so in all parts.
            self._of_none = self._of(part)
            return
        self._found = [self._together([*self._found, self._of(part)])]

    @property
    def value(self) -> float:
        """See `ValueOfParts.value`."""
        return float(self._found[0]) if self._found else self._of_none

    def _of(self, part: ClassTable) -> float:
        own = self._measure.from_classes
        if self._measure.of_parts == "sum" and own is not None and part.kept.any():
            # Whole numbers as such: as floating-point numbers they are rounded from 2^53 on.
            return own(part.kept_classes)
        return node_value(self._measure, part)

    def _together(self, values: Sequence[float]) -> float:
        if self._measure.of_parts == "sum":
            return sum(values)
        return min(values) if self._measure.maximize else max(values)


class OfColumns(ValueOfParts):
    """The worst of a measure over several sensitive columns."""

    def __init__(self, worst: WorstColumn) -> None:
        self._maximize = worst.measure.maximize
        self._columns = {column: OfOneColumn(worst.measure) for column in worst.columns}
        self.looks_at_all = any(value.looks_at_all for value in self._columns.values())

    def add(self, part: ClassTable) -> None:
        """See `ValueOfParts.add`."""
        for column, value in self._columns.items():
            value.add(part.of_sensitive(column))

    @property
    def value(self) -> float:
        """See `ValueOfParts.value`."""
        values = [value.value for value in self._columns.values()]
        return min(values) if self._maximize else max(values)


def value_of_parts(measure: Measure) -> ValueOfParts:
    """What takes in parts of classes for a measure that :func:`is_of_parts`."""
    found = measure.from_classes
    return OfColumns(found) if isinstance(found, WorstColumn) else OfOneColumn(measure)


def is_of_parts(measure: Measure) -> bool:
    """Whether the value of a node follows from those of parts of its classes.

    Examples
    --------
    >>> largest = Measure("largest", maximize=True, unit="rows", range="1..N",
    ...                   from_classes=lambda classes: classes.sizes.max())
    >>> is_of_parts(largest)
    False
    """
    found = measure.from_classes
    one = found.measure if isinstance(found, WorstColumn) else measure
    if TARGET in one.needs:
        # Labels are counted apart from the sensitive values.
        return False
    is_of_each = one.from_statistics is None and one.from_classes is None
    return one.of_parts is not None or (is_of_each and one.per_class is not None)
