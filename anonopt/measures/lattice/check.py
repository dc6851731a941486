"""Is this table anonymous? Privacy figures of any table, without hierarchies or search."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from anonopt._checks import check_number
from anonopt._typing import BoolArray, IntArray
from anonopt.data.grouping import group_rows
from anonopt.data.hierarchies.hierarchy import Hierarchy
from anonopt.data.hierarchies.hierarchy_sources import levels_of_codes
from anonopt.data.labels import encode_labels
from anonopt.data.population_codes import check_population
from anonopt.data.roles import find_columns
from anonopt.data.values import TOP, as_text
from anonopt.measures.lattice.class_table import ClassTable
from anonopt.measures.lattice.disclosure import (
    beta_likeness,
    delta_disclosure,
    hierarchical_closeness,
)
from anonopt.measures.lattice.population import Population
from anonopt.measures.lattice.population_risk import (
    journalist_risk,
    marketer_risk,
    population_sizes,
)
from anonopt.measures.lattice.privacy import class_distances, closeness, entropy_l, recursive_c
from anonopt.measures.lattice.sparse_counts import count_values
from anonopt.measures.lattice.statistics import SENSITIVE, NodeStatistics
from anonopt.measures.lattice.suppression_rule import SuppressionRule
from anonopt.measures.lattice.table_facts import TableFacts
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
    hierarchies: Mapping[Any, Hierarchy] | None = None,
    population: pd.DataFrame | None = None,
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
    hierarchies : mapping of column to Hierarchy, optional
        That of the sensitive column, for its hierarchical distance.
    population : DataFrame (n_people, n_columns), optional
        Everybody whom the table could be about, generalized in the same way: rows of it belong
        to the class whose values they have.
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
        ``violating_rows`` and ``violating_classes`` (that miss k, l or t); with `sensitive` also
        ``l``, ``entropy_l``, ``recursive_cl``, ``t``, ``delta_disclosure`` and
        ``beta_likeness``, and ``t_hierarchical`` if its hierarchy is given; with `population`
        also ``journalist_risk`` and ``marketer_risk``.

    Raises
    ------
    TypeError
        If one text is given in place of a list of columns.
    ValueError
        If the table is empty or entirely suppressed, a column is absent or named twice, the mask
        has another length, l or t is asked for without a sensitive column, a hierarchy is of
        another column, or fewer people of the population than rows are in some class.

    Examples
    --------
    >>> table = pd.DataFrame({"zip": list("xxxxyyyy"), "illness": list("pppqppqq")})
    >>> report = check(table, quasi_identifiers=["zip"], sensitive="illness")
    >>> report["anonymous"], report["k"], report["l"], round(report["entropy_l"], 6), report["t"]
    (True, 4, 2, 1.754765, 0.125)
    """
    _validate(frame, quasi_identifiers, sensitive, k, l, t, hierarchies, population)
    left_out = _suppressed_mask(frame, quasi_identifiers, suppressed)
    classes = _classes(frame, left_out, quasi_identifiers, sensitive, hierarchies or {}, population)
    needs = () if sensitive is None else (SENSITIVE,)
    statistics = NodeStatistics.of(classes, needs)
    kept = classes.kept_classes
    names = ["k", "highest_risk", "average_risk", "unique_rows"]
    figures: dict[str, Any] = {}
    for name in names if sensitive is None else [*names, "l"]:
        formula = MEASURES[name].from_statistics
        if formula is not None:
            figures[name] = formula(statistics)[0].item()
    if sensitive is not None:
        figures["entropy_l"] = entropy_l(kept)
        figures["recursive_cl"] = recursive_c(kept)
        figures["t"] = closeness(kept, ordered=ordered)
        figures["delta_disclosure"] = delta_disclosure(kept)
        figures["beta_likeness"] = beta_likeness(kept)
    if hierarchies:
        figures["t_hierarchical"] = hierarchical_closeness(kept)
    if population is not None:
        figures["journalist_risk"] = journalist_risk(kept)
        figures["marketer_risk"] = marketer_risk(kept)
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
            "violating_classes": int(misses.sum()),
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
    hierarchies: Mapping[Any, Hierarchy] | None,
    population: pd.DataFrame | None,
) -> None:
    if len(quasi_identifiers) == 0:
        raise ValueError("quasi_identifiers: expected at least one column, found none")
    find_columns(frame, quasi_identifiers)
    for column in hierarchies or {}:
        if column != sensitive:
            raise ValueError(
                f"hierarchies: expected one of the sensitive column {sensitive!r}, "
                f"found one of {column!r}"
            )
    if population is not None:
        check_population(population, quasi_identifiers)
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
    hierarchies: Mapping[Any, Hierarchy],
    population: pd.DataFrame | None,
) -> ClassTable:
    """Classes of the rows that are not left out; the table's distribution is that of all rows."""
    kept = frame[~left_out]
    columns, radices, values_of = [], [], {}
    for column in quasi_identifiers:
        codes, values_of[column] = pd.factorize(kept[column], use_na_sentinel=False)
        columns.append(codes)
        radices.append(len(values_of[column]))
    n_classes, class_of_row = group_rows(columns, radices)
    counts, totals, tree = None, None, None
    if sensitive is not None:
        values_of_row, labels = encode_labels(frame[sensitive])
        counts = count_values(
            class_of_row, values_of_row[~left_out], n_classes=n_classes, n_values=len(labels)
        )
        totals = np.bincount(values_of_row, minlength=len(labels))
        if sensitive in hierarchies:
            tree = levels_of_codes(hierarchies[sensitive], frame[sensitive], values_of_row)
    facts = TableFacts(
        names=tuple(str(column) for column in quasi_identifiers),
        n_rows=len(kept),
        leaf_counts=tuple((np.ones(radix, dtype=np.int64),) for radix in radices),
        value_counts=tuple(
            (np.bincount(codes, minlength=radix),)
            for codes, radix in zip(columns, radices, strict=True)
        ),
        sensitive_totals=totals,
        sensitive_tree=tree,
        population=None if population is None else _people(population, values_of),
    )

    def decode(wanted: IntArray) -> IntArray:
        _, first = np.unique(class_of_row, return_index=True)
        return np.stack([codes[first[wanted]] for codes in columns], axis=1)

    table = ClassTable(
        facts=facts,
        rule=SuppressionRule(budget=0),
        node=(0,) * len(columns),
        sizes=np.bincount(class_of_row),
        decode=decode,
        sensitive=counts,
    )
    if population is not None:
        _check_people(table, values_of)
    return table


def _people(population: pd.DataFrame, values_of: Mapping[Hashable, pd.Index[Any]]) -> Population:
    """A population coded like the classes; values that no class has share the last code."""
    columns, maps = [], []
    for column, values in values_of.items():
        known = {as_text(value): code for code, value in enumerate(values)}
        codes, uniques = pd.factorize(population[column], use_na_sentinel=False)
        found = np.array([known.get(as_text(value), len(known)) for value in uniques], np.int32)
        columns.append(found[codes])
        maps.append(np.arange(len(values) + 1, dtype=np.int32)[np.newaxis])
    return Population.of(np.column_stack(columns), tuple(maps))


def _check_people(table: ClassTable, values_of: Mapping[Hashable, pd.Index[Any]]) -> None:
    people = population_sizes(table.kept_classes)
    missing = np.flatnonzero(people < table.sizes)
    if len(missing):
        first = int(missing[0])
        values = ", ".join(
            f"{column}={as_text(values[code])}"
            for (column, values), code in zip(
                values_of.items(), table.decode(missing[:1])[0], strict=True
            )
        )
        raise ValueError(
            f"population: expected at least the rows of the table, {table.sizes[first]} of "
            f"{values}, found {people[first]}"
        )
