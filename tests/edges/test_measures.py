"""Measures, proofs and what is told of them, point by point."""

from __future__ import annotations

import json
import re
from typing import Any

import numpy as np
import pandas as pd
import pytest
from pymoo.algorithms.moo.rvea import RVEA
from pymoo.algorithms.soo.nonconvex.cmaes import CMAES
from pymoo.constraints.as_obj import ConstraintsAsObjective
from pymoo.util.ref_dirs import get_reference_directions
from typer.testing import CliRunner

import anonopt as ao
from anonopt.algorithms import BranchAndBound, get_algorithm
from anonopt.cli import app
from anonopt.measures import Measure
from anonopt.problems import ContinuousMaskingProblem, LatticeProblem
from anonopt.problems.base import AnonymizationProblem
from anonopt.problems.spaces import Cells, Levels
from anonopt.visualization import plot_risk_utility
from tests.repository import ROOT


@pytest.fixture(scope="module")
def german() -> ao.Microdata:
    return ao.load_dataset("german")


def flat_table(n_columns: int, n_rows: int = 200) -> ao.Microdata:
    generator = np.random.default_rng(0)
    cells = generator.integers(0, 3, (n_rows, n_columns)).astype(str)
    frame = pd.DataFrame(cells, columns=[f"c{i}" for i in range(n_columns)])
    return ao.Microdata(
        frame, quasi_identifiers=list(frame), hierarchies=dict.fromkeys(frame, "flat")
    )


class Unnamed(AnonymizationProblem):
    """Returns G, but names no constraints."""

    def __init__(self, **options: Any) -> None:
        space = Levels(["a", "b"], upper=[2, 2])
        super().__init__(space=space, objective_names=["sum"], maximize=[False], **options)

    def _values(self, X: Any) -> Any:
        return X.sum(axis=1, keepdims=True), X[:, :1] - 1


def test_point_08_constraints_without_names_are_an_error():
    with pytest.raises(ValueError, match="constraint_names: expected a name for each constraint"):
        ao.solve(Unnamed(), ao.algorithms.ExhaustiveSearch())
    result = ao.solve(Unnamed(constraint_names=["low"]), ao.algorithms.ExhaustiveSearch())
    assert (result.success, result.proven) == (True, True)


class Penalized(LatticeProblem):
    def _values(self, X: Any) -> Any:
        values, G = super()._values(X)
        return values + 1e6 * (X[:, :1] > 0), G


def test_point_09_values_of_a_subclass_are_called(german):
    problem, plain = Penalized(german, ["glm"], k=2), LatticeProblem(german, ["glm"], k=2)
    nodes = np.array([german.lattice.bottom, german.lattice.top])
    assert (problem.evaluate(nodes)[0] - plain.evaluate(nodes)[0] == [[0], [1e6]]).all()
    # Searches that reason about the measures would ignore the penalty.
    with pytest.raises(
        ValueError, match="expected a LatticeProblem with the values of its own mea"
    ):
        ao.solve(problem, BranchAndBound())


class Maximum(AnonymizationProblem):
    """A wrapper of a masking problem that keeps its space."""

    def __init__(self, inner: Any) -> None:
        super().__init__(space=inner.space, objective_names=["worse"], maximize=[False])
        self.inner = inner

    def _values(self, X: Any) -> Any:
        return self.inner.evaluate(X, return_values_of=["F"]).max(axis=1, keepdims=True), None


def test_point_10_a_wrapper_keeps_the_starting_population():
    inner = ao.get_problem("german-masking")
    problem = Maximum(inner)
    assert isinstance(problem.space, Cells)
    result = ao.solve(problem, ao.algorithms.ga(problem), budget=120, seed=1)
    first = inner.evaluate(inner.space.starting_population(np.random.default_rng(1)))
    assert result.F.min() <= first.max(axis=1).min()


def test_point_11_operators_are_those_of_the_space(german):
    problem = ao.get_problem("german-masking", objectives=["score_mean"])
    result = ao.solve(problem, ao.algorithms.PBGEA(), budget=120, seed=1)
    assert 2 * result.F.min() <= 56
    with pytest.raises(ValueError, match=r"LatticeVND: expected a space of levels, found cells"):
        ao.solve(problem, ao.algorithms.LatticeVND(), budget=120, seed=1)


