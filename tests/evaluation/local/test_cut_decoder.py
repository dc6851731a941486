"""The decoder of local recodings on a real table."""

from __future__ import annotations

import numpy as np
import pytest

from anonopt.data import load_dataset
from anonopt.data.recoded_groups import check_groups_of
from anonopt.evaluation.lattice.tuples import DistinctTuples
from anonopt.evaluation.local.cut_decoder import CutDecoder
from anonopt.measures.lattice.suppression_rule import SuppressionRule

pytest.importorskip("numba")


@pytest.fixture(scope="module")
def tuples() -> DistinctTuples:
    return DistinctTuples.of(load_dataset("adult"))


@pytest.mark.parametrize(("cuts", "most"), [("strict", 12_000), ("relaxed", 10_500)])
def test_keys_in_the_middle_are_good_already(
    tuples: DistinctTuples, cuts: str, most: float
) -> None:
    decoder = CutDecoder(tuples, SuppressionRule(0, 5), cuts=cuts, compiled=True)
    groups = decoder.decode(np.full(len(decoder.names), 0.5))
    check_groups_of(load_dataset("adult"), groups)
    widths = np.array([maps.shape[1] - 1 for maps in tuples.maps])
    losses = ((groups.highs - groups.lows) / widths).sum(axis=1)
    assert groups.sizes.min() >= 5
    assert (losses * groups.sizes).sum() < most
