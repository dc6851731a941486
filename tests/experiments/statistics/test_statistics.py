"""Statistics are held equal to published figures, to other libraries, and to their definitions.

Demsar, "Statistical comparisons of classifiers over multiple data sets", JMLR 7 (2006), Table 6.
The table prints .975 for +cf in row 13, a tie with +m+cf; all published figures come out with .9751
there, as if they had been computed from numbers before rounding.
"""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from scipy.integrate import quad

from anonopt.experiments.statistics import (
    a12,
    against_control,
    bayesian_signed_rank,
    bootstrap_interval,
    cliffs_delta,
    critical_difference,
    effect_shown,
    friedman,
    holm,
    magnitude,
    mann_whitney,
    mean_ranks,
    nemenyi,
    power,
    ranks,
    runs_needed,
    wilcoxon,
)

NAMES = ["C4.5", "C4.5+m", "C4.5+cf", "C4.5+m+cf"]
ROWS = """
.763 .768 .771 .798
.599 .591 .590 .569
.954 .971 .968 .967
.628 .661 .654 .657
.882 .888 .886 .898
.936 .931 .916 .931
.661 .668 .609 .685
.583 .583 .563 .625
.775 .838 .866 .875
1 1 1 1
.940 .962 .965 .962
.619 .666 .614 .669
.972 .981 {row_13} .975
.957 .978 .946 .970
"""


def demsar(row_13: str = ".9751") -> pd.DataFrame:
    lines = ROWS.format(row_13=row_13).split("\n")[1:-1]
    return pd.DataFrame([[float(cell) for cell in line.split()] for line in lines], columns=NAMES)


def test_mean_ranks_are_the_published_ones():
    found = mean_ranks(demsar(), maximize=True)
    assert found.round(3).tolist() == [3.143, 2.0, 2.893, 1.964]
    printed = mean_ranks(demsar(".975"), maximize=True)
    assert printed.round(3).tolist() == [3.143, 2.0, 2.929, 1.929]


def test_friedman_is_the_published_one():
    found = friedman(demsar(), ties=False)
    # Published: 9.28 and 3.69.
    assert found.statistic == pytest.approx(9.278571428571428, abs=1e-9)
    assert found.f_statistic == pytest.approx(
        13 * 9.278571428571428 / (42 - 9.278571428571428), abs=1e-9
    )
    assert (found.n_problems, found.n_algorithms) == (14, 4)


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


def test_friedman_of_perfect_agreement_and_of_one_problem():
    agreed = friedman(pd.DataFrame([[1, 2, 3]] * 5, columns=list("abc")))
    assert agreed.statistic == 10 and agreed.f_statistic == np.inf and agreed.f_p_value == 0
    single = friedman(pd.DataFrame([[1, 2, 3]], columns=list("abc")))
    assert single.statistic == 2 and np.isnan(single.f_statistic)
    # Of two algorithms it is the sign test by the normal approximation.
    two = friedman(pd.DataFrame({"a": [1, 1, 1, 2], "b": [2, 2, 2, 1]}))
    assert two.statistic == pytest.approx(1.0)


def test_critical_differences_are_the_published_ones():
    # Published: q 2.569 and 2.291, differences 1.25 and 1.12.
    assert critical_difference(4, 14) == pytest.approx(1.253559, abs=1e-6)
    assert critical_difference(4, 14, alpha=0.10) == pytest.approx(1.118060, abs=1e-6)
    quantile = critical_difference(4, 14) / np.sqrt(4 * 5 / (6 * 14))
    assert round(quantile, 3) == 2.569


def test_nemenyi_of_the_example():
    p = nemenyi(demsar())
    # scikit-posthocs 0.17.1, posthoc_nemenyi_friedman of the same table.
    assert p.loc["C4.5", "C4.5+m"] == pytest.approx(0.0887, abs=5e-5)
    assert p.loc["C4.5", "C4.5+m+cf"] == pytest.approx(0.0742, abs=5e-5)
    assert p.loc["C4.5+m", "C4.5+cf"] == pytest.approx(0.2592, abs=5e-5)
    np.testing.assert_array_equal(p, p.T)
    assert np.diag(p).tolist() == [1, 1, 1, 1]


