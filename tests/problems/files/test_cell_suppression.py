"""Cell suppression as a problem: its tables checked by plain pandas, its measures by definition."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pandas as pd
import pytest

import anonopt as ao
from anonopt.masking import CellSuppression
from anonopt.problems import CellSuppressionProblem
from tests.masking.test_cell_suppression import holds

MEASURES = ["suppressed_cells", "affected_rows", "match_risk"]


def table(n_rows: int = 80, seed: int = 7) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "age": rng.integers(20, 32, n_rows),
            "zone": rng.choice(["N", "S", "*", None], n_rows, p=[0.5, 0.3, 0.1, 0.1]),
            "sex": rng.choice(["f", "m"], n_rows),
            "pay": rng.normal(size=n_rows),
        }
    )


def genomes(problem: CellSuppressionProblem, n: int = 6) -> np.ndarray:
    rng = np.random.default_rng(3)
    return np.vstack([np.full(problem.n_var, 0.5), rng.random((n - 1, problem.n_var))])


@pytest.mark.parametrize("matching", ["value", "wildcard"])
def test_every_genome_is_a_table_whose_rows_have_k_matches(matching):
    frame, columns = table(), ["age", "zone", "sex"]
    weights = {"age": 0.5, "sex": 2.0}
    problem = CellSuppressionProblem(
        frame, MEASURES, k=4, columns=columns, weights=weights, matching=matching
    )
    X = genomes(problem)
    F = problem.evaluate(X)
    assert len(np.unique(F, axis=0)) > 1
    for x, (cells, rows, risk) in zip(X, F, strict=True):
        masked = problem.protect(x)
        assert holds(masked[columns], 4, matching)
        pd.testing.assert_series_equal(masked["pay"], frame["pay"])
        if matching == "value":
            lost = (masked[columns].astype(object) == "*") & (frame[columns] != "*")
        else:
            lost = masked[columns].isna() & frame[columns].notna()
        assert cells == lost.sum() @ [0.5, 1.0, 2.0]
        assert rows == lost.any(axis=1).sum()
        matches = ao.masking.matching_rows(masked, columns, matching=matching)
        assert risk == pytest.approx((1 / matches).mean())


def test_the_middle_genome_is_the_greedy_search():
    frame = table().drop(columns="pay")
    for matching in ("value", "wildcard"):
        problem = CellSuppressionProblem(frame, k=3, matching=matching)
        masked = CellSuppression(3, matching=matching).fit_transform(frame)
        pd.testing.assert_frame_equal(problem.protect(np.full(problem.n_var, 0.5)), masked)


def test_a_search_is_between_the_bound_and_the_greedy_search():
    problem = CellSuppressionProblem(ao.load_dataset("german"), k=5)
    greedy = problem.evaluate(np.full((1, problem.n_var), 0.5))[0, 0]
    result = ao.solve(problem, ao.algorithms.OnePlusOneES(), budget=60, seed=1)
    assert problem.bound <= result.F[0, 0] < greedy
    columns = list(problem.cells.names)
    assert ao.check(result.protect(), quasi_identifiers=columns, k=5)["anonymous"]


def test_exact_is_not_above_the_search_nor_that_above_greedy():
    rng = np.random.default_rng(5)
    for _ in range(3):
        frame = pd.DataFrame(rng.integers(0, 3, (14, 3)), columns=list("abc"))
        problem = CellSuppressionProblem(frame, k=3)
        greedy = problem.evaluate(np.full((1, problem.n_var), 0.5))[0, 0]
        found = ao.solve(problem, ao.algorithms.RandomSearch(), budget=20, seed=1).F[0, 0]
        exact = CellSuppression(3, search="exact").fit_transform(frame)
        assert (exact.astype(object) == "*").sum().sum() <= found <= greedy


def test_measures_of_nodes_are_those_of_the_table():
    problem = CellSuppressionProblem(ao.load_dataset("german"), ["k", "average_risk", "glm"], k=4)
    x = np.linspace(0.1, 0.9, problem.n_var)
    k, risk, _ = problem.natural(problem.evaluate(x[np.newaxis]))[0]
    report = ao.check(problem.protect(x), quasi_identifiers=list(problem.cells.names))
    assert (k, risk) == (report["k"], pytest.approx(report["average_risk"]))
    assert problem.groups(x).sizes.min() >= 4


def test_measures_of_nodes_take_frames_too():
    problem = CellSuppressionProblem(table(30).drop(columns="pay"), ["discernibility"], k=2)
    x = np.full(problem.n_var, 0.5)
    sizes = problem.protect(x).groupby(["age", "zone", "sex"], dropna=False).size()
    assert problem.evaluate(x[np.newaxis])[0, 0] == (sizes**2).sum()


def test_what_does_not_fit_is_refused():
    frame = table()
    with pytest.raises(ValueError, match=r"k: expected a whole number .* found 81"):
        CellSuppressionProblem(frame, k=81)
    with pytest.raises(ValueError, match="measure 'glm': expected one of 'suppressed cells'"):
        CellSuppressionProblem(frame, ["glm"], k=2, matching="wildcard")
    with pytest.raises(ValueError, match="columns: expected those of a frame"):
        CellSuppressionProblem(ao.load_dataset("german"), k=2, columns=["age"])
    with pytest.raises(ValueError, match="matching: expected one of"):
        CellSuppressionProblem(frame, k=2, matching="none")
    problem = CellSuppressionProblem(frame, k=2, matching="wildcard")
    assert problem.bound is None
    with pytest.raises(ValueError, match="groups: expected matching='value'"):
        problem.groups(np.full(problem.n_var, 0.5))


def test_equal_problems_have_equal_fingerprints():
    frame = table()
    problem = CellSuppressionProblem(frame, k=3)
    before = problem.fingerprint
    problem.groups(np.full(problem.n_var, 0.5))
    assert problem.fingerprint == before == CellSuppressionProblem(frame, k=3).fingerprint
    for others in ({"k": 4}, {"weights": {"age": 2}}, {"matching": "wildcard"}):
        assert CellSuppressionProblem(frame, **{"k": 3, **others}).fingerprint != before
    x = np.full((1, problem.n_var), 0.3)
    for twin in (copy.deepcopy(problem), pickle.loads(pickle.dumps(problem))):
        assert twin.evaluate(x) == problem.evaluate(x)
        assert twin.fingerprint == before
