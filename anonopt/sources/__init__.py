"""Tables whose rows stay where they are: files, queries, frames of a cluster.

A :class:`Source` gives the values of columns and counts of combinations of codes; whatever is a
formula of equivalence classes needs nothing else. Each engine is loaded when it is used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from anonopt.sources.arrow.arrow_source import ArrowSource as ArrowSource
    from anonopt.sources.arrow.dask_source import DaskSource as DaskSource
    from anonopt.sources.counted_source import CountedSource as CountedSource
    from anonopt.sources.duckdb.duckdb_source import DuckDBSource as DuckDBSource
    from anonopt.sources.large_table import LargeTable as LargeTable
    from anonopt.sources.pandas_source import PandasSource as PandasSource
    from anonopt.sources.source import CodedColumn as CodedColumn
    from anonopt.sources.source import Combinations as Combinations
    from anonopt.sources.source import DistinctValues as DistinctValues
    from anonopt.sources.source import Source as Source
else:
    # Hidden from type checkers: a visible __getattr__ would turn every misspelt name into Any.
    from anonopt._lazy import load_late

    _PLACES, __getattr__, __dir__ = load_late(
        __name__,
        {
            "arrow.arrow_source": "ArrowSource",
            "arrow.dask_source": "DaskSource",
            "counted_source": "CountedSource",
            "duckdb.duckdb_source": "DuckDBSource",
            "large_table": "LargeTable",
            "pandas_source": "PandasSource",
            "source": "CodedColumn Combinations DistinctValues Source",
        },
    )
    __all__ = sorted(_PLACES)
