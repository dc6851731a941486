"""What problems of nodes, recodings, files, matrices, equations and graphs share."""

from __future__ import annotations

import copy
import dataclasses
import pickle

import numpy as np
import pandas as pd
import pytest
from pymoo.core.population import Population

import anonopt as ao
from anonopt.graphs import SocialGraph
from anonopt.measures import get_measure
from anonopt.problems import LocalRecodingProblem
from anonopt.problems.base import AnonymizationProblem
from tests.contracts.problem_kinds import KINDS, some_genomes

every = pytest.mark.parametrize("kind", KINDS)
OF_NODES = [kind for kind, one in KINDS.items() if "node" in one.own.of]
"""Kinds that are measured by the measures of nodes."""


class Spread(AnonymizationProblem):
    """A problem with one objective more: wraps one of any kind."""

    def __init__(self, inner):
        super().__init__(
            space=inner.space,
            objective_names=[*inner.objective_names, "spread"],
            maximize=[*inner.maximize, True],
        )
        self.inner = inner

    def _values(self, X):
        values = self.inner.natural(self.inner.evaluate(X, return_values_of=["F"]))
        return np.column_stack([values, np.ptp(values, axis=1)]), None

    def _protected(self, x, random_state):
        return self.inner.protect(x, random_state=random_state)

    def _content(self):
        return self.inner.fingerprint


def subclass(kind, body):
    """A class of the kind's problem with another `_values`."""
    return type("Changed", (KINDS[kind].problem,), {"_values": body})


def objectives(problem, X):
    return problem.evaluate(X, return_values_of=["F"])


def penalized(self, X):
    values, G = super(type(self), self)._values(X)
    return values + 1000.0, G


@every
def test_overridden_values_are_the_objectives(kind):
    plain = KINDS[kind].make()
    changed = KINDS[kind].make(subclass(kind, penalized))
    X = some_genomes(plain)
    before, after = (problem.evaluate(X, return_as_dictionary=True) for problem in (plain, changed))
    np.testing.assert_allclose(
        changed.natural(after["F"]) - plain.natural(before["F"]), 1000.0, atol=1e-9
    )
    extras = [name for name in before if name.startswith("anon_")]
    assert extras == [name for name in after if name.startswith("anon_")]
    for name in extras:
        np.testing.assert_array_equal(after[name], before[name])
    assert changed.fingerprint != plain.fingerprint


def nothing(self, X):
    n_constraints = len(self.constraint_names)
    G = np.zeros((len(X), n_constraints)) if n_constraints else None
    return np.zeros((len(X), self.n_obj)), G


@every
def test_recorded_measures_are_there_if_nothing_else_is_measured(kind):
    name = KINDS[kind].objectives[0]
    plain = KINDS[kind].make()
    changed = KINDS[kind].make(subclass(kind, nothing)).recording([name])
    X = some_genomes(plain)
    out = changed.evaluate(X, return_as_dictionary=True)
    assert not out["F"].any()
    np.testing.assert_array_equal(out[f"anon_{name}"], plain.natural(objectives(plain, X))[:, 0])


@every
def test_another_number_of_objectives_is_refused(kind):
    problem = KINDS[kind].make(subclass(kind, lambda self, X: (np.zeros((len(X), 7)), None)))
    X = some_genomes(problem)
    with pytest.raises(ValueError, match=rf"objectives: .* n = {len(X)} .*, found .*, 7\)"):
        problem.evaluate(X)


@pytest.mark.parametrize(
    "kind", [kind for kind, one in KINDS.items() if one.problem is not LocalRecodingProblem]
)
def test_constraints_without_names_are_refused(kind):
    with_G = subclass(kind, lambda self, X: (np.zeros((len(X), self.n_obj)), np.zeros((len(X), 1))))
    problem = KINDS[kind].make(with_G)
    with pytest.raises(ValueError, match="constraint_names: expected a name for each"):
        problem.evaluate(some_genomes(problem))


def failing(self, X):
    super(type(self), self)._values(X)
    raise RuntimeError("in the middle")


@every
def test_nothing_is_left_over_when_values_cannot_be_had(kind):
    problem = KINDS[kind].make(subclass(kind, failing))
    with pytest.raises(RuntimeError, match="in the middle"):
        problem.evaluate(some_genomes(problem))
    assert problem._latest is None


