"""Statistics equal, to 1e-9, what R gave: reference_values.R wrote the file beside it.

R 4.2.2 with coin 1.4.2 and exactRankTests 0.8.35; R's own data sets are read from the file, too.
"""

from __future__ import annotations

import csv

import numpy as np
import pytest

from anonopt.experiments.performance.curves import quartiles
from anonopt.experiments.statistics import (
    a12,
    friedman,
    holm,
    mann_whitney,
    nemenyi,
    wilcoxon,
)
from tests.experiments.statistics.test_reference_values import (
    AUGUST,
    DEMSAR,
    DEPRESSION,
    GRASSES,
    MAY,
    NINE,
    PERMEABILITY,
    ROUNDING_TIMES,
)
from tests.repository import ROOT

FILE = ROOT / "tests" / "experiments" / "statistics" / "reference_values_of_r.csv"
TABLES = {"demsar": DEMSAR, "grasses": GRASSES, "rounding": ROUNDING_TIMES}
PAIR = DEMSAR["C4.5"], DEMSAR["C4.5+m"]


def values_of(name: str) -> list[float]:
    with FILE.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    found = [float(row["value"]) for row in rows if row["name"].partition("[")[0] == name]
    assert found, name
    return found


def near(name: str):
    return pytest.approx(values_of(name), rel=NINE, abs=NINE)


def test_data_are_those_of_r():
    assert ROUNDING_TIMES.to_numpy().ravel().tolist() == values_of("rounding times")
    assert (values_of("may"), values_of("august")) == (MAY, AUGUST)


@pytest.mark.parametrize("name", TABLES)
def test_friedman(name):
    found = friedman(TABLES[name])
    assert [found.statistic, found.p_value] == near(f"friedman {name}")


@pytest.mark.parametrize("name", TABLES)
def test_iman_davenport_is_the_analysis_of_variance_of_ranks(name):
    found = friedman(TABLES[name])
    assert [found.f_statistic, found.f_p_value] == near(f"iman davenport {name}")


@pytest.mark.parametrize("name", TABLES)
def test_nemenyi_is_ptukey(name):
    assert nemenyi(TABLES[name]).to_numpy().ravel().tolist() == near(f"nemenyi {name}")


def test_wilcoxon_without_ties():
    found = wilcoxon(*DEPRESSION)
    # R's V is the sum of the positive ranks, ours the smaller of the two.
    assert [9 * 10 / 2 - found.statistic, found.p_value] == near("wilcoxon exact")
    assert [wilcoxon(*DEPRESSION, method="normal").p_value] == near("wilcoxon normal")


def test_wilcoxon_of_ties_normal():
    found = wilcoxon(*PAIR, method="normal")
    assert [found.statistic, found.p_value] == near("wilcoxon of ties normal")


@pytest.mark.parametrize(("zeros", "of_coin"), [("pratt", "Pratt"), ("left out", "Wilcoxon")])
@pytest.mark.parametrize(("method", "how"), [("exact", "exact"), ("normal", "asymptotic")])
def test_wilcoxon_of_ties_and_zeros_is_that_of_coin(zeros, of_coin, method, how):
    found = wilcoxon(*PAIR, zeros=zeros, method=method)
    assert [found.p_value] == near(f"wilcoxon {of_coin} {how}")


def test_mann_whitney():
    found = mann_whitney(*PERMEABILITY)
    assert [found.statistic, found.p_value] == near("mann whitney exact")
    found = mann_whitney(MAY, AUGUST, method="normal")
    assert [found.statistic, found.p_value] == near("mann whitney of ties normal")
    assert a12(MAY, AUGUST) == found.statistic / (len(MAY) * len(AUGUST))


def test_mann_whitney_of_ties_is_twice_the_smaller_tail_of_exact_rank_tests():
    found = mann_whitney([1, 1, 2, 2, 2, 3, 5, 5], [2, 3, 3, 5, 5, 5, 6, 7])
    assert [found.p_value / 2] == near("mann whitney of ties exact one tail")


def test_holm_in_any_order():
    assert holm([0.01, 0.04, 0.03, 0.005, 0.2, 0.05]).tolist() == near("holm")


def test_quartiles_are_those_of_type_7():
    assert list(quartiles(np.array(MAY, dtype=np.float64))) == near("quartiles")
