"""Regions that are grouped anew: valid, never worse, and the same with and without numba."""

from __future__ import annotations

import importlib
import importlib.util
import sys

import numpy as np
import pytest

import anonopt as ao
from anonopt.data.recoded_groups import RecodedGroups, check_groups_of
from anonopt.evaluation import accelerator
from anonopt.evaluation.lattice.tuples import DistinctTuples
from anonopt.local_recoding import Regions, RegionSearch, k_member_groups, regrouped
from anonopt.local_recoding.regions.region_search import range_columns
from anonopt.measures.lattice.class_bounds import measure_bounds
from anonopt.measures.lattice.suppression_rule import SuppressionRule
from tests.contracts.problem_kinds import small_table
from tests.local_recoding.few_rows import random_problem

FOLDER = "anonopt.local_recoding.regions"


def whole(table):
    leaves = [[table.hierarchies[name].n_leaves - 1 for name in table.quasi_identifiers]]
    return RecodedGroups([0] * table.n_rows, lows=np.zeros_like(leaves), highs=leaves)


def plain_loss(table, plain, groups):
    """Loss of groups whose labels are the lowest that cover their rows, by the slow twin."""
    rows = [np.flatnonzero(groups.group_of_row == g).tolist() for g in range(groups.n_groups)]
    return sum(
        len(group) * (plain.suppression if suppressed else plain.cost(group))
        for group, suppressed in zip(rows, groups.suppressed.tolist(), strict=True)
    )


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("distinct", [0, 2])
def test_it_is_valid_and_its_loss_is_that_of_the_slow_twin(seed, distinct, entropy_guard):
    table, plain = random_problem(seed, most_rows=12, budget=2, distinct=distinct)
    if not plain.is_allowed(range(table.n_rows)):
        pytest.skip("the whole table misses the bound")
    bounds = measure_bounds({"l": distinct} if distinct else None, table)
    search = RegionSearch(DistinctTuples.of(table), SuppressionRule(2, plain.k, bounds))
    recoding = search.start(whole(table))
    generator, loss = np.random.default_rng(seed), search.loss(recoding)
    for _ in range(4):
        search.sweep(recoding, generator)
        assert search.loss(recoding) <= loss + 1e-9
        loss = search.loss(recoding)
        groups = search.groups(recoding)
        check_groups_of(table, groups)
        assert loss == pytest.approx(plain_loss(table, plain, groups))
        for group in np.flatnonzero(~groups.suppressed):
            assert plain.is_allowed(np.flatnonzero(groups.group_of_row == group).tolist())
        assert groups.sizes[groups.suppressed].sum() <= 2


def test_equal_seeds_are_equal_and_the_start_is_left_as_it_was():
    table = small_table()
    start = k_member_groups(table, 4, labels="hierarchy", nominal="leaves")
    before = hash(start)
    one, again, other = (
        regrouped(table, start, 4, n_sweeps=3, random_state=seed) for seed in (1, 1, 2)
    )
    assert one == again != other
    assert hash(start) == before


def test_a_local_optimum_of_another_method_is_improved():
    table = small_table()
    start = k_member_groups(table, 4, labels="hierarchy", nominal="leaves")
    problem = ao.problems.LocalRecodingProblem(table, ["glm"], k=4, genome="groups")
    better = regrouped(table, start, 4, random_state=1)
    F = problem.evaluate(problem.space.genomes([start, better]), return_values_of=["F", "G"])
    assert F[0][1, 0] < F[0][0, 0]
    assert (F[1] <= 0).all()


def test_the_tally_counts_regions_and_rows():
    table = small_table()
    search = RegionSearch(DistinctTuples.of(table), SuppressionRule(0, 4))
    recoding = search.start(whole(table))
    search.sweep(recoding, np.random.default_rng(1), rows=150)
    tally = recoding.tally
    assert tally.regions >= tally.replaced >= tally.improved > 0
    assert tally.rows >= 150


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"class_bounds": {"t": 0.3}}, "expected a bound of 'l'"),
        ({"class_bounds": {"l": 9}}, "at least 9 distinct sensitive values"),
        ({"n_sweeps": 0}, "n_sweeps: expected"),
    ],
)
def test_refusals(options, message):
    table = small_table()
    with pytest.raises(ValueError, match=message):
        regrouped(table, whole(table), 4, random_state=1, **options)


def test_recodings_that_miss_the_rule_are_refused():
    table = small_table()
    each = RecodedGroups(np.arange(table.n_rows), lows=table.codes, highs=table.codes)
    with pytest.raises(ValueError, match="at least 4 rows in each, found 60 smaller ones"):
        regrouped(table, each, 4, random_state=1)
    gone = RecodedGroups(
        [0] * table.n_rows, lows=whole(table).lows, highs=whole(table).highs, suppressed=[True]
    )
    with pytest.raises(ValueError, match="at most 0 suppressed rows, found 60"):
        regrouped(table, gone, 4, random_state=1)
    with pytest.raises(ValueError, match="n_nearest"):
        Regions(n_nearest=0)


@pytest.fixture
def plain_kernels(monkeypatch):
    """The kernels as Python runs them where numba is not installed."""
    monkeypatch.setattr(accelerator, "has_numba", lambda: False)
    names = ["plain_kernel", "kernel_labels", "kernel_regroup", "kernel_regions"]
    modules = [f"{FOLDER}.{name}" for name in names]
    kept = {name: sys.modules[name] for name in modules}
    for name in modules:
        monkeypatch.delitem(sys.modules, name)
    plain = importlib.import_module(modules[-1])
    yield plain
    for name, module in kept.items():
        monkeypatch.setitem(sys.modules, name, module)


@pytest.mark.skipif(not accelerator.has_numba(), reason="numba is not installed")
@pytest.mark.parametrize("class_bounds", [None, {"l": 2}])
def test_without_numba_it_is_the_same_to_the_bit(class_bounds, plain_kernels, monkeypatch):
    from anonopt.local_recoding.regions import region_search

    table = small_table()
    rule = SuppressionRule(3, 4, measure_bounds(class_bounds, table))

    def found():
        search = RegionSearch(DistinctTuples.of(table), rule)
        recoding = search.start(whole(table))
        search.sweep(recoding, np.random.default_rng(2), rows=2 * table.n_rows)
        return search.groups(recoding), search.loss(recoding)

    compiled = found()
    monkeypatch.setattr(region_search, "sweep", plain_kernels.sweep)
    assert type(plain_kernels.sweep).__name__ == "function"
    assert found() == compiled


def test_ranges_lose_no_more_than_values_of_the_hierarchies():
    table = small_table()
    start = k_member_groups(table, 4, nominal="leaves")
    problem = ao.problems.LocalRecodingProblem(table, ["glm"], k=4, genome="groups")
    found = regrouped(table, start, 4, labels="ranges", random_state=1)
    check_groups_of(table, found)
    position = table.quasi_identifiers.index("age")
    ends = np.stack([found.lows[:, position], found.highs[:, position]])
    codes = table.codes[:, position]
    for group in range(found.n_groups):
        own = codes[found.group_of_row == group]
        assert (own.min(), own.max()) == tuple(ends[:, group])
    F = problem.evaluate(problem.space.genomes([start, found]), return_values_of=["F"])
    assert F[1, 0] < F[0, 0]
    ranges = range_columns(table, labels="ranges", ordered=None)
    search = RegionSearch(DistinctTuples.of(table), SuppressionRule(0, 4), ranges=ranges)
    assert search.loss(search.start(found)) == pytest.approx(F[1, 0])