def test_point_12_a_search_that_does_not_fit_is_refused_at_once(german, monkeypatch):
    problem = LatticeProblem(german, ["glm"], k=5, suppression=0.01)
    monkeypatch.setattr(LatticeProblem, "_evaluate", lambda *_: pytest.fail("evaluated"))
    message = r"expected a space of trees, found levels \(algorithms that fit: pbgea, "
    with pytest.raises(ValueError, match="PRAMGP: " + message):
        ao.solve(problem, ao.algorithms.PRAMGP(), budget=10)
    with pytest.raises(ValueError, match="pramgp: " + message):
        get_algorithm("pramgp", problem)


def test_point_12_the_command_line_refuses_before_it_searches(tmp_path):
    config = table_config(tmp_path, 'algorithm = "pramgp"')
    outcomes = [
        run("anonymize", config),
        run("solve", "german-k-glm", "--algorithm", "pramgp"),
    ]
    for outcome in outcomes:
        assert outcome.exit_code == 2
        assert "Searching" not in outcome.stderr
        assert "(algorithms that fit: pbgea, " in " ".join(outcome.stderr.split())


def test_point_13_own_measures_see_kept_classes(german):
    own = Measure(
        "few",
        maximize=False,
        unit="rows",
        range="0..N",
        from_classes=lambda classes: classes.sizes[classes.sizes < 20].sum(),
    )
    evaluator = ao.LatticeEvaluator(german, suppression=0.05)
    nodes = german.lattice.nodes()[::37]
    for node, found in zip(nodes, evaluator.evaluate(nodes, [own])["few"], strict=True):
        table = evaluator.class_table(node)
        kept = table.sizes[table.kept]
        assert found == kept[kept < 20].sum()


@pytest.mark.parametrize("name", ["branch-and-bound", "ola", "incognito", "samarati", "exhaustive"])
@pytest.mark.parametrize("objective", ["height", "generalization_level", "glm"])
def test_point_15_proofs_are_told(german, name, objective):
    problem = LatticeProblem(german, [objective], k=5, suppression=0.01)
    try:
        algorithm = get_algorithm(name, problem)
    except ValueError:
        assert (name, objective) in {("ola", "glm"), ("incognito", "glm")}
        return
    result = ao.solve(problem, algorithm)
    assert result.proven is (name != "samarati" or objective == "height")
    if result.proven:
        assert result.F.min() == problem.pareto_front().min()


@pytest.mark.parametrize(
    ("name", "limits"),
    [
        ("branch-and-bound", {"test_budget": 20}),
        ("branch-and-bound", {"budget": 2}),
        ("ola", {"test_budget": 20}),
        ("ola", {"budget": 3}),
        ("samarati", {"test_budget": 2}),
        ("pbgea", {"budget": 50}),
        ("ga", {"budget": 50}),
        ("datafly", {}),
    ],
)
def test_point_15_what_was_cut_short_is_no_proof(german, name, limits):
    problem = LatticeProblem(german, ["height"], k=5, suppression=0.01)
    assert not ao.solve(problem, get_algorithm(name, problem), seed=1, **limits).proven


def run(*words: Any) -> Any:
    return CliRunner().invoke(app, [str(word) for word in words])


def table_config(folder: Any, *search: str, objective: str = "glm") -> Any:
    """A table of 3 columns, 3 ** 3 * 2 nodes and a configuration of it."""
    generator = np.random.default_rng(3)
    frame = pd.DataFrame(
        {
            "age": generator.integers(20, 60, 120),
            "zip": generator.integers(10, 99, 120),
            "sex": generator.choice(["f", "m"], 120),
            "illness": generator.choice(["a", "b", "c"], 120),
        }
    )
    frame.to_csv(folder / "table.csv", index=False)
    lines = [
        "[data]",
        'file = "table.csv"',
        'quasi_identifiers = ["age", "zip", "sex"]',
        'sensitive = "illness"',
        "[hierarchies]",
        'age = { builder = "intervals", width = 5, fan_outs = [2, 2] }',
        'zip = { builder = "text" }',
        'sex = "flat"',
        "[search]",
        "k = 3",
        "suppression = 0.05",
        f'objective = "{objective}"',
        *search,
        "[output]",
        'file = "protected.csv"',
    ]
    (folder / "table.toml").write_text("\n".join(lines), encoding="utf-8")
    return folder / "table.toml"


