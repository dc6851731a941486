"""Moved records: what they cost is what the file then measures, and each goes where it is best."""

from __future__ import annotations

import copy

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonopt.data.columns.categories import CategoricalColumns
from anonopt.evaluation import MaskingEvaluator
from anonopt.evaluation.aim import Aim
from anonopt.evaluation.categorical.record_costs import RecordCosts
from anonopt.evaluation.categorical.record_passes import MOST_BLOCKS, RecordPasses
from tests.evaluation.categorical.small_files import small_files
from tests.oracles.record_moves import cost, costs_of_records

AIMS = [Aim(0.3, 0.7), Aim(0.9, 0.1), Aim(0.01, 0.01, 1.0)]


def evaluator_of(n_rows=80, seed=2, **options):
    generator = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "zone": generator.choice(list("abcd"), n_rows),
            "size": generator.choice(["S", "M", "L"], n_rows),
            "kind": generator.choice(["x", "y"], n_rows, p=[0.8, 0.2]),
        }
    )
    columns = CategoricalColumns.of(frame, ordinal={"size": ["S", "M", "L"]})
    return MaskingEvaluator(columns, **options)


def masked_codes(evaluator, seed=3):
    generator = np.random.default_rng(seed)
    shape = evaluator.original.codes.shape
    drawn = generator.integers(0, evaluator.original.n_categories, size=shape)
    return np.where(generator.random(shape) < 0.6, evaluator.original.codes, drawn)


@settings(max_examples=30)
@given(files=small_files(), per_cell=st.booleans())
def test_figures_of_the_tables_are_those_of_the_file(files, per_cell):
    evaluator = MaskingEvaluator(files.original, per_cell=per_cell, accelerator="numpy")
    costs = RecordCosts(evaluator.plan)
    masked = costs.keys(files.codes)
    figures = evaluator.measure(files.codes).figures()
    found = costs.tables(masked, costs.links(masked)).figures
    expected = [figures.IL, figures.ID, figures.DBRL, figures.PRL]
    np.testing.assert_allclose(found, expected, atol=1e-9)
    np.testing.assert_array_equal(costs.decoded(masked), files.codes)


@pytest.mark.parametrize("aim", AIMS)
@pytest.mark.parametrize("n", [1, 4])
def test_records_go_where_the_file_measures_best(aim, n):
    evaluator = evaluator_of(accelerator="numpy")
    costs = RecordCosts(evaluator.plan)
    passes = RecordPasses(evaluator.plan, compiled=False)
    codes = masked_codes(evaluator)
    masked = costs.keys(codes)
    kinds, counts = np.unique(
        np.column_stack([costs.originals, masked]), axis=0, return_counts=True
    )
    n_compared = 0
    for original, key in kinds[counts >= n][:3].tolist():
        rows = np.flatnonzero((costs.originals == original) & (masked == key))[:n]
        links = costs.links(masked)
        tables = costs.tables(masked, links)
        block = np.array([original, key, n])
        chosen = passes._best_record(links, tables, block, np.array(aim))
        moved = masked.copy()
        moved[rows] = chosen
        expected = costs_of_records(evaluator, codes, rows, aim)
        by_ranks = [
            costs.links(np.where(np.isin(np.arange(len(masked)), rows), record, masked))[0]
            for record in range(len(expected))
        ]
        # Costs are exact where patterns of agreement keep their order.
        exact = [(ranks == links[0]).all() for ranks in by_ranks]
        if exact[chosen]:
            n_compared += 1
            least = min(one for one, is_exact in zip(expected, exact, strict=True) if is_exact)
            assert cost(evaluator, costs.decoded(moved), aim) <= least + 1e-9
            again = costs.tables(moved, links)
            for found, wanted in zip(tables.arrays(), again.arrays(), strict=True):
                np.testing.assert_allclose(found, wanted, atol=1e-9)
    assert n_compared > 0


@pytest.mark.parametrize("aim", AIMS)
def test_compiled_passes_move_the_same_records(aim):
    pytest.importorskip("numba")
    evaluator = evaluator_of(n_rows=150)
    codes = masked_codes(evaluator)
    files = [
        RecordPasses(evaluator.plan, compiled=compiled).moved(
            codes, aim, np.random.default_rng(5), n_passes=4
        )
        for compiled in (True, False)
    ]
    np.testing.assert_array_equal(*files)
    assert (files[0] != codes).any()


@pytest.mark.parametrize("aim", AIMS)
def test_passes_make_the_aim_less_and_leave_the_file_as_it_is(aim):
    evaluator = evaluator_of()
    codes = masked_codes(evaluator)
    before = codes.copy()
    passes = RecordPasses(evaluator.plan, compiled=evaluator.compiled)
    moved = passes.moved(codes, aim, np.random.default_rng(1), n_passes=3)
    np.testing.assert_array_equal(codes, before)
    assert cost(evaluator, moved, aim) < cost(evaluator, codes, aim)
    assert copy.deepcopy(passes) is passes


def test_a_pass_has_so_many_blocks_at_most(monkeypatch):
    evaluator = evaluator_of(n_rows=200)
    name = "anonopt.evaluation.categorical.record_passes.MOST_BLOCKS"
    monkeypatch.setattr(name, 1)
    passes = RecordPasses(evaluator.plan, compiled=evaluator.compiled)
    codes = masked_codes(evaluator)
    moved = passes.moved(codes, AIMS[0], np.random.default_rng(0), n_passes=1)
    changed = (moved != codes).any(axis=1)
    assert len(np.unique(codes[changed], axis=0)) <= 1 < MOST_BLOCKS


def test_too_many_combinations_are_refused():
    frame = pd.DataFrame({f"c{j}": [f"v{i}" for i in range(40)] for j in range(5)})
    evaluator = MaskingEvaluator(CategoricalColumns.of(frame))
    with pytest.raises(ValueError, match="found 102400000 combinations of 5 columns"):
        RecordCosts(evaluator.plan)