def test_pairs_at_the_critical_difference_have_p_alpha():
    # Means 1.5 and 1.5 +- x over many problems cannot be chosen freely: the tables agree instead.
    apart = critical_difference(4, 14) / np.sqrt(4 * 5 / (6 * 14)) * np.sqrt(2)
    assert stats.studentized_range.sf(apart, 4, np.inf) == pytest.approx(0.05, abs=1e-9)


def test_control_is_compared_by_normal_tests():
    found = against_control(demsar(), "C4.5", maximize=True)
    # Demsar, Section 3.2.2: standard error 0.488, z of C4.5+m+cf 1.179 / 0.488.
    assert found.loc["C4.5+m+cf", "z"] == pytest.approx(-1.178571428 / 0.487950036, abs=1e-6)
    assert found["p"].tolist() == pytest.approx((2 * stats.norm.sf(np.abs(found["z"]))).tolist())
    assert found["p_holm"].max() == found["p"].max()
    with pytest.raises(ValueError, match=r"control 'C4\.6'.*C4\.5"):
        against_control(demsar(), "C4.6")


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


def test_wilcoxon_of_the_example():
    table = demsar()
    # scipy's default of zeros left out: 6.5, p .01076 by the normal approximation.
    found = wilcoxon(table["C4.5"], table["C4.5+m"])
    assert (found.statistic, found.method, found.n) == (6.5, "normal", 12)
    assert found.p_value == pytest.approx(0.01076, abs=5e-6)


@given(st.lists(st.integers(-6, 6), min_size=1, max_size=8, unique_by=abs))
def test_wilcoxon_counts_all_signs(differences):
    differences = [d for d in differences if d] or [1]
    rank = stats.rankdata(np.abs(differences))
    sums = [
        sum(r for r, positive in zip(rank, signs, strict=True) if positive)
        for signs in itertools.product([0, 1], repeat=len(rank))
    ]
    plus = sum(r for r, d in zip(rank, differences, strict=True) if d > 0)
    least = min(plus, rank.sum() - plus)
    p = min(1.0, 2 * np.mean([total <= least for total in sums]))
    found = wilcoxon(differences, np.zeros(len(differences)))
    assert found.statistic == least and found.p_value == pytest.approx(p, abs=1e-9)


@pytest.mark.parametrize(
    ("zeros", "statistic", "p"),
    # The published T of 12, z -2.54, splits the ranks of zeros; the others by scipy 1.18.
    [("split", 12.0, 0.01097), ("pratt", 10.5, 0.01079), ("left out", 6.5, 0.01076)],
)
def test_zeros_of_wilcoxon_are_treated_as_told(zeros, statistic, p):
    table = demsar()
    found = wilcoxon(table["C4.5"], table["C4.5+m"], zeros=zeros)
    assert found.statistic == statistic and found.p_value == pytest.approx(p, abs=5e-6)
    if zeros == "split":
        assert stats.norm.isf(found.p_value / 2) == pytest.approx(2.5437, abs=5e-5)
    with pytest.raises(ValueError, match="zeros: expected one of 'left out', 'split', 'pratt'"):
        wilcoxon([1.0], [2.0], zeros="kept")


@given(st.lists(st.integers(-3, 3), min_size=1, max_size=9))
def test_wilcoxon_of_ties_is_the_normal_approximation_by_hand(differences):
    nonzero = np.array([d for d in differences if d], dtype=float)
    found = wilcoxon(differences, np.zeros(len(differences)))
    if found.method != "normal":
        return
    rank = stats.rankdata(np.abs(nonzero))
    _, ties = np.unique(np.abs(nonzero), return_counts=True)
    n = len(nonzero)
    variance = n * (n + 1) * (2 * n + 1) / 24 - (ties**3 - ties).sum() / 48
    z = (rank[nonzero > 0].sum() - n * (n + 1) / 4) / np.sqrt(variance)
    assert found.p_value == pytest.approx(min(1.0, 2 * stats.norm.sf(abs(z))), abs=1e-9)


