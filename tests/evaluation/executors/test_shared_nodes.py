"""Workers of an executor measure nodes with the bits of one process, and may be lost meanwhile."""

from __future__ import annotations

import copy
import os
import pickle
import signal
import sys
import time
from concurrent.futures import BrokenExecutor, Executor, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pandas.testing import assert_frame_equal

import anonopt as ao
from anonopt import LatticeEvaluator
from anonopt.algorithms import PBGEA, ExhaustiveSearch
from anonopt.evaluation.executors import contents
from anonopt.measures import Measure
from anonopt.problems import LatticeProblem
from tests.evaluation.lattice.small_tables import rules, small_tables

MEASURES = ["k", "glm", "suppressed"]
NUMPY = {"accelerator": "numpy"}
"""A process that is begun loads numba in half a second; threads are held to the same by both."""


@pytest.fixture(scope="module")
def german():
    return ao.load_dataset("german")


@pytest.fixture(scope="module")
def threads():
    with ThreadPoolExecutor(2) as executor:
        yield executor


@given(small_tables(), st.data())
@settings(max_examples=8)
def test_every_measure_has_the_same_bits_on_every_back_end(threads, small, data):
    rule = data.draw(rules(small))
    names, nodes = small.measures(rule["k"]), small.table.lattice.nodes()
    for backend in ("rollup", "direct", "wide"):
        accelerator = data.draw(st.sampled_from(["numpy", "auto"]))
        options = {"backend": backend, "accelerator": accelerator, **rule}
        alone = LatticeEvaluator(small.table, **options)
        shared = LatticeEvaluator(small.table, executor=threads, **options)
        assert_frame_equal(shared.evaluate_all(names), alone.evaluate_all(names), check_exact=True)
        assert_frame_equal(
            shared.evaluate(nodes[::2], names),
            alone.evaluate(nodes[::2], names),
            check_exact=True,
        )
        expected, found = alone.values(nodes, names), shared.values(nodes, names)
        for name in names:
            np.testing.assert_array_equal(found[name], expected[name])
            assert found[name].dtype == expected[name].dtype


def check_equal(table, executor: Executor | str, measures=MEASURES, **options) -> None:
    alone = LatticeEvaluator(table, **options)
    shared = LatticeEvaluator(table, executor=executor, **options)
    told = []
    everything = shared.evaluate_all(measures, on_progress=told.append)
    assert told == sorted(told) and told[-1] == table.lattice.size
    assert_frame_equal(everything, alone.evaluate_all(measures), check_exact=True)
    nodes = table.lattice.nodes()[::40]
    for name, column in alone.values(nodes, measures).items():
        np.testing.assert_array_equal(shared.values(nodes, measures)[name], column)


def own_size(classes) -> float:
    return float(classes.sizes.max())


def own_rows(rows) -> float:
    return float(rows.classes.sizes[rows.class_of_row].sum())


def test_processes_get_the_reduced_table_once_and_a_broken_pool_is_told(german):
    largest = Measure("largest", maximize=False, unit="rows", range="1..N", from_classes=own_size)
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as executor:
        check_equal(german, executor, [*MEASURES, largest], k=3, suppression=0.05, **NUMPY)
        shared = LatticeEvaluator(german, executor=executor, **NUMPY)
        for _ in range(3):
            shared.values(german.lattice.nodes()[:9], ["k"])
        assert set(shared._connection._n_sent.values()) == {1}
        (packed,) = shared._connection._packed.values()
        assert len(packed) < len(pickle.dumps(german)) / 3
        lambdas = Measure(
            "own", maximize=False, unit="rows", range="1..N", from_classes=lambda classes: 1.0
        )
        with pytest.raises(TypeError, match="measures: expected measures that other processes can"):
            shared.values(german.lattice.nodes()[:9], [lambdas])
        os.kill(next(iter(executor._processes)), signal.SIGTERM)
        with pytest.raises(BrokenExecutor, match="executor: expected one that goes on, found a"):
            for _ in range(100):
                shared.values(german.lattice.nodes()[:9], ["k"])
    # What is measured here needs no executor.
    assert shared.evaluate([german.lattice.top], ["k"])["k"].tolist() == [german.n_rows]


def test_what_a_process_has_let_go_is_sent_again(german, threads, monkeypatch):
    monkeypatch.setattr(contents, "MOST_KEPT", 1)
    tables = [ao.load_dataset("german"), ao.load_dataset("patients")]
    shared = [LatticeEvaluator(table, executor=threads) for table in tables]
    for _ in range(3):
        for table, one in zip(tables, shared, strict=True):
            nodes = table.lattice.nodes()[:20]
            np.testing.assert_array_equal(
                one.values(nodes, ["k"])["k"], LatticeEvaluator(table).values(nodes, ["k"])["k"]
            )


def test_dask_has_the_same_bits_and_takes_lambdas(german, cluster, client):
    own = Measure("own", maximize=False, unit="rows", range="1..N", from_classes=lambda c: len(c))
    check_equal(german, client, [*MEASURES, own], k=2, suppression=0.1, **NUMPY)
    shared = LatticeEvaluator(german, executor=cluster.scheduler_address, **NUMPY)
    nodes = german.lattice.nodes()[:9]
    expected = LatticeEvaluator(german).values(nodes, ["glm"])["glm"]
    np.testing.assert_array_equal(shared.values(nodes, ["glm"])["glm"], expected)
    its_client = shared._connection._client
    del shared
    assert its_client.status == "closed" and client.status == "running"


