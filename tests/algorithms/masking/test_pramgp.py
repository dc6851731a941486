"""Algorithm 7 of Mares 2013, step by step."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from pymoo.core.population import Population

from anonopt.algorithms import PRAMGP
from anonopt.masking.equations import Equation
from anonopt.masking.equations.primitives import is_constant
from anonopt.operators import (
    ConstantMutation,
    GenomeDuplicateElimination,
    SimpleEquationSampling,
    SubtreeCrossover,
    SubtreeMutation,
)
from anonopt.operators.levels.crossover import CloneCrossover
from anonopt.operators.trees.tree_genomes import tree_key
from anonopt.problems import get_problem
from anonopt.runs import solve
from tests.contracts.toy_equations import ToyEquations


class CountingCrossover(SubtreeCrossover):
    """It notes the number of parents that it is handed."""

    def __init__(self) -> None:
        super().__init__(prob=1.0)
        self.handed: list[int] = []

    def do(self, problem: Any, pop: Any, parents: Any = None, *args: Any, **kwargs: Any) -> Any:
        self.handed.append(np.size(parents))
        return super().do(problem, pop, parents, *args, **kwargs)


class CountingMutation(SubtreeMutation):
    """It notes the number of individuals that it is handed."""

    def __init__(self) -> None:
        super().__init__()
        self.handed: list[int] = []

    def do(self, problem: Any, pop: Any, *args: Any, **kwargs: Any) -> Any:
        self.handed.append(len(pop))
        return super().do(problem, pop, *args, **kwargs)


def set_up(n_generations: int = 60, **options: Any) -> tuple[PRAMGP, ToyEquations]:
    problem = ToyEquations(objectives=("distance",))
    algorithm = PRAMGP(n_generations=n_generations, **options)
    algorithm.setup(problem, seed=1)
    algorithm.next()
    return algorithm, problem


def merits(population: Population) -> list[float]:
    return [float(individual.F[0]) for individual in population]


def has_constant(individual: Any) -> bool:
    return any(is_constant(node) for node in individual.X[0])


@pytest.mark.parametrize(("pop_size", "n_tournament"), [(6, 4), (20, 4), (20, 12)])
def test_only_losers_are_replaced_and_only_by_something_better(pop_size, n_tournament):
    algorithm, _ = set_up(pop_size=pop_size, n_tournament=n_tournament)
    n_replaced = 0
    while algorithm.has_next():
        before, members = merits(algorithm.pop), list(algorithm.pop)
        algorithm.next()
        changed = [i for i, member in enumerate(members) if algorithm.pop[i] is not member]
        n_replaced += len(changed)
        assert len(changed) <= n_tournament // 2
        assert set(changed) <= set(algorithm._losers.tolist())
        assert all(merits(algorithm.pop)[i] < before[i] for i in changed)
        assert min(merits(algorithm.pop)) <= min(before)
    assert n_replaced > 0


def test_best_children_take_the_places_of_the_worst_losers():
    algorithm, _ = set_up(pop_size=8, n_tournament=8)
    algorithm.pop.set("F", np.arange(8.0)[:, np.newaxis])
    algorithm._losers = np.array([4, 5, 6, 7])
    children = Population.new(
        "X", algorithm.pop[:4].get("X"), "F", np.array([[5.5], [7.5], [0.5], [4.5]])
    )
    children.set("G", np.zeros((4, 0)))
    algorithm._advance(children)
    # 0.5 for 7, 4.5 for 6, 5.5 is not better than 5, nor 7.5 than 4.
    assert merits(algorithm.pop) == [0, 1, 2, 3, 4, 5, 4.5, 0.5]


def test_winners_are_the_better_half_of_those_that_met():
    algorithm, _ = set_up(pop_size=8, n_tournament=8, prob_mutation=1.0)
    before = np.array(merits(algorithm.pop))
    algorithm.next()
    assert sorted(before[algorithm._losers]) == sorted(before)[4:]


@pytest.mark.parametrize(("rate", "share"), [(1.0, 0.0), (0.5, 0.5), (0.0, 1.0)])
def test_winners_are_all_crossed_or_all_mutated(rate, share):
    crossover, mutation = CountingCrossover(), CountingMutation()
    algorithm, _ = set_up(
        300, pop_size=12, n_tournament=8, prob_mutation=rate,
        crossover=crossover, mutation=mutation,
    )  # fmt: skip
    algorithm.run()
    assert set(crossover.handed + mutation.handed) == {4}
    assert len(crossover.handed) + len(mutation.handed) == 300
    assert len(crossover.handed) / 300 == pytest.approx(share, abs=0.08)


def test_evaluations_are_those_of_the_thesis():
    result = solve(ToyEquations(objectives=("distance",)), PRAMGP(), seed=1)
    assert result.n_evaluations == 6 + 1500 * 2
    assert len(result.algorithm.pop) == 6


def test_duplicates_are_kept_out_if_asked_for():
    elimination = GenomeDuplicateElimination(key=tree_key)
    numbers = []
    for duplicates in (None, elimination):
        result = solve(
            ToyEquations(objectives=("distance",), max_depth=3),
            PRAMGP(pop_size=20, n_generations=400, eliminate_duplicates=duplicates),
            seed=2,
        )
        numbers.append(len({tree_key(x) for x in result.algorithm.pop.get("X")}))
    # The first population has five terminals of depth 1, some of them twice.
    assert numbers[0] < numbers[1]


def test_equations_with_constants_are_started_with_and_found():
    options = {"sampling": SimpleEquationSampling(), "mutation": ConstantMutation()}
    algorithm, _ = set_up(n_generations=20, pop_size=20, **options)
    assert sum(map(has_constant, algorithm.pop)) == 10
    while algorithm.has_next():
        algorithm.next()
    assert has_constant(algorithm.opt[0])


def test_reported_best_is_the_best_that_was_evaluated():
    result = solve(ToyEquations(objectives=("distance",)), PRAMGP(n_generations=300), seed=5)
    assert result.algorithm.opt[0].F[0] == result.history["distance"].min() == result.F[0, 0]
    assert Equation.parse(result.front["equation"].iloc[0]).depth <= 4


def test_history_tells_every_generation_with_its_loss_and_risk():
    problem = get_problem("german-pram-equations", objectives=["score_max"], expected=True)
    run = solve(problem, PRAMGP(n_generations=30), seed=1).algorithm
    history = run.history()
    assert history["n_generations"].tolist() == list(range(31))
    best = history["score_max_min"]
    assert (best.diff().dropna() <= 0).all()
    assert best.iloc[-1] == run.opt[0].F[0]
    present = run.population()
    assert (present[["IL", "DR"]].max(axis=1) == present["score_max"]).all()
    assert history["IL_max"].iloc[-1] == present["IL"].max()


def test_smaller_violation_goes_first():
    problem = ToyEquations(objectives=("distance",), largest=3, max_depth=5)
    result = solve(problem, PRAMGP(n_generations=200), seed=3)
    assert result.success
    assert (result.algorithm.opt.get("CV") <= 0).all()


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"pop_size": 3}, "pop_size: expected a whole number of at least 4, found 3"),
        ({"n_tournament": 6}, "n_tournament: expected a multiple of 4, found 6"),
        ({"n_tournament": 0}, "n_tournament: expected a whole number of at least 4, found 0"),
        ({"n_tournament": 8}, "pop_size: expected a whole number of at least 8, found 6"),
        ({"n_generations": 0}, "n_generations: expected a whole number of at least 1, found 0"),
        ({"prob_mutation": 1.1}, "prob_mutation: expected a number in 0..1"),
        (
            {"crossover": CloneCrossover()},
            "expected 2 parents and as many children, found 1",
        ),
    ],
)
def test_wrong_options_are_refused(options, reason):
    with pytest.raises(ValueError, match=reason):
        PRAMGP(**options)
