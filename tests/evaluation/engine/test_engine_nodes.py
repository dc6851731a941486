"""Nodes that the engine groups against the same nodes in memory: equal bits."""

from __future__ import annotations

import pickle
import warnings
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pandas as pd
import pytest

from anonopt.algorithms import PBGEA
from anonopt.data import Microdata, SyntheticTable
from anonopt.evaluation import LatticeEvaluator
from anonopt.measures import Measure
from anonopt.problems import LatticeProblem
from anonopt.runs import resume_run, solve
from anonopt.sources import DuckDBSource, LargeTable, PandasSource
from tests.evaluation.engine.available import measures_of

pytest.importorskip("duckdb")
pytest.importorskip("pyarrow")

RULES = [
    {"suppression": 0.05},
    {"k": 5, "suppression": 0.05},
    {"k": 3, "suppression": 0.3, "class_bounds": {"l": 3}},
]


@pytest.fixture(scope="module")
def people():
    return SyntheticTable(n_rows=900, n_columns=3, profiles=300, missing=0.1)


@pytest.fixture(scope="module")
def roles(people):
    return {
        "quasi_identifiers": ["age", "postcode"],
        "hierarchies": {name: people.hierarchies()[name] for name in ("age", "postcode")},
        "sensitive": "diagnosis",
        "target": "sex",
    }


@pytest.fixture(scope="module")
def small(people, roles):
    return Microdata(people.frame(), **roles)


@pytest.fixture(scope="module")
def source(people, tmp_path_factory):
    path = people.write(tmp_path_factory.mktemp("engine") / "people.parquet")
    return DuckDBSource.of_parquet(path)


@pytest.fixture(scope="module")
def large(source, roles):
    return LargeTable(source, **roles, max_tuples=10)


def evaluators(small, large, **rule):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return LatticeEvaluator(small, **rule), LatticeEvaluator(large, **rule)


@pytest.mark.parametrize("rule", RULES)
def test_formulas_of_statistics_have_the_same_bits(small, large, rule):
    memory, engine = evaluators(small, large, **rule)
    assert engine.backend == "engine"
    assert engine.n_tuples == memory.n_tuples
    names = [n for n in measures_of(memory) if memory.measure(n).from_statistics is not None]
    assert len(names) > 15
    pd.testing.assert_frame_equal(
        engine.evaluate_all(names), memory.evaluate_all(names), check_exact=True
    )
    nodes = small.lattice.nodes()
    assert engine.small_class_rows(nodes, 4).tolist() == memory.small_class_rows(nodes, 4).tolist()


def test_classes_that_do_not_fit_are_refused(small, large):
    _, engine = evaluators(small, large)
    with pytest.raises(ValueError, match="expected at most 10 classes in memory"):
        engine.class_table([0, 0])
    with pytest.raises(ValueError, match="expected a table whose rows are in memory"):
        engine.row_classes([1, 1])


def test_the_engine_is_chosen_where_tuples_do_not_fit(large, small):
    with pytest.warns(UserWarning, match="more than 10 distinct tuples"):
        LatticeEvaluator(large)
    with pytest.raises(ValueError, match="expected 'engine' with a table of DuckDB"):
        LatticeEvaluator(small, backend="engine")


def test_what_needs_tuples_in_memory_is_refused(large):
    with pytest.raises(ValueError, match="distinct tuples: expected in memory"):
        LatticeEvaluator(large, backend="direct").evaluate([[0, 0]], ["k"])


def test_other_engines_group_no_nodes(people, roles):
    table = LargeTable(PandasSource(people.frame()), **roles, max_tuples=10)
    assert not table.is_in_engine
    with pytest.raises(ValueError, match="expected 'engine' with a table that DuckDB reads"):
        LatticeEvaluator(table, backend="engine")


def test_a_limit_that_suffices_changes_nothing(source, roles, small):
    for limit in (LatticeEvaluator(small).n_tuples, 10_000):
        assert LatticeEvaluator(LargeTable(source, **roles, max_tuples=limit)).backend == "rollup"
    below = LargeTable(source, **roles, max_tuples=LatticeEvaluator(small).n_tuples - 1)
    assert below.is_in_engine


