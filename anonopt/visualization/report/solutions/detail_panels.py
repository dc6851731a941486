"""Details of solutions as panels of a page."""

from __future__ import annotations

from anonopt.visualization.report.parts import Panel, Plot, Table
from anonopt.visualization.report.solutions.detail import Detail, Part


def detail_panels(detail: Detail) -> tuple[Panel, ...]:
    """Panels of a detail: its summary, then its parts.

    Parameters
    ----------
    detail : Detail

    Returns
    -------
    tuple of Panel
    """
    return (
        Panel("In short", detail.summary, is_wide=True),
        *(_panel(part) for part in detail.parts),
    )


def _panel(part: Part) -> Panel:
    drawings: tuple[Plot, ...] = ()
    if part.drawing is not None:
        figure = part.drawing.build()
        drawings = (
            Plot(
                part.heading,
                figure,
                height=int(figure.layout.height or 420),
                background=part.drawing.background,
            ),
        )
    tables: tuple[Table, ...] = ()
    if part.table is not None:
        # Tables that a figure shows are seen when they are asked for.
        tables = (
            Table(
                _caption(part),
                part.table,
                marked=part.marked,
                is_open=part.drawing is None or part.marked is not None,
            ),
        )
    described = f" {part.drawing.text}" if part.drawing is not None else ""
    return Panel(
        part.heading,
        f"{part.text}{described}".strip(),
        drawings=drawings,
        tables=tables,
        notes=part.notes,
        is_wide=not part.is_half,
        formula=part.formula,
    )


def _caption(part: Part) -> str:
    if part.marked is not None:
        return "Records"
    return "The same as a table" if part.drawing is not None else part.heading