@pytest.mark.parametrize(
    ("search", "algorithm", "proven", "said"),
    [
        ([], "exhaustive", True, "all 30 nodes were evaluated: no node is better"),
        (['algorithm = "branch-and-bound"'], "branch-and-bound", True, "no node is better"),
        (["budget = 20"], "branch-and-bound", True, "may all be tried; branch-and-bound evaluated"),
        (
            ["budget = 20", "test_budget = 1"],
            None,
            False,
            "(budget of tests reached), then ga with seed 1 evaluated 20 nodes",
        ),
        (["budget = 20", "l = 2"], "ga", False, "a better node may exist"),
        (['algorithm = "ga"', "budget = 5"], "ga", False, "a better node may exist"),
        (['algorithm = "random"', "budget = 30"], "random", True, "no node is better"),
    ],
)
def test_point_15_anonymize_says_what_is_proven(tmp_path, search, algorithm, proven, said):
    outcome = run("anonymize", table_config(tmp_path, *search), "--json")
    assert outcome.exit_code == 0, outcome.stderr
    found = json.loads(outcome.stdout)
    assert found["proven"] is proven
    assert algorithm in (None, found["algorithm"])
    assert said in found["message"]
    if proven:
        best = json.loads(run("anonymize", table_config(tmp_path), "--json", "--force").stdout)
        assert found["figures"]["glm"] == best["figures"]["glm"]


def test_point_15_tests_are_for_searches_that_test(tmp_path):
    outcome = run("anonymize", table_config(tmp_path, 'algorithm = "ga"', "test_budget = 5"))
    assert outcome.exit_code == 2
    assert "search.test_budget: expected an algorithm that tests nodes" in outcome.stderr


def test_point_16_the_pareto_set_is_that_of_all_files_drawn():
    start = pd.DataFrame({"IL": [10.0, 60.0], "DR": [10.0, 60.0]})
    end = pd.DataFrame({"IL": [20.0, 5.0], "DR": [20.0, 70.0]})
    lines = plot_risk_utility({"start": start, "end": end}).axes[0].lines
    (front,) = [line for line in lines if line.get_label().startswith("Pareto set")]
    assert list(zip(front.get_xdata(), front.get_ydata(), strict=True)) == [(10, 10), (70, 5)]
    assert front.get_label() == "Pareto set (2 files)"


def test_point_17_the_first_choice_of_the_readme_is_the_proven_one():
    first = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text("utf-8"), re.DOTALL)[
        0
    ]
    assert 'objectives=["glm"], k=5, suppression=0.01' in first
    assert "BranchAndBound" in first
    assert "query" not in first


def test_point_18_infinite_values_rank_last(german):
    for name in ("recursive_cl", "delta_disclosure"):
        problem = LatticeProblem(german, [name, "glm"], suppression=0.0)
        result = ao.solve(problem, ao.algorithms.PBGEA(), budget=60, seed=1)
        assert np.isinf(result.history[name]).any()
        assert np.isfinite(result.front[name]).any()
        alone = LatticeProblem(german, [name])
        assert np.isfinite(
            ao.solve(alone, ao.algorithms.PBGEA(), budget=60, seed=1).front[name]
        ).all()


@pytest.mark.parametrize("n_columns", [60, 200])
def test_point_24_tests_are_counted_and_limited(n_columns):
    problem = LatticeProblem(flat_table(n_columns), ["glm"], k=3, suppression=0.05)
    result = ao.solve(problem, BranchAndBound(), test_budget=2000, seed=1)
    assert (result.n_tests <= 2000, result.proven) == (True, False)
    assert result.message.startswith("budget of tests reached")


def test_point_24_tests_are_told_beside_evaluations(german):
    problem = LatticeProblem(german, ["height"], k=5, suppression=0.01)
    result = ao.solve(problem, ao.algorithms.OLA())
    assert result.n_tests > len(result.front) > 0


def test_point_25_pymoos_own_searches_of_numeric_files():
    generator = np.random.default_rng(1)
    frame = pd.DataFrame(generator.normal(50, 9, (30, 2)).round(), columns=["a", "b"])
    problem = ContinuousMaskingProblem(frame, ["score_mean"])
    with pytest.raises(ValueError, match="expected a whole number"):
        ao.solve(problem, CMAES(), budget=30, seed=1)


def test_point_25_runs_are_not_lost(german):
    problem = LatticeProblem(german, ["k", "glm"], suppression=0.01)
    assert ao.solve(problem, ao.algorithms.PBGEA(), termination=3, seed=1).success
    wrapped = ConstraintsAsObjective(LatticeProblem(german, ["glm"], k=2, suppression=0.01))
    assert ao.solve(wrapped, ao.algorithms.PBGEA(), budget=30, seed=1).success
    directions = get_reference_directions("uniform", 2, n_partitions=5)
    search = RVEA(directions, **problem.space.operators())
    assert ao.solve(problem, search, budget=60, seed=1).success


