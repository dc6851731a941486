"""KGEN's mutations: De Pascale 2022, Section 3.5."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pymoo.core.population import Population
from pymoo.core.problem import Problem

from anonopt.operators import HorizontalMutation, SingleStepMutation

MUTATIONS = [SingleStepMutation, HorizontalMutation]


def mutated(operator, lower, upper, X, seed=1):
    problem = Problem(n_var=len(upper), n_obj=1, xl=np.array(lower), xu=np.array(upper))
    pop = Population.new("X", np.array(X))
    return operator(problem, pop, random_state=np.random.default_rng(seed)).get("X")


def test_example_of_the_paper_one_level_raised_and_one_lowered():
    X = np.full((4000, 5), 2)
    found = mutated(HorizontalMutation(prob=1.0), [0] * 5, [4] * 5, X)
    assert ((found != 2).sum(axis=1) <= 2).all()
    assert ((found > 2).sum(axis=1) <= 1).all()
    assert ((found < 2).sum(axis=1) <= 1).all()
    # Both keep their level with probability 1/9, else every level of their side is as likely.
    assert (found == 2).all(axis=1).mean() == pytest.approx(1 / 9, abs=0.03)
    raised = found[found > 2]
    assert set(raised.tolist()) == {3, 4}
    assert (raised == 4).mean() == pytest.approx(0.5, abs=0.05)
    assert set(found[found < 2].tolist()) == {0, 1}
    assert [2, 2, 3, 0, 2] in found.tolist()


@pytest.mark.parametrize(
    ("share", "n_raised", "n_lowered"),
    # Of five levels 0.35 are 1.75, 0.5 are 2.5 and 0.75 are 3.75: rounded down.
    [(0.0, 1, 0), (0.35, 1, 0), (0.5, 1, 1), (0.75, 2, 1), (1.0, 3, 2)],
)
def test_drawn_levels_are_raised_and_lowered_in_turn(share, n_raised, n_lowered):
    X = np.full((500, 5), 50)
    found = mutated(HorizontalMutation(prob=1.0, share=share), [0] * 5, [100] * 5, X)
    assert (found > 50).sum(axis=1).max() == n_raised
    assert (found < 50).sum(axis=1).max() == n_lowered


def test_single_step_moves_one_level_by_one():
    X = np.full((3000, 4), 2)
    found = mutated(SingleStepMutation(prob=1.0), [0] * 4, [4] * 4, X)
    steps = found - X
    assert (np.abs(steps).sum(axis=1) == 1).all()
    assert np.abs(steps).mean(axis=0) == pytest.approx([0.25] * 4, abs=0.03)
    assert (steps > 0).sum() / len(X) == pytest.approx(0.5, abs=0.03)


@pytest.mark.parametrize("operator", MUTATIONS)
@pytest.mark.parametrize("prob", [0.0, 0.3])
def test_share_of_the_genomes_that_change(operator, prob):
    X = np.full((3000, 2), 500)
    found = mutated(operator(prob=prob), [0] * 2, [1000] * 2, X)
    assert (found != X).any(axis=1).mean() == pytest.approx(prob, abs=0.03)


@pytest.mark.parametrize(
    ("operator", "prob"), [(SingleStepMutation, 0.2), (HorizontalMutation, 0.4)]
)
def test_probabilities_of_the_paper_are_the_defaults(operator, prob):
    X = np.full((3000, 2), 500)
    found = mutated(operator(), [0] * 2, [1000] * 2, X)
    assert (found != X).any(axis=1).mean() == pytest.approx(prob, abs=0.03)


@pytest.mark.parametrize("operator", MUTATIONS)
@given(
    genes=st.lists(st.tuples(*[st.integers(-3, 4)] * 3).map(sorted), min_size=1, max_size=6),
    seed=st.integers(0, 99),
)
def test_bounds_are_kept(operator, genes, seed):
    lower, levels, upper = (list(column) for column in zip(*genes, strict=True))
    found = mutated(operator(prob=1.0), lower, upper, [levels] * 5, seed)
    assert np.all((found >= lower) & (found <= upper))


@pytest.mark.parametrize(
    ("operator", "options"),
    [(HorizontalMutation, {"share": 1.5}), *((operator, {"prob": -0.1}) for operator in MUTATIONS)],
)
def test_numbers_out_of_range_are_refused(operator, options):
    (name,) = options
    with pytest.raises(ValueError, match=name):
        operator(**options)
