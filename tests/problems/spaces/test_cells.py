"""Cells of masked files: types, keys, notes of offspring."""

from __future__ import annotations

import numpy as np
import pytest

from anonopt.operators import CellCrossover, CellMutation, GrayCellMutation
from anonopt.operators.starting_population import StartingPopulation
from anonopt.problems.spaces import Cells
from tests.contracts.toy_spaces import Unmeasured


def files(generator):
    return generator.integers(0, 2, (5, 4)).astype(np.int8)


def cells(highest=(3, 1), **options):
    return Cells(2, list(highest), start=files, **options)


def test_genes_are_cells_in_row_major_order():
    space = cells()
    assert space.upper.tolist() == [3, 1, 3, 1]
    assert (space.shape, space.n_var, space.size) == ((2, 2), 4, 64)
    assert not space.records_genomes


@pytest.mark.parametrize(
    ("highest", "dtype"), [(127, np.int8), (128, np.int16), (2**15, np.int32), (2**31, np.int64)]
)
def test_genomes_have_the_smallest_type_that_holds_them(highest, dtype):
    space = cells([1, highest])
    x = space.checked(np.array([[1, highest, 0, 0]]))
    assert (space.dtype, x.dtype, x.tolist()) == (dtype, dtype, [[1, highest, 0, 0]])


def test_genomes_of_the_right_type_are_not_copied():
    X = np.array([[3, 1, 0, 0]], dtype=np.int8)
    assert cells().checked(X) is X


@pytest.mark.parametrize("dtype", [np.int8, np.int64, np.float64])
def test_cells_beyond_their_column_are_refused_whatever_their_type(dtype):
    X = np.array([[3, 1, 0, 0], [0, 0, 0, 2]], dtype=dtype)
    with pytest.raises(ValueError, match=r"gene 3: .* in 0\.\.1, found 2.* in genome 1"):
        cells().checked(X)


def test_keys_are_short():
    assert len(cells().key(np.zeros(4))) == 16


def test_mutation_is_that_of_codes_or_of_gray_codes():
    assert isinstance(cells().mutation(), CellMutation)
    assert isinstance(cells(gray=True).mutation(), GrayCellMutation)
    assert isinstance(cells().crossover(), CellCrossover)


def test_a_search_starts_with_the_files():
    space = cells()
    assert isinstance(space.sampling(), StartingPopulation)
    rng = np.random.default_rng(1)
    X = space.sampling()(Unmeasured(space), 20, random_state=rng).get("X")
    np.testing.assert_array_equal(X, files(np.random.default_rng(1)))


def test_offspring_are_handed_on_to_who_wants_to_know():
    notes = []
    space = cells(note=lambda *note: notes.append(note))
    child, parent = np.zeros(4), np.ones(4)
    space.note_offspring(child, parent, 1, 2)
    assert notes == [(child, parent, 1, 2)]


def test_description_follows_all_but_the_start():
    described = {
        str(space.describe())
        for space in (cells(), cells((3, 2)), cells(gray=True), Cells(3, [3, 1], start=files))
    }
    assert len(described) == 4
    assert Cells(2, [3, 1], start=print).describe() == cells().describe()
