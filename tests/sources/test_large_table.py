"""A table whose rows stay in a source against the same rows in memory."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import pytest

from anonopt.data import Hierarchy, Microdata
from anonopt.evaluation import LatticeEvaluator, RecodingEvaluator
from anonopt.local_recoding import k_member_groups, mondrian_groups
from anonopt.measures import Measure
from anonopt.problems import CellSuppressionProblem, LatticeProblem, LocalRecodingProblem
from anonopt.sources import LargeTable, PandasSource

MEASURES = ["k", "l", "glm", "entropy_l", "t", "cm", "discernibility", "nonuniform_entropy"]


@pytest.fixture(scope="module")
def frame():
    rng = np.random.default_rng(3)
    return pd.DataFrame(
        {
            "age": rng.integers(20, 40, 300),
            "zone": rng.choice(["A", "B", None], 300),
            "job": rng.choice(["cook", "clerk", "", "smith"], 300),
            "ill": rng.choice([True, False], 300),
            "pay": rng.choice([9, 10, 200], 300),
        }
    )


@pytest.fixture(scope="module")
def roles():
    return {
        "quasi_identifiers": ["age", "zone"],
        "hierarchies": {
            "age": Hierarchy.intervals(range(20, 40), width=5),
            "zone": Hierarchy([["A", "B"], ["*", "*"]]),
        },
        "sensitive": ["job", "ill"],
        "target": "pay",
    }


@pytest.fixture(scope="module")
def small(frame, roles):
    return Microdata(frame, **roles)


@pytest.fixture(scope="module")
def large(frame, roles):
    return LargeTable(PandasSource(frame), **roles)


def test_measures_have_the_same_bits_behind_every_back_end(small, large):
    nodes = small.lattice.nodes()
    for backend in ("direct", "rollup", "wide"):
        for accelerator in ("numpy", "auto"):
            options = {"backend": backend, "accelerator": accelerator, "suppression": 0.05}
            found = [
                LatticeEvaluator(table, **options).evaluate(nodes, MEASURES)
                for table in (small, large)
            ]
            pd.testing.assert_frame_equal(*found, check_exact=True)
            found = [
                LatticeEvaluator(t, **options).evaluate_all(["k", "l"]) for t in (small, large)
            ]
            pd.testing.assert_frame_equal(*found, check_exact=True)


def test_without_rows_measures_stay(small):
    evaluator = LatticeEvaluator(small, k=3, suppression=9)
    twin = LatticeEvaluator(small, k=3, suppression=9)
    twin.__dict__["tuples"] = twin.tuples.without_rows()
    nodes = small.lattice.nodes()
    pd.testing.assert_frame_equal(
        evaluator.evaluate(nodes, MEASURES), twin.evaluate(nodes, MEASURES), check_exact=True
    )
    with pytest.raises(ValueError, match="expected a table in memory"):
        _ = twin.tuples.tuple_of_row


def test_labels_and_lattice(small, large):
    assert large.n_rows == small.n_rows
    assert large.sensitive_labels == small.sensitive_labels
    assert large.target_labels == small.target_labels
    assert large.hierarchies == small.hierarchies
    assert large.lattice.heights == small.lattice.heights
    assert [c.labels for c in large.sensitive_columns] == [
        c.labels for c in small.sensitive_columns
    ]


def test_exact_fronts_are_equal(small, large):
    fronts = [
        LatticeProblem(table, ["k", "glm"], suppression=0.05).pareto_set_and_front()
        for table in (small, large)
    ]
    assert np.array_equal(fronts[0][0], fronts[1][0])
    assert np.array_equal(fronts[0][1], fronts[1][1])


def test_fingerprint_is_of_the_reduction(frame, roles, large):
    shuffled = frame.sample(frac=1, random_state=1)
    assert LargeTable(PandasSource(shuffled), **roles).fingerprint == large.fingerprint
    other = frame.assign(pay=frame["pay"].to_numpy()[::-1])
    assert LargeTable(PandasSource(other), **roles).fingerprint != large.fingerprint


def test_pickle_needs_no_source(large):
    twin = pickle.loads(pickle.dumps(large))
    assert twin.fingerprint == large.fingerprint
    assert twin.reduction().sensitive.numbers.sum() == large.n_rows


def test_what_needs_rows_is_refused_before_it_starts(large):
    mine = Measure("mine", maximize=True, unit="rows", range="1..N", from_rows=lambda rows: 0.0)
    for attempt in (
        lambda: LatticeProblem(large, ["k", mine]),
        lambda: RecodingEvaluator(large, k=2),
        lambda: LocalRecodingProblem(large, ["glm"], k=2),
        lambda: LatticeEvaluator(large).row_classes([0, 0]),
        lambda: large.frame,
        lambda: large.codes,
        lambda: large.sensitive_codes,
    ):
        with pytest.raises(ValueError, match=r"expected a table whose rows are in memory, found"):
            attempt()


def test_wrong_names_are_attribute_errors(large):
    with pytest.raises(AttributeError, match="frames"):
        _ = large.frames


def test_notebooks_show_roles(large):
    assert "quasi-identifier" in large._repr_html_()


@pytest.mark.parametrize(
    "attempt",
    [
        lambda table: CellSuppressionProblem(table, k=2),
        lambda table: mondrian_groups(table, k=2),
        lambda table: k_member_groups(table, k=2),
        lambda table: LatticeEvaluator(table).property_vector([0, 0], "class_size"),
    ],
    ids=["cells", "mondrian", "k_member", "property vector"],
)
def test_other_ways_of_protecting_are_refused(large, attempt):
    with pytest.raises(ValueError, match="expected a table whose rows are in memory"):
        attempt(large)
