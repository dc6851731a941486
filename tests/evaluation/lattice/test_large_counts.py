"""Counts that outgrow the narrow numbers in which kernels keep them."""

from __future__ import annotations

from itertools import accumulate

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pandas.testing import assert_frame_equal

from anonopt import Hierarchy, LatticeEvaluator, Microdata
from anonopt.measures import measure_names
from tests.evaluation.lattice.small_tables import by_statistics
from tests.examples import examples
from tests.oracles.classes import PlainClasses, PlainTable, reverse_rule
from tests.oracles.measures import MEASURES as PLAIN
from tests.oracles.measures import NEED_HIERARCHY, NEED_K, NEED_POPULATION

accelerators = pytest.mark.parametrize("accelerator", ["numpy", "auto"])

TREE = [["a", "b", "c", "d"], ["ab", "ab", "cd", "cd"], ["*"] * 4]
PATHS = {path[0]: path for path in zip(*TREE, strict=True)}


def of_classes(*sizes: int, **columns: list[int]) -> Microdata:
    """A table whose rows form classes of the given sizes; a column has a value a class."""
    frame = pd.DataFrame({"q": np.repeat(np.arange(len(sizes)), sizes)})
    for role, values in columns.items():
        frame[role] = np.repeat(values, sizes)
    roles = {role: role for role in columns}
    return Microdata(frame, quasi_identifiers=["q"], hierarchies={"q": "flat"}, **roles)


@accelerators
@pytest.mark.parametrize("n_rows", [65535, 65536, 70000])
def test_squares_of_one_class(accelerator, n_rows):
    """The square of 65536 is 2**32, which is 0 in 32 bits; 70000 rows give 4.9e9."""
    table = of_classes(n_rows, sensitive=[0], target=[0])
    names = ["S_k", "S_l", "S_k_kept", "S_l_kept", "discernibility", "cm", "k", "l"]
    found = LatticeEvaluator(table, accelerator=accelerator).evaluate([[0]], names)
    assert found[names].iloc[0].tolist() == [*[n_rows**2] * 5, 0, n_rows, 1]


@accelerators
@pytest.mark.parametrize("size", [8191, 8192])
def test_squares_of_many_classes(accelerator, size):
    """64 classes of 8192 rows give 2**32 together."""
    table = of_classes(*[size] * 65, sensitive=[0] * 65)
    evaluator = LatticeEvaluator(table, accelerator=accelerator)
    found = evaluator.evaluate_all(["S_l", "S_k", "l_all"])
    assert found[["S_l", "S_k"]].values.tolist() == [[65 * size**2] * 2, [(65 * size) ** 2] * 2]
    assert found["l_all"].tolist() == [1, 1]


@accelerators
def test_counts_do_not_run_into_their_neighbours(accelerator):
    """Several counts share a word: each takes its largest value next to small ones."""
    counts = [0, 65520, 1, 2, 3, 4, 5]
    values = np.repeat(np.arange(7), counts)
    frame = pd.DataFrame({"q": np.arange(65535) % 2, "sensitive": values, "target": values % 3})
    table = Microdata(
        frame,
        quasi_identifiers=["q"],
        hierarchies={"q": "flat"},
        sensitive="sensitive",
        target="target",
    )
    found = LatticeEvaluator(table, accelerator=accelerator).evaluate_all(["S_l", "l", "cm"])
    halves = [np.bincount(values[half::2]) for half in (0, 1)]
    assert found["S_l"].tolist() == [
        sum(int(n) ** 2 for half in halves for n in half),
        sum(n**2 for n in counts),
    ]
    assert found["l"].tolist() == [min(map(np.count_nonzero, halves)), 6]
    labels = [np.bincount(values[half::2] % 3).max() for half in (0, 1)]
    assert found["cm"].tolist() == [65535 - sum(labels), 65535 - np.bincount(values % 3).max()]


