"""Each statistic equals, to 1e-9, a published figure or that of another library, named beside it.

Published figures are printed with few digits: there the fraction, or the closed form, that they are
a rounding of is held to 1e-9, and its rounding to what is printed.
"""

from __future__ import annotations

import statistics as stdlib
from fractions import Fraction
from typing import NamedTuple

import baycomp
import numpy as np
import pandas as pd
import pytest
import scikit_posthocs
from scipy import stats
from scipy.integrate import quad
from sklearn.metrics import roc_auc_score
from statsmodels.stats.anova import AnovaRM
from statsmodels.stats.multitest import multipletests

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
    mann_whitney,
    mean_ranks,
    nemenyi,
    power,
    runs_needed,
    wilcoxon,
)
from tests.oracles import comparisons as oracle

NINE = 1e-9


def table_of(text: str, names: list[str]) -> pd.DataFrame:
    rows = [[float(cell) for cell in line.split()] for line in text.strip().splitlines()]
    return pd.DataFrame(rows, columns=names)


# J. Demsar, Statistical comparisons of classifiers over multiple data sets, JMLR 7 (2006), Table 6,
# compared with a public transcription of it in full, and with parts of four others. It prints .975
# for +cf in row 13, a tie with +m+cf; all published figures come out with .9751 there, as if they
# had been computed from numbers before rounding.
CLASSIFIERS = ["C4.5", "C4.5+m", "C4.5+cf", "C4.5+m+cf"]
AREAS = """
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
DEMSAR = table_of(AREAS.format(row_13=".9751"), CLASSIFIERS)
DEMSAR_AS_PRINTED = table_of(AREAS.format(row_13=".975"), CLASSIFIERS)

# W. J. Conover, Practical Nonparametric Statistics, 3rd edition (1999), Section 5.8, Example 1:
# ranks of four grasses by twelve homeowners; the book was not at hand, but R gives of these ranks
# what is known to be printed there (reference_values_of_r.csv).
GRASSES = table_of(
    """
4 3 2 1
4 2 3 1
3 1.5 1.5 4
3 1 2 4
4 2 1 3
2 2 2 4
1 3 2 4
2 4 1 3
3.5 1 2 3.5
4 1 3 2
4 2 3 1
3.5 1 2 3.5
""",
    ["1", "2", "3", "4"],
)

# M. Hollander, D. A. Wolfe, Nonparametric Statistical Methods (1973), pages 29, 69 and 140: the
# examples of R's help pages wilcox.test and friedman.test.
DEPRESSION = (
    [1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30],
    [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29],
)
PERMEABILITY = (
    [0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46],
    [1.15, 0.88, 0.90, 0.74, 1.21],
)
ROUNDING_TIMES = table_of(
    """
