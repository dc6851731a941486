"""Statistics against their definitions, and at their edges."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from anonopt.experiments.statistics import (
    a12,
    against_control,
    bayesian_signed_rank,
    bootstrap_interval,
    cliffs_delta,
    effect_shown,
    friedman,
    holm,
    magnitude,
    mann_whitney,
    nemenyi,
    power,
    ranks,
    runs_needed,
    wilcoxon,
)


@given(st.lists(st.lists(st.integers(0, 4), min_size=3, max_size=3), min_size=2, max_size=8))
def test_friedman_is_that_of_scipy(rows):
    values = pd.DataFrame(rows, columns=list("abc"))
    if all(len(set(row)) == 1 for row in rows):
        assert friedman(values)[:2] == (0.0, 1.0)
        return
    other = stats.friedmanchisquare(*values.to_numpy().T)
    found = friedman(values)
    assert found.statistic == pytest.approx(other.statistic, abs=1e-9)
    assert found.p_value == pytest.approx(other.pvalue, abs=1e-9)


def test_what_is_equal_everywhere_does_not_differ():
    equal = pd.DataFrame([[1, 1, 1], [2, 2, 2]], columns=list("abc"))
    assert friedman(equal)[:4] == (0.0, 1.0, 0.0, 1.0)
    assert nemenyi(equal).to_numpy().tolist() == [[1.0] * 3] * 3
    assert (
        against_control(equal, "a")[["difference", "z", "p", "p_holm"]].values.tolist()
        == [[0.0, 0.0, 1.0, 1.0]] * 2
    )
    found = bayesian_signed_rank([1, 2], [1, 2], rope=0, random_state=np.random.default_rng(1))
    assert found == (0.0, 1.0, 0.0)


def test_control_has_to_be_one_of_them():
    with pytest.raises(ValueError, match=r"control 'aa'.*did you mean a\?"):
        against_control(pd.DataFrame({"a": [1], "b": [2]}), "aa")


def test_bayesian_test_is_the_same_the_other_way_round():
    first, second = np.random.default_rng(1).random((2, 9))
    found = bayesian_signed_rank(first, second, rope=0.1, random_state=np.random.default_rng(3))
    other = bayesian_signed_rank(second, first, rope=0.1, random_state=np.random.default_rng(3))
    assert found == pytest.approx(other[::-1], abs=1e-12) and found.equivalent > 0
    with pytest.raises(ValueError, match="second: expected 1 values, as in first, found 2"):
        bayesian_signed_rank([1], [1, 2], rope=0.1, random_state=np.random.default_rng(3))


def test_friedman_of_perfect_agreement_and_of_one_problem():
    agreed = friedman(pd.DataFrame([[1, 2, 3]] * 5, columns=list("abc")))
    assert agreed.statistic == 10 and agreed.f_statistic == np.inf and agreed.f_p_value == 0
    single = friedman(pd.DataFrame([[1, 2, 3]], columns=list("abc")))
    assert single.statistic == 2 and np.isnan(single.f_statistic)
    # Of two algorithms it is the sign test by the normal approximation.
    two = friedman(pd.DataFrame({"a": [1, 1, 1, 2], "b": [2, 2, 2, 1]}))
    assert two.statistic == pytest.approx(1.0)


def test_holm_by_hand():
    assert holm([0.04, 0.01, 0.03, 0.005]).tolist() == pytest.approx([0.06, 0.03, 0.06, 0.02])
    assert holm([0.5, 0.9]).tolist() == [1.0, 1.0]
    with pytest.raises(ValueError, match=r"p_values: expected numbers in 0\.\.1, found nan"):
        holm([np.nan])


@given(st.lists(st.floats(0, 1), min_size=1, max_size=8))
def test_holm_rejects_what_stepping_down_rejects(p_values):
    alpha = 0.05
    rejected = set()
    for step, index in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        if p_values[index] * (len(p_values) - step) > alpha:
            break
        rejected.add(index)
    assert {i for i, p in enumerate(holm(p_values)) if p <= alpha} == rejected


@given(
    st.lists(st.integers(-4, 4), min_size=1, max_size=8).filter(any),
    st.sampled_from(["left out", "split", "pratt"]),
)
def test_exact_wilcoxon_counts_all_signs(differences, zeros):
    if zeros == "left out":
        differences = [d for d in differences if d]
    rank = stats.rankdata(np.abs(differences))
    # Ranks of zeros are on both sides alike, or nowhere.
    moving = [r for r, d in zip(rank, differences, strict=True) if d]
    sums = [
        sum(r for r, positive in zip(moving, signs, strict=True) if positive)
        for signs in itertools.product([0, 1], repeat=len(moving))
    ]
    plus = sum(r for r, d in zip(rank, differences, strict=True) if d > 0)
    least = min(plus, sum(moving) - plus)
    p = min(1.0, 2 * np.mean([total <= least for total in sums]))
    found = wilcoxon(differences, np.zeros(len(differences)), zeros=zeros)
    both = sum(r for r, d in zip(rank, differences, strict=True) if not d) / 2
    assert found.statistic == least + (both if zeros == "split" else 0)
    assert (found.method, found.p_value) == ("exact", pytest.approx(p, abs=1e-9))


@given(st.lists(st.integers(-3, 3), min_size=1, max_size=9).filter(any))
def test_normal_wilcoxon_is_corrected_for_ties(differences):
    nonzero = np.array([d for d in differences if d], dtype=float)
    found = wilcoxon(differences, np.zeros(len(differences)), method="normal")
    rank = stats.rankdata(np.abs(nonzero))
    _, ties = np.unique(np.abs(nonzero), return_counts=True)
    n = len(nonzero)
    variance = n * (n + 1) * (2 * n + 1) / 24 - (ties**3 - ties).sum() / 48
    z = (rank[nonzero > 0].sum() - n * (n + 1) / 4) / np.sqrt(variance)
    assert found.method == "normal"
    assert found.p_value == pytest.approx(min(1.0, 2 * stats.norm.sf(abs(z))), abs=1e-9)


def test_equal_samples_do_not_differ():
    assert wilcoxon([1, 2], [1, 2]) == (0.0, 1.0, "none", 0)
    assert mann_whitney([3, 3], [3, 3, 3]) == (3.0, 1.0, "none", 2)


small = st.lists(st.integers(0, 6), min_size=1, max_size=5)


@given(small, small)
def test_exact_mann_whitney_counts_all_splits(first, second):
    a, b = np.array(first, dtype=float), np.array(second, dtype=float)
    values = np.concatenate([a, b])
    if len(set(values)) == 1:
        return

    def wins(x, y):
        return (x[:, None] > y).sum() + (x[:, None] == y).sum() / 2

    every = np.array(
        [
            wins(values[list(chosen)], np.delete(values, chosen))
            for chosen in itertools.combinations(range(len(values)), len(a))
        ]
    )
    u = wins(a, b)
    tail = min(np.mean(every <= u), np.mean(every >= u))
    found = mann_whitney(a, b)
    assert found.statistic == u and found.method == "exact"
    assert found.p_value == pytest.approx(min(1.0, 2 * tail), abs=1e-9)


def test_large_samples_are_approximated_unless_told():
    rng = np.random.default_rng(1)
    a, b = 2.0 * rng.integers(0, 9, 51), 2.0 * rng.integers(0, 9, 51) + 1.0
    for test in (wilcoxon, mann_whitney):
        approximated, exact = test(a, b), test(a, b, method="exact")
        assert (approximated.method, exact.method) == ("normal", "exact")
        assert approximated == test(a, b, method="normal")
        assert approximated.p_value == pytest.approx(exact.p_value, rel=0.1)
        assert test(a[:50], b[:50]).method == "exact"
        with pytest.raises(ValueError, match="method: expected one of 'auto', 'exact', 'normal'"):
            test(a, b, method="fast")
    with pytest.raises(ValueError, match="zeros: expected one of 'left out', 'split', 'pratt'"):
        wilcoxon([1.0], [2.0], zeros="kept")


@given(
    st.lists(st.integers(0, 5), min_size=1, max_size=8),
    st.lists(st.integers(0, 5), min_size=1, max_size=8),
)
def test_a12_counts_pairs(first, second):
    pairs = [1.0 if x > y else 0.5 if x == y else 0.0 for x in first for y in second]
    assert a12(first, second) == pytest.approx(np.mean(pairs), abs=1e-12)
    assert cliffs_delta(first, second) == pytest.approx(2 * np.mean(pairs) - 1, abs=1e-12)
    expected = mann_whitney(first, second).statistic / len(pairs)
    assert a12(first, second) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("delta", "name"),
    [(0.1469, "negligible"), (-0.147, "small"), (0.33, "medium"), (-0.474, "large"), (1, "large")],
)
def test_magnitudes_are_those_of_romano(delta, name):
    assert magnitude(delta) == name


def test_interval_holds_the_median_and_repeats():
    values = np.random.default_rng(1).normal(size=40)
    low, high = bootstrap_interval(values, random_state=np.random.default_rng(2))
    again = bootstrap_interval(values, random_state=np.random.default_rng(2))
    assert low < np.median(values) < high and (low, high) == again
    assert bootstrap_interval([5.0], random_state=np.random.default_rng(2)) == (5.0, 5.0)


@pytest.mark.parametrize("values", [[1, 1, 1, 1, 2], [1] * 7 + [2], [1, 2]])
def test_interval_of_nearly_equal_values_is_finite(values):
    low, high = bootstrap_interval(values, random_state=np.random.default_rng(2))
    assert min(values) <= low <= np.median(values) <= high <= max(values)


@pytest.mark.parametrize("n", [6, 10, 20, 51])
def test_least_effect_shown_needs_these_runs(n):
    least = effect_shown(n)
    assert runs_needed(least - 1e-9) == n + 1 and runs_needed(least + 1e-9) == n
    assert power(n, least) == pytest.approx(0.8, abs=1e-6)


def test_power_and_runs_agree():
    assert runs_needed(0.71) == 30
    assert power(30, 0.71) >= 0.8 > power(28, 0.71)
    assert power(10, 0.5) == pytest.approx(0.05)
    with pytest.raises(ValueError, match=r"effect: expected a difference, found 0\.5"):
        runs_needed(0.5)


@pytest.mark.parametrize(
    ("values", "error", "message"),
    [
        (pd.DataFrame({"a": [1.0]}), ValueError, "at least 2 columns of algorithms, found 1 rows"),
        (pd.DataFrame({"a": [], "b": []}), ValueError, "found 0 rows"),
        (pd.DataFrame({"a": [1, np.nan], "b": [1, 2]}), ValueError, "for 'a' on 1, found none"),
        (pd.DataFrame({"a": ["x"], "b": [1]}), TypeError, "expected numbers, found .*'x'"),
        (pd.DataFrame([[1, 2]], columns=["a", "a"]), ValueError, "each algorithm once, found 'a'"),
        ([[1, 2]], TypeError, "expected a DataFrame, found list"),
    ],
)
def test_wrong_tables_are_refused(values, error, message):
    with pytest.raises(error, match=message):
        ranks(values)


@pytest.mark.parametrize("test", [wilcoxon, mann_whitney, a12, cliffs_delta])
def test_wrong_samples_are_refused(test):
    with pytest.raises(ValueError, match="first: expected a row of at least one value"):
        test([], [1.0])
    with pytest.raises(ValueError, match="second: expected finite values, found nan"):
        test([1.0], [np.nan])


def test_p_of_iman_davenport_has_the_degrees_of_freedom_of_demsar():
    # JMLR 7 (2006), Section 3.2.2: k - 1 and (k - 1)(n - 1).
    values = pd.DataFrame({"a": [1, 1, 1, 2], "b": [2, 3, 2, 1], "c": [3, 2, 3, 3]})
    found = friedman(values)
    assert found.f_p_value == pytest.approx(stats.f.sf(found.f_statistic, 2, 6), rel=1e-12)


def test_p_values_above_1_are_refused():
    with pytest.raises(ValueError, match=r"p_values: expected numbers in 0\.\.1, found 1\.5"):
        holm([0.5, 1.5])