@pytest.mark.parametrize("n_values", [3, 70], ids=["few sensitive values", "more than 64"])
def test_a_table_of_many_rows_against_the_slow_twins(n_values):
    """From 65536 rows on, counts take 32 bits; few distinct tuples, so classes are large."""
    n_rows = 65600
    rng = np.random.default_rng(n_values)
    columns = rng.choice(4, p=[0.9, 0.0994, 0.0005, 0.0001], size=(n_rows, 2))
    sensitive = rng.integers(0, n_values, n_rows)
    frame = pd.DataFrame(np.array(TREE[0], dtype=object)[columns], columns=["p", "q"])
    frame["s"], frame["t"] = sensitive, rng.integers(0, 3, n_rows)
    table = Microdata(
        frame,
        quasi_identifiers=["p", "q"],
        hierarchies={"p": Hierarchy(TREE), "q": Hierarchy(TREE)},
        sensitive="s",
        target="t",
    )
    plain = PlainTable(
        list(frame[["p", "q"]].itertuples(index=False, name=None)),
        [PATHS, PATHS],
        sensitive.tolist(),
        frame["t"].tolist(),
    )
    assert table.n_rows >= 1 << 16
    absent = NEED_K | NEED_HIERARCHY | NEED_POPULATION
    names = [name for name in measure_names("node") if name not in absent]
    counted = by_statistics(names)
    reference = LatticeEvaluator(table, accelerator="numpy", backend="direct", suppression=40)
    everything = reference.evaluate_all(names)
    for node in ([0, 0], [1, 2]):
        rank = int(table.lattice.index(node)[0])
        classes = PlainClasses(plain, node, 40)
        for name in everything.columns[2:]:
            expected = pytest.approx(PLAIN[name](classes), rel=1e-9, abs=1e-9)
            assert everything[name].iloc[rank] == expected, name
    for backend in ("rollup", "direct"):
        for accelerator in ("numpy", "auto"):
            evaluator = LatticeEvaluator(
                table, accelerator=accelerator, backend=backend, suppression=40
            )
            found = evaluator.evaluate_all(counted)
            assert_frame_equal(found, everything[found.columns], check_exact=True)


def reverse_rule_of(sizes: list[int], budget: int, accelerator: str) -> list[int]:
    evaluator = LatticeEvaluator(of_classes(*sizes), suppression=budget, accelerator=accelerator)
    names = ["k", "suppressed", "classes"]
    return evaluator.evaluate([[0]], names)[names].iloc[0].tolist()


def plain_reverse_rule(sizes: list[int], budget: int) -> list[int]:
    k = reverse_rule(sizes, budget)
    kept = [size for size in sizes if size >= k]
    return [min(kept), sum(sizes) - sum(kept), len(kept)]


@accelerators
def test_the_reverse_rule_at_every_step_of_the_budget(accelerator):
    """Sizes around those at which the compiled kernel changes how it counts."""
    sizes = [1, 1, 2, 3, 4, 5, 1022, 1023, 1023, 1024, 1025, 4000, 4000]
    steps = list(accumulate(sizes))
    budgets = sorted(
        {budget for step in steps for budget in (step - 1, step) if budget < steps[-1]}
    )
    assert len(budgets) > 20
    for budget in budgets:
        expected = plain_reverse_rule(sizes, budget)
        assert reverse_rule_of(sizes, budget, accelerator) == expected, budget


@given(
    st.lists(st.sampled_from([1, 2, 3, 4, 5, 1022, 1023, 1024, 1025]), min_size=1, max_size=12),
    st.data(),
)
@examples(30)
def test_the_reverse_rule_with_random_sizes(sizes, data):
    budget = data.draw(st.integers(0, sum(sizes) - 1))
    expected = plain_reverse_rule(sizes, budget)
    for accelerator in ("numpy", "auto"):
        assert reverse_rule_of(sizes, budget, accelerator) == expected
