"""Masked files as genomes: codes, incremental measures, starting populations."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pymoo.core.population import Population

import anonopt as ao
from anonopt.algorithms import nsga2, spea2
from anonopt.data import masking_set
from anonopt.evaluation import MaskingEvaluator
from anonopt.operators import CellCrossover, CellMutation
from anonopt.problems import MaskingProblem
from anonopt.problems.files import masked_files
from anonopt.problems.files.offspring import OffspringMemory
from anonopt.runs import solve
from tests.histories import assert_same_history

NAMES = ["IL", "DR", "score_max", "score_mean", "DBIL", "CTBIL", "EBIL", "ID", "DBRL", "PRL"]


def some_file(n_rows=400, seed=0):
    generator = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "zone": generator.choice(list("abcd"), n_rows),
            "other": np.arange(n_rows) / 7,
            "size": generator.choice(["S", "M", "L", None], n_rows),
        },
        index=generator.permutation(n_rows),
    )


def some_problem(objectives=("IL", "DR"), **options):
    columns = ["zone", "size"]
    return MaskingProblem(
        some_file(), objectives, columns=columns, ordinal={"size": ["S", "M", "L"]}, **options
    )


def random_genomes(problem, n, seed=0):
    generator = np.random.default_rng(seed)
    X = generator.integers(0, problem.xu.astype(int), endpoint=True, size=(n, problem.n_var))
    return X.astype(problem.space.dtype)


class CountingEvaluator(MaskingEvaluator):
    """Counts the files that are measured from scratch."""

    n_measured = 0

    def measure(self, codes):
        self.n_measured += 1
        return super().measure(codes)


def counting(problem):
    problem.evaluator = CountingEvaluator(problem.columns)
    return problem


def from_scratch(problem, X):
    fresh = MaskingEvaluator(problem.columns)
    return [fresh.measure(x.reshape(problem.columns.codes.shape)) for x in X]


def test_objectives_are_the_figures_of_the_file():
    problem = some_problem(NAMES)
    X = random_genomes(problem, 5)
    values = problem.natural(problem.evaluate(X))
    for row, state in zip(values, from_scratch(problem, X), strict=True):
        assert row.tolist() == state.values(NAMES).tolist()
    np.testing.assert_array_equal(values[:, 2], np.maximum(values[:, 0], values[:, 1]))
    assert not problem.maximize.any()


def test_original_loses_nothing_and_comes_back():
    problem, frame = some_problem(), some_file()
    X = problem.genomes([frame])
    assert problem.evaluate(X)[0, 0] == 0
    pd.testing.assert_frame_equal(problem.protect(X[0]), frame)


def test_masked_file_keeps_what_is_not_masked():
    problem, frame = some_problem(), some_file()
    masked = problem.protect(random_genomes(problem, 1)[0])
    assert masked["other"].equals(frame["other"])
    assert masked.index.equals(frame.index)
    assert set(masked["size"].dropna()) <= {"S", "M", "L"}
    np.testing.assert_array_equal(problem.genomes([masked]), random_genomes(problem, 1))


def test_genes_are_the_cells_in_row_major_order():
    problem = some_problem()
    x = problem.genomes([some_file()])[0]
    x[2 * 3 + 1] = 0
    masked = problem.protect(x)
    changed = masked["size"].ne(some_file()["size"]) & masked["size"].notna()
    assert masked["size"].iloc[3] == "S"
    assert changed.to_numpy().nonzero()[0].tolist() in ([3], [])


@pytest.mark.parametrize(("n", "dtype"), [(2, np.int8), (128, np.int8), (129, np.int16)])
def test_genomes_have_the_smallest_type(n, dtype):
    frame = pd.DataFrame({"x": [*range(n), 0]})
    problem = MaskingProblem(frame)
    assert problem.space.dtype == dtype
    assert problem.genomes([frame]).tolist() == [[*range(n), 0]]


@settings(max_examples=25)
@given(
    st.lists(
        st.tuples(st.booleans(), st.integers(0, 10**6), st.booleans()), min_size=1, max_size=12
    )
)
def test_offspring_measure_as_from_scratch_bit_for_bit(steps):
    problem = some_problem(["IL", "DR"])
    pop = Population.new("X", random_genomes(problem, 3))
    problem.evaluate(pop.get("X"))
    for crosses, seed, evaluated in steps:
        generator = np.random.default_rng(seed)
        pair = pop[generator.permutation(len(pop))[:2]]
        operator = CellCrossover() if crosses else CellMutation()
        parents = [pair] if crosses else pair[:1]
        children = operator(problem, parents, random_state=generator)
        # Some generations are never evaluated: their children still find the grandparent.
        if evaluated:
            values = problem.evaluate(children.get("X"))
            expected = [
                state.values(["IL", "DR"]) for state in from_scratch(problem, children.get("X"))
            ]
            assert values.tolist() == np.array(expected).tolist()
        pop = Population.merge(pop, children)


def test_mutants_are_not_measured_from_scratch_and_crossed_ones_only_if_they_differ_much():
    problem = counting(some_problem())
    X = random_genomes(problem, 2)
    problem.evaluate(X)
    pop, generator = Population.new("X", X), np.random.default_rng(1)
    mutants = CellMutation()(problem, pop, random_state=generator)
    mutants = CellMutation()(problem, mutants, random_state=generator)
    problem.evaluate(mutants.get("X"))
    assert problem.evaluator.n_measured == 2
    near = X[0].copy()
    near[:3] = X[1][:3]
    problem.space.note_offspring(near, X[0], 0, 2)
    far = X[0].copy()
    far[:400] = X[1][:400]
    problem.space.note_offspring(far, X[0], 0, 399)
    problem.evaluate(np.array([near]))
    assert problem.evaluator.n_measured == 2
    problem.evaluate(np.array([far]))
    assert problem.evaluator.n_measured == 3


def test_known_genomes_are_not_measured_again_whatever_their_type():
    problem = counting(some_problem())
    X = random_genomes(problem, 3)
    F = problem.evaluate(X)
    for dtype in (np.int64, np.float64):
        np.testing.assert_array_equal(problem.evaluate(X.astype(dtype)), F)
        assert problem.space.key(X[0].astype(dtype)) == problem.space.key(X[0])
    assert problem.evaluator.n_measured == 3
    assert len({problem.space.key(x) for x in X}) == 3


@pytest.mark.usefixtures("entropy_guard")
def test_threads_measure_populations_alike(monkeypatch):
    monkeypatch.setattr(masked_files, "MANY_CELLS", 0)
    alone, together = some_problem(NAMES), counting(some_problem(NAMES, workers=3))
    X = random_genomes(alone, 5)
    X = np.concatenate([X, X[:2]])
    np.testing.assert_array_equal(together.evaluate(X), alone.evaluate(X))
    assert together.evaluator.n_measured == 5
    searches = [
        solve(problem, nsga2(problem, pop_size=6, sampling=X[:5]), budget=30, seed=1)
        for problem in (some_problem(), some_problem(workers=2))
    ]
    assert_same_history(searches[0].history, searches[1].history)
    with pytest.raises(ValueError, match=r"workers: .* at least 1, found 0"):
        some_problem(workers=0)


@pytest.mark.parametrize("accelerator", ["numpy", "auto"])
def test_accelerators_agree(accelerator):
    problem = some_problem(NAMES, accelerator=accelerator)
    X = random_genomes(problem, 4)
    expected = some_problem(NAMES, accelerator="numpy").evaluate(X)
    np.testing.assert_allclose(problem.evaluate(X), expected, rtol=1e-12)


def test_copies_measure_alike_and_pickles_leave_the_memory_behind():
    problem = some_problem()
    X = random_genomes(problem, 3)
    F = problem.evaluate(X)
    for twin in (copy.deepcopy(problem), pickle.loads(pickle.dumps(problem))):
        np.testing.assert_array_equal(twin.evaluate(X), F)
        assert twin.fingerprint == problem.fingerprint
    size = len(pickle.dumps(problem))
    problem.evaluate(random_genomes(problem, 40, seed=1))
    assert len(pickle.dumps(problem)) == size


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (lambda X: X + 9, r"gene 0: expected a whole number in 0\.\.3, found"),
        (lambda X: X - 9, r"gene 0: expected a whole number in 0\.\.3, found"),
        (lambda X: X + 0.5, r"gene 0: expected a whole number in 0\.\.3, found"),
    ],
)
def test_codes_that_are_no_category_are_refused(bad, message):
    problem = some_problem()
    with pytest.raises(ValueError, match=message):
        problem.evaluate(bad(random_genomes(problem, 2)))


def test_contradictory_arguments_are_refused():
    with pytest.raises(ValueError, match="unknown measure 'ILL'; did you mean IL"):
        some_problem(["ILL"])
    with pytest.raises(TypeError, match="list of measures, found 'IL'"):
        some_problem("IL")
    with pytest.raises(ValueError, match="'german' brings its own"):
        MaskingProblem(masking_set("german"), ordinal={"savings": None})
    problem = some_problem()
    with pytest.raises(ValueError, match="400 rows, found 3"):
        problem.genomes([some_file()[:3]])
    with pytest.raises(ValueError, match=r"shape \(800,\), found \(3,\)"):
        problem.protect(np.zeros(3, dtype=np.int8))


def test_columns_of_a_set_can_be_chosen():
    problem = MaskingProblem(masking_set("german"), columns=["savings"])
    assert problem.columns.names == ("savings",)
    assert problem.n_var == 1000


def test_size_of_the_search_space_is_exact():
    problem = MaskingProblem(pd.DataFrame({"x": list("aab"), "y": list("pqr")}))
    assert problem.space.size == 2**3 * 3**3


def test_thesis_starts_with_its_numbers_of_files():
    problem = ao.get_problem("german-masking", objectives=["score_max"])
    X = problem.space.starting_population(np.random.default_rng(1))
    assert X.shape == (104, 3000)
    assert X.dtype == np.int8
    again, other = (
        problem.space.starting_population(np.random.default_rng(seed)) for seed in (1, 2)
    )
    np.testing.assert_array_equal(X, again)
    assert not np.array_equal(X, other)
    assert np.isfinite(problem.evaluate(X)).all()


@pytest.mark.parametrize("preset", [nsga2, spea2])
@pytest.mark.usefixtures("entropy_guard")
def test_pymoo_searches_masked_files_from_the_starting_population_on(preset):
    problem = counting(ao.get_problem("german-masking"))
    result = solve(problem, preset(problem, pop_size=20), budget=120, seed=3)
    assert result.n_unique == 120
    assert result.X.dtype == problem.space.dtype
    # Of a hundred children some differ from a parent in few cells only.
    assert problem.evaluator.n_measured < 120
    expected = [state.values(["IL", "DR"]) for state in from_scratch(problem, result.X)]
    np.testing.assert_array_equal(result.F, expected)
    twin = ao.get_problem("german-masking")
    again = solve(twin, preset(twin, pop_size=20), budget=120, seed=3)
    assert_same_history(again.history, result.history)


def test_offspring_memory_forgets_what_was_used_least_recently():
    memory: OffspringMemory[str] = OffspringMemory(genome_bytes=2**26)
    for key in (b"a", b"b"):
        memory.keep(key, key.decode())
    memory.note(b"child", b"a", 1, 2)
    assert memory.state(b"a") == "a"
    memory.keep(b"c", "c")
    assert memory.state(b"b") is None
    assert memory.parent(b"child") == ("a", 1, 2)
    memory.keep(b"d", "d")
    memory.keep(b"e", "e")
    assert memory.parent(b"child") is None
    memory.note(b"orphan", b"unknown", 0, 0)
    assert memory.parent(b"orphan") is None


def test_first_word_on_a_child_counts():
    memory: OffspringMemory[str] = OffspringMemory(genome_bytes=1)
    memory.keep(b"a", "a")
    memory.keep(b"b", "b")
    memory.note(b"child", b"a", 1, 2)
    memory.note(b"child", b"b", 5, 6)
    memory.note(b"a", b"b", 5, 6)
    assert memory.parent(b"child") == ("a", 1, 2)
    assert memory.parent(b"a") is None
