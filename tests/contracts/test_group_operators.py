"""What every registered operator on local recodings promises."""

from __future__ import annotations

import copy
import pickle
from functools import cache
from typing import Any

import numpy as np
import pytest
from pymoo.core.population import Population

import anonopt as ao
from anonopt.data.recoded_groups import RecodedGroups, check_groups_of
from anonopt.operators import OPERATORS, get_operator
from tests.contracts.problem_kinds import small_table

K, BUDGET = 4, 3
KINDS = {name: entry.kind for name, entry in OPERATORS.items() if entry.spaces == ("groups",)}

every = pytest.mark.parametrize("name", KINDS)
variation = pytest.mark.parametrize("name", [n for n, kind in KINDS.items() if kind != "sampling"])


@cache
def problem() -> ao.problems.LocalRecodingProblem:
    return ao.problems.LocalRecodingProblem(
        small_table(), ["glm"], k=K, suppression=BUDGET, genome="groups"
    )


@cache
def parents() -> Population:
    made = get_operator("DecodedSampling")(problem(), 6, random_state=np.random.default_rng(3))
    problem().evaluate(made.get("X"))
    return made


def applied(name: str, operator: Any, seed: int, pop: Population | None = None) -> Population:
    generator, pop = np.random.default_rng(seed), parents() if pop is None else pop
    if KINDS[name] == "sampling":
        return operator(problem(), len(pop), random_state=generator)
    if KINDS[name] == "crossover":
        rows = np.arange(len(pop)).reshape(-1, operator.n_parents)
        return operator(problem(), pop, rows, random_state=generator)
    return operator(problem(), pop, random_state=generator)


def recodings(pop: Population) -> list[RecodedGroups]:
    return [individual.X[0] for individual in pop]


@every
def test_children_are_valid_recodings_of_the_table(name, entropy_guard):
    for seed in range(3):
        for groups in recodings(applied(name, get_operator(name), seed)):
            check_groups_of(problem().table, groups)
            assert groups.sizes[~groups.suppressed].min() >= K
            assert groups.sizes[groups.suppressed].sum() <= BUDGET


@variation
def test_parents_are_left_as_they_were_and_children_are_not_evaluated(name):
    before = [(one.X, pickle.dumps(one.X[0])) for one in parents()]
    children = applied(name, get_operator(name), 1)
    assert all(
        one.X is x and pickle.dumps(x[0]) == content
        for one, (x, content) in zip(parents(), before, strict=True)
    )
    assert len(children) == len(parents())
    assert not any(child.evaluated for child in children)


@every
def test_the_generator_decides(name):
    one, again, copied = (
        recodings(applied(name, operator, 5))
        for operator in (
            get_operator(name),
            get_operator(name),
            copy.deepcopy(pickle.loads(pickle.dumps(get_operator(name)))),
        )
    )
    assert one == again == copied


@every
def test_without_a_generator_it_refuses(name):
    operator = get_operator(name)
    operator.random_state = None
    with pytest.raises(ValueError, match="random_state"):
        if KINDS[name] == "sampling":
            operator(problem(), 2)
        elif KINDS[name] == "crossover":
            operator(problem(), parents(), np.array([[0, 1]]))
        else:
            operator(problem(), parents())


@every
def test_other_genomes_are_refused(name):
    lattice = ao.problems.LatticeProblem(small_table(), ["glm"], k=K)
    generator = np.random.default_rng(1)
    with pytest.raises(ValueError, match="local recodings"):
        if KINDS[name] == "sampling":
            get_operator(name)(lattice, 2, random_state=generator)
        elif KINDS[name] == "crossover":
            get_operator(name, prob=1.0)(
                lattice, parents(), np.array([[0, 1]]), random_state=generator
            )
        else:
            get_operator(name)(lattice, parents(), random_state=generator)


@pytest.mark.parametrize("name", ["RegroupMutation", "RegrowthMutation"])
def test_mutations_never_lose_more(name):
    maker = problem().space.maker
    before = [maker.losses(groups).sum() for groups in recodings(parents())]
    operator = get_operator(name)
    pop = parents()
    for seed in range(4):
        pop = applied(name, operator, seed, pop)
        after = [maker.losses(groups).sum() for groups in recodings(pop)]
        assert (np.array(after) <= np.array(before) + 1e-9).all()
        before = after
    assert sum(before) < sum(maker.losses(groups).sum() for groups in recodings(parents()))


def test_the_first_child_of_a_crossover_loses_no_more_than_either_parent():
    maker = problem().space.maker
    parent = parents()[:1]
    relatives = [
        applied("RegroupMutation", get_operator("RegroupMutation", share=0.3), seed, parent)
        for seed in range(4)
    ]
    pop = Population.merge(*relatives)
    crossover = get_operator("PartitionCrossover", prob=1.0)
    children = crossover(
        problem(), pop, np.array([[0, 1], [2, 3]]), random_state=np.random.default_rng(1)
    )
    losses = [maker.losses(groups).sum() for groups in recodings(pop)]
    first = [maker.losses(groups).sum() for groups in recodings(children)[:2]]
    assert first[0] <= min(losses[:2]) + 1e-9
    assert first[1] <= min(losses[2:]) + 1e-9


@pytest.mark.parametrize("algorithm", ["ga", "nsga2"])
def test_presets_run_on_recodings(algorithm):
    objectives = ["glm"] if algorithm == "ga" else ["glm", "average_class_size"]
    own = ao.problems.LocalRecodingProblem(small_table(), objectives, k=K, genome="groups")
    preset = ao.get_algorithm(algorithm, own, pop_size=8)
    result = ao.solve(own, preset, budget=40, seed=1)
    assert len(result.front)
