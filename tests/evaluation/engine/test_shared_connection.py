"""One connection for many queries: threads take turns, and nothing that fails blocks or stays."""

from __future__ import annotations

import sys
import warnings
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pandas as pd
import pytest

from anonopt import Hierarchy, LatticeEvaluator, Microdata
from anonopt.evaluation.engine import parts_of_nodes
from anonopt.sources import DuckDBSource, LargeTable

duckdb = pytest.importorskip("duckdb")
pytest.importorskip("pyarrow")


def evaluator_of(table, **rule):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return LatticeEvaluator(table, k=2, suppression=0.5, **rule)


@pytest.fixture
def roles():
    halves = {n: Hierarchy.intervals(range(16), width=2, fan_outs=[2]) for n in ("x", "y")}
    return {"quasi_identifiers": ["x", "y"], "hierarchies": halves, "sensitive": "s"}


@pytest.fixture
def frame():
    rng = np.random.default_rng(0)
    return pd.DataFrame({name: rng.integers(0, 16, 300) for name in ("x", "y", "s")})


@pytest.fixture
def connection(frame):
    with duckdb.connect() as one:
        one.execute("set threads = 1")
        one.register("people", frame)
        yield one


@pytest.fixture
def source(connection):
    return DuckDBSource("select * from people", connection=connection)


def left_by(connection) -> list[str]:
    tables = "select table_name from duckdb_tables() union all select view_name from duckdb_views()"
    names = [name for (name,) in connection.execute(tables).fetchall()]
    return [name for name in names if name.startswith("anonopt")]


def test_threads_take_turns(frame, source, roles, connection):
    large, nodes = LargeTable(source, **roles, max_tuples=10), [[0, 1], [1, 1], [2, 0]]
    assert large.is_in_engine
    expected = evaluator_of(Microdata(frame, **roles)).evaluate(nodes, ["k", "glm", "t"])
    again = LargeTable(
        DuckDBSource("select * from people", connection=connection), **roles, max_tuples=10
    )
    engines = [evaluator_of(table) for table in (large, large, again)]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        with ThreadPoolExecutor(2) as threads:
            found = list(
                threads.map(lambda one: one.evaluate(nodes, ["k", "glm", "t"]), engines * 2)
            )
    finally:
        sys.setswitchinterval(interval)
    for one in found:
        pd.testing.assert_frame_equal(one, expected, check_exact=True)


def test_what_fails_between_parts_blocks_nothing(frame, source, roles, connection, monkeypatch):
    monkeypatch.setattr("anonopt.sources.duckdb.duckdb_nodes.PAIRS", 7)
    engine = evaluator_of(LargeTable(source, **roles, max_tuples=10), class_bounds={"t": 0.9})

    def interrupted(words):
        raise KeyboardInterrupt("now")

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt, match="now"):
        # Within the generator of the parts, whose frame the error keeps.
        patch.setattr(parts_of_nodes, "is_new", interrupted)
        engine.evaluate([[1, 1]], ["t"])
    memory = evaluator_of(Microdata(frame, **roles), class_bounds={"t": 0.9})
    found = [one.evaluate([[1, 1]], ["t"]) for one in (engine, memory)]
    pd.testing.assert_frame_equal(*found, check_exact=True)
    source.close()
    assert left_by(connection) == []


def test_views_that_could_not_be_dropped_go_when_the_source_is_closed(
    source, roles, connection, monkeypatch
):
    engine = evaluator_of(LargeTable(source, **roles, max_tuples=10))
    run = source.session.run

    def interrupted(sql):
        if sql.startswith("drop view"):
            raise KeyboardInterrupt
        run(sql)

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(source.session, "run", interrupted)
        engine.evaluate([[1, 1]], ["k"])
    assert len(left_by(connection)) > 1
    source.close()
    assert left_by(connection) == []
