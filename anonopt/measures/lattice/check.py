"""Is this table anonymous? Privacy figures of any table, without hierarchies or search."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
import pandas as pd

from anonopt._checks import check_number
from anonopt._typing import BoolArray, IntArray
from anonopt.data.grouping import group_rows
from anonopt.data.labels import encode_labels
from anonopt.data.roles import find_columns
from anonopt.data.values import TOP
from anonopt.measures.lattice.class_table import ClassTable, SuppressionRule, TableFacts
from anonopt.measures.lattice.privacy import class_distances, closeness, entropy_l, recursive_c
from anonopt.measures.lattice.statistics import SENSITIVE, NodeStatistics
from anonopt.measures.registry import MEASURES

TOLERANCE = 1e-9


def check(
    frame: pd.DataFrame,
    *,
    quasi_identifiers: Sequence[Hashable],
    sensitive: Hashable | None = None,
    k: int = 2,
    l: float | None = None,  # noqa: E741
    t: float | None = None,
    ordered: bool = False,
    suppressed: str | Sequence[bool] | BoolArray | None = None,
) -> pd.Series[Any]:
    """Measure how anonymous a table is as it stands.

    Parameters
    ----------
    frame : DataFrame (n_rows, n_columns)
        Any table; a missing cell is a value of its own.
    quasi_identifiers : list of columns
        Rows equal on all of them form an equivalence class.
    sensitive : column, optional
        Without it the figures that need it are left out of the result.
    k : int
        Smallest class size that is asked for.
    l : float, optional
        Least number of distinct sensitive values in a class that is asked for.
    t : float, optional
        Largest distance of a class's sensitive distribution to that of the whole table
        (suppressed rows included) that is allowed, 0..1.
    ordered : bool
        Whether t is the ordered distance (the order is that of the values) or the equal one.
    suppressed : mask (n_rows,) or ``"*"``, optional
        Rows that were suppressed and therefore are in no class: a mask, or ``"*"`` for the
        rows that hold ``*`` in every quasi-identifier. By default every row counts, since
        full generalization is not suppression.

    Returns
    -------
    Series
        ``anonymous`` (whether k, l and t are met), ``k`` (rows), ``rows`` and ``classes``
        (without suppressed rows), ``suppressed`` (rows), ``mean_size`` (rows),
        ``highest_risk``, ``average_risk``, ``unique_rows`` (shares, less is better),
        ``violating_rows`` (rows in classes that miss k, l or t); with `sensitive` also
        ``l``, ``entropy_l``, ``recursive_cl`` and ``t``.

    Raises
    ------
    TypeError
        If one text is given in place of a list of columns.
    ValueError
        If the table is empty or entirely suppressed, a column is absent or named twice, the mask
        has another length, or l or t is asked for without a sensitive column.

    Examples
    --------
    >>> table = pd.DataFrame({"zip": list("xxxxyyyy"), "illness": list("pppqppqq")})
    >>> report = check(table, quasi_identifiers=["zip"], sensitive="illness")
    >>> report["anonymous"], report["k"], report["l"], round(report["entropy_l"], 6), report["t"]
    (True, 4, 2, 1.754765, 0.125)
    """
    _validate(frame, quasi_identifiers, sensitive, k, l, t)
    left_out = _suppressed_mask(frame, quasi_identifiers, suppressed)
    classes = _classes(frame, left_out, quasi_identifiers, sensitive)
    needs = () if sensitive is None else (SENSITIVE,)
    statistics = NodeStatistics.of(classes, needs)
    names = ["k", "highest_risk", "average_risk", "unique_rows"]
    figures: dict[str, Any] = {}
    for name in names if sensitive is None else [*names, "l"]:
        formula = MEASURES[name].from_statistics
        if formula is not None:
            figures[name] = formula(statistics)[0].item()
    if sensitive is not None:
        kept = classes.kept_classes
        figures["entropy_l"] = entropy_l(kept)
        figures["recursive_cl"] = recursive_c(kept)
        figures["t"] = closeness(kept, ordered=ordered)
    misses = classes.sizes < k
    if l is not None:
        misses |= classes.distinct_sensitive() < l
    if t is not None:
        misses |= class_distances(classes.kept_classes, ordered=ordered) > t + TOLERANCE
    violating = int(classes.sizes[misses].sum())
    return pd.Series(
        {
            "anonymous": violating == 0,
            "rows": classes.facts.n_rows,
            "classes": len(classes.sizes),
            "suppressed": int(left_out.sum()),
            "violating_rows": violating,
            "mean_size": float(classes.sizes.mean()),
            **figures,
        },
        dtype=object,
    )


def _validate(
    frame: pd.DataFrame,
    quasi_identifiers: Sequence[Hashable],
    sensitive: Hashable | None,
    k: int,
    l: float | None,  # noqa: E741
    t: float | None,
) -> None:
    if len(quasi_identifiers) == 0:
        raise ValueError("quasi_identifiers: expected at least one column, found none")
    find_columns(frame, quasi_identifiers)
    if sensitive is not None:
        find_columns(frame, [sensitive])
    elif l is not None or t is not None:
        raise ValueError("sensitive: expected a column where l or t is asked for, found none")
    SuppressionRule(budget=0, k=k)
    for name, bound in (("l", l), ("t", t)):
        if bound is not None:
            check_number(name, bound)


def _suppressed_mask(
    frame: pd.DataFrame,
    quasi_identifiers: Sequence[Hashable],
    suppressed: str | Sequence[bool] | BoolArray | None,
) -> BoolArray:
    if suppressed is None:
        return np.zeros(len(frame), dtype=bool)
    if isinstance(suppressed, str):
        if suppressed != TOP:
            raise ValueError(f"suppressed: expected a mask or {TOP!r}, found {suppressed!r}")
        mask = (frame[list(quasi_identifiers)].astype(str) == TOP).all(axis=1).to_numpy()
    else:
        mask = np.asarray(suppressed)
        if mask.shape != (len(frame),) or mask.dtype != bool:
            raise ValueError(
                f"suppressed: expected a bool mask of {len(frame)} rows, found shape "
                f"{mask.shape} of {mask.dtype}"
            )
    if mask.all():
        raise ValueError(f"all {len(frame)} rows are suppressed: there is no class to measure")
    return mask


def _classes(
    frame: pd.DataFrame,
    left_out: BoolArray,
    quasi_identifiers: Sequence[Hashable],
    sensitive: Hashable | None,
) -> ClassTable:
    """Classes of the rows that are not left out; the table's distribution is that of all rows."""
    kept = frame[~left_out]
    columns, radices = [], []
    for column in quasi_identifiers:
        codes, values = pd.factorize(kept[column], use_na_sentinel=False)
        columns.append(codes)
        radices.append(len(values))
    n_classes, class_of_row = group_rows(columns, radices)
    counts, totals = None, None
    if sensitive is not None:
        values_of_row, labels = encode_labels(frame[sensitive])
        cells = class_of_row * len(labels) + values_of_row[~left_out]
        counts = np.bincount(cells, minlength=n_classes * len(labels))
        counts = counts.reshape(n_classes, len(labels))
        totals = np.bincount(values_of_row, minlength=len(labels))
    facts = TableFacts(
        names=tuple(str(column) for column in quasi_identifiers),
        n_rows=len(kept),
        leaf_counts=tuple((np.ones(radix, dtype=np.int64),) for radix in radices),
        value_counts=tuple(
            (np.bincount(codes, minlength=radix),)
            for codes, radix in zip(columns, radices, strict=True)
        ),
        sensitive_totals=totals,
    )

    def decode(wanted: IntArray) -> IntArray:
        _, first = np.unique(class_of_row, return_index=True)
        return np.stack([codes[first[wanted]] for codes in columns], axis=1)

    return ClassTable(
        facts=facts,
        rule=SuppressionRule(budget=0),
        node=(0,) * len(columns),
        sizes=np.bincount(class_of_row),
        decode=decode,
        sensitive=counts,
    )
