"""Keys of genomes and elimination of duplicates."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pymoo.core.population import Population

from anonopt.operators import GenomeDuplicateElimination, genome_key

GENOME = st.tuples(st.integers(0, 2), st.integers(-1, 1))


def population(genomes):
    return Population.new("X", np.array(genomes, dtype=np.int64).reshape(-1, 2))


@given(st.lists(GENOME, max_size=12), st.lists(st.lists(GENOME, max_size=6), max_size=2))
def test_matches_comparison_of_all_pairs(genomes, others):
    expected = []
    for row, genome in enumerate(genomes):
        elsewhere = any(genome in other for other in others)
        if genome not in genomes[:row] and not elsewhere:
            expected.append(row)
    pop = population(genomes)
    kept = GenomeDuplicateElimination().do(pop, *map(population, others))
    assert list(kept) == [pop[row] for row in expected]


def test_repeats_stay_if_only_another_population_counts():
    pop = population([(0, 1), (0, 1), (2, 1)])
    kept = GenomeDuplicateElimination().do(pop, population([(2, 1)]), to_itself=False)
    assert kept.get("X").tolist() == [[0, 1], [0, 1]]


@pytest.mark.parametrize("dtype", [np.int8, np.uint16, np.int32, np.float32, np.float64])
def test_key_depends_on_numbers_and_not_on_their_type(dtype):
    assert genome_key(np.array([3, 0, 1], dtype=dtype)) == genome_key([3, 0, 1])
    assert genome_key(np.array([3, 0, 2], dtype=dtype)) != genome_key([3, 0, 1])


def test_key_of_negative_zero_fractions_and_strided_views():
    assert genome_key([-0.0, 1.0]) == genome_key([0, 1])
    assert genome_key([0.5]) != genome_key([0])
    assert genome_key(np.arange(6)[::2]) == genome_key([0, 2, 4])
    assert isinstance(genome_key([1]), bytes)


def test_key_leaves_the_genome_as_it_is():
    genome = np.array([-0.0, 1.0])
    genome_key(genome)
    assert np.signbit(genome[0])


@pytest.mark.parametrize(
    ("genome", "error", "message"),
    [
        ([1.0, float("nan")], ValueError, "without NaN"),
        ([2**53 + 1], ValueError, r"below 2\*\*53, found \[9007199254740993\]"),
        ([-(2**53) - 1], ValueError, r"below 2\*\*53"),
        (["a"], TypeError, "dtype <U1"),
        (np.array([None]), TypeError, "dtype object"),
    ],
)
def test_genomes_without_an_exact_key_are_refused(genome, error, message):
    with pytest.raises(error, match=message):
        genome_key(genome)
