"""The ways to make a hierarchy; :class:`anonopt.Hierarchy` inherits them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from typing import Any, Literal, TypeVar

import pandas as pd

from anonopt._typing import CodeArray
from anonopt.data.hierarchies.dates import Unit, date_levels
from anonopt.data.hierarchies.hierarchy_files import Header, level_names, read_hierarchy
from anonopt.data.hierarchies.hierarchy_levels import Labels
from anonopt.data.hierarchies.intervals import Bounds, Number, interval_levels
from anonopt.data.hierarchies.masked_texts import masked_levels
from anonopt.data.hierarchies.plain_levels import ordered_levels, tree_levels

H = TypeVar("H", bound="HierarchyBuilders")


class HierarchyBuilders:
    """Class methods that make a hierarchy; the class is built from its levels."""

    def __init__(self, levels: Sequence[Sequence[object]]) -> None:
        raise NotImplementedError

    @classmethod
    def _coded(cls: type[H], labels: Labels, maps: CodeArray) -> H:
        """Hierarchy of what :func:`hierarchy_levels.code_levels` returns."""
        raise NotImplementedError

    @classmethod
    def from_csv(cls: type[H], path: str | PathLike[str], *, header: Header = "auto") -> H:
        """Read a CSV file of one leaf a line: the leaf, its labels level by level, the top.

        This is the layout of ARX. The separator, ``,`` or ``;``, is detected; fields may be
        quoted and the file may start with a byte order mark.

        Parameters
        ----------
        path : path
        header : bool or "auto"
            Whether the first line holds names; "auto" takes it for names exactly if they
            are ``level0`` to ``levelN``.

        Raises
        ------
        ValueError
            If the file is empty, a line has another number of fields than the first (names
            both and the line), a leaf or label has two parents, or the top has several values.
        """
        levels = read_hierarchy(path, header=header)
        try:
            return cls(levels)
        except ValueError as error:
            raise ValueError(f"{path}: {error}") from error

    @classmethod
    def from_frame(cls: type[H], frame: pd.DataFrame) -> H:
        """Take a taxonomy frame: one row a leaf, one column a level.

        Parameters
        ----------
        frame : DataFrame (n_leaves, H + 1)
            Columns named ``level0`` to ``levelH`` may stand in any order; columns of other
            names are taken from the left, leaf first.

        Examples
        --------
        >>> import pandas as pd
        >>> from anonopt.data import Hierarchy
        >>> frame = pd.DataFrame({"level1": ["*", "*"], "level0": ["A", "B"]})
        >>> Hierarchy.from_frame(frame).labels
        (('A', 'B'), ('*',))
        """
        names = level_names(frame.shape[1])
        if sorted(map(str, frame.columns)) == sorted(names):
            frame = frame[names]
        return cls([frame.iloc[:, position].tolist() for position in range(frame.shape[1])])

    @classmethod
    def from_tree(cls: type[H], tree: Mapping[Any, Any]) -> H:
        """Take a nested dictionary: a value's children stand under it.

        Parameters
        ----------
        tree : dict of one key
            The top value over a dictionary of its children, or over a list of leaves. A
            leaf in a dictionary has None, or nothing, under it. A branch that ends early
            repeats its leaf on the levels above it, so all leaves have the same depth.

        Raises
        ------
        ValueError
            If there are several top values or a label has two parents on one level.

        Examples
        --------
        >>> from anonopt.data import Hierarchy
        >>> zone = Hierarchy.from_tree({"*": {"North": ["A", "B"], "C": None}})
        >>> zone.to_frame().values.tolist()
        [['A', 'North', '*'], ['B', 'North', '*'], ['C', 'C', '*']]
        """
        return cls(tree_levels(tree))

    @classmethod
    def intervals(
        cls: type[H],
        values: Iterable[object],
        *,
        width: Number,
        anchor: Number = 0,
        fan_outs: Sequence[int] = (),
        low: Number | None = None,
        high: Number | None = None,
        bottom_code: bool = False,
        top_code: bool = False,
    ) -> H:
        """Group numbers into half-open intervals ``[lo,hi)``.

        Level 0 holds the values, level 1 intervals of `width`, each further level joins as
        many intervals as its fan-out says, and the last level is ``*``: the height is
        ``len(fan_outs) + 2`` whatever the values are.

        Parameters
        ----------
        values : iterable of numbers
            The domain, e.g. ``range(17, 91)`` or a column; missing values are left out.
        width : number
            Width of the intervals of level 1, above 0. Edges are exact: 0.1 is one tenth.
        anchor : number
            An edge of an interval on every level.
        fan_outs : sequence of int
            Intervals joined into one at levels 2, 3, ...; at least 2 each.
        low, high : number, optional
            Declared range, ``low <= value < high``.
        bottom_code, top_code : bool
            Put the values below `low` under ``<low``, those from `high` on under ``>=high``
            at every level between the values and the top; an interval is cut at the code.

        Raises
        ------
        ValueError
            If a value is not a finite number or lies outside the declared range and there is
            no code for it (names the value), or an argument is out of its range.

        Examples
        --------
        >>> from anonopt.data import Hierarchy
        >>> age = Hierarchy.intervals([25, 17], width=10, fan_outs=[2])
        >>> age.to_frame().values.tolist()
        [['17', '[10,20)', '[0,20)', '*'], ['25', '[20,30)', '[20,40)', '*']]
        """
        bounds = Bounds.of(low, high, bottom_code=bottom_code, top_code=top_code)
        return cls(interval_levels(values, width, anchor, fan_outs, bounds))

    @classmethod
    def text(
        cls: type[H],
        values: Iterable[object],
        *,
        direction: Literal["right_to_left", "left_to_right"] = "right_to_left",
        length: int | None = None,
        mask: str = "*",
        padding: str = " ",
    ) -> H:
        """Mask one more character at each level.

        Parameters
        ----------
        values : iterable of text
            The domain, e.g. postal codes; missing values are left out.
        direction : {"right_to_left", "left_to_right"}
            Where masking begins.
        length : int, optional
            Height of the hierarchy and length to which values are padded on the side where
            masking begins; the longest value's by default.
        mask, padding : character

        Raises
        ------
        ValueError
            If a value is longer than `length` (names it), or a character is not one.

        Examples
        --------
        >>> from anonopt.data import Hierarchy
        >>> Hierarchy.text(["81667", "81675"]).labels[1:4]
        (('8166*', '8167*'), ('816**',), ('81***',))
        """
        return cls._coded(
            *masked_levels(values, direction=direction, length=length, mask=mask, padding=padding)
        )

    @classmethod
    def dates(
        cls: type[H],
        values: Iterable[object],
        *,
        levels: Sequence[Unit] = ("day", "month", "year", "decade"),
        format: str = "%Y-%m-%d",
    ) -> H:
        """Group days into months, years and decades, with ``*`` above.

        Parameters
        ----------
        values : iterable of datetime, date or text
            The domain, e.g. a column or ``pandas.date_range(...)``; missing values are left
            out.
        levels : sequence of {"day", "month", "year", "decade"}
            Levels below the top, from "day" upwards; any but the first may be left out.
        format : text
            How text is read (``strptime`` codes); it has no effect on datetimes, whose
            leaves are written ``2014-09-03``.

        Raises
        ------
        ValueError
            If text does not fit the format, or a value has a time of day (names the first
            such value), or two texts stand for one day.

        Examples
        --------
        >>> from anonopt.data import Hierarchy
        >>> days = ["2014-09-03", "2014-10-03", "2014-09-30"]
        >>> Hierarchy.dates(days, levels=["day", "month", "year"]).labels[1:]
        (('2014-09', '2014-10'), ('2014',), ('*',))
        """
        return cls(date_levels(values, levels=levels, text_format=format))

    @classmethod
    def ordered(cls: type[H], values: Iterable[object], *, fan_outs: Sequence[int] = ()) -> H:
        """Group neighbors of an ordered list of values.

        Parameters
        ----------
        values : iterable
            The domain in its order.
        fan_outs : sequence of int
            Groups joined into one at levels 1, 2, ...; at least 2 each. The last group of a
            level may be smaller. Without any, the values stand directly under ``*``.

        Raises
        ------
        ValueError
            If a value is missing or given twice, or two groups would have the same label.

        Examples
        --------
        >>> from anonopt.data import Hierarchy
        >>> Hierarchy.ordered(["low", "mid", "high"], fan_outs=[2]).labels[1:]
        (('{low, mid}', '{high}'), ('*',))
        """
        return cls(ordered_levels(values, fan_outs=fan_outs))
