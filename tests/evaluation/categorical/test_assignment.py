"""One-to-one linkage: the largest assignment, whatever the order of the rows."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

import anonopt as ao
from anonopt.data.columns.categories import CategoricalColumns
from anonopt.evaluation import MaskingEvaluator
from anonopt.evaluation.categorical import assignment
from anonopt.evaluation.categorical.assignment import assign_records
from tests.evaluation.categorical.small_files import SmallFiles, small_files
from tests.examples import examples
from tests.oracles import masked_files as twins


def assigned(files: SmallFiles) -> assignment.Assignment:
    evaluator = MaskingEvaluator(files.original, accelerator="numpy")
    return assign_records(evaluator.plan, evaluator.measure(files.codes).codes)


def pair_weights(files: SmallFiles) -> np.ndarray:
    """Weights of all originals (rows) and masked records (columns)."""
    before, after = files.records(files.original.codes), files.records(files.codes)
    weight = twins.weights(*twins.probabilities(before, after))
    return np.array([[weight(a, b) for b in after] for a in before])


@given(small_files(max_rows=15))
@examples(25)
def test_weight_is_that_of_the_assignment_of_single_records(files):
    weights = pair_weights(files)
    best = weights[linear_sum_assignment(weights, maximize=True)].sum()
    assert assigned(files).weight == pytest.approx(best, rel=1e-6, abs=1e-6)


@given(small_files(max_rows=6))
@examples(20)
def test_credit_lies_among_those_of_all_largest_assignments(files):
    weights = pair_weights(files)
    n = len(weights)
    totals = {p: sum(weights[p[i], i] for i in range(n)) for p in permutations(range(n))}
    largest = max(totals.values())
    credits = [
        100 * sum(p[i] == i for i in range(n)) / n
        for p, total in totals.items()
        if largest - total < 1e-6
    ]
    found = assigned(files).linkage
    assert min(credits) - 1e-6 <= found <= max(credits) + 1e-6


@given(small_files(max_rows=15), st.randoms(use_true_random=False))
@examples(25)
def test_order_of_the_rows_does_not_matter(files, random):
    order = list(range(files.original.n_rows))
    random.shuffle(order)
    frame = files.frame.iloc[order]
    shuffled = SmallFiles(frame, CategoricalColumns.of(frame), files.codes[order])
    assert assigned(shuffled).linkage == pytest.approx(assigned(files).linkage, abs=1e-6)


def test_equal_records_share_the_credit():
    original = pd.DataFrame({"x": list("aabbb")})
    found = ao.compare(original, original, one_to_one=True)
    assert found["PRL"] == pytest.approx(100 * 2 / 5)
    constant = pd.DataFrame({"x": list("aaaa")})
    assert ao.compare(constant, constant, one_to_one=True)["PRL"] == pytest.approx(25)


def test_every_original_is_linked_once():
    # Nearest originals would link all to a; here two of three have to go elsewhere, evenly.
    original, masked = pd.DataFrame({"x": list("abc")}), pd.DataFrame({"x": list("aaa")})
    found = ao.compare(original, masked, one_to_one=True)
    assert found["PRL"] == pytest.approx(100 / 3)
    assert found["DR"] == (found["ID"] + max(found["DBRL"], found["PRL"])) / 2


def test_too_many_pairs_are_refused(monkeypatch):
    monkeypatch.setattr(assignment, "MAX_PAIRS", 8)
    frame = pd.DataFrame({"x": list("abc")})
    with pytest.raises(ValueError, match="at most 8 pairs of distinct records, found 9"):
        ao.compare(frame, frame, one_to_one=True)


def test_numbers_cannot_be_assigned():
    frame = pd.DataFrame({"x": [1.5, 2.5]})
    with pytest.raises(ValueError, match="one_to_one"):
        ao.compare(frame, frame, one_to_one=True)
