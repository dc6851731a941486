"""Equations of PRAM matrices as genomes."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import anonopt as ao
from anonopt.algorithms import PRAMGP, nsga2
from anonopt.data.datasets.masking_sets import masking_set
from anonopt.evaluation.pram.pram_score import PRAMScore
from anonopt.masking.equations import Equation
from anonopt.problems import PRAMEquationProblem

GERMAN = masking_set("german")
TEXTS = ("freq_j", "(freq_max - freq_i) / (freq_i - freq_j)", "freq_i / freq_j", "N - N")
EQUATIONS = [Equation.parse(text) for text in TEXTS]

SMALL = pd.DataFrame(
    {
        "size": ["S", "M", "L", "L", "M", None],
        "zone": ["a", "a", "b", "b", "c", "a"],
        "other": range(6),
    },
    index=list("uvwxyz"),
)


@pytest.mark.parametrize("options", [{"seed": 3}, {"common": True, "draws": 2}, {"expected": True}])
def test_figures_are_those_of_the_matrices_of_the_equation(options):
    names = ["IL", "DR", "score_max", "score_mean", "DBIL", "PRL"]
    problem = PRAMEquationProblem(GERMAN, [*names, "size"], **options)
    score = PRAMScore(GERMAN.categorical, **options)
    F = problem.evaluate(problem.space.genomes(EQUATIONS))
    for equation, f in zip(EQUATIONS, F, strict=True):
        matrices = [equation.matrix(np.bincount(codes)) for codes in GERMAN.categorical.codes.T]
        expected = [*score.figures(matrices).values(names), equation.size]
        np.testing.assert_array_equal(f, expected)


def test_matrices_carry_the_labels_of_their_column():
    problem = PRAMEquationProblem(GERMAN)
    (x,) = problem.space.genomes([Equation.parse("freq_j")])
    for matrix, column in zip(problem.matrices(x), GERMAN.columns, strict=True):
        shares = GERMAN.frame[column].value_counts(normalize=True).sort_index()
        assert list(matrix.labels) == shares.index.tolist()
        np.testing.assert_allclose(matrix.probabilities, np.tile(shares, (len(shares), 1)))


def test_missing_cells_stay_missing_and_are_not_counted():
    problem = PRAMEquationProblem(SMALL, columns=["size", "zone"], ordinal={"size": list("SML")})
    (x,) = problem.space.genomes([Equation.parse("N - freq_j * freq_j")])
    matrix = problem.matrices(x)[0]
    assert matrix.labels == ("S", "M", "L")
    np.testing.assert_allclose(matrix.probabilities[0], np.array([4, 1, 1]) / 6)
    for seed in range(20):
        masked = problem.protect(x, random_state=seed)
        assert masked["size"].isna().tolist() == SMALL["size"].isna().tolist()
        assert masked["other"].equals(SMALL["other"])
        assert masked.index.equals(SMALL.index)


def test_probability_0_never_happens():
    # Only the other two categories of the zone can be drawn from the commonest.
    problem = PRAMEquationProblem(SMALL, columns=["zone"])
    (x,) = problem.space.genomes([Equation.parse("freq_max - freq_j")])
    for seed in range(20):
        masked = problem.protect(x, random_state=seed)
        assert set(masked["zone"]) <= {"b", "c"}


def test_equal_equations_of_another_seed_have_other_draws():
    X = PRAMEquationProblem(GERMAN).space.genomes(EQUATIONS[:1])
    values = [PRAMEquationProblem(GERMAN, ["IL"], seed=seed).evaluate(X)[0, 0] for seed in (0, 1)]
    assert values[0] != values[1]
    assert abs(values[0] - values[1]) < 3


def test_fingerprint_follows_the_options():
    prints = {
        PRAMEquationProblem(GERMAN, **options).fingerprint
        for options in (
            {},
            {"seed": 1},
            {"draws": 4},
            {"common": True},
            {"expected": True},
            {"max_depth": 4},
            {"objectives": ["IL", "DR"]},
            {"columns": ["status", "savings"]},
        )
    }
    assert len(prints) == 8


def test_solutions_hold_loss_and_risk_whatever_the_objective():
    problem = PRAMEquationProblem(GERMAN, ["score_max"], expected=True)
    found = ao.solve(problem, PRAMGP(), budget=20, seed=1).algorithm.opt[0]
    assert max(found.get("anon_IL"), found.get("anon_DR")) == found.F[0]


@pytest.mark.parametrize(
    ("objectives", "error", "reason"),
    [
        ("IL", TypeError, "expected a list of measures, found 'IL'"),
        (["loss"], ValueError, "unknown measure 'loss'; known ones: CTBIL, DBIL"),
        (["IL", "IL"], ValueError, "'IL' twice"),
        ([], ValueError, "objectives: expected at least one, found none"),
    ],
)
def test_wrong_objectives_are_refused(objectives, error, reason):
    with pytest.raises(error, match=reason):
        PRAMEquationProblem(GERMAN, objectives)


def test_a_column_of_missing_cells_is_named():
    frame = pd.DataFrame({"a": ["x", "y"], "b": [None, None]})
    with pytest.raises(ValueError, match="values in column 'b', found missing cells only"):
        PRAMEquationProblem(frame)


def test_depth_below_1_is_refused():
    with pytest.raises(
        ValueError, match="max_depth: expected a whole number of at least 1, found 0"
    ):
        PRAMEquationProblem(GERMAN, max_depth=0)


def test_front_of_equations_and_what_can_be_done_with_it():
    problem = ao.get_problem("german-pram-equations", expected=True)
    result = ao.solve(problem, nsga2(problem, pop_size=30), budget=300, seed=1)
    front = result.front
    assert len(front) >= 5
    assert front["size"].min() == 1
    # The identity, with no loss and the largest risk, is among the smallest equations.
    assert front["IL"].min() < 1e-9
    text = front.sort_values("DR")["equation"].iloc[0]
    assert Equation.parse(text).matrix([5, 3, 8]).shape == (3, 3)


@given(seed=st.integers(0, 2**32), max_depth=st.integers(1, 6))
def test_any_tree_can_be_evaluated(seed, max_depth):
    problem = PRAMEquationProblem(
        SMALL, ["IL", "DR", "score_max", "size"], columns=["size", "zone"], max_depth=max_depth
    )
    from anonopt.operators import HalfAndHalfSampling

    X = HalfAndHalfSampling()(problem, 6, random_state=np.random.default_rng(seed)).get("X")
    F = problem.evaluate(X)
    assert np.isfinite(F).all()
    assert (F >= 0).all()
    assert (F[:, :3] <= 100).all()