def test_point_34_the_worst_sensitive_column_counts(german):
    table = ao.Microdata(
        german.frame,
        quasi_identifiers=german.quasi_identifiers,
        hierarchies=german.hierarchies,
        sensitive=["purpose", "credit_history"],
    )
    names = ["l", "l:purpose", "l:credit_history"]
    found = ao.LatticeEvaluator(table).evaluate(table.lattice.nodes()[::29], names)
    assert (found["l"] == found[names[1:]].min(axis=1)).all()
    problem = LatticeProblem(table, ["glm"], {"l": 2, "l:purpose": 4}, suppression=0.05)
    result = ao.solve(problem, ao.algorithms.PBGEA(), budget=100, seed=1)
    report = ao.check(
        result.protect(),
        quasi_identifiers=german.quasi_identifiers,
        sensitive=["purpose", "credit_history"],
        l=2,
        class_bounds={"l:purpose": 4},
        suppressed=problem.suppressed_rows(result.X[0]),
    )
    assert report["anonymous"]


@pytest.mark.parametrize(
    "search",
    [
        "entropy_l = 1.5",
        "recursive_cl = 3.0",
        "t_ordered = 0.2",
        "constraints = { beta_likeness = 1.0, highest_risk = 0.2 }",
        'constraints = { "l:illness" = 3 }',
    ],
)
def test_point_34_further_bounds_in_toml(tmp_path, search):
    outcome = run("anonymize", table_config(tmp_path, search), "--json")
    assert outcome.exit_code == 0, outcome.stderr
    found = json.loads(outcome.stdout)
    name = re.findall(r"(\w+(?::\w+)?)\"? = [\d.]+", search)[0]
    assert name in found["figures"]
    assert found["check"][name] == pytest.approx(found["figures"][name])
    assert found["figures"]["glm"] >= 0


def test_point_34_a_bound_that_the_top_misses_may_be_met_below(tmp_path):
    """With rows suppressed the kept classes can be more diverse than the whole table."""
    frame = pd.DataFrame({"zip": list("aabbc"), "illness": list("xyxyx")})
    frame.to_csv(tmp_path / "table.csv", index=False)
    config = tmp_path / "table.toml"
    config.write_text(
        '[data]\nfile = "table.csv"\nquasi_identifiers = ["zip"]\nsensitive = "illness"\n'
        '[hierarchies]\nzip = "flat"\n[search]\nk = 2\nsuppression = 1\nentropy_l = 2.0\n'
        '[output]\nfile = "protected.csv"\n',
        encoding="utf-8",
    )
    outcome = run("anonymize", config)
    assert outcome.exit_code == 0, outcome.stderr
    config.write_text(config.read_text().replace("entropy_l = 2.0", "entropy_l = 2.1"))
    outcome = run("anonymize", config, "--force")
    assert outcome.exit_code == 1
    assert "all 2 nodes were evaluated: none is feasible" in outcome.stdout


def test_point_36_measures_are_listed_with_their_papers():
    listed = ao.list_measures(of="node")
    wanted = {
        "delta_disclosure": "Brickell 2008",
        "beta_likeness": "Cao 2012",
        "t_hierarchical": "Li 2007",
        "journalist_risk": "El Emam 2008",
        "marketer_risk": "Dankar 2010",
        "violating_classes": "this library",
        "violating_share": "this library",
    }
    assert listed.loc[list(wanted), "paper"].to_dict() == wanted
    assert (listed.loc[list(wanted), "direction"] == "min").all()


@pytest.mark.parametrize(
    "name",
    ["delta_disclosure", "beta_likeness", "t_hierarchical", "journalist_risk", "marketer_risk"],
)
def test_point_36_measures_are_objectives_and_constraints(german, name):
    tree = ao.Hierarchy.ordered(german.sensitive_labels, fan_outs=[3])
    table = ao.Microdata(
        german.frame,
        quasi_identifiers=german.quasi_identifiers,
        hierarchies={**german.hierarchies, german.sensitive: tree},
        sensitive=german.sensitive,
        population=pd.concat([german.frame, german.frame[::2]]),
    )
    problem = LatticeProblem(table, [name, "glm"], {name: 1.0}, suppression=0.05)
    result = ao.solve(problem, ao.algorithms.PBGEA(), budget=60, seed=1)
    assert result.success
    assert (result.front[name] <= 1 + 1e-9).all()


