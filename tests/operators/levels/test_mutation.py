"""Mutation of integer genomes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pymoo.core.population import Population
from pymoo.core.problem import Problem
from scipy import stats

from anonopt.operators import ResetMutation, StepMutation

MUTATIONS = [StepMutation, ResetMutation]
GENES = st.lists(
    st.tuples(st.integers(-3, 3), st.integers(0, 4), st.integers(0, 4)).map(
        lambda g: (g[0], g[0] + g[1], g[0] + min(g[1], g[2]))
    ),
    min_size=1,
    max_size=6,
)


def make_problem(lower, upper):
    return Problem(n_var=len(upper), n_obj=1, xl=np.array(lower), xu=np.array(upper))


def mutate(operator, problem, X, seed=1):
    population = Population.new("X", X)
    mutated = operator(problem, population, random_state=np.random.default_rng(seed))
    return population, mutated


@pytest.mark.parametrize("operator", MUTATIONS)
@given(genes=GENES, prob_var=st.sampled_from([None, 0.0, 0.5, 1.0]), seed=st.integers(0, 99))
def test_bounds_type_and_inputs(operator, genes, prob_var, seed):
    lower, upper, levels = zip(*genes, strict=True)
    X = np.array([levels] * 5)
    X.flags.writeable = False
    population, mutated = mutate(operator(prob_var=prob_var), make_problem(lower, upper), X, seed)
    found = mutated.get("X")
    assert found.dtype == np.int64
    assert np.all((found >= lower) & (found <= upper))
    assert population.get("X").tolist() == X.tolist()
    assert not set(population) & set(mutated)
    if prob_var == 0.0:
        assert found.tolist() == X.tolist()


@given(genes=GENES, seed=st.integers(0, 99))
def test_a_step_is_one_level_up_or_down_or_stays(genes, seed):
    lower, upper, levels = zip(*genes, strict=True)
    problem, X = make_problem(lower, upper), np.array([levels] * 5)
    _, mutated = mutate(StepMutation(prob_var=1.0, at_bound="stay"), problem, X, seed)
    steps = mutated.get("X") - X
    assert np.all(np.abs(steps) <= 1)
    stayed = steps == 0
    assert np.all((np.array(lower) == X) | (np.array(upper) == X) | ~stayed)


@given(genes=GENES, seed=st.integers(0, 99))
def test_a_reset_changes_every_chosen_gene_that_can_change(genes, seed):
    lower, upper, levels = zip(*genes, strict=True)
    X = np.array([levels] * 5)
    _, mutated = mutate(ResetMutation(prob_var=1.0), make_problem(lower, upper), X, seed)
    assert np.all((mutated.get("X") != X) == (np.array(lower) < np.array(upper)))


@pytest.mark.parametrize("operator", MUTATIONS)
@pytest.mark.parametrize(("prob_var", "rate"), [(None, 1 / 8), (0.3, 0.3), (1.0, 1.0)])
def test_rate_of_changed_genes(operator, prob_var, rate):
    # Level 2 of 0..4: no step leaves the bounds.
    problem = make_problem([0] * 8, [4] * 8)
    X = np.full((4000, 8), 2)
    _, mutated = mutate(operator(prob_var=prob_var), problem, X)
    changed = mutated.get("X") != X
    spread = np.sqrt(rate * (1 - rate) / changed.size)
    assert changed.mean() == pytest.approx(rate, abs=4 * spread + 1e-12)
    per_gene = changed.mean(axis=0)
    assert np.all(np.abs(per_gene - rate) <= 5 * spread * np.sqrt(8) + 1e-12)


def test_default_rate_of_a_single_gene_is_one():
    _, mutated = mutate(StepMutation(), make_problem([0], [4]), np.full((50, 1), 2))
    assert set(mutated.get("X").ravel().tolist()) == {1, 3}


def test_steps_up_and_down_are_equally_likely():
    problem = make_problem([0], [4])
    _, mutated = mutate(StepMutation(prob_var=1.0), problem, np.full((10_000, 1), 2))
    assert stats.binomtest(int((mutated.get("X") == 3).sum()), 10_000).pvalue > 0.001
    staying = StepMutation(prob_var=1.0, at_bound="stay")
    _, mutated = mutate(staying, problem, np.zeros((10_000, 1), int))
    assert stats.binomtest(int((mutated.get("X") == 1).sum()), 10_000).pvalue > 0.001


def test_all_other_levels_are_equally_likely_after_a_reset():
    problem = make_problem([-1], [3])
    _, mutated = mutate(ResetMutation(prob_var=1.0), problem, np.full((10_000, 1), 1))
    values, counts = np.unique(mutated.get("X"), return_counts=True)
    assert values.tolist() == [-1, 0, 2, 3]
    assert stats.chisquare(counts).pvalue > 0.001


@pytest.mark.parametrize("operator", MUTATIONS)
def test_objectives_of_the_parents_do_not_stick_to_mutants(operator):
    parents = Population.new("X", np.array([[0, 1], [1, 1]]), "F", np.array([[1.0], [2.0]]))
    parents.apply(lambda individual: individual.evaluated.add("F"))
    mutated = operator(prob_var=1.0)(
        make_problem([0, 0], [1, 1]), parents, random_state=np.random.default_rng(1)
    )
    assert all(len(individual.evaluated) == 0 for individual in mutated)
    assert parents.get("F").tolist() == [[1.0], [2.0]]


@pytest.mark.parametrize("operator", MUTATIONS)
def test_same_seed_same_mutants(operator):
    problem = make_problem([0] * 8, [4] * 8)
    X = np.full((20, 8), 2)
    runs = [mutate(operator(), problem, X, seed)[1].get("X").tolist() for seed in (3, 3, 4)]
    assert runs[0] == runs[1] != runs[2]


@pytest.mark.parametrize("operator", MUTATIONS)
def test_genomes_out_of_bounds_or_fractions_are_refused(operator):
    problem = make_problem([0, 0], [4, 2])
    with pytest.raises(ValueError, match=r"levels 0\.\.2 at gene 1, found 3 in genome 1"):
        mutate(operator(), problem, np.array([[1, 2], [1, 3]]))
    with pytest.raises(ValueError, match=r"levels 0\.\.4 at gene 0, found -1 in genome 0"):
        mutate(operator(), problem, np.array([[-1, 2]]))
    with pytest.raises(ValueError, match=r"found 0\.5"):
        mutate(operator(), problem, np.array([[1, 0.5]]))
    with pytest.raises(ValueError, match="found nan"):
        mutate(operator(), problem, np.array([[1, np.nan]]))


@pytest.mark.parametrize("operator", MUTATIONS)
def test_changing_in_place_is_refused(operator):
    population = Population.new("X", np.array([[0, 1]]))
    with pytest.raises(ValueError, match="expected inplace=False, found True"):
        operator()(
            make_problem([0, 0], [1, 1]),
            population,
            inplace=True,
            random_state=np.random.default_rng(1),
        )


@pytest.mark.parametrize("operator", MUTATIONS)
@pytest.mark.parametrize("prob_var", [-0.1, 1.1, float("nan")])
def test_probability_is_checked(operator, prob_var):
    with pytest.raises(ValueError, match=r"prob_var: expected a number in 0\.\.1"):
        operator(prob_var=prob_var)


def inward_step(level, step, lower, upper):
    if lower <= level + step <= upper:
        return level + step
    return level - step if lower <= level - step <= upper else level


@given(genes=GENES, seed=st.integers(0, 99))
def test_inward_steps_turn_round_at_a_bound(genes, seed):
    lower, upper, levels = zip(*genes, strict=True)
    problem, X = make_problem(lower, upper), np.array([levels] * 5)
    _, mutated = mutate(StepMutation(prob_var=1.0), problem, X, seed)
    generator = np.random.default_rng(seed)
    generator.random(X.shape)
    steps = 2 * generator.integers(2, size=X.shape) - 1
    expected = [
        [inward_step(*gene) for gene in zip(levels, row, lower, upper, strict=True)]
        for row in steps.tolist()
    ]
    assert mutated.get("X").tolist() == expected


@given(seed=st.integers(0, 99))
def test_every_chosen_level_of_two_changes(seed):
    X = np.random.default_rng(seed).integers(2, size=(5, 6))
    _, mutated = mutate(StepMutation(prob_var=1.0), make_problem([0] * 6, [1] * 6), X, seed)
    assert mutated.get("X").tolist() == (1 - X).tolist()


def test_other_ways_at_a_bound_are_refused():
    with pytest.raises(ValueError, match="at_bound: expected one of 'inward', 'stay'"):
        StepMutation(at_bound="clip")
