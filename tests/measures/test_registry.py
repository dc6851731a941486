"""The table of built-in measures and what a `Measure` has to say about itself."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonopt import LatticeEvaluator, get_measure, list_measures
from anonopt.measures import MEASURES, Measure
from anonopt.measures.measure import FIXED, REVERSE, UNSUPPRESSED
from tests.evaluation.lattice.small_tables import rules, small_tables

MORE_IS_BETTER = {
    "k", "l", "l_all", "S_k", "S_k_kept", "S_l", "S_l_kept", "entropy_l", "classes", "feasible",
}  # fmt: skip
FLAG = {"maximize": False, "unit": "", "range": ""}


def test_directions():
    assert {name for name, measure in MEASURES.items() if measure.maximize} == MORE_IS_BETTER
    assert get_measure("k").direction == "max"
    assert get_measure("recursive_cl").direction == "min"


def test_names_are_the_keys_and_everything_is_described():
    listed = list_measures()
    assert listed.index.tolist() == list(MEASURES)
    assert listed.columns.tolist() == ["direction", "unit", "range", "summary"]
    assert (listed != "").all(axis=None)
    assert listed.loc["glm"].tolist() == ["min", *listed.loc["glm"].tolist()[1:]]
    for name, measure in MEASURES.items():
        assert measure.name == name
        assert measure.rising | measure.falling <= {REVERSE, FIXED, UNSUPPRESSED}
        assert not measure.rising & measure.falling


def test_a_measure_is_found_by_name_or_is_itself():
    assert get_measure("S_k") is MEASURES["S_k"]
    own = Measure("own", **FLAG, from_classes=lambda classes: 1.0)
    assert get_measure(own) is own


@pytest.mark.parametrize(
    ("name", "near"),
    [("gml", "glm"), ("entropy", "entropy_l"), ("S_K", "S_k"), ("supressed", "suppressed")],
)
def test_misspelt_names_get_the_nearest_ones(name, near):
    with pytest.raises(
        ValueError,
        match=f"unknown measure '{name}'; did you mean .*{near}",
    ):
        get_measure(name)


def test_names_like_none_of_them_get_all():
    with pytest.raises(ValueError, match="unknown measure 'xyzzy'") as caught:
        get_measure("xyzzy")
    assert all(name in str(caught.value) for name in MEASURES)


@pytest.mark.parametrize("thing", [3, None, ["k"]])
def test_things_that_are_no_measure(thing):
    with pytest.raises(TypeError, match="expected the name of a measure or a Measure, found"):
        get_measure(thing)


def test_exactly_one_function():
    with pytest.raises(ValueError, match=r"'own': expected exactly one .*, found 0"):
        Measure("own", **FLAG)
    with pytest.raises(ValueError, match=r"'own': expected exactly one .*, found 2"):
        Measure("own", **FLAG, from_classes=lambda c: 1.0, from_rows=lambda r: 1.0)


def bounds(text: str, sizes: dict[str, float]) -> tuple[float, float]:
    """Read a range such as ``0..N*s``."""
    names = {"log2(N)": np.log2(sizes["N"]), "sum of heights": sizes["H"], "inf": np.inf}
    low, high = text.split("..")
    total = 1.0
    for factor in high.split("*"):
        name, _, power = factor.partition("^")
        value = names.get(name, sizes.get(name))
        total *= float(name if value is None else value) ** int(power or 1)
    return float(sizes.get(low, low)), total


@given(small_tables(), st.data())
@settings(max_examples=60)
def test_values_lie_in_the_range_that_is_declared(small, data):
    rule = data.draw(rules(small.table.n_rows))
    names = small.measures(rule["k"])
    found = LatticeEvaluator(small.table, accelerator="numpy", **rule).evaluate_all(names)
    sizes = {
        "N": small.table.n_rows,
        "s": len(small.table.quasi_identifiers),
        "H": sum(small.table.lattice.heights),
        "n_sensitive": len(small.table.sensitive_labels),
    }
    for name in names:
        low, high = bounds(MEASURES[name].range, sizes)
        assert found[name].min() >= low - 1e-9, name
        assert found[name].max() <= high + 1e-9, name
        assert not found[name].isna().any()
