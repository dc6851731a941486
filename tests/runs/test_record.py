"""Growing arrays and the record of evaluations."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonopt.runs.record import EvaluationRecord, GrowingArray


@given(st.lists(st.lists(st.integers(-9, 9), max_size=5), max_size=8))
def test_growing_array_is_the_concatenation(batches):
    rows = GrowingArray()
    for batch in batches:
        rows.extend(np.array(batch, dtype=np.int64))
    expected = [number for batch in batches for number in batch]
    assert rows.view().tolist() == expected
    assert len(rows) == len(expected)


def test_type_grows_with_the_rows():
    rows = GrowingArray()
    rows.extend(np.array(["a"]))
    rows.extend(np.array(["longer"]))
    assert rows.view().tolist() == ["a", "longer"]
    rows.extend(np.array([None, 3], dtype=object))
    assert rows.view().tolist() == ["a", "longer", None, 3]


def test_rows_are_copies_and_views_are_read_only():
    batch = np.array([[1, 2]])
    rows = GrowingArray()
    rows.extend(batch)
    batch[:] = 0
    assert rows.view().tolist() == [[1, 2]]
    with pytest.raises(ValueError, match="read-only"):
        rows.view()[0, 0] = 9


def test_growing_takes_few_copies():
    rows = GrowingArray()
    buffers = set()
    for i in range(1000):
        rows.extend(np.array([i]))
        buffers.add(id(rows.view().base))
    assert len(buffers) < 20


def test_record_keeps_its_columns_together():
    record = EvaluationRecord()
    for i in range(3):
        record.extend(
            np.array([[i, i]]),
            np.array([[i / 2]]),
            np.empty((1, 0)),
            np.array([float(i)]),
            np.array([i / 4]),
        )
    assert len(record) == 3
    assert record.X.tolist() == [[0, 0], [1, 1], [2, 2]]
    assert record.F.tolist() == [[0.0], [0.5], [1.0]]
    assert record.G.shape == (3, 0)
    assert record.CV.tolist() == [0.0, 1.0, 2.0]
    assert record.seconds.tolist() == [0.0, 0.25, 0.5]


SOLUTIONS = st.lists(
    st.lists(st.tuples(*[st.integers(0, 3)] * 3), max_size=4), min_size=1, max_size=6
).filter(any)


@given(SOLUTIONS, st.booleans())
def test_best_are_the_first_of_each_point_of_the_front_or_the_least_infeasible(batches, feasible):
    record, other = EvaluationRecord(), EvaluationRecord(keeps_genomes=False)
    n_seen = 0
    for batch in batches:
        numbers = np.array(batch, dtype=float).reshape(-1, 3)
        X = np.arange(n_seen, n_seen + len(batch))[:, np.newaxis]
        violation = np.maximum(numbers[:, 2] - feasible, 0)
        columns = (X, numbers[:, :2], np.empty((len(batch), 0)), violation, numbers[:, 2])
        for each in (record, other):
            each.extend(*columns)
        n_seen += len(batch)

    F, CV = record.F, record.CV
    candidates = [i for i in range(n_seen) if CV[i] == CV.min()]
    if CV.min() > 0:
        candidates = candidates[:1]
    front = [
        i
        for i in candidates
        if not any((F[j] <= F[i]).all() and (F[j] < F[i]).any() for j in candidates)
    ]
    front.sort(key=lambda i: (*F[i], i))
    rows, X = record.best()
    assert rows.tolist() == X.ravel().tolist() == front
    firsts = [i for i in front if not any((F[j] == F[i]).all() for j in front if j < i)]
    rows, X = other.best()
    assert rows.tolist() == X.ravel().tolist() == firsts
    assert (record.X is None, other.X is None) == (False, True)
    assert len(record) == len(other) == n_seen
