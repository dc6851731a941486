"""What every space promises to problems, operators, algorithms and tables."""

from __future__ import annotations

import copy
import json
import pickle

import numpy as np
import pytest
from pymoo.core.population import Population

from tests.contracts.toy_spaces import SPACES, UNEQUAL, Unmeasured

every = pytest.mark.parametrize("name", SPACES)
numeric = pytest.mark.parametrize(
    "name", [name for name, space in SPACES.items() if space.vtype is not object]
)


def sampled(name: str, n: int = 12, seed: int = 1) -> Population:
    space = SPACES[name]
    generator = np.random.default_rng(seed)
    return space.sampling()(Unmeasured(space), n, random_state=generator)


def varied(name: str, seed: int) -> Population:
    """Children of a first population, by the space's own operators."""
    space, generator = SPACES[name], np.random.default_rng(seed)
    problem, pop = Unmeasured(space), sampled(name)
    pop.set("F", np.zeros((len(pop), 1)))
    pairs = generator.integers(0, len(pop), (10, 2))
    children = space.crossover()(problem, pop, pairs, random_state=generator)
    children = space.mutation()(problem, children, random_state=generator)
    repair = space.repair()
    return children if repair is None else repair(problem, children)


def texts(name: str, pop: Population) -> list[str]:
    return [SPACES[name].text(x) for x in pop.get("X")]


@every
def test_first_genomes_are_of_the_space_and_follow_the_seed(name):
    space, pop = SPACES[name], sampled(name)
    X = pop.get("X")
    assert 2 <= len(X) <= 12
    assert X.shape[1] == space.n_var
    assert texts(name, Population.new("X", space.checked(X))) == texts(name, pop)
    assert texts(name, sampled(name)) == texts(name, pop)
    assert texts(name, sampled(name, seed=2)) != texts(name, pop)


@every
@pytest.mark.usefixtures("entropy_guard")
def test_children_are_of_the_space_and_follow_the_seed(name):
    space = SPACES[name]
    for seed in range(10):
        children = varied(name, seed)
        assert len(children) == 20
        space.checked(children.get("X"))
        assert texts(name, varied(name, seed)) == texts(name, children)
    parents = set(texts(name, sampled(name)))
    made = {text for seed in range(10) for text in texts(name, varied(name, seed))}
    assert made - parents


@every
def test_starting_population_is_of_the_space_and_follows_the_seed(name):
    space = SPACES[name]
    found = [space.starting_population(np.random.default_rng(seed)) for seed in (1, 1, 2)]
    if found[0] is None:
        assert found == [None] * 3
        return
    X = space.checked(found[0])
    np.testing.assert_array_equal(X, found[1])
    assert not np.array_equal(X, found[2])


@every
def test_key_tells_solutions_apart(name):
    space = SPACES[name]
    one, other = UNEQUAL[name]
    assert isinstance(space.key(one), bytes)
    assert space.key(one) == space.key(copy.deepcopy(one)) != space.key(other)


@numeric
def test_key_does_not_depend_on_the_type_of_numbers(name):
    space, (one, _) = SPACES[name], UNEQUAL[name]
    for dtype in (np.int64, np.float64):
        assert space.key(one.astype(dtype)) == space.key(one)


@every
def test_duplicates_are_those_of_equal_keys(name):
    one, other = UNEQUAL[name]
    X = np.array([one, other, one, other])
    left = SPACES[name].duplicates().do(Population.new("X", X))
    assert texts(name, left) == [SPACES[name].text(one), SPACES[name].text(other)]


@every
def test_text_and_columns_tell_solutions_apart_where_genes_have_names(name):
    space, (one, other) = SPACES[name], UNEQUAL[name]
    assert space.text(one) != space.text(other)
    frame = space.columns(np.array([one, other]))
    assert len(frame) == 2
    assert frame.columns.tolist() == list(space.names or ["solution"])
    assert not frame.iloc[0].equals(frame.iloc[1])
    assert space.columns(np.array([one])[:0]).columns.tolist() == frame.columns.tolist()


