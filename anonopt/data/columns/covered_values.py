"""What generalized labels cover: intervals, sets, codes of an end, masked text, periods, nodes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from anonopt._typing import IntArray
from anonopt.data.columns.value_scales import (
    DateScale,
    Exact,
    NumberScale,
    OrderScale,
    as_exact,
    intervals,
    scale_of,
)
from anonopt.data.hierarchies.hierarchy import Hierarchy
from anonopt.data.readings import has_leading_zero
from anonopt.data.values import MISSING, TOP

Runs = tuple[tuple[int, int], ...]
"""Codes ``start..stop - 1`` each, in ascending order and apart from each other."""

READABLE = (
    "a value, '*', an interval such as '[20, 30)', '20-29' or '(20, 30]', an end such as '<20', "
    "'>=65' or '65+', a set such as '{a, b}', masked text such as '816**', or a label"
)
"""Labels that are read, for messages."""

_OPENING = ("[", "(")

_BETWEEN_MEMBERS = (",", ";", "|", "/", " or ")


class CoveredValues:
    """Reads the labels of one generalized column: which of its values each of them covers.

    Read are, in this order: labels of a hierarchy; the values themselves and ``<missing>``; ``*``,
    which covers everything; ``... or <missing>``, as Mondrian writes it; sets ``{a, b}``, in which
    members that the column does not have cover nothing; intervals in brackets, ``[20, 30)``,
    ``(20, 30]``, ``[20, 29]`` and ARX's ``[20, 30[``, an end of which may be left out or infinite;
    codes of an end, ``<20``, ``<=19``, ``>64``, ``>=65``, ``65+``, ``up to 19``; ranges with both
    ends, ``20-29``; periods of dates, ``2014-09``, ``2014``, ``2010-2019``; text with masked
    characters, ``816**`` or ``***67``, padded as :meth:`anonopt.Hierarchy.text` pads; and lists of
    values, ``a, b``. Intervals and ends need numbers, dates (ISO 8601), or an order.

    Parameters
    ----------
    texts : sequence of text
        Values of the column by code, missing cells left out.
    is_ordinal : bool
        Whether codes are in an order that has a meaning. Numbers and dates have one of their own.
    has_missing : bool
        Whether missing cells are a value; theirs is the last code, ``len(texts)``.
    hierarchy : Hierarchy, optional
        Its leaves are the values: `texts` and perhaps ``<missing>``, in any order.

    Examples
    --------
    >>> ages = CoveredValues(["18", "21", "34", "70"])
    >>> ages.read(["21", "[18, 34)", "20-39", "65+", "*", "young"])
    [((1, 2),), ((0, 2),), ((1, 3),), ((3, 4),), ((0, 4),), None]
    """

    def __init__(
        self,
        texts: Sequence[str],
        *,
        is_ordinal: bool = False,
        has_missing: bool = False,
        hierarchy: Hierarchy | None = None,
    ) -> None:
        self.n_values = len(texts) + has_missing
        self._texts = list(texts)
        self._codes = {text: code for code, text in enumerate(texts)}
        if has_missing:
            self._codes[MISSING] = len(texts)
        self._scale = scale_of(self._texts, is_ordinal=is_ordinal)
        self._hierarchy = hierarchy
        self._shapes: dict[tuple[object, ...], dict[str, list[int]]] = {}

    def read(self, labels: Sequence[str]) -> list[Runs | None]:
        """Codes that each of the labels of a column covers.

        Parameters
        ----------
        labels : sequence of text
            All distinct labels of the column: where a hierarchy has one of them on several
            levels, the others tell which level is meant.

        Returns
        -------
        list of runs of codes, or None where a label cannot be read
            No run at all if it can be read, but covers none of the values.

        Raises
        ------
        ValueError
            If a label stands for different values on different levels of the hierarchy, and no
            level has all of the labels.
        """
        nodes = self._nodes(labels)
        return [self._read(label, nodes) for label in labels]

    def code(self, label: str) -> int | None:
        """Code of a value, None of anything else; numbers are equal however they are written."""
        code = self._codes.get(label)
        if code is not None or not self._numbers or has_leading_zero(label):
            return code
        number = as_exact(label)
        return None if number is None else self._numbers.get(number)

    @property
    def has_scale(self) -> bool:
        """Whether the values are numbers or dates, or their text."""
        return isinstance(self._scale, NumberScale | DateScale)

    def could_be_value(self, label: str) -> bool:
        """Whether a label is of the kind of the values: a number or date among numbers or dates."""
        return isinstance(self._scale, NumberScale | DateScale) and self._scale.is_value(label)

    @cached_property
    def _numbers(self) -> dict[Exact, int]:
        numbers = {as_exact(text): code for code, text in enumerate(self._texts)}
        is_code = any(map(has_leading_zero, self._texts))
        if is_code or None in numbers or len(numbers) < len(self._texts):
            return {}
        return {number: code for number, code in numbers.items() if number is not None}

    @cached_property
    def _natural_order(self) -> OrderScale | None:
        """Order of text, in which masking methods make intervals where they are given none."""
        return OrderScale(self._texts) if self._texts == sorted(self._texts) else None

    def _nodes(self, labels: Sequence[str]) -> dict[str, Runs]:
        """Labels of the hierarchy that occur, with what they cover."""
        if self._hierarchy is None:
            return {}
        wanted = [label for label in labels if label not in (TOP, MISSING)]
        tree = self._hierarchy
        levels = [level for level in range(tree.height + 1) if set(wanted) <= _names(tree, level)]
        found: dict[str, Runs] = {}
        for level in levels[:1] or range(tree.height, -1, -1):
            of_leaf = [self._codes[text] for text in tree.labels[0]]
            members: dict[str, list[int]] = {}
            for code, node in zip(of_leaf, tree.maps[level].tolist(), strict=True):
                members.setdefault(tree.labels[level][node], []).append(code)
            for label in _names(tree, level).intersection(wanted):
                runs = runs_of(members[label])
                if found.setdefault(label, runs) != runs:
                    raise ValueError(
                        f"expected labels of one level of the hierarchy, or none that stands for "
                        f"different values on different levels, found {label!r}"
                    )
        return found

    def _read(self, label: str, nodes: dict[str, Runs]) -> Runs | None:
        if label in nodes:
            return nodes[label]
        if (code := self.code(label)) is not None:
            return ((code, code + 1),)
        if label == TOP:
            return ((0, self.n_values),)
        also_missing = f" or {MISSING}"
        if label.endswith(also_missing) and MISSING in self._codes:
            part = self._read(label.removesuffix(also_missing), nodes)
            return None if part is None else joined([*part, (self.n_values - 1, self.n_values)])
        for reader in (self._set, self._interval, self._masked_text, self._list):
            if (runs := reader(label)) is not None:
                return runs
        return None

    def _set(self, label: str) -> Runs | None:
        text = label.strip()
        if not (text.startswith("{") and text.endswith("}")):
            return None
        return runs_of(code for code in self._members(text[1:-1], ",") if code is not None)

    def _list(self, label: str) -> Runs | None:
        for separator in _BETWEEN_MEMBERS:
            codes = self._members(label, separator) if separator in label else []
            known = [code for code in codes if code is not None]
            if len(known) == len(codes) > 1:
                return runs_of(known)
        return None

    def _members(self, text: str, separator: str) -> list[int | None]:
        """Codes of the members of a set; a value may hold the separator, None is unknown."""
        parts = text.split(separator)
        codes: list[int | None] = []
        start = 0
        while start < len(parts):
            for stop in range(len(parts), start, -1):
                code = self.code(_unquoted(separator.join(parts[start:stop]).strip()))
                if code is not None:
                    break
            codes.append(code)
            start = stop
        return codes

    def _interval(self, label: str) -> Runs | None:
        scale = self._scale
        if scale is None and label[:1] in _OPENING:
            scale = self._natural_order
        if scale is None:
            return None
        for low, low_in, high, high_in in intervals(label):
            run = scale.run(low, low_in, high, high_in)
            if run is not None:
                return (run,) if run[0] < run[1] else ()
        return None

    def _masked_text(self, label: str) -> Runs | None:
        """Text whose masked characters are stars, padded on the side of the stars."""
        if TOP not in label:
            return None
        from_left = label.startswith(TOP) and not label.endswith(TOP)
        shown = tuple(place for place, character in enumerate(label) if character != TOP)
        shape = (shown, len(label), from_left)
        if shape not in self._shapes:
            groups: dict[str, list[int]] = {}
            for code, text in enumerate(self._texts):
                if len(text) <= len(label):
                    padded = text.rjust(len(label)) if from_left else text.ljust(len(label))
                    groups.setdefault("".join(padded[at] for at in shown), []).append(code)
            self._shapes[shape] = groups
        return runs_of(self._shapes[shape].get("".join(label[at] for at in shown), []))


def runs_of(codes: Iterable[int]) -> Runs:
    """Runs of neighbouring codes.

    Examples
    --------
    >>> runs_of([5, 1, 2])
    ((1, 3), (5, 6))
    """
    return joined([(code, code + 1) for code in codes])


def joined(runs: Iterable[tuple[int, int]]) -> Runs:
    """Runs in ascending order, those that touch as one."""
    found: list[tuple[int, int]] = []
    for start, stop in sorted(runs):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(stop, found[-1][1]))
        else:
            found.append((start, stop))
    return tuple(found)


def lengths_of(runs: Sequence[Runs]) -> IntArray:
    """Number of codes that each label covers, int64 array (n_labels,)."""
    return np.array([sum(b - a for a, b in label) for label in runs], dtype=np.int64)


def _unquoted(text: str) -> str:
    is_quoted = len(text) > 1 and text[0] == text[-1] and text[0] in "'\""
    return text[1:-1] if is_quoted else text


def _names(hierarchy: Hierarchy, level: int) -> set[Any]:
    return set(hierarchy.labels[level])