def test_point_37_time_and_trace_of_searches(german):
    problem = LatticeProblem(german, ["height"], k=5, suppression=0.01)
    for name in ("ola", "incognito", "samarati", "datafly", "branch-and-bound"):
        result = ao.solve(problem, get_algorithm(name, problem, trace=True))
        assert result.history["seconds"].is_monotonic_increasing
        trace = result.algorithm.trace()
        assert trace["n_tests"].max() == result.n_tests > 0


def test_point_34_pram_keeps_frequencies_and_draws_within_strata(tmp_path):
    frame = pd.DataFrame({"region": list("NS") * 300, "job": ["a", "c", "b", "d"] * 150})
    frame.to_csv(tmp_path / "jobs.csv", index=False)
    masked = tmp_path / "masked.csv"
    words = ["--p", 0.3, "--invariant", "--strata", "region", "--seed", 4, "--output", masked]
    outcome = run("mask", "pram", tmp_path / "jobs.csv", *words)
    assert outcome.exit_code == 0, outcome.stderr
    found = pd.read_csv(masked)
    library = ao.masking.PRAM(
        p=0.3, invariant=True, strata=["region"], columns=["job"], random_state=4
    ).fit_transform(frame)
    assert found.equals(library.astype(found.dtypes))
    assert (found["region"] == frame["region"]).all()
    assert {tuple(row) for row in found.drop_duplicates().to_numpy()} == {
        ("N", "a"), ("N", "b"), ("S", "c"), ("S", "d"),
    }  # fmt: skip
    assert (found["job"] != frame["job"]).any()


def test_point_34_the_front_of_ones_own_table_and_a_row_of_it(tmp_path):
    config, front = table_config(tmp_path), tmp_path / "front.csv"
    outcome = run("solve", config, "--output", front, "--plot", tmp_path / "front.png", "--json")
    assert outcome.exit_code == 0, outcome.stderr
    found = json.loads(outcome.stdout)
    assert (found["algorithm"], found["proven"]) == ("exhaustive", True)
    rows = pd.read_csv(front)
    assert list(rows.columns) == ["age", "zip", "sex", "k", "glm"]
    assert rows["k"].min() >= 3
    least = rows.sort_values("glm").iloc[0]
    levels = ",".join(str(int(level)) for level in least[["age", "zip", "sex"]])
    applied = json.loads(run("anonymize", config, "--node", levels, "--json").stdout)
    assert (applied["success"], applied["algorithm"]) == (True, "given")
    assert list(applied["node"].values()) == least[["age", "zip", "sex"]].tolist()
    assert applied["figures"]["glm"] <= least["glm"]
    assert applied["check"]["anonymous"]


def test_point_34_objectives_of_ones_own_table(tmp_path):
    config = table_config(tmp_path, 'objectives = ["t", "glm", "marketer_risk"]')
    front = json.loads(run("solve", config, "--json").stdout)["front"]
    assert {"t", "glm", "marketer_risk"} <= set(front[0])
    other = json.loads(run("solve", config, "--objective", "glm", "--json").stdout)
    best = json.loads(run("anonymize", config, "--json").stdout)
    assert {point["glm"] for point in other["front"]} == {best["figures"]["glm"]}


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["--node", "0,0"], 2, "expected 3 levels, of age, zip, sex, found 2"),
        (["--node", "0,9,0"], 2, "9"),
        (["--node", "a"], 2, "--node: expected levels such as 1,0,2, found 'a'"),
        (["--node", "0 0 0"], 1, "the node (0, 0, 0) was given: it misses suppression"),
    ],
)
def test_point_34_nodes_that_cannot_be_applied(tmp_path, words, code, message):
    outcome = run("anonymize", table_config(tmp_path), *words)
    assert outcome.exit_code == code
    assert message in outcome.stderr + outcome.stdout
    assert not (tmp_path / "protected.csv").exists()


def test_point_34_class_bounds_need_a_fixed_k(tmp_path):
    config = table_config(tmp_path, "class_bounds = { l = 2 }")
    outcome = run("solve", config)
    assert outcome.exit_code == 2
    assert "objectives: expected some without k, which class_bounds need fixed" in outcome.stderr
    words = ["--objective", "glm", "--objective", "suppressed", "--json"]
    assert run("solve", config, *words).exit_code == 0
