"""Columns as arrays, and the distances of their categories."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from anonopt.masking.groups.distances import category_distances_to
from anonopt.masking.groups.records import Records

FRAME = pd.DataFrame(
    {"size": ["M", "S", None, "L"], "zone": ["b", "a", "b", "c"], "x": [2.5, 1.0, 2.5, -3.0]}
)
ORDER = {"size": ["S", "M", "L"]}


def test_texts_are_those_of_ranks():
    records = Records.of(FRAME, ["size", "zone", "x"], ORDER)
    texts = {column.name: records.texts(column) for column in records.columns}
    assert texts == {"size": ["S", "M", "L"], "zone": ["a", "b", "c"], "x": ["-3", "1", "2.5"]}
    numbers = Records.of(FRAME, ["x"], None)
    assert numbers.texts(numbers.columns[0]) == texts["x"]
    assert records.orders() == ORDER
    assert numbers.orders() == {}


@pytest.mark.parametrize("unit", [None, 6.0])
def test_distances_to_a_category(unit):
    size, zone = Records.of(FRAME, ["size", "zone"], ORDER).columns
    options = {} if unit is None else {"unit": unit}
    codes, scale = np.arange(4), unit or 1.0
    expected = {0: [0, 0.5, 1, 1], 1: [0.5, 0, 0.5, 1], 3: [1, 1, 1, 0]}
    for center, shares in expected.items():
        found = category_distances_to(size, codes, center, **options)
        assert found.tolist() == [scale * share for share in shares]
    found = category_distances_to(zone, codes[:3], 1, **options)
    assert found.tolist() == [scale, 0, scale]
