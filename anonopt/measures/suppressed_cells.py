"""The built-in measures of tables some of whose cells are suppressed."""

from __future__ import annotations

from typing import Any

from anonopt.measures.measure import LESS, Measure

SUPPRESSED_CELLS = "suppressed cells"
"""The kind of what these measure."""


def weight_of_cells(original: Any, protected: Any) -> float:
    """Weight of the suppressed cells of a `SuppressedCells`."""
    return float(protected.cost)


def affected_rows(original: Any, protected: Any) -> float:
    """Rows of a `SuppressedCells` that lost a cell."""
    return float(protected.lost.any(axis=1).sum())


def match_risk(original: Any, protected: Any) -> float:
    """Mean of 1 / matches over the rows of a `SuppressedCells`."""
    return float((1.0 / protected.matches).mean())


CELL_MEASURES = (
    Measure(
        "suppressed_cells",
        LESS,
        "weighted cells",
        "0..N*s",
        SUPPRESSED_CELLS,
        from_protected=weight_of_cells,
        paper="Meyerson and Williams 2004",
        summary="cells that are suppressed, each with the weight of its column",
    ),
    Measure(
        "affected_rows",
        LESS,
        "rows",
        "0..N",
        SUPPRESSED_CELLS,
        from_protected=affected_rows,
        paper="this library",
        summary="rows that lost a cell",
    ),
    Measure(
        "match_risk",
        LESS,
        "share",
        "1/N..1/k",
        SUPPRESSED_CELLS,
        from_protected=match_risk,
        paper="Templ, Kowarik and Meindl 2015",
        summary="mean share of the true row among the rows that a row matches",
    ),
)
