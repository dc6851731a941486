"""The table of built-in measures and what a `Measure` has to say about itself."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonopt import LatticeEvaluator, get_measure, list_measures
from anonopt.measures import MEASURES, Measure, measure_names
from anonopt.measures.measure import ALL_RULES, KINDS
from tests.evaluation.lattice.small_tables import rules, small_tables
from tests.examples import examples

MORE_IS_BETTER = {
    "k", "l", "l_all", "S_k", "S_k_kept", "S_l", "S_l_kept", "entropy_l", "classes", "feasible",
}  # fmt: skip
FLAG = {"maximize": False, "unit": "", "range": ""}


def test_directions():
    assert {name for name, measure in MEASURES.items() if measure.maximize} == MORE_IS_BETTER
    assert get_measure("k").direction == "max"
    assert get_measure("recursive_cl").direction == "min"
    assert (get_measure("k").worst, get_measure("recursive_cl").worst) == (-np.inf, np.inf)


def test_names_are_the_keys_and_everything_is_described():
    listed = list_measures()
    assert listed.index.tolist() == list(MEASURES)
    assert listed.columns.tolist() == ["of", "direction", "unit", "range", "paper", "summary"]
    assert (listed != "").all(axis=None)
    assert listed.loc["glm", ["of", "direction"]].tolist() == ["node", "min"]
    for name, measure in MEASURES.items():
        assert measure.name == name
        assert measure.rising | measure.falling <= ALL_RULES
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
    with pytest.raises(TypeError, match="measure: expected a name or a Measure, found"):
        get_measure(thing)


def test_exactly_one_function():
    with pytest.raises(ValueError, match=r"'own': expected exactly one .*, found 0"):
        Measure("own", **FLAG)
    with pytest.raises(ValueError, match=r"'own': expected exactly one .*, found 2"):
        Measure("own", **FLAG, from_classes=lambda c: 1.0, from_rows=lambda r: 1.0)


def test_a_measure_says_what_it_is_of():
    assert get_measure("IL").of == ("file", "numeric file", "matrix", "equation", "graph")
    assert Measure("own", **FLAG, from_files=lambda a, b: 0.0).of == ("file", "numeric file")
    assert Measure("own", **FLAG, from_matrices=lambda a, b: 0.0).of == ("matrix", "equation")
    both = Measure("own", **FLAG, of="file", from_graphs=lambda a, b: 0.0, from_rows=lambda r: 0.0)
    assert both.of == ("node", "file", "graph")
    with pytest.raises(ValueError, match=r"'own': of: expected one of 'node', .*, found 'table'"):
        Measure("own", **FLAG, of="table", from_graphs=lambda a, b: 0.0)


def test_the_function_of_a_kind_of_thing():
    def function(original, masked):
        return 0.0

    own = Measure("own", **FLAG, from_files=function)
    assert own.function("file") is own.function("numeric file") is function
    assert own.function("graph") is get_measure("IL").function("file") is None


def test_measures_of_one_kind_of_thing():
    parts = {kind: measure_names(kind) for kind in (*KINDS, "suppressed cells")}
    assert {name for names in parts.values() for name in names} == set(measure_names())
    assert {"k", "glm"} <= set(parts["node"])
    assert not {"k", "PIL", "AAMIL", "size"} & set(parts["file"])
    assert set(parts["equation"]) - set(parts["matrix"]) == {"size"}
    assert set(parts["matrix"]) - set(parts["file"]) == {
        "bivariate_difference",
        "expectation_share",
    }
    assert parts["graph"] == list_measures(of="graph").index.tolist()
    for kind in set(KINDS) - {"node"}:
        assert set(list_measures(of=kind)["unit"]) <= {"percent", "nodes"}
    with pytest.raises(ValueError, match=r"of: expected one of 'node', .*, found 'table'"):
        list_measures(of="table")


@pytest.mark.parametrize(
    ("name", "kind", "message"),
    [
        ("k", "file", "measure 'k': expected one of 'file', found one of 'node'; known ones: CTB"),
        (
            "PIL",
            "graph",
            "measure 'PIL': expected one of 'graph', found one of 'numeric file'; did",
        ),
        ("CDIL", "node", "measure 'CDIL': expected one of 'node', found one of 'graph'; known"),
        ("DR_location", "file", "measure 'DR_location': expected one of 'file', found one of 'gr"),
        ("DBLI", "file", "unknown measure 'DBLI'; did you mean DBRL"),
    ],
)
def test_a_measure_of_something_else_is_refused_with_those_that_fit(name, kind, message):
    with pytest.raises(ValueError, match=message):
        get_measure(name, of=kind)


def test_an_own_measure_needs_a_function_of_what_is_measured():
    own = Measure("own", **FLAG, of="file", from_graphs=lambda a, b: 0.0)
    assert get_measure(own, of="graph") is own
    for kind in ("file", "node"):
        with pytest.raises(ValueError, match=f"measure 'own': expected one of '{kind}', found"):
            get_measure(own, of=kind)
    namesake = Measure("IL", **FLAG, of="file")
    with pytest.raises(ValueError, match="measure 'IL': expected one of 'file'"):
        get_measure(namesake, of="file")


def test_risks_of_attributes_are_named_by_the_graph():
    risk = get_measure("DR_home town", of="graph")
    assert (risk.name, risk.of, risk.unit) == ("DR_home town", ("graph",), "percent")
    assert get_measure("DR_home town") is risk


@pytest.mark.parametrize("name", ["k", "entropy_l", "IL", "expectation_share", "DR_location"])
def test_named_measures_are_one_object_in_whatever_way_they_come(name):
    measure = get_measure(name)
    assert pickle.loads(pickle.dumps(measure)) is measure
    assert copy.deepcopy([measure])[0] is copy.copy(measure) is measure


def test_a_namesake_is_pickled_as_what_it_is():
    own = Measure("k", maximize=False, unit="", range="", from_files=max)
    twin = pickle.loads(pickle.dumps(own))
    assert twin == own and twin is not get_measure("k")


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
@examples(24)
def test_values_lie_in_the_range_that_is_declared(small, data):
    rule = data.draw(rules(small))
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