@every
def test_genomes_of_another_length_are_refused(name):
    space = SPACES[name]
    short, long = (np.zeros(n) for n in (space.n_var - 1, space.n_var + 1))
    for wrong in (short, long, np.zeros((1, space.n_var))):
        with pytest.raises(ValueError, match=rf"x: expected a genome of shape \({space.n_var},\)"):
            space.checked_one(wrong)


@every
def test_one_genome_is_checked_as_many_are(name):
    space, (one, _) = SPACES[name], UNEQUAL[name]
    assert space.text(space.checked_one(one)) == space.text(one)
    assert space.checked_one(one).dtype == space.checked(np.array([one])).dtype


@numeric
def test_genes_out_of_bounds_are_named(name):
    space, (one, _) = SPACES[name], UNEQUAL[name]
    gene = space.n_var - 1
    for wrong in (space.upper[gene] + 1, space.lower[gene] - 1, np.nan):
        x = one.astype(float)
        x[gene] = wrong
        with pytest.raises(
            ValueError, match=r"gene .*: expected a .*number in .*, found "
        ) as error:
            space.checked_one(x)
        assert f"gene {space.gene_name(gene)}" in str(error.value)


@every
def test_problems_have_the_bounds_of_their_space(name):
    space, problem = SPACES[name], Unmeasured(SPACES[name])
    assert problem.n_var == space.n_var
    assert problem.vtype is space.vtype
    for bound, own in ((problem.xl, space.lower), (problem.xu, space.upper)):
        assert (bound is None) == (own is None) == (space.vtype is object)
        if own is not None:
            np.testing.assert_array_equal(bound, own)


@every
def test_size_is_a_whole_number_or_none(name):
    space = SPACES[name]
    assert (space.size is None) == (space.vtype is not int)
    assert space.size is None or (type(space.size) is int and space.size >= 1)


@every
def test_operators_are_all_of_the_space(name):
    space = SPACES[name]
    found = space.operators()
    repairs = ["repair"] if space.repair() is not None else []
    assert sorted(found) == ["crossover", "eliminate_duplicates", "mutation", *repairs, "sampling"]
    assert type(found["crossover"]) is type(space.crossover())
    assert type(found["mutation"]) is type(space.mutation())


@every
def test_parts_of_a_genome_cover_it(name):
    space = SPACES[name]
    assert sum(space.matrix_lengths) == sum(space.row_lengths) == space.n_var


@every
def test_pickled_twin_is_the_same_space(name):
    space = SPACES[name]
    for twin in (copy.deepcopy(space), pickle.loads(pickle.dumps(space))):
        assert twin.describe() == space.describe()
        assert twin.key(UNEQUAL[name][0]) == space.key(UNEQUAL[name][0])


@every
def test_description_is_plain_and_tells_spaces_apart(name):
    described = json.dumps(SPACES[name].describe())
    others = [json.dumps(space.describe()) for key, space in SPACES.items() if key != name]
    assert described not in others


@every
def test_neighbors_are_of_the_space_or_there_are_no_steps(name):
    space, (one, _) = SPACES[name], UNEQUAL[name]
    try:
        near = space.neighbors(one)
    except ValueError as error:
        assert f"found {space.kind}" in str(error)
        return
    assert len(near) > 0
    space.checked(near)
    assert all(space.key(x) != space.key(one) for x in near)
    for x in near:
        assert space.key(one) in {space.key(back) for back in space.neighbors(x)}


@every
def test_noted_offspring_change_nothing(name):
    space, (one, other) = SPACES[name], UNEQUAL[name]
    before = space.text(one), space.text(other), space.describe()
    space.note_offspring(one, other, 0, space.n_var - 1)
    assert (space.text(one), space.text(other), space.describe()) == before