@pytest.mark.skipif(os.name != "posix", reason="kills by signals")
def test_all_workers_of_dask_die_and_the_table_is_sent_again(german, client):
    expected = LatticeEvaluator(german).evaluate_all(MEASURES)
    shared = LatticeEvaluator(german, executor=client.get_executor(), **NUMPY)
    killed = []

    def kill(n_done: int) -> None:
        if not killed:
            killed.extend(client.run(os.getpid).values())
            for process in killed:
                os.kill(process, signal.SIGKILL)

    found = shared.evaluate_all(MEASURES, on_progress=kill)
    assert len(killed) == 2
    assert_frame_equal(found, expected, check_exact=True)


@pytest.mark.skipif(os.name != "posix", reason="kills by signals")
def test_a_worker_dies_while_it_counts_the_rows_of_a_source(client, tmp_path):
    frames = pytest.importorskip("dask.dataframe")
    armed = tmp_path / "armed"

    def deadly(part):
        if armed.exists():
            # The other worker, or the next one, finds it harmless.
            armed.unlink()
            os.kill(os.getpid(), signal.SIGKILL)
        return part

    people = pd.DataFrame({"age": [1, 2, 2, 3] * 5, "job": ["cook", "clerk"] * 10})
    frame = frames.from_pandas(people, npartitions=4).map_partitions(deadly, meta=people[:0])
    roles = {"quasi_identifiers": ["age"], "hierarchies": {"age": "flat"}, "sensitive": "job"}
    table = ao.Microdata.from_dask(frame, client=client, **roles)
    armed.touch()
    found = table.reduction()
    assert not armed.exists()
    expected = ao.Microdata(people, **roles).reduction().without_rows()
    assert np.array_equal(found.codes, expected.codes)
    assert np.array_equal(found.sizes, expected.sizes)
    for name in ("tuples", "values", "numbers"):
        assert np.array_equal(getattr(found.sensitive, name), getattr(expected.sensitive, name))


def test_searches_and_exact_fronts_are_the_same(german, threads, monkeypatch):
    monkeypatch.setattr("anonopt.problems.exact_front.PRUNED_FROM", 100)
    monkeypatch.setattr("anonopt.problems.exact_front.LOOKED_AT", 50)
    alone, shared = (
        LatticeProblem(german, ["k", "glm"], suppression=0.05, weights={"age": 2.0}, executor=one)
        for one in (None, threads)
    )
    X, F = alone.pareto_set_and_front()
    monkeypatch.setattr("anonopt.problems.lattice._FRONTS", {})
    found = shared.pareto_set_and_front()
    np.testing.assert_array_equal(found[0], X)
    np.testing.assert_array_equal(found[1], F)
    assert alone.fingerprint == shared.fingerprint
    for algorithm in (PBGEA(), ExhaustiveSearch()):
        results = [ao.solve(one, algorithm, budget=300, seed=3) for one in (alone, shared)]
        np.testing.assert_array_equal(results[0].F, results[1].F)
        np.testing.assert_array_equal(results[0].X, results[1].X)


def test_measures_of_rows_are_computed_here(german, threads):
    own = Measure("own", maximize=False, unit="rows", range="1..N*N", from_rows=own_rows)
    check_equal(german, threads, [own, "k"])
    shared = LatticeEvaluator(german, executor=threads)
    assert shared.row_classes(german.lattice.top).classes.sizes.tolist() == [german.n_rows]


def test_no_executor_is_pickled_or_copied(german, threads):
    problem = LatticeProblem(german, ["k", "glm"], executor=threads)
    nodes = german.lattice.nodes()[:5]
    F = problem.evaluate(nodes)
    assert copy.deepcopy(problem).evaluator is problem.evaluator
    for twin in (pickle.loads(pickle.dumps(problem)), copy.deepcopy(problem.evaluator)):
        evaluator = getattr(twin, "evaluator", twin)
        assert evaluator._connection is None
        np.testing.assert_array_equal(evaluator.values(nodes, ["glm"])["glm"], F[:, 1])


def test_what_is_no_executor_is_refused_before_work(german, client, monkeypatch):
    with pytest.raises(TypeError, match="executor: expected an Executor, a dask client or its"):
        LatticeEvaluator(german, executor=2)
    with pytest.raises(TypeError, match="executor: expected an Executor, a dask client or its"):
        LatticeEvaluator(german, executor=ThreadPoolExecutor)
    with pytest.raises(ValueError, match="executor: expected the address of a dask scheduler"):
        LatticeEvaluator(german, executor="nowhere://x")
    for make in (ThreadPoolExecutor, ProcessPoolExecutor):
        with make(1) as shut:
            pass
        with pytest.raises(ValueError, match=rf"takes tasks, found {make.__name__} that was shut"):
            LatticeEvaluator(german, executor=shut)
    monkeypatch.setattr("anonopt.sources.arrow.dask_clients.SECONDS_TO_ANSWER", 0.2)
    started = time.monotonic()
    with pytest.raises(ConnectionError, match="where none answers within"):
        LatticeProblem(german, ["k", "glm"], executor="tcp://127.0.0.1:1")
    assert time.monotonic() - started < 30
    closed = type(client)(client.scheduler.address)
    executor = closed.get_executor()
    closed.close()
    for one in (closed, executor):
        with pytest.raises(ConnectionError, match="is connected, found one that is closed"):
            LatticeEvaluator(german, executor=one)


def test_an_address_without_dask_says_how_to_install_it(german, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ModuleNotFoundError, match=r"pip install 'anonopt\[scale\]'"):
        LatticeEvaluator(german, executor="tcp://127.0.0.1:1")
