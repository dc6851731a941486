"""Is this table anonymous? Privacy figures of any table, without hierarchies or search."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from contextlib import ExitStack
from typing import Any

import pandas as pd

from anonopt._checks import check_number
from anonopt._typing import BoolArray
from anonopt.data.hierarchies.hierarchy import Hierarchy
from anonopt.data.population_codes import check_population
from anonopt.data.roles import find_columns, names_of_sensitive
from anonopt.measures.lattice.class_bounds import MeasureBound, check_per_class, given_bounds
from anonopt.measures.lattice.class_table import ClassTable
from anonopt.measures.lattice.frame_classes import (
    classes_of_frame,
    classes_of_source,
    suppressed_mask,
)
from anonopt.measures.lattice.suppression_rule import SuppressionRule
from anonopt.measures.lattice.table_measures import reads_sensitive
from anonopt.measures.lattice.worst_column import (
    OF_COLUMNS,
    SEPARATOR,
    WorstColumn,
    node_value,
)
from anonopt.measures.measure import Measure
from anonopt.measures.registry import MEASURES, get_measure
from anonopt.sources.opening import Rows, lent
from anonopt.sources.population_of_source import check_people
from anonopt.sources.source import Source

ALWAYS = ("k", "highest_risk", "average_risk", "unique_rows")
OF_SENSITIVE = ("l", "entropy_l", "recursive_cl", "t", "delta_disclosure", "beta_likeness")
OF_POPULATION = ("journalist_risk", "marketer_risk")
"""Figures of every table, of one with sensitive columns, of one with a population."""

Bound = tuple[str, Measure, float]
"""Name of the figure, the measure, and the worst value of a class."""


def check(
    frame: Rows,
    *,
    quasi_identifiers: Sequence[Hashable],
    sensitive: Hashable | Sequence[Hashable] | None = None,
    k: int = 2,
    l: float | None = None,  # noqa: E741
    t: float | None = None,
    ordered: bool = False,
    class_bounds: Mapping[Any, float] | None = None,
    hierarchies: Mapping[Any, Hierarchy] | None = None,
    population: Rows | None = None,
    suppressed: str | Sequence[bool] | BoolArray | None = None,
) -> pd.Series[Any]:
    """Measure how anonymous a table is as it stands.

    Parameters
    ----------
    frame : DataFrame (n_rows, n_columns), path or Source
        Any table; a missing cell is a value of its own. Files (Parquet, or CSV by the ends
        ``.csv``, ``.csv.gz``, ``.tsv``, ``.tsv.gz``; one, a pattern or a folder) and the rows of a
        source (``anonopt.sources``) are counted by their engine and need not fit into memory; the
        cells of CSV are text.
    quasi_identifiers : list of columns
        Rows equal on all of them form an equivalence class.
    sensitive : column or list of columns, optional
        Without it the figures that need it are left out of the result. Of several columns the
        figures are the worst over the columns, and those of each have names like
        ``"l:occupation"``.
    k : int
        Smallest class size that is asked for.
    l : float, optional
        Least number of distinct sensitive values in a class that is asked for.
    t : float, optional
        Largest distance of a class's sensitive distribution to that of the whole table
        (suppressed rows included) that is allowed, 0..1.
    ordered : bool
        Whether t is the ordered distance (the order is that of the values) or the equal one.
    class_bounds : mapping of str or Measure to float, optional
        Further bounds of single classes, such as ``{"entropy_l": 2, "beta_likeness": 1}``: the
        worst value that a class may have.
    hierarchies : mapping of column to Hierarchy, optional
        Those of sensitive columns, for the hierarchical distance.
    population : DataFrame (n_people, n_columns), path or Source, optional
        Everybody whom the table could be about, generalized in the same way: rows of it belong
        to the class whose values they have. Those of a file or a source are counted there.
    suppressed : mask (n_rows,) or ``"*"``, optional
        Rows that were suppressed and therefore are in no class: a mask, or ``"*"`` for the
        rows that hold ``*`` in every quasi-identifier. By default every row counts, since
        full generalization is not suppression. No mask with rows that are not in memory.

    Returns
    -------
    Series
        ``anonymous`` (whether k, l, t and the bounds are met), ``k`` (rows), ``rows`` and
        ``classes`` (without suppressed rows), ``suppressed`` (rows), ``mean_size`` (rows),
        ``highest_risk``, ``average_risk``, ``unique_rows`` (shares, less is better),
        ``violating_rows`` and ``violating_classes`` (that miss one of these); with `sensitive` also
        ``l``, ``entropy_l``, ``recursive_cl``, ``t``, ``delta_disclosure`` and
        ``beta_likeness``, and ``t_hierarchical`` if its hierarchy is given; with `population`
        also ``journalist_risk`` and ``marketer_risk``; and what is bounded.

    Raises
    ------
    TypeError
        If one text is given in place of a list of columns, the bounds are no mapping, or one is no
        number.
    ValueError
        If the table is empty or entirely suppressed, a column is absent or named twice, the mask
        has another length, l or t is asked for without a sensitive column, a bound is on what is
        no measure of single classes, a hierarchy is of another column, or fewer people of the
        population than rows are in some class.

    Examples
    --------
    >>> table = pd.DataFrame({"zip": list("xxxxyyyy"), "illness": list("pppqppqq")})
    >>> report = check(table, quasi_identifiers=["zip"], sensitive="illness")
    >>> report["anonymous"], report["k"], report["l"], round(report["entropy_l"], 6), report["t"]
    (True, 4, 2, 1.754765, 0.125)
    """
    names = names_of_sensitive(sensitive)
    bounds = _bounds(l, t, "t_ordered" if ordered else "t", class_bounds)
    _validate(frame, quasi_identifiers, names, k, bounds, hierarchies, population)
    with ExitStack() as held:
        people: Source | None = None
        in_memory = isinstance(population, pd.DataFrame) and isinstance(frame, pd.DataFrame)
        if population is not None and not in_memory:
            people = held.enter_context(lent(population, "population"))
            check_people(people, quasi_identifiers)
        if isinstance(frame, pd.DataFrame):
            left_out = suppressed_mask(frame, quasi_identifiers, suppressed)
            n_left_out = int(left_out.sum())
            classes = classes_of_frame(
                frame,
                left_out,
                quasi_identifiers,
                names,
                hierarchies or {},
                population if isinstance(population, pd.DataFrame) else people,
            )
        else:
            classes, n_left_out = classes_of_source(
                held.enter_context(lent(frame, "frame")),
                quasi_identifiers,
                names,
                hierarchies or {},
                suppressed=suppressed,
                population=people,
            )
    wanted = {name: MEASURES[name] for name in ALWAYS}
    wanted |= {name: MEASURES[name] for name in (OF_SENSITIVE if names else ())}
    if names and ordered:
        wanted["t"] = MEASURES["t_ordered"]
    if population is not None:
        wanted |= {name: MEASURES[name] for name in OF_POPULATION}
    wanted |= {name: measure for name, measure, _ in bounds}
    figures: dict[str, Any] = {}
    columns = [str(column) for column in names]
    if hierarchies:
        name, known = "t_hierarchical", [str(column) for column in names if column in hierarchies]
        figures |= _figures(name, MEASURES[name], classes, known)
    for name, measure in wanted.items():
        figures |= _figures(name, measure, classes, columns)
    misses = classes.sizes < k
    for _, measure, bound in bounds:
        for table in _tables(measure, classes, columns).values():
            misses |= _missed(measure, table, bound)
    violating = int(classes.sizes[misses].sum())
    return pd.Series(
        {
            "anonymous": violating == 0,
            "rows": classes.facts.n_rows,
            "classes": len(classes.sizes),
            "suppressed": n_left_out,
            "violating_rows": violating,
            "violating_classes": int(misses.sum()),
            "mean_size": float(classes.sizes.mean()),
            **figures,
        },
        dtype=object,
    )


def _bounds(
    l: float | None,  # noqa: E741
    t: float | None,
    distance: str,
    others: Mapping[Any, float] | None,
) -> list[Bound]:
    """All bounds of single classes but k."""
    asked: list[tuple[str, Any, Any]] = [("l", "l", l), ("t", distance, t)]
    asked += [(getattr(one, "name", one), one, bound) for one, bound in given_bounds(others)]
    found: list[Bound] = []
    for name, one, bound in asked:
        if bound is None:
            continue
        measure = get_measure(one, of="node")
        check_per_class(measure, name)
        found.append((name, measure, check_number(name, bound)))
    return found


def _validate(
    frame: object,
    quasi_identifiers: Sequence[Hashable],
    sensitive: Sequence[Hashable],
    k: int,
    bounds: Sequence[Bound],
    hierarchies: Mapping[Any, Hierarchy] | None,
    population: Rows | None,
) -> None:
    if len(quasi_identifiers) == 0:
        raise ValueError("quasi_identifiers: expected at least one column, found none")
    if isinstance(frame, pd.DataFrame):
        find_columns(frame, quasi_identifiers)
        if sensitive:
            find_columns(frame, sensitive)
    for column in hierarchies or {}:
        if column not in sensitive:
            raise ValueError(
                f"hierarchies: expected those of sensitive columns {list(sensitive)}, "
                f"found one of {column!r}"
            )
    if isinstance(population, pd.DataFrame):
        check_population(population, quasi_identifiers)
    for name, measure, _ in bounds:
        if not sensitive and not OF_COLUMNS.isdisjoint(measure.needs):
            raise ValueError(f"sensitive: expected a column where {name} is asked for, found none")
        if isinstance(measure.from_classes, WorstColumn):
            column = measure.from_classes.columns[0]
            if column not in map(str, sensitive):
                raise ValueError(
                    f"{name}: expected a sensitive column after {SEPARATOR!r}, one of "
                    f"{list(map(str, sensitive))}, found {column!r}"
                )
    SuppressionRule(budget=0, k=k)


def _tables(
    measure: Measure, classes: ClassTable, sensitive: Sequence[str]
) -> dict[str, ClassTable]:
    """The classes with the counts of each sensitive column that a measure is of."""
    own = measure.from_classes
    if isinstance(own, WorstColumn):
        sensitive = own.columns
    elif not (classes.facts.sensitive_parts and reads_sensitive(measure)):
        return {"": classes}
    return {column: classes.of_sensitive(column) for column in sensitive}


def _figures(
    name: str, measure: Measure, classes: ClassTable, sensitive: Sequence[str]
) -> dict[str, Any]:
    """Value of the table by a measure; of several sensitive columns the worst, and each."""
    own = measure.from_classes
    base = own.measure if isinstance(own, WorstColumn) else measure
    tables = _tables(measure, classes, sensitive)
    values = {column: node_value(base, table) for column, table in tables.items()}
    worst = (min if base.maximize else max)(values.values())
    if len(values) == 1:
        return {name: worst}
    parts = {f"{name}{SEPARATOR}{column}": value for column, value in values.items()}
    return {name: worst, **parts}


def _missed(measure: Measure, table: ClassTable, bound: float) -> BoolArray:
    own = measure.from_classes
    base = own.measure if isinstance(own, WorstColumn) else measure
    return ~MeasureBound(base, bound, base.needs).met(table.kept_classes)