def test_equal_samples_do_not_differ():
    assert wilcoxon([1, 2], [1, 2]) == (0.0, 1.0, "none", 0)
    assert mann_whitney([3, 3], [3, 3, 3]) == (3.0, 1.0, "none", 2)


@given(
    st.lists(st.integers(0, 20), min_size=1, max_size=4),
    st.lists(st.integers(21, 40).filter(lambda x: x != 30), min_size=1, max_size=4, unique=True),
)
def test_mann_whitney_counts_all_splits(first, second):
    a, b = np.unique(first).astype(float), np.array(second, dtype=float)
    a[0] = 30.0
    a = np.unique(a)
    values = np.concatenate([a, b])
    u = sum(x > y for x in a for y in b)
    every = []
    for chosen in itertools.combinations(range(len(values)), len(a)):
        rest = np.delete(values, chosen)
        every.append(sum(x > y for x in values[list(chosen)] for y in rest))
    tail = min(np.mean(np.array(every) <= u), np.mean(np.array(every) >= u))
    found = mann_whitney(a, b)
    assert found.statistic == u and found.method == "exact"
    assert found.p_value == pytest.approx(min(1.0, 2 * tail), abs=1e-9)


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


def test_interval_of_the_mean_is_that_of_the_normal():
    values = np.random.default_rng(1).normal(size=400)
    found = bootstrap_interval(values, statistic=np.mean, random_state=np.random.default_rng(2))
    half = 1.96 * values.std(ddof=1) / 20
    assert found == pytest.approx((values.mean() - half, values.mean() + half), abs=0.01)


def test_bayesian_probabilities_of_one_pair_are_those_of_a_beta():
    # With one pair that differs by 1, and rope 0.5, only w1 ** 2 counts for the first (1 + 1 > 1;
    # 0 + 1 is not above 1), so the first wins where w1 ** 2 > 1 / 2, w1 being Beta(1, prior).
    found = bayesian_signed_rank(
        [1.0], [0.0], rope=0.5, prior=0.6, random_state=np.random.default_rng(3), n_samples=40_000
    )
    expected = stats.beta.sf(np.sqrt(0.5), 1, 0.6)
    assert found.first_larger == pytest.approx(expected, abs=0.01)
    assert found.second_larger == 0
    assert sum(found) == pytest.approx(1)


def test_bayesian_test_of_the_example_is_near_baycomp():
    table = demsar()
    # baycomp 1.0.3, two_on_multiple(x, y, rope=0.01), its default prior 0.5: (0, 0.32872, 0.67128).
    found = bayesian_signed_rank(
        table["C4.5+m"],
        table["C4.5"],
        rope=0.01,
        random_state=np.random.default_rng(3),
    )
    assert found.first_larger == pytest.approx(0.67128, abs=0.005)
    assert found.equivalent == pytest.approx(0.32872, abs=0.005)
    # Two samples the other way round.
    other = bayesian_signed_rank(
        table["C4.5"],
        table["C4.5+m"],
        rope=0.01,
        random_state=np.random.default_rng(3),
    )
    assert other.second_larger == pytest.approx(found.first_larger, abs=1e-12)


@pytest.mark.parametrize("values", [[1, 1, 1, 1, 2], [1] * 7 + [2], [1, 2]])
def test_interval_of_nearly_equal_values_is_finite(values):
    low, high = bootstrap_interval(values, random_state=np.random.default_rng(2))
    assert min(values) <= low <= np.median(values) <= high <= max(values)


def test_bootstrap_is_that_of_scipy():
    values = np.random.default_rng(1).normal(size=30)
    other = stats.bootstrap(
        (values,), np.median, random_state=np.random.default_rng(5), method="BCa"
    ).confidence_interval
    assert bootstrap_interval(values, random_state=np.random.default_rng(5)) == (
        other.low,
        other.high,
    )


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


