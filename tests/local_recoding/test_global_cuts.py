"""Global recodings by subtrees: top-down specialization and bottom-up generalization."""

from __future__ import annotations

import math
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonopt.data import load_dataset
from anonopt.local_recoding import bottom_up_groups, top_down_groups
from anonopt.local_recoding.leaf_labels import leaf_labels
from anonopt.local_recoding.taxonomy import taxonomies
from tests.evaluation.lattice.small_tables import eight_people
from tests.examples import examples
from tests.local_recoding.constructed import constructions, shown
from tests.oracles import constructed_groups as oracle

BOTH = pytest.mark.parametrize("groups_of", [top_down_groups, bottom_up_groups])


def gain_of(table, gain):
    """What the library says a specialization gains, by column and leaves."""
    trees = taxonomies(table, leaf_labels(table), gain)
    found = {
        (column, int(low), int(high)): float(gained)
        for column, tree in enumerate(trees)
        for low, high, gained in zip(tree.lows, tree.highs, tree.gains, strict=True)
    }
    return found.__getitem__


def expected(small, cut):
    plain = small.plain
    groups = oracle.groups_of_cut(plain, cut)
    labels = [
        [
            next((low, high) for c, low, high in cut if c == column and low <= leaf <= high)
            for column, leaf in enumerate(plain.rows[group[0]])
        ]
        for group in groups
    ]
    return sorted(zip(groups, labels, strict=True))


@examples(20)
@given(constructions(bounded=True), st.integers(0, 4), st.sampled_from(["auto", "glm"]))
def test_top_down_is_the_plain_twin(small, budget, gain):
    budget = min(budget, small.table.n_rows - 1)
    groups = top_down_groups(
        small.table, small.k, gain=gain, suppression=budget, class_bounds=small.bounds
    )
    cut = oracle.top_down(small.plain, small.k, budget, gain_of(small.table, gain))
    assert shown(groups) == expected(small, cut)
    assert small.is_held(groups)
    assert groups.sizes[groups.suppressed].sum() <= budget


@examples(20)
@given(
    constructions(bounded=True),
    st.integers(0, 4),
    st.sampled_from(["auto", "glm"]),
    st.booleans(),
)
def test_bottom_up_is_the_plain_twin(small, budget, gain, as_printed):
    budget = min(budget, small.table.n_rows - 1)
    groups = bottom_up_groups(
        small.table,
        small.k,
        gain=gain,
        suppression=budget,
        class_bounds=small.bounds,
        as_printed=as_printed,
    )
    cut = oracle.bottom_up(
        small.plain, small.k, budget, gain_of(small.table, gain), as_printed=as_printed
    )
    assert shown(groups) == expected(small, cut)
    assert small.is_held(groups)
    assert groups.sizes[groups.suppressed].sum() <= budget


def entropy(labels):
    counts = Counter(labels).values()
    return sum(n / len(labels) * math.log2(len(labels) / n) for n in counts)


@examples(20)
@given(constructions())
def test_gains_are_information_and_loss(small):
    table, plain = small.table, small.plain
    gains = {"glm": gain_of(table, "glm")}
    if table.target is not None:
        gains["target"] = gain_of(table, "target")
    for column in range(len(plain.trees)):
        for value in oracle.in_order_of_tree(plain, column):
            parts = oracle.children(plain, value)
            if not parts:
                continue
            under = {
                one: [i for i, row in enumerate(plain.rows) if one[1] <= row[column] <= one[2]]
                for one in [value, *parts]
            }
            loss = {one: len(under[one]) * (one[2] - one[1]) / max(plain.leaves(column) - 1, 1)
                    for one in under}  # fmt: skip
            gained = loss[value] - sum(loss[one] for one in parts)
            assert gains["glm"](value) == pytest.approx(gained)
            if "target" in gains:
                labels = small.small.plain.target
                known = {
                    one: len(rows) * entropy([labels[row] for row in rows]) if rows else 0.0
                    for one, rows in under.items()
                }
                informed = known[value] - sum(known[one] for one in parts)
                assert gains["target"](value) == pytest.approx(informed, abs=1e-9)


@BOTH
def test_every_row_of_adult_is_recoded_by_one_rule(groups_of):
    adult = load_dataset("adult")
    groups = groups_of(adult, 50, suppression=0.01)
    assert groups.sizes[~groups.suppressed].min() >= 50
    assert groups.sizes[groups.suppressed].sum() <= 301
    for column in range(len(adult.quasi_identifiers)):
        rows = groups.group_of_row
        ends = {}
        for leaf, low, high in zip(
            adult.codes[:, column], groups.lows[rows, column], groups.highs[rows, column],
            strict=True,
        ):  # fmt: skip
            assert ends.setdefault(leaf, (low, high)) == (low, high)


def test_what_the_target_knows_is_specialized_first():
    table = eight_people(target="cured")
    # Each zip has both answers; sex f, without one m: n, y, y, n, m: y, n, n, y tell nothing.
    assert top_down_groups(table, 4, gain="target").n_groups == 2


@BOTH
def test_options_are_checked(groups_of):
    table = eight_people()
    with pytest.raises(ValueError, match="gain='target': expected a table with a target"):
        groups_of(table, 2, gain="target")
    with pytest.raises(ValueError, match="gain: "):
        groups_of(table, 2, gain="entropy")
    with pytest.raises(ValueError, match="k: expected at most the 8 rows"):
        groups_of(table, 9)
    with pytest.raises(ValueError, match="suppression: "):
        groups_of(table, 2, suppression=8)
