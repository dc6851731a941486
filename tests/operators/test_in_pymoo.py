"""The operators inside pymoo's algorithms, and on their own without a generator."""

from __future__ import annotations

import numpy as np
import pytest
from pymoo.algorithms.moo.nsga2 import NSGA2
from pymoo.algorithms.moo.spea2 import SPEA2, SPEA2Survival
from pymoo.algorithms.soo.nonconvex.ga import GA
from pymoo.core.population import Population
from pymoo.optimize import minimize

from anonopt.operators import (
    OPERATORS,
    BoxArchive,
    CloneCrossover,
    ExtremesSampling,
    GenomeDuplicateElimination,
    GenomeMutation,
    ParetoArchive,
    ResetMutation,
    SinglePointCrossover,
    StepMutation,
    UniformSampling,
)
from tests.oracles.archives import non_dominated


def nsga2(**options):
    return NSGA2(pop_size=20, **options)


def spea2(**options):
    return SPEA2(pop_size=20, survival=SPEA2Survival(normalize=True), **options)


MIXES = {
    "step": lambda: {
        "sampling": ExtremesSampling(),
        "crossover": SinglePointCrossover(),
        "mutation": StepMutation(),
        "eliminate_duplicates": GenomeDuplicateElimination(),
    },
    "reset": lambda: {
        "sampling": UniformSampling(distinct=False),
        "crossover": CloneCrossover(),
        "mutation": ResetMutation(),
        "eliminate_duplicates": False,
    },
}


def run(make, mix, problem, *, seed=1, archive=None, n_gen=20):
    algorithm = make(**MIXES[mix](), archive=archive)
    return minimize(problem, algorithm, ("n_gen", n_gen), seed=seed)


@pytest.mark.parametrize("make", [nsga2, spea2])
@pytest.mark.parametrize("mix", MIXES)
@pytest.mark.parametrize("least_total", [None, 6])
@pytest.mark.usefixtures("entropy_guard")
def test_runs_stay_integer_in_bounds_truthful_and_repeatable(make, mix, least_total, level_problem):
    problem = level_problem([0, 0, 0, 1], [6, 3, 1, 4], least_total=least_total)
    result = run(make, mix, problem)
    X = result.pop.get("X")
    assert X.dtype == np.int64
    assert np.all((problem.xl <= X) & (problem.xu >= X))
    assert result.pop.get("F").tolist() == problem.evaluate(X, return_values_of=["F"]).tolist()
    again = run(make, mix, problem)
    assert again.pop.get("X").tolist() == X.tolist()


@pytest.mark.usefixtures("entropy_guard")
def test_single_objective_ga(level_problem):
    class Total(level_problem):
        def __init__(self):
            super().__init__([0, 0], [6, 3])
            self.n_obj = 1

        def _evaluate(self, X, out, *args, **kwargs):
            out["F"] = ((X - [4, 1]) ** 2).sum(axis=1)

    result = run(lambda **options: GA(pop_size=8, **options), "step", Total())
    assert result.X.tolist() == [4, 1]
    assert result.X.dtype == np.int64


@pytest.mark.parametrize("make", [nsga2, spea2])
@pytest.mark.parametrize("mix", MIXES)
def test_heights_of_two_and_one(make, mix, level_problem):
    problem = level_problem([0, 0], [2, 1])
    X = run(make, mix, problem).pop.get("X")
    assert X.dtype == np.int64
    assert set(map(tuple, X.tolist())) <= {(a, b) for a in range(3) for b in range(2)}


@pytest.mark.parametrize("upper", [[4], [0], [0, 0, 0]])
def test_one_gene_and_one_genome(upper, level_problem):
    result = run(nsga2, "step", level_problem([0] * len(upper), upper))
    assert set(map(tuple, result.pop.get("X").tolist())) <= {
        tuple(row) for row in np.ndindex(*(np.array(upper) + 1))
    }


@pytest.mark.parametrize("archive", [ParetoArchive(), BoxArchive(1, [False, False])])
def test_archive_of_an_algorithm(archive, level_problem):
    problem = level_problem([0, 0, 0], [3, 2, 2], least_total=2)
    result = run(nsga2, "reset", problem, archive=archive, n_gen=60)
    assert len(archive) == 0
    lattice = np.array(list(np.ndindex(4, 3, 3)))
    F, G = problem.evaluate(lattice, return_values_of=["F", "G"])
    feasible = G[:, 0] <= 0
    points = F[feasible].tolist()
    front = {tuple(points[row]) for row in non_dominated(points, [False, False])}
    assert {tuple(row) for row in result.archive.population().get("F").tolist()} == front


def call_alone(operator, problem, **options):
    parents = Population.new("X", np.array([[0, 1], [1, 0]]))
    if isinstance(operator, UniformSampling):
        return operator(problem, 2, **options)
    if isinstance(operator, StepMutation | ResetMutation):
        return operator(problem, parents, **options)
    return operator(problem, [parents[: operator.n_parents]], **options)


RANDOM_OPERATORS = [
    UniformSampling,
    ExtremesSampling,
    SinglePointCrossover,
    CloneCrossover,
    StepMutation,
    ResetMutation,
]


@pytest.mark.parametrize("make", RANDOM_OPERATORS)
class TestOperatorsAlone:
    @pytest.mark.usefixtures("entropy_guard")
    def test_no_generator_is_an_error(self, make, level_problem):
        problem = level_problem([0, 0], [2, 1])
        with pytest.raises(ValueError, match=f"{make.__name__}: expected random_state"):
            call_alone(make(), problem)

    def test_what_pymoo_calls_needs_one_as_well(self, make, level_problem):
        problem, operator = level_problem([0, 0], [2, 1]), make()
        argument = 3 if isinstance(operator, UniformSampling) else np.zeros((2, 3, 2), np.int64)
        if not isinstance(operator, GenomeMutation):  # these make mutants without pymoo's help
            with pytest.raises(ValueError, match=f"{make.__name__}: expected random_state"):
                operator._do(problem, argument)

    def test_other_kinds_of_generator_are_an_error(self, make, level_problem):
        with pytest.raises(TypeError, match="numpy Generator, found RandomState"):
            call_alone(make(), level_problem([0, 0], [2, 1]), random_state=np.random.RandomState(1))

    @pytest.mark.usefixtures("entropy_guard")
    def test_seed_is_the_generator_of_that_seed(self, make, level_problem):
        problem = level_problem([0, 0], [2, 1])
        seeded = call_alone(make(), problem, seed=4)
        handed_in = call_alone(make(), problem, random_state=np.random.default_rng(4))
        assert seeded.get("X").tolist() == handed_in.get("X").tolist()


def test_registry_lists_every_public_class_but_bases():
    from anonopt import operators

    public = {
        name: value
        for name in vars(operators)
        if isinstance(value := getattr(operators, name), type)
    }
    bases = {
        operators.Archive,
        *(
            value
            for value in public.values()
            if value.__module__.endswith((".drawing", ".variation"))
        ),
    }
    listed = {name: entry.operator for name, entry in OPERATORS.items()}
    assert listed == {name: value for name, value in public.items() if value not in bases}
