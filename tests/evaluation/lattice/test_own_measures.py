"""Measures that users bring along: functions of the class table or of the rows."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from anonopt import LatticeEvaluator, Microdata
from anonopt.measures import Measure
from tests.evaluation.lattice.small_tables import ZIP, eight_people


@pytest.fixture
def table() -> Microdata:
    return eight_people(sensitive="illness", target="cured")


def test_a_function_of_the_class_table(table):
    largest = Measure(
        "largest", maximize=True, unit="rows", range="1..N",
        from_classes=lambda classes: classes.sizes.max(),
    )  # fmt: skip
    expected = [2, 2, 3, 4, 5, 8]
    names = ["k", largest, "l"]
    for options in ({}, {"accelerator": "numpy"}, {"backend": "direct"}, {"workers": 2}):
        found = LatticeEvaluator(table, **options).evaluate_all(names)
        assert found.columns.tolist() == ["zip", "sex", "k", "largest", "l"]
        assert found["largest"].tolist() == expected
    one = LatticeEvaluator(table).evaluate([[1, 1]], [largest])
    assert one["largest"].tolist() == [4]


KEPT = {
    "sizes": lambda classes: classes.sizes.sum(),
    "all": lambda classes: classes.all.sizes.sum(),
    "gone": lambda classes: classes.suppressed.sizes.sum(),
    "sensitive": lambda classes: classes.sensitive_counts().sum(),
    "target": lambda classes: classes.target_counts().sum(),
    "lengths": lambda classes: (
        len(classes) == len(classes.codes) == len(classes.distinct_sensitive())
    ),
}


@pytest.mark.parametrize("options", [{"k": 3}, {"k": 5}, {"suppression": 3}])
def test_an_own_measure_sees_the_classes_that_are_kept(table, options):
    own = [
        Measure(name, True, "", "", from_classes=function, needs_kept=False)
        for name, function in KEPT.items()
    ]
    found = LatticeEvaluator(table, **options).evaluate_all([*own, "suppressed"])
    gone = found["suppressed"]
    assert gone.max() > 0
    assert found["all"].eq(8).all() and found["lengths"].all()
    assert found["gone"].tolist() == gone.tolist()
    for name in ("sizes", "sensitive", "target"):
        assert found[name].tolist() == (8 - gone).tolist()


@pytest.mark.parametrize(("maximize", "worst"), [(True, -np.inf), (False, np.inf)])
def test_a_node_that_keeps_nothing_is_infinitely_bad(table, maximize, worst):
    options = {"maximize": maximize, "unit": "rows", "range": "1..N"}
    largest = Measure("largest", **options, from_classes=lambda classes: classes.sizes.max())
    number = Measure(
        "number", **options, from_classes=lambda classes: len(classes), needs_kept=False
    )
    found = LatticeEvaluator(table, k=5).evaluate_all([largest, number, "suppressed"])
    nothing = found["suppressed"] == 8
    assert nothing.any()
    assert found.loc[nothing, "largest"].eq(worst).all()
    assert np.isfinite(found.loc[~nothing, "largest"]).all()
    assert found["number"].eq(0).tolist() == nothing.tolist()


def test_a_function_of_the_rows(table):
    """The largest number of rows that share both class and illness with a row."""
    crowd = Measure(
        "crowd", maximize=True, unit="rows", range="1..N",
        from_rows=lambda rows: max(
            np.sum((rows.class_of_row == c) & (rows.sensitive_codes == s))
            for c, s in zip(rows.class_of_row, rows.sensitive_codes, strict=True)
        ),
    )  # fmt: skip
    found = LatticeEvaluator(table).evaluate_all([crowd, "k"])
    alone = LatticeEvaluator(table).evaluate([[2, 1], [0, 0]], [crowd])
    assert found["crowd"].tolist() == [2, 2, 2, 3, 3, 4]
    assert alone["crowd"].tolist() == [found["crowd"].iloc[-1], found["crowd"].iloc[0]]


def test_counts_of_a_large_class_can_be_squared():
    """Counts are stored in 16 bits where they fit; a user must not have to know."""
    frame = pd.DataFrame({"zip": ["a"] * 600, "s": ["x"] * 600, "t": ["y"] * 600})
    table = Microdata(
        frame, quasi_identifiers=["zip"], hierarchies={"zip": ZIP}, sensitive="s", target="t"
    )
    squares = [
        Measure(
            name, maximize=True, unit="", range="",
            from_classes=lambda classes, counts=counts: (counts(classes) ** 2).sum(),
        )
        for name, counts in (
            ("sensitive", lambda classes: classes.sensitive_counts()),
            ("target", lambda classes: classes.target_counts()),
        )
    ]  # fmt: skip
    found = LatticeEvaluator(table).evaluate_all(squares)
    assert found[["sensitive", "target"]].values.tolist() == [[360000.0, 360000.0]] * 3


def test_a_measure_cannot_change_the_classes(table):
    careless = Measure(
        "careless", maximize=True, unit="", range="",
        from_classes=lambda classes: classes.sizes.sort(),
    )  # fmt: skip
    with pytest.raises(ValueError, match="read-only"):
        LatticeEvaluator(table).evaluate_all([careless])


def test_a_measure_named_as_a_quasi_identifier(table):
    zip_code = Measure("zip", maximize=True, unit="", range="", from_classes=lambda c: 1.0)
    with pytest.raises(ValueError, match="'zip' has the name of a quasi-identifier: rename it"):
        LatticeEvaluator(table).evaluate([[0, 0]], [zip_code])


def test_an_own_measure_may_be_called_glm(table):
    """Weights belong to the built-in one only."""
    own = Measure("glm", maximize=False, unit="", range="", from_classes=lambda c: -1.0)
    found = LatticeEvaluator(table, weights={"zip": 2.0}).evaluate([[0, 0]], [own])
    assert found["glm"].tolist() == [-1.0]