@pytest.mark.parametrize("rule", [{}, {"k": 5}, {"k": 2, "class_bounds": {"l": 3, "t": 0.6}}])
def test_protected_rows_are_the_same(small, large, tmp_path, rule):
    rule = {**rule, "suppression": 0.9}
    reports = [
        table.apply([2, 2], **rule, to=tmp_path / f"{number}.parquet", flag="out")
        for number, table in enumerate((small, large))
    ]
    assert reports[0].drop("seconds").equals(reports[1].drop("seconds"))
    found = [pd.read_parquet(tmp_path / f"{number}.parquet").astype(str) for number in range(2)]
    pd.testing.assert_frame_equal(found[0], found[1])


def test_a_search_finds_the_same_front(small, large):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fronts = [
            solve(
                LatticeProblem(t, ["k", "glm"], suppression=0.1), PBGEA(), budget=30, seed=2
            ).front
            for t in (small, large)
        ]
    pd.testing.assert_frame_equal(*fronts)


def test_another_process_counts_for_itself(large):
    again = pickle.loads(pickle.dumps(large))
    assert again.is_in_engine
    assert np.array_equal(again.leaf_rows(0), large.leaf_rows(0))


def test_engine_and_executor_together_are_refused(large):
    with (
        ThreadPoolExecutor(1) as executor,
        pytest.raises(ValueError, match="executor: expected none where DuckDB evaluates nodes"),
    ):
        LatticeEvaluator(large, backend="engine", executor=executor)


@pytest.mark.parametrize("sensitive", ["diagnosis", ["diagnosis", "sex"]])
def test_the_fingerprint_is_that_of_the_table_in_memory(source, roles, sensitive, monkeypatch):
    # So few rows at a time that tuples go on in the next part.
    monkeypatch.setattr("anonopt.sources.duckdb.duckdb_content.ROWS", 7)
    own = {**roles, "sensitive": sensitive, "target": None if sensitive != "diagnosis" else "sex"}
    large = LargeTable(source, **own, max_tuples=10)
    assert large.is_in_engine
    assert large.fingerprint == LargeTable(source, **own).fingerprint


def test_a_saved_run_goes_on(large, tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        problem = LatticeProblem(large, ["k", "glm"], suppression=0.1)
        whole = solve(problem, PBGEA(), budget=40, seed=2)
        solve(problem, PBGEA(), budget=20, seed=2, checkpoint=tmp_path / "run.npz")
        again = LatticeProblem(pickle.loads(pickle.dumps(large)), ["k", "glm"], suppression=0.1)
        found = resume_run(tmp_path / "run.npz", problem=again, extra=20)
        fewer = LatticeProblem(large, ["k", "glm"], suppression=0.2)
        with pytest.raises(ValueError, match="problem"):
            resume_run(tmp_path / "run.npz", problem=fewer, extra=20)
    pd.testing.assert_frame_equal(found.front, whole.front)


def test_bounds_of_classes_are_looked_at_part_by_part(small, large, monkeypatch):
    monkeypatch.setattr("anonopt.sources.duckdb.duckdb_nodes.PAIRS", 61)
    rule = {"k": 2, "suppression": 0.9, "class_bounds": {"l": 2, "t": 0.6, "recursive_cl": 3}}
    memory, engine = evaluators(small, large, **rule)
    nodes, names = small.lattice.nodes()[::6], ["k", "suppressed", "classes"]
    found = memory.evaluate(nodes, names)
    assert (found["suppressed"] > memory.small_class_rows(nodes, 2)).any()
    pd.testing.assert_frame_equal(engine.evaluate(nodes, names), found, check_exact=True)


def test_bounds_of_the_target_are_refused(large):
    mine = Measure(
        "mine", maximize=True, unit="rows", range="0..N", needs=frozenset({"target"}),
        per_class=lambda classes: classes.sizes,
    )  # fmt: skip
    with pytest.raises(ValueError, match=r"class_bounds: expected bounds that need no target"):
        evaluators(large, large, k=2, class_bounds={mine: 1})
