"""How a table is protected at a node; :class:`anonopt.Microdata` inherits it."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np
import pandas as pd

from anonopt._registry import loaded
from anonopt._typing import AnyIntArray, BoolArray, CodeArray
from anonopt.data.grouping import group_rows
from anonopt.data.suppression import check_suppressed, kept_by_size, resolve_budget
from anonopt.data.values import TOP

if TYPE_CHECKING:
    from anonopt.data.hierarchies.hierarchy import Hierarchy
    from anonopt.data.lattice import Lattice


class TableProtection:
    """The method that protects a table; the class is the table."""

    quasi_identifiers: Sequence[Hashable]
    identifiers: Iterable[Hashable]
    hierarchies: dict[Hashable, Hierarchy]
    lattice: Lattice
    frame: pd.DataFrame
    codes: CodeArray

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        raise NotImplementedError

    def require_rows(self, what: str) -> None:
        """See `Microdata.require_rows`."""
        raise NotImplementedError

    @overload
    def apply(
        self,
        node: Sequence[int],
        *,
        k: int | None = None,
        suppression: float = 0.0,
        class_bounds: Mapping[Any, float] | None = None,
        return_mask: Literal[False] = False,
        to: None = None,
        flag: None = None,
    ) -> pd.DataFrame: ...

    @overload
    def apply(
        self,
        node: Sequence[int],
        *,
        k: int | None = None,
        suppression: float = 0.0,
        class_bounds: Mapping[Any, float] | None = None,
        return_mask: Literal[True],
        to: None = None,
        flag: None = None,
    ) -> tuple[pd.DataFrame, BoolArray]: ...

    @overload
    def apply(
        self,
        node: Sequence[int],
        *,
        k: int | None = None,
        suppression: float = 0.0,
        class_bounds: Mapping[Any, float] | None = None,
        return_mask: Literal[False] = False,
        to: str | PathLike[str],
        flag: str | None = None,
    ) -> pd.Series[Any]: ...

    def apply(
        self,
        node: Sequence[int],
        *,
        k: int | None = None,
        suppression: float = 0.0,
        class_bounds: Mapping[Any, float] | None = None,
        return_mask: bool = False,
        to: str | PathLike[str] | None = None,
        flag: str | None = None,
    ) -> pd.DataFrame | tuple[pd.DataFrame, BoolArray] | pd.Series[Any]:
        """Protect the table: generalize it to `node` and suppress the rows of small classes.

        Parameters
        ----------
        node : sequence of s int
            Level of each quasi-identifier.
        k : int, optional
            Rows in classes smaller than k are suppressed (the fixed-k rule). Without it, k
            is the largest that the budget allows (the reverse rule of Dewri 2010, Section 6).
        suppression : int or float
            Budget: a number of rows if it is an integer, else a share of the rows in 0..1.
        class_bounds : mapping of str or Measure to float, optional
            Under a fixed k, the worst value of a measure that a class may have, such as
            ``{"l": 3}``; the rows of classes that miss one are suppressed too. See
            :class:`~anonopt.evaluation.LatticeEvaluator`.
        return_mask : bool
            Whether to return the mask of suppressed rows too. Only the mask tells a
            suppressed row from one that is generalized to the top in every column.
        to : path, optional
            File that the protected rows are written to, in place of being returned: Parquet or CSV,
            by its suffix. Rows go from the source to the file some at a time, in the order of the
            source (that of a query is what DuckDB gives: end it with ``order by``). The file is
            read again, its classes and suppressed rows, and the columns that stay row by row where
            the source has an order, compared with what they have to be, before it takes its name;
            whatever fails leaves what was there. A table whose rows are not in memory needs it.
        flag : str, optional
            With `to`, name of a column that is added and says which rows are suppressed.

        Returns
        -------
        frame : DataFrame (n_rows, n_columns - identifiers)
            Quasi-identifiers as text of labels, ``*`` in all of them where a row is
            suppressed; identifiers are dropped; everything else, the row index and the order
            of columns are as in the original.
        mask : bool array (n_rows,)
            Suppressed rows; only with ``return_mask=True``.
        report : Series
            In place of both with `to`: ``rows`` of the file, ``suppressed`` rows, ``k`` (rows of
            the smallest class that is kept), ``classes`` that are kept, and ``seconds``.

        Raises
        ------
        TypeError
            If `k` is no whole number, or a class bound no number.
        ValueError
            If `node` is not in the lattice, class bounds come without k or name no measure of
            classes, or k and they need more rows suppressed than the budget allows (gives both
            numbers). With `to`, also if the file ends otherwise, is one that the table is read
            from, or read again is not what it has to be.
        OSError
            If the file cannot be written, as there is no such folder or no space.
        ModuleNotFoundError
            If Parquet is asked for without the extra ``scale`` (says how to install it).
        """
        rule = {"k": k, "suppression": suppression, "class_bounds": class_bounds}
        if to is not None:
            if return_mask:
                raise ValueError("return_mask: expected with a returned table, found to=")
            # Sources are above tables.
            write = loaded("anonopt.sources.writing.protected_files:write_protected")
            report: pd.Series[Any] = write(self, node, to, flag=flag, **rule)
            return report
        if flag is not None:
            raise ValueError("flag: expected with to=, found it alone")
        self.require_rows("apply without to=")
        protected, mask = self._protected(node, k, suppression, class_bounds)
        return (protected, mask) if return_mask else protected

    def _protected(
        self,
        node: Sequence[int],
        k: int | None,
        suppression: float,
        class_bounds: Mapping[Any, float] | None,
    ) -> tuple[pd.DataFrame, BoolArray]:
        levels = self.lattice.validate(node)
        if len(levels) != 1:
            raise ValueError(f"node: expected one vector of levels, found {len(levels)}")
        hierarchies = [self.hierarchies[column] for column in self.quasi_identifiers]
        codes, labels = [], []
        for position, (tree, level) in enumerate(zip(hierarchies, levels[0].tolist(), strict=True)):
            codes.append(tree.maps[level][self.codes[:, position]])
            labels.append(np.array(tree.labels[level], dtype=object))
        n_classes, class_of_row = group_rows(codes, [len(texts) for texts in labels])
        budget = resolve_budget(suppression, self.n_rows)
        if class_bounds is not None and class_bounds != {}:
            kept = self._kept_classes(levels[0].tolist(), class_of_row, k, class_bounds)
        else:
            sizes = np.bincount(class_of_row, minlength=n_classes)
            kept = kept_by_size(sizes, k=k, budget=budget)
        mask = ~kept[class_of_row]
        check_suppressed(
            int(mask.sum()), k=k, budget=budget, n_rows=self.n_rows, is_bounded=bool(class_bounds)
        )
        protected = self.frame.drop(columns=list(self.identifiers))
        for column, column_codes, texts in zip(self.quasi_identifiers, codes, labels, strict=True):
            cells = texts[column_codes]
            cells[mask] = TOP
            protected[column] = cells
        return protected, mask

    def _kept_classes(
        self,
        node: Sequence[int],
        class_of_row: AnyIntArray,
        k: int | None,
        class_bounds: Mapping[Any, float],
    ) -> BoolArray:
        """Classes that meet k and the bounds, (n_classes,)."""
        # Measures are of tables, so a table does not know them before it is asked for one.
        decide = loaded("anonopt.measures.lattice.class_bounds:kept_classes")
        kept: BoolArray = decide(self, node, class_of_row, k=k, class_bounds=class_bounds)
        return kept