@every
def test_pickles_stay_small(kind):
    problem = KINDS[kind].make()
    problem.evaluate(some_genomes(problem, 6))
    size = len(pickle.dumps(problem))
    problem.evaluate(some_genomes(problem, 24, seed=6))
    # Evaluators keep a few tables that do not grow with the genomes.
    assert len(pickle.dumps(problem)) < 1.1 * size
    assert problem._latest is None


@every
def test_copies_keep_space_objectives_and_fingerprint(kind):
    problem = KINDS[kind].make()
    X = some_genomes(problem)
    F = objectives(problem, X)
    start = problem.space.starting_population(np.random.default_rng(1))
    for twin in (copy.deepcopy(problem), pickle.loads(pickle.dumps(problem))):
        assert twin.space.describe() == problem.space.describe()
        assert twin.fingerprint == problem.fingerprint
        np.testing.assert_array_equal(objectives(twin, X), F)
        again = twin.space.starting_population(np.random.default_rng(1))
        np.testing.assert_array_equal(again, start)
    assert copy.deepcopy(problem).space is problem.space


@every
def test_a_wrapper_adds_an_objective_and_keeps_the_space(kind):
    inner = KINDS[kind].make()
    wrapper = Spread(KINDS[kind].make())
    algorithms = [ao.algorithms.nsga2(problem, pop_size=6) for problem in (inner, wrapper)]
    firsts = []
    for problem, algorithm in zip((inner, wrapper), algorithms, strict=True):
        algorithm.setup(problem, termination=("n_gen", 3), seed=3)
        firsts.append(algorithm.ask())
    assert [inner.space.key(x) for x in firsts[0].get("X")] == [
        inner.space.key(x) for x in firsts[1].get("X")
    ]
    result = ao.solve(wrapper, ao.algorithms.nsga2(wrapper, pop_size=6), budget=24, seed=3)
    assert result.front.columns[-1] == "spread"
    X, F = result.X, result.F
    np.testing.assert_array_equal(F[:, :-1], inner.evaluate(X, return_values_of=["F"]))
    protected = wrapper.protect(X[0], random_state=1)
    assert_same_data(protected, inner.protect(X[0], random_state=1))
    twin = pickle.loads(pickle.dumps(wrapper))
    assert twin.fingerprint == wrapper.fingerprint
    np.testing.assert_array_equal(twin.evaluate(X, return_values_of=["F"]), F)


@pytest.mark.parametrize("kind", ["file", "numeric file"])
def test_offspring_of_a_wrapper_are_measured_from_their_parents(kind, monkeypatch):
    wrapper = Spread(KINDS[kind].make())
    inner, n_measured = wrapper.inner, []
    measure = inner.evaluator.measure
    monkeypatch.setattr(
        inner.evaluator, "measure", lambda codes: n_measured.append(1) or measure(codes)
    )
    X = some_genomes(wrapper, 6)
    wrapper.evaluate(X)
    assert len(n_measured) == len(X)
    pop = ao.operators.get_operator("GrayCellMutation" if inner.space.gray else "CellMutation")(
        wrapper, Population.new("X", X), random_state=np.random.default_rng(2)
    )
    children = pop.get("X")
    assert (children != X).any(axis=1).all()
    if kind == "numeric file":
        wrapper.evaluate(children)
        assert len(n_measured) == len(X)
    assert all(inner._memory.knows(inner.space.key(x)) for x in children)


@every
def test_bounds_are_met_by_those_that_meet_them(kind):
    name, bound = KINDS[kind].bound
    problem = KINDS[kind].make(constraints={name: bound})
    X = some_genomes(problem, 25)
    assert problem.constraint_names[0] == name
    G = problem.evaluate(X, return_values_of=["G"])
    values = problem.recording([name]).evaluate(X, return_as_dictionary=True)[f"anon_{name}"]
    met = values >= bound if get_measure(name).maximize else values <= bound
    np.testing.assert_array_equal(G[:, 0] <= 0, met)
    assert 0 < met.sum() < len(met)
    np.testing.assert_allclose(np.abs(G[:, 0]), np.abs(values - bound) / bound)


