"""PRAM matrices as genomes."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pandas as pd
import pytest

import anonopt as ao
from anonopt.data import masking_set
from anonopt.evaluation import PRAMScore
from anonopt.evaluation.pram.pair_difference import PairDifference
from anonopt.evaluation.pram.pram_draws import AliasTable
from anonopt.masking import (
    controlled_diagonal,
    controlled_invariant,
    expectation_ratios,
    invariant_matrix,
    pram_matrix,
)
from anonopt.measures.fronts.indicators import hypervolume
from anonopt.problems import MatrixRules, PRAMProblem
from tests.histories import assert_same_history

GERMAN = masking_set("german")


def random_genomes(problem: PRAMProblem, n: int, seed: int = 5) -> np.ndarray:
    rng = np.random.default_rng(seed)
    if problem.vtype is int:
        return rng.integers(0, 1024, (n, problem.n_var))
    return rng.random((n, problem.n_var))


@pytest.mark.parametrize("encoding", ["gray", "simplex"])
def test_every_genome_is_a_matrix_also_that_of_zeros(encoding):
    problem = PRAMProblem(GERMAN, encoding=encoding)
    X = random_genomes(problem, 30)
    X[0] = 0
    X[1, : problem.n_var // 2] = 0
    for x in X:
        for matrix in problem.matrices(x):
            np.testing.assert_allclose(matrix.probabilities.sum(axis=1), 1, atol=1e-12)
    for matrix, size in zip(problem.matrices(X[0]), (4, 5, 5), strict=True):
        np.testing.assert_array_equal(matrix, np.eye(size))


def test_genes_are_named_by_column_and_categories():
    problem = PRAMProblem(GERMAN, columns=["status"])
    assert problem.space.names[:5] == (
        "status: A11 -> A11",
        "status: A11 -> A12",
        "status: A11 -> A13",
        "status: A11 -> A14",
        "status: A12 -> A11",
    )
    assert problem.space.matrix_lengths == (16,)


@pytest.mark.parametrize("encoding", ["gray", "simplex"])
def test_start_is_frequency_pram(encoding):
    problem = PRAMProblem(GERMAN, encoding=encoding, p=0.5)
    counts = GERMAN.frame["status"].value_counts().sort_index()
    expected = pram_matrix("frequency", counts, p=0.5)
    found = problem.matrices(problem.start)[0]
    np.testing.assert_allclose(found, expected, atol=2e-3 if encoding == "gray" else 1e-15)
    assert found.labels == ("A11", "A12", "A13", "A14")


def test_objectives_are_figures_of_the_matrices():
    names = ["score_max", "EBIL", "score_mean"]
    problem = PRAMProblem(GERMAN, names, seed=4, draws=3)
    X = random_genomes(problem, 3)
    score = PRAMScore(GERMAN.categorical, seed=4, draws=3)
    expected = [score.figures(problem.matrices(x)).values(names) for x in X]
    np.testing.assert_array_equal(problem.evaluate(X), expected)


@pytest.mark.usefixtures("entropy_guard")
@pytest.mark.parametrize("options", [{}, {"common": True}, {"expected": True}])
@pytest.mark.parametrize("encoding", ["gray", "simplex"])
def test_values_do_not_depend_on_the_order_of_evaluation(options, encoding):
    problem = PRAMProblem(GERMAN, encoding=encoding, **options)
    X = random_genomes(problem, 4)
    F = problem.evaluate(X)
    np.testing.assert_array_equal(problem.evaluate(X[::-1])[::-1], F)
    for twin in (copy.deepcopy(problem), pickle.loads(pickle.dumps(problem))):
        np.testing.assert_array_equal(twin.evaluate(X[2:3]), F[2:3])
        assert twin.fingerprint == problem.fingerprint


def test_seed_decides_the_draws():
    x = PRAMProblem(GERMAN).start[np.newaxis]
    values = [PRAMProblem(GERMAN, seed=seed).evaluate(x).tolist() for seed in (1, 1, 2)]
    assert values[0] == values[1] != values[2]
    assert PRAMProblem(GERMAN, seed=1).fingerprint != PRAMProblem(GERMAN, seed=2).fingerprint


def test_loss_and_risk_are_stored_with_every_solution():
    problem = PRAMProblem(GERMAN, ["score_mean"])
    out = problem.evaluate(problem.start[np.newaxis], return_as_dictionary=True)
    assert (out["anon_IL"] + out["anon_DR"]) / 2 == pytest.approx(out["F"][:, 0])


def test_bivariate_difference_of_one_column_and_another():
    options = {"columns": ["employment"], "crossed": "housing", "seed": 3}
    problem = PRAMProblem(GERMAN, ["bivariate_difference", "expectation_share"], **options)
    pair = PairDifference(
        ao.data.CategoricalColumns.of(GERMAN.frame, columns=["employment"]),
        ao.data.CategoricalColumns.of(GERMAN.frame, columns=["housing"]),
        seed=3,
    )
    (matrix,) = problem.matrices(problem.start)
    found = problem.evaluate(problem.start[np.newaxis])[0]
    assert found[0] == pair.difference(matrix)
    counts = GERMAN.frame["employment"].value_counts(sort=False).sort_index()
    ratios = expectation_ratios(matrix, counts)
    assert found[1] == pytest.approx(100 * np.average(ratios / (1 + ratios), weights=counts))


def employment(**rules) -> PRAMProblem:
    return PRAMProblem(
        GERMAN,
        ["bivariate_difference"],
        columns=["employment"],
        crossed="housing",
        expected=True,
        rules=rules,
    )


COUNTS = GERMAN.frame["employment"].value_counts().sort_index().to_numpy()


def test_rules_as_repair_hold_for_every_genome():
    problem = employment(invariance="repair", diagonal=(0.55, 0.75), diagonal_of="both")
    shares = COUNTS / COUNTS.sum()
    for x in random_genomes(problem, 10):
        (R,) = problem.matrices(x)
        assert np.abs(shares @ R.probabilities - shares).max() <= 1e-12
        diagonal = R.probabilities.diagonal()
        assert (diagonal >= 0.55).all()
        assert (diagonal <= 0.75).all()
    assert problem.constraint_names == ()


def test_printed_control_is_one_alpha_for_the_invariant_matrix():
    options = {"invariance": "repair", "diagonal_of": "R"}
    plain = employment(**options)
    problem = employment(**options, diagonal=(0.55, 0.75), as_printed=True)
    for x in random_genomes(problem, 5):
        (R,), (controlled,) = plain.matrices(x), problem.matrices(x)
        expected = controlled_invariant(R, COUNTS, as_printed=True)
        np.testing.assert_array_equal(controlled, expected)
    assert problem.fingerprint != employment(**options, diagonal=(0.55, 0.75)).fingerprint


def test_printed_control_of_P_is_that_of_the_printed_equation():
    plain, problem = employment(), employment(diagonal=(0.55, 0.75), as_printed=True)
    for x in random_genomes(problem, 5):
        (P,), (controlled,) = plain.matrices(x), problem.matrices(x)
        np.testing.assert_array_equal(controlled, controlled_diagonal(P, as_printed=True))


def test_control_of_P_comes_before_invariance():
    problem = employment(invariance="repair", diagonal=(0.55, 0.75))
    plain = employment(diagonal=(0.55, 0.75))
    for x in random_genomes(problem, 5):
        (P,), (R,) = plain.matrices(x), problem.matrices(x)
        assert ((P.probabilities.diagonal() >= 0.55) & (P.probabilities.diagonal() <= 0.75)).all()
        np.testing.assert_array_equal(R, invariant_matrix(P, COUNTS))


def test_rules_as_constraints_say_by_how_much_they_are_missed():
    problem = employment(
        invariance="constraint", tolerance=0.05, diagonal=(0.55, 0.75), diagonal_by="constraint"
    )
    assert problem.constraint_names == ("invariance of employment", "diagonal of P of employment")
    diagonal = np.array([0.6, 0.9, 0.6, 0.6, 0.6])
    matrix = np.full((5, 5), 0.0)
    matrix[np.arange(5), (np.arange(5) + 1) % 5] = 1 - diagonal
    np.fill_diagonal(matrix, diagonal)
    G = problem.evaluate(problem.genome([matrix])[np.newaxis], return_values_of=["G"])[0]
    shares = COUNTS / COUNTS.sum()
    moved = np.abs(shares @ matrix - shares).sum() / 2
    np.testing.assert_allclose(G, [moved - 0.05, 0.15], atol=2e-3)


def test_constraint_on_both_matrices():
    problem = employment(
        invariance="repair", diagonal=(0.55, 0.75), diagonal_by="constraint", diagonal_of="both"
    )
    x = problem.genome([pram_matrix("maximum_entropy", COUNTS, p=0.6)])
    G = problem.evaluate(x[np.newaxis], return_values_of=["G"])[0]
    assert problem.constraint_names[1] == "diagonal of R of employment"
    # P is in range, R = PQ is not.
    assert G[0] <= 0 < G[1]


def test_protect_masks_the_file_with_the_matrices():
    problem = PRAMProblem(GERMAN, columns=["status", "savings"])
    swap = [np.eye(4)[::-1], np.eye(5)]
    masked = problem.protect(problem.genome(swap), random_state=1)
    swapped = {"A11": "A14", "A12": "A13", "A13": "A12", "A14": "A11"}
    pd.testing.assert_series_equal(masked["status"], GERMAN.frame["status"].map(swapped))
    others = masked.columns.drop("status")
    pd.testing.assert_frame_equal(masked[others], GERMAN.frame[others])


def test_protect_draws_each_column_from_the_generator_in_turn():
    problem = PRAMProblem(GERMAN)
    masked = problem.protect(problem.start, random_state=3)
    columns, rng = problem.columns, np.random.default_rng(3)
    tables = [AliasTable.of(matrix.probabilities) for matrix in problem.matrices(problem.start)]
    codes = [table.draw(columns.codes[:, j], rng) for j, table in enumerate(tables)]
    pd.testing.assert_frame_equal(masked, columns.decode(np.column_stack(codes), GERMAN.frame))


@pytest.mark.parametrize("objective", ["bivariate_difference", "expectation_share"])
def test_files_are_not_counted_for_measures_that_need_none(objective, monkeypatch):
    score = "anonopt.problems.pram.matrix_figures.PRAMScore"
    monkeypatch.setattr(score, lambda *args, **options: pytest.fail("counted the file"))
    crossed = "housing" if objective == "bivariate_difference" else None
    options = {"columns": ["employment"], "crossed": crossed}
    problem = PRAMProblem(GERMAN, [objective], **options)
    out = problem.evaluate(problem.start[np.newaxis], return_as_dictionary=True)
    assert "anon_IL" not in out
    monkeypatch.undo()
    problem = PRAMProblem(GERMAN, [objective], **options)
    twin = problem.recording(["IL"])
    recorded = twin.evaluate(problem.start[np.newaxis], return_as_dictionary=True)["anon_IL"]
    expected = PRAMProblem(GERMAN, ["IL"], columns=["employment"]).evaluate(problem.start[None])
    assert recorded.tolist() == expected[0].tolist()
    assert twin.fingerprint == problem.fingerprint


def test_missing_cells_have_genes_when_asked():
    frame = pd.DataFrame({"zone": ["a", "b", None, "a"]})
    asked, default = (PRAMProblem(frame, mask_missing=mask) for mask in (True, False))
    assert (asked.n_var, default.n_var) == (9, 4)
    swap = default.genome([[[0.0, 1.0], [1.0, 0.0]]])
    masked = default.protect(swap, random_state=1)
    assert masked["zone"].fillna("-").tolist() == ["b", "a", "-", "b"]


@pytest.mark.parametrize("encoding", ["gray", "simplex"])
def test_starting_population_begins_with_the_start(encoding):
    problem = PRAMProblem(GERMAN, encoding=encoding)
    X = problem.space.starting_population(np.random.default_rng(1))
    np.testing.assert_array_equal(X[0], problem.start)
    assert len(np.unique(X, axis=0)) == len(X) > 50
    identity = problem.genome([np.eye(n) for n in (4, 5, 5)])
    assert (identity == X).all(axis=1).any()


@pytest.mark.parametrize("name", ["nsga2", "spea2", "nsga3", "smsemoa"])
@pytest.mark.parametrize("encoding", ["gray", "simplex"])
@pytest.mark.usefixtures("entropy_guard")
def test_presets_bring_fitting_operators(name, encoding):
    problem = ao.get_problem("german-pram", encoding=encoding, expected=True)
    runs = [
        ao.solve(problem, ao.algorithms.get_algorithm(name, problem), budget=100, seed=2)
        for _ in range(2)
    ]
    assert_same_history(runs[0].history, runs[1].history)
    values = runs[0].history[["IL", "DR"]].to_numpy()
    options = {"reference": [100, 100], "maximize": [False, False]}
    first, last = (hypervolume(part, **options) for part in (values[:50], values))
    assert last > first + 10
    if encoding == "simplex":
        sums = np.add.reduceat(runs[0].X, np.cumsum([0, *problem.space.row_lengths[:-1]]), axis=1)
        np.testing.assert_allclose(sums, 1, atol=1e-12)


def test_genes_out_of_range_are_refused():
    problem = PRAMProblem(GERMAN, encoding="simplex")
    x = problem.start.copy()
    x[7] = -0.1
    with pytest.raises(
        ValueError, match=r"gene 'status: A12 -> A14': expected .* in 0\.\.1, found -0\.1"
    ):
        problem.evaluate(x[np.newaxis])


@pytest.mark.parametrize(
    ("options", "found"),
    [
        ({"objectives": ["RSRL"]}, "unknown measure 'RSRL'; known ones: CTBIL, DBIL, "),
        ({"encoding": "binary"}, "encoding: expected one of .*, found 'binary'"),
        ({"objectives": ["bivariate_difference"]}, "crossed: expected a column .*found none"),
        (
            {"crossed": "housing", "columns": ["employment"]},
            "only with it, found 'housing'",
        ),
        (
            {"objectives": ["bivariate_difference"], "crossed": "housing"},
            r"one masked column, found \['status', 'savings', 'employment'\]",
        ),
        ({"ordinal": {"status": None}}, "ordinal: expected none, as the set 'german' brings"),
        ({"start": [np.eye(4)]}, "a matrix for each of .*, found 1"),
        ({"start": [np.eye(4), np.eye(4), np.eye(5)]}, "'savings': expected shape"),
        ({"rules": {"invariance": "always"}}, "invariance: expected one of"),
        ({"rules": {"diagonal": (0.8, 0.7)}}, "diagonal: expected 0 <= lower"),
    ],
)
def test_wrong_options_are_refused(options, found):
    with pytest.raises(ValueError, match=found):
        PRAMProblem(GERMAN, **options)


def test_a_column_of_missing_cells_is_named_unless_these_are_masked():
    frame = pd.DataFrame({"a": ["x", "y"], "b": [None, None]})
    with pytest.raises(ValueError, match="values in column 'b', found missing cells only"):
        PRAMProblem(frame)
    assert PRAMProblem(frame, mask_missing=True).n_var == 5


def test_a_single_category_is_masked_under_any_rules():
    frame = pd.DataFrame({"a": ["x"] * 6, "b": list("pqpqpq")})
    rules = MatrixRules(invariance="repair", diagonal=(0.55, 0.75), diagonal_of="both")
    problem = PRAMProblem(frame, rules=rules)
    assert problem.matrices(problem.start)[0].probabilities.tolist() == [[1.0]]


def test_searches_of_levels_refuse_probabilities():
    problem = PRAMProblem(GERMAN, encoding="simplex", expected=True)
    fits = ao.list_algorithms(problem=problem)["fits"]
    assert not fits["lattice-vnd"]
    assert fits[["pbgea", "random", "nsga2"]].all()
    with pytest.raises(ValueError, match="lattice-vnd: expected "):
        ao.algorithms.get_algorithm("lattice-vnd", problem)


@pytest.mark.parametrize("name", ["pbgea", "random"])
def test_searches_of_any_space_keep_rows_of_probabilities(name):
    problem = PRAMProblem(GERMAN, encoding="simplex", expected=True)
    result = ao.solve(problem, ao.algorithms.get_algorithm(name, problem), budget=60, seed=1)
    for x in result.X:
        for matrix in problem.matrices(x):
            np.testing.assert_allclose(matrix.probabilities.sum(axis=1), 1, atol=1e-12)


def test_rules_can_be_given_as_options():
    rules = MatrixRules(invariance="repair")
    assert employment(invariance="repair").fingerprint != employment().fingerprint
    assert employment(invariance="repair").rules == rules


@pytest.mark.parametrize(
    ("name", "sizes"), [("german", (4, 5, 5)), ("flare", (6, 6, 4)), ("adult", (16, 7, 14))]
)
def test_a_name_stands_for_a_task(name, sizes):
    problem = ao.get_problem(f"{name}-pram")
    assert problem.objective_names == ("IL", "DR")
    assert problem.space.matrix_lengths == tuple(size * size for size in sizes)
    # Missing occupations of Adult have no row: they stay missing.
    assert all("<missing>" not in gene for gene in problem.space.names)


def test_scores_of_entropy_alone():
    names = ["score_mean", "EBIL", "DR"]
    problem = PRAMProblem(GERMAN, names, seed=4, loss="EBIL")
    score, loss, risk = problem.evaluate(random_genomes(problem, 4)).T
    np.testing.assert_allclose(score, (loss + risk) / 2)
    assert problem.fingerprint != PRAMProblem(GERMAN, names, seed=4).fingerprint


@pytest.mark.parametrize(
    "options",
    [
        {"objectives": ["score_mean"]},
        {"objectives": ["bivariate_difference"], "columns": ["status"], "crossed": "housing"},
    ],
)
def test_redrawn_genomes_have_other_draws(options):
    problem = PRAMProblem(GERMAN.frame, **{"columns": ["status", "savings"], **options})
    X = random_genomes(problem, 2)
    before = problem.evaluate(X)
    again = problem.redrawn(1)
    np.testing.assert_array_equal(again.evaluate(X), problem.redrawn(1).evaluate(X))
    assert (again.evaluate(X) != problem.redrawn(2).evaluate(X)).all()
    assert (again.evaluate(X) != before).all()
    np.testing.assert_array_equal(problem.evaluate(X), before)
    assert again.fingerprint != problem.fingerprint
    # Figures of files that are recorded along with another objective are drawn anew as well.
    recorded = [one.recording(["ID"]) for one in (problem, again)]
    drawn = [one.evaluate(X, return_as_dictionary=True)["anon_ID"] for one in recorded]
    assert (drawn[0] != drawn[1]).all()


def test_common_and_expected_figures_cannot_be_drawn_anew():
    for options in ({"common": True}, {"expected": True}):
        with pytest.raises(ValueError, match="draws: expected those of each candidate's own"):
            PRAMProblem(GERMAN, **options).redrawn(0)


@pytest.mark.parametrize("objectives", [["IL"], ["expectation_share"]])
def test_a_loss_that_is_none_is_refused_at_once(objectives: list[str]):
    with pytest.raises(ValueError, match="loss: expected one of"):
        PRAMProblem(GERMAN, objectives, loss="PIL")
