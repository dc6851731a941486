"""Box and Pareto archives against Algorithm 1 and the definition of dominance."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pymoo.core.population import Population

from anonopt.masking.equations import Equation
from anonopt.operators import Archive, BoxArchive, ParetoArchive, genome_key
from anonopt.problems.spaces import Trees
from tests.examples import examples
from tests.oracles import archives as oracle

EPS = st.tuples(st.sampled_from([1.0, 2.0, 3.5]), st.sampled_from([0.5, 1.0, 4.0]))
MAXIMIZE = st.tuples(st.booleans(), st.booleans())
# Values by genome: a genome always has the same objectives; different genomes may share them.
LANDSCAPE = st.lists(
    st.tuples(*[st.integers(0, 20).map(lambda v: v / 2)] * 2), min_size=1, max_size=12
)
VISITS = st.lists(st.integers(0, 11), max_size=30)
ARCHIVES = [ParetoArchive, lambda: BoxArchive([1, 1], [False, False])]


def evaluated(genomes, values, maximize, G=None):
    signs = np.where(maximize, -1.0, 1.0)
    options = {} if G is None else {"G": np.array(G, dtype=float).reshape(-1, 1)}
    return Population.new(
        "X",
        np.array(genomes, dtype=np.int64).reshape(-1, 1),
        "F",
        signs * np.array(values, dtype=float).reshape(-1, len(maximize)),
        **options,
    )


def visit(landscape, visits, maximize):
    genomes = [number % len(landscape) for number in visits]
    return genomes, evaluated(genomes, [landscape[g] for g in genomes], maximize)


def add_in_batches(archive, population, cuts):
    for start, stop in zip([0, *cuts], [*cuts, len(population)], strict=True):
        archive.add(population[start:stop])
    return archive


def members(archive):
    return archive.population().get("X").ravel().tolist()


@examples(150)
@given(LANDSCAPE, VISITS, EPS, MAXIMIZE, st.data())
def test_box_archive_equals_algorithm_1(landscape, visits, eps, maximize, data):
    genomes, population = visit(landscape, visits, maximize)
    cuts = sorted(data.draw(st.sets(st.integers(0, len(visits)), max_size=4)))
    archive = add_in_batches(BoxArchive(eps, maximize), population, cuts)

    expected: list[tuple[float, ...]] = []
    for genome in genomes:
        # The genome rides along as a third coordinate that no comparison sees.
        expected = oracle.update_box_archive(
            expected, Labelled(landscape[genome], genome), eps, maximize
        )
    assert members(archive) == [point.genome for point in expected]
    values = archive.population().get("F").reshape(-1, 2) * np.where(maximize, -1.0, 1.0)
    assert values.tolist() == [list(point) for point in expected]


class Labelled(tuple):
    """Objective values that remember the genome they belong to."""

    genome: int

    def __new__(cls, values, genome):
        point = super().__new__(cls, values)
        point.genome = genome
        return point


@given(LANDSCAPE, VISITS, EPS, MAXIMIZE)
def test_theorems_1_and_2(landscape, visits, eps, maximize):
    genomes, population = visit(landscape, visits, maximize)
    archive = BoxArchive(eps, maximize).add(population)
    kept = [landscape[genome] for genome in members(archive)]
    held = [oracle.box(point, eps) for point in kept]
    assert len(set(held)) == len(held)
    for point in kept:
        assert not any(oracle.box_dominates(landscape[g], point, eps, maximize) for g in genomes)
    all_boxes = sorted({oracle.box(landscape[g], eps) for g in genomes})
    assert sorted(held) == [all_boxes[i] for i in oracle.non_dominated(all_boxes, maximize)]
    assert len(archive) <= archive.size_bound([10, 10])


def test_size_bound_is_reached_where_the_printed_one_is_exceeded():
    # K = 3 and eps = 2: boxes 0 and 1 in each objective, although K / eps is 1.5.
    archive = BoxArchive(2, [True, True]).add(evaluated([0, 1], [(1, 3), (3, 1)], [True, True]))
    assert len(archive) == archive.size_bound([3, 3]) == 2


def test_first_of_two_incomparable_points_in_a_box_stays():
    values = [(6, 20), (8, 30), (7, 15), (9, 14)]
    maximize = [True, False]
    archive = BoxArchive([5, 100], maximize)
    sizes = []
    for genome, value in enumerate(values):
        archive.add(evaluated([genome], [value], maximize))
        sizes.append((len(archive), members(archive)))
    # Genome 1 is incomparable with 0; genome 2 dominates 0, and genome 3 dominates 2.
    assert sizes == [(1, [0]), (1, [0]), (1, [2]), (1, [3])]


def test_point_that_takes_over_a_box_comes_last():
    # Genomes 0 and 2 share a box, and 2 dominates 0; 1 has a box of its own.
    population = evaluated([0, 1, 2], [(1, 9), (9, 1), (1, 8)], [False, False])
    assert members(BoxArchive(2.5, [False, False]).add(population[:2])) == [0, 1]
    assert members(BoxArchive(5, [False, False]).add(population)) == [1, 2]


def test_unit_boxes_of_whole_numbers_are_plain_dominance():
    generator = np.random.default_rng(1)
    values = np.unique(generator.integers(0, 30, (300, 3)), axis=0)
    population = evaluated(np.arange(len(values)), values, [True, False, True])
    boxed = BoxArchive(1, [True, False, True]).add(population)
    assert boxed.keys == ParetoArchive().add(population).keys


@given(LANDSCAPE, VISITS, MAXIMIZE, st.data())
def test_pareto_archive_is_the_non_dominated_set(landscape, visits, maximize, data):
    genomes, population = visit(landscape, visits, maximize)
    cuts = sorted(data.draw(st.sets(st.integers(0, len(visits)), max_size=4)))
    archive = add_in_batches(ParetoArchive(), population, cuts)
    seen = list(dict.fromkeys(genomes))
    points = [landscape[genome] for genome in seen]
    assert members(archive) == [seen[row] for row in oracle.non_dominated(points, maximize)]


@pytest.mark.parametrize("n_objectives", [1, 2, 3, 4, 5])
def test_pareto_archive_of_many_objectives_and_ties(n_objectives):
    generator = np.random.default_rng(n_objectives)
    values = generator.integers(0, 6, (400, n_objectives))
    population = evaluated(np.arange(400), values, [False] * n_objectives)
    archive = add_in_batches(ParetoArchive(), population, [50, 51, 300])
    rows = oracle.non_dominated([tuple(v) for v in values.tolist()], [False] * n_objectives)
    assert members(archive) == rows


def test_infinite_objectives_are_compared():
    population = evaluated([0, 1, 2], [(np.inf, 1), (np.inf, 2), (3, 5)], [False, False])
    assert members(ParetoArchive().add(population)) == [0, 2]
    # The last box of the first objective holds both; (inf, 1) is the better one there.
    assert members(BoxArchive(1, [False, False]).add(population)) == [0, 2]


@pytest.mark.parametrize("make", ARCHIVES)
class TestBothArchives:
    def test_same_individual_three_times(self, make):
        population = evaluated([7], [(1, 2)], [False, False])
        archive = make()
        for _ in range(3):
            assert archive.add(population) is archive
        assert len(archive) == 1
        assert archive.keys == (genome_key([7]),)
        tripled = Population.merge(population, population, population)
        assert len(make().add(tripled)) == 1

    def test_only_feasible_individuals_enter(self, make):
        population = evaluated([0, 1, 2], [(0, 0), (1, 9), (9, 1)], [False, False], [0.1, 0, -1])
        archive = make().add(population)
        assert members(archive) == [1, 2]
        assert len(make().add(population[:1])) == 0

    def test_empty_archive_and_empty_population(self, make):
        archive = make().add(Population())
        assert (len(archive), archive.keys, len(archive.population())) == (0, (), 0)
        archive.add(evaluated([0], [(1, 2)], [False, False])).add(Population())
        assert members(archive) == [0]

    def test_pickled_twin_goes_on_alike(self, make):
        generator = np.random.default_rng(3)
        population = evaluated(np.arange(60), generator.integers(0, 20, (60, 2)), [False, False])
        archive = make().add(population[:30])
        twin = pickle.loads(pickle.dumps(archive))
        archive.add(population[30:])
        twin.add(population[30:])
        assert twin.keys == archive.keys
        assert twin.population().get("F").tolist() == archive.population().get("F").tolist()

    def test_changes_outside_do_not_reach_the_members(self, make):
        population = evaluated([0, 1], [(1, 2), (2, 1)], [False, False])
        archive = make().add(population)
        for outside in (population, archive.population()):
            outside.set("X", np.array([[8], [9]]), "F", np.array([[0.0, 0.0], [0.0, 0.0]]))
            outside.set("rank", np.array([5, 5]))
            outside.apply(lambda individual: individual.evaluated.add("F"))
        inside = archive.population()
        assert inside.get("X").ravel().tolist() == [0, 1]
        assert inside.get("F").tolist() == [[1, 2], [2, 1]]
        assert all(not ind.evaluated and "rank" not in ind.data for ind in inside)

    def test_adding_changes_nothing_in_the_population(self, make):
        population = evaluated([3, 3], [(1, 2), (1, 2)], [False, False])
        before = pickle.dumps([ind.__dict__ for ind in population if ind.CV is not None])
        make().add(population)
        assert pickle.dumps([ind.__dict__ for ind in population]) == before

    def test_extra_data_of_an_individual_is_kept(self, make):
        population = evaluated([0], [(1, 2)], [False, False])
        population.set("anon_note", np.array(["kept"]))
        assert make().add(population).population().get("anon_note").tolist() == ["kept"]

    @pytest.mark.usefixtures("entropy_guard")
    def test_nothing_is_drawn(self, make):
        make().add(evaluated([0, 1], [(1, 2), (2, 1)], [False, False])).population()

    def test_individuals_without_objectives_are_refused(self, make):
        with pytest.raises(ValueError, match=r"found numbers \[0"):
            make().add(Population.new("X", np.array([[0]])))

    def test_nan_is_refused(self, make):
        population = evaluated([0, 1], [(1, 2), (2, np.nan)], [False, False])
        with pytest.raises(ValueError, match="NaN, found one in objective 1 of individual 1"):
            make().add(population)

    def test_other_number_of_objectives_is_refused(self, make):
        archive = make().add(evaluated([0], [(1, 2)], [False, False]))
        with pytest.raises(ValueError, match=r"\(2\), found numbers \[2, 3\]"):
            archive.add(evaluated([1], [(1, 2, 3)], [False] * 3))
        assert len(archive) == 1


@pytest.mark.parametrize(
    ("eps", "maximize", "error"),
    [([1, 1, 1], [True, False], ValueError), (0, [True], ValueError), (1, ["max"], TypeError)],
)
def test_box_archive_checks_its_grid(eps, maximize, error):
    with pytest.raises(error, match=r"eps|maximize"):
        BoxArchive(eps, maximize)


@pytest.mark.parametrize("make", ARCHIVES)
def test_members_are_copies_that_share_arrays(make):
    population = evaluated([3], [(1, 2)], [False, False])
    archive = make().add(population)
    (kept,), (copy,) = archive._members.values(), archive.population()
    assert kept is not copy is not population[0]
    assert kept.X is copy.X is population[0].X


@pytest.mark.parametrize("make", ARCHIVES)
@pytest.mark.parametrize(("violation", "n_members"), [(-1.0, 1), (0.0, 1), (0.5, 0)])
def test_feasible_is_what_violates_nothing(make, violation, n_members):
    population = evaluated([3], [(1, 2)], [False, False])
    population[0].CV = np.array([violation])
    assert len(make().add(population)) == n_members


class Emptied(Archive):
    """Keeps everything until something is below 0, and then nothing."""

    def _kept(self, F):
        return np.arange(0 if (F < 0).any() else len(F))


def test_archive_of_ones_own_may_drop_members_for_nobody():
    archive = Emptied().add(evaluated([0, 1], [[1, 2], [3, 4]], [False, False]))
    assert members(archive) == [0, 1]
    archive.add(evaluated([2], [[-1, 0]], [False, False]))
    assert members(archive) == []


def test_genomes_that_are_no_numbers_are_told_apart_by_the_key_of_their_space():
    space = Trees(max_depth=3)
    equations = [Equation.parse(text) for text in ("N", "N + freq_i", "N")]
    pop = Population.new("X", space.genomes(equations), "F", np.array([[1.0], [1.0], [1.0]]))
    archive = ParetoArchive(key=space.key).add(pop)
    assert [space.text(x) for x in archive.population().get("X")] == [
        "equation=N",
        "equation=N + freq_i",
    ]
    assert len(BoxArchive([1], [False], key=space.key).add(pop)) == 1
    with pytest.raises(TypeError, match="genome of numbers"):
        ParetoArchive().add(pop)
