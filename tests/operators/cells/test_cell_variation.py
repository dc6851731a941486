"""Cell mutation and crossover, crowding, selection from leaders."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pymoo.core.population import Population
from pymoo.core.problem import Problem

from anonopt.operators import (
    CellCrossover,
    CellMutation,
    DeterministicCrowding,
    LeaderSelection,
)
from anonopt.problems.spaces import Cells


class Noting(Problem):
    """Remembers what operators say of offspring."""

    def __init__(self, upper, start=None):
        super().__init__(n_var=len(upper), n_obj=1, xl=np.zeros(len(upper)), xu=np.array(upper))
        self.notes = []
        self.space = Cells(
            1, upper, start=lambda generator: start, note=lambda *note: self.notes.append(note)
        )


uppers = st.lists(st.integers(0, 3), min_size=1, max_size=6)
types = st.sampled_from([np.int8, np.int16, np.int64])


def parents_of(problem, seed, n, dtype):
    generator = np.random.default_rng(seed)
    X = generator.integers(0, problem.xu.astype(int), endpoint=True, size=(n, problem.n_var))
    return Population.new("X", X.astype(dtype))


@given(uppers, st.integers(0, 99), types)
def test_mutation_changes_one_cell_to_another_category_and_keeps_the_type(upper, seed, dtype):
    problem = Noting(upper)
    pop = parents_of(problem, seed, 3, dtype)
    children = CellMutation()(problem, pop, random_state=np.random.default_rng(seed))
    for child, parent, note in zip(children, pop, problem.notes, strict=True):
        changed = np.flatnonzero(child.X != parent.X).tolist()
        assert child.X.dtype == dtype
        cell = note[2]
        assert note[2:] == (cell, cell)
        assert note[0] is child.X
        assert note[1] is parent.X
        assert changed == ([cell] if upper[cell] > 0 else [])
        assert 0 <= child.X[cell] <= upper[cell]


def test_mutated_cell_and_category_are_drawn_uniformly():
    problem = Noting([1, 3])
    pop = Population.new("X", np.zeros((8000, 2), dtype=np.int8))
    children = CellMutation()(problem, pop, random_state=np.random.default_rng(1))
    counts = Counter(map(tuple, children.get("X").tolist()))
    assert counts.keys() == {(1, 0), (0, 1), (0, 2), (0, 3)}
    assert abs(counts[1, 0] - 4000) < 200
    assert all(abs(counts[0, value] - 4000 / 3) < 150 for value in (1, 2, 3))


def slow_crossover(one, other, s, r):
    first = [*one[:s], *other[s : r + 1], *one[r + 1 :]]
    second = [*other[:s], *one[s : r + 1], *other[r + 1 :]]
    return first, second


@given(uppers, st.integers(0, 99), types)
def test_children_swap_the_cells_between_two_points(upper, seed, dtype):
    problem = Noting(upper)
    pop = parents_of(problem, seed, 4, dtype)
    before = pop.get("X")
    pairs = np.array([[0, 1], [2, 3]])
    children = CellCrossover()(problem, pop, pairs, random_state=np.random.default_rng(seed))
    np.testing.assert_array_equal(pop.get("X"), before)
    for mating, (i, j) in enumerate(pairs):
        first, last = problem.notes[2 * mating][2:]
        expected = slow_crossover(before[i].tolist(), before[j].tolist(), first, last)
        assert children[mating].X.tolist() == expected[0]
        assert children[mating + 2].X.tolist() == expected[1]
    assert {child.X.dtype for child in children} == {np.dtype(dtype)}


def test_first_point_is_uniform_and_the_second_uniform_behind_it():
    problem = Noting([1, 1, 1])
    pop = Population.new("X", np.array([[0, 0, 0], [1, 1, 1]], dtype=np.int8))
    pairs = np.tile([0, 1], (9000, 1))
    CellCrossover()(problem, pop, pairs, random_state=np.random.default_rng(1))
    counts = Counter(note[2:] for note in problem.notes[::2])
    for (first, _last), count in counts.items():
        assert abs(count - 3000 / (3 - first)) < 200
    assert len(counts) == 6


def test_uncrossed_pairs_are_copies():
    problem = Noting([3] * 5)
    pop = parents_of(problem, 1, 2, np.int8)
    children = CellCrossover(prob=0.0)(problem, [pop], random_state=np.random.default_rng(1))
    np.testing.assert_array_equal(children.get("X"), pop.get("X"))
    assert children[0].X is not pop[0].X
    assert problem.notes == []


def test_what_is_no_category_is_refused():
    problem = Noting([1])
    pop = Population.new("X", np.array([[5]], dtype=np.int8))
    with pytest.raises(ValueError, match=r"code in 0\.\.1 at cell 0, found 5"):
        CellMutation()(problem, pop, random_state=np.random.default_rng(1))
    with pytest.raises(ValueError, match="inplace"):
        CellMutation().do(problem, pop, True, random_state=np.random.default_rng(1))
    with pytest.raises(ValueError, match="prob"):
        CellCrossover(prob=1.5)


def evaluated(F, CV=None):
    F = np.array(F, dtype=float)
    violation = np.zeros(len(F)) if CV is None else np.array(CV, dtype=float)
    return Population.new("F", F, "CV", violation[:, np.newaxis])


@given(
    st.lists(
        st.tuples(*[st.tuples(st.integers(0, 2), st.integers(0, 2), st.integers(0, 1))] * 2),
        min_size=1,
        max_size=5,
    )
)
def test_crowding_compares_each_child_with_its_own_parent(families):
    rows = [parent for parent, _ in families] + [child for _, child in families]
    pop = evaluated([row[:2] for row in rows], [row[2] for row in rows])
    survivors = DeterministicCrowding().do(None, pop, n_survive=len(families))
    for i, (parent, child) in enumerate(families):
        no_worse = all(c <= p for c, p in zip(child[:2], parent[:2], strict=True))
        replaced = child[2] < parent[2] or (child[2] == parent[2] and no_worse)
        assert survivors[i] is pop[i + len(families) if replaced else i]
    indices = DeterministicCrowding().do(None, pop, return_indices=True)
    assert [pop[row] for row in indices] == list(survivors)


@pytest.mark.parametrize(("n", "n_survive"), [(3, None), (4, 3)])
def test_crowding_without_a_child_for_every_parent_is_refused(n, n_survive):
    with pytest.raises(ValueError, match="n parents, n children"):
        DeterministicCrowding().do(None, evaluated([[1.0]] * n), n_survive=n_survive)


def test_leaders_come_first_and_parents_differ():
    pop = evaluated([[30.0], [10.0], [20.0], [60.0]])
    drawn = LeaderSelection()(
        None, pop, 6000, 2, to_pop=False, random_state=np.random.default_rng(1)
    )
    first = Counter(drawn[:, 0].tolist())
    assert set(first) == {1, 2}
    assert abs(first[1] - 4000) < 150
    assert all(one != other for one, other in drawn.tolist())
    # After leader 1: 20, 30 and 60 weigh 3, 2 and 1.
    second = Counter(drawn[drawn[:, 0] == 1, 1].tolist())
    assert set(second) == {0, 2, 3}
    assert abs(second[2] / first[1] - 3 / 6) < 0.03
    assert abs(second[0] / first[1] - 2 / 6) < 0.03


def test_single_parents_come_from_the_whole_population():
    pop = evaluated([[30.0], [10.0], [20.0], [60.0]])
    drawn = LeaderSelection()(
        None, pop, 6000, 1, to_pop=False, random_state=np.random.default_rng(1)
    )
    share = np.bincount(drawn[:, 0]) / 6000
    np.testing.assert_allclose(share, LeaderSelection().probabilities(pop), atol=0.02)
    np.testing.assert_allclose(share, [2 / 12, 6 / 12, 3 / 12, 1 / 12], atol=0.02)


def test_printed_equation_prefers_the_worst():
    pop = evaluated([[10.0], [30.0]])
    assert LeaderSelection(as_printed=True).probabilities(pop).tolist() == [0.25, 0.75]


@pytest.mark.parametrize(
    ("F", "CV", "expected"),
    [
        ([[0.0], [0.0], [5.0]], None, [0.5, 0.5, 0.0]),
        ([[-3.0], [-2.0], [-2.0]], None, [0.5, 0.25, 0.25]),
        ([[10.0], [1.0]], [0, 10], [2 / 3, 1 / 3]),
        ([[9.0], [1.0]], [1, 3], [0.75, 0.25]),
        ([[7.0]], None, [1.0]),
    ],
    ids=["zeros", "maximized", "infeasible", "nothing feasible", "one"],
)
def test_probabilities(F, CV, expected):
    np.testing.assert_allclose(LeaderSelection().probabilities(evaluated(F, CV)), expected)


def test_selection_that_cannot_be_made_is_refused():
    generator = np.random.default_rng(1)
    with pytest.raises(ValueError, match="at least 1, found 0"):
        LeaderSelection(n_leaders=0)
    with pytest.raises(ValueError, match=r"n_parents: .* as many as individuals, 1, found 2"):
        LeaderSelection()(None, evaluated([[1.0]]), 1, 2, random_state=generator)
    with pytest.raises(ValueError, match="1 objective"):
        LeaderSelection()(None, evaluated([[1.0, 2.0]]), 1, 1, random_state=generator)


def test_second_parent_is_another_one_where_all_weight_is_on_the_first():
    pop = evaluated([[0.0], [5.0], [6.0]])
    drawn = LeaderSelection(n_leaders=1)(
        None, pop, 50, 2, to_pop=False, random_state=np.random.default_rng(1)
    )
    assert set(drawn[:, 0]) == {0}
    assert set(drawn[:, 1]) == {1, 2}
