"""Distinct tuples: the same bits as ever of a table in memory, and without its rows."""

from __future__ import annotations

import hashlib
import pickle

import numpy as np
import pytest

from anonopt.data import load_dataset
from anonopt.data.reduction import ValuePairs
from anonopt.evaluation.lattice.tuples import DistinctTuples


@pytest.fixture(scope="module")
def tuples():
    return DistinctTuples.of(load_dataset("adult"))


def digest(tuples):
    content = hashlib.sha256()
    facts = tuples.facts
    arrays = (tuples.codes, tuples.sizes, tuples.sensitive, tuples.target, tuples.present)
    arrays += (tuples.keys, facts.sensitive_totals, *(n for c in facts.value_counts for n in c))
    for array in arrays:
        content.update(str(array.dtype).encode() + np.ascontiguousarray(array).tobytes())
    return content.hexdigest()[:16]


def test_adult_has_the_bits_that_it_always_had(tuples):
    assert digest(tuples) == "221d898e48d0655f"


def test_without_rows_everything_else_stays(tuples):
    assert digest(tuples.without_rows()) == digest(tuples)
    sparse, other = tuples.sparse_sensitive, tuples.without_rows().sparse_sensitive
    for name in ("owners", "values", "numbers"):
        assert np.array_equal(getattr(sparse, name), getattr(other, name))


def test_without_rows_no_array_is_of_rows(tuples):
    alone = tuples.without_rows().reduction
    assert alone.tuple_of_row is None
    assert alone.sensitive.numbers.sum() == alone.n_rows
    assert alone.without_rows().sensitive is alone.sensitive


def test_a_table_is_reduced_once_and_sent_without_that():
    table = load_dataset("adult")
    alone = len(pickle.dumps(table))
    assert table.reduction() is table.reduction()
    assert len(pickle.dumps(table)) == alone
    twin = pickle.loads(pickle.dumps(table))
    assert np.array_equal(twin.reduction().codes, table.reduction().codes)


def test_pairs_are_loaded_late_and_once():
    calls = []

    def load():
        calls.append(1)
        return np.array([0, 1]), np.array([1, 0]), np.array([2, 3])

    pairs = ValuePairs(load, np.array([3, 2]))
    assert pairs.totals.tolist() == [3, 2]
    assert calls == []
    assert (pairs.tuples.tolist(), pairs.values.tolist()) == ([0, 1], [1, 0])
    assert pairs.counted() is pairs
    assert calls == [1]


def test_pairs_that_failed_to_load_may_be_loaded_later():
    answers = iter([ValueError("away"), (np.array([0]), np.array([0]), np.array([1]))])

    def load():
        answer = next(answers)
        if isinstance(answer, ValueError):
            raise answer
        return answer

    pairs = ValuePairs(load)
    with pytest.raises(ValueError, match="away"):
        _ = pairs.tuples
    assert pairs.totals.tolist() == [1]
