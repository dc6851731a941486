"""The statements that docs/scaling.md has for a warehouse, run by DuckDB."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest

from anonopt.data import Hierarchy, Microdata
from tests.repository import ROOT

PAGE = (ROOT / "docs" / "scaling.md").read_text(encoding="utf-8")
ROLES = {
    "quasi_identifiers": ["age", "job"],
    "hierarchies": {"age": Hierarchy.intervals(range(20, 40), width=10), "job": "flat"},
    "sensitive": "illness",
}
NODE = [1, 0]


def test_the_statements_of_the_page():
    duckdb = pytest.importorskip("duckdb")
    rng = np.random.default_rng(2)
    people = pd.DataFrame(
        {
            "age": rng.choice([*range(20, 40), None], 60),
            "job": rng.choice(["cook", "clerk", "smith"], 60, p=[0.5, 0.45, 0.05]),
            "illness": rng.choice(["flu", "angina"], 60),
        }
    ).astype({"age": "Int64"})
    reduce, protect, suppressed = re.findall(r"^```sql\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    connection = duckdb.connect()
    connection.register("people", people)
    connection.execute(reduce).fetchall()
    reduced = connection.execute("select * from reduced").df()
    table, small = (
        Microdata.from_counts(reduced, count="number", **ROLES),
        Microdata(people, **ROLES),
    )
    assert table.hierarchies == small.hierarchies
    for column, level in zip(table.quasi_identifiers, NODE, strict=True):
        labels = table.hierarchies[column].to_frame()[["level0", f"level{level}"]]
        connection.register(f"labels_{column}", labels.set_axis(["value", "label"], axis=1))
    connection.execute(protect).fetchall()
    found = connection.execute("select age, job, illness from protected").fetchall()
    expected, mask = small.apply(NODE, k=5, suppression=0.9, return_mask=True)
    assert 0 < mask.sum() < 60
    assert sorted(found) == sorted(expected.itertuples(index=False, name=None))
    assert connection.execute(suppressed).fetchall() == [(mask.sum(),)]
