"""`anonopt compare-files` of files that are not brought into memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from anonopt.cli.columns import split_columns, split_orders
from anonopt.cli.console import note


def compared_by_counts(
    original: Path,
    masked: Path,
    *,
    columns: Sequence[str] | None,
    ordinal: Sequence[str] | None,
    blocks: Sequence[str] | None,
    p: float | None,
    refused: Mapping[str, object],
) -> dict[str, float | str]:
    """Figures of two files, one of which is Parquet at least.

    Parameters
    ----------
    original, masked : Path
    columns, ordinal, blocks : sequence of str, optional
        As the command line has them.
    p : float, optional
    refused : mapping of str to object
        Options that are of CSV files in memory alone; None is not given.

    Raises
    ------
    ValueError, OSError
        Names the option, what was expected and what was found.
    """
    from anonopt.evaluation.comparison.compare_files import compare_files
    from anonopt.sources.opening import lent

    for option, value in refused.items():
        if value is not None:
            raise ValueError(
                f"--{option}: expected with CSV files that are read into memory, found it with "
                f"{original} and {masked}"
            )
    if p is not None and blocks is None:
        raise ValueError(
            "--p: expected together with --blocks, as records are compared, found it alone"
        )
    with lent(original, "ORIGINAL") as before, lent(masked, "MASKED") as after:
        present = [str(name) for name in before.columns]
        note("Comparing ", f"{before.n_rows:,} rows of {original} and {masked}")
        figures = compare_files(
            before,
            after,
            columns=None if columns is None else split_columns(columns, present),
            ordinal=split_orders(ordinal or [], present),
            blocks=None if blocks is None else split_columns(blocks, present),
            p=p,
        )
    return {str(name): float(value) for name, value in figures.items()}