5.40 5.50 5.55
5.85 5.70 5.75
5.20 5.60 5.50
5.55 5.50 5.40
5.90 5.85 5.70
5.45 5.55 5.60
5.40 5.40 5.35
5.45 5.50 5.35
5.25 5.15 5.00
5.85 5.80 5.70
5.25 5.20 5.10
5.65 5.55 5.45
5.60 5.35 5.45
5.05 5.00 4.95
5.50 5.50 5.40
5.45 5.55 5.50
5.55 5.55 5.35
5.45 5.50 5.55
5.50 5.45 5.25
5.65 5.60 5.40
5.70 5.65 5.55
6.30 6.30 6.25
""",
    ["round out", "narrow angle", "wide angle"],
)
# R's data set airquality, ozone of May and of August, the example of its help page wilcox.test.
MAY = [41, 36, 12, 18, 28, 23, 19, 8, 7, 16, 11, 14, 18, 14, 34, 6, 30, 11, 1, 11, 4, 32, 23, 45]
MAY += [115, 37]
AUGUST = [39, 9, 16, 78, 35, 66, 122, 89, 110, 44, 28, 65, 22, 59, 23, 31, 44, 21, 9, 45, 168, 73]
AUGUST += [76, 118, 84, 85]

# B. Efron, R. J. Tibshirani, An Introduction to the Bootstrap (1993), Table 14.1: spatial test A,
# compared, as the interval of Table 14.2, with public transcriptions of them.
SPATIAL = [48, 36, 20, 29, 42, 42, 20, 42, 22, 41, 45, 14, 6, 0, 33, 28, 34, 4, 32, 24, 47, 41, 24]
SPATIAL += [26, 30, 41]


class TestFriedman:
    def test_mean_ranks_are_those_of_demsar(self):
        found = mean_ranks(DEMSAR, maximize=True)
        sums = np.array([44, 28, 40.5, 27.5])
        assert found.tolist() == pytest.approx(sums / 14, abs=NINE)
        assert found.round(3).tolist() == [3.143, 2.0, 2.893, 1.964]
        printed = mean_ranks(DEMSAR_AS_PRINTED, maximize=True)
        assert printed.round(3).tolist() == [3.143, 2.0, 2.929, 1.929]

    def test_without_ties_it_is_that_of_demsar(self):
        # 12 n / (k (k + 1)) (sum R^2 - k (k + 1)^2 / 4), printed 9.28.
        sums = [Fraction(44), Fraction(28), Fraction(81, 2), Fraction(55, 2)]
        squares = sum((total / 14) ** 2 for total in sums)
        expected = Fraction(12 * 14, 4 * 5) * (squares - Fraction(4 * 25, 4))
        found = friedman(DEMSAR, ties=False)
        assert found.statistic == pytest.approx(float(expected), abs=NINE)
        assert round(found.statistic, 2) == 9.28

    def test_with_ties_it_is_that_of_scipy(self):
        other = stats.friedmanchisquare(*DEMSAR.to_numpy().T)
        found = friedman(DEMSAR)
        assert found[:2] == pytest.approx((other.statistic, other.pvalue), abs=NINE)

    def test_with_ties_it_is_that_of_r(self):
        # R: Friedman chi-squared = 11.143, df = 2, p-value = 0.003805.
        found = friedman(ROUNDING_TIMES)
        assert found[:2] == pytest.approx((78 / 7, np.exp(-39 / 7)), abs=NINE)
        assert (round(found.statistic, 3), round(found.p_value, 6)) == (11.143, 0.003805)

    def test_with_ties_it_is_that_of_conover(self):
        # Printed: T1 = 8.097, T2 = 3.19, from A1 = 356.5 and C1 = 300.
        found = friedman(GRASSES)
        sums = np.array([38, 23.5, 24.5, 34])
        expected = 3 * ((sums**2).sum() - 12 * 300) / (356.5 - 300)
        assert found.statistic == pytest.approx(expected, abs=NINE)
        assert (round(found.statistic, 3), round(found.f_statistic, 2)) == (8.097, 3.19)


class TestImanDavenport:
    def test_it_is_that_of_demsar(self):
        # (n - 1) chi2 / (n (k - 1) - chi2), printed 3.69.
        chi2 = friedman(DEMSAR, ties=False).statistic
        found = friedman(DEMSAR, ties=False).f_statistic
        assert found == pytest.approx(13 * chi2 / (14 * 3 - chi2), abs=NINE)
        assert round(found, 2) == 3.69

    @pytest.mark.parametrize("table", [DEMSAR, GRASSES, ROUNDING_TIMES], ids=["d", "g", "r"])
    def test_it_is_the_f_of_an_analysis_of_variance_of_ranks(self, table):
        # statsmodels; the equality is of Conover (1999), Section 5.8.
        ranks = table.rank(axis=1).to_numpy()
        long = pd.DataFrame(
            {
                "rank": ranks.ravel(),
                "block": np.repeat(np.arange(len(ranks)), ranks.shape[1]),
                "group": np.tile(np.arange(ranks.shape[1]), len(ranks)),
            }
        )
        other = AnovaRM(long, "rank", "block", within=["group"]).fit().anova_table.iloc[0]
        found = friedman(table)
        assert found.f_statistic == pytest.approx(other["F Value"], abs=NINE)
        assert found.f_p_value == pytest.approx(other["Pr > F"], abs=NINE)


def chance_beyond(q: float, k: int) -> float:
    """Chance that the range of k normal values exceeds q, by its definition."""

    def density(z):
        between = stats.norm.cdf(z) - stats.norm.cdf(z - q)
        return k * stats.norm.pdf(z) * between ** (k - 1)

    return 1 - quad(density, -9, 9 + q, epsabs=1e-13, epsrel=1e-13)[0]


class TestNemenyi:
    @pytest.mark.parametrize(
        ("alpha", "printed"),
        # Demsar, Table 5(a): two to ten classifiers; quotients of ranges of three decimals.
        [
            (0.05, [1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164]),
            (0.10, [1.645, 2.052, 2.291, 2.459, 2.589, 2.693, 2.780, 2.855, 2.920]),
        ],
    )
    def test_critical_values_are_those_of_demsar(self, alpha, printed):
        for k, value in enumerate(printed, start=2):
            quantile = critical_difference(k, 14, alpha=alpha) / np.sqrt(k * (k + 1) / (6 * 14))
            assert quantile == pytest.approx(value, abs=1e-3), k
            assert chance_beyond(quantile * np.sqrt(2), k) == pytest.approx(alpha, abs=NINE), k

    def test_critical_differences_are_those_of_demsar(self):
        found = [critical_difference(4, 14, alpha=alpha) for alpha in (0.05, 0.10)]
        assert [round(value, 2) for value in found] == [1.25, 1.12]

    @pytest.mark.parametrize(
        "table", [DEMSAR, DEMSAR_AS_PRINTED, GRASSES, ROUNDING_TIMES], ids=["d", "p", "g", "r"]
    )
    def test_p_values_are_those_of_scikit_posthocs(self, table):
        other = scikit_posthocs.posthoc_nemenyi_friedman(table)
        np.testing.assert_allclose(nemenyi(table), other, rtol=0, atol=NINE)

    @pytest.mark.parametrize("k", [2, 3, 5, 8])
    def test_p_values_are_the_integral_of_the_range(self, k):
        table = pd.DataFrame(np.random.default_rng(k).random((9, k)))
        p, means = nemenyi(table).to_numpy(), mean_ranks(table).to_numpy()
        apart = np.abs(means[0] - means[1:]) / np.sqrt(k * (k + 1) / (6 * 9)) * np.sqrt(2)
        assert p[0, 1:].tolist() == pytest.approx([chance_beyond(q, k) for q in apart], abs=NINE)


class TestControl:
    def test_it_is_that_of_demsar(self):
        # Section 3.2.2: standard error 0.488; z of C4.5+m+cf 1.179 / 0.488, and its p.
        found = against_control(DEMSAR, "C4.5", maximize=True)
        error = np.sqrt(4 * 5 / (6 * 14))
        z = np.array([28, 40.5, 27.5]) / 14 / error - 44 / 14 / error
        assert round(error, 3) == 0.488
        assert found["z"].tolist() == pytest.approx(z, abs=NINE)
        p = [2 * stdlib.NormalDist().cdf(-abs(value)) for value in z]
        assert found["p"].tolist() == pytest.approx(p, abs=NINE)
        other = multipletests(p, method="holm")[1]
        assert found["p_holm"].tolist() == pytest.approx(other, abs=NINE)


class TestHolm:
    def test_it_is_that_of_statsmodels(self):
        p_values = np.random.default_rng(1).random(20) ** 3
        other = multipletests(p_values, method="holm")[1]
        np.testing.assert_allclose(holm(p_values.tolist()), other, rtol=0, atol=NINE)

    def test_it_is_that_of_r(self):
        # R: p.adjust(c(0.01, 0.02, 0.03, 0.04, 0.05), "holm").
        found = holm([0.01, 0.02, 0.03, 0.04, 0.05])
        assert found.tolist() == pytest.approx([0.05, 0.08, 0.09, 0.09, 0.09], abs=NINE)


class TestWilcoxon:
    def test_exact_is_that_of_r(self):
        # R: V = 40 of 45, one-sided p-value = 0.01953, which is 10 of 512 signs.
        found = wilcoxon(*DEPRESSION)
        assert (found.statistic, found.method) == (45 - 40, "exact")
        assert found.p_value == pytest.approx(2 * 10 / 512, abs=NINE)
        assert round(found.p_value / 2, 5) == 0.01953

    @pytest.mark.parametrize(
        ("zeros", "scipys"), [("split", "zsplit"), ("pratt", "pratt"), ("left out", "wilcox")]
    )
    @pytest.mark.parametrize(("method", "n"), [("exact", 10), ("normal", 14)])
    def test_of_ties_and_zeros_it_is_that_of_scipy(self, zeros, scipys, method, n):
        # Exact by all 2 ** 10 signs.
        how = stats.PermutationMethod(n_resamples=np.inf) if method == "exact" else "approx"
        pair = DEMSAR["C4.5"][:n], DEMSAR["C4.5+m"][:n]
        other = stats.wilcoxon(*pair, zero_method=scipys, method=how)
        found = wilcoxon(*pair, zeros=zeros, method=method)
        assert (found.statistic, found.method, found.n) == (other.statistic, method, n - 2)
        assert found.p_value == pytest.approx(other.pvalue, abs=NINE)

    def test_of_split_zeros_it_is_that_of_demsar(self):
        # Section 3.1.3: T = 12, z = -2.54 by T - n (n + 1) / 4 over its error without ties.
        found = wilcoxon(DEMSAR["C4.5"], DEMSAR["C4.5+m"], zeros="split", method="normal")
        assert found.statistic == 12
        assert round((12 - 14 * 15 / 4) / np.sqrt(14 * 15 * 29 / 24), 2) == -2.54
        assert round(stats.norm.ppf(found.p_value / 2), 2) == -2.54


class TestMannWhitney:
    def test_exact_is_that_of_r(self):
        # R: W = 35, one-sided p-value = 0.1272, which is 382 of 3003 splits.
        found = mann_whitney(*PERMEABILITY)
        assert (found.statistic, found.method) == (35, "exact")
        assert found.p_value == pytest.approx(2 * 382 / 3003, abs=NINE)
        assert round(found.p_value / 2, 4) == 0.1272

    def test_of_ties_normal_is_that_of_r_and_scipy(self):
        # R: W = 127.5, p-value = 0.0001208, with correction for continuity.
        found = mann_whitney(MAY, AUGUST, method="normal")
        other = stats.mannwhitneyu(MAY, AUGUST, method="asymptotic")
        assert (found.statistic, round(found.p_value, 7)) == (127.5, 0.0001208)
        assert found.p_value == pytest.approx(other.pvalue, abs=NINE)

    def test_of_ties_exact_is_that_of_scipy(self):
        # By all 12,870 splits.
        every = stats.PermutationMethod(n_resamples=np.inf)
        pair = [1, 1, 2, 2, 2, 3, 5, 5], [2, 3, 3, 5, 5, 5, 6, 7]
        found = mann_whitney(*pair)
        assert found.method == "exact"
        assert found.p_value == pytest.approx(
            stats.mannwhitneyu(*pair, method=every).pvalue, abs=NINE
        )


class TestEffects:
    def test_a12_is_the_area_under_a_curve_of_scikit_learn(self):
        labels = [1] * len(MAY) + [0] * len(AUGUST)
        assert a12(MAY, AUGUST) == pytest.approx(roc_auc_score(labels, MAY + AUGUST), abs=NINE)

    def test_cliffs_delta_is_the_d_of_somers_of_scipy(self):
        labels = [1] * len(MAY) + [0] * len(AUGUST)
        other = stats.somersd(labels, MAY + AUGUST).statistic
        assert cliffs_delta(MAY, AUGUST) == pytest.approx(other, abs=NINE)


class TestBootstrap:
    @pytest.mark.parametrize("statistic", [np.median, np.mean, np.var])
    def test_it_is_that_of_efron_by_hand(self, statistic):
        found = bootstrap_interval(
            SPATIAL, statistic=statistic, random_state=np.random.default_rng(5), n_resamples=999
        )
        # scipy draws all resamples at once.
        drawn = np.random.default_rng(5).integers(0, len(SPATIAL), (999, len(SPATIAL)))
        other = oracle.accelerated_interval(SPATIAL, drawn.tolist(), statistic, 0.95)
        assert found == pytest.approx(other, abs=NINE)

    def test_it_is_near_that_of_efron_and_tibshirani(self):
        # Table 14.2: of the variance (by n) at 90 %, 2,000 resamples: 115.8 to 259.6.
        low, high = bootstrap_interval(
            SPATIAL, statistic=np.var, level=0.9, random_state=np.random.default_rng(1)
        )
        assert round(np.var(SPATIAL), 1) == 171.5
        assert (low, high) == pytest.approx((115.8, 259.6), abs=4)


class Drawn(NamedTuple):
    """Weights of the generator that baycomp makes of its seed."""

    source: np.random.RandomState

    def dirichlet(self, strengths, size):
        return self.source.dirichlet(strengths, size)


class TestBayesian:
    @pytest.mark.parametrize("rope", [0.00325, 0.01025])
    def test_it_is_that_of_baycomp_of_the_same_weights(self, rope):
        # No sum of two differences lies on the border, where baycomp counts half.
        pair = DEMSAR["C4.5"].to_numpy(), DEMSAR["C4.5+m"].to_numpy()
        other = baycomp.two_on_multiple(*pair, rope=rope, random_state=3, nsamples=3000)
        weights: np.random.Generator = Drawn(np.random.RandomState(3))
        found = bayesian_signed_rank(*pair, rope=rope, random_state=weights, n_samples=3000)
        assert found == pytest.approx(other, abs=NINE)

    def test_of_one_pair_it_is_that_of_a_beta(self):
        # Only w ** 2 counts for the first, w being Beta(1, prior): it wins where w ** 2 > 1 / 2.
        grid = stats.beta(1, 0.6).ppf((np.arange(20_000) + 0.5) / 20_000)
        weights = Spread(np.column_stack([1 - grid, grid]))
        found = bayesian_signed_rank(
            [1.0], [0.0], rope=0.5, prior=0.6, random_state=weights, n_samples=20_000
        )
        assert found.first_larger == pytest.approx(
            stats.beta.sf(np.sqrt(0.5), 1, 0.6), abs=1 / 20_000
        )
        assert found.second_larger == 0 and sum(found) == pytest.approx(1, abs=NINE)


class Spread:
    """Weights that are given, in their order."""

    def __init__(self, weights: np.ndarray) -> None:
        self.rest = weights

    def dirichlet(self, strengths, size):
        given, self.rest = self.rest[:size], self.rest[size:]
        return given


class TestPower:
    def test_it_is_that_of_noether_by_hand(self):
        # G. E. Noether, JASA 82 (1987): n = (z_a + z_b)^2 / (6 (A - 1/2)^2) of each, two-sided.
        normal = stdlib.NormalDist()
        z, shift = normal.inv_cdf(0.975), 0.21 * np.sqrt(6 * 20)
        expected = normal.cdf(shift - z) + normal.cdf(-shift - z)
        assert power(20, 0.71) == pytest.approx(expected, abs=NINE)
        needed = (z + normal.inv_cdf(0.8)) ** 2 / (6 * 0.21**2)
        assert (round(needed, 2), runs_needed(0.71)) == (29.66, 30)
        least = 0.5 + (z + normal.inv_cdf(0.8)) / np.sqrt(6 * 20)
        assert effect_shown(20) == pytest.approx(least, abs=NINE)

    @pytest.mark.parametrize("effect", [0.56, 0.64, 0.71])
    def test_it_is_near_what_tests_of_normal_samples_find(self, effect):
        rng = np.random.default_rng(1)
        shift = np.sqrt(2) * stats.norm.ppf(effect)
        first, second = rng.normal(shift, size=(2000, 20)), rng.normal(size=(2000, 20))
        p = stats.mannwhitneyu(first, second, axis=1, method="asymptotic").pvalue
        assert power(20, effect) == pytest.approx((p <= 0.05).mean(), abs=0.03)
