"""Lower bounds: never above the exact optimum, and proven by the shares of rows."""

from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd
import pytest

import anonopt as ao
from anonopt.evaluation.accelerator import has_numba
from anonopt.local_recoding import exact_recoding, recoding_bound
from tests.local_recoding.few_rows import random_problem


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("budget", [0, 2])
def test_it_is_never_above_the_optimum(seed, budget):
    table, plain = random_problem(seed, most_rows=12)
    best = exact_recoding(table, plain.k, suppression=budget).value
    values = [
        recoding_bound(table, plain.k, suppression=budget, n_rounds=n_rounds).value
        for n_rounds in (0, 1, 5)
    ]
    assert values == sorted(values)
    assert values[-1] <= best + 1e-6


@pytest.mark.parametrize("seed", range(6))
def test_with_distinct_values_it_is_no_lower_and_never_above_the_optimum(seed):
    table, plain = random_problem(seed, most_rows=9)
    bounds = {"l": 2}
    bound = recoding_bound(table, plain.k, class_bounds=bounds, n_rounds=0).value
    assert bound >= recoding_bound(table, plain.k, n_rounds=0).value
    try:
        best = exact_recoding(table, plain.k, class_bounds=bounds).value
    except ValueError:
        return
    assert recoding_bound(table, plain.k, class_bounds=bounds).value <= best + 1e-6


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("n_rounds", [0, 3])
def test_shares_prove_it(seed, n_rounds):
    """Rows of any label are charged at most what k of them lose; without rounds, the least."""
    table, plain = random_problem(seed, most_rows=10)
    shares = recoding_bound(table, plain.k, n_rounds=n_rounds).shares
    least = np.full(table.n_rows, np.inf)
    heights = [len(next(iter(paths.values()))) for paths in plain.paths]
    for node in product(*map(range, heights)):
        classes: dict[tuple[str, ...], list[int]] = {}
        for number, row in enumerate(plain.rows):
            label = tuple(
                plain.paths[column][value][level]
                for column, (value, level) in enumerate(zip(row, node, strict=True))
            )
            classes.setdefault(label, []).append(number)
        for rows in classes.values():
            if len(rows) < plain.k:
                continue
            cost = sum(
                (
                    sum(
                        path[level] == plain.paths[column][plain.rows[rows[0]][column]][level]
                        for path in plain.paths[column].values()
                    )
                    - 1
                )
                / (len(plain.paths[column]) - 1)
                for column, level in enumerate(node)
            )
            least[rows] = np.minimum(least[rows], cost)
            assert np.sort(shares[rows])[-plain.k :].sum() <= plain.k * cost + 1e-9
    if n_rounds == 0:
        np.testing.assert_allclose(shares, least)


@pytest.mark.skipif(not has_numba(), reason="numba is not installed")
@pytest.mark.parametrize("class_bounds", [None, {"l": 2}])
def test_both_accelerators_agree_to_the_bit(class_bounds):
    table, plain = random_problem(5, most_rows=12)
    for one in (table, ao.load_dataset("patients")):
        options = {"class_bounds": class_bounds, "n_rounds": 3}
        numpy, numba = (
            recoding_bound(one, plain.k, accelerator=name, **options) for name in ("numpy", "numba")
        )
        assert numpy.value == numba.value
        assert numpy.shares.tobytes() == numba.shares.tobytes()


def test_large_lattices_are_refused_with_their_size():
    table = ao.load_dataset("adult")
    names = [f"age{number}" for number in range(9)]
    wide = ao.Microdata(
        pd.DataFrame(dict.fromkeys(names, table.frame["age"].head(50))),
        quasi_identifiers=names,
        hierarchies=dict.fromkeys(names, table.hierarchies["age"]),
    )
    with pytest.raises(ValueError, match=r"at most 1,000,000 nodes, found \d"):
        recoding_bound(wide, 5)
    with pytest.raises(ValueError, match="k: expected"):
        recoding_bound(ao.load_dataset("patients"), 0)
