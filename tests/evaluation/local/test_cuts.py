"""Decoded cuts are those of plain Python, compiled or not, on small tables of all kinds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonopt.data import Microdata
from anonopt.data.recoded_groups import RecodedGroups, check_groups_of
from anonopt.evaluation.accelerator import has_numba
from anonopt.evaluation.lattice.tuples import DistinctTuples
from anonopt.evaluation.local.cut_decoder import CutDecoder
from anonopt.evaluation.local.cut_keys import CutKeys
from anonopt.evaluation.local.cut_scores import CUTS
from anonopt.measures.lattice.class_bounds import measure_bounds
from anonopt.measures.lattice.suppression_rule import SuppressionRule
from tests.evaluation.lattice.small_tables import SmallTable, small_tables, tables_of
from tests.examples import examples
from tests.oracles.cuts import Group, PlainCuts

WAYS = [True, False] if has_numba() else [False]


def decoded(
    table: Microdata,
    keys: Sequence[float],
    *,
    cuts: str,
    k: int,
    budget: int = 0,
    bounds: Mapping[Any, float] | None = None,
    weights: Mapping[str, float] | None = None,
) -> RecodedGroups:
    """The recoding, which is the same compiled and not, and covers the rows of the table."""
    tuples = DistinctTuples.of(table)
    rule = SuppressionRule(budget, k, measure_bounds(bounds, table))
    found = [
        CutDecoder(tuples, rule, cuts=cuts, compiled=compiled, weights=weights).decode(keys)
        for compiled in WAYS
    ]
    assert all(groups == found[0] for groups in found)
    check_groups_of(table, found[0])
    return found[0]


def plain(
    table: Microdata,
    keys: Sequence[float],
    *,
    cuts: str,
    k: int,
    budget: int = 0,
    least_distinct: int = 0,
    weights: Mapping[str, float] | None = None,
    holds_enough: Any = None,
) -> RecodedGroups:
    """The recoding of the slow twin."""
    tuples = DistinctTuples.of(table)
    genome_keys = CutKeys(tuples, kind=CUTS.index(cuts), suppresses=budget > 0)
    genome = genome_keys.read(keys)
    units, rows_of_unit = units_of(table, tuples, apart=least_distinct > 0 and cuts == "balanced")
    heights = tuples.facts.heights
    starts = np.cumsum([0, *heights])[:-1].tolist()
    twin = PlainCuts(
        [maps.tolist() for maps in tuples.maps],
        [
            [0.0, *genome.weights[start : start + height].tolist()]
            for start, height in zip(starts, heights, strict=True)
        ],
        [(weights or {}).get(name, 1.0) for name in tuples.facts.names],
        genome.exponent,
        genome.price,
        k,
        cuts,
        least_distinct,
        budget,
        holds_enough,
    )
    twin.run(units)
    labels = np.array([twin.labels(group) for group in twin.groups])
    return RecodedGroups(
        twin.group_of_row(rows_of_unit),
        lows=labels[:, :, 0],
        highs=labels[:, :, 1],
        suppressed=twin.suppressed,
    )


def units_of(
    table: Microdata, tuples: DistinctTuples, *, apart: bool
) -> tuple[list[dict[str, Any]], list[list[int]]]:
    """Distinct tuples in their order, or distinct tuples and sensitive values."""
    values = [0] * table.n_rows
    if table.sensitive_codes is not None:
        values = table.sensitive_codes.tolist()
    kinds: dict[tuple[int, int], list[int]] = {}
    for row, place in enumerate(tuples.tuple_of_row.tolist()):
        kinds.setdefault((place, values[row] if apart else 0), []).append(row)
    units, rows_of_unit = [], []
    for place, (kind, rows) in enumerate(sorted(kinds.items())):
        found = {values[row] for row in rows}
        counts = Counter(values[row] for row in rows)
        codes = tuples.codes[kind[0]].tolist()
        units.append(
            {"place": place, "codes": codes, "values": found, "rows": len(rows), "counts": counts}
        )
        rows_of_unit.append(rows)
    return units, rows_of_unit


@st.composite
def asked(draw: st.DrawFn, small: SmallTable) -> dict[str, Any]:
    """Keys, kind of cuts, k, budget and weights."""
    budget = draw(st.sampled_from([0, 0, 1, 3]))
    heights = [small.table.hierarchies[name].height for name in small.table.quasi_identifiers]
    n_keys = sum(heights) + 1 + (budget > 0)
    keys = draw(st.lists(st.floats(0, 1), min_size=n_keys, max_size=n_keys))
    middle = draw(st.booleans())
    weights = draw(st.sampled_from([None, {"q0": 2.0, "q1": 0.3}]))
    return {
        "keys": [0.5] * n_keys if middle else keys,
        "cuts": draw(st.sampled_from(CUTS)),
        "k": draw(st.sampled_from([1, 2, 3, 4, 7, 50, 2**63 - 1])),
        "budget": budget,
        "weights": weights,
    }


@given(st.data())
@examples(30)
def test_decoded_cuts_are_those_of_plain_python(data):
    small = data.draw(small_tables())
    options = data.draw(asked(small))
    assert decoded(small.table, **options) == plain(small.table, **options)


@given(st.data())
@examples(30)
def test_with_a_bound_of_distinct_values(data):
    small = data.draw(small_tables())
    if small.table.sensitive is None:
        return
    options = data.draw(asked(small))
    least = data.draw(st.integers(1, 3))
    found = decoded(small.table, **options, bounds={"l": least})
    assert found == plain(small.table, **options, least_distinct=least)


@given(st.data())
@settings(max_examples=20)
def test_with_a_bound_that_needs_counts(data):
    small = data.draw(small_tables(max_rows=20))
    if small.table.sensitive is None:
        return
    options = data.draw(asked(small))
    most = data.draw(st.sampled_from([0.3, 0.5, 0.8]))
    values = Counter(small.table.sensitive_codes.tolist())
    shares = {value: n / small.table.n_rows for value, n in values.items()}

    def is_near(group: Group) -> bool:
        found: Counter[int] = Counter()
        for unit, _ in group:
            found += unit["counts"]
        n = sum(found.values())
        distance = sum(abs(found[value] / n - share) for value, share in shares.items()) / 2
        return distance <= most + 1e-9

    found = decoded(small.table, **options, bounds={"t": most})
    assert found == plain(small.table, **options, holds_enough=is_near)


FLAT = [["a", "b", "c"], ["*", "*", "*"]]
DEEP = [["a", "b", "c", "d"], ["ab", "ab", "cd", "cd"], ["abcd"] * 4, ["*"] * 4]


@pytest.mark.parametrize("cuts", CUTS)
@pytest.mark.parametrize(
    "small",
    [
        tables_of([["a"]], [FLAT]),
        tables_of([["a"]] * 9, [FLAT]),
        tables_of([["a"]] * 4, [[["a"]]]),
        tables_of([["a", "x"], ["b", "x"]] * 4, [FLAT, [["x"]]]),
        tables_of([["a", "a"], [None, "c"], ["b", "d"], [None, "a"]] * 2, [FLAT, DEEP]),
        tables_of(
            [["abcd"[(row * (column + 1)) % 4] for column in range(70)] for row in range(12)],
            [DEEP] * 70,
        ),
        tables_of(
            [["abcd"[row % 4]] for row in range(140)],
            [DEEP],
            sensitive=[f"s{row % 70}" for row in range(140)],
        ),
    ],
    ids=["one row", "duplicates", "height 0", "constant", "missing", "70 columns", "70 values"],
)
def test_unusual_tables(cuts, small):
    n_keys = sum(small.table.hierarchies[name].height for name in small.table.quasi_identifiers)
    bounds = [{}] if small.table.sensitive is None else [{}, {"l": 3}]
    for k in (1, 2, 5, 1000):
        for bound in bounds:
            options = {"keys": [0.5] * (n_keys + 1), "cuts": cuts, "k": k}
            found = decoded(small.table, **options, bounds=bound)
            assert found == plain(small.table, **options, least_distinct=bound.get("l", 0))
            if k > small.table.n_rows:
                assert found.n_groups == 1
            else:
                assert found.sizes.min() >= k


def test_a_rest_is_lent_rows_by_its_siblings():
    rows = [["a"]] * 5 + [["b"]] * 1 + [["c"]] * 3
    small = tables_of(rows, [FLAT])
    options = {"keys": [0.5, 0.5], "k": 3}
    relaxed = decoded(small.table, **options, cuts="relaxed")
    assert relaxed.n_groups == 1
    balanced = decoded(small.table, **options, cuts="balanced")
    assert sorted(balanced.sizes.tolist()) == [3, 3, 3]
    assert balanced.group_of_row.tolist() == [1, 1, 1, 0, 0, 0, 2, 2, 2]


def test_another_k_takes_the_place_of_that_of_the_rule():
    small = tables_of([["a", "c"], ["b", "d"]] * 4 + [["d", "a"]] * 5, [DEEP, DEEP])
    tuples, keys = DistinctTuples.of(small.table), [0.5] * 7
    decoder = CutDecoder(tuples, SuppressionRule(0, 2), compiled=has_numba())
    other = CutDecoder(tuples, SuppressionRule(0, 5), compiled=has_numba())
    assert decoder.decode(keys, k=5) == other.decode(keys) != decoder.decode(keys)


def test_rows_of_one_group_are_cut_anew_as_a_table():
    small = tables_of([["a", "c"], ["b", "d"]] * 4 + [["d", "a"]] * 5, [DEEP, DEEP])
    decoder = CutDecoder(
        DistinctTuples.of(small.table), SuppressionRule(0, 2), compiled=has_numba()
    )
    keys = [0.5] * 7
    again = decoder.regrow(np.array([7, 0, 5, 2]), keys)
    assert again.group_of_row.tolist() == [1, 0, 1, 0]
    assert decoder.regrow(np.arange(13), keys) == decoder.decode(keys)


def test_refusals():
    small = tables_of([["a"], ["b"]], [FLAT])
    tuples = DistinctTuples.of(small.table)
    with pytest.raises(ValueError, match="expected one with a fixed k"):
        CutDecoder(tuples, SuppressionRule(0), compiled=False)
    with pytest.raises(ValueError, match="cuts"):
        CutDecoder(tuples, SuppressionRule(0, 2), cuts="wild", compiled=False)
    decoder = CutDecoder(tuples, SuppressionRule(0, 2), compiled=False)
    assert decoder.names == ("weight of q0 at level 1", "exponent of information")
    with pytest.raises(ValueError, match=r"expected 2 numbers, \(2,\), found shape \(3,\)"):
        decoder.decode([0.5] * 3)
    with pytest.raises(ValueError, match=r"from 0 to 1, found 1.5 for 'exponent of information'"):
        decoder.decode([0.5, 1.5])
    with pytest.raises(ValueError, match="found nan"):
        decoder.decode([np.nan, 0.5])
    with pytest.raises(ValueError, match="k"):
        decoder.decode([0.5, 0.5], k=0)