@every
def test_bounds_are_part_of_the_fingerprint(kind):
    name, bound = KINDS[kind].bound
    options = [{}, {"constraints": {name: bound}}, {"constraints": {name: bound + 1}}]
    assert len({KINDS[kind].make(**one).fingerprint for one in options}) == 3


@every
def test_own_measures_are_objectives_and_constraints(kind):
    own, first = KINDS[kind].own, KINDS[kind].objectives[0]
    problem = KINDS[kind].make(objectives=[own, first], constraints={own: 0.3})
    assert problem.objective_names == (own.name, first)
    X = some_genomes(problem)
    F, G = problem.evaluate(X, return_values_of=["F", "G"])
    np.testing.assert_allclose(G[:, 0], (F[:, 0] - 0.3) / 0.3, atol=1e-12)
    np.testing.assert_array_equal(F[:, 1], objectives(KINDS[kind].make(), X)[:, 0])
    assert ((F[:, 0] >= 0) & (F[:, 0] <= 1)).all()
    twin = pickle.loads(pickle.dumps(problem))
    np.testing.assert_array_equal(twin.evaluate(X, return_values_of=["F"]), F)
    assert twin.portable_fingerprint == problem.portable_fingerprint


@every
def test_measures_of_other_things_are_refused(kind):
    strange = KINDS["graph" if kind in OF_NODES else "node"].own
    for options in ({"objectives": [strange]}, {"constraints": {strange: 1}}):
        with pytest.raises(ValueError, match=f"measure '{strange.name}': expected one of '"):
            KINDS[kind].make(**options)


@every
def test_two_measures_of_one_name_are_refused(kind):
    own = KINDS[kind].own
    namesake = dataclasses.replace(own, summary="another one")
    with pytest.raises(ValueError, match=f"measure '{own.name}': .* found two"):
        KINDS[kind].make(objectives=[own], constraints={namesake: 1})
    with pytest.raises(ValueError, match=f"measure '{own.name}': .* found two"):
        KINDS[kind].make(objectives=[own]).recording([namesake])


@pytest.mark.parametrize("kind", ["file", "numeric file", "matrix", "equation"])
def test_own_measures_do_not_hide_what_is_recorded(kind):
    own = dataclasses.replace(KINDS[kind].own, name="IL")
    with pytest.raises(ValueError, match=r"measure 'IL': .* found two"):
        KINDS[kind].make(objectives=[own, "DR"])


@every
def test_infeasible_genomes_are_not_protected(kind):
    name, bound = KINDS[kind].bound
    problem = KINDS[kind].make(constraints={name: bound})
    X = some_genomes(problem, 25)
    feasible = problem.evaluate(X, return_values_of=["G"])[:, 0] <= 0
    with pytest.raises(ValueError, match=f"x: expected a feasible genome, .*, misses {name}"):
        problem.protect(X[~feasible][0], random_state=1)
    assert problem.protect(X[feasible][0], random_state=1) is not None


@every
def test_genomes_that_are_none_are_not_protected(kind):
    problem = KINDS[kind].make()
    with pytest.raises(ValueError, match=r"x: expected a genome of shape"):
        problem.protect(np.zeros(problem.n_var + 1))


@pytest.mark.parametrize("kind", ["matrix", "equation"])
def test_what_protects_by_chance_needs_a_random_state(kind):
    problem = KINDS[kind].make()
    x = some_genomes(problem)[0]
    with pytest.raises(ValueError, match="random_state: expected a seed or a numpy Generator"):
        problem.protect(x)
    by_seed = problem.protect(x, random_state=7)
    assert_same_data(by_seed, problem.protect(x, random_state=np.random.default_rng(7)))
    assert not by_seed.equals(problem.protect(x, random_state=8))


@every
def test_result_protects_what_the_problem_protects(kind):
    problem = KINDS[kind].make()
    result = ao.solve(problem, ao.algorithms.nsga2(problem, pop_size=6), budget=18, seed=1)
    row = len(result.X) - 1
    expected = problem.protect(result.X[row], random_state=2)
    assert_same_data(result.protect(row, random_state=2), expected)


def assert_same_data(one, other):
    if isinstance(one, SocialGraph):
        assert one.fingerprint == other.fingerprint
    else:
        pd.testing.assert_frame_equal(one, other)
