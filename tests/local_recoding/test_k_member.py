"""k-member clustering."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonopt.data import Hierarchy, Microdata, load_dataset
from anonopt.data.recoded_groups import recode
from anonopt.local_recoding import k_member_groups
from tests.evaluation.lattice.small_tables import eight_people
from tests.examples import examples
from tests.local_recoding.constructed import constructions, expected, shown
from tests.oracles import constructed_groups as oracle


@examples(25)
@given(
    constructions(), st.sampled_from(["height", "leaves"]), st.sampled_from(["numpy", "auto"]),
    st.none() | st.integers(0, 9),
)  # fmt: skip
def test_clusters_are_those_of_the_plain_twin(small, nominal, accelerator, seed):
    groups = k_member_groups(
        small.table,
        small.k,
        nominal=nominal,
        accelerator=accelerator,
        random_state=seed,
        **small.options,
    )
    n_rows = small.table.n_rows
    start = 0 if seed is None else int(np.random.default_rng(seed).integers(n_rows))
    plain = small.plain
    clusters = oracle.k_member(plain, small.k, by_height=nominal == "height", start=start)
    assert shown(groups) == expected(plain, clusters)
    assert small.is_held(groups)


@examples(20)
@given(constructions(bounded=True))
def test_bounds_are_met_by_joining_clusters(small):
    groups = k_member_groups(small.table, small.k, **small.options)
    assert small.is_held(groups)
    if not small.bounds:
        return
    size = max(small.k, int(small.bounds.get("l", 0)))
    free = k_member_groups(small.table, size, **{**small.options, "class_bounds": None})
    pairs = set(zip(free.group_of_row.tolist(), groups.group_of_row.tolist(), strict=True))
    assert len(pairs) == free.n_groups


def test_compiled_and_plain_search_agree_on_real_rows():
    pytest.importorskip("numba")
    adult = load_dataset("adult")
    table = Microdata(
        adult.frame.iloc[:1500],
        quasi_identifiers=list(adult.quasi_identifiers),
        hierarchies=adult.hierarchies,
    )
    found = [
        k_member_groups(table, 7, accelerator=one, nominal="leaves") for one in ("numba", "numpy")
    ]
    assert found[0] == found[1]
    assert found[0].sizes.min() == 7
    assert found[0].n_groups == 1500 // 7


def test_start_is_drawn_from_the_generator_handed_in(entropy_guard):
    table = eight_people()
    seeds = {hash(k_member_groups(table, 3, random_state=seed)) for seed in range(12)}
    assert len(seeds) > 1
    again = k_member_groups(table, 3, random_state=np.random.default_rng(5))
    assert again == k_member_groups(table, 3, random_state=5)


def test_rows_that_are_left_go_where_they_lose_least():
    table = Microdata(
        pd.DataFrame({"n": [1, 2, 8, 9, 10]}), quasi_identifiers=["n"],
        hierarchies={"n": Hierarchy.ordered(range(1, 11))},
    )  # fmt: skip
    frame, _ = recode(table, k_member_groups(table, 2))
    assert frame["n"].tolist() == ["[1, 2]"] * 2 + ["[8, 10]"] * 3


def test_clusters_have_rows_for_the_values_that_are_wanted():
    table = Microdata(
        pd.DataFrame({"n": [1, 2, 3, 7, 8, 9], "illness": list("abcabc")}),
        quasi_identifiers=["n"],
        hierarchies={"n": Hierarchy.ordered(range(1, 10))},
        sensitive="illness",
    )
    frame, _ = recode(table, k_member_groups(table, 2, class_bounds={"l": 3}))
    assert frame["n"].tolist() == ["[1, 3]"] * 3 + ["[7, 9]"] * 3


def test_edges():
    table = eight_people(sensitive="illness")
    assert k_member_groups(table, 8).n_groups == 1
    assert k_member_groups(table, 1).n_groups == 8
    with pytest.raises(ValueError, match="k: expected at most the 8 rows of the table, found 9"):
        k_member_groups(table, 9)
    with pytest.raises(ValueError, match="nominal: "):
        k_member_groups(table, 2, nominal="leaf")
    assert k_member_groups(table, 2, class_bounds={"l": 2}).n_groups <= 4
