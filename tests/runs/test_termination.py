"""What ends a run: what pymoo takes for a termination, and what a budget makes of it."""

from __future__ import annotations

import numpy as np
import pytest
from pymoo.algorithms.moo.rvea import RVEA
from pymoo.core.termination import NoTermination
from pymoo.termination import get_termination
from pymoo.termination.default import DefaultMultiObjectiveTermination

from anonopt.algorithms import PBGEA, RandomSearch
from anonopt.runs import solve
from anonopt.runs.termination import as_termination, generations, termination_under
from tests.contracts.toy_problems import ToyLattice

REFERENCES = np.array([[0.0, 1.0], [0.5, 0.5], [1.0, 0.0]])


@pytest.mark.parametrize("rule", [4, np.int64(4), ("n_gen", 4), ["n_gen", 4], ("n_iter", 4)])
def test_generations_in_every_form(rule):
    result = solve(ToyLattice(), RandomSearch(batch_size=3), termination=rule, seed=1)
    assert (result.n_evaluations, result.message) == (12, "algorithm finished")


def test_names_alone_are_pymoos_default_rules():
    assert isinstance(as_termination("moo"), DefaultMultiObjectiveTermination)


def test_objects_are_copied():
    rule = get_termination("n_gen", 3)
    assert as_termination(rule) is not rule
    assert as_termination(None) is None


def test_one_generation_is_enough():
    result = solve(ToyLattice(), RandomSearch(batch_size=3), termination=1, seed=1)
    assert result.n_evaluations == 3


def test_generations_are_told_from_other_numbers():
    assert generations("every", ("n_gen", 3)) == generations("every", ["n_gen", 3]) == 3
    assert generations("every", 3) is generations("every", None) is None
    for wrong in (("n_gen",), ("n_eval", 3), ("n_gen", 3, 4)):
        with pytest.raises(ValueError, match="every: expected a number or"):
            generations("every", wrong)
    with pytest.raises(ValueError, match=r"every: expected .* at least 1, found 0"):
        generations("every", ("n_gen", 0))


@pytest.mark.parametrize("rule", [("n_gens", 4), (), ("n_gen", 1, 2), 0, "never"])
def test_what_pymoo_does_not_know_is_refused(rule):
    with pytest.raises(ValueError, match="termination: expected"):
        solve(ToyLattice(), RandomSearch(), termination=rule)


@pytest.mark.parametrize("rule", [2.5, True, {"n_gen": 3}, solve])
def test_other_types_are_refused(rule):
    with pytest.raises(TypeError, match=r'termination: expected .*such as \("n_gen", 50\), found'):
        solve(ToyLattice(), RandomSearch(), termination=rule)


def test_own_rule_of_an_algorithm_holds_under_a_budget_and_pymoos_default_does_not():
    assert isinstance(termination_under(5, None, RandomSearch()), NoTermination)
    own = termination_under(5, None, PBGEA(termination=("n_gen", 7)))
    assert own.n_max_gen == 7


def rvea(**options):
    return RVEA(REFERENCES, **options)


@pytest.mark.parametrize(("budget", "n_generations"), [(2, 1), (3, 1), (4, 2), (9, 3), (10, 4)])
def test_rvea_plans_as_many_generations_as_the_budget_allows(budget, n_generations):
    rule = termination_under(budget, None, rvea())
    assert rule.n_max_gen == n_generations


def test_rvea_is_told_its_generations_or_refused():
    assert termination_under(100, 5, rvea()).n_max_gen == 5
    assert termination_under(None, ("n_eval", 60), rvea()).n_max_evals == 60
    assert termination_under(None, None, rvea(termination=("n_gen", 6))).n_max_gen == 6
    for budget, rule in ((None, None), (50, ("time", 3))):
        with pytest.raises(ValueError, match="by which RVEA plans its search"):
            termination_under(budget, rule, rvea())