# Data and figures of the examples of R's help pages wilcox.test and friedman.test, which are those
# of M. Hollander, D. A. Wolfe, "Nonparametric Statistical Methods" (1973), pages 29, 69 and 140.
DEPRESSION = (
    [1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30],
    [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29],
)
PERMEABILITY = (
    [0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46],
    [1.15, 0.88, 0.90, 0.74, 1.21],
)
ROUNDING_TIMES = """
5.40 5.50 5.55 5.85 5.70 5.75 5.20 5.60 5.50 5.55 5.50 5.40 5.90 5.85 5.70 5.45 5.55 5.60
5.40 5.40 5.35 5.45 5.50 5.35 5.25 5.15 5.00 5.85 5.80 5.70 5.25 5.20 5.10 5.65 5.55 5.45
5.60 5.35 5.45 5.05 5.00 4.95 5.50 5.50 5.40 5.45 5.55 5.50 5.55 5.55 5.35 5.45 5.50 5.55
5.50 5.45 5.25 5.65 5.60 5.40 5.70 5.65 5.55 6.30 6.30 6.25
"""


def test_wilcoxon_is_that_of_r():
    # R: V = 40 of 45, one-sided p = 0.01953, which is 10 of 512 signs.
    found = wilcoxon(*DEPRESSION)
    assert (found.statistic, found.method) == (45 - 40, "exact")
    assert found.p_value == pytest.approx(2 * 10 / 512, abs=1e-12)


def test_mann_whitney_is_that_of_r():
    # R: W = 35, one-sided p = 0.1272, which is 382 of 3003 splits.
    found = mann_whitney(*PERMEABILITY)
    assert (found.statistic, found.method) == (35, "exact")
    assert found.p_value == pytest.approx(2 * 382 / 3003, abs=1e-12)


def test_friedman_is_that_of_r():
    # R: chi-squared = 11.1429, df = 2, p = 0.003805.
    rows = np.array(ROUNDING_TIMES.split(), dtype=float).reshape(22, 3)
    found = friedman(pd.DataFrame(rows, columns=["round out", "narrow angle", "wide angle"]))
    assert found.statistic == pytest.approx(78 / 7, abs=1e-9)
    assert found.p_value == pytest.approx(np.exp(-39 / 7), abs=1e-12)
    assert (round(found.statistic, 4), round(found.p_value, 6)) == (11.1429, 0.003805)


@pytest.mark.parametrize("k", [2, 3, 5, 8])
def test_nemenyi_is_the_integral_of_the_range(k):
    # Chance that the range of k normal values exceeds q, by its definition.
    def beyond(q):
        def density(z):
            between = stats.norm.cdf(z) - stats.norm.cdf(z - q)
            return k * stats.norm.pdf(z) * between ** (k - 1)

        return 1 - quad(density, -9, 9 + q, epsabs=1e-13, epsrel=1e-13)[0]

    table = pd.DataFrame(np.random.default_rng(k).random((9, k)))
    p, means = nemenyi(table).to_numpy(), mean_ranks(table).to_numpy()
    error = np.sqrt(k * (k + 1) / (6 * 9))
    for i, j in itertools.combinations(range(k), 2):
        expected = beyond(abs(means[i] - means[j]) / error * np.sqrt(2))
        assert p[i, j] == pytest.approx(expected, abs=1e-9)
    apart = critical_difference(k, 9)
    assert beyond(apart / error * np.sqrt(2)) == pytest.approx(0.05, abs=1e-9)


def test_p_of_iman_davenport_has_the_degrees_of_freedom_of_demsar():
    # JMLR 7 (2006), Section 3.2.2: k - 1 and (k - 1)(n - 1).
    values = pd.DataFrame({"a": [1, 1, 1, 2], "b": [2, 3, 2, 1], "c": [3, 2, 3, 3]})
    found = friedman(values)
    assert found.f_p_value == pytest.approx(stats.f.sf(found.f_statistic, 2, 6), rel=1e-12)


def test_p_values_above_1_are_refused():
    with pytest.raises(ValueError, match=r"p_values: expected numbers in 0\.\.1, found 1\.5"):
        holm([0.5, 1.5])
